"""Nutshell, a model checker, as a package.

    import nutshell

    with nutshell.load("peterson.pml", defines=["N=3"]) as model:
        result = model.check(fair="weak")
        if result.verdict == "violated":
            for step in result.violated[0].trace.steps:
                print(step.process_type, step.line, step.text)

    state = model.initial
    for move in state.moves:
        print(move.text, "->", move.target)

All texts and lists are copies: they outlive the model.  States and moves ask the
model, and are of use as long as it is open.  In notebooks traces show themselves
as message sequence charts and graphs as pictures.
"""

import json
import shutil
import subprocess
from dataclasses import dataclass, field
from typing import Any, Dict, Iterable, List, Optional, Sequence, Union

from ._interface import WORDS, ffi, library

__all__ = ["Blocked", "Change", "Diagnostic", "Figures", "Graph", "Model",
           "Move", "NutshellError", "Process", "Property", "Question", "Result",
           "State", "Step", "Trace", "load", "loads", "version"]

VERDICTS = {0: "holds", 1: "violated", 2: "error", 3: "unknown"}
SEVERITIES = ("error", "warning", "note")


def version() -> str:
    """Of the library."""
    return str(_text(library.nut_version()))


def _text(pointer: Any) -> Any:
    """A text of the library, or None."""
    if pointer == ffi.NULL:
        return None
    return ffi.string(pointer).decode("utf-8", "replace")


# ---- what is told --------------------------------------------------------------

@dataclass(frozen=True)
class Diagnostic:
    """What is wrong with a model, and where; lines and columns from 1, columns in
    bytes, 0: not known."""
    severity: str
    message: str
    file: Optional[str]
    line: int
    column: int
    end_line: int
    end_column: int


class NutshellError(Exception):
    """A model that cannot be read, or a question that makes no sense."""

    def __init__(self, message: str,
                 diagnostics: Sequence[Diagnostic] = ()) -> None:
        super().__init__(message)
        self.diagnostics = list(diagnostics)


@dataclass(frozen=True)
class Change:
    """Something that a step changed; 'before' is "" for a process that starts,
    'after' for one that ends."""
    name: str
    before: str
    after: str


@dataclass(frozen=True)
class Step:
    process: int
    process_type: str
    file: Optional[str]
    line: int
    column: int
    text: str
    output: Optional[str]
    changes: List[Change]
    inner: bool
    shown: bool


@dataclass(frozen=True)
class Trace:
    """A run.  'loop' is the index of the first step of its loop; None: it has
    none."""
    steps: List[Step]
    loop: Optional[int]
    ending: str
    document: Dict[str, Any] = field(repr=False)
    svg: str = field(repr=False)
    trail: Optional[str] = field(repr=False)

    def _repr_svg_(self) -> str:
        return self.svg


@dataclass(frozen=True)
class Property:
    name: str
    kind: str
    formula: Optional[str]
    verdict: str
    reason: Optional[str]
    errors: int
    value: Optional[int]
    trace: Optional[Trace] = field(repr=False)


@dataclass(frozen=True)
class Figures:
    """States, transitions and deadlocks are exact, however many there are."""
    states: int
    transitions: int
    deadlocks: int
    depth: int
    errors: int
    state_bytes: int
    store_bytes: int
    memory_bytes: int
    seconds: float
    store: str
    exact: bool


@dataclass(frozen=True)
class Result:
    verdict: str
    complete: bool
    reason: Optional[str]
    figures: Figures
    properties: List[Property]
    text: str = field(repr=False)
    document: Dict[str, Any] = field(repr=False)

    @property
    def violated(self) -> List[Property]:
        return [one for one in self.properties if one.verdict == "violated"]

    def __getitem__(self, name: str) -> Property:
        for one in self.properties:
            if one.name == name:
                return one
        raise KeyError(name)


@dataclass(frozen=True)
class Question:
    """A property that a check of the model decides."""
    name: str
    kind: str
    formula: Optional[str]
    infinite: bool


@dataclass(frozen=True)
class Process:
    number: int
    type: str
    location: int
    label: Optional[str]
    at_end: bool
    line: int


