"""This file is our benchmarks as a task of Inspect: `inspect eval worldline/worldline_bench --model M`.

A model is asked in words for what a program's call gives, or (`ask="trace"`) for the whole trace, as
`models/chat.py` asks for it. Scored is by us: the program runs in a box, and the answer is right (C) if it is
the value that Python gives. Beside it, in the score's metadata: `verdict` (of the trace; empty for an answer
alone), `cause` and `why`, `steps_right` of `steps`, `real`, `expected` and the box's `isolation`.

Inspect is imported when the task is asked for, so that this file may be imported without it.

What it does not cover: Inspect's own sandbox is not used, ours is; problems that have no program, or one that
is neither a call nor a function, are left out, and the task's metadata says how many.
"""

import platform
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

from worldline.bench.model import Problem, settings_of
from worldline.bench.registry import benchmark as load_benchmark
from worldline.diagnose.answers import Told, judge, real_value, written_answer
from worldline.diagnose.diagnosis import Asked, diagnose
from worldline.diagnose.model import Verdict
from worldline.diagnose.prediction import of_text
from worldline.diagnose.subject import Subject, subject
from worldline.errors import UserError, missing_extra
from worldline.formats.cwm import CWM
from worldline.models import chat
from worldline.record.box import choose
from worldline.record.entry import as_marked
from worldline.trace.model import Program

if TYPE_CHECKING:
    from inspect_ai import Task
    from inspect_ai.dataset import Sample
    from inspect_ai.scorer import Scorer

How = Literal["answer", "trace"]
Metadata = dict[str, Any]
NAME = "worldline_bench"
QUESTION = """\
Here is a Python program. Work out what `{call}` gives when Python {python} runs it: the value that it \
returns, as repr() writes it, or, if it raises an exception, the repr() of that exception.

```python
{source}
```
{stdin}
You may think first. End with the value alone between [ANSWER] and [/ANSWER]."""


def __getattr__(name: str) -> Any:
    """The task `worldline_bench`, made when it is first asked for."""
    if name != NAME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        from inspect_ai import task
    except ImportError:
        raise missing_extra("inspect-ai", "inspect") from None
    globals()[NAME] = made = task(name=NAME)(_worldline_bench)
    return made


def _worldline_bench(
    benchmark: str = "cruxeval",
    data: str | None = None,
    limit: int | None = None,
    seed: int = 0,
    ask: How = "answer",
    isolation: str = "strict",
) -> "Task":
    """A benchmark of ours, told what a program gives.

    Args:
        benchmark: its name.
        data: its setting of that name: a file, or "hub".
        limit: only so many problems.
        seed: of the problems.
        ask: for the answer alone, or for the trace.
        isolation: of the box: strict (bwrap or sandlock, or refuse), bwrap, sandlock, process.
    """
    chosen = load_benchmark(benchmark)
    settings = settings_of(chosen, [f"data={data}"] if data else [])
    return task_of(chosen.problems(settings, seed, isolation)[:limit], ask, isolation)


def task_of(problems: Sequence[Problem], ask: How = "answer", isolation: str = "strict") -> "Task":
    """The task that asks these problems."""
    from inspect_ai import Task
    from inspect_ai.solver import generate

    if ask not in ("answer", "trace"):
        raise UserError(f"one cannot ask for {ask!r}", "ask for answer or trace")
    asked = {each.id: each for each in problems if _is_askable(each)}
    if not asked:
        raise UserError("there is no problem that can be asked", "choose another benchmark or setting")
    return Task(
        dataset=[_sample(each, ask) for each in asked.values()],
        solver=generate(),
        scorer=_scorer(asked, ask, choose(isolation)),
        metadata={"ask": ask, "left_out": len(problems) - len(asked)},
    )


def _is_askable(problem: Problem) -> bool:
    return problem.program is not None and problem.program.entry.kind in ("call", "function")


