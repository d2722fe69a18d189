"""This file is what `worldline serve` answers, asked over a real socket as any client would."""

import http.client
import json
import math
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from tiny_models import END, TRACE, BytePairs, Written

from interrupts import heed_interrupts
from worldline.errors import UserError
from worldline.models.model import Ask, Can, Completion, Failed
from worldline.models.serve import ServeOptions, Server, serve
from worldline.models.serve_batch import Batches
from worldline.tokens import tokenizer

FRAME = "<|frame_sep|>"
PROMPT = TRACE[: TRACE.index("<|call_sep|>")]
BYTES = tokenizer("bytes")


def asked(server: Server, body, path="/v1/completions", content="application/json", host=None):
    """Status and JSON of one request."""
    port = int(server.url.split(":")[2].split("/")[0])
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    raw = body if isinstance(body, bytes | None) else json.dumps(body).encode()
    headers = {"Content-Type": content} | ({"Host": host} if host else {})
    connection.request("GET" if body is None else "POST", path, raw, headers)
    response = connection.getresponse()
    told = json.loads(response.read())
    connection.close()
    return response.status, told


@pytest.fixture(scope="module")
def server():
    with serve(BytePairs(), ServeOptions(tokenizer="bytes")) as running:
        yield running


def completed(server, **body):
    status, told = asked(server, {"temperature": 0} | body)
    assert status == 200, told
    return told


def test_the_model_is_listed_with_its_context(server):
    status, told = asked(server, None, "/v1/models")
    assert status == 200
    assert [(row["id"], row["max_model_len"]) for row in told["data"]] == [("tiny:bytes", 4000)]


@pytest.mark.parametrize("as_ids", [False, True])
@pytest.mark.parametrize("as_list", [False, True])
def test_a_prompt_may_be_text_or_ids_one_or_many(server, as_ids, as_list):
    prompts = [PROMPT, PROMPT + "<|call_sep|>{}"]
    shown = [BYTES.encode(prompt) if as_ids else prompt for prompt in prompts]
    told = completed(server, prompt=shown if as_list else shown[0], max_tokens=6, skip_special_tokens=False)
    expected = [answer.text for answer in BytePairs().complete([Ask(text, max_tokens=6) for text in prompts])]
    assert [choice["text"] for choice in told["choices"]] == expected[: 2 if as_list else 1]
    assert [choice["index"] for choice in told["choices"]] == list(range(2 if as_list else 1))
    count = sum(BYTES.count(prompt) for prompt in prompts[: 2 if as_list else 1])
    assert told["usage"]["prompt_tokens"] == count
    assert told["usage"]["total_tokens"] == count + told["usage"]["completion_tokens"]


def test_special_tokens_are_left_out_of_the_text_unless_they_are_wanted(server):
    told = completed(server, prompt=PROMPT, max_tokens=3)
    assert told["choices"][0]["text"] == "{}"
    told = completed(server, prompt=PROMPT, max_tokens=3, skip_special_tokens=False)
    assert told["choices"][0]["text"] == "<|call_sep|>{}"


@pytest.mark.parametrize(
    ("stop", "reason", "text"),
    [
        ({"stop_token_ids": BYTES.encode(FRAME)}, BYTES.encode(FRAME)[0], TRACE.split(FRAME)[1]),
        ({"stop": FRAME}, FRAME, TRACE.split(FRAME)[1]),
        ({"stop": ["main", "}"]}, "}", "<|call_sep|>{"),
        ({"stop": ["}"], "include_stop_str_in_output": True}, "}", "<|call_sep|>{}"),
    ],
)
def test_an_answer_stops_and_says_at_what(server, stop, reason, text):
    told = completed(server, prompt=PROMPT, max_tokens=60, skip_special_tokens=False, **stop)["choices"][0]
    assert (told["text"], told["finish_reason"], told["stop_reason"]) == (text, "stop", reason)


def test_a_special_token_cannot_be_met_in_a_text_that_leaves_it_out(server):
    told = completed(server, prompt=PROMPT, max_tokens=40, stop=FRAME)["choices"][0]
    assert (told["finish_reason"], told["stop_reason"]) == ("length", None)


def test_the_end_of_a_text_is_a_stop_without_a_reason(server):
    told = completed(server, prompt=TRACE.removesuffix(END), max_tokens=9)["choices"][0]
    assert (told["text"], told["finish_reason"], told["stop_reason"]) == ("", "stop", None)


