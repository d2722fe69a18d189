"""This file is what a model is shown at each step: everything so far, the last frames, or the state alone."""

import json
from collections import deque
from dataclasses import dataclass, field

from worldline.formats.cwm_prompt import plain_prompt, resumed_prompt
from worldline.formats.cwm_tokens import ACTION, EVENT_TOKENS
from worldline.rollout.options import RolloutOptions, window
from worldline.rollout.tracker import Tracker
from worldline.trace.model import Step


@dataclass(slots=True)
class Context:
    """Grows with a history, stays as it is with a window or the state."""

    tracker: Tracker
    options: RolloutOptions
    _frames: deque[str] = field(init=False)  # as they were written
    _prompts: deque[str] = field(init=False)  # for each kept frame: the prompt that ends with it, in full
    _history: list[str] = field(default_factory=list)
    _last: str = ""
    note: str = ""  # that the model wrote beside its last answer

    def __post_init__(self) -> None:
        """Begin with the plain prompt."""
        kept = window(self.options.context)
        self._frames = deque(maxlen=kept or 1)
        self._prompts = deque(maxlen=kept or 1)
        self._history.append(plain_prompt(self.tracker.program, self.options.reveal))

    def prefix(self) -> str:
        """The text that the next frame follows."""
        if self.options.context == "history" or not self._frames:
            return "".join(self._history)
        return self._prompts[0] + "".join(list(self._frames)[1:])

    def add(self, step: Step, text: str) -> None:
        """One more frame, after the tracker has taken it."""
        self._last = text
        if self.options.context == "history":
            self._history.append(text)
            if len(self._history) > 64:
                self._history = ["".join(self._history)]
            return
        self._frames.append(text)
        self._prompts.append(self._header(step) + self._in_full(step, text))

    def checkpoint(self, last: Step) -> None:
        """Go on from the state as it is now instead of from all that was."""
        self._history = [self._header(last) + self._in_full(last, self._last)]

    def _header(self, last: Step) -> str:
        """The prompt for going on after a step."""
        tracker, number = self.tracker, len(self.tracker.steps) - 1
        reveal = self.options.reveal
        unseen, loops = tracker.unseen(last), tracker.loops()
        return resumed_prompt(tracker.program, number, unseen, loops, reveal, self.note)

    def _in_full(self, step: Step, text: str) -> str:
        """A frame whose values are all written out."""
        if step.event not in ("call", "line"):
            return text
        source = text[text.index(ACTION) :]
        return f"{EVENT_TOKENS[step.event]}{json.dumps(dict(step.locals))}{source}"
