"""Cells of the papers' tables: one run of nutshell each, under limits, and the
file of results in which every cell is written as soon as it is known."""

import csv
import json
import os
import pathlib
import signal
import subprocess
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
NUTSHELL = pathlib.Path(
    os.environ.get("NUTSHELL", ROOT / "build" / "nutshell")).resolve()

FIELDS = ("table", "model", "column", "command", "states", "transitions",
          "complete", "reason", "cpu_seconds", "store_bytes", "state_bytes",
          "nodes", "most_nodes", "memory_bytes", "failed")
SHORT, REPEATS = 2.0, 3  # runs of less CPU seconds are made so many times
NUMBERS = {"states": int, "transitions": int, "cpu_seconds": float,
           "store_bytes": int, "state_bytes": int, "nodes": int,
           "most_nodes": int, "memory_bytes": int}


class Model:
    """A model and its options: a file below the project, or what a generator
    prints ('!examples/lpn/dme 6'), or a file below the folder of --shared
    ('@promela/x.pml'), perhaps with a text in it replaced by another."""

    def __init__(self, name, source, full="", quick=None, published=None,
                 replace=None):
        self.name, self.source, self.published = name, source, published
        self.options = {False: full.split(),
                        True: (full if quick is None else quick).split()}
        self.replace = replace

    def shared(self):
        return self.source.startswith("@")

    def file(self, settings):
        """Where the model is; makes it when it must be made."""
        if self.source.startswith("!"):
            return self.generated(settings)
        if not self.shared():
            return ROOT / self.source
        path = pathlib.Path(settings.shared) / self.source[1:]
        if not self.replace:
            return path
        made = settings.folder / path.name
        made.write_text(path.read_text(encoding="utf-8").replace(
            *self.replace), encoding="utf-8")
        return made

    def generated(self, settings):
        words = self.source[1:].split()
        words[1:] = self.options[settings.quick]
        suffix = ".lpn" if "lpn" in words[0] else ".dve"
        made = settings.folder / (
            words[0].replace("/", "_") + "_".join(words[1:]) + suffix)
        text = subprocess.run([ROOT / words[0], *words[1:]], check=True,
                              capture_output=True, text=True).stdout
        made.write_text(text, encoding="utf-8")
        return made

    def arguments(self, settings):
        options = [] if self.source.startswith("!") else self.options[
            settings.quick]
        return [*options, str(self.file(settings))]


class Column:
    """How a model is run: heading, store and further options."""

    def __init__(self, name, store, *options, command="count"):
        self.name, self.store = name, store
        self.options, self.command = list(options), command


def wait(process, seconds):
    """Its status and CPU time; ends it when it takes too long."""
    end = time.monotonic() + seconds
    pause = 0.002
    while True:
        pid, status, usage = os.wait4(process.pid, os.WNOHANG)
        if pid:
            process.returncode = os.waitstatus_to_exitcode(status)
            return process.returncode, usage.ru_utime + usage.ru_stime
        if time.monotonic() > end:
            process.send_signal(signal.SIGKILL)
            end += 1e9
        time.sleep(pause)
        pause = min(0.05, 1.5 * pause)


def execute(arguments, settings):
    """The JSON of a run, or a reason, and its CPU time."""
    out, errors = settings.folder / "out.json", settings.folder / "errors"
    with open(out, "wb") as o, open(errors, "wb") as e:
        process = subprocess.Popen([NUTSHELL, *arguments], stdout=o, stderr=e)
        status, seconds = wait(process, 3 * settings.time + 60)
    text = out.read_text(encoding="utf-8")
    if status < 0:
        return {"failed": f"ended by signal {-status}"}, seconds
    if status == 2 or not text:
        said = errors.read_text(encoding="utf-8").strip().splitlines()
        return {"failed": said[-1] if said else "no answer"}, seconds
    return json.loads(text), seconds