def test_log_probabilities_are_those_of_the_model_one_for_each_token(server):
    told = completed(
        server,
        prompt=PROMPT,
        max_tokens=60,
        logprobs=1,
        stop_token_ids=BYTES.encode(FRAME),
        return_token_ids=True,
    )
    choice, expected = told["choices"][0], BytePairs().complete([Ask(PROMPT, (FRAME,), 60)])[0]
    assert choice["logprobs"]["token_logprobs"] == [token.logprob for token in expected.tokens]
    assert choice["logprobs"]["tokens"] == [token.text for token in expected.tokens]
    assert choice["logprobs"]["tokens"][-1] == FRAME
    assert [*map(BYTES.decode, ([number] for number in choice["token_ids"]))] == choice["logprobs"]["tokens"]
    assert choice["prompt_token_ids"] == BYTES.encode(PROMPT)
    offsets, tokens = choice["logprobs"]["text_offset"], choice["logprobs"]["tokens"]
    assert offsets == [len("".join(tokens[:at])) for at in range(len(tokens))]
    assert choice["logprobs"]["top_logprobs"][0] == {tokens[0]: choice["logprobs"]["token_logprobs"][0]}
    assert told["usage"]["completion_tokens"] == len(tokens)


def test_a_prompt_is_scored_token_by_token(server):
    told = completed(server, prompt="def é", echo=True, logprobs=0, max_tokens=0)
    logprobs = told["choices"][0]["logprobs"]["token_logprobs"]
    model, ids = BytePairs(), BYTES.encode("def é")
    expected = [model.logprobs(ids[:at])[ids[at]] for at in range(1, len(ids))]
    assert logprobs[0] is None
    assert logprobs[1:4] == expected[:3]
    assert logprobs[4] == pytest.approx(sum(expected[3:]))  # the two bytes of one character
    assert logprobs[5] == 0
    assert told["choices"][0]["text"] == "def é"
    assert told["choices"][0]["logprobs"]["top_logprobs"] is None


def test_a_prompt_of_one_token_has_nothing_to_score(server):
    told = completed(server, prompt=[[97], [97, 98]], echo=True, logprobs=1, max_tokens=0)
    assert [len(choice["logprobs"]["tokens"]) for choice in told["choices"]] == [1, 2]
    assert told["choices"][0]["logprobs"]["token_logprobs"] == [None]


def test_the_rest_of_a_prompt_is_scored_as_one(server):
    prompts = [BYTES.encode(text) for text in ("def main", "def f")]
    told = completed(server, prompt=prompts, echo=True, logprobs=1, max_tokens=0, score_from=4)
    expected = BytePairs().score([Ask("def ", choices=("main", "f"))])[0]
    for choice, total, prompt in zip(told["choices"], expected, prompts, strict=True):
        numbers = choice["logprobs"]["token_logprobs"]
        assert numbers[:4] == [None] * 4
        assert sum(numbers[4:]) == pytest.approx(total)
        assert len(numbers) == len(prompt)


def test_what_cannot_be_is_written_as_a_number():
    class Sure(BytePairs):
        def score(self, asks):
            return [tuple(-math.inf for _ in ask.choices) for ask in asks]

    with serve(Sure(), ServeOptions(tokenizer="bytes")) as running:
        told = completed(running, prompt="ab", echo=True, logprobs=1, max_tokens=0)
    assert told["choices"][0]["logprobs"]["token_logprobs"] == [None, -9999.0]


def test_an_answer_is_held_to_choices(server):
    told = completed(server, prompt=PROMPT, max_tokens=60, structured_outputs={"choice": ["zebra", "apple"]})
    assert told["choices"][0]["text"] in ("zebra", "apple")


def test_the_seed_decides(server):
    texts = [
        completed(server, prompt=PROMPT, max_tokens=30, temperature=1.5, seed=seed)["choices"][0]["text"]
        for seed in (1, 1, 2)
    ]
    assert texts[0] == texts[1] != texts[2]


def test_without_a_seed_each_answer_is_another(server):
    texts = {
        completed(server, prompt=PROMPT, max_tokens=40, temperature=2)["choices"][0]["text"] for _ in range(3)
    }
    assert len(texts) == 3


