"""This file is the model behind a chat server: the whole trace is asked for in words and read from the reply.

The reply is a trace in the format `cwm` without its special tokens, in a fenced block, as `Cwm.decode` reads
it. A chat cannot go on from the middle of a frame, so only whole traces can be asked for: free actions, free
states, all the history.

What it does not cover: counts of tokens are those of another vocabulary, because that of a chat is not known;
a source line with three backquotes may end the block early.
"""

import re
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from worldline.errors import UserError
from worldline.formats.cwm_tokens import BEGIN_OF_TEXT, CONTEXT, EVENT_TOKENS, FRAME
from worldline.models.http_address import HttpOptions, Key, key_from_environment, options
from worldline.models.http_answer import usage
from worldline.models.http_probe import served_model
from worldline.models.http_transport import NoAnswerError, Transport
from worldline.models.model import Ask, Can, Completion, Failed
from worldline.models.serve import default_tokenizer

SYSTEM = """\
You are a Python interpreter that writes down its own execution, one frame for each event, and nothing else.
The entry is the function marked `# << START_OF_TRACE`. Frames follow each other directly:
- when a function is called, and before each line that runs: a JSON object of all local variables, each \
value the text that repr() gives, then directly the source line as it stands in the program, with its \
indentation. A variable that is as in the frame before is written ".."; after a call or a return all are \
written in full;
- when a function returns: the source line, and on the next line a JSON string with the repr() of the value;
- when an exception is raised, and for each function it leaves: the source line, and on the next line a JSON \
string with the exception's repr().
A loop's line runs once more than its body. A called function of the program gets frames of its own, in place.
Answer with the trace in one fenced block, to the very end of the marked function, without explanation.
"""

_EXAMPLE_SOURCE = """\
def double(n):
    return n * 2

def main():  # << START_OF_TRACE
    total = 0
    for n in [3]:
        total += double(n)
    return str(total)
"""
_EXAMPLE_TRACE = """\
{}def main():  # << START_OF_TRACE
{}    total = 0
{"total": "0"}    for n in [3]:
{"total": "..", "n": "3"}        total += double(n)
{"n": "3"}def double(n):
{"n": ".."}    return n * 2
    return n * 2
"6"{"total": "6", "n": "3"}    for n in [3]:
{"total": "..", "n": ".."}    return str(total)
    return str(total)
"'6'"
"""
_FENCE = re.compile(r"^[ \t]*```[^\n`]*\n(.*?)(?:^[ \t]*```[ \t]*$|\Z)", re.MULTILINE | re.DOTALL)
_FIELDS = ("max_tokens", "temperature", "seed")


def chat(argument: str) -> "ChatModel":
    """The chat model at `URL#model=...`; see `http_address.py` for all that may be chosen."""
    chosen = options(argument)
    return connect(chosen)


def connect(chosen: HttpOptions, key: Key | None = None) -> "ChatModel":
    """The chat model at a server; which fields it takes is tried out now, with one word."""
    transport = Transport(chosen, key_from_environment() if key is None else key)
    name, context = served_model(transport, chosen.model)
    return ChatModel(chosen, transport, name, context)


