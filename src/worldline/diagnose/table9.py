"""This file is the metrics of trace quality of the CWM report, Table 9, for one trace and for a set.

The report names its metrics but says neither what each is counted over nor how a predicted frame finds the
real one it is held against once the two have parted. So these are our definitions; compare them with the
report's figures by order of magnitude only. All are of a free rollout: nothing is forced on the model.

By trace (a share of the set's traces):
  output           the model's answer is the value that Python gives (pass@1); no answer is a wrong one
  trace format     no frame is malformed; a text that just ends is not malformed
  finished         the trace comes to the end of its entry
By frame that the model began (a text is read up to its first malformed frame, which counts):
  frame format     the frame can be read
  JSON             its locals or its value are JSON, of those frames that came as far as that
By pair of the alignment (`Alignment.pairs`: the step that should be there against the one that is):
  keys             the same names, where at least one of the two shows locals
  keys and values  the same names with the same values, in the same cases
  states           the same locals, or at the end of a function the same value; in all pairs
  actions          the same event on the same line; in all pairs
By frame that was read:
  state tokens     mean length of the locals (as written, with `..`) or of the value, as JSON
  action tokens    mean length of the source line, line end included

Frames that the model left out or made up are pairs without a partner and wrong in every respect. But what it
never came to write, because its text was cut or became unreadable, is not counted: those are pairs without a
predicted step after the last pair that has both. A value is compared as it stands for: one that is wrong and
carried along as `..` is wrong in every frame that shows it. What only differs between interpreters is equal.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields

from worldline.diagnose.compare import Comparison, is_same
from worldline.diagnose.intervals import Interval, Ratio, bootstraps, total, wilson
from worldline.diagnose.model import Alignment, Pair
from worldline.diagnose.prediction import Prediction
from worldline.errors import UserError
from worldline.formats import Malformed
from worldline.formats.cwm import frames
from worldline.formats.cwm_frames import has_tokens, read_with_tokens, read_without_tokens
from worldline.formats.cwm_lines import SourceText
from worldline.formats.cwm_tokens import ACTION, EVENT_TOKENS
from worldline.tokens import tokenizer
from worldline.trace.model import Step, Trace

Count = Callable[[str], int]
"""How many tokens a text has."""

BY_TRACE = ("output", "trace_format", "finished")
"""The metrics with one case a trace; in all others the cases are frames."""


@dataclass(frozen=True, slots=True)
class TraceMetrics:
    """The metrics of one trace as counts, so that those of several can be taken together."""

    output: Ratio
    trace_format: Ratio
    finished: Ratio
    frame_format: Ratio
    json: Ratio
    keys: Ratio
    keys_and_values: Ratio
    states: Ratio
    actions: Ratio
    state_tokens: Ratio | None = None  # None: not counted
    action_tokens: Ratio | None = None


@dataclass(frozen=True, slots=True)
class Estimate:
    """One metric of a set."""

    ratio: Ratio
    interval: Interval | None  # None: fewer than two traces have a case

    @property
    def value(self) -> float | None:
        """The share or the mean; None if there is no case."""
        return self.ratio.value


def llama3_count() -> Count | None:
    """The count of tokens in CWM's vocabulary; None if the packages that hold it are not installed."""
    try:
        vocabulary = tokenizer("llama3")
        vocabulary.count("")
    except UserError:
        return None
    return lambda text: vocabulary.count(text, ordinary=True)


def trace_metrics(
    real: Trace, prediction: Prediction, alignment: Alignment, is_right: bool, count: Count | None = None
) -> TraceMetrics:
    """The metrics of one trace.

    Args:
        real: the truth, as far as the prediction's format can hold it.
        prediction: what the model wrote.
        alignment: of these two.
        is_right: whether the model's answer is right (`answers.Judgement.is_right`).
        count: counts tokens; without it the lengths are None.
    """
    problem, read = prediction.problem, len(prediction.trace.steps)
    is_malformed = isinstance(problem, Malformed)
    has_bad_json = isinstance(problem, Malformed) and "JSON" in problem.why
    pairs = counted_pairs(alignment, is_finished=problem is None)
    sides = Comparison(real, prediction)
    with_locals = [pair for pair in pairs if any(map(_has_locals, _steps(pair, sides)))]
    state_tokens, action_tokens = _lengths(prediction, count) if count else (None, None)
    return TraceMetrics(
        output=Ratio(int(is_right), 1),
        trace_format=Ratio(int(not is_malformed), 1),
        finished=Ratio(int(problem is None), 1),
        frame_format=Ratio(read, read + is_malformed),
        json=Ratio(read, read + has_bad_json),
        keys=Ratio(sum(_has_same_keys(pair, sides) for pair in with_locals), len(with_locals)),
        keys_and_values=Ratio(sum(_has_same_state(pair, sides) for pair in with_locals), len(with_locals)),
        states=Ratio(sum(_has_same_state(pair, sides) for pair in pairs), len(pairs)),
        actions=Ratio(sum(_has_same_action(pair, sides) for pair in pairs), len(pairs)),
        state_tokens=state_tokens,
        action_tokens=action_tokens,
    )


