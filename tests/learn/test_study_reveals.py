"""The study of sparse reveals: its rows are true, its score too, its networks are of equal size."""

from collections import Counter
from dataclasses import replace
from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from worldline.errors import UserError
from worldline.learn.studies import reveals, study_called, study_names
from worldline.learn.studies.reveals import GROUPS, LENGTH, SPACINGS, accuracy, row
from worldline.learn.training.config import Stage

numpy = pytest.importorskip("numpy", reason="no numpy: pip install 'worldline[learn]'")
SEED = st.integers(0, 2**32)
PLACE = st.tuples(st.sampled_from((1, 2, 4, 8)), st.integers(0, 5)).map(lambda each: (each[0], 8 * each[1]))


def read(group, tokens):
    """A row as people would say it: what every token means, by another way than it was made."""
    known, many = reveals.actions(group), reveals.variables(group)
    for token in tokens:
        if token < len(known):
            yield "action", known[token]
        else:
            yield "shown", divmod(token - len(known), many)


@given(st.sampled_from(GROUPS), PLACE, SEED)
def test_every_state_that_is_shown_is_what_the_actions_have_made_of_the_one_before(group, place, seed):
    spacing, length = place
    tokens, is_learnt = row(group, spacing, length, [seed])
    many = reveals.variables(group)
    assert len(tokens) - 1 == reveals.width_of(group, spacing, length)
    meaning = list(read(group, tokens))
    assert is_learnt == [kind == "shown" and at >= many for at, (kind, _) in enumerate(meaning)]
    held, since, shown = {}, 0, {}
    for kind, what in meaning:
        if kind == "shown":
            shown[what[0]] = what[1]
            if held:
                assert since == spacing
                assert held[what[0]] == what[1]
            continue
        if shown:
            assert sorted(shown) == sorted(shown.values()) == list(range(many))
            held, since, shown = shown, 0, {}
        held = {at: held[source] for at, source in enumerate(what)}
        since += 1
    assert sum(kind == "action" for kind, _ in meaning) == length


@pytest.mark.parametrize(("group", "many", "moved"), [("S3", 6, {0, 2, 3}), ("S5", 20, {0, 2, 3, 4, 5})])
def test_the_actions_are_of_all_kinds_and_lead_everywhere(group, many, moved):
    found = reveals.actions(group)
    assert len(set(found)) == len(found) == many
    assert {sum(at != source for at, source in enumerate(action)) for action in found} == moved
    assert max(max(row(group, 1, 64, [each])[0]) for each in range(20)) == reveals.vocabulary(group) - 1
    reached, new = set(), {tuple(range(reveals.variables(group)))}
    while new:
        reached |= new
        new = {tuple(state[source] for source in action) for state in new for action in found} - reached
    assert len(reached) == 1 / reveals.chance(group)


def test_an_unknown_group_is_refused():
    with pytest.raises(UserError, match="no group 'S4'"):
        reveals.actions("S4")


