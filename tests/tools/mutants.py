"""Programs with a fault put into them, which the certifier must find out.

A mutant is the program with some sources changed: these alone are compiled
again, as the build compiled them, and linked before the library.
"""

import functools
import json
import shlex
import subprocess

import kit

INTERPRETER = "src/program/interp/interp.c"
LOOP = ("src/search/walk/loop.inc", "src/search/walk/loop_collapse_tree.c")

# By name: what is compiled again, and which words become which in which file.
MUTANTS = {
    "a state that is never expanded": [
        (*LOOP, "  fresh_state fresh = {number, index, hand};\n",
         "  if (number % 5 == 3)\n    return;\n"
         "  fresh_state fresh = {number, index, hand};\n")],
    "a state taken for another": [
        (*LOOP, "STORE(insert_many)(s, probes, count, &done);\n",
         "STORE(insert_many)(s, probes, count, &done);\n"
         "  if (done > 1)\n    fresh &= fresh - 1;\n")],
    "a successor that is passed over": [
        (INTERPRETER, INTERPRETER, "  note_stuck(m);\n  seen_destroy",
         "  note_stuck(m);\n  if (b->list.len > 1)\n    b->list.len--;\n"
         "  seen_destroy")],
    "the steps of one process": [
        (INTERPRETER, INTERPRETER, "  note_stuck(m);\n  seen_destroy",
         "  note_stuck(m);\n  while (b->list.len > 1 &&\n"
         "         b->list.data[b->list.len - 1].process !=\n"
         "             b->list.data[0].process)\n    b->list.len--;\n"
         "  seen_destroy")],
    "a deadlock that is none": [
        (INTERPRETER, INTERPRETER, "b->invalid_end = ends_badly(m);",
         "b->invalid_end = ends_badly(m) && false;")],
    "an assertion that is not looked at": [
        ("src/program/interp/execute.c", "src/program/interp/execute.c",
         "    if (!eval(m, f->value))\n      raise_fault(m, FAULT_ASSERT",
         "    if (!eval(m, f->value) && !f->source)\n"
         "      raise_fault(m, FAULT_ASSERT")],
    "a loop that is not seen": [
        ("src/search/liveness/by_handle_nested.c",
         "src/search/liveness/by_handle_nested.c",
         "    if (top->accepting || w->frames.data[back].accepting) {",
         "    if (top->accepting && !l) {"),
        ("src/search/liveness/by_handle_nested.c",
         "src/search/liveness/by_handle_nested.c",
         "    if (back != SIZE_MAX) {\n      by_handle_found",
         "    if (back != SIZE_MAX && !l) {\n      by_handle_found"),
        ("src/certificate/run_ranks.c", "src/certificate/run_ranks.c",
         "  return UINT32_MAX;\n}\n\n/* The component of the top",
         "  return 0;\n}\n\n/* The component of the top")],
}


@functools.cache
def commands():
    """How the build compiles each source of the library."""
    build = kit.NUTSHELL.parent
    listed = json.loads((build / "compile_commands.json").read_text())
    return {str((build / entry["file"]).resolve()): shlex.split(entry["command"])
            for entry in listed if ".so" not in entry["output"]}


def link_words():
    done = subprocess.run(["ninja", "-t", "commands", "nutshell"],
                          cwd=kit.NUTSHELL.parent, capture_output=True,
                          text=True, check=True)
    return shlex.split(done.stdout.splitlines()[-1])


def compiled(source, folder):
    """The object of a source, where files below 'folder' come first."""
    words = list(commands()[str((kit.ROOT / source).resolve())])
    target = folder / (source.replace("/", "_") + ".o")
    words[words.index("-o") + 1] = str(target)
    for flag in ("-MD", "-MQ", "-MF"):
        at = words.index(flag)
        del words[at:at + (1 if flag == "-MD" else 2)]
    changed = folder / source
    words[-1] = str(changed if changed.exists() else kit.ROOT / source)
    # The compiler may stand behind a cache of its results.
    first = next(i for i, word in enumerate(words) if word.startswith("-"))
    words[first:first] = ["-I", str(folder / "src")]
    subprocess.run(words, cwd=kit.NUTSHELL.parent, check=True,
                   capture_output=True)
    return str(target)


def make(name):
    """The path of a mutant."""
    folder = kit.scratch()
    sources = {}
    for path, source, before, after in MUTANTS[name]:
        place = folder / path
        text = (place if place.exists() else kit.ROOT / path).read_text()
        kit.expect(text.count(before) == 1,
                   f"{path} has '{before}' {text.count(before)} times")
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text.replace(before, after))
        sources[source] = None
    objects = [compiled(source, folder) for source in sources]
    words = link_words()
    words[words.index("-o") + 1] = str(folder / "nutshell")
    at = words.index("libnutshell.a")
    words[at:at] = objects
    subprocess.run(words, cwd=kit.NUTSHELL.parent, check=True,
                   capture_output=True)
    return folder / "nutshell"
