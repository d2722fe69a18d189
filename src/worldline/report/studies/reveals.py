"""This file is the page of the study of sparse reveals."""

from collections.abc import Collection, Mapping, Sequence
from statistics import fmean
from typing import Any

from worldline.learn.studies.grid import Outcome, Study, finals
from worldline.learn.studies.reveals import (
    GROUPS,
    JOINED,
    LENGTH,
    LENGTHS,
    NETWORKS,
    SPACINGS,
    UNSEEN,
    actions,
    chance,
    variables,
)
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

Test = dict[tuple[int, int], Mapping[str, Any]]
"""Spacing and length -> right, states: of one seed."""
Found = Mapping[str, Sequence[Test]]
"""Arm -> its seeds."""

LABELS = {
    "transformer": "Transformer",
    "deltanet-positive": "DeltaNet [0,1]",
    "deltanet": "DeltaNet [-1,1]",
    "deltaproduct": "DeltaProduct",
    "hybrid": "hybrid",
}

PUBLISHED = {
    ("deltanet", "above", "deltanet-positive"): "arXiv 2602.14814",
    ("deltanet", "above", "transformer"): "arXiv 2602.14814",
    ("deltaproduct", "at least", "deltanet"): "arXiv 2502.10297",
}
"""Relation -> who has found it."""
EXPECTED = {
    ("deltanet", "at least", "hybrid"): "ours",
    ("hybrid", "above", "deltanet-positive"): "ours",
    ("deltanet-positive", "above", "transformer"): "ours",
}
"""What we expected besides, of networks that those papers do not compare."""

HOLDS, FAILS, OPEN = "holds", "is reversed", "is open"

HEAD = """\
# Sparse reveals: which network tracks a state that it does not see?

A few variables hold a permutation. Every action permutes their values and is one token; the whole state is
shown at the start and then after every k actions. In between the network has to keep track of it by itself.
Published results say that a linear recurrent network can do so if the eigenvalues of its transitions may be
negative (DeltaNet [-1,1]), that one without (DeltaNet [0,1]) and a Transformer cannot once k grows (Siems et
al., arXiv 2602.14814; Grazzi et al., arXiv 2411.12537), and that several steps a token help where an action
is more than a swap (DeltaProduct, arXiv 2502.10297). So the published order is: DeltaNet [-1,1] above
DeltaNet [0,1] and above the Transformer, DeltaProduct at least as good as DeltaNet [-1,1]. No paper compares
all five: that a hybrid is between the two DeltaNets, and DeltaNet [0,1] above the Transformer, is what we
expected. Does it hold at our size?

{groups}

All networks have about the same number of parameters, and all see the same rows: {iterations}, {batch} rows
each, {length} actions a row, one k for each iteration. Of {spacings} the wider ones join one after the other;
from {joined} of the iterations on all are equally frequent. The loss is on the tokens of shown states alone.
{shapes}

A shown state counts as right if all of its tokens are; each is asked for with the true ones before it, so
this is what greedy decoding would write. Test rows are {rows} for each k and length, the same for all
networks; k = {unseen} and lengths above {length} are never trained. Numbers are means over {seeds} seeds,
then the smallest and the largest of them; a seed changes the weights at the start and the training data.
"""


def page(study: Study, outcomes: Sequence[Outcome], made: Made) -> Page:
    """What was found, first in words."""
    found = {arm: _results(each) for arm, each in finals(study, outcomes).items()}
    lost = diverged(study, outcomes)
    parts = [_head(study, made), "## Does the published order hold?\n", *diverged_note(lost)]
    parts += [answer(found, made.seeds, lost), ""]
    charts: dict[str, Chart] = {}
    for group in GROUPS:
        parts += [f"## {group}\n", f"A guess is right in {100 * chance(group):.1f} % of cases.\n"]
        for length in LENGTHS:
            beyond = "" if length == LENGTH else f", {length // LENGTH} times the trained length"
            parts += [f"{length} actions{beyond}:\n", _cells(found, group, length), ""]
        name = group.lower()
        parts += [f"![{group}: accuracy by spacing](spacing-{name})\n"]
        parts += [f"![{group}: accuracy by length](length-{name})\n"]
        charts[f"spacing-{name}"] = _by_spacing(found, group, made.seeds)
        charts[f"length-{name}"] = _by_length(found, group, made.seeds)
    parts += ["## Learning rates\n", _sweep_words(study, outcomes), "", sweep_table(study, outcomes), ""]
    parts += ["## Sizes and cost\n", cost_table(study, outcomes), "", LIMITS, made_by(made, outcomes)]
    return Page("\n".join(parts) + "\n", charts)


LIMITS = """\
## What this does not show

One size, one amount of data, and little of it: a network that has not learnt something here may with more of
either, so the order is one of what is learnt within this budget. Equal rows are not equal time; the table
says what each costs. Actions are tokens of their own, not program text. A shown state is always the true one,
so no error lives on beyond it. With equal parameters, more layers are narrower ones: other depths were not
tried. DeltaProduct has as many steps of the delta rule a token as published for S3; for S5 these are four.
The order is that of means over all k. At k = 1 nothing is hidden: where two networks fail at all wider
spacings, as most do on S5, it is there that they differ, and by little.
"""


