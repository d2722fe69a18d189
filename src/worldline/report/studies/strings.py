"""This file is the page of the strings study."""

from collections.abc import Callable, Collection, Mapping, Sequence
from statistics import fmean
from typing import Any

from worldline.learn.studies.grid import Outcome, Study, finals
from worldline.learn.studies.strings import ARMS, ASIDE, CURRICULUM, QUESTIONS
from worldline.learn.studies.strings_questions import BUCKETS, FROM_STRING_TO_STRING, LONGEST, OPERATIONS
from worldline.learn.studies.strings_scoring import BROKEN, LONG_ANSWER
from worldline.learn.studies.strings_written import SUBWORDS
from worldline.report.charts import Chart, Point, Series
from worldline.report.studies.parts import (
    Made,
    Page,
    cost_table,
    diverged,
    diverged_note,
    edge_note,
    made_by,
    spread,
    sweep_table,
    table,
)
from worldline.report.studies.strings_told import (
    LABELS,
    Results,
    broken_told,
    converged_told,
    failures_told,
    is_converged,
    lengths,
    order,
    shares,
    tried_told,
)

EQUAL = {
    "equal steps": ("bytes", "subwords", "typed"),
    "equal characters": ("bytes", "subwords-chars", "typed-chars"),
}
LONGEST_RUNS = {
    f"the end of the longest runs with the rows of {budget}": tuple(lengths(arm)[-1] for arm in arms)
    for budget, arms in EQUAL.items()
}
SHOWN = next(iter(LONGEST_RUNS))
"""What the plots show: the arms as far as they were trained."""
HEAD = """\
# Strings: bytes, subwords or typed state?

A string is held by a variable; one operation on it, or a composition of two, gives a new string or an
integer. The same network ({layers} layers, width {width}; only the embedding's size differs) learns to
foretell the value from the same questions, written in four ways. It is of the embedded model's kind: a
Transformer that is also given the two tokens before each, and where the same token stood first and last. A
plain Transformer had not converged in 6,000 iterations (docs/LOG.md).

- **bytes**: plain text, one token a character: `x='abca'`, `y = x.replace('a', 'bc')`, `y='bcbcbc'`.
- **subwords**: the same text in a byte-pair vocabulary of {subwords:,} tokens, trained on such text.
- **typed**: a token for the place before each character, digits least significant first, and in the
  answer the place that each character comes from: `P0 a P1 b P2 c P3 a`, `replace a , b c ?`, `STR P0 b
  P0 c P1 b ...`. Only the value counts: its places may be wrong. Writing them gives the network more to
  learn from, and more tokens to write.
- **bare**: typed, but for the places in answers: what is left of it without being told where each character
  comes from. It is in the short runs that choose learning rates only.

In all of them a token of its own begins the string, and one begins each question.

Operations: {operations}; compositions: any of {firsts}, then any of all. Strings have 1 to {longest}
of fifteen lower-case letters, half of them syllables of which some are frequent, half at random. A row of the
training is a string and {questions} questions with their answers, each of which sees the string and itself
only; all tokens of answers together weigh 1,
all others together {aside:g}. What is easy comes first, alike for all: {curriculum}. One question of eight,
by its text, is held out of all training: half of them for validation, half for the test; none comes twice.

{iterations:,} iterations in two budgets. **Equal steps**: each has about the same number of tokens, so that a
shorter way to write sees more questions. **Equal characters**: each has the rows that bytes have, so that all
see the same questions. `bytes` is the same run in both. **The longest runs**: what learns slowly is also
trained for longer, to see where it ends: {longer},
with the learning rate of the shorter runs and the same curriculum, drawn out to their length. Typed state,
which learns fast, has the runs of {iterations:,} there.

Answers are decoded greedily, token by token. The test has {tested:,} questions, the same for all. Numbers
are means over {seeds} seeds, then the smallest and the largest; a seed changes the weights at the start
and the training data.
"""

LIMITS = f"""\
## What this does not show

One size, one amount of data: this is the order of what is learnt within the budget. The strings are made
up, short ({LONGEST} characters at most), lower-case ASCII; the subwords are trained on the same kind of
text, which may suit them better than a vocabulary of the web would. No program runs on: each question
stands alone, with its string in sight. The learning rate falls to a tenth at the end, so a flat curve
there is no proof that more training would not help; typed state has no longer runs to show it. That the
network is told where the same token stood
helps most where a token is a character, and a character always the same token: in bytes the letters of
`replace` match those of strings, in subwords a letter inside a longer token matches nothing, in typed state
each place matches itself. Typed state differs from bytes in more than places: an operation is one token,
there are no quotes, brackets and names, and digits come the other way round. Learning rates are chosen in
shorter runs: the best there need not be the best at the end, least of all at that of the longest runs.
"""


