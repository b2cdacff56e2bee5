"""What the suites tests/run-* share: where the program is, how it is run, what
models expect, what SPIN says, and how results are told.

    import kit

    def tests(options):
        for model in kit.models(options, "tests/promela/*.pml"):
            yield kit.name_of(model), lambda model=model: problems(model)

    kit.suite(__doc__, tests)

A test is a name and a function that tells what is wrong: a text or a list of
lines, nothing if all is well.  It may raise Failure, Skipped (it cannot be run
here: './test' repeats the reason) or return LEFT_OUT (it is no test after all,
for example of a model that is too large).  Tests run several at a time unless
the suite says jobs=1; each makes its own folder.  Lines 'ok N - name' come in
the order of the tests, the last line is 'N passed, N failed'.
"""

import argparse
import concurrent.futures
import fnmatch
import functools
import hashlib
import importlib.machinery
import importlib.util
import json
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import threading

sys.dont_write_bytecode = True

ROOT = pathlib.Path(__file__).resolve().parent.parent
NUTSHELL = pathlib.Path(
    os.environ.get("NUTSHELL", ROOT / "build" / "nutshell")).resolve()
# Kept between runs: answers of slow oracles, compiled models.
CACHE = pathlib.Path(os.environ.get("NUT_CACHE", f"{ROOT}/build-cache"))
# No test depends on the speed of the machine.  What hangs is ended: a program
# that computes after WORK seconds of processor time, however busy the machine
# is; one that waits for nothing after TIMEOUT seconds.
WORK = 1800
TIMEOUT = 6 * 3600
LEFT_OUT = object()
# No compiler outlives a run, unless a test asks for it.
os.environ.setdefault("NUTSHELL_CACHE", "run")


class Failure(Exception):
    """A test has failed; the text says how."""


class Skipped(Exception):
    """A test cannot be run here; the text says why."""


def expect(condition, what, run=None):
    """Fails, with what a run has said."""
    if not condition:
        raise Failure(what if run is None
                      else f"{what}\n{run.stdout}{run.stderr}")


# ---- running -------------------------------------------------------------------

def work_allowed(work):
    """So many seconds of processor time, or what this process may have."""
    most = resource.getrlimit(resource.RLIMIT_CPU)[1]
    return work if most == resource.RLIM_INFINITY else min(work, most)


def limit_work():
    """For this process and all it starts, each by itself."""
    most = resource.getrlimit(resource.RLIMIT_CPU)[1]
    resource.setrlimit(resource.RLIMIT_CPU, (work_allowed(WORK), most))


limit_work()


def run(*arguments, program=None, check=False, **settings):
    """Runs Nutshell (or another program) and returns what came of it."""
    command = [str(program or NUTSHELL), *map(str, arguments)]
    given = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE,
             "stderr": subprocess.PIPE, "text": True, "errors": "replace",
             "timeout": TIMEOUT, **settings}
    if "input" in given:
        del given["stdin"]
    return subprocess.run(command, check=check, **given)


def run_json(*arguments, **settings):
    """The report of a run as a dictionary; None when it was refused."""
    done = run(*arguments, "--json", **settings)
    if done.returncode == 2:
        return None
    expect(done.returncode in (0, 1, 3), f"status {done.returncode}", done)
    return json.loads(done.stdout)


def cached(**changes):
    """An environment in which compiled models are kept from run to run."""
    return dict(os.environ, XDG_CACHE_HOME=str(CACHE), **changes)


def in_parallel(work, items, jobs):
    """work(item) for each item, several at a time, in the order of items."""
    with concurrent.futures.ThreadPoolExecutor(max(jobs, 1)) as pool:
        yield from pool.map(work, items)


_scratch = tempfile.TemporaryDirectory(prefix="nutshell-test-")


def scratch():
    """A new folder, which is removed when the suite ends."""
    return pathlib.Path(tempfile.mkdtemp(dir=_scratch.name))


def put(path, text):
    """Writes a file; its path."""
    path = pathlib.Path(path)
    path.write_text(text, encoding="utf-8")
    return path


def put_program(path, content, mode=0o755):
    """Writes a file that will be executed; its path.  Another process writes it: a
    child that another thread starts meanwhile would hold our handle for a moment,
    and a file that somebody may write to cannot be executed ("Text file busy")."""
    subprocess.run(["install", "-T", "-m", f"{mode:o}", "/dev/stdin", path],
                   input=content if isinstance(content, bytes) else content.encode(),
                   check=True)
    return pathlib.Path(path)


