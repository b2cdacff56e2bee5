"""What suites of several ranks share: models, and reports that are compared with
those of one process."""

import json
import os
import shutil
import subprocess

import kit

END = 300  # seconds; nothing here takes long
EARLY = {"NUT_RANKS_AFTER": "1"}
# Differ from run to run; the rest of a report must not.
COST = {"seconds", "memory_bytes", "search_bytes", "threads", "threads_off", "ranks",
        "engine", "bytes", "bytes_per_state"}
# Searches for infinite runs are divided earlier by ranks: up to there, others count.
PAUSED = {"depth", "shallow_states"}

GRID = """
byte a, b, c, d, children;
proctype child(byte n) { d = d + n; assert(a + b + c != 29); d = d - n }
active proctype first() { do :: a < 14 -> a++ :: a == 14 -> break od }
active proctype second() { do :: b < 14 -> b++ :: b == 14 -> break od }
active proctype third() {
  do
  :: c < 14 -> c++
  :: children < 2 -> children++; run child(children)
  :: c == 14 && d == 0 -> assert(a != 7); c = 0; break
  od
}
"""
SMALL_GRID = GRID.replace("14", "5").replace("29", "9").replace("a != 7", "a != 3")
MIDDLE_GRID = GRID.replace("14", "7").replace("29", "13").replace("a != 7", "a != 4")
LEADS = """
byte a, b, c;
ltl often { []<> (a == 1) }
ltl late { <>[] (b != 2) }
ltl leads { [] (a == 3 -> <> (a == 0)) }
active proctype first() { do :: a < 5 -> a++ :: a == 5 -> a = 0 od }
active proctype second() { do :: b < 5 -> b++ :: b == 5 -> b = 0 od }
active proctype third() { do :: c < 9 -> c++ :: c == 9 -> c = 0 od }
"""
# Acceptance holds: the label is passed once.
LABELS = """
byte a, b, c;
active proctype first() { do :: a < 5 -> a++ :: a == 5 -> progress_first: a = 0 od }
active proctype second() { do :: b < 5 -> b++ :: b == 5 -> b = 0 od }
active proctype third() {
  do :: c < 9 -> c++ :: c == 9 -> break od;
accept_third:
  c = 10
}
never {
  do :: true :: a == 3 && b == 3 -> break od;
accept:
  do :: b != 0 od
}
"""
# Processes have the same place and type in all states, and other values in each.
VALUES = """
byte a[16];
proctype left(byte n) { a[n] = 1; a[n] = 2; a[n] = 3; a[n] = 0 }
proctype right(byte n) { a[n] = 1; a[n] = 2; a[n] = 3; a[n] = 0 }
init {
  byte k;
  do
  :: k < 15 -> k++
  :: atomic { run left(k); run right((k + 1) % 16); break }
  od
}
"""


def bare(value, besides=()):
    """A report without what a run may cost."""
    if isinstance(value, dict):
        return {k: bare(v, besides) for k, v in value.items()
                if k not in COST and k not in besides}
    return [bare(v, besides) for v in value] if isinstance(value, list) else value


def told(output, besides=()):
    try:
        return bare(json.loads(output), besides)
    except ValueError:
        return output


def words_of(command, model, threads=1):
    return [str(kit.NUTSHELL), *command, str(model), "--json", "--inline-traces",
            "--engine", "interpreted", "--threads", str(threads)]


def difference(one, found, besides=()):
    one, found = bare(one, besides), bare(found, besides)
    if one == found:
        return None
    if not isinstance(one, dict) or not isinstance(found, dict):
        return f"one process: {one}\nranks: {found}"
    return "\n".join(f"{k}: {one.get(k)!r:.200} by one process, {found.get(k)!r:.200}"
                     for k in sorted(one.keys() | found.keys())
                     if one.get(k) != found.get(k))


def alone(command, model):
    done = subprocess.run(words_of(command, model), text=True, capture_output=True,
                          timeout=END)
    return done.returncode, told(done.stdout)


def random_model(seed):
    text = subprocess.run([kit.ROOT / "tests" / "tools" / "random-promela", str(seed)],
                          text=True, capture_output=True, check=True).stdout
    return kit.put(kit.scratch() / f"random{seed}.pml", text)


def launcher(library, count):
    """The words that start so many ranks; they may be more than cores, and root."""
    program = shutil.which(f"mpirun.{library}")
    module = kit.NUTSHELL.parent / f"nutshell-{library}.so"
    if not program or not module.exists():
        raise kit.Skipped(f"{library} is not installed")
    more = ["--oversubscribe"] if library == "openmpi" else []
    return [program, *more, "-n", str(count)]


def mpi_environment(**changes):
    return {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1",
            "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_btl_vader_single_copy_mechanism":
            "none", **EARLY, **changes}