@given(st.integers(0, 9), st.integers(0, 10_000), st.sampled_from(GROUPS))
def test_the_rows_of_an_iteration_have_one_spacing_and_depend_on_seed_iteration_and_number_alone(
    seed, iteration, group
):
    stream = partial(reveals.stream, iteration, group=group, iterations=5_000)
    rows = [stream(rank, 4, Stage(), seed=seed) for rank in range(4)]
    again = stream(2, 99, Stage(0.5), seed=seed)
    assert numpy.array_equal(again.ids_BT, rows[2].ids_BT)
    assert len({each.ids_BT.shape for each in rows}) == 1
    assert len({each.ids_BT.tobytes() for each in rows}) == 4
    other = stream(2, 4, Stage(), seed=seed + 10)
    assert other.ids_BT.tobytes() != rows[2].ids_BT.tobytes()
    for each in rows:
        assert numpy.array_equal(each.ids_BT[1:], each.targets_BT[:-1])
        assert each.weights_BT.sum() in {reveals.variables(group) * LENGTH // k for k in SPACINGS}


def test_wider_spacings_join_until_all_are_trained_equally_often():
    stream = partial(reveals.stream, group="S3", seed=0, iterations=2_000)
    learnt = [float(stream(at, 0, 1, Stage()).weights_BT.sum()) for at in range(2_000)]
    spacings = [3 * LENGTH / each for each in learnt]
    for first, last, known in ((0, 299, 1), (300, 599, 2), (600, 899, 3), (900, 1999, 4)):
        seen = Counter(spacings[first : last + 1])
        assert seen.keys() == set(SPACINGS[:known])
        assert all(each == pytest.approx((last + 1 - first) / known, rel=0.2) for each in seen.values())


def test_training_validation_and_test_rows_are_drawn_apart():
    drawn = [row("S5", 16, LENGTH, [purpose, 16, LENGTH, 0])[0] for purpose in range(3)]
    assert len(set(map(tuple, drawn))) == 3


def told(group, ids_BT, is_wrong):
    """Logits that are right at every shown token but where `is_wrong(row, position)` says."""
    import torch

    known, many = reveals.actions(group), reveals.variables(group)
    logits_BTV = torch.zeros(*ids_BT.shape, reveals.vocabulary(group))
    for at, tokens in enumerate(ids_BT.tolist()):
        state, shown = [None] * many, many
        for position, (kind, what) in enumerate(read(group, tokens)):
            if kind == "shown":
                state[what[0]], shown = what[1], what[0] + 1
            else:
                state, shown = [state[source] for source in what], 0
            if shown < many and state[shown] is not None:
                value = state[shown] if not is_wrong(at, position) else (state[shown] + 1) % many
                logits_BTV[at, position, len(known) + many * shown + value] = 50.0
    return logits_BTV


@settings(deadline=None, max_examples=15)
@given(st.sampled_from(GROUPS), st.sampled_from((4, 8)), st.data())
def test_the_score_is_the_share_of_states_without_a_wrong_token(group, spacing, data):
    pytest.importorskip("torch", reason="no torch: pip install 'worldline[learn]'")
    many, length, rows = reveals.variables(group), 16, 3
    states = rows * length // spacing
    wrong = data.draw(st.sets(st.tuples(st.integers(0, states - 1), st.integers(0, many - 1)), max_size=6))
    each = length // spacing

    def place(state, token):
        return state // each, many + (state % each + 1) * spacing + (state % each) * many + token - 1

    flaws = {place(*one) for one in wrong}

    def network(ids_BT):
        return told(group, ids_BT, lambda at, position: (at, position) in flaws)

    found = accuracy(network, group, (spacing, length), rows, reveals.TESTED, at_once=rows)
    assert found["states"] == states
    assert found["right"] == pytest.approx(1 - len({state for state, _ in wrong}) / states)
    assert found["loss"] == pytest.approx(50 * len(wrong) / (states * many), abs=1e-6)
    parts = accuracy(
        lambda ids_BT: told(group, ids_BT, lambda *_: False), group, (spacing, length), rows, 2, at_once=2
    )
    assert (parts["right"], parts["states"]) == (1.0, states)


def test_all_networks_have_the_same_size_and_the_same_data():
    pytest.importorskip("torch", reason="no torch: pip install 'worldline[learn]'")
    from worldline.learn.networks import build, parameters

    plan = study_called("reveals")
    assert {arm.split("-")[0] for arm in plan.arms} == set(GROUPS)
    for group in GROUPS:
        mine = [setting for setting in plan.arms.values() if setting["group"] == group]
        assert len(mine) == 5
        configs = [reveals.config_of({**each, "learning_rate": 1e-3, "seed": 7}) for each in mine]
        sizes = [parameters(build(config.network)) for config in configs]
        assert max(sizes) < 1.01 * min(sizes)
        assert max(sizes) == pytest.approx(reveals.SIZE, rel=0.01)
        assert len({(config.options.iterations, config.options.batch) for config in configs}) == 1
        drawn = [config.sources[0].stream(3, 1, 16, Stage()).ids_BT.tobytes() for config in configs]
        assert len(set(drawn)) == 1
        other = reveals.config_of({**mine[0], "learning_rate": 1e-3, "seed": 8})
        assert other.sources[0].stream(3, 1, 16, Stage()).ids_BT.tobytes() != drawn[0]
        negative = [config.network.is_negative for config in configs[1:]]
        assert negative == [False, True, True, True]


def test_the_study_is_found_by_its_name_and_the_quick_one_is_smaller():
    assert "reveals" in study_names()
    whole, quick = study_called("reveals"), study_called("reveals", is_quick=True)
    assert whole.arms.keys() == quick.arms.keys()
    assert all(quick.arms[arm]["iterations"] < 10 for arm in quick.arms)
    assert replace(whole, arms=quick.arms, rates=quick.rates) == quick
    with pytest.raises(UserError) as refused:
        study_called("reveal")
    assert "did you mean 'reveals'?" in refused.value.hint
