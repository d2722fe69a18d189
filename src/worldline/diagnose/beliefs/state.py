"""This file is the state that a model believes, made real: value texts against live values, and into them."""

import re
import sys
from collections import deque
from collections.abc import Mapping, MutableMapping
from types import ModuleType
from typing import Any

from worldline.diagnose.beliefs.activation import Activation
from worldline.diagnose.beliefs.source import OURS
from worldline.diagnose.beliefs.values import Opaque, Unreadable, value_of
from worldline.record.twin import IMPLICIT_NAMES
from worldline.record.values import exception_text, text
from worldline.trace.value import CUT, raised

OPAQUE = "<Opaque"  # how an unknown value is written inside of another one
_KEEPS_LOCALS = sys.version_info >= (3, 13)  # a running frame's variables can be set, not deleted
_SPARE = 200  # characters by which a value may be longer than the text it is compared with
_WORD = re.compile(r"[A-Za-z_]\w*")
_UNSTEADY = frozenset(
    {"random", "time", "datetime", "uuid", "secrets", "os", "sys", "threading", "socket", "tempfile", "gc"}
)
_UNSTEADY_BUILTINS = frozenset({"id", "input", "open", "globals", "locals", "vars", "dir", "hash"})
_OPTIMIZED = 0x1


def visible(values: Mapping[str, Any]) -> dict[str, Any]:
    """The variables of a frame that the program itself has made."""
    return {
        name: value
        for name, value in values.items()
        if type(name) is str and not name.startswith(OURS) and name not in IMPLICIT_NAMES
    }