def generated(script, *words, suffix):
    """A model that a script of the project writes; its path."""
    done = run(ROOT / script, *words, program=sys.executable, check=True)
    name = "-".join(map(str, [pathlib.Path(script).name, *words])) + suffix
    return put(scratch() / name, done.stdout)


# ---- which tests ---------------------------------------------------------------

def options(description, jobs=None, arguments=None):
    """The options all suites take.  'arguments' adds those of one suite."""
    parser = argparse.ArgumentParser(
        description=description,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--all", action="store_true",
                        help="ask for all the suite has")
    parser.add_argument("--jobs", type=int, metavar="N",
                        default=jobs or os.cpu_count() or 1,
                        help="tests that run at a time")
    parser.add_argument("patterns", nargs="*", metavar="PATTERN",
                        help="only tests whose names match, or these models")
    if arguments:
        arguments(parser)
    return parser.parse_args()


def models(chosen, *globs):
    """The models of the project that match, in this order; or those files that
    were given on the command line instead."""
    given = [path.resolve() for path in map(pathlib.Path, chosen.patterns)
             if path.is_file()]
    return given or [path for glob in globs
                     for path in sorted(ROOT.glob(glob))]


def name_of(path):
    path = pathlib.Path(path)
    return str(path.relative_to(ROOT) if path.is_relative_to(ROOT)
               else path.name)


def selected(name, chosen):
    """Whether a test is among those asked for on the command line."""
    patterns = [p for p in chosen.patterns if not os.path.isfile(p)]
    return not patterns or any(
        fnmatch.fnmatch(name, p) or fnmatch.fnmatch(os.path.basename(name), p)
        for p in patterns)


# ---- results -------------------------------------------------------------------

def lines_of(wrong):
    if not wrong:
        return []
    return wrong.splitlines() if isinstance(wrong, str) else list(wrong)


class Results:
    """Prints a line per test and counts them."""

    def __init__(self):
        self.passed = self.failed = self.skipped = 0

    def add(self, name, good, details=""):
        """'details' is a text or a list of lines, shown when it failed."""
        number = self.passed + self.failed + 1
        if good:
            self.passed += 1
        else:
            self.failed += 1
        print(f"{'ok' if good else 'not ok'} {number} - {name}")
        for line in [] if good else lines_of(details)[:60]:
            print(f"# {line}")
        sys.stdout.flush()
        return good

    def skip(self, name, reason):
        """A test that cannot be run here, and why: './test' repeats it."""
        self.skipped += 1
        print(f"# skipped {name}: {reason}", flush=True)

    def finish(self):
        """Prints the sum; the exit status of the suite.  One that has done
        nothing, and does not say why, has failed."""
        print(f"{self.passed} passed, {self.failed} failed")
        return 1 if self.failed or not self.passed + self.skipped else 0


def attempt(test):
    """What is wrong, LEFT_OUT, or an exception Skipped, as a value."""
    try:
        return test()
    except Skipped as reason:
        return reason
    except (Failure, OSError, ValueError, KeyError,
            subprocess.SubprocessError) as error:
        return f"{type(error).__name__}: {error}"


def run_tests(tests, chosen, results):
    wanted = [(name, test) for name, test in tests if selected(name, chosen)]
    answers = in_parallel(lambda pair: attempt(pair[1]), wanted, chosen.jobs)
    for (name, _), wrong in zip(wanted, answers):
        if isinstance(wrong, Skipped):
            results.skip(name, wrong)
        elif wrong is not LEFT_OUT:
            results.add(name, not wrong, wrong)


def suite(description, tests, jobs=None, arguments=None):
    """Runs the tests of tests(options) and exits with the status of all."""
    chosen = options(description, jobs, arguments)
    results = Results()
    run_tests(tests(chosen), chosen, results)
    sys.exit(results.finish())


# ---- what models expect --------------------------------------------------------

# In any comment of a model, up to its end:
#
#     expect: holds; states 38; transitions 65
#     expect csc, usc: violated; states 6; with --property csc
#
# Names are those of properties; without names the verdict is that of the whole.
# Everything but 'expect ...:' may be left out.  Figures are those of 'nutshell
# count': of all states, without reduction.  'says TEXT' is the message of the
# property, or the reason why nothing is known.  'with OPTIONS' comes last.
EXPECT = re.compile(r"\bexpect(?: ([^:\n]+))?: *([^\n]*?)"
                    r"(?= *(?:\*/|-->)? *$)", re.M)
MESSAGE = re.compile(r"(?:\d+:)*\d+: ")
VERDICTS = ("holds", "violated", "unknown")
FIGURES = {"states": "states", "transitions": "transitions",
           "deadlocks": "deadlocks", "place": "max_token_in_place",
           "marking": "max_token_per_marking"}
