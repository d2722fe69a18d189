"""This file is the verb `predict`: programs and a model give predicted traces, many in one batch."""

import time
from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace

from worldline.errors import UserError
from worldline.formats import Malformed
from worldline.formats.cwm import CWM
from worldline.formats.cwm_prompt import checked, plain_prompt
from worldline.formats.cwm_tokens import END_OF_TEXT
from worldline.formats.files import predicted
from worldline.formats.reveal import revealed
from worldline.models.model import Ask, Completion, Failed, Model
from worldline.record.entry import as_marked
from worldline.rollout.model import Cost, Finished, NoAnswer, OutOfBudget, Rollout, Stop, Sureness, Unreadable
from worldline.rollout.options import RolloutOptions
from worldline.rollout.roll import Roll
from worldline.rollout.sureness import of_frames
from worldline.rollout.want import Told, Want
from worldline.trace.ending import ending_of
from worldline.trace.model import Ending, Origin, Program, Trace


def predict(
    program: Program,
    model: Model,
    options: RolloutOptions | None = None,
    truth: Trace | None = None,
    begun: Trace | None = None,
) -> Rollout:
    """Roll out one program; `begun`: a rollout that was broken off, to go on with."""
    return predict_all([program], model, options, [truth], [begun])[0]


def predict_all(
    programs: Sequence[Program],
    model: Model,
    options: RolloutOptions | None = None,
    truths: Sequence[Trace | None] | None = None,
    begun: Sequence[Trace | None] | None = None,
) -> list[Rollout]:
    """Roll out many programs at once: each round, the model is asked for the next field of all of them.

    Args:
        programs: what to predict; a call is put into a marked `main`, as models expect it.
        model: whom to ask.
        options: the mode.
        truths: the real traces, recorded of the marked programs; needed where the mode gives something.
        begun: rollouts that were broken off, in the same mode: their steps are taken as said.
    """
    options = options or RolloutOptions()
    truths = truths or [None] * len(programs)
    said = [() if each is None else each.steps for each in begun or [None] * len(programs)]
    _check(model, options, truths)
    marked = [as_marked(program) for program in programs]
    for program, each in zip(marked, begun or (), strict=False):
        if each is not None:
            _check_begun(each, program, options)
    for program in marked:
        checked(program)
    if options.is_plain and not any(said):
        return _at_once(marked, model, options)
    shown = [None if truth is None else revealed(truth, options.reveal) for truth in truths]
    rolls = [
        _Running(Roll(one, options, model.can, model.count, real, steps))
        for one, real, steps in zip(marked, shown, said, strict=True)
    ]
    _drive(rolls, model)
    return [_rollout(running, model.name) for running in rolls]


def _check(model: Model, options: RolloutOptions, truths: Sequence[Trace | None]) -> None:
    """Refuse what this model or this call cannot do."""
    if options.needs_truth and None in truths:
        raise UserError("this mode gives the model what really happens", "record the program first")
    if not options.is_plain and not model.can.special_tokens:
        hint = "only a whole free trace can be asked of it: leave out --actions, --states, --context"
        raise UserError(f"{model.name} does not write the special tokens of the format", hint)
    if (options.stop_below or options.ask_below) and not model.can.logprobs:
        raise UserError(
            f"{model.name} does not tell how sure it is", "leave out --stop-below and --ask-below"
        )
    if options.actions == "grounded" and not (model.can.scoring or model.can.choices):
        hint = "use --actions free or forced, or a server with structured outputs or prompt log-probabilities"
        raise UserError(f"{model.name} can be held to no choice, and does not score one", hint)


def _check_begun(begun: Trace, program: Program, options: RolloutOptions) -> None:
    """Refuse to go on with the steps of another program, or of another mode."""
    hint = "give the trace that the same command has written"
    if begun.program.source != program.source:
        raise UserError("the trace to go on with is of another program, or of another rewriting", hint)
    asked = _origin("", options).options
    other = [name for name, value in asked.items() if begun.origin.options.get(name, value) != value]
    if other:
        raise UserError(f"the trace to go on with was made with other {', '.join(other)}", hint)