def answer(found: Found, seeds: int, lost: Collection[str] = ()) -> str:
    """The order, relation by relation and group by group, as the numbers have it.

    Args:
        found: the tests of each arm.
        seeds: how many there are of each.
        lost: arms some of whose seeds have come to nothing.
    """
    told = []
    for group in GROUPS:
        scores = {name: [_mean(each) for each in found[f"{group}-{name}"]] for name in NETWORKS}
        ranked = sorted(scores, key=lambda name: -fmean(scores[name] or [0.0]))
        line = ", ".join(f"{LABELS[name]} {spread(scores[name])}" for name in ranked)
        verdicts = {
            (one, how, other): verdict(scores[one], how, scores[other])
            if not {f"{group}-{one}", f"{group}-{other}"} & {*lost}
            else OPEN
            for one, how, other in (*PUBLISHED, *EXPECTED)
        }
        all_hold = all(verdicts[relation] == HOLDS for relation in PUBLISHED)
        summary = "the published order holds" if all_hold else "the published order does not hold in full"
        told += [f"**{group}: {summary}.** Mean over all k and lengths: {line}.\n"]
        rows = [
            [f"{LABELS[one]} {how} {LABELS[other]}", {**PUBLISHED, **EXPECTED}[one, how, other], each]
            for (one, how, other), each in verdicts.items()
        ]
        told += [table(["relation", "found or expected by", "verdict"], rows), ""]
    return "\n".join(told) + (
        f"\n*Above* holds if the worst of {seeds} seeds is better than the best of the other, *at least* "
        "if the mean is not lower; either is reversed if the best seed is worse than the worst of the other, "
        "and open in between."
    )


def verdict(one: Sequence[float], how: str, other: Sequence[float]) -> str:
    """Whether a relation holds between the seeds of two arms."""
    if not one or not other:
        return OPEN
    if min(one) > max(other) or (how == "at least" and fmean(one) >= fmean(other)):
        return HOLDS
    return FAILS if max(one) < min(other) else OPEN


def _results(outcomes: Sequence[Outcome]) -> list[Test]:
    """The test of each seed that has one."""
    return [
        {(cell["spacing"], cell["length"]): cell for cell in each.result["test"]}
        for each in outcomes
        if each.result is not None
    ]


def _mean(test: Test) -> float:
    return fmean(cell["right"] for cell in test.values())


def _head(study: Study, made: Made) -> str:
    settings = list(study.arms.values())
    groups = [
        f"{group}: {variables(group)} variables, {len(actions(group))} actions "
        f"({'all permutations' if group == 'S3' else 'of 120: swaps, longer cycles, products'})."
        for group in GROUPS
    ]
    shapes = [
        f"{LABELS[name]} has {network['layers']} layers of {network['heads']} heads"
        + (
            f" and {network['householders']} steps of the delta rule a token"
            if "householders" in network
            else ""
        )
        for name, network in ((name, study.arms[f"{GROUPS[0]}-{name}"]) for name in NETWORKS)
    ]
    return HEAD.format(
        groups=" ".join(groups),
        iterations=f"{settings[0]['iterations']:,} iterations",
        batch=settings[0]["batch"],
        length=LENGTH,
        spacings=", ".join(map(str, SPACINGS)),
        joined=f"{JOINED:.0%}".replace("%", " %"),
        shapes="; ".join(shapes) + ".",
        rows=settings[0]["rows"],
        unseen=UNSEEN,
        seeds=made.seeds,
    )


def _cells(found: Found, group: str, length: int) -> str:
    spacings = (*SPACINGS, UNSEEN)
    rows = []
    for name, label in LABELS.items():
        tests = found[f"{group}-{name}"]
        rows.append([label, *(spread([test[k, length]["right"] for test in tests]) for k in spacings)])
    some = next((tests[0] for tests in found.values() if tests), None)
    heads = [f"k={k}{' (unseen)' if k == UNSEEN else ''}" for k in spacings]
    if some is not None:
        rows.append(["states a seed", *(f"{some[k, length]['states']:,}" for k in spacings)])
    return table(["network", *heads], rows)


def _by_spacing(found: Found, group: str, seeds: int) -> Chart:
    lines = []
    for name, label in LABELS.items():
        tests = found[f"{group}-{name}"]
        points = [
            Point(k, fmean(test[k, LENGTH]["right"] for test in tests)) for k in (*SPACINGS, UNSEEN) if tests
        ]
        lines.append(Series(label, tuple(points)))
    return Chart(
        title=f"{group}: states right, by how seldom they are shown",
        x_title="actions between two shown states",
        y_title="states right",
        series=tuple(lines),
        is_log_x=True,
        y_range=(0.0, 1.0),
        note=f"{LENGTH} actions, mean of {seeds} seeds; {UNSEEN} was never trained",
    )


def _by_length(found: Found, group: str, seeds: int) -> Chart:
    lines = []
    for name, label in LABELS.items():
        tests = found[f"{group}-{name}"]
        points = [
            Point(length, fmean(test[k, length]["right"] for test in tests for k in SPACINGS))
            for length in LENGTHS
            if tests
        ]
        lines.append(Series(label, tuple(points)))
    return Chart(
        title=f"{group}: states right, by length",
        x_title="actions in a row",
        y_title="states right",
        series=tuple(lines),
        is_log_x=True,
        y_range=(0.0, 1.0),
        note=f"mean over k = {', '.join(map(str, SPACINGS))} and {seeds} seeds; trained at {LENGTH}",
    )


def _sweep_words(study: Study, outcomes: Sequence[Outcome]) -> str:
    return (
        f"Validation accuracy (mean over k = {', '.join(map(str, SPACINGS))} at {LENGTH} actions; rows of "
        "their own) of seed 0 at each learning rate; of equals the one with the smaller loss. The best, in "
        "bold, has the further seeds; its seed 0 counts among them. " + edge_note(study, outcomes)
    )
