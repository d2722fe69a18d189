"""This file is the `http` model against servers that mean well: it says what the model behind them says."""

import json
import math
import os
import signal
import subprocess
import sys
import time
from dataclasses import asdict, replace
from pathlib import Path

import pytest
from hostile import Hostile, http
from tiny_models import END, TRACE, BytePairs

from interrupts import heed_interrupts
from worldline.errors import UserError
from worldline.models import model as load
from worldline.models.http import connect
from worldline.models.http import http as model_at
from worldline.models.http_address import HttpOptions, options
from worldline.models.model import Ask, Can, Completion, Failed, Token
from worldline.models.serve import ServeOptions, serve

FRAME = "<|frame_sep|>"
PROMPT = TRACE[: TRACE.index("<|call_sep|>")]
LINE = PROMPT + "<|call_sep|>{}<|action_sep|>"
LINES = ("def main():  # << START_OF_TRACE\n", "    return len('ab') * 21\n")
ASKS = [
    Ask(PROMPT, (FRAME,), 100),
    Ask(PROMPT, (FRAME, END), 100),
    Ask(PROMPT, (END,), 200),
    Ask(PROMPT, max_tokens=7),
    Ask(PROMPT, max_tokens=200),
    Ask(PROMPT, ("main", "}"), 40),
    Ask(TRACE.removesuffix(END), (FRAME, END), 5),
    Ask(LINE, (FRAME,), 60, LINES),
    Ask(PROMPT, (FRAME,), 60, temperature=1.0, seed=3),
    Ask("no special token at all, é", max_tokens=4),
]


@pytest.fixture(scope="module")
def tiny():
    with serve(BytePairs(), ServeOptions(tokenizer="bytes")) as running:
        yield running


@pytest.fixture(scope="module")
def model(tiny):
    return model_at(tiny.url)


def test_the_server_is_asked_what_it_can_do(model):
    found = model.capabilities
    assert found.lacks == {}
    assert (found.tokenizer, found.token_ids, found.returned_ids, found.echo) == ("bytes", True, True, 0)
    assert model.can == BytePairs().can
    assert json.loads(json.dumps(asdict(found)))["model"] == "tiny:bytes"
    assert model.name.endswith("/v1#model=tiny:bytes&tokenizer=bytes")


@pytest.mark.parametrize("ask", ASKS, ids=range(len(ASKS)))
def test_over_http_the_answer_is_the_models_own(model, ask):
    assert model.complete([ask]) == BytePairs().complete([ask])


def test_many_at_once_are_answered_in_order(model):
    asks = [replace(ask, max_tokens=ask.max_tokens + extra) for extra in range(4) for ask in ASKS]
    assert model.complete(asks) == BytePairs().complete(asks)
    assert model.complete([]) == []


@pytest.mark.parametrize("stops", [(), (FRAME,)])
@pytest.mark.parametrize("choices", [LINES, ("", "x"), ("é", "a")])
def test_over_http_the_scores_are_the_models_own(model, stops, choices):
    asks = [Ask(LINE, stops, choices=choices), Ask(PROMPT, stops, choices=choices[:1])]
    for told, true in zip(model.score(asks), BytePairs().score(asks), strict=True):
        assert told == pytest.approx(true)


def test_several_stops_after_a_choice_are_added_up(model):
    both = model.score([Ask(LINE, (FRAME, "}"), choices=LINES)])[0]
    each = [BytePairs().score([Ask(LINE, (stop,), choices=LINES)])[0] for stop in (FRAME, "}")]
    assert both == pytest.approx([math.log(math.exp(a) + math.exp(b)) for a, b in zip(*each, strict=True)])


def test_tokens_are_counted_as_the_server_does(model):
    assert model.count(TRACE) == BytePairs().count(TRACE)


def test_a_prompt_that_does_not_fit_is_told_and_an_answer_that_does_not_is_cut(model):
    long, near = model.complete([Ask("a" * 4000), Ask("a" * 3990, max_tokens=100)])
    assert isinstance(long, Failed)
    assert "4000" in long.what
    assert (near.finish, near.spent) == ("length", 10)


def test_with_cwms_own_vocabulary_special_tokens_are_one_id():
    pytest.importorskip("tiktoken")
    with serve(BytePairs(), ServeOptions(tokenizer="llama3")) as running:
        model = model_at(running.url)
        assert model.capabilities.tokenizer == "llama3"
        told, true = model.complete(ASKS[:1])[0], BytePairs().complete(ASKS[:1])[0]
        assert (told.text, told.finish, told.stop) == (true.text, true.finish, true.stop)
        assert "".join(token.text for token in told.tokens) == true.text + FRAME
        assert sum(token.logprob for token in told.tokens) == pytest.approx(
            sum(token.logprob for token in true.tokens)
        )
        asks = [Ask(LINE, (FRAME,), choices=LINES)]
        assert model.score(asks)[0] == pytest.approx(BytePairs().score(asks)[0])