class Beliefs:
    """Compares texts with values, and makes values of texts.

    Args:
        names: the globals of the program.
    """

    def __init__(self, names: Mapping[str, Any]) -> None:
        self._names = names

    def difference(self, activation: Activation, live: Mapping[str, Any], written: Mapping[str, str]) -> str:
        """What a state has that is not so; empty: it is as Python has it."""
        for name, shown in written.items():
            if name in live:
                if not self._agrees(activation, name, live[name], shown):
                    return f"Python has {name} = {_show(live[name], 80)}"
            elif activation.invented.get(name) != shown:
                return f"Python has no {name} here"
        gone = [name for name in (*live, *activation.invented) if name not in written]
        return f"Python still has {gone[0]} here" if gone else ""

    def unlike_value(self, activation: Activation, event: str, arg: Any, written: str) -> str:
        """What is wrong with a returned or raised value; empty: nothing."""
        limit = len(written) + _SPARE
        shown = _show(arg, limit, written) if event == "return" else exception_text(arg, limit)
        if _is_alike(shown, written):
            return ""
        if event == "return" and activation.spelled and self._is_same(arg, written):
            return ""
        return f"Python has {shown[:80]}"

    def believed(
        self, activation: Activation, live: Mapping[str, Any], written: Mapping[str, str]
    ) -> dict[str, Any]:
        """The live state as the model has it: where its text is another, the object itself is changed."""
        known = self._variables(activation, live, written)
        state = {name: live[name] for name in known if name in live}
        for name in known:
            if name not in state or not self._agrees(activation, name, state[name], written[name]):
                state[name] = self._changed(activation, name, state, written)
        for name in known:  # a change may have reached what the model says is as before
            if not self._agrees(activation, name, state[name], written[name]):
                state[name] = self._made(activation, name, written[name])
        return state

    def put(
        self, activation: Activation, values: MutableMapping[str, Any], written: Mapping[str, str]
    ) -> bool:
        """Put what the model believes into a running frame; False if Python cannot do that."""
        live = visible(values)
        gone = [name for name in live if name not in written]
        if gone and _KEEPS_LOCALS and activation.code.co_flags & _OPTIMIZED:
            return False
        for name, value in self.believed(activation, live, written).items():
            if name not in live or live[name] is not value:
                values[name] = value
        for name in gone:
            del values[name]
        return True

    def value(self, shown: str) -> Any:
        """The value that a text shows; a stand-in if it shows none."""
        try:
            return value_of(shown, self._names)
        except Unreadable:
            return Opaque(shown)

    def exception(self, shown: str) -> BaseException | None:
        """The exception that the text of an exception step shows."""
        found = self.value(raised(_neutral(shown)))
        return found if isinstance(found, BaseException) else None

    def unsteady_name(self, line: str) -> str:
        """What a line names that may give anything, such as the clock; empty: nothing."""
        words: list[str] = _WORD.findall(line)
        for word in words:
            held = self._names.get(word)
            home: object = held.__name__ if isinstance(held, ModuleType) else getattr(held, "__module__", "")
            is_ours = held is None and word in _UNSTEADY_BUILTINS
            if is_ours or (isinstance(home, str) and home.partition(".")[0] in _UNSTEADY):
                return word
        return ""

    def _variables(
        self, activation: Activation, live: Mapping[str, Any], written: Mapping[str, str]
    ) -> list[str]:
        """The names that the code can have; the others are noted as invented."""
        code = activation.code
        if not code.co_flags & _OPTIMIZED:
            return list(written)
        all_names = {*code.co_varnames, *code.co_cellvars, *code.co_freevars, *live}
        activation.invented = {name: shown for name, shown in written.items() if name not in all_names}
        return [name for name in written if name in all_names]

    def _changed(
        self, activation: Activation, name: str, state: Mapping[str, Any], written: Mapping[str, str]
    ) -> Any:
        """A value as the model has it, in the same object where all its names are said to be so."""
        new = self._made(activation, name, written[name])
        old = state.get(name)
        change = _CHANGES.get(type(old))
        if change is None or type(new) is not type(old):
            return new
        if any(value is old and written[other] != written[name] for other, value in state.items()):
            return new
        change(old, new)
        return old

    def _made(self, activation: Activation, name: str, shown: str) -> Any:
        new = self.value(shown)
        ours = _show(new, len(shown) + _SPARE, shown)
        activation.spelled.pop(name, None)
        if ours != shown:
            activation.spelled[name] = ours, shown
        return new

    def _agrees(self, activation: Activation, name: str, value: Any, written: str) -> bool:
        shown = _show(value, len(written) + _SPARE, written)
        if _is_alike(shown, written):
            return True
        spelling = activation.spelled.get(name)
        return spelling is not None and (spelling == (shown, written) or self._is_same(value, written))

    def _is_same(self, value: Any, written: str) -> bool:
        """Whether a value is the one written but for the order of sets, which hangs on their past."""
        try:
            return bool(_unordered(value) == _unordered(value_of(written, self._names)))
        except (Unreadable, RecursionError):
            return False


def _is_alike(shown: str, written: str) -> bool:
    """Whether two texts differ at most in what hangs on the interpreter."""
    return shown == written or ("<" in written and _neutral(shown) == _neutral(written))


def _neutral(shown: str) -> str:
    from worldline.formats.cwm_agreement import neutral  # half of the time that the child takes to start

    return neutral(shown)


def _show(value: Any, limit: int, written: str = "") -> str:
    if type(value) is Opaque:
        return str(value.shown)
    cut = CUT.search(written)
    return text(value, cut.start() if cut else limit)


def _unordered(value: Any) -> Any:
    kind = type(value)
    if kind is set or kind is frozenset:
        return kind.__name__, sorted(str(_unordered(item)) for item in value)
    if kind is list or kind is tuple:
        return kind.__name__, [_unordered(item) for item in value]
    if kind is dict:
        return "dict", [(_unordered(key), _unordered(item)) for key, item in value.items()]
    return text(value)


def _change_list(old: Any, new: Any) -> None:
    old[:] = new


def _change_by_update(old: Any, new: Any) -> None:
    old.clear()
    old.update(new)


def _change_deque(old: Any, new: Any) -> None:
    old.clear()
    old.extend(new)


_CHANGES: dict[type, Any] = {
    list: _change_list,
    bytearray: _change_list,
    dict: _change_by_update,
    set: _change_by_update,
    deque: _change_deque,
}
