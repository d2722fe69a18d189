"""This file is the hook of a degraded program: at each place it throws the dice, and counts.

It is loaded inside the box, and so imports nothing of ours but by its neighbour in the same folder.
"""

from collections.abc import Callable, Iterator
from random import Random
from typing import Any, NoReturn

_KEYS = (int, str, bool, float, type(None))


class Stop(BaseException):
    """This run is over: it has used up its hooks, its time or its lines."""


class Hook:
    """The errors of one run. `wrong` and `can_be_wrong` are those of `mistakes.py`."""

    def __init__(
        self, kind: str, rate: float, seed: str, limit: int, mistakes: tuple[Callable[..., Any], ...]
    ) -> None:
        self.kind = kind
        self.rate = rate
        self.limit = limit  # of visits
        self.is_on = False  # what runs before the entry is no part of the trace
        self.visits = 0
        self.errors = 0
        self.stop = ""  # why it was stopped; whatever the program made of that
        self.places = {"state": 0, "string": 0, "action": 0}
        self._dice = Random(seed)  # whether there is an error: the same throws at every rate
        self._ways = Random(f"{seed} ways")  # and which one
        self._can_be_wrong, self._wrong = mistakes

    def stopped(self, why: str) -> NoReturn:
        """Leave the program."""
        self.stop = self.stop or why
        raise Stop(why)

    def tick(self, value: Any) -> Any:
        """Count a visit; what is given comes back."""
        self.visits += 1
        if self.visits > self.limit:
            self.stopped("steps")
        return value

    def bind(self, value: Any) -> Any:
        """What is bound in place of a value."""
        self.tick(value)
        if not self.is_on or not self._can_be_wrong(value):
            return value
        is_text = type(value) is str
        self.places["state"] += 1
        self.places["string"] += is_text
        is_place = self.kind == "state" or (self.kind == "string" and is_text)
        return self._wrong(value, self._ways) if is_place and self._errs() else value

    def item(self, container: Any, key: Any) -> None:
        """An item has been bound by an augmented assignment."""
        keys = key if type(key) is tuple else (key,)
        if type(container) not in (list, dict) or not all(type(one) in _KEYS for one in keys):
            return
        if key not in (container if type(container) is dict else range(-len(container), len(container))):
            return  # what was added has bound the name of the key anew
        before = container[key]
        after = self.bind(before)
        if after is not before:
            container[key] = after

    def branch(self, value: Any) -> Any:
        """Which way a test goes."""
        self.tick(value)
        truth = bool(value)
        return not truth if self.acts_wrongly() else truth

    def loop(self, values: Any) -> Iterator[Any]:
        """The items that a loop gets: it may end too early, or go on with the last one again."""
        return _Loop(self, iter(values))

    def acts_wrongly(self) -> bool:
        """Whether a branch is taken wrongly."""
        if not self.is_on:
            return False
        self.places["action"] += 1
        return self.kind == "action" and self._errs()

    def _errs(self) -> bool:
        is_error = self._dice.random() < self.rate
        self.errors += is_error
        return is_error


class _Loop:
    """An iterator that asks the hook whether there is one more item."""

    def __init__(self, hook: Hook, values: Iterator[Any]) -> None:
        self._hook = hook
        self._values = values
        self._is_empty = True
        self._last: Any = None  # the item before, where it may be needed

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        hook = self._hook
        hook.tick(None)
        try:
            item = next(self._values)
        except StopIteration:
            if not self._is_empty and hook.acts_wrongly():
                return self._last
            raise
        self._is_empty = False
        if hook.kind == "action":
            self._last = item
        if hook.acts_wrongly():
            raise StopIteration
        return item