def page(study: Study, outcomes: Sequence[Outcome], made: Made) -> Page:
    """What was found, first in words."""
    found: Results = {
        arm: [each.result for each in ended if each.result is not None]
        for arm, ended in finals(study, outcomes).items()
    }
    tested = next((each["test"]["all"]["all"][1] for ended in found.values() for each in ended), 0)
    lost = diverged(study, outcomes)
    parts = [_head(study, made, tested), "## What came out\n", *diverged_note(lost)]
    parts += _answers(found, made.seeds, lost)
    parts += ["## By operation\n", _by_operation(found), "", "## By length of the string\n"]
    parts += [_table_of(found, "length", "characters", LENGTHS), "", "![By length](length)\n"]
    both = [f"{operation} {length}" for operation in (*OPERATIONS, "composition") for length in LENGTHS]
    parts += [_table_of(found, "operation_by_length", "operation, characters", both), ""]
    parts += ["## Strings and integers\n", failures_told(found), "", _by_value(found), ""]
    parts += ["## Where tokens break\n", _BROKEN_WORDS]
    parts += [f"{broken_told(found, budget, arms[:2])}\n" for budget, arms in EQUAL.items()]
    for budget, arms in LONGEST_RUNS.items():
        if all(is_converged(found, arm) for arm in arms[:2]):
            parts += [f"{broken_told(found, budget, arms[:2])}\n"]
    parts += [_table_of(found, "broken", "other subwords", BROKEN), ""]
    parts += [f"Answers of {LONG_ANSWER} characters and more:\n"]
    parts += [_table_of(found, "broken_long", "other subwords", BROKEN), ""]
    parts += ["![Right answers by subwords that the input does not have](broken)\n"]
    parts += ["## Did it converge?\n", converged_told(found), "", "![Validation accuracy](curves)\n"]
    parts += [
        "## Learning rates\n",
        _SWEEP_WORDS.format(study.trial["iterations"]) + edge_note(study, outcomes),
        "",
        sweep_table(study, outcomes),
        "",
        tried_told(study, outcomes),
    ]
    parts += ["\n## Sizes and cost\n", cost_table(study, outcomes), "", _seen_table(found), ""]
    parts += ["## Every composition\n", _compositions(found), "", LIMITS, made_by(made, outcomes)]
    charts = {
        "curves": _curves(found, made.seeds),
        "broken": _by_broken(found, made.seeds),
        "length": _by_length(found, made.seeds),
    }
    return Page("\n".join(parts) + "\n", charts)


LENGTHS = [f"{low}-{high}" for low, high in BUCKETS]

_BROKEN_WORDS = """\
How many subwords of an answer's string the input does not have in the same place: a token is **other** unless
its characters are exactly one token of the input, unchanged and in their order. What is cut out of a token,
glued together from several, turned round or new is other. The columns of the other ways to write are the same
questions, grouped by the same count: from row to row they show how hard the questions are by themselves.
"""
_SWEEP_WORDS = (
    "Validation accuracy at the end of {:,} iterations (one seed, runs that only choose), every token of an "
    "answer foretold after the true ones before it; of equals the one with the smaller loss. The best, in "
    "bold, has the runs of all seeds. "
)


def _answers(found: Results, seeds: int, lost: Collection[str]) -> list[str]:
    """Who is right how often, and who is ahead of whom; not of arms that have lost some of their seeds."""
    parts = []
    for budget, arms in (EQUAL | LONGEST_RUNS).items():
        late = [LABELS[arm] for arm in arms if not is_converged(found, arm)]
        is_last = budget in LONGEST_RUNS
        kept = [arm for arm in arms if not is_last or LABELS[arm] not in late]
        scores = {ARMS[arm].words: shares(found.get(arm, []), "all", "all") for arm in kept}
        after = {ARMS[arm].words: _after(found.get(arm, [])) if is_last else "" for arm in kept}
        whole = scores | {ARMS[arm].words: [] for arm in kept if arm in lost}
        ranked = sorted(scores, key=lambda name: -fmean(scores[name] or [0.0]))
        told = ", ".join(f"{name} {spread(scores[name])}{after[name]}" for name in ranked)
        word = "left out here" if is_last else "with them it is a matter of speed"
        words = [
            f"**At {budget}** the shares of right answers are: {told or 'none'}.",
            order(ranked, whole),
            f"Not converged: {', '.join(late)}; {word}." if late else "",
        ]
        parts.append(" ".join(filter(None, words)) + "\n")
    if seeds > 1:
        parts.append(f"*Clearly ahead* means: the worst of {seeds} seeds is better than the other's best.\n")
    else:
        parts.append("There is one seed only: *clearly ahead* means no more than a higher number.\n")
    return parts


def _after(results: Sequence[Mapping[str, Any]]) -> str:
    """How much training that is."""
    facts = results[0]["facts"] if results else {"iterations": 0, "questions": 0}
    return f" after {facts['iterations']:,} iterations and {facts['questions']:,} questions"


