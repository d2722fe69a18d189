"""This file is the `http` model against servers that mean harm: a clear sentence, nothing lost, no hang."""

import json
import logging
import socket
import threading
from email.utils import formatdate
from functools import cache
from time import time

import pytest
from hostile import Hostile, http
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tiny_models import TRACE, BytePairs

from worldline.errors import UserError
from worldline.models.http import HttpModel, connect
from worldline.models.http_address import HttpOptions, key_from_environment
from worldline.models.http_answer import Told, completion
from worldline.models.http_transport import Transport
from worldline.models.model import Ask, Completion, Failed
from worldline.tokens import tokenizer

KEY = "sk-do-not-show-me-4711"
PROMPT = TRACE[: TRACE.index("<|call_sep|>")]
ASK = Ask(PROMPT, ("<|frame_sep|>",), 60)
TRUE = BytePairs().complete([ASK])[0]


@pytest.fixture(autouse=True)
def _no_key_in_any_output(monkeypatch, capfd, caplog):
    """The key is there in every test, and in no output of any."""
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    caplog.set_level(logging.DEBUG)
    yield
    out, err = capfd.readouterr()
    assert KEY not in out + err + caplog.text


@pytest.fixture
def server():
    with Hostile() as running:
        yield running


def impatient(url, **changed):
    return HttpOptions(url, **{"tries": 3, "first_wait": 0.01, "timeout": 5.0} | changed)


def start(url, **changed):
    """A model that is not patient, at a server that is asked what it can do."""
    return connect(impatient(url, **changed))


@cache
def found():
    """What such a server can do, asked once for all tests."""
    with Hostile() as running:
        return start(running.url).capabilities


def quick(url, **changed):
    """The same without asking."""
    chosen = impatient(url, **changed)
    return HttpModel(chosen, Transport(chosen, key_from_environment()), found())


def failed(model, count=1):
    """What is told of a request that fails."""
    answers = model.complete([ASK] * count)
    assert all(isinstance(answer, Failed) for answer in answers)
    return answers[0].what


def test_a_dead_server_is_told_at_once():
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with pytest.raises(UserError, match="refused") as raised:
        start(f"http://127.0.0.1:{port}/v1")
    assert str(port) in raised.value.what
    assert raised.value.hint


def test_a_server_that_dies_takes_no_answer_with_it(server):
    model = quick(server.url, parallel=1)

    def dying(seen, good):
        if seen.number == 2:
            server.die()
        return http(good)

    server.turn(dying)
    answers = model.complete([ASK] * 5)
    assert answers[:3] == [TRUE] * 3
    assert all(isinstance(answer, Failed) and "refused" in answer.what for answer in answers[3:])
    assert "tried 3 times" in answers[3].what


def test_a_storm_of_too_many_requests_is_waited_out(server):
    model = quick(server.url, tries=8)

    def storm(seen, good):
        return (
            http({"error": {"message": "slow down"}}, 429, Retry_After="0.2")
            if seen.number < 20
            else http(good)
        )

    server.turn(storm)
    assert model.complete([ASK] * 12) == [TRUE] * 12
    first = server.seen[0].at
    calm = [seen.at - first for seen in server.seen if seen.number >= 16]  # all 12 were told before
    assert min(calm) >= 0.2


def test_a_storm_without_an_end_is_given_up_and_told(server):
    model = quick(server.url)
    server.turn(lambda seen, good: http({"error": {"message": "slow down"}}, 429, Retry_After="0"))
    what = failed(model)
    assert "429: slow down" in what
    assert "tried 3 times" in what
    assert len(server.seen) == 3


@pytest.mark.parametrize("form", ["3600", "inf", "date"])
def test_a_server_that_asks_for_an_hour_is_not_waited_for(server, form):
    wait = formatdate(time() + 3600, usegmt=True) if form == "date" else form
    model = quick(server.url)
    server.turn(lambda seen, good: http({}, 503, Retry_After=wait))
    assert "asks to wait for" in failed(model)
    assert len(server.seen) == 1


