"""This file is the laws of a local model: together or alone, kept or not, the answers are the same."""

import math
from dataclasses import replace

import pytest
from hf_weights import alone, learnt, save_cwm, save_gpt2, save_llama, torch
from hypothesis import given, settings
from hypothesis import strategies as st

from worldline.formats import format
from worldline.models.hf import HfModel, Options
from worldline.models.model import Ask, Completion, Failed
from worldline.record import record
from worldline.record.entry import find_entry
from worldline.tokens import SPECIAL
from worldline.trace.model import Program

# Sums in another order differ in the last bits, which may decide between two tokens that are all but equally
# likely. Chance must not find such a pair one day, so the examples are always the same.
FEW = settings(max_examples=6, deadline=None, derandomize=True)
TEXTS = st.lists(st.sampled_from([*"abc (){}é\n", *SPECIAL[2:]]), min_size=1, max_size=60).map("".join)
ASKS = st.builds(
    Ask,
    prefix=TEXTS,
    stops=st.sampled_from([(), ("<|frame_sep|>",), ("a", "<|line_sep|>"), ("\n",)]),
    max_tokens=st.integers(1, 24),
    temperature=st.sampled_from([0.0, 0.0, 0.7, 1.5]),
    seed=st.integers(0, 5),
)
CHOICES = st.lists(TEXTS.map(lambda text: text[:9]), min_size=1, max_size=4, unique=True).map(tuple)
PROGRAM = """\
def main(): # << START_OF_TRACE
    s = 0
    for n in (2, 3):
        s += n
    return s
"""


@pytest.fixture(scope="module", params=[save_cwm, save_llama], ids=["cwm", "llama"])
def folder(request, tmp_path_factory):
    return request.param(tmp_path_factory.mktemp("weights"))


@pytest.fixture(scope="module")
def single(folder):
    return alone(folder)


@pytest.fixture(scope="module")
def many(folder):
    """Rows together, fewer than are asked for, and a store that is full now and then."""
    made = HfModel(Options(str(folder), batch=3, cache=1))
    made._store._bound = 200_000
    return made


def same(one, other):
    assert replace(one, tokens=()) == replace(other, tokens=())
    assert [token.text for token in one.tokens] == [token.text for token in other.tokens]
    for mine, theirs in zip(one.tokens, other.tokens, strict=True):
        assert mine.logprob == pytest.approx(theirs.logprob, abs=1e-3)
    return True


def naive_logprobs(model, prefix, answer):
    """One pass over the whole text, without any cache."""
    encode, network = model._loaded.vocabulary.encode, model._loaded.network
    before, after = encode(prefix), encode(answer)
    with torch.inference_mode():
        logits = network(torch.tensor([before + after]), use_cache=False).logits[0].log_softmax(-1)
    return [float(logits[len(before) + at - 1, number]) for at, number in enumerate(after)]


@FEW
@given(asks=st.lists(ASKS, min_size=2, max_size=7))
def test_together_is_alone(single, many, asks):
    answers = many.complete(asks)
    assert all(same(answer, single.complete([ask])[0]) for answer, ask in zip(answers, asks, strict=True))


def test_together_is_alone_where_positions_are_counted_from_the_beginning(tmp_path):
    single, many = alone(save_gpt2(tmp_path)), HfModel(Options(str(tmp_path), batch=3))
    asks = [Ask("ab c" * count, max_tokens=12) for count in range(1, 6)]
    for _ in range(2):
        answers = many.complete(asks)
        assert all(same(answer, single.complete([ask])[0]) for answer, ask in zip(answers, asks, strict=True))
        asks = [
            replace(ask, prefix=ask.prefix + answer.text + "(a)")
            for ask, answer in zip(asks, answers, strict=True)
        ]
    assert many.usage.reused > 0


@FEW
@given(ask=ASKS, more=st.lists(TEXTS.map(lambda text: text[:12]), min_size=1, max_size=4))
def test_a_conversation_is_each_of_its_requests(single, many, ask, more):
    """Each request goes on from the answer before; nothing that was kept may change an answer."""
    for count, text in enumerate(more):
        answer = many.complete([ask])[0]
        assert same(answer, single.complete([ask])[0])
        ask = replace(ask, prefix=ask.prefix + answer.text + answer.stop + text, seed=count)