@pytest.mark.parametrize(
    ("body", "word"),
    [
        ([], "object"),
        ({}, "prompt"),
        ({"prompt": []}, "prompt"),
        ({"prompt": [[]]}, "prompt"),
        ({"prompt": [1, "a"]}, "prompt"),
        ({"prompt": [True]}, "prompt"),
        ({"prompt": [100000]}, "100000"),
        ({"prompt": [-1]}, "-1"),
        ({"prompt": "a", "max_tokens": 0}, "max_tokens"),
        ({"prompt": "a", "max_tokens": "many"}, "max_tokens"),
        ({"prompt": "a", "max_tokens": 4000}, "maximum context"),
        ({"prompt": "a", "temperature": -1}, "temperature"),
        ({"prompt": "a", "seed": 1.5}, "seed"),
        ({"prompt": "a", "stop": [1]}, "stop"),
        ({"prompt": "a", "stop": [""]}, "stop"),
        ({"prompt": "a", "stop_token_ids": [9999]}, "9999"),
        ({"prompt": "a", "logprobs": 21}, "logprobs"),
        ({"prompt": "a", "logprobs": True}, "logprobs"),
        ({"prompt": "a", "echo": 1}, "echo"),
        ({"prompt": "a", "n": 2}, "n is not"),
        ({"prompt": "a", "stream": True}, "stream"),
        ({"prompt": "a", "structured_outputs": {"regex": "a*"}}, "structured_outputs"),
        ({"prompt": "a", "structured_outputs": {"choice": []}}, "structured_outputs"),
        ({"prompt": "a", "model": 7}, "model"),
        (b'{"prompt": ', "not JSON"),
        (b'{"prompt": "a", "temperature": NaN}', "temperature"),
        (b"[" * 100_000, "not JSON"),
    ],
)
def test_a_wrong_request_is_answered_with_what_is_wrong(server, body, word):
    status, told = asked(server, body)
    assert status == 400
    assert word in told["error"]["message"]
    assert told["error"]["type"] == "invalid_request_error"


@pytest.mark.parametrize(
    ("can", "body", "word"),
    [
        (Can(scoring=True), {"logprobs": 1}, "log-probabilities"),
        (Can(logprobs=True), {"logprobs": 1, "echo": True}, "likely a prompt"),
        (Can(), {"structured_outputs": {"choice": ["a"]}}, "choices"),
    ],
)
def test_what_a_model_cannot_do_is_refused(can, body, word):
    with serve(BytePairs(can), ServeOptions(tokenizer="bytes")) as running:
        status, told = asked(running, {"prompt": "a"} | body)
    assert status == 400
    assert word in told["error"]["message"]


def test_other_paths_models_and_callers_are_refused(server):
    assert asked(server, {"prompt": "a"}, "/v1/chat/completions")[0] == 404
    assert asked(server, None, "/")[0] == 404
    status, told = asked(server, {"prompt": "a", "model": "gpt"})
    assert (status, told["error"]["code"]) == (404, "model_not_found")
    assert asked(server, {"prompt": "a"}, content="text/plain")[0] == 415  # what a web page may send unasked
    assert asked(server, {"prompt": "a"}, host="evil.example:8000")[0] == 403
    assert asked(server, {"prompt": "a", "max_tokens": 1}, host="localhost:8000")[0] == 200


def test_a_connection_goes_on_after_an_error(server):
    port = int(server.url.split(":")[2].split("/")[0])
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    for path, status in (("/nowhere", 404), ("/v1/completions", 200)):
        body = json.dumps({"prompt": "a", "max_tokens": 1})
        connection.request("POST", path, body, {"Content-Type": "application/json"})
        response = connection.getresponse()
        response.read()
        assert response.status == status
    connection.close()


def test_a_client_that_goes_away_harms_nobody(server, capfd):
    port = int(server.url.split(":")[2].split("/")[0])
    for sent in (b"", b"POST /v1/comp", b"POST /v1/completions HTTP/1.1\r\nContent-Length: 99\r\n\r\n{"):
        with socket.create_connection(("127.0.0.1", port)) as connection:
            connection.sendall(sent)
    assert completed(server, prompt="a", max_tokens=1)["choices"]
    assert "Traceback" not in capfd.readouterr().err


