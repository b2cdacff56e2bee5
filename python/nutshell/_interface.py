"""The library as cffi sees it, in ABI mode: no compiler is needed.

The header is the one list of what there is.  What a C preprocessor would do with
it is little: comments and includes go, and the choices of options,

    #define NUT_SEARCHES(CHOICE) CHOICE(NUT_DFS, "dfs") CHOICE(NUT_BFS, "bfs")
    typedef enum nut_search { NUT_SEARCHES(NUT_CHOICE_) } nut_search;

are put into their enums.
"""

import os
import pathlib
import re
from typing import Any, Dict, List

import cffi

HERE = pathlib.Path(__file__).resolve().parent
CHOICE = re.compile(r'CHOICE\(\s*(\w+)\s*,\s*"([^"]*)"\s*\)')


def find_header() -> pathlib.Path:
    """Beside this file where the package is installed; in the sources."""
    for place in (HERE / "nutshell.h",
                  HERE.parent.parent / "include" / "nutshell.h"):
        if place.exists():
            return place
    raise ImportError("nutshell.h is neither beside the package nor in include")


def expand(header: str, words: Dict[str, List[str]]) -> str:
    """The declarations of the header; fills in the words of each enum."""
    text = re.sub(r"/\*.*?\*/", " ", header, flags=re.S)
    text = text.replace("\\\n", " ")
    text = re.sub(r"#ifdef __cplusplus.*?#endif", "", text, flags=re.S)
    choices = {match[1]: CHOICE.findall(match[2]) for match in
               re.finditer(r"#define (\w+)\(CHOICE\)(.*)", text)}

    def enum(match: "re.Match[str]") -> str:
        words[match[1]] = [word for _, word in choices[match[2]]]
        names = ", ".join(name for name, _ in choices[match[2]])
        return f"typedef enum {match[1]} {{ {names} }} {match[1]};"

    text = re.sub(r"typedef enum (\w+) \{ (\w+)\(NUT_CHOICE_\) \} \w+;", enum,
                  text)
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    return "typedef int sig_atomic_t;\n" + "\n".join(lines)


def find_library(ffi: cffi.FFI) -> Any:
    """$NUTSHELL_LIBRARY, or what the system finds."""
    names = [os.environ.get("NUTSHELL_LIBRARY"), "libnutshell.so.5"]
    problems = []
    for name in filter(None, names):
        try:
            return ffi.dlopen(name)
        except OSError as error:
            problems.append(str(error))
    raise ImportError("; ".join(problems))


# For each enum of options the words of the command line, in order.
WORDS: Dict[str, List[str]] = {}
ffi = cffi.FFI()
_header = find_header().read_text(encoding="utf-8")
ffi.cdef(expand(_header, WORDS))
library = find_library(ffi)

_wanted = int(re.search(r"#define NUT_API (\d+)", _header)[1])  # type: ignore
if library.nut_api() != _wanted:
    raise ImportError(f"the library has interface {library.nut_api()}, "
                      f"the header {_wanted}")
