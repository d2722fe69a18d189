"""This file is questions about one container: an item, a key, an edit, the next item of a loop."""

from collections.abc import Callable, Sequence
from typing import Any

from worldline.models.embedded import numbers
from worldline.models.embedded.columns import aligned, comparing
from worldline.models.embedded.outcomes import Edited, Made, Outcome, Raised, Removed, Value, Values
from worldline.models.embedded.prompts import (
    Handles,
    UnclearError,
    block,
    in_order,
    number,
    pair,
    position,
    sign,
)
from worldline.models.embedded.questions import (
    ERROR,
    STOP,
    Question,
    Words,
    asked_about,
    read_truth,
    value_reader,
)
from worldline.models.embedded.vocabulary import END, FALSE, IDS, MOST, P0, TRUE, TYPES

DELETE, NOTHING, AT = (IDS[name] for name in ("delete", "none", "at"))
FROM_END = 20  # how far an index may count from the end
Container = Any  # str, list, tuple, dict, set, range


def item(words: Words, container: Container, index: int, handles: Handles) -> Question:
    """The item at an index."""
    shown = block(container, handles)
    _check(index)

    def right() -> list[int]:
        places = _places(len(container), index)
        return [*places, *([handles.atom(container[index])] if places != [ERROR] else []), END]

    return asked_about("item", [*words, *number(index)], right, value_reader(handles, 1), shown)


def _check(index: int) -> None:
    if index < -FROM_END:
        raise UnclearError("an index far from the end")


def _places(size: int, index: int) -> list[int]:
    """The place of an index; one that counts from the end is after the size."""
    if not -size <= index < size:
        return [ERROR]
    return [position(index)] if index >= 0 else [position(size), position(size + index)]


def item_at(words: Words, container: Container, key: Any, handles: Handles, missing: int = ERROR) -> Question:
    """The value at a key of a dict; `missing` is what is said of a key that is not there: ERROR, or NONE."""
    shown = block(container, handles)
    asked = handles.key(key)

    def right() -> list[int]:
        if key not in container:
            return [asked, missing, END]
        return [asked, handles.atom(container[key]), END]

    return asked_about("key", [*words, asked], right, value_reader(handles, 1), shown)


def next_item(words: Words, container: Container, cursor: int, handles: Handles) -> Question:
    """The item that a loop takes next."""
    shown = block(container, handles)

    def right() -> list[int]:
        if cursor >= len(container):
            return [STOP, END]
        is_keyed = isinstance(container, dict | set | frozenset)
        found = in_order(container)[cursor] if is_keyed else container[cursor]
        return [position(cursor), handles.key(found) if is_keyed else handles.atom(found), END]

    return asked_about("next", [*words, AT, position(cursor)], right, value_reader(handles, 1), shown)


def next_number(words: Words, upcoming: int, walked: range) -> Question:
    """Whether a walk through a range has a further number: the one that would come, and where it ends."""
    is_up = walked.step > 0
    truth = upcoming < walked.stop if is_up else upcoming > walked.stop
    shown = [*words, *pair(upcoming, walked.stop), sign(walked.step)]

    def right() -> list[int]:
        return [*comparing(aligned(upcoming, walked.stop)), TRUE if truth else FALSE, END]

    return asked_about("next number", shown, right, read_truth)


def contains(words: Words, container: Container, key: Any, is_negated: bool, handles: Handles) -> Question:
    """Whether a key is there."""
    shown = block(container, handles)
    asked = handles.key(key)

    def right() -> list[int]:
        return [asked, TRUE if (key in container) != is_negated else FALSE, END]

    return asked_about("contains", [*words, asked], right, read_truth, shown)


def length(words: Words, container: Container, handles: Handles) -> Question:
    """How many items there are."""
    shown = block(container, handles, "tail")

    def read(told: Sequence[int]) -> Outcome:
        return Value(numbers.written(told))

    return asked_about("len", words, lambda: [*numbers.plain_number(len(container)), END], read, shown)


def appended(words: Words, container: Container, value: Any, handles: Handles) -> Question:
    """One more item at the end."""
    shown = block(container, handles, "tail")
    told = handles.atom(value)
    return asked_about(
        "append", [*words, told], lambda: [position(len(container)), told, END], _edit(handles), shown
    )


def _edit(handles: Handles) -> Callable[[Sequence[int]], Outcome]:
    """Reads a position, perhaps a key, and a value."""

    def read(told: Sequence[int]) -> Outcome:
        if list(told) == [ERROR]:
            return Raised()
        if len(told) not in (2, 3) or not P0 <= told[0] < P0 + MOST:
            raise UnclearError("no edit")
        key = handles.value(told[1]) if len(told) == 3 else None
        return Edited(told[0] - P0, handles.value(told[-1]), key)

    return read


def item_set(words: Words, container: list[Any], index: int, value: Any, handles: Handles) -> Question:
    """Another item at an index."""
    shown = block(container, handles)
    told = handles.atom(value)
    _check(index)

    def right() -> list[int]:
        places = _places(len(container), index)
        return [*places, *([told] if places != [ERROR] else []), END]

    def read(answer: Sequence[int]) -> Outcome:
        return _edit(handles)(answer[1:] if len(answer) == 3 else answer)

    return asked_about("set item", [*words, *number(index), told], right, read, shown)


