"""This file is the strings study: its questions against CPython, its ways to write, its scores."""

import json
import random
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

INSTALL = "pip install 'worldline[learn,hf]'"
torch = pytest.importorskip("torch", reason=f"no torch: {INSTALL}")
pytest.importorskip("tokenizers", reason=f"no tokenizers: {INSTALL}")
pytest.importorskip("safetensors", reason=f"no safetensors: {INSTALL}")

from worldline.errors import UserError  # noqa: E402
from worldline.learn.networks import build  # noqa: E402
from worldline.learn.networks.matching import DOCUMENT, QUESTION  # noqa: E402
from worldline.learn.studies import study_called  # noqa: E402
from worldline.learn.studies.strings import (  # noqa: E402
    ARMS,
    ASIDE,
    COMPOSED,
    QUESTIONS,
    ROWS,
    SINGLE,
    VALIDATED,
    _asked,
    config,
    rows,
    study,
)
from worldline.learn.studies.strings_questions import (  # noqa: E402
    BUCKETS,
    LONGEST,
    LONGEST_ANSWER,
    Operation,
    Question,
    kinds,
    question,
)
from worldline.learn.studies.strings_scoring import (  # noqa: E402
    LONGEST_WRITTEN,
    discontinuities,
    foretold,
    questions,
    right,
    tally,
    values,
    without_learning,
)
from worldline.learn.studies.strings_written import (  # noqa: E402
    TYPED,
    WRITINGS,
    train_subwords,
    writing,
)
from worldline.learn.training.config import Stage  # noqa: E402
from worldline.learn.training.trainer import train  # noqa: E402

torch.set_num_threads(1)
KINDS = [*kinds(False), *kinds(True)]
PATIENT = settings(deadline=None)
PARTS = ("training", "validation", "test")
EVERY = pytest.mark.parametrize("name", WRITINGS)


@st.composite
def drawn_questions(draw):
    drawn = random.Random(draw(st.integers(0, 2**32)))
    return question(drawn, draw(st.sampled_from(KINDS)), 1, LONGEST, draw(st.sampled_from(PARTS)))


@PATIENT
@given(asked=drawn_questions())
def test_the_answer_with_places_is_what_cpython_says(asked):
    answer = asked.answer
    assert type(answer.value) is type(asked.value)
    assert answer.value == asked.value
    assert len(answer.keys) == (len(answer.value) if isinstance(answer.value, str) else 1)
    assert all(key is None or 0 <= key < len(asked.string) for key in answer.keys)


@PATIENT
@given(asked=drawn_questions())
def test_a_character_that_nothing_changes_comes_from_its_place(asked):
    if any(each.name == "replace" for each in asked.operations) or isinstance(asked.value, int):
        return
    pairs = zip(asked.answer.value, asked.answer.keys, strict=True)
    assert all(key is None or letter.lower() == asked.string[key] for letter, key in pairs)


@EVERY
@PATIENT
@given(asked=drawn_questions())
def test_what_is_written_reads_back(name, asked):
    words = writing(name)
    ids = words.answer(asked.answer)
    assert words.read(ids) == asked.value
    assert ids.index(words.end) == len(ids) - 1 < LONGEST_WRITTEN
    assert all(0 <= each < words.size for each in [*words.state(asked.string), *words.ask(asked), *ids])


@EVERY
@PATIENT
@given(one=drawn_questions(), other=drawn_questions())
def test_no_two_questions_are_written_alike(name, one, other):
    words = writing(name)
    written = [words.state(each.string) + words.ask(each) for each in (one, other)]
    assert (written[0] == written[1]) == (one == other)


@EVERY
@PATIENT
@given(data=st.data())
def test_nonsense_is_no_value_and_no_error(name, data):
    words = writing(name)
    ids = data.draw(st.lists(st.integers(0, words.size - 1), max_size=8))
    assert words.read([*ids, words.end]) is None or isinstance(words.read([*ids, words.end]), str | int)
    assert words.read(ids + [0] * 4) is None