def cut(good):
    raw = json.dumps(good).encode()
    return http(raw[: len(raw) // 2], length=len(raw))


def chunked(good):
    raw = json.dumps(good).encode()
    head = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
    return head + f"{len(raw):x}\r\n".encode() + raw[: len(raw) // 2]


BROKEN = {
    "cut": (cut, "cut the connection"),
    "cut chunk": (chunked, "cut the connection"),
    "nothing": (lambda good: b"", "cut the connection"),
    "half a header": (lambda good: b"HTTP/1.1 200 OK\r\nContent-Le", "breaks off"),
    "no HTTP": (lambda good: b"hello there\r\n\r\n", "not HTTP"),
    "truncated JSON": (lambda good: http(json.dumps(good).encode()[:-20]), "breaks off"),
    "length too small": (lambda good: http(good, length=50), "breaks off"),
    "length too large": (lambda good: http(good, length=99999), "cut the connection"),
    "500": (lambda good: http({"error": {"message": "I am sick"}}, 500), "500: I am sick"),
    "502 page": (lambda good: http(b"<html>bad gateway</html>", 502), "502: a web page"),
    "503 text": (lambda good: http(b"overloaded", 503), "503: overloaded"),
    "deep JSON": (lambda good: http(b"[" * 100_000), "breaks off or is wrong"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_what_breaks_once_is_tried_again(server, name):
    model = quick(server.url)
    server.turn(lambda seen, good: BROKEN[name][0](good) if seen.number < 2 else http(good))
    assert model.complete([ASK]) == [TRUE]
    assert len(server.seen) == 3


@pytest.mark.parametrize("name", BROKEN)
def test_what_breaks_always_is_told_and_others_keep_their_answers(server, name):
    model = quick(server.url)
    other = Ask(PROMPT, max_tokens=5)
    server.turn(lambda seen, good: http(good) if seen.body["max_tokens"] == 5 else BROKEN[name][0](good))
    answers = model.complete([other, ASK, other])
    assert answers[0] == answers[2] == BytePairs().complete([other])[0]
    assert isinstance(answers[1], Failed)
    assert BROKEN[name][1] in answers[1].what
    assert "tried 3 times" in answers[1].what


FINAL = {
    "page": (lambda good: http(b"<!doctype html><p>Welcome", Content_Type="text/html"), "web page"),
    "moved": (
        lambda good: http(b"", 307, Location="http://elsewhere.example/v1"),
        "moved to http://elsewhere",
    ),
    "401": (lambda good: http({"error": {"message": "wrong key"}}, 401), "401: wrong key"),
    "404": (lambda good: http({"detail": "Not Found"}, 404), "404: Not Found"),
    "too long": (
        lambda good: http({"error": {"message": "maximum context length is 9"}}, 400),
        "context length",
    ),
    "a list": (lambda good: http(b"[]"), "without choices"),
    "no choices": (lambda good: http({"id": "x"}), "without choices"),
    "empty choices": (lambda good: http(good | {"choices": []}), "without choices"),
    "wrong choices": (lambda good: http(good | {"choices": [7]}), "without choices"),
    "no text": (lambda good: http(good | {"choices": [{"finish_reason": "stop"}]}), "without text"),
    "odd reason": (
        lambda good: http(
            good | {"choices": [good["choices"][0] | {"finish_reason": "abort", "token_ids": []}]}
        ),
        "'abort'",
    ),
    "odd logprobs": (
        lambda good: http(good | {"choices": [good["choices"][0] | {"logprobs": {"token_logprobs": [-1]}}]}),
        "1 log-probabilities for ",
    ),
}


@pytest.mark.parametrize("name", FINAL)
def test_what_another_try_would_not_change_is_told_at_once(server, name):
    model = quick(server.url)
    server.turn(lambda seen, good: FINAL[name][0](good))
    assert FINAL[name][1] in failed(model)
    assert len(server.seen) == 1


def test_a_server_that_does_not_keep_to_choices_is_told(server):
    model = quick(server.url)
    server.turn(
        lambda seen, good: http(good | {"choices": [good["choices"][0] | {"text": "z", "token_ids": [90]}]})
    )
    answer = model.complete([Ask(PROMPT, choices=("a", "b"))])[0]
    assert isinstance(answer, Failed)


def test_a_server_that_never_answers_is_left(server):
    model = quick(server.url, timeout=0.3, tries=2)
    server.turn(lambda seen, good: None)
    what = failed(model, 4)
    assert "no answer in time" in what
    assert "tried 2 times" in what


def test_a_server_that_never_answers_is_left_at_the_start(server):
    server.turn(lambda seen, good: None)
    with pytest.raises(UserError, match="no answer in time"):
        start(server.url, timeout=0.3)


def test_a_body_that_drips_is_left():
    done = threading.Event()

    def drip(listener):
        connection, _ = listener.accept()
        with connection:
            connection.recv(65536)
            connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
            while not done.wait(0.05):
                try:
                    connection.sendall(b" ")
                except OSError:
                    return

    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=drip, args=(listener,), daemon=True)
        thread.start()
        with pytest.raises(UserError, match="no answer in time"):
            start(f"http://127.0.0.1:{listener.getsockname()[1]}/v1", timeout=0.4)
        done.set()
        thread.join(60)


@pytest.mark.parametrize("name", ["page", "404", "moved", "401"])
def test_a_wrong_address_is_told_at_the_start(server, name):
    server.turn(lambda seen, good: FINAL[name][0](good))
    with pytest.raises(UserError) as raised:
        start(server.url)
    assert FINAL[name][1] in raised.value.what
    assert raised.value.hint


def test_a_server_that_is_busy_at_the_start_is_waited_for(server):
    server.turn(lambda seen, good: http(good) if seen.number else http({}, 503))
    assert start(server.url).complete([ASK]) == [TRUE]


def test_scores_that_do_not_come_are_told(server):
    model = quick(server.url)
    ask = Ask(PROMPT, choices=("a", "b"))
    for bad in (
        lambda seen, good: http(good | {"choices": good["choices"][:1]}),
        lambda seen, good: http(good | {"choices": [row | {"logprobs": None} for row in good["choices"]]}),
        lambda seen, good: http({}, 500),
    ):
        server.turn(bad)
        assert isinstance(model.score([ask])[0], Failed)


def test_the_key_goes_to_the_server_and_nowhere_else(server):
    model = start(server.url)
    assert {seen.headers["authorization"] for seen in server.seen} == {f"Bearer {KEY}"}
    shown = [
        model.name,
        repr(model),
        repr(vars(model)),
        repr(vars(model._transport)),
        repr(model.capabilities),
    ]
    for status in (400, 401, 429, 500):
        server.turn(lambda seen, good, status=status: http({"error": f"your key {KEY} is no good"}, status))
        shown += [repr(model.complete([ASK])), repr(model.score([Ask(PROMPT, choices=("a",))]))]
    server.turn(lambda seen, good: http(b"", 302, Location=f"http://x.example/?key={KEY}"))
    shown.append(repr(model.complete([ASK])))
    with pytest.raises(UserError) as raised:
        start(server.url)
    shown += [
        raised.value.what,
        raised.value.hint,
        repr(raised.value.__cause__),
        repr(raised.value.__context__),
    ]
    assert any("[key]" in text for text in shown)
    assert [text for text in shown if KEY in text] == []


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)
FIELDS = ("choices", "usage", "text", "finish_reason", "stop_reason", "token_ids", "logprobs", "tokens")


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data(), has_ids=st.booleans(), logprobs=st.booleans())
def test_any_json_is_an_answer_or_a_failure(data, has_ids, logprobs):
    odd = st.dictionaries(st.sampled_from((*FIELDS, "token_logprobs")), ANYTHING, max_size=4)
    logprobs_field = st.fixed_dictionaries({"logprobs": odd | ANYTHING})
    good = {"text": "ab", "finish_reason": "stop", "token_ids": [97, 98]}
    choice = good | data.draw(odd) | data.draw(logprobs_field | st.just({}))
    reply = {"choices": [choice]} | data.draw(odd)
    told = Told(tokenizer("bytes") if has_ids else None, logprobs, {258: "<|frame_sep|>"})
    for ask in (ASK, Ask("a"), Ask("a", ("b", "c")), Ask("a", choices=("ab",))):
        assert isinstance(completion(reply, ask, told), Completion | Failed)
    assert isinstance(completion(data.draw(ANYTHING), ASK, told), Failed)


@pytest.mark.parametrize("key", ["sk-line\nend", "sk-é"])
def test_a_key_that_is_none_is_told_and_not_shown(server, monkeypatch, key):
    monkeypatch.setenv("OPENAI_API_KEY", key)
    with pytest.raises(UserError, match="OPENAI_API_KEY") as raised:
        start(server.url)
    assert "sk-" not in raised.value.what + raised.value.hint


def test_without_a_key_none_is_sent(server, monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY")
    model = start(server.url)
    assert isinstance(model.complete([ASK])[0], Completion)
    assert all("authorization" not in seen.headers for seen in server.seen)