def _head(study: Study, made: Made, tested: int) -> str:
    setting = study.arms["bytes"]
    stages = [
        f"up to {length} characters, {share:.0%} compositions"
        + (f" until {until:.0%} of the iterations" if until < 1 else " from there on")
        for until, length, share in CURRICULUM
    ]
    return HEAD.format(
        layers=setting["layers"],
        width=setting["width"],
        subwords=SUBWORDS,
        operations=", ".join(OPERATIONS),
        firsts=", ".join(FROM_STRING_TO_STRING),
        longest=LONGEST,
        questions=QUESTIONS,
        aside=ASIDE,
        curriculum="; ".join(stages),
        iterations=setting["iterations"],
        longer=_longer_told(study),
        tested=tested,
        seeds=made.seeds,
    )


def _longer_told(study: Study) -> str:
    """Which arms have how many iterations in their longer runs."""
    told = []
    for shortest in dict.fromkeys(study.follows.values()):
        counts = [f"{study.arms[arm]['iterations']:,}" for arm in lengths(shortest)[1:]]
        told.append(f"{LABELS[shortest].replace(', ', ' at ')} for {' and '.join(counts)} iterations")
    return ", ".join(told)


def _table_of(
    found: Results, kind: str, name: str, groups: Sequence[str], extra: Callable[[str], str] | None = None
) -> str:
    """A row for each group, a column for each arm, and n."""
    some = next((ended[0] for ended in found.values() if ended), None)
    counts = some["test"].get(kind, {}) if some else {}
    rows = [
        [
            group,
            *(spread(shares(results, kind, group)) for results in found.values()),
            *([extra(group)] if extra else []),
            str(counts[group][1]),
        ]
        for group in groups
        if group in counts
    ]
    return table([name, *(LABELS[arm] for arm in found), *(["no learning"] if extra else []), "n"], rows)


def _by_operation(found: Results) -> str:
    some = next((ended[0] for ended in found.values() if ended), None)

    def trivial(group: str) -> str:
        right, asked = some["trivial"]["operation"][group] if some else (0, 1)
        return f"{right / asked:.3f}"

    words = "*No learning* is what the string as it was comes to, and for an integer the most frequent one."
    return _table_of(found, "operation", "operation", [*OPERATIONS, "composition"], trivial) + "\n\n" + words


def _by_value(found: Results) -> str:
    return _table_of(found, "value", "value", ["str", "int"])


def _compositions(found: Results) -> str:
    kinds = [f"{first}+{second}" for first in FROM_STRING_TO_STRING for second in OPERATIONS]
    return _table_of(found, "kind", "composition", kinds)


def _seen_table(found: Results) -> str:
    rows = []
    for arm, results in found.items():
        for facts in [result["facts"] for result in results[:1]]:
            inner = facts["parameters"] - facts["embedding"]
            counts = (inner, facts["embedding"], facts["vocabulary"], facts["iterations"])
            seen = (facts["tokens"], facts["characters"], facts["questions"])
            rows.append([LABELS[arm], *(f"{each:,}" for each in (*counts, *seen))])
    head = ["arm", "parameters without embedding", "of the embedding", "vocabulary", "iterations"]
    return table([*head, "tokens seen", "characters seen", "questions seen"], rows)


def _curves(found: Results, seeds: int) -> Chart:
    lines = []
    for arm, results in found.items():
        if not results:
            continue
        points = [
            Point(
                float(at[0]),
                fmean(each[1] for each in (result["curve"][place] for result in results)),
            )
            for place, at in enumerate(results[0]["curve"])
        ]
        lines.append(Series(LABELS[arm], tuple(points)))
    return Chart(
        title="Validation answers foretold in their own tokens, by iteration",
        x_title="iteration",
        y_title="questions right",
        series=tuple(lines),
        is_log_x=True,
        y_range=(0.0, 1.0),
        note=f"mean of {seeds} seeds at the chosen learning rate; compare shapes, not heights",
    )


def _by_broken(found: Results, seeds: int) -> Chart:
    return Chart(
        title="Right answers, by subwords that the input does not have",
        x_title=f"other tokens in the answer's subwords ({len(BROKEN) - 1}: or more)",
        y_title="answers right",
        series=_lines(found, "broken_long", BROKEN, range(len(BROKEN))),
        y_range=(0.0, 1.0),
        note=f"the same questions for all: answers of {LONG_ANSWER} characters and more; "
        f"{SHOWN}, mean of {seeds} seeds",
    )


def _by_length(found: Results, seeds: int) -> Chart:
    return Chart(
        title="Right answers, by length of the string",
        x_title="characters at most",
        y_title="answers right",
        series=_lines(found, "length", LENGTHS, [high for _, high in BUCKETS]),
        y_range=(0.0, 1.0),
        note=f"{SHOWN}, mean of {seeds} seeds",
    )


def _lines(found: Results, kind: str, groups: Sequence[str], places: Sequence[int]) -> tuple[Series, ...]:
    lines = []
    for arm in LONGEST_RUNS[SHOWN]:
        every = [shares(found.get(arm, []), kind, group) for group in groups]
        points = [Point(float(at), fmean(each)) for at, each in zip(places, every, strict=True) if each]
        lines.append(Series(LABELS[arm], tuple(points)))
    return tuple(lines)