def test_the_oracle_answers_over_http_as_it_does_itself():
    oracle = load("oracle")
    with serve(oracle, ServeOptions(tokenizer="bytes")) as running:
        model = model_at(running.url)
        assert model.can == oracle.can
        text, stop = PROMPT, FRAME
        while stop == FRAME:  # frame by frame to the end
            ask = Ask(text, (FRAME, END), 500)
            told, true = model.complete([ask])[0], oracle.complete([ask])[0]
            assert (told.text, told.finish, told.stop) == (true.text, true.finish, true.stop)
            text, stop = text + told.text + told.stop, told.stop
        assert text == TRACE
        ask = Ask(LINE, (FRAME,), choices=LINES)
        assert model.complete([ask])[0].text == LINES[0]
        right, wrong = model.score([ask])[0]
        assert right == 0
        assert wrong <= -9999


def without(*names):
    """A server that does not know these fields, and refuses them."""

    def bad(seen, good):
        if seen.body and (unknown := [name for name in names if name in seen.body]):
            return http({"error": {"message": f"unknown field {unknown[0]}"}}, 400)
        if "choices" in good:
            good = good | {
                "choices": [{k: v for k, v in row.items() if k not in names} for row in good["choices"]]
            }
        return http(good)

    return bad


class TextOnly(Hostile):
    """A server with texts and stops, special tokens among them, and none of what vLLM adds."""

    def __init__(self, model=None):
        super().__init__(model)
        refuse = without(
            "return_token_ids", "stop_token_ids", "structured_outputs", "token_ids", "stop_reason"
        )

        def bad(seen, good):
            prompts = seen.body["prompt"] if seen.body else []
            if not all(isinstance(prompt, str) for prompt in prompts):
                return http({"error": {"message": "prompt must be a text"}}, 400)
            if seen.body and "score_from" in seen.body:
                seen.body.pop("score_from")
            if seen.body and "skip_special_tokens" not in seen.body:
                good, _ = self._good("POST", seen.body | {"skip_special_tokens": False})
            return refuse(seen, good)

        self.turn(bad)


def test_a_server_that_takes_only_text_is_asked_in_text():
    with TextOnly() as server:
        model = model_at(server.url + "#tokenizer=bytes")
        found = model.capabilities
        assert not found.extra_fields
        assert not found.token_ids
        assert not found.choices
        assert model.can == Can(logprobs=True, scoring=True, choices=False, seeds=True, context=4000)
        assert set(found.lacks) == {"extra_fields", "token_ids", "returned_ids", "choices"}
        told, true = model.complete(ASKS[:1])[0], BytePairs().complete(ASKS[:1])[0]
        assert told == true
        several = model.complete([ASKS[1]])[0]
        assert isinstance(several, Failed)
        assert "which of several stops" in several.what
        assert model.score([Ask(LINE, (FRAME,), choices=LINES)])[0] == pytest.approx(
            BytePairs().score([Ask(LINE, (FRAME,), choices=LINES)])[0]
        )
        with pytest.raises(UserError, match="choices"):
            model.complete([Ask(LINE, choices=LINES)])


def test_a_server_that_leaves_out_special_tokens_is_found_out_and_refused():
    def skip(seen, good):
        if not seen.body:
            return http(good)
        body = {name: value for name, value in seen.body.items() if name not in ("skip_special_tokens",)}
        return http(server._good("POST", body | {"return_token_ids": False})[0])

    with Hostile() as server:
        server.turn(skip)
        model = model_at(server.url)
        assert not model.can.special_tokens
        assert "skip_special_tokens" in model.capabilities.lacks["special_tokens"]
        with pytest.raises(UserError, match="special_tokens") as raised:
            model.complete(ASKS[:1])
        assert raised.value.hint
        assert isinstance(model.complete([Ask("plain", max_tokens=2)])[0], Completion)


def test_a_token_that_is_made_likely_shows_special_tokens_of_a_model_that_writes_none():
    def biased(seen, good):
        if seen.body and "logit_bias" in seen.body:
            good["choices"][0]["text"] = FRAME
        return http(good)

    with Hostile(BytePairs(text="aaaaaaaa")) as server:
        assert not model_at(server.url).can.special_tokens
        server.turn(biased)
        assert model_at(server.url).can.special_tokens


