"""This file is one call while a predicted trace is followed: what is known of it besides its frame."""

import weakref
from collections.abc import Iterator
from dataclasses import dataclass, field
from types import CodeType, GeneratorType
from typing import Any

from worldline.diagnose.beliefs.source import Definition, How
from worldline.trace.model import Event


@dataclass(frozen=True, slots=True)
class Pending:
    """Where an activation is to go on."""

    event: Event
    index: int  # of the predicted step


@dataclass(slots=True, eq=False)
class Activation:
    """One call that is followed; it may run in several frames, one after the other."""

    code: CodeType
    definition: Definition | None  # None: it cannot be entered again
    frame: Any = None
    depth: int = 0
    line: int = 0  # that was reached last
    said: int = 0  # the line that the model was on last
    before: int = 0  # and before that
    how: How = "line"  # it was entered again
    iterators: dict[int, Any] = field(default_factory=dict)  # by the number of the loop
    invented: dict[str, str] = field(default_factory=dict)  # variables that its code does not have
    spelled: dict[str, tuple[str, str]] = field(default_factory=dict)  # our text, the model's
    state: dict[str, Any] = field(default_factory=dict)  # to go on with
    raised: BaseException | None = None
    pending: Pending | None = None
    swallow: list[str] = field(default_factory=list)  # events of a new frame that were met already
    replaced: tuple[Any] | None = None  # what it returned, says the model
    substituted: str = ""  # what Python had in place of the value it was made to return
    missed: str = ""  # a function that Python called and the model did not
    tainted: str = ""  # why the next step cannot be judged if it is unlike
    is_lost: str = ""  # why it is not followed any more

    def keep_iterator(self, number: int, made: Iterator[Any]) -> None:
        """Remember the iterator of a loop; a generator only while the loop needs it, as its end shows."""
        self.iterators[number] = weakref.ref(made) if isinstance(made, GeneratorType) else made

    def hold_iterators(self) -> None:
        """Keep all iterators that are left: the frame that has them is about to go."""
        for number, held in list(self.iterators.items()):
            made = held() if isinstance(held, weakref.ref) else held
            if made is None:
                del self.iterators[number]
            else:
                self.iterators[number] = made