WITH = ("-D", "-U", "--property", "--fair", "--depth", "--no-deadlock",
        "--check-overflow")


class Expectation:
    """One 'expect' of a model: names, verdict, figures, message, options."""

    def __init__(self, names, text):
        self.names = names.split(", ") if names else []
        self.verdict, self.figures, self.says, self.options = None, {}, None, []
        for part in text.split("; "):
            word, _, rest = part.partition(" ")
            if part in VERDICTS:
                self.verdict = part
            elif word in FIGURES and rest.isdigit():
                self.figures[word] = int(rest)
            elif word == "says":
                self.says = rest
            elif word == "with":
                self.options = rest.split()
            else:
                raise Failure(f"not an expectation: '{part}'")
        for word in self.options:
            name = word[:2] if word[:2] in ("-D", "-U") else word
            if word.startswith("-") and name not in WITH:
                raise Failure(f"'{word}' may not follow 'with'")

    def __str__(self):
        parts = [self.verdict] if self.verdict else []
        parts += [f"{name} {value}" for name, value in self.figures.items()]
        parts += [f"says {self.says}"] if self.says else []
        parts += ["with " + " ".join(self.options)] if self.options else []
        names = " " + ", ".join(self.names) if self.names else ""
        return f"expect{names}: {'; '.join(parts)}"

    def figure_problems(self, report):
        """Figures of a report of 'count' that are not as expected."""
        return [f"{name} {report.get(FIGURES[name])}, not {value}"
                for name, value in self.figures.items()
                if report.get(FIGURES[name]) != value]

    def verdict_problems(self, report):
        """Verdicts and messages of a report that are not as expected."""
        rows = {row["name"]: row for row in report["properties"]}
        found = []
        for name in self.names or [None]:
            row = rows.get(name, {}) if name else report
            said = row.get("message") or row.get("reason")
            if self.verdict and row.get("verdict") != self.verdict:
                found.append(f"{name or 'verdict'}: {row.get('verdict')}, "
                             f"not {self.verdict}")
            if self.says and said != self.says:
                found.append(f"{name or 'verdict'}: says '{said}', "
                             f"not '{self.says}'")
        return found


def expectations(text):
    """All expectations of a model, in order."""
    return [Expectation(names, rest) for names, rest in EXPECT.findall(text)
            if not MESSAGE.match(rest)]


def without_expectations(text):
    """The model without what it expects: the same question."""
    return EXPECT.sub("", text)


def expect_violated(found):
    """The names of all properties that are expected to be violated."""
    return {name for one in found if one.verdict == "violated"
            for name in one.names}


def replace_expectation(path, fresh):
    """Writes the first expectation again; False if it stays as it is."""
    text = path.read_text(encoding="utf-8")
    old = EXPECT.search(text)
    if not old:
        raise Failure("no expectation to update")
    found = Expectation(*old.groups())
    if str(found) == str(fresh):
        return False
    put(path, text.replace(str(found), str(fresh), 1))
    return True


def whole_space(*arguments):
    """Options of 'check' under which all states are seen."""
    return [*arguments, "--max-errors", "0", "--por", "off", "--merge", "off",
            "--reset-dead", "off"]


def verdicts(report, *names):
    """Verdicts by name of property; of these names, or of all."""
    found = {row["name"]: row["verdict"] for row in report["properties"]}
    return {name: found.get(name) for name in names} if names else found


def violated(report):
    return {name for name, verdict in verdicts(report).items()
            if verdict == "violated"}


def refusal_problems(model):
    """A file that must be refused, with exactly the messages it expects:
    'expect: LINE:COLUMN: error: TEXT'."""
    text = model.read_text(encoding="utf-8", errors="replace")
    wanted = [rest for names, rest in EXPECT.findall(text)
              if MESSAGE.match(rest)]
    done = run("check", name_of(model), cwd=ROOT)
    prefix = re.escape(name_of(model))
    found = re.findall(rf"^{prefix}:((?:\d+:)*\d+: (?:error|warning|note): .*)",
                       done.stderr, re.M)
    wrong = [] if done.returncode == 2 else [f"status {done.returncode}, not 2"]
    if found != wanted:
        wrong += [f"expected {line}" for line in wanted]
        wrong += [f"found    {line}" for line in found]
    return wrong


# ---- golden output -------------------------------------------------------------

