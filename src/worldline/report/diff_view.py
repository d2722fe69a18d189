"""This file is a diagnosis in the terminal: both traces around the divergence, and why they part."""

from collections.abc import Iterator, Mapping

from rich.console import Console
from rich.table import Table
from rich.text import Text

from worldline.diagnose.compare import is_same
from worldline.diagnose.model import CAUSES, Diagnosis, Pair
from worldline.report.diagnosis_json import later
from worldline.report.listing import shortened, source_line
from worldline.trace.model import Step, Trace

AROUND = 3  # pairs shown before and after
_MARKS = {True: ("=", "green"), False: ("≠", "red")}
_VERDICTS = {
    "exact": ("green", "every step is there and right"),
    "diverged": ("red", "the prediction leaves reality"),
    "cut": ("yellow", "right until the text ends"),
    "unreadable": ("magenta", "right until the text is no step any more"),
}


def print_diagnosis(console: Console, diagnosis: Diagnosis, at: int | None, hint: str) -> None:
    """Print one diagnosis.

    Args:
        console: where to.
        diagnosis: what to print.
        at: look around this real step instead of the divergence.
        hint: the next command to try.
    """
    console.print(_title(diagnosis))
    center = _center(diagnosis, at)
    if center is not None:
        console.print(_side_by_side(diagnosis, center, console.width))
    for line in _explained(diagnosis):
        console.print(line, soft_wrap=True)
    console.print(Text(f"next: {hint}", "dim"), soft_wrap=True)


def _title(diagnosis: Diagnosis) -> Text:
    style, words = _VERDICTS[diagnosis.verdict]
    text = Text(diagnosis.verdict, f"bold {style}")
    text.append(f"  {words}", "")
    text.append(f"  {diagnosis.steps_right} of {len(diagnosis.real.steps)} steps right", "dim")
    return text


def _center(diagnosis: Diagnosis, at: int | None) -> int | None:
    """The pair to look at."""
    pairs = diagnosis.alignment.pairs
    wanted = diagnosis.alignment.first_wrong
    if at is not None:
        wanted = next((index for index, pair in enumerate(pairs) if pair.real == at), None)
    return wanted


def _side_by_side(diagnosis: Diagnosis, center: int, width: int) -> Table:
    table = Table(box=None, padding=(0, 1), expand=True)
    table.add_column("step", justify="right", style="dim")
    table.add_column("real", ratio=1)
    table.add_column("")
    table.add_column("predicted", ratio=1)
    pairs = diagnosis.alignment.pairs
    first = max(0, center - AROUND)
    room = max(width // 2 - 8, 20)
    for index in range(first, min(len(pairs), center + AROUND + 1)):
        table.add_row(*_row(diagnosis, pairs[index], room, is_center=index == center))
    return table


def _row(diagnosis: Diagnosis, pair: Pair, room: int, *, is_center: bool) -> tuple[str, Text, Text, Text]:
    mark, style = _MARKS[pair.is_right]
    real = None if pair.real is None else diagnosis.real.steps[pair.real]
    said = None if pair.predicted is None else diagnosis.predicted.steps[pair.predicted]
    left = _cell(diagnosis.real, real, said, room, is_wrong=False)
    right = _cell(diagnosis.predicted, said, real, room, is_wrong=not pair.is_right)
    number = "" if pair.real is None else str(pair.real)
    return f"> {number}" if is_center else number, left, Text(mark, style), right


def _cell(trace: Trace, step: Step | None, other: Step | None, room: int, *, is_wrong: bool) -> Text:
    """A step: its line, and the variables in which it differs from the other one."""
    if step is None:
        return Text("—", "dim")
    event = "" if step.event == "line" else f"{step.event} "
    line = source_line(trace, step).strip() if step.line else "(no line of the program)"
    text = Text(shortened(f"{event}{step.line or '?'}: {line}", room), "bold red" if is_wrong else "")
    for name, value in _different(step, other):
        text.append("\n  " + shortened(f"{name} = {value}", room - 2), "red" if is_wrong else "green")
    return text


def _different(step: Step, other: Step | None) -> Iterator[tuple[str, str]]:
    theirs: Mapping[str, str] = other.locals if other is not None else {}
    if other is not None and step.event in ("call", "line") and other.event in ("call", "line"):
        for name, value in step.locals.items():
            if name not in theirs or not is_same(value, theirs[name]):
                yield name, value
    if step.value is not None and (other is None or not is_same(step.value, other.value)):
        yield "value", step.value


def _explained(diagnosis: Diagnosis) -> Iterator[Text]:
    """The cause in one sentence, the other causes, and how it goes on."""
    cause = diagnosis.cause
    if cause is not None:
        text = Text(f"{cause.name}: ", "bold")
        yield text.append(f"{CAUSES[cause.name]}; {cause.why}", "")
    others = [f"{each.name} {each.weight:.0%}" for each in diagnosis.causes[1:]]
    if others and cause is not None:
        yield Text(f"weight {cause.weight:.0%}; also: {', '.join(others)}", "dim")
    if diagnosis.divergence is not None and diagnosis.verdict == "diverged":
        yield Text(_goes_on(diagnosis))
    answer = diagnosis.answer
    if answer.given is not None:
        verdict = "right" if answer.correct else f"wrong, Python gives {answer.real}"
        verdict = "what is right is not known" if answer.correct is None else verdict
        yield Text(f"its answer: {answer.given} ({verdict})")


def _goes_on(diagnosis: Diagnosis) -> str:
    told = later(diagnosis)
    parts = [f"{told[name]} {words}" for name, words in _WORDS.items() if told[name]]
    sentence = "from there on: " + (", ".join(parts) or "nothing")
    returns = told["returns"]
    if returns:
        back = returns[0]
        sentence += f"; back on the true path at step {back['frame']} for {back['length']} steps"
    return sentence


_WORDS = {
    "own": "wrong by themselves",
    "carried": "carried along from an earlier error",
    "unjudged": "wrong, not judged further",
    "made up": "made up",
    "left out": "left out",
    "right": "right again",
}