class ChatModel:
    """A chat model that is asked for whole traces."""

    def __init__(self, chosen: HttpOptions, transport: Transport, model: str, context: int | None) -> None:
        self.can = Can(special_tokens=False, context=context)
        self.without: tuple[str, ...] = ()  # the fields that the server does not take
        self._options = chosen
        self._transport = transport
        self._model = model
        self._tokenizer = default_tokenizer()
        self.without = self._refused_fields()

    @property
    def name(self) -> str:
        """The server and its model; never the key."""
        return "chat:" + HttpOptions(self._options.url, self._model).spec

    def complete(self, asks: Sequence[Ask]) -> list[Completion | Failed]:
        """Ask for the trace of each program, many at once."""
        sources = [_source(ask) if ask.prefix.startswith(BEGIN_OF_TEXT) else None for ask in asks]
        if len(asks) < 2:
            return [self._completed(*pair) for pair in zip(asks, sources, strict=True)]
        with ThreadPoolExecutor(min(self._options.parallel, len(asks))) as pool:
            try:
                return list(pool.map(self._completed, asks, sources))
            except BaseException:
                self._transport.close()  # else an interrupted run waits for every request under way
                pool.shutdown(cancel_futures=True)
                raise

    def score(self, asks: Sequence[Ask]) -> list[tuple[float, ...] | Failed]:
        """Refused: a chat does not tell how likely a text is."""
        raise UserError("a chat model cannot tell how likely a text is (scoring)", "use http: with vLLM")

    def count(self, text: str) -> int:
        """The tokens of a text in a vocabulary that is not the chat's, but near."""
        return self._tokenizer.count(text)

    def close(self) -> None:
        """End the connections."""
        self._transport.close()

    def _completed(self, ask: Ask, source: str | None) -> Completion | Failed:
        """The trace of a program, or the answer to any other question (None: it is not about a program)."""
        in_words = [{"role": "user", "content": ask.prefix}]
        messages = in_words if source is None else trace_messages(source)
        try:
            reply = self._transport.post("/chat/completions", self._body(messages, ask))
        except NoAnswerError as error:
            return Failed(error.what, error.hint)
        return _completion(reply, is_trace=source is not None)

    def _body(self, messages: list[dict[str, str]], ask: Ask) -> dict[str, Any]:
        fields = {"max_tokens": ask.max_tokens, "temperature": ask.temperature, "seed": ask.seed}
        if "max_tokens" in self.without:
            fields["max_completion_tokens"] = ask.max_tokens
        kept = {name: value for name, value in fields.items() if name not in self.without}
        return {"model": self._model, "messages": messages} | kept

    def _refused_fields(self) -> tuple[str, ...]:
        """The fields that the server names when it refuses the smallest request."""
        ask, messages = Ask("", max_tokens=16), [{"role": "user", "content": "Say yes."}]
        while True:
            try:
                self._transport.post("/chat/completions", self._body(messages, ask))
            except NoAnswerError as error:
                named = [name for name in _FIELDS if name in error.what and name not in self.without]
                if error.status not in (400, 422) or not named:
                    raise UserError(error.what, error.hint or "is it a chat server?") from None
                self.without = (*self.without, *named)
            else:
                return self.without


def _source(ask: Ask) -> str:
    """The program of a prompt that asks for a whole trace."""
    head = BEGIN_OF_TEXT + CONTEXT
    source = ask.prefix.removeprefix(head).removesuffix(FRAME)
    is_whole = ask.prefix == head + source + FRAME
    if not is_whole or ask.choices or any(FRAME + token in source for token in EVENT_TOKENS.values()):
        raise UserError(
            "a chat model writes whole traces only: it cannot go on from within one",
            "choose --actions free --states free --context history, or a completions server: http:URL",
        )
    return source


def trace_messages(source: str) -> list[dict[str, str]]:
    """How a chat is asked for the trace of a program."""
    return [
        {"role": "system", "content": SYSTEM},
        {"role": "user", "content": _fenced(_EXAMPLE_SOURCE, "python")},
        {"role": "assistant", "content": _fenced(_EXAMPLE_TRACE)},
        {"role": "user", "content": _fenced(source, "python")},
    ]


def _fenced(text: str, language: str = "") -> str:
    return f"```{language}\n{text.rstrip()}\n```"


def _completion(reply: Any, is_trace: bool) -> Completion | Failed:
    try:
        choice = reply["choices"][0]
        content, reason = choice["message"]["content"], choice.get("finish_reason")
    except (KeyError, IndexError, TypeError, AttributeError):
        return Failed("the server answered without a message")
    if reason not in ("stop", "length"):
        return Failed(f"the server ended its answer for a reason that is not known here: {reason!r}")
    text = content if isinstance(content, str) else None
    if is_trace and text is not None:
        text = written_trace(text)
    if text is None:
        return Failed(f"the model wrote no trace but {str(content)[:80]!r}")
    asked, spent = usage(reply, "prompt_tokens") or 0, usage(reply, "completion_tokens") or 0
    return Completion(text, "length" if reason == "length" else "end", asked=asked, spent=spent)


def written_trace(content: str) -> str | None:
    """What is in the last block, or all if that is a trace without a fence."""
    blocks = [block for block in _FENCE.findall(content) if block.lstrip().startswith("{")]
    if blocks:
        return str(blocks[-1]).lstrip("\n")
    bare = content.lstrip()
    return bare if bare.startswith("{") else None