@FEW
@given(prefix=TEXTS, choices=CHOICES, stops=st.sampled_from([(), ("<|frame_sep|>",), ("\n", "<|line_sep|>")]))
def test_a_score_is_the_sum_over_all_tokens_computed_plainly(single, many, prefix, choices, stops):
    found = many.score([Ask(prefix, stops, choices=choices), Ask("b" + prefix, stops, choices=choices)])
    for start, scores in zip(("", "b"), found, strict=True):
        for choice, score in zip(choices, scores, strict=True):
            sums = [sum(naive_logprobs(single, start + prefix, choice + stop)) for stop in stops or ("",)]
            assert score == pytest.approx(math.log(sum(map(math.exp, sums))), abs=1e-3)


@FEW
@given(prefix=TEXTS, choices=CHOICES, temperature=st.sampled_from([0.0, 1.0]), seed=st.integers(0, 5))
def test_an_answer_is_one_of_the_choices_and_has_the_score_of_it(many, prefix, choices, temperature, seed):
    ask = Ask(prefix, ("<|frame_sep|>",), choices=choices, temperature=temperature, seed=seed)
    (answer,), (scores,) = many.complete([ask]), many.score([ask])
    assert answer.text in choices
    assert (answer.finish, answer.stop) == ("stop", "<|frame_sep|>")
    told = sum(token.logprob for token in answer.tokens)
    assert told == pytest.approx(scores[choices.index(answer.text)], abs=1e-3)
    (free,) = many.complete([replace(ask, stops=())])
    assert free.text in choices
    assert (free.finish, free.stop) == ("end", "")


@FEW
@given(ask=ASKS)
def test_a_stop_cuts_the_answer_that_comes_without_it(single, ask):
    whole = single.complete([replace(ask, stops=())])[0]
    cut = single.complete([ask])[0]
    assert not any(stop in cut.text for stop in ask.stops)
    assert whole.text.startswith(cut.text)
    assert (cut.finish == "stop") == bool(cut.stop)
    if cut.finish == "stop":
        assert whole.text.startswith(cut.text + cut.stop) or whole.finish == "end"
    else:
        assert same(cut, whole)
    assert cut.asked == single.count(ask.prefix)
    assert cut.spent <= ask.max_tokens
    assert cut.finish != "length" or cut.spent == ask.max_tokens


def test_a_greedy_answer_is_that_of_generate(single, many):
    prefixes = ["<|frame_sep|>ab" * count for count in range(1, 9)]
    network, vocabulary = single._loaded.network, single._loaded.vocabulary
    answers = many.complete([Ask(prefix, max_tokens=30) for prefix in prefixes])
    for prefix, answer in zip(prefixes, answers, strict=True):
        ids = torch.tensor([vocabulary.encode(prefix)])
        mask = torch.ones_like(ids)
        made = network.generate(ids, attention_mask=mask, max_new_tokens=30, do_sample=False, pad_token_id=0)
        raw = b"".join(vocabulary.raw[number] for number in made[0, ids.shape[1] :].tolist())
        assert answer.text == raw.removesuffix(b"<|end_of_text|>").decode("utf-8", "replace")


def test_seeds_repeat_and_differ(many):
    asks = [Ask("ab", max_tokens=20, temperature=1.0, seed=seed) for seed in (1, 2, 1, 3)]
    first, second, again, third = many.complete(asks)
    assert same(first, again)
    assert len({first.text, second.text, third.text}) == 3


def test_a_step_costs_only_its_new_tokens(folder):
    model = HfModel(Options(str(folder), batch=2))
    prefix = "ab{}" * 50
    answer = model.complete([Ask(prefix, max_tokens=8, temperature=1.0)])[0]
    assert model.usage.reused == 0
    grown = prefix + "".join(token.text for token in answer.tokens) + "<|line_sep|>"
    before = model.usage
    model.complete([Ask(grown, max_tokens=1)])
    after = model.usage
    assert after.prompt - before.prompt == model.count(grown)
    # Bytes that are no text come back as others, so that of the answer only a part may be known.
    assert after.reused - before.reused >= model.count(prefix)


