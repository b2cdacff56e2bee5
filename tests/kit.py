"""What the suites tests/run-* share: where the program is, how it is run, and
how results are told (TAP lines, then 'N passed, N failed').

    import kit

    options = kit.options(__doc__, jobs=True)
    results = kit.Results()
    done = kit.run("check", "--json", model)
    results.add("peterson holds", done.returncode == 0, done.stderr)
    sys.exit(results.finish())
"""

import argparse
import concurrent.futures
import fnmatch
import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
NUTSHELL = pathlib.Path(
    os.environ.get("NUTSHELL", ROOT / "build" / "nutshell")).resolve()
# Kept between runs: answers of slow oracles.
CACHE = pathlib.Path(os.environ.get("NUT_CACHE", f"{ROOT}/build-cache"))
# Nobody waits longer for one run; a machine may be slow and busy.
TIMEOUT = 600


def options(description, jobs=False, arguments=None):
    """The options all suites take.  'arguments' adds those of one suite."""
    parser = argparse.ArgumentParser(
        description=description,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--all", action="store_true",
                        help="ask for all the suite has")
    parser.add_argument("patterns", nargs="*", metavar="PATTERN",
                        help="only tests whose names match")
    if jobs:
        parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    if arguments:
        arguments(parser)
    return parser.parse_args()


def selected(name, chosen):
    """Whether a test is among those asked for on the command line."""
    return not chosen.patterns or any(
        fnmatch.fnmatch(name, pattern) for pattern in chosen.patterns)


def run(*arguments, program=None, check=False, **settings):
    """Runs Nutshell (or another program) and returns what came of it."""
    command = [str(program or NUTSHELL), *map(str, arguments)]
    given = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE,
             "stderr": subprocess.PIPE, "text": True, "errors": "replace",
             "timeout": TIMEOUT, **settings}
    return subprocess.run(command, check=check, **given)


def run_json(*arguments, **settings):
    """The report of a run as a dictionary; None when it was refused."""
    done = run(*arguments, "--json", **settings)
    return json.loads(done.stdout) if done.returncode != 2 else None


def in_parallel(work, items, jobs):
    """work(item) for each item, several at a time, in the order of items."""
    with concurrent.futures.ThreadPoolExecutor(max(jobs, 1)) as pool:
        yield from pool.map(work, items)


class Results:
    """Prints a line per test and counts them."""

    def __init__(self):
        self.passed = self.failed = 0

    def add(self, name, good, details=""):
        """'details' is a text or a list of lines, shown when it failed."""
        number = self.passed + self.failed + 1
        if good:
            self.passed += 1
        else:
            self.failed += 1
        print(f"{'ok' if good else 'not ok'} {number} - {name}")
        if not good:
            lines = details.splitlines() if isinstance(details, str) else details
            for line in list(lines)[:60]:
                print(f"# {line}")
        sys.stdout.flush()
        return good

    def skip(self, name, reason):
        """A test that cannot be run here, and why: './test' repeats it."""
        print(f"# skipped {name}: {reason}", flush=True)

    def finish(self):
        """Prints the sum; the exit status of the suite."""
        print(f"{self.passed} passed, {self.failed} failed")
        return 1 if self.failed or not self.passed else 0