def test_typed_values_are_read_strictly():
    def read(text):
        return writing("typed").read([TYPED.index(name) for name in text.split()])

    assert read("STR P0 a NEW b END") == "ab"
    assert read("STR P5 a P5 b END") == "ab"
    assert read("INT P1 2 1 END") == 12
    assert read("INT NEW NEG 1 END") == -1
    assert read("STR END") == ""
    for bad in ("STR a P0 END", "STR P0 END", "INT P0 END", "INT 2 END", "P0 a END", "STR P0 a", "END"):
        assert read(bad) is None


def test_numbers_are_written_from_their_smallest_digit():
    asked = Question("abcdefghij", (Operation("append", ("xy",)), Operation("len")))
    names = [TYPED[each] for each in writing("typed").answer(asked.answer)]
    assert names == ["INT", "NEW", "2", "1", "END"]


def test_all_write_the_same_example():
    asked = Question("abca", (Operation("replace", ("a", "bc")),))
    text = "\x01x='abca'\n\x02y = x.replace('a', 'bc')\ny='bcbcbc'\n"
    words = writing("bytes")
    written = words.state(asked.string) + words.ask(asked) + words.answer(asked.answer)
    assert bytes(written).decode() == text
    words = writing("typed")
    written = words.state(asked.string) + words.ask(asked) + words.answer(asked.answer)
    told = "<state> P0 a P1 b P2 c P3 a <ask> replace a , b c ? STR P0 b P0 c P1 b P2 c P3 b P3 c END"
    assert [TYPED[each] for each in written] == told.split()
    bare = writing("bare").answer(asked.answer)
    assert " ".join(TYPED[each] for each in bare) == "STR b c b c b c END"


@EVERY
@PATIENT
@given(asked=drawn_questions())
def test_strings_and_questions_begin_as_the_network_knows_them(name, asked):
    words = writing(name)
    written = [*words.state(asked.string), *words.ask(asked), *words.answer(asked.answer)]
    assert [at for at, token in enumerate(written) if token <= QUESTION] == [
        0,
        len(words.state(asked.string)),
    ]
    assert [token for token in written if token <= QUESTION] == [DOCUMENT, QUESTION]


def test_no_two_tokens_have_one_name():
    assert len(set(TYPED)) == len(TYPED)


@EVERY
@pytest.mark.parametrize("string", ["pad", "pada", "state", "ask", "aska"])
def test_strings_that_sound_like_a_special_token_are_none(name, string):
    words, asked = writing(name), Question(string, (Operation("upper"),))
    ids = words.answer(asked.answer)
    assert min(ids) > QUESTION
    assert words.read(ids) == string.upper()


@EVERY
def test_a_question_of_a_row_has_the_logits_that_it_has_when_it_is_asked_alone(name):
    """Or the network would be scored on something else than what it learnt."""
    setting = {**study(is_quick=True).arms[name], "learning_rate": 4e-3, "seed": 0}
    network = build(config(setting).network, seed=1)
    row = rows(900, 1, 8, Stage(), words=name, iterations=1000, seed=3).ids_BT.tolist()
    together = network(torch.tensor([row]))[0]
    begins = [*(at for at, token in enumerate(row) if token == QUESTION), len(row)]
    for begin, end in pairwise(begins):
        alone = network(torch.tensor([row[: begins[0]] + row[begin:end]]))[0]
        torch.testing.assert_close(together[begin:end], alone[begins[0] :], atol=1e-4, rtol=1e-4)


@given(drawn_questions(), drawn_questions())
def test_where_a_question_ends_can_be_seen(one, other):
    """Else the first token of an answer competes with a further operation, and greedy decoding goes on."""
    for name in WRITINGS:
        words = writing(name)
        first, second = words.ask(one), words.ask(other)
        assert first == second or second[: len(first)] != first


def test_bare_values_are_read_strictly():
    def read(text):
        return writing("bare").read([TYPED.index(name) for name in text.split()])

    assert read("STR a b END") == "ab"
    assert read("INT 2 1 END") == 12
    assert read("INT NEG 1 END") == -1
    assert read("STR END") == ""
    for bad in ("STR P0 a END", "INT END", "INT P0 2 END", "a END", "STR a", "END", "STR STR END"):
        assert read(bad) is None


def test_subwords_come_out_the_same_again():
    assert train_subwords(300, 500).to_str() == train_subwords(300, 500).to_str()


