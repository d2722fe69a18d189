"""This file is the choice between the C core and the pure twin, and recording inside this very process.

Use `record` (in `recording.py`) for programs: it runs them in a box. What is here is for code that is
already trusted: benchmarks, laws, and the child process inside the box.
"""

import sys
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from mmap import mmap
from types import CodeType
from typing import Any, Protocol

from worldline.errors import UserError
from worldline.record.code_facts import CodeFacts, facts_of
from worldline.record.options import Options, Scope
from worldline.record.sink import Sink
from worldline.record.twin import Recorder as Twin

NOT_RECORDED = CodeFacts(-1, "", b"", False, {})


class Recorder(Protocol):
    """What both engines do."""

    @property
    def steps(self) -> int:
        """How many steps were recorded."""

    def start(self) -> None:
        """Begin to record the calling thread and threads started later."""

    def stop(self) -> None:
        """End recording."""

    def output(self, written: str) -> None:
        """Attach what the program wrote to the running step."""

    def put(self, line: bytes) -> None:
        """Write a line that is no step."""

    def contents(self) -> bytes:
        """What was written so far."""


class Silent:
    """Records nothing: the program runs as fast as it can, and how it ends is told."""

    steps = 0

    def __init__(self, options: Options, sink: mmap | None) -> None:
        self._sink = Sink(sink, options.max_bytes)

    def start(self) -> None:
        """Nothing is to be done."""

    def stop(self) -> None:
        """Nothing is to be done."""

    def output(self, written: str) -> None:
        """There is no step that it could be attached to."""

    def put(self, line: bytes) -> None:
        """Write a line that is no step."""
        self._sink.put(line, is_last=True)

    def contents(self) -> bytes:
        """What was written so far."""
        return self._sink.contents()


def core() -> Any:
    """The C core's module, or None where it was not built."""
    with suppress(ImportError):
        return import_module("worldline.record._core")
    return None


def engine_name(options: Options) -> str:
    """The engine that `options` lead to: "c", "python" or "none"."""
    if options.engine == "none":
        return "none"
    if options.engine == "c" and core() is None:
        raise UserError(
            "the C core of the recorder was not built for this Python",
            "install a C compiler and the Python headers, then reinstall; `worldline doctor` tells more",
        )
    return "python" if options.engine == "python" or core() is None else "c"


class FactsFinder:
    """Facts of code objects, with the numbers and texts of the user's files.

    Args:
        scope: which files are the user's.
        sources: the text of the files in `scope.names`.
        on_file: called with path and text when a further file is first stepped into.
    """

    def __init__(
        self, scope: Scope, sources: tuple[str, ...], fold: bool, on_file: Callable[[str, str], None]
    ) -> None:
        self._scope = scope
        self._fold = fold
        self._on_file = on_file
        self._files = {name: number for number, name in enumerate(scope.names)}
        self._sources = dict(zip(scope.names, sources, strict=True))

    def __call__(self, code: CodeType) -> CodeFacts:
        """The facts of one code object."""
        name = code.co_filename
        if name not in self._files:
            if not self._scope.is_user(name):
                return NOT_RECORDED
            self._add(name)
        return facts_of(code, self._files[name], self._sources[name], self._fold)

    def _add(self, name: str) -> None:
        try:
            with open(name, encoding="utf-8") as file:
                source = file.read()
        except (OSError, UnicodeDecodeError):
            source = ""
        self._files[name] = len(self._files)
        self._sources[name] = source
        self._on_file(name, source)


def recorder(
    options: Options,
    facts: Callable[[CodeType], CodeFacts],
    sink: mmap | None,
    on_limit: Callable[[str], None],
) -> Recorder:
    """A recorder of the engine that the options ask for."""
    name = engine_name(options)
    if name == "none":
        return Silent(options, sink)
    if name == "python":
        return Twin(options, facts, sink, on_limit)
    made: Recorder = core().Recorder(options, facts, sink, on_limit)
    return made


def record_function(
    function: Callable[..., object], *args: object, source: str, options: Options | None = None
) -> bytes:
    """Record one call in this process and give the lines of its steps; for trusted code only."""
    options = options or Options(max_value=None)
    scope = Scope((function.__code__.co_filename,))
    finder = FactsFinder(scope, (source,), options.fold, lambda path, text: None)
    made = recorder(options, finder, None, lambda kind: None)
    made.start()
    try:
        function(*args)
    finally:
        made.stop()
    return made.contents()


def python_version() -> str:
    """The version that traces name as theirs."""
    return ".".join(map(str, sys.version_info[:3]))
