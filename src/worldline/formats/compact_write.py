"""This file is the writer of the format `compact`: steps to pieces of text, each with what it is about."""

from collections.abc import Iterable, Iterator, Mapping

from worldline.formats.compact_frames import Frame, Frames
from worldline.formats.compact_text import name_text, quoted, written
from worldline.formats.compact_values import (
    RETURNED_FROM,
    exception_value,
    plain_value,
    reference,
)
from worldline.formats.edits import edits
from worldline.trace.model import Program, Step

Piece = tuple[str, str, str]
"""Kind, text, and for the kind "value" the value text that it is about."""

Item = list[Piece]

SEPARATOR: Piece = ("syntax", ";", "")
ROW_END: Piece = ("syntax", "\n", "")
MARKS = {"return": "=", "exception": "!"}


class Writer:
    """Writes the steps of one trace, in order."""

    def __init__(self, program: Program) -> None:
        self._frames = Frames(program)
        self._is_open = False  # the row of a line step that may go on with what it changed

    def pieces(self, steps: Iterable[Step]) -> Iterator[Piece]:
        """The text of all steps."""
        for step in steps:
            yield from self._step(step)
        if self._is_open:
            yield ROW_END

    def _step(self, step: Step) -> Item:
        frames = self._frames
        pieces: Item = []
        if frames.is_over:
            pieces = [*([ROW_END] if self._is_open else []), ("syntax", "&\n", "")]
            self._is_open = False
        items: list[Item] = []
        if step.thread != frames.thread:
            items.append(_note("thread", str(step.thread)))
            frames.thread = step.thread
        if step.frame != frames.expected(step.event):
            items.append(_note("frame", str(step.frame)))
        scope = frames.caller().locals
        frame = frames.frame(step.frame, step.event)
        items += self._notes(step, frame)
        if step.locals is not frame.locals:
            items += self._changes(step, frame, scope)
        if step.shared != frame.shared:
            groups = [f"({','.join(map(name_text, group))})" for group in step.shared]
            items.append(_note("shared", "".join(groups)))
        if step.event == "call":
            pieces += self._call(step, items)
        else:
            pieces += self._before(items)
            pieces += self._line(step) if step.event == "line" else self._end(step, frame)
        self._is_open = step.event == "line"
        frames.take(step, frame)
        return pieces

    def _notes(self, step: Step, frame: Frame) -> Iterator[Item]:
        """What the steps before do not tell of this one."""
        if step.depth != frame.depth:
            yield _note("depth", str(step.depth))
        if step.file != frame.file:
            yield _note("file", str(step.file))
        is_call = step.event == "call"
        function = self._frames.function(frame, step.file, step.line) if is_call else frame.function
        if step.function != function:
            yield _note("function", quoted(step.function))
        if (step.value is None) == (step.event in MARKS):
            yield _note("value", "None" if step.value is None else quoted(step.value))

    def _changes(self, step: Step, frame: Frame, caller: Mapping[str, str]) -> Iterator[Item]:
        """What differs from the frame's last state."""
        before, after = frame.locals, step.locals
        kept = [name for name in before if name in after]
        state = dict(before)
        if kept + [name for name in after if name not in before] != list(after):
            yield [("syntax", "del *", "")]
            state = {}
        elif len(kept) < len(before):
            for name in before:
                if name not in after:
                    del state[name]
                    yield [("syntax", "del ", ""), ("name", name_text(name), "")]
        for name, text in after.items():
            if name not in state or state[name] != text:
                yield self._change(
                    name, text, frame, caller if step.event == "call" else state, name in state
                )
                state[name] = text

    def _change(self, name: str, text: str, frame: Frame, scope: Mapping[str, str], is_known: bool) -> Item:
        """The shortest way to say that `name` is now `text`."""
        shown = name_text(name)
        old = frame.written.get(name)
        tight = frame.written[name] = written(text)
        plain: Item = [("name", shown, ""), ("syntax", "=", "")]
        size = len(text) if tight is None else len(tight)
        if text == self._frames.returned and size >= RETURNED_FROM:
            return plain
        known = reference(text, tight, scope)
        if known:
            size = len(known)
        if is_known and old is not None and tight is not None:
            changes = edits(shown, old, tight)
            if changes and len(";".join(changes)) < len(shown) + 1 + size:
                return _edited(shown, changes, text)
        if known:
            return [*plain, ("name", known, "")]
        return [*plain, ("value", plain_value(text, tight, scope), text)]

    def _before(self, items: list[Item]) -> Item:
        """Changes stand behind the line that made them, or in a row of their own."""
        if not items:
            return [ROW_END] if self._is_open else []
        pieces = _joined(items)
        if self._is_open:  # the space belongs to the name: tokens begin with their space
            kind, text, about = pieces[0]
            pieces[0] = kind, f" {text}", about
        return [*pieces, ROW_END]

    def _call(self, step: Step, items: list[Item]) -> Item:
        start = [ROW_END] if self._is_open else []
        if step.output:
            items.append(_output(step))
        return [*start, ("line-number", str(step.line), ""), ("syntax", "(", ""), *_joined(items), ROW_END]

    def _line(self, step: Step) -> Item:
        head: Item = [("line-number", str(step.line), "")]
        return head + _output(step) if step.output else head

    def _end(self, step: Step, frame: Frame) -> Item:
        """A return or an exception; the line only if it is not where the frame stands."""
        pieces: Item = [] if step.line == frame.line else [("line-number", str(step.line), "")]
        pieces.append(("syntax", MARKS[step.event], ""))
        value = step.value
        last = self._frames.returned if step.event == "return" else self._frames.raised
        if value is not None and value != last:
            pieces.append(_result(step.event, value, step.locals))
        if step.output:
            pieces += [SEPARATOR, *_output(step)]
        return [*pieces, ROW_END]


def _result(event: str, value: str, scope: Mapping[str, str]) -> Piece:
    if event == "exception":
        return "value", exception_value(value, scope), value
    tight = written(value)
    known = reference(value, tight, scope)
    return ("name", known, "") if known else ("value", plain_value(value, tight, scope), value)


def _edited(shown: str, changes: list[str], text: str) -> Item:
    """Each edit with its name; what follows the name is counted as a part of the value."""
    items: list[Item] = [[("name", shown, ""), ("value", change[len(shown) :], text)] for change in changes]
    return _joined(items)


def _joined(items: list[Item]) -> Item:
    pieces: Item = []
    for number, item in enumerate(items):
        if number:
            pieces.append(SEPARATOR)
        pieces += item
    return pieces


def _note(key: str, value: str) -> Item:
    return [("syntax", f"@{key}={value}", "")]


def _output(step: Step) -> Item:
    return [("syntax", ">", ""), ("value", quoted(step.output), quoted(step.output))]