def _sample(problem: Problem, ask: How) -> "Sample":
    from inspect_ai.dataset import Sample
    from inspect_ai.model import ChatMessageAssistant, ChatMessageSystem, ChatMessageUser

    program = _program(problem)
    kinds = {"system": ChatMessageSystem, "user": ChatMessageUser, "assistant": ChatMessageAssistant}
    told = chat.trace_messages(as_marked(program).source)
    return Sample(
        id=problem.id,
        input=question(program)
        if ask == "answer"
        else [kinds[each["role"]](content=each["content"]) for each in told],
        target=problem.expected or "",
        metadata=dict(problem.labels),
    )


def question(program: Program) -> str:
    """What a model is asked for the answer alone."""
    entry = program.entry
    return QUESTION.format(
        call=entry.text if entry.kind == "call" else f"{entry.text}()",
        python=".".join(platform.python_version_tuple()[:2]),
        source=program.source.strip("\n"),
        stdin=f"Its standard input is {entry.stdin!r}.\n" if entry.stdin else "",
    )


def _scorer(asked: Mapping[str, Problem], ask: How, isolation: str) -> "Scorer":
    from anyio import to_thread
    from inspect_ai.scorer import CORRECT, INCORRECT, Score, Target, accuracy, scorer, stderr
    from inspect_ai.solver import TaskState

    judged = judged_answer if ask == "answer" else judged_trace

    def value_that_python_gives() -> "Scorer":
        async def score(state: TaskState, target: Target) -> Score:
            problem, output = asked[str(state.sample_id)], state.output
            is_cut = output.stop_reason in ("max_tokens", "model_length")
            is_right, answer, told = await to_thread.run_sync(
                judged, problem, output.completion, is_cut, isolation
            )
            return Score(
                value=CORRECT if is_right else INCORRECT,
                answer=answer,
                explanation=told["why"] or None,
                metadata=told,
            )

        return score

    made: Scorer = scorer(metrics=[accuracy(), stderr()], name="worldline")(value_that_python_gives)()
    return made


def judged_answer(
    problem: Problem, reply: str, is_cut: bool, isolation: str
) -> tuple[bool, str | None, Metadata]:
    """Whether a reply has the right answer, the answer, and what is told beside it."""
    try:
        found = subject(_program(problem), None, isolation)
    except UserError as error:
        return False, None, _told(None, problem, "flaw", error.what)
    given = written_answer(reply, _program(problem).source)
    verdict: Verdict = "cut" if is_cut else "diverged"
    judgement = judge(Told(real_value(found.real), given, None, problem.expected), verdict)
    cause = "" if judgement.fault == "nobody" else judgement.fault
    return judgement.is_right, given, _told(found, problem, cause, judgement.why if cause else "")


def judged_trace(
    problem: Problem, reply: str, is_cut: bool, isolation: str
) -> tuple[bool, str | None, Metadata]:
    """The same for a reply that is a trace; that it was cut is seen from the text."""
    try:
        found = subject(_program(problem), None, isolation)
    except UserError as error:
        return False, None, _told(None, problem, "flaw", error.what)
    text = chat.written_trace(reply)
    if text is None:
        nothing = _told(found, problem, "budget" if is_cut else "format", "the reply holds no trace")
        return False, None, nothing | {"verdict": "cut" if is_cut else "unreadable"}
    asked = Asked(problem.id, problem.expected)
    prediction = of_text(text, found.program, CWM, "inspect")
    diagnosis = diagnose(found.real, prediction, asked=asked, isolation=isolation).diagnosis
    cause = diagnosis.cause
    told = _told(found, problem, cause.name if cause else "", cause.why if cause else "")
    told |= {"verdict": diagnosis.verdict, "steps_right": diagnosis.steps_right}
    told |= {"kind": diagnosis.divergence.kind if diagnosis.divergence else ""}
    return diagnosis.answer.correct is True, diagnosis.answer.given, told


def _told(found: Subject | None, problem: Problem, cause: str, why: str) -> Metadata:
    return {
        "verdict": "",
        "cause": cause,
        "why": why,
        "steps": len(found.real.steps) if found else 0,
        "steps_right": 0,
        "real": real_value(found.real) if found else None,
        "expected": problem.expected,
        "isolation": found.real.origin.isolation if found else "",
    }


def _program(problem: Problem) -> Program:
    """The program of a problem that can be asked."""
    assert problem.program is not None
    return problem.program