def key_set(words: Words, container: dict[Any, Any], key: Any, value: Any, handles: Handles) -> Question:
    """Another value at a key, or one more key."""
    shown = block(container, handles)
    name, told = handles.key(key), handles.atom(value)

    def right() -> list[int]:
        return [name, TRUE if key in container else FALSE, told, END]

    def read(answer: Sequence[int]) -> Outcome:
        if len(answer) != 3 or answer[1] not in (TRUE, FALSE):
            raise UnclearError("no edit")
        return _keyed(container, handles.value(answer[0]), answer[1] == TRUE, handles.value(answer[2]))

    return asked_about("set key", [*words, name, told], right, read, shown)


def _keyed(container: Container, key: Any, is_there: bool, value: Any) -> Outcome:
    """An edit at a key that is said to be there, or to be new."""
    if is_there != (key in container):
        raise UnclearError("another key")
    return Edited(list(container).index(key) if is_there else len(container), value, key)


def key_added(words: Words, container: set[Any], key: Any, handles: Handles) -> Question:
    """A key in a set."""
    shown = block(container, handles)
    name = handles.key(key)

    def right() -> list[int]:
        return [name, TRUE if key in container else FALSE, END]

    def read(told: Sequence[int]) -> Outcome:
        if len(told) != 2 or told[1] not in (TRUE, FALSE):
            raise UnclearError("no edit")
        found = handles.value(told[0])
        return _keyed(container, found, told[1] == TRUE, found)

    return asked_about("add", [*words, name], right, read, shown)


def item_removed(words: Words, container: list[Any], index: int, handles: Handles) -> Question:
    """An item that goes."""
    shown = block(container, handles)

    _check(index)

    def right() -> list[int]:
        places = _places(len(container), index)
        return [*places, *([DELETE] if places != [ERROR] else []), END]

    def read(told: Sequence[int]) -> Outcome:
        if list(told) == [ERROR]:
            return Raised()
        if len(told) < 2 or told[-1] != DELETE or not P0 <= told[-2] < P0 + MOST:
            raise UnclearError("no edit")
        return Removed(told[-2] - P0)

    return asked_about("delete", [*words, *number(index)], right, read, shown)


def key_removed(words: Words, container: Container, key: Any, missing: int, handles: Handles) -> Question:
    """A key that goes; `missing` is what is said of one that is not there: ERROR, or NOTHING."""
    shown = block(container, handles)
    name = handles.key(key)

    def right() -> list[int]:
        return [name, DELETE if key in container else missing, END]

    def read(told: Sequence[int]) -> Outcome:
        if len(told) != 2 or told[1] not in (DELETE, ERROR, NOTHING):
            raise UnclearError("no edit")
        if told[1] == ERROR:
            return Raised()
        if told[1] == NOTHING:
            return Removed(-1)
        found = handles.value(told[0])
        if found not in container:
            raise UnclearError("another key")
        return Removed(list(container).index(found))

    return asked_about("delete", [*words, name], right, read, shown)


def popped(words: Words, container: list[Any], handles: Handles) -> Question:
    """The last item, which goes."""
    shown = block(container, handles, "tail")

    def right() -> list[int]:
        if not container:
            return [ERROR, END]
        return [position(len(container) - 1), handles.atom(container[-1]), END]

    def read(told: Sequence[int]) -> Outcome:
        found = _edit(handles)(told)
        return Removed(found.position, found.value) if isinstance(found, Edited) else found

    return asked_about("pop", words, right, read, shown)


def unpacked(words: Words, container: Container, names: int, handles: Handles) -> Question:
    """All items, each to a name."""
    shown = block(container, handles)

    def right() -> list[int]:
        if len(container) != names:
            return [ERROR, END]
        return [*_listed(handles, container), END]

    return asked_about("unpack", words, right, _listing(handles), shown)


def _listed(handles: Handles, values: Sequence[Any]) -> list[int]:
    found: list[int] = []
    for index, value in enumerate(values):
        found += (position(index), handles.atom(value))
    return found


def _listing(handles: Handles) -> Callable[[Sequence[int]], Outcome]:
    def read(told: Sequence[int]) -> Outcome:
        if list(told) == [ERROR]:
            return Raised()
        if len(told) % 2 or list(told[::2]) != list(range(P0, P0 + len(told) // 2)):
            raise UnclearError("no list of values")
        return Values(tuple(handles.value(token) for token in told[1::2]))

    return read


def converted(words: Words, kind: str, container: Container, handles: Handles) -> Question:
    """The same items in a container of another type."""
    shown = block(container, handles, "head")

    def read(told: Sequence[int]) -> Outcome:
        if len(told) != 1 or told[0] not in map(IDS.get, TYPES):
            raise UnclearError("no type")
        return Made(TYPES[told[0] - IDS[TYPES[0]]], ())

    return asked_about("convert", words, lambda: [IDS[kind], END], read, shown)