@dataclass(slots=True)
class _Running:
    """A rollout on its way."""

    roll: Roll
    steps: Generator[Want, Told, Stop] | None = None
    want: Want | None = None
    stop: Stop | None = None

    def go(self, told: Told | None) -> None:
        """Take an answer and go on to the next request."""
        try:
            if self.steps is None:
                self.steps = self.roll.run()
                self.want = next(self.steps)
            else:
                assert told is not None
                self.want = self.steps.send(told)
        except StopIteration as done:
            self.want, self.stop = None, done.value


def _drive(rolls: Sequence[_Running], model: Model) -> None:
    for running in rolls:
        running.go(None)
    while True:
        texts = [each for each in rolls if each.want is not None and not each.want.is_score]
        scores = [each for each in rolls if each.want is not None and each.want.is_score]
        if not texts and not scores:
            return
        answers: list[tuple[_Running, Told]] = []
        if texts:
            answers += zip(texts, model.complete([_asked(each) for each in texts]), strict=True)
        if scores:
            answers += zip(scores, model.score([_asked(each) for each in scores]), strict=True)
        for running, told in answers:
            running.go(told)


def _asked(running: _Running) -> Ask:
    assert running.want is not None
    return running.want.ask


def _rollout(running: _Running, name: str) -> Rollout:
    roll, stop = running.roll, running.stop or Finished()
    steps = tuple(roll.tracker.steps)
    ending = (
        ending_of(steps, roll.program.source)
        if isinstance(stop, Finished)
        else Ending("open", detail=told(stop))
    )
    trace = Trace(roll.program, steps, ending, _origin(name, roll.options))
    seconds = round(time.monotonic() - roll.started, 6)
    return Rollout(trace, stop, tuple(roll.sureness), replace(roll.cost, seconds=seconds), roll.options, name)


def told(stop: Stop) -> str:
    """Why a rollout ended, in a few words."""
    match stop:
        case Finished():
            return "the entry has ended"
        case Unreadable(why=why):
            return why
        case OutOfBudget(of=of):
            return f"out of {of}"
        case NoAnswer(what=what, hint=hint):
            return f"{what} ({hint})" if hint else what
    why = f": {stop.why}" if stop.why else ""
    return f"the model is sure of the step with {stop.probability:.3f} only{why}"


def _origin(name: str, options: RolloutOptions) -> Origin:
    shown = {"actions": options.actions, "states": options.states, "context": options.context}
    return Origin("predicted", name, options={**shown, "reveal": options.reveal, "seed": options.seed})


def _at_once(programs: Sequence[Program], model: Model, options: RolloutOptions) -> list[Rollout]:
    """Whole traces, each with one request."""
    started = time.monotonic()
    asks = [
        Ask(
            plain_prompt(program, options.reveal),
            (END_OF_TEXT,),
            options.max_tokens,
            (),
            options.temperature,
            options.seed,
        )
        for program in programs
    ]
    found = []
    for program, answer in zip(programs, model.complete(asks), strict=True):
        seconds = time.monotonic() - started
        found.append(_whole(program, answer, model.name, options, seconds))
    return found


def _whole(
    program: Program, answer: Completion | Failed, name: str, options: RolloutOptions, seconds: float
) -> Rollout:
    if isinstance(answer, Failed):
        stop: Stop = NoAnswer(answer.what, answer.hint)
        trace = Trace(program, (), Ending("open", detail=answer.what), _origin(name, options))
        return Rollout(trace, stop, (), Cost(asks=1, seconds=seconds), options, name)
    decoded = CWM.decode(answer.text, program)
    trace = replace(predicted(decoded, program, name), origin=_origin(name, options))
    stop = Finished()
    if answer.finish == "length":
        stop = OutOfBudget("tokens")
    elif isinstance(decoded.problem, Malformed):
        stop = Unreadable(decoded.problem.why, answer.text[decoded.problem.offset :])
    cost = Cost(answer.spent, 1, answer.asked, 0, seconds)
    sure = [*of_frames(answer.text, answer.tokens), *[Sureness()] * len(trace.steps)][: len(trace.steps)]
    return Rollout(trace, stop, tuple(sure), cost, options, name, answer.text)
