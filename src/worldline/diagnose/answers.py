"""This file is what a model's answer is, whether it is right, and whose fault it is where it counts as wrong.

A model that has written a trace goes on with prose and an answer, `[ANSWER] assert f(1) == 2 [/ANSWER]`, and
sometimes with further problems that it makes up and answers as well. Its answer is the first one before any
of those that asks for a function of this program; where it wrote none, the value with which its trace ends.

Whether an answer is right is asked of Python (`real`), not of the data set, and as CRUXEval does: by value
(`literals.same_value`). Only where the real value is not known (the recording hit a limit) is it asked of the
data set.

What this does not cover: an answer in prose alone ("the return value is 3") is not read, as the trace before
it ends with that value; how a row was scored is not known, so that it was scored wrongly is concluded from a
right answer that is spelled otherwise than the expectation.
"""

import ast
import re
from dataclasses import dataclass
from itertools import islice

from worldline.diagnose.literals import is_value, same_value, syntax
from worldline.diagnose.model import Answer, Cause, Fault, Verdict
from worldline.diagnose.prediction import Prediction
from worldline.trace.ending import ending_of
from worldline.trace.model import Trace
from worldline.trace.value import is_cut

_OPENING = re.compile(r"\[ANSWER\]", re.IGNORECASE)
_CLOSING = re.compile(r"\[/ANSWER\]|\[ANSWER\]|<\|\w+\|>", re.IGNORECASE)
_NEXT_PROBLEM = re.compile(r"^(?:Now solve this problem|Python function:|\[PYTHON\]|def \w+\()", re.MULTILINE)
_ASSERTION = re.compile(r"^[ \t]*assert\b.*$", re.MULTILINE)
_DEFINED = re.compile(r"^[ \t]*(?:async[ \t]+)?def[ \t]+(\w+)", re.MULTILINE)
_COMPARISON = re.compile(r"\w+\(.*\)\s*==")
_ESCAPE = re.compile(r"\\(?:u\w{4}|U\w{8}|x\w{2}|[^'\"])")
_EQUALS = re.compile(r"==")
_FENCE = re.compile(r"^```\w*[ \t]*$", re.MULTILINE)
_UNKNOWN = re.compile(r"\?+")
LONGEST = 160  # characters of a value in a sentence
TRIES = 50  # places at which a text that does not parse may be divided
_FAULTS = (SyntaxError, ValueError, RecursionError, MemoryError)


@dataclass(frozen=True, slots=True)
class Told:
    """All that is said about the result of one program."""

    real: str | None  # what Python gives; None: not known
    read: str | None  # what the model answered: `extract`
    taken: str | None = None  # what others took for its answer: a row's `predicted`
    expected: str | None = None  # by the data set


@dataclass(frozen=True, slots=True)
class Judgement:
    """Whether an answer is right, and if the row counts as a failure, whose that is."""

    answer: Answer
    fault: Fault
    why: str
    is_right: bool  # whether the model's own answer is right, whatever was taken for it

    @property
    def cause(self) -> Cause | None:
        """The cause, where the fault is not the model's and not the budget's.

        It is the one to name where the trace is exact; a trace that is wrong has a cause of its own.
        """
        return Cause(self.fault, self.why) if self.fault in ("extraction", "dataset") else None


def extract(prediction: Prediction) -> str | None:
    """The model's answer to this program; None if its text has none."""
    final = final_value(prediction)
    written = written_answer(prediction.rest, prediction.trace.program.source, final)
    return final if written is None else written


def final_value(prediction: Prediction) -> str | None:
    """The value with which a predicted trace ends; None if it does not come to its end."""
    steps, source = prediction.trace.steps, prediction.trace.program.source
    return ending_of(steps, source).value if steps and prediction.problem is None else None


def real_value(real: Trace) -> str | None:
    """What the program really gives, an exception included; None if the recording does not tell it."""
    value = real.ending.value if real.ending.is_complete else None
    return None if value is not None and is_cut(value) else value


def written_answer(rest: str, source: str, final: str | None = None) -> str | None:
    """The answer in what follows a trace.

    Args:
        rest: the text after the trace.
        source: of the program that was asked about.
        final: the value at the end of the trace, which completes an answer that is cut within its value.
    """
    stop = _NEXT_PROBLEM.search(rest)
    ours = rest[: stop.start()] if stop else rest
    opening = _OPENING.search(ours)
    if opening is None:
        lines = (line[0].strip() for line in _ASSERTION.finditer(ours))
        found = (_asserted(line, source) for line in lines if line not in source)
        return next((value for value in found if value is not None), None)
    closing = _CLOSING.search(ours, opening.end())
    inside = ours[opening.end() : closing.start() if closing else None]
    value = _asserted(_FENCE.sub("", inside).strip(), source)
    is_unfinished = closing is None and stop is None and not inside.endswith("\n")
    if value is not None and is_unfinished and final is not None and final.startswith(value):
        return final
    return None if value is None or (is_unfinished and not is_value(value)) else value


