"""This file is the knobs of a rollout: independent of each other, and all in one frozen value."""

from dataclasses import dataclass
from typing import Literal

from worldline.errors import UserError
from worldline.formats.reveal import check_reveal, is_jump

Actions = Literal["free", "forced", "grounded"]
ACTIONS: tuple[Actions, ...] = ("free", "forced", "grounded")


@dataclass(frozen=True, slots=True)
class RolloutOptions:
    """How a model is asked for a trace.

    Actions are the event and the line of a step; states its variables, and what it returns or raises.
    """

    actions: Actions = "free"  # by the model; given; or chosen by the model among the legal ones
    states: int = 0  # 0: by the model; K: every K-th state is given, as it really is
    context: str = "history"  # all frames; "window:K": the last K; "state": only the state as it is now
    reveal: str = "dense"  # see formats/reveal.py
    max_tokens: int = 32_768  # of all answers together
    max_steps: int = 100_000
    seconds: float = 3600.0
    frame_tokens: int = 4096  # of one answer
    stop_below: float = 0.0  # probability of a step under which the rollout ends
    ask_below: float = 0.0  # probability of a step under which the real interpreter is asked instead
    temperature: float = 0.0
    seed: int = 0
    given: int = 0  # steps at the beginning that are given as they really are

    def __post_init__(self) -> None:
        """Refuse what makes no sense."""
        if self.actions not in ACTIONS:
            raise UserError(f"there are no {self.actions!r} actions", f"there are: {', '.join(ACTIONS)}")
        if self.states < 0:
            raise UserError("states can be forced every 1, 2, ... steps only", "write --states forced:4")
        for name in ("stop_below", "ask_below"):
            if not 0 <= getattr(self, name) <= 1:
                what = f"{name} is {getattr(self, name)}, and no probability"
                raise UserError(what, f"write --{name.replace('_', '-')} 0.5")
        window(self.context)
        check_reveal(self.reveal)
        if self.actions == "grounded" and is_jump(self.reveal):
            what = f"with the reveal {self.reveal!r} steps are left out, so any line may come next"
            raise UserError(what, "use --actions free or forced with it")

    @property
    def needs_truth(self) -> bool:
        """Whether the real trace takes part."""
        return self.actions == "forced" or self.states > 0 or self.ask_below > 0 or self.given > 0

    @property
    def is_plain(self) -> bool:
        """Whether the whole trace can be asked for at once."""
        return (
            self.actions == "free"
            and not self.states
            and not self.given
            and self.context == "history"
            and not self.stop_below
            and not self.ask_below
        )


def window(context: str) -> int | None:
    """How many frames a context keeps: None, all of them; 0: none but the last, with all that it hides."""
    name, _, argument = context.partition(":")
    if context == "history":
        return None
    if context == "state":
        return 0
    if name == "window" and argument.isdigit() and int(argument) > 0:
        return int(argument)
    raise UserError(f"there is no context {context!r}", "there are: history, window:K, state")


def parsed_states(text: str) -> int:
    """`free`, `forced` or `forced:K` as a number."""
    name, _, argument = text.partition(":")
    if text == "free":
        return 0
    if name == "forced" and (not argument or (argument.isdigit() and int(argument) > 0)):
        return int(argument or 1)
    raise UserError(f"there are no states {text!r}", "there are: free, forced, forced:K")