def test_a_model_that_fails_or_breaks_is_told_and_the_server_lives():
    class Breaks(Written):
        def complete(self, asks):
            if any("break" in ask.prefix for ask in asks):
                raise ZeroDivisionError("oops")
            return super().complete(asks)

    model = Breaks({"bad": Failed("no idea", "ask another"), "good": Completion("yes", "end")})
    with serve(model, ServeOptions(tokenizer="bytes")) as running:
        status, told = asked(running, {"prompt": "bad"})
        assert (status, told["error"]["message"]) == (422, "no idea (ask another)")
        status, told = asked(running, {"prompt": "break"})
        assert status == 500
        assert "ZeroDivisionError: oops" in told["error"]["message"]
        assert asked(running, {"prompt": "good"})[0] == 200


def test_requests_of_many_clients_are_asked_together_and_one_bad_one_harms_no_other():
    """While the model is busy with a first one, twelve come: they are the next call."""
    is_busy, go_on, told = threading.Event(), threading.Event(), {}

    class Touchy(BytePairs):
        def complete(self, asks):
            if any("boom" in ask.prefix for ask in asks):
                raise UserError("boom")
            if asks[0].prefix == "first":
                is_busy.set()
                assert go_on.wait(60)
            return super().complete(asks)

    def one(prompt):
        body = {"prompt": prompt, "max_tokens": 8, "temperature": 0, "skip_special_tokens": False}
        told[prompt] = asked(running, body)

    prompts = ["boom", *(f"def f{index}" for index in range(11))]
    with serve(Touchy(), ServeOptions(tokenizer="bytes")) as running:
        threads = [threading.Thread(target=one, args=(prompt,)) for prompt in ("first", *prompts)]
        threads[0].start()
        assert is_busy.wait(60)
        for thread in threads[1:]:
            thread.start()
        until = time.monotonic() + 60
        while running.batches.waiting < len(prompts) and time.monotonic() < until:
            time.sleep(0.01)
        go_on.set()
        for thread in threads:
            thread.join(60)
        assert running.batches.calls == [1, len(prompts), *(1 for _ in prompts)]
    status, error = told.pop("boom")
    assert (status, error["error"]["message"]) == (400, "boom")
    true = {prompt: BytePairs().complete([Ask(prompt, max_tokens=8)])[0].text for prompt in told}
    assert {prompt: answer["choices"][0]["text"] for prompt, (_, answer) in told.items()} == true


def test_as_many_are_waited_for_as_are_connected_and_who_asks_alone_does_not_wait():
    connected = 3
    batches = Batches(BytePairs(), lambda: connected, gather=300.0, most=64)
    ask = Ask("def f", max_tokens=8)
    threads = [threading.Thread(target=batches.complete, args=([ask],), daemon=True) for _ in range(4)]
    for thread in threads[:3]:
        thread.start()
    for thread in threads[:3]:
        thread.join(60)
    assert batches.calls == [3]
    connected = 1
    threads[3].start()
    threads[3].join(60)
    assert batches.calls == [3, 1]
    batches.close()


def test_what_is_not_even_http_is_refused_in_the_same_shape(server):
    port = int(server.url.split(":")[2].split("/")[0])
    for sent in (b"nonsense\r\n\r\n", b"PUT /v1/models HTTP/1.1\r\n\r\n"):
        with socket.create_connection(("127.0.0.1", port)) as connection:
            connection.sendall(sent)
            received = b"".join(iter(lambda: connection.recv(4096), b""))
        assert json.loads(received.rpartition(b"\r\n\r\n")[2])["error"]["message"]


def test_a_port_that_is_taken_is_the_users_matter(server):
    port = int(server.url.split(":")[2].split("/")[0])
    with pytest.raises(UserError, match=f"port {port}"):
        serve(BytePairs(), ServeOptions(port=port, tokenizer="bytes"))


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_the_verb_prints_its_address_answers_and_ends_well(sent):
    code = "import typer; from worldline.cli.serve import serve; typer.run(serve)"
    source = str(Path(__file__).parents[2] / "src")
    process = subprocess.Popen(
        [sys.executable, "-c", code, "oracle", "--port", "0", "--tokenizer", "bytes", "--json"],
        env=os.environ | {"PYTHONPATH": source},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=heed_interrupts,
    )
    try:
        row = json.loads(process.stdout.readline())
        port = int(row["url"].split(":")[2].split("/")[0])
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        connection.request("GET", "/v1/models")
        assert json.loads(connection.getresponse().read())["data"][0]["id"] == row["model"] == "oracle"
        process.send_signal(sent)
        _, talk = process.communicate(timeout=60)
        assert process.returncode == 0
        assert "Traceback" not in talk
    finally:
        process.kill()
        process.wait()