@dataclass(frozen=True)
class Move:
    """A step that can be made; 'target' is None when it fails."""
    process: int
    process_type: str
    line: int
    text: str
    fault: Optional[str]
    target: Optional["State"] = field(repr=False)


@dataclass(frozen=True)
class Blocked:
    """A statement that cannot be executed, and why."""
    process: int
    process_type: str
    line: int
    text: str
    why: str
    cause: str
    because: str


@dataclass(frozen=True)
class Graph:
    """A drawing in DOT; as a picture where Graphviz is installed."""
    dot: str

    def _repr_svg_(self) -> Optional[str]:
        program = shutil.which("dot")
        if not program:
            return None
        done = subprocess.run([program, "-Tsvg"], input=self.dot, text=True,
                              capture_output=True, check=True)
        return done.stdout


class State:
    """A state of a model that is open: the same state is the same object's
    equal."""

    def __init__(self, model: "Model", number: int) -> None:
        self._model = model
        self.number = number

    def __eq__(self, other: object) -> bool:
        return (isinstance(other, State) and other._model is self._model and
                other.number == self.number)

    def __hash__(self) -> int:
        return hash((id(self._model), self.number))

    def __repr__(self) -> str:
        return f"<State {self.number}: {self.values}>"

    @property
    def values(self) -> Dict[str, str]:
        """By name: "x", "a[2].f", "P(1):x", "q"."""
        return {_text(one.name): _text(one.text)
                for one in self._model._list("nut_values", self.number)}

    @property
    def processes(self) -> List[Process]:
        return [Process(one.number, _text(one.type), one.location,
                        _text(one.label), one.end, one.at.line)
                for one in self._model._list("nut_processes", self.number)]

    @property
    def moves(self) -> List[Move]:
        """What can happen, and where it leads."""
        return [Move(one.process, _text(one.process_type), one.at.line,
                     _text(one.text), _text(one.fault),
                     State(self._model, one.target) if one.target else None)
                for one in self._model._list("nut_moves", self.number)]

    @property
    def blocked(self) -> List[Blocked]:
        """What cannot happen, and why."""
        return [Blocked(one.process, _text(one.process_type), one.at.line,
                        _text(one.text), _text(one.word), _text(one.cause),
                        _text(one.because))
                for one in self._model._list("nut_not_enabled", self.number)]

    def evaluate(self, expression: str) -> int:
        """The value of an expression over the global names."""
        value = ffi.new("int32_t *")
        if not library.nut_evaluate(self._model._handle(), self.number,
                                    expression.encode(), value):
            raise NutshellError(self._model._problem())
        return int(value[0])


# ---- models --------------------------------------------------------------------

def _words(words: Iterable[str], keep: List[Any]) -> Any:
    """An array of texts, which 'keep' keeps alive."""
    texts = [ffi.new("char[]", word.encode()) for word in words]
    array = ffi.new("char *[]", texts) if texts else ffi.NULL
    keep += [texts, array]
    return array


def _loading(defines: Iterable[str], include: Iterable[str],
             language: Optional[str], allow_c: bool, seconds: float,
             memory: int, keep: List[Any]) -> Any:
    loading = ffi.new("nut_load *", library.nut_load_defaults())
    words = [f"-D{one}" for one in defines] + [f"-I{one}" for one in include]
    loading.preprocessor = _words(words, keep)
    loading.preprocessor_count = len(words)
    if language is not None:
        keep.append(ffi.new("char[]", language.encode()))
        loading.language = keep[-1]
    loading.allow_c = allow_c
    loading.seconds = seconds
    loading.memory_bytes = memory
    return loading


def load(path: Union[str, "Any"], *, defines: Iterable[str] = (),
         include: Iterable[str] = (), language: Optional[str] = None,
         allow_c: bool = False, seconds: float = 0,
         memory: int = 0) -> "Model":
    """Opens a model; the language is that of the file's ending unless it is
    given.  'seconds' and 'memory' (bytes) are limits, 0: none."""
    keep: List[Any] = []
    loading = _loading(defines, include, language, allow_c, seconds, memory,
                       keep)
    return Model(library.nut_open_file(str(path).encode(), loading))