def test_a_server_without_log_probabilities_cannot_score():
    with serve(BytePairs(Can(choices=True)), ServeOptions(tokenizer="bytes")) as running:
        model = model_at(running.url)
        assert not model.can.logprobs
        assert model.complete(ASKS[:1])[0].tokens[0] == Token("<|call_sep|>")
        with pytest.raises(UserError, match="scoring"):
            model.score([Ask(LINE, choices=LINES)])


def test_a_server_with_too_few_log_probabilities_is_found_out():
    def fewer(seen, good):
        if "choices" in good and good["choices"][0]["logprobs"]:
            good["choices"][0]["logprobs"]["token_logprobs"].pop()
        return http(good)

    with Hostile() as server:
        server.turn(fewer)
        model = model_at(server.url)
        assert not model.can.logprobs
        assert "it tells 31 for 32 tokens" in model.capabilities.lacks["logprobs"]


def test_a_server_whose_seed_means_nothing_is_found_out():
    def other(seen, good):
        if seen.body and "seed" in seen.body:
            good["choices"][0]["text"] += str(seen.number)
        return http(good)

    with Hostile() as server:
        server.turn(other)
        assert not model_at(server.url).can.seeds


def test_another_vocabulary_is_not_taken_for_ours(tiny):
    pytest.importorskip("tiktoken")
    with pytest.raises(UserError, match="gpt2"):
        model_at(tiny.url + "#tokenizer=gpt2")

    def other(seen, good):
        for choice in good.get("choices", []):
            choice["prompt_token_ids"] = [1, 2, 3]
        return http(good)

    with Hostile() as server:
        server.turn(other)
        model = model_at(server.url)
        assert model.capabilities.tokenizer == ""
        assert not model.capabilities.token_ids
        assert not model.can.special_tokens


@pytest.mark.parametrize(
    ("argument", "word"),
    [
        ("", "no address"),
        ("ftp://x/v1", "http or https"),
        ("http://:80/v1", "http or https"),
        ("http://a:b/v1", "http or https"),
        ("http://me:secret-word@host/v1", "more than a place"),
        ("http://host/v1?key=secret-word", "more than a place"),
        ("http://host/v1#key=secret-word", "no option 'key'"),
        ("http://host/v1#modle=x", "no option 'modle'"),
        ("http://host/v1#tries=0", "'tries'"),
        ("http://host/v1#timeout=soon", "'timeout'"),
        ("http://ho st/v1", "character"),
    ],
)
def test_a_wrong_address_is_told_without_what_may_be_secret(argument, word, monkeypatch):
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    with pytest.raises(UserError, match=word) as raised:
        options(argument)
    assert "secret-word" not in raised.value.what + raised.value.hint
    assert raised.value.hint


def test_the_address_may_come_from_the_environment(monkeypatch, tiny):
    monkeypatch.setenv("OPENAI_BASE_URL", tiny.url + "/")
    assert options("#model=a/b&tries=2") == HttpOptions(tiny.url, "a/b", tries=2)
    assert model_at("").can.logprobs
    assert options("//host/v1").url == "http://host/v1"
    assert options("//host/v1", "https").url == "https://host/v1"


def test_a_model_that_is_not_there_or_not_named(tiny):
    with pytest.raises(UserError, match="no model 'x'") as raised:
        model_at(tiny.url + "#model=x")
    assert "tiny:bytes" in raised.value.hint

    def two(seen, good):
        return http({"data": [{"id": "a"}, {"id": "b"}]})

    with Hostile() as server:
        server.turn(two)
        with pytest.raises(UserError, match="2 models") as raised:
            model_at(server.url)
        assert "a, b" in raised.value.hint


def test_an_interrupted_run_does_not_wait_for_a_server_that_is_silent():
    with Hostile() as server:
        code = (
            "import sys; from worldline.models.http import http; from worldline.models.model import Ask\n"
            "model = http(sys.argv[1]); print('ready', flush=True); sys.stdin.readline()\n"
            "print('asking', flush=True); model.complete([Ask('a', max_tokens=1)] * 40)"
        )
        process = subprocess.Popen(
            [sys.executable, "-c", code, server.url],
            env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[2] / "src")},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            preexec_fn=heed_interrupts,
        )
        try:
            assert process.stdout.readline() == "ready\n"
            server.turn(lambda seen, good: None)
            process.stdin.write("\n")
            process.stdin.flush()
            assert process.stdout.readline() == "asking\n"
            while len(server.seen) < 16:
                time.sleep(0.01)
            process.send_signal(signal.SIGINT)
            _, talk = process.communicate(timeout=60)
            assert "KeyboardInterrupt" in talk
        finally:
            process.kill()
            process.wait()


def test_the_same_connections_are_used_again(tiny):
    model = connect(HttpOptions(tiny.url))
    before = len(tiny.clients)
    for _ in range(5):
        model.complete(ASKS[:1])
    assert len(tiny.clients) == before