class Results:
    """The cells that are known, and the file that holds them."""

    def __init__(self, settings):
        self.settings, self.cells = settings, {}
        self.warm, self.made = set(), set()  # compiled; run by this process
        self.path = pathlib.Path(settings.csv)
        keeps = settings.resume or settings.tables != "*"
        if keeps and self.path.exists():
            with open(self.path, encoding="utf-8") as file:
                for row in csv.DictReader(file):
                    self.keep(row)
        self.write_all()

    def keep(self, row):
        for name, kind in NUMBERS.items():
            row[name] = kind(row[name] or 0)
        row["complete"] = row["complete"] in (True, "True")
        self.cells[row["table"], row["model"], row["column"]] = row

    def write_all(self):
        with open(self.path, "w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, FIELDS, lineterminator="\n")
            writer.writeheader()
            writer.writerows(self.cells.values())

    def get(self, table, model, column):
        return self.cells.get((table, model.name, column.name))

    def growth_file(self, table, model, column):
        name = f"{table}-{model.name}-{column.name}".replace(" ", "_")
        return self.settings.folder / (name.replace("/", "_") + ".csv")

    def growth(self, table, model, column):
        """Rows of --growth as numbers; none when there was no such run."""
        path = self.growth_file(table, model, column)
        if not path.exists():
            return []
        with open(path, encoding="utf-8") as file:
            return [{k: float(v) for k, v in row.items()}
                    for row in csv.DictReader(file)]

    def compile(self, model, column):
        """Native code is kept, so that cells do not measure the compiler."""
        what = (model.name, column.command, "--por" in column.options)
        if what in self.warm:
            return
        self.warm.add(what)
        others = column.options if column.command == "check" else []
        execute([column.command, "--json", "--engine", "native", "--time",
                 "0.2", *others, *model.arguments(self.settings)],
                self.settings)

    def run(self, table, model, column, growth=False):
        """The cell, from the file or from a run."""
        s, key = self.settings, (table, model.name, column.name)
        known = self.cells.get(key)
        if known and (key in self.made or (
                s.resume and known["command"] == self.told(model, column))):
            return known
        self.made.add(key)
        self.compile(model, column)
        print(f"{table}: {model.name}, {column.name}", flush=True)
        arguments = [column.command, "--json", "--engine", "native", "--time",
                     f"{s.time:g}", "--memory", s.memory, "--store",
                     column.store, *column.options, *model.arguments(s)]
        looks = ["--growth", self.growth_file(table, model, column)]
        found, seconds = execute(arguments + (looks if growth else []), s)
        tries = REPEATS if seconds < SHORT and not found.get("failed") else 1
        for _ in range(tries - 1):
            again, more = execute(arguments, s)
            if not again.get("failed"):
                seconds = min(seconds, more)
        self.keep(self.row(table, model, column, found, seconds, growth))
        self.write_all()
        return self.cells[key]

    def disagreements(self):
        """Complete cells of a model with other states than the first one."""
        first, found = {}, []
        for cell in self.cells.values():
            if (cell["failed"] or not cell["complete"] or cell["reason"] or
                    "--por on" in cell["command"]):
                continue
            known = first.setdefault((cell["table"], cell["model"]), cell)
            if (known["states"], known["transitions"]) != (
                    cell["states"], cell["transitions"]):
                found.append(f"{cell['model']}: {cell['command']} has "
                             f"{cell['states']} states, {known['command']} "
                             f"has {known['states']}")
        return found

    def told(self, model, column):
        return " ".join([column.command, "--store", column.store,
                         *column.options,
                         *model.options[self.settings.quick], model.source])

    def row(self, table, model, column, found, seconds, growth):
        kept = found.get("store", {})
        seen = self.growth(table, model, column) if growth else []
        return {
            "table": table, "model": model.name, "column": column.name,
            "command": self.told(model, column),
            "states": found.get("states", 0),
            "transitions": found.get("transitions", 0),
            "complete": found.get("complete", False) or
            "lose" in (found.get("reason") or ""),
            "reason": found.get("reason") or "",
            "cpu_seconds": round(seconds, 3),
            "store_bytes": kept.get("bytes", 0),
            "state_bytes": kept.get("state_bytes", 0),
            "nodes": kept.get("nodes") or 0,
            "most_nodes": int(max((r["nodes"] for r in seen), default=0)) or
            kept.get("nodes") or 0,
            "memory_bytes": found.get("memory_bytes", 0),
            "failed": found.get("failed", ""),
        }