def pooled(metrics: Sequence[TraceMetrics]) -> dict[str, Estimate]:
    """The metrics of a set, by name and in the order of the table.

    Every frame weighs the same, so long traces weigh more in what is counted by frame. Shares of traces have
    Wilson's interval, all else is resampled by traces (see `intervals`). A length that was not counted in
    every trace is left out.
    """
    columns: dict[str, list[Ratio]] = {}
    for field in fields(TraceMetrics):
        column = [getattr(each, field.name) for each in metrics]
        if column and None not in column:
            columns[field.name] = column
    by_frame = bootstraps({name: column for name, column in columns.items() if name not in BY_TRACE})
    return {
        name: Estimate(total(column), wilson(total(column)) if name in BY_TRACE else by_frame[name])
        for name, column in columns.items()
    }


def counted_pairs(alignment: Alignment, *, is_finished: bool) -> list[Pair]:
    """The pairs that count: without the steps that the model never came to write."""
    pairs = alignment.pairs
    if is_finished:
        return list(pairs)
    has_both = [pair.real is not None and pair.predicted is not None for pair in pairs]
    last = max((index for index, both in enumerate(has_both) if both), default=-1)
    return [pair for index, pair in enumerate(pairs) if index <= last or pair.predicted is not None]


def _steps(pair: Pair, sides: Comparison) -> list[Step]:
    """The one or two steps of a pair."""
    real = [] if pair.real is None else [sides.real[pair.real]]
    return real if pair.predicted is None else [*real, sides.predicted[pair.predicted]]


def _has_locals(step: Step) -> bool:
    return step.event in ("call", "line")


def _has_same_keys(pair: Pair, sides: Comparison) -> bool:
    steps = _steps(pair, sides)
    return (
        len(steps) == 2 and all(map(_has_locals, steps)) and steps[0].locals.keys() == steps[1].locals.keys()
    )


def _has_same_state(pair: Pair, sides: Comparison) -> bool:
    steps = _steps(pair, sides)
    if len(steps) < 2 or _has_locals(steps[0]) != _has_locals(steps[1]):
        return False
    real, predicted = steps
    if not _has_locals(real):
        return is_same(real.value, predicted.value)
    return _has_same_keys(pair, sides) and all(
        is_same(value, predicted.locals[name]) for name, value in real.locals.items()
    )


def _has_same_action(pair: Pair, sides: Comparison) -> bool:
    has_both = pair.real is not None and pair.predicted is not None
    return has_both and sides.is_same_action(pair.real or 0, pair.predicted or 0)


def _lengths(prediction: Prediction, count: Count) -> tuple[Ratio, Ratio]:
    """Tokens of all states and of all actions, over the number of frames."""
    states = actions = number = 0
    for state, action in _parts(prediction):
        states += count(state)
        actions += count(action)
        number += 1
    return Ratio(states, number), Ratio(actions, number)


def _parts(prediction: Prediction) -> Iterator[tuple[str, str]]:
    """The state and the action of each frame as they are written, or would be in `cwm`."""
    source = SourceText(prediction.trace.program)
    is_written = prediction.is_by_text and bool(prediction.spans)
    texts = (prediction.text[slice(*span)] for span in prediction.spans) if is_written else None
    for text in texts or frames(prediction.trace):
        with_tokens = has_tokens(text)
        frame = (read_with_tokens if with_tokens else read_without_tokens)(text, 0, source)
        state = text[slice(*frame.argument)]
        if frame.locals is not None:
            opening = len(EVENT_TOKENS[frame.events[0]]) if with_tokens else 0
            state = text[opening : frame.source[0] - (len(ACTION) if with_tokens else 0)]
        yield state, text[slice(*frame.source)] + "\n"