def pieces(string, keys):
    """The tokens of a string, each with its characters' places."""
    ends = [0, *sorted(writing("subwords").cuts(string)), len(string)]
    return [(string[first:last], tuple(keys[first:last])) for first, last in pairwise(ends)]


def test_other_subwords_are_counted_as_they_are_defined():
    """By hand, from the tokens that the tokenizer says."""
    seen = set()
    drawn = random.Random(5)
    for _ in range(400):
        asked = question(drawn, drawn.choice(KINDS), 4, LONGEST)
        if not isinstance(asked.value, str):
            assert discontinuities(asked) == 0
            continue
        known = pieces(asked.string, range(len(asked.string)))
        count = sum(piece not in known for piece in pieces(asked.value, asked.answer.keys))
        assert discontinuities(asked) == count
        seen.add(count)
    assert {0, 1, 2} <= seen


def test_what_is_taken_over_whole_is_no_other_subword():
    same = Question("bababa", (Operation("slice", (0, 6)),))
    assert discontinuities(same) == 0
    upper = Question("bababa", (Operation("upper"),))
    assert discontinuities(upper) == len(pieces("BABABA", range(6)))
    assert len(pieces("bababa", range(6))[0][0]) > 1  # so what follows is cut out of a token
    assert discontinuities(Question("bababa", (Operation("slice", (0, 1)),))) == 1


def test_training_validation_and_test_share_no_question_and_none_is_asked_twice():
    parts = {"validation": questions("validation", *VALIDATED), "test": questions("test", SINGLE, COMPOSED)}
    for part, asked in parts.items():
        assert {each.question.part for each in asked} == {part}
        assert len({each.question for each in asked}) == len(asked)
    drawn = random.Random(0)
    assert {question(drawn, kind, 1, LONGEST).part for kind in KINDS for _ in range(5)} == {"training"}
    trained = [each for rank in range(300) for each in _asked(900, rank, 1000, 3)]
    assert {each.part for each in trained} == {"training"}


def test_the_test_has_equally_many_of_each_kind_and_length():
    found = tally(questions("test", 3, 2), [True] * len(questions("test", 3, 2)))
    assert {each[1] for each in found["length"].values()} == {8 * 3 + 40 * 2}
    assert {found["kind"]["+".join(kind)][1] for kind in kinds(True)} == {2 * len(BUCKETS)}
    assert found["operation"]["composition"] == [40 * 2 * 3] * 2
    assert found["value"]["str"][1] + found["value"]["int"][1] == found["all"]["all"][1]
    assert sum(each[1] for each in found["broken"].values()) == found["value"]["str"][1]


def test_rows_of_an_iteration_have_about_the_same_tokens_in_all():
    counts = {}
    for name in WRITINGS:
        some = [
            rows(900, rank, 300, Stage(), words=name, iterations=1000, seed=0).ids_BT.size
            for rank in range(300)
        ]
        counts[name] = sum(some) / 300 * ROWS[name]
    assert max(counts.values()) / min(counts.values()) < 1.1


@EVERY
def test_a_row_weighs_answers_most_and_pads_nothing(name):
    words = writing(name)
    batch = rows(900, 1, 8, Stage(), words=name, iterations=1000, seed=3)
    is_answer = batch.weights_BT == 1
    assert batch.weights_BT[~is_answer].sum() == pytest.approx(ASIDE * is_answer.sum())
    ends = [at for at, each in enumerate(is_answer) if each and batch.targets_BT[at] == words.end]
    assert len(ends) == QUESTIONS
    answered = batch.targets_BT[batch.weights_BT == 1].tolist()
    begins = [0, *(at + 1 for at, token in enumerate(answered) if token == words.end)]
    told = [words.read(answered[first:last]) for first, last in pairwise(begins)]
    assert len(told) == QUESTIONS
    assert None not in told
    assert ends[-1] == len(batch.targets_BT) - 1
    assert batch.ids_BT[1:].tolist() == batch.targets_BT[:-1].tolist()
    again = rows(900, 1, 8, Stage(), words=name, iterations=1000, seed=3)
    assert again.ids_BT.tolist() == batch.ids_BT.tolist()