def loads(text: str, name: str = "model.pml", *, defines: Iterable[str] = (),
          include: Iterable[str] = (), language: Optional[str] = None,
          allow_c: bool = False, seconds: float = 0,
          memory: int = 0) -> "Model":
    """The same for a text; 'name' is what messages call it."""
    keep: List[Any] = []
    loading = _loading(defines, include, language, allow_c, seconds, memory,
                       keep)
    bytes_ = text.encode()
    return Model(library.nut_open_text(name.encode(), bytes_, len(bytes_),
                                       loading))


class Model:
    """A model that is open; 'close' or the end of a 'with' gives it back."""

    def __init__(self, workspace: Any) -> None:
        if workspace == ffi.NULL:
            raise MemoryError("no memory for a model")
        self._workspace = workspace
        model = library.nut_workspace_model(workspace)
        if not library.nut_model_good(model):
            error = NutshellError(_text(library.nut_model_messages(model)),
                                  self.diagnostics)
            self.close()
            raise error

    def __enter__(self) -> "Model":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __del__(self) -> None:
        self.close()

    def close(self) -> None:
        workspace = getattr(self, "_workspace", None)
        self._workspace = None
        if workspace is not None:
            library.nut_close(workspace)

    def _handle(self) -> Any:
        if self._workspace is None:
            raise ValueError("the model is closed")
        return self._workspace

    def _problem(self) -> str:
        return str(_text(library.nut_problem(self._handle())))

    def _list(self, function: str, *arguments: Any) -> List[Any]:
        """Elements of a list of the library, to be read at once."""
        count = ffi.new("size_t *")
        array = getattr(library, function)(self._handle(), *arguments, count)
        if array == ffi.NULL and self._problem():
            raise NutshellError(self._problem())
        return [array[i] for i in range(count[0])]

    @property
    def language(self) -> str:
        model = library.nut_workspace_model(self._handle())
        return str(_text(library.nut_model_language(model)))

    @property
    def diagnostics(self) -> List[Diagnostic]:
        return [Diagnostic(SEVERITIES[one.severity], _text(one.message),
                           _text(one.at.file), one.at.line, one.at.column,
                           one.at.end_line, one.at.end_column)
                for one in self._list("nut_diagnostics")]

    @property
    def questions(self) -> List[Question]:
        return [Question(_text(one.name), _text(one.kind), _text(one.formula),
                         one.infinite)
                for one in self._list("nut_questions")]

    @property
    def initial(self) -> State:
        number = library.nut_initial(self._handle())
        if not number:
            raise NutshellError(self._problem())
        return State(self, number)

    def check(self, **options: Any) -> Result:
        """Checks the model.  Options are the fields of 'nut_options', with the
        words of the command line where there are some: search="bfs",
        fair="weak", ltl=["[]<> ready"], properties=["assertions"],
        seconds=10."""
        return self._search(library.nut_check, options)

    def count(self, **options: Any) -> Result:
        """Walks all reachable states, past all errors."""
        return self._search(library.nut_count, options)

    def _search(self, function: Any, options: Dict[str, Any]) -> Result:
        keep: List[Any] = []
        asked = _options(options, keep)
        model = library.nut_workspace_model(self._handle())
        result = function(model, asked)
        if result == ffi.NULL:
            raise MemoryError("no memory for a result")
        try:
            if library.nut_result_verdict(result) == library.NUT_ERROR:
                raise NutshellError(_text(library.nut_result_messages(result)))
            return _result(result)
        finally:
            library.nut_result_free(result)

    def draw(self, what: str = "processes") -> Graph:
        """The automata of the processes, or all states of a small model."""
        kinds = {"processes": library.NUT_DRAW_PROCESSES,
                 "states": library.NUT_DRAW_STATES}
        return Graph(self._written(library.nut_draw, kinds[what], ffi.NULL))

    def convert(self, language: str) -> str:
        """The model in another language: "promela", "dve", "pnml"."""
        formats = {"promela": library.NUT_PROMELA, "dve": library.NUT_DVE,
                   "pnml": library.NUT_PNML}
        return self._written(library.nut_convert, formats[language])

    def _written(self, function: Any, *arguments: Any) -> str:
        parts: List[bytes] = []

        @ffi.callback("nut_sink")  # type: ignore[misc]
        def sink(_: Any, bytes_: Any, length: int) -> None:
            parts.append(ffi.buffer(bytes_, length)[:])

        if not function(self._handle(), *arguments, sink, ffi.NULL):
            raise NutshellError(self._problem())
        return b"".join(parts).decode("utf-8", "replace")