def test_equal_prompts_are_read_once(folder):
    model = HfModel(Options(str(folder), batch=4))
    model.complete([Ask("abc" * 20, max_tokens=1, temperature=1.0, seed=seed) for seed in range(4)])
    assert (model.usage.prompt, model.usage.reused) == (240, 180)


def test_what_does_not_fit_fails_alone(single, many):
    long, short = Ask("a" * 512, max_tokens=4), Ask("a", max_tokens=4)
    failed, answer = many.complete([long, short])
    assert isinstance(failed, Failed)
    assert "512 tokens" in failed.what
    assert same(answer, single.complete([short])[0])
    assert isinstance(many.score([replace(long, choices=("b",))])[0], Failed)
    edge = many.complete([Ask("a" * 509, max_tokens=100, temperature=1.0)])[0]
    assert (edge.finish, edge.spent) == ("length", 3) or edge.finish == "end"


def test_small_requests(many):
    assert many.complete([]) == []
    assert many.score([]) == []
    assert many.complete([Ask("ab", max_tokens=0)]) == [Completion("", "length", asked=2)]
    assert many.complete([Ask("ab", choices=("",))]) == [Completion("", "end", asked=2)]
    assert many.score([Ask("ab", choices=("",))]) == [(0.0,)]
    (begun,) = many.complete([Ask("", max_tokens=2)])
    assert isinstance(begun, Failed)  # this tokenizer names no token that begins a text
    (short,) = many.complete([Ask("ab", choices=("abc",), max_tokens=2)])
    assert isinstance(short, Failed)
    assert "3 tokens" in short.what


@pytest.fixture(scope="module")
def trace():
    return record(Program(PROGRAM, find_entry(PROGRAM, "program.py"))).trace


@pytest.fixture(scope="module")
def knowing(trace, tmp_path_factory):
    """A model of the kind CWM that knows one trace by heart."""
    cwm = format("cwm")
    return HfModel(
        Options(str(learnt(tmp_path_factory.mktemp("cwm"), cwm.prompt(trace.program) + cwm.encode(trace))))
    )


def test_a_learnt_trace_comes_back(knowing, trace):
    cwm = format("cwm")
    prompt = cwm.prompt(trace.program)
    answer = knowing.complete([Ask(prompt, max_tokens=400)])[0]
    assert answer.finish == "end"
    assert cwm.decode(answer.text, trace.program).steps == cwm.holds(trace).steps
    ended = knowing.complete([Ask(prompt, ("<|end_of_text|>",), 400)])[0]
    assert (ended.text, ended.finish, ended.stop) == (answer.text, "stop", "<|end_of_text|>")


def test_a_learnt_trace_comes_back_step_by_step_and_mostly_from_the_store(knowing, trace):
    cwm = format("cwm")
    text = prompt = cwm.prompt(trace.program)
    before = knowing.usage
    for _ in trace.steps:
        answer = knowing.complete([Ask(text, ("<|frame_sep|>",), 200)])[0]
        text += answer.text + answer.stop
    assert text + "<|end_of_text|>" == prompt + cwm.encode(trace)
    after = knowing.usage
    assert after.reused - before.reused > 0.9 * (after.prompt - before.prompt)


def test_the_next_line_is_chosen_and_the_impossible_is_unlikely(knowing, trace):
    cwm = format("cwm")
    text = cwm.prompt(trace.program) + cwm.encode(trace)
    lines = tuple(line + "\n" for line in PROGRAM.splitlines())
    before = text[: text.index("        s += n\n<|frame_sep|>", text.index("<|call_sep|>"))]
    ask = Ask(before, ("<|frame_sep|>",), choices=lines)
    assert knowing.complete([ask])[0].text == "        s += n\n"
    (scores,) = knowing.score([ask])
    assert max(scores) == scores[3] > math.log(0.9)
    others = tuple(line for line in lines if "s += n" not in line)
    assert knowing.complete([replace(ask, choices=others)])[0].text in others
