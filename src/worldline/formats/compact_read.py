"""This file is the reader of the format `compact`: text to steps, row by row, as far as it can be read."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from worldline.formats import Cut, Decoded, Malformed, Span
from worldline.formats.compact_frames import Frame, Frames, Shared
from worldline.formats.compact_text import (
    STRING,
    UnreadableError,
    items,
    read_name,
    unquoted,
    without_spaces,
    written,
)
from worldline.formats.compact_text import loose as with_spaces
from worldline.formats.compact_values import read_exception, read_value
from worldline.formats.edits import apply
from worldline.trace.model import Event, Program, Step

_HEAD = re.compile(r"(-?[0-9]{1,20}+)?+([(=!]?)")
_OUTPUT = re.compile(f">({STRING})")
_OPEN_ROW = re.compile(f"-?[0-9]{{1,20}}+(?:>{STRING})? ")
_BEGINNING = re.compile(
    r"""-?[0-9]{0,20}+ (?:[(=!\ >].*)?  |  [=!@'"&].*  |  del\ .*
        |  (?: [A-Za-z_][A-Za-z0-9_]*+ | \.[0-9]*+ ) (?:[-=+\[.].*)?""",
    re.VERBOSE,
)
_WHOLE = re.compile(r"-?[0-9]{1,20}")
_GROUP = re.compile(rf"\(((?:[^()'\"]++|{STRING})*+)\)")
_EDITS = ("+", "-", "[", ".")
_MARKS: dict[str, Event] = {"=": "return", "!": "exception"}


@dataclass(slots=True)
class _Draft:
    """What is known so far of the step that is being read."""

    number: int | None = None
    frame: Frame | None = None  # None: nothing was said of it yet
    state: dict[str, str] | None = None  # None: as before
    notes: dict[str, int] = field(default_factory=dict)  # depth and file
    function: str | None = None
    shared: Shared | None = None
    value: str | None = None
    has_value: bool = False
    output: str = ""
    is_empty: bool = True


class Reader:
    """Reads one text."""

    def __init__(self, text: str, program: Program) -> None:
        self._text = text
        self._frames = Frames(program)
        self._steps: list[Step] = []
        self._spans: list[Span] = []
        self._start = 0  # where the step that is being read begins
        self._draft = _Draft()

    def decoded(self) -> Decoded:
        """All that can be read."""
        text, at = self._text, 0
        try:
            while at < len(text):
                if self._frames.is_over and at == self._start:
                    if not text.startswith("&\n", at):
                        return self._ended(None)
                    at += 2
                    continue
                end = text.find("\n", at)
                if end < 0:
                    self._last_row(at)
                    break
                self._row(at, end)
                at = end + 1
        except UnreadableError as error:
            return self._ended(Malformed(self._start, len(self._steps), str(error)))
        is_over = self._frames.is_over and self._start == len(text)
        return self._ended(None if is_over else Cut(self._start, len(self._steps)))

    def _ended(self, problem: Malformed | Cut | None) -> Decoded:
        return Decoded(tuple(self._steps), tuple(self._spans), problem, self._text[self._start :])

    def _last_row(self, at: int) -> None:
        """A row without its end: a line step that it begins with is good if something follows its number."""
        match = _OPEN_ROW.match(self._text, at)
        if match:
            self._line(at, match.end())
        elif not _BEGINNING.fullmatch(self._text, at):
            raise UnreadableError("no row begins like this")

    def _row(self, at: int, end: int) -> None:
        match = _HEAD.match(self._text, at, end)
        assert match is not None
        number, mark = match[1], match[2]
        if mark == "(":
            self._call(number, self._text[match.end() : end])
        elif mark:
            self._result(_MARKS[mark], number, self._text[match.end() : end])
        elif number:
            self._line(at, end)
        else:
            self._change(self._text[at:end], "line")
            return
        if mark:
            self._close(end + 1)

    def _line(self, at: int, end: int) -> None:
        """The row of a line step, maybe with its output, and after a space what it changed."""
        text = self._text
        match = _WHOLE.match(text, at, end)
        assert match is not None
        after = match.end()
        if text.startswith(">", after):
            output = _OUTPUT.match(text, after, end)
            if output is None:
                raise UnreadableError("the text that is written is not quoted")
            self._draft.output = unquoted(output[1])
            after = output.end()
        if after < end and text[after] != " ":
            raise UnreadableError(f"{text[after : min(end, after + 24)]!r} follows the number of a line")
        self._take("line", int(match[0]), self._draft.value)
        self._close(after + 1)
        if after + 1 < end:
            self._change(text[after + 1 : end], "line")

    def _call(self, number: str | None, inside: str) -> None:
        if number is None:
            raise UnreadableError("a call has no line number")
        if not self._draft.is_empty:
            raise UnreadableError("changes stand before a call; its own belong behind the bracket")
        if inside:
            self._change(inside, "call")
        self._take("call", int(number), self._draft.value)

    def _result(self, event: Event, number: str | None, shown: str) -> None:
        draft, frames = self._draft, self._frames
        value, *more = items(shown)
        if more:
            output = _OUTPUT.fullmatch(more[0])
            if output is None or len(more) > 1:
                raise UnreadableError(f"{more[0][:24]!r} follows a value")
            draft.output = unquoted(output[1])
        frame = self._frame(event)
        line = frame.line if number is None else int(number)
        if line is None:
            raise UnreadableError("the first step of a frame has no line number")
        if draft.has_value:
            if value:
                raise UnreadableError("two values")
        elif event == "return":
            draft.value = read_value(value, self._state(frame), frames.returned)[0]
        elif value:
            draft.value = read_exception(value, self._state(frame))
        elif frames.raised is None:
            raise UnreadableError("nothing was raised before")
        else:
            draft.value = frames.raised
        self._take(event, line, draft.value)

    def _frame(self, event: Event) -> Frame:
        """The frame of the step that is being read."""
        draft = self._draft
        if draft.frame is None:
            if draft.number is None:
                draft.number = self._frames.expected(event)
            draft.frame = self._frames.frame(draft.number, event)
        return draft.frame

    def _state(self, frame: Frame) -> Mapping[str, str]:
        return frame.locals if self._draft.state is None else self._draft.state

    def _take(self, event: Event, line: int, value: str | None) -> None:
        frame = self._frame(event)
        draft, frames = self._draft, self._frames
        file = draft.notes.get("file", frame.file)
        function = draft.function
        if function is None:
            function = frames.function(frame, file, line) if event == "call" else frame.function
        assert draft.number is not None
        step = Step(
            event,
            line,
            self._state(frame),
            value,
            draft.notes.get("depth", frame.depth),
            function,
            draft.number,
            frames.thread,
            file,
            draft.output,
            frame.shared if draft.shared is None else draft.shared,
        )
        self._steps.append(step)
        frames.take(step, frame)

    def _close(self, end: int) -> None:
        """The step is complete; the next one begins at `end`."""
        self._spans.append((self._start, end))
        self._start = end
        self._draft = _Draft()

    def _change(self, row: str, event: Event) -> None:
        """Apply what is said of a state, and the notes that come with it."""
        self._draft.is_empty = False
        for item in items(row):
            if item.startswith("@"):
                self._note(item)
            elif item.startswith(">") and event == "call":
                self._draft.output = unquoted(item[1:])
            elif item.startswith("del "):
                self._delete(item.removeprefix("del "), event)
            else:
                self._set(item, event)

    def _note(self, item: str) -> None:
        key, _, value = item[1:].partition("=")
        draft = self._draft
        if key in ("thread", "frame", "depth", "file"):
            if not _WHOLE.fullmatch(value):
                raise UnreadableError(f"{item[:24]!r} is not a number")
            self._number(key, int(value))
        elif key == "function":
            draft.function = unquoted(value)
        elif key == "value":
            draft.value, draft.has_value = None if value == "None" else unquoted(value), True
        elif key == "shared":
            draft.shared = _groups(value)
        else:
            raise UnreadableError(f"{item[:24]!r} is not a note")

    def _number(self, key: str, value: int) -> None:
        if key in ("depth", "file"):
            self._draft.notes[key] = value
        elif self._draft.frame is not None:
            raise UnreadableError(f"@{key} stands behind changes of another frame")
        elif key == "thread":
            self._frames.thread = value
        else:
            self._draft.number = value

    def _changing(self, event: Event) -> dict[str, str]:
        """The state, as a copy that may be changed."""
        frame = self._frame(event)
        if self._draft.state is None:
            self._draft.state = dict(frame.locals)
        return self._draft.state

    def _delete(self, shown: str, event: Event) -> None:
        state = self._changing(event)
        if shown == "*":
            state.clear()
            return
        name, rest = read_name(shown)
        if rest or state.pop(name, None) is None:
            raise UnreadableError(f"{shown[:24]!r} is not a variable that can be deleted")

    def _set(self, item: str, event: Event) -> None:
        state = self._changing(event)
        name, change = read_name(item)
        frame = self._frame(event)
        if change.startswith("="):
            scope = self._frames.caller().locals if event == "call" else state
            state[name], frame.written[name] = read_value(change[1:], scope, self._frames.returned)
            return
        if not change.startswith(_EDITS):
            raise UnreadableError(f"neither a value nor an edit follows the name {name!r}")
        if name not in state:
            raise UnreadableError(f"{name!r} has no value yet that could be edited")
        before = frame.written.get(name) or written(state[name])
        if before is None:
            raise UnreadableError(f"the value of {name!r} cannot be edited")
        after = frame.written[name] = apply(before, without_spaces(change))
        state[name] = with_spaces(after)


def _groups(shown: str) -> Shared:
    groups, at = [], 0
    while at < len(shown):
        match = _GROUP.match(shown, at)
        if match is None:
            raise UnreadableError(f"{shown[at : at + 24]!r} is not a group of names")
        groups.append(_names(match[1]))
        at = match.end()
    return tuple(groups)


def _names(shown: str) -> tuple[str, ...]:
    names = []
    while shown:
        name, shown = read_name(shown)
        names.append(name)
        if shown:
            if not shown.startswith(",") or shown == ",":
                raise UnreadableError(f"{shown[:24]!r} follows a name")
            shown = shown[1:]
    return tuple(names)