# ---- options and results -------------------------------------------------------

def _choice(kind: Any, value: Any) -> Any:
    """A word of the command line as its number."""
    words = WORDS[kind.cname.replace("enum ", "")]
    if value not in words:
        raise NutshellError(f"'{value}' is none of {', '.join(words)}")
    return words.index(value)


def _is_for_users(kind: Any) -> bool:
    """Numbers, choices and texts; no functions, and no memory of others."""
    if kind.kind == "pointer":
        return kind.cname in ("char *", "char * *")
    return kind.kind in ("enum", "primitive")


def _options(options: Dict[str, Any], keep: List[Any]) -> Any:
    asked = ffi.new("nut_options *", library.nut_default_options())
    fields = dict(ffi.typeof("nut_options").fields)
    for name, value in options.items():
        if name not in fields or not _is_for_users(fields[name].type):
            raise NutshellError(f"there is no option '{name}'")
        kind = fields[name].type
        singular = {"properties": "property", "invariants": "invariant"}
        count = singular.get(name, name) + "_count"
        if kind.kind == "enum":
            setattr(asked, name, _choice(kind, value))
        elif count in fields:
            setattr(asked, name, _words(value, keep))
            setattr(asked, count, len(value))
        elif kind.kind == "pointer":
            keep.append(ffi.new("char[]", value.encode()))
            setattr(asked, name, keep[-1])
        else:
            setattr(asked, name, value)
    return asked


def _owned(pointer: Any) -> Optional[str]:
    """A text that was written for us."""
    if pointer == ffi.NULL:
        return None
    try:
        return str(_text(pointer))
    finally:
        library.nut_text_free(pointer)


def _step(trace: Any, index: int) -> Step:
    one = library.nut_trace_step(trace, index)
    changes = []
    for i in range(one.change_count):
        change = library.nut_trace_change(trace, index, i)
        changes.append(Change(_text(change.name), _text(change.before),
                              _text(change.after)))
    return Step(one.process, _text(one.process_type), _text(one.file), one.line,
                one.column, _text(one.text), _text(one.output), changes,
                one.inner, one.shown)


def _trace(trace: Any) -> Optional[Trace]:
    if trace == ffi.NULL:
        return None
    steps = [_step(trace, i) for i in range(library.nut_trace_length(trace))]
    loop = library.nut_trace_loop(trace)
    document = _owned(library.nut_trace_write(trace, library.NUT_JSON))
    svg = _owned(library.nut_trace_write(trace, library.NUT_SVG))
    trail = _owned(library.nut_trace_write(trace, library.NUT_TRAIL))
    return Trace(steps, None if loop < 0 else loop,
                 _text(library.nut_trace_ending(trace)),
                 json.loads(document or "{}"), svg or "", trail)


def _property(result: Any, index: int) -> Property:
    one = library.nut_result_property(result, index)
    return Property(_text(one.name), _text(one.kind), _text(one.formula),
                    VERDICTS[one.verdict], _text(one.reason), one.errors,
                    one.value if one.has_value else None, _trace(one.trace))


def _figures(result: Any) -> Figures:
    one = library.nut_result_figures(result)

    def whole(number: int, exact: Any) -> int:
        return int(_text(exact) or number)

    return Figures(whole(one.states, one.exact_states),
                   whole(one.transitions, one.exact_transitions),
                   whole(one.deadlocks, one.exact_deadlocks), one.depth,
                   one.errors, one.state_bytes, one.store_bytes,
                   one.memory_bytes, one.seconds, _text(one.store), one.exact)


def _result(result: Any) -> Result:
    count = library.nut_result_property_count(result)
    document = _owned(library.nut_result_write(result, library.NUT_JSON))
    return Result(VERDICTS[library.nut_result_verdict(result)],
                  bool(library.nut_result_complete(result)),
                  _text(library.nut_result_reason(result)), _figures(result),
                  [_property(result, i) for i in range(count)],
                  _owned(library.nut_result_write(result, library.NUT_TEXT))
                  or "", json.loads(document or "{}"))