def test_what_is_easy_comes_first():
    def asked(iteration):
        texts = [
            bytes(rows(iteration, rank, 50, Stage(), words="bytes", iterations=100, seed=0).ids_BT.tolist())
            for rank in range(200)
        ]
        lengths = [len(text.split(b"'")[1]) for text in texts]
        return max(lengths), any(b"upper()[" in text for text in texts)

    stages = [asked(each) for each in (0, 9, 10, 24, 25, 99)]
    assert stages == [(2, False), (2, False), (4, True), (4, True), (LONGEST, True), (LONGEST, True)]


class Knowing(torch.nn.Module):
    """Writes the right answers it has been given, and nonsense otherwise, behind the networks' interface."""

    def __init__(self, words, asked):
        super().__init__()
        self.size = words.size
        self.known = {}
        for each in asked:
            ids = words.state(each.string) + words.ask(each)
            for token in words.answer(each.answer):
                self.known[tuple(ids)] = token
                ids = [*ids, token]

    def forward(self, ids_BT):
        rows = [
            [self.known.get(tuple(row[: at + 1]), 0) for at in range(len(row))] for row in ids_BT.tolist()
        ]
        return torch.nn.functional.one_hot(torch.tensor(rows), self.size).float()


@EVERY
def test_right_answers_count_and_others_do_not(name):
    words, asked = writing(name), questions("test", 2, 1)
    known = asked[::2]
    network = Knowing(words, [each.question for each in known])
    told = values(network, words, [each.question for each in asked])
    assert [told[at] for at in range(0, len(asked), 2)] == [each.question.value for each in known]
    questions_known = {each.question for each in known}
    expected = [each.question in questions_known for each in asked]
    assert right(network, words, asked) == foretold(network, words, asked) == expected


def test_without_learning_is_right_where_nothing_changes():
    found = without_learning(questions("test", 30, 1))
    assert found["operation"]["upper"][0] == 0
    assert found["operation"]["append"][0] == 0
    assert 0 < found["operation"]["reverse"][0] < found["operation"]["reverse"][1] / 2
    assert found["operation"]["len"][0] >= found["operation"]["len"][1] / LONGEST


def test_the_arms_differ_in_what_they_say_they_differ_in():
    plan = study_called("strings")
    own = {"words": "", "budget": "", "rows": 0, "iterations": 0}
    alike = [{**setting, **own} for setting in plan.arms.values()]
    assert all(setting == alike[0] for setting in alike)
    usual = plan.arms["typed"]["iterations"]
    longer = {name: each["iterations"] / usual for name, each in plan.arms.items()}
    assert longer == {name: arm.times for name, arm in ARMS.items()}
    assert {name for name, times in longer.items() if times > 1} == plan.follows.keys()
    for name, leader in plan.follows.items():
        assert plan.arms[name]["rows"] == plan.arms[leader]["rows"]
        assert plan.arms[name]["words"] == plan.arms[leader]["words"]
    for name, arm in ARMS.items():
        assert (plan.arms[name]["words"], plan.arms[name]["budget"]) == (arm.words, arm.budget)
    counts = {name: each["rows"] for name, each in plan.arms.items()}
    assert counts["typed-chars"] == counts["subwords-chars"] == counts["bytes"]
    assert counts["typed"] > counts["subwords"] > counts["bytes"]


@EVERY
def test_it_learns(name, tmp_path):
    """A few iterations of a tiny network bring the loss down."""
    setting = {**study(is_quick=True).arms[name], "learning_rate": 4e-3, "seed": 0, "iterations": 32}
    plan = config(setting)
    from dataclasses import replace

    train(replace(plan, options=replace(plan.options, folder=str(tmp_path / "run"))))
    losses = [
        json.loads(line)["loss"] for line in Path(tmp_path / "run" / "log.jsonl").read_text().splitlines()
    ]
    assert sum(losses[-4:]) < 0.9 * sum(losses[:4])


def test_a_way_to_write_that_is_not_there_is_told():
    with pytest.raises(UserError, match="no way to write is called 'words'"):
        writing("words")


def test_strings_are_as_long_as_asked():
    drawn = random.Random(1)
    for low, high in BUCKETS:
        assert all(low <= len(question(drawn, ("upper",), low, high).string) <= high for _ in range(50))
    found = [question(drawn, ("replace", "append"), 5, LONGEST) for _ in range(200)]
    assert max(len(each.answer.keys) for each in found) <= LONGEST_ANSWER
