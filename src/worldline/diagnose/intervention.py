"""This file is what would have helped: a divergence asked for again, with one thing changed at a time.

The model is put just before the step that it got wrong, with everything before it as it really was, and asked
for that one step again: as it was (the control, twice with the same seed and once with another), with each
intervention alone, and rewritten at each level: then it must write all the small steps that the step becomes.
What makes the error disappear is a cure, unless the control does, too: that is luck.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from worldline.diagnose.divergence import first_divergence
from worldline.diagnose.model import Divergence
from worldline.diagnose.prediction import of_trace
from worldline.diagnose.rewritten_step import is_right_when_rewritten
from worldline.formats.reveal import revealed
from worldline.models.model import Model
from worldline.rewrite import LEVELS, Level
from worldline.rollout.model import Finished
from worldline.rollout.options import RolloutOptions
from worldline.rollout.rollout import predict, told
from worldline.trace.model import Program, Trace

INTERVENTIONS: Mapping[str, dict[str, object]] = {
    "forced action": {"actions": "forced"},
    "grounded action": {"actions": "grounded"},
    "forced state": {"states": 1},
    "state-only context": {"context": "state"},
}
"""What is changed in each."""


@dataclass(frozen=True, slots=True)
class Intervention:
    """One step asked for again."""

    name: str
    is_right: bool  # the step came out right
    is_cure: bool  # and would not have without the intervention


@dataclass(frozen=True, slots=True)
class Attribution:
    """A divergence and what makes it disappear."""

    divergence: Divergence | None  # None: the prediction is right to its end
    steps: int  # that the model was on the true path
    controls: tuple[Intervention, ...]  # the same again: same seed, same seed, other seed
    interventions: tuple[Intervention, ...]
    stop: str = ""  # why the prediction ended before its end, if it did

    @property
    def cures(self) -> list[str]:
        """The interventions that cure it."""
        return [each.name for each in self.interventions if each.is_cure]

    @property
    def is_luck(self) -> bool:
        """Whether the same again comes out right, too."""
        return any(each.is_right for each in self.controls)


def attribute_by_intervention(
    program: Program,
    model: Model,
    real: Trace,
    options: RolloutOptions | None = None,
    levels: Sequence[Level] = LEVELS,
) -> Attribution:
    """Roll out a program, and on a divergence try every intervention alone.

    Args:
        program: what to predict, with its entry marked.
        model: whom to ask.
        real: the truth.
        options: the mode in which the model is asked.
        levels: of rewriting that are tried.
    """
    options = options or RolloutOptions()
    truth = revealed(real, options.reveal)
    rollout = predict(program, model, options, real)
    found = first_divergence(truth, of_trace(rollout.trace))
    if found is None or found.kind in ("budget", "format") or found.frame >= len(truth.steps):
        is_early = found is not None and found.frame < len(truth.steps) and rollout.stop != Finished()
        stop = told(rollout.stop) if is_early else ""
        return Attribution(found, len(truth.steps) if found is None else found.frame, (), (), stop)

    def again(**changes: object) -> bool:
        asked = replace(options, given=found.frame, max_steps=found.frame + 1, **changes)  # type: ignore[arg-type]
        steps = predict(program, model, asked, real).trace.steps
        one = replace(real, steps=truth.steps[: found.frame + 1])
        said = replace(real, steps=steps)
        return len(steps) > found.frame and first_divergence(one, of_trace(said)) is None

    controls = (
        Intervention("same seed", again(), is_cure=False),
        Intervention("same seed again", again(), is_cure=False),
        Intervention("other seed", again(seed=options.seed + 1), is_cure=False),
    )
    is_luck = any(each.is_right for each in controls)
    tried = [(name, again(**changes)) for name, changes in INTERVENTIONS.items()]
    for level in levels if options.reveal == "dense" else ():
        is_right = is_right_when_rewritten(program, model, real, found.frame, level, options)
        if is_right is not None:
            tried.append((f"rewritten: {level}", is_right))
    interventions = tuple(Intervention(name, is_right, is_right and not is_luck) for name, is_right in tried)
    return Attribution(found, found.frame, controls, interventions)
