"""This file is the `chat` model: the prompt shows a true trace, and the answer becomes a trace."""

import json

import pytest
from hostile import Hostile, http

from worldline.errors import UserError
from worldline.formats.cwm import CWM, stripped
from worldline.models import chat as module
from worldline.models.chat import connect
from worldline.models.http_address import HttpOptions
from worldline.models.model import Ask, Can, Completion, Failed
from worldline.record import record
from worldline.record.entry import find_entry
from worldline.trace.model import Program

KEY = "sk-do-not-show-me-4711"
SOURCE = "def f(x):\n    return x + 1\n\n\ndef main():  # << START_OF_TRACE\n    return f(2)\n"
PROGRAM = Program(SOURCE, find_entry(SOURCE, "program.py"))
ASK = Ask(CWM.prompt(PROGRAM), ("<|end_of_text|>",), 500)


def truth(source):
    """The trace that Python gives."""
    return record(Program(source, find_entry(source, "program.py"))).trace


def reply(content, reason="stop"):
    message = {"role": "assistant", "content": content}
    usage = {"prompt_tokens": 300, "completion_tokens": 70}
    return http({"choices": [{"message": message, "finish_reason": reason}], "usage": usage})


@pytest.fixture
def server(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with Hostile() as running:
        running.answer = "```\n{}\n```"
        running.turn(lambda seen, good: http(good) if seen.body is None else reply(running.answer))
        yield running


@pytest.fixture
def model(server):
    return connect(HttpOptions(server.url, tries=2, first_wait=0.01, timeout=5))


def test_the_worked_example_is_what_python_does():
    trace = truth(module._EXAMPLE_SOURCE)
    assert module._EXAMPLE_TRACE.rstrip() == stripped(CWM.encode(trace)).rstrip()


@pytest.mark.parametrize("fence", ["```\n{}\n```", "Sure!\n```json\n{}\n```\nDone.", "{}", "```text\n{}"])
def test_a_right_answer_is_read_as_the_true_trace(server, model, fence):
    true = truth(SOURCE)
    server.answer = fence.replace("{}", stripped(CWM.encode(true)), 1)
    answer = model.complete([ASK])[0]
    assert isinstance(answer, Completion)
    assert (answer.finish, answer.asked, answer.spent) == ("end", 300, 70)
    decoded = CWM.decode(answer.text, PROGRAM)
    assert decoded.problem is None
    assert decoded.steps == CWM.holds(true).steps


def test_the_program_is_shown_and_no_special_token(server, model):
    server.seen.clear()
    model.complete([ASK, ASK])
    assert len(server.seen) == 2
    shown = json.dumps(server.seen[0].body)
    assert "def f(x)" in shown
    assert "<|" not in shown
    assert server.seen[0].body["max_tokens"] == 500
    assert KEY not in repr(vars(model)) + model.name


def test_an_answer_that_is_cut_keeps_what_there_is(server, model):
    true = stripped(CWM.encode(truth(SOURCE)))
    server.turn(lambda seen, good: reply("```\n" + true[:60], "length"))
    answer = model.complete([ASK])[0]
    assert answer.finish == "length"
    assert CWM.decode(answer.text, PROGRAM).steps


@pytest.mark.parametrize(
    ("sent", "word"),
    [
        (reply("I cannot run code."), "no trace"),
        (reply(None), "no trace"),
        (reply("```\n{}\n```", "content_filter"), "content_filter"),
        (http({"choices": []}), "without a message"),
        (http({"choices": [{"message": None}]}), "without a message"),
        (http({"error": {"message": f"no {KEY}"}}, 401), "401: no [key]"),
    ],
)
def test_what_is_no_trace_is_told(server, model, sent, word):
    server.turn(lambda seen, good: sent)
    answer = model.complete([ASK])[0]
    assert isinstance(answer, Failed)
    assert word in answer.what


@pytest.mark.parametrize(
    "ask",
    [
        Ask(ASK.prefix + "<|call_sep|>"),
        Ask(ASK.prefix + "<|call_sep|>{}<|action_sep|>def main():\n<|frame_sep|>"),
        Ask(ASK.prefix, choices=("a",)),
    ],
)
def test_only_whole_traces_can_be_asked_for(model, ask):
    with pytest.raises(UserError, match="whole traces only") as raised:
        model.complete([ask])
    assert "--actions free" in raised.value.hint


def test_what_is_no_program_is_asked_in_words(server, model):
    server.answer = "[ANSWER]f(3)[/ANSWER]"
    server.seen.clear()
    (answer,) = model.complete([Ask("Which input gives 3?", (), 50)])
    assert (answer.text, answer.finish, answer.spent) == ("[ANSWER]f(3)[/ANSWER]", "end", 70)
    assert server.seen[0].body["messages"] == [{"role": "user", "content": "Which input gives 3?"}]


def test_what_a_chat_cannot_do_is_said(model):
    assert model.can == Can(special_tokens=False, context=4000)
    with pytest.raises(UserError, match="scoring"):
        model.score([ASK])
    assert model.count("abc") >= 1


def test_fields_that_a_server_refuses_are_left_out(server):
    def picky(seen, good):
        if seen.body is None:
            return http(good)
        for name in ("max_tokens", "temperature"):
            if name in seen.body:
                return http({"error": {"message": f"Unsupported parameter: '{name}'"}}, 400)
        return reply("```\n{}\n```")

    server.turn(picky)
    model = connect(HttpOptions(server.url))
    assert model.without == ("max_tokens", "temperature")
    model.complete([ASK])
    assert server.seen[-1].body["max_completion_tokens"] == 500
    server.turn(lambda seen, good: http(good) if seen.body is None else http({"error": "no chat here"}, 404))
    with pytest.raises(UserError, match="no chat here"):
        connect(HttpOptions(server.url))