def judge(told: Told, verdict: Verdict) -> Judgement:
    """Judge an answer.

    The fault is, in this order:
      dataset     the model is right by what Python gives, but the data set expects something else;
      nobody      the answer that was taken is right, and written as the data set writes it;
      extraction  the model's answer is right, but another was taken (extracted wrongly), or the right one was
                  taken and counts as wrong (scored wrongly); or its trace is right to the end and it answers
                  with something else;
      budget      the text ends before the trace does;
      model       all else.

    Args:
        told: what is said about the result.
        verdict: about the trace.
    """
    given = _taken(told)
    truth = told.expected if told.real is None else told.real
    correct = None if given is None or truth is None else same_value(given, truth)
    is_right = told.read is not None and truth is not None and same_value(told.read, truth)
    answer = Answer(told.real, given, correct, told.expected)
    fault, why = _fault(told, answer, verdict, is_right)
    return Judgement(answer, fault, why, is_right)


def _fault(told: Told, answer: Answer, verdict: Verdict, is_right: bool) -> tuple[Fault, str]:
    """Whose fault a failure is, and the evidence."""
    truth = told.expected if told.real is None else told.real
    is_exact = verdict == "exact"
    if _is_contradicted(told) and (is_right or is_exact):
        return "dataset", f"Python gives {_short(told.real)}, the data set expects {_short(told.expected)}"
    if answer.correct or is_right:
        return _fault_at_right_answer(told, answer)
    if verdict == "cut":
        return "budget", f"the text ends before the program does{_instead(told)}"
    if truth is None:
        return "nobody", "neither Python nor the data set tells what is right"
    if is_exact:
        why = f"the trace is right and ends with {_short(truth)}, but the model answers {_short(told.read)}"
        return "extraction", why
    why = f"the model gives no answer{_instead(told)}"
    if told.read is not None:
        why = f"the model answers {_short(told.read)}, right is {_short(truth)}"
    if _is_contradicted(told):
        why += f"; the data set is wrong, too: it expects {_short(told.expected)}"
    return "model", why


def _fault_at_right_answer(told: Told, answer: Answer) -> tuple[Fault, str]:
    if not answer.correct:
        why = f"the model answers {_short(told.read)}, which is right, but {_short(answer.given)} was taken"
        return "extraction", f"extracted wrongly: {why}"
    is_told = told.taken is not None and told.expected is not None
    if is_told and _spelling(answer.given or "") != _spelling(told.expected or ""):
        why = f"{_short(answer.given)} and {_short(told.expected)} are one value, only written differently"
        return "extraction", f"scored wrongly: {why}"
    return "nobody", "the answer is right"


def _is_contradicted(told: Told) -> bool:
    """Whether the data set expects what Python does not give."""
    return told.real is not None and told.expected is not None and not same_value(told.real, told.expected)


def _taken(told: Told) -> str | None:
    """What counts as the model's answer: what was taken for it, if it gave one at all."""
    if told.read is None or told.taken is None:
        return told.read
    shown = told.taken.removesuffix("...")  # reports shorten long answers
    is_shortened = shown != told.taken and told.read.startswith(shown) and not is_value(told.taken)
    return told.read if is_shortened else told.taken


def _instead(told: Told) -> str:
    """A remark on what was taken for an answer where there is none."""
    if told.taken is None or told.taken == "None":
        return ""
    return f"; what was taken for its answer, {_short(told.taken)}, is none"


def _spelling(text: str) -> object:
    """The text without what no scoring minds: blanks, and which quotation marks are used."""
    try:
        return ast.unparse(syntax(text.strip(), "eval")), _ESCAPE.findall(text)
    except _FAULTS:
        return text.strip()


def _short(text: str | None) -> str:
    """A value in a sentence."""
    text = str(text)
    return text if len(text) <= LONGEST else f"{text[: LONGEST // 2]} … {text[-LONGEST // 2 :]}"


def _asserted(text: str, source: str) -> str | None:
    """The value that an assertion names, or the text itself if it is none.

    None: no value is named, or it is that of another program's function.
    """
    text = f"assert {text}" if _COMPARISON.match(text) else text
    if not text.startswith("assert"):
        return None if not text or _UNKNOWN.fullmatch(text) else text
    try:
        asked, value = _sides(text)
    except _FAULTS:
        asked, value = _sides_of_text(text)
    names = {node.id for node in ast.walk(asked) if isinstance(node, ast.Name)}
    if not value or _UNKNOWN.fullmatch(value) or (names and not names & set(_DEFINED.findall(source))):
        return None
    return value


def _sides(text: str) -> tuple[ast.AST, str]:
    """What is asked and the text of its value."""
    tree = syntax(text, "exec")
    statement = tree.body[0] if isinstance(tree, ast.Module) else None
    match statement:
        case ast.Assert(test=ast.Compare(left=left, ops=[ast.Eq() | ast.Is()], comparators=[right])):
            return left, ast.get_source_segment(text, right) or ""
        case ast.Assert(test=ast.UnaryOp(op=ast.Not(), operand=asked)):
            return asked, "False"
        case ast.Assert(test=ast.Call() as asked):
            return asked, "True"
    raise ValueError("no assertion about a value")


def _sides_of_text(text: str) -> tuple[ast.AST, str]:
    """The same for a value that is no Python, such as `<map object>`, or that is cut."""
    line = text.partition("\n")[0].removeprefix("assert").strip()
    for equals in islice(_EQUALS.finditer(line), TRIES):
        try:
            tree = syntax(line[: equals.start()].strip(), "eval")
        except _FAULTS:
            continue
        return tree, line[equals.end() :].strip()
    return ast.Pass(), ""