# What differs between runs, machines and stores.
MASKS = [
    (r"\b\d+(\.\d+)? s\b", "# s"),
    (r"[\d.]+ (bytes|[KMG]iB) of memory", "# of memory"),
    (r"(?m)^(  memory:) .*", r"\1 #"),
    (r"(?m)^(  store) \S+: .*", r"\1 #"),
    (r"(note: stores:) .*", r"\1 #"),
    (r'("name":) "[a-z]+\+[a-z]+"', r'\1 "STORE"'),
    (r'("(?:seconds|memory_bytes|search_bytes|bytes|bytes_per_state|state_bytes)":) [\d.]+',
     r"\1 0"),
    (r'("nutshell":) "[^"]*"', r'\1 "VERSION"'),
    (r"(?i)(nutshell) \d+\.\d+\.\d+", r"\1 VERSION"),
    (r"(?m)^built with .*", "built with #"),
]


def mask(output):
    """Output without the figures that vary."""
    for pattern, replacement in MASKS:
        output = re.sub(pattern, replacement, output)
    return output


# ---- oracles -------------------------------------------------------------------

def has_spin():
    return bool(shutil.which("spin") and shutil.which("gcc"))


def need_spin():
    if not has_spin():
        raise Skipped("SPIN is not installed")


@functools.cache
def spin_version():
    return run("-V", program="spin").stdout


def remembered(kind, question, ask):
    """What ask() says, or said when the same was asked before.  'question' is
    all that the answer depends on, besides SPIN itself."""
    key = "\0".join([spin_version(), *map(str, question)])
    place = CACHE / kind / (hashlib.sha256(key.encode()).hexdigest() + ".json")
    if place.exists():
        return json.loads(place.read_text(encoding="utf-8"))
    answer = ask()
    place.parent.mkdir(parents=True, exist_ok=True)
    # Written beside and moved, so that no other run reads half of it.
    part = place.with_suffix(f".{os.getpid()}.{threading.get_ident()}")
    put(part, json.dumps(answer)).replace(place)
    return answer


class Verifier:
    """SPIN's verifier of 'folder/model', compiled for each kind of question."""

    def __init__(self, folder, model, *flags):
        self.folder, self.made = folder, {}
        done = run(*flags, "-a", model, program="spin", cwd=folder)
        self.refused = done.stdout + done.stderr if done.returncode else ""

    def program(self, *flags):
        """The verifier compiled with flags; None: it cannot be."""
        if self.refused:
            return None
        if flags not in self.made:
            name = f"pan{len(self.made)}"
            compiler, *quick = load("tools/spin-oracle").compiler("-O0")
            done = run(*quick, *flags, "-o", name, "pan.c",
                       program=compiler, cwd=self.folder)
            self.refused = done.stderr if done.returncode else ""
            self.made[flags] = None if self.refused else f"./{name}"
        return self.made[flags]

    def run(self, *arguments, flags=(), work=WORK):
        """What the verifier prints within so many seconds of processor time;
        None when there is none."""
        program = self.program(*flags)
        if not program:
            return None
        done = run(f"--cpu={work_allowed(work)}", program, *arguments,
                   program="prlimit", cwd=self.folder)
        return done.stdout + done.stderr


def spin_figures(output):
    """Errors, states and transitions, as far as a verifier tells them."""
    patterns = {"errors": r"errors: (\d+)", "states": r"(\d+) states, stored",
                "transitions": r"(\d+) transitions"}
    found = {name: re.search(pattern, output)
             for name, pattern in patterns.items()}
    return {name: int(match[1]) for name, match in found.items() if match}


@functools.cache
def load(path):
    """A script of the project as a module; its name has no suffix."""
    path = ROOT / path
    loader = importlib.machinery.SourceFileLoader(
        path.name.replace("-", "_"), str(path))
    spec = importlib.util.spec_from_loader(loader.name, loader)
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module


def spin_row(model, mode="safety-raw"):
    """What tools/spin-oracle says about a model: verdict, states, transitions,
    depth, errors; remembered."""
    need_spin()
    text = model.read_text(encoding="utf-8")
    included = [(model.parent / name).read_text(encoding="utf-8") for name in
                re.findall(r'^#\s*include\s*"([^"]+)"', text, re.M)]
    oracle = ROOT / "tools" / "spin-oracle"
    question = [oracle.read_text(encoding="utf-8"), mode,
                without_expectations(text), *included]
    return remembered("spin", question, lambda: load(
        "tools/spin-oracle").ask(str(model), mode, TIMEOUT, "-O0"))


def spin_counts(model):
    """States and transitions by SPIN, or the row that has none."""
    row = spin_row(model)
    return [int(row[1]), int(row[2])] if row[1].isdigit() else row
