"""This file is the model behind a completions server: vLLM first, and any other that speaks as OpenAI's do.

Prompts go as token ids where the server takes them and its vocabulary is known here, so that special tokens
are exact. A server is first asked what it can do (`http_probe.py`); what it lacks is refused with a
`UserError`, and a request that fails for good is a `Failed` beside the answers of the others.
"""

import re
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from math import exp, fsum, inf, log
from typing import Any, TypeVar

from worldline.errors import UserError
from worldline.formats.cwm_tokens import BEGIN_OF_TEXT, FRAME
from worldline.models.http_address import HttpOptions, Key, key_from_environment, options
from worldline.models.http_answer import Told, completion, logprobs_of
from worldline.models.http_probe import VLLM_FIELDS, Capabilities, probe, served_model
from worldline.models.http_transport import NoAnswerError, Transport
from worldline.models.model import Ask, Can, Completion, Failed
from worldline.models.serve import default_tokenizer
from worldline.tokens import SPECIAL, tokenizer

_Answer = TypeVar("_Answer")
_FRAMES = re.compile(f"(?<={re.escape(FRAME)})")


def http(argument: str) -> "HttpModel":
    """The model at `URL#model=...&tokenizer=...`; see `http_address.py` for all that may be chosen."""
    return connect(options(argument))


def https(argument: str) -> "HttpModel":
    """The same for an argument `//host/v1`, which is what `https://host/v1` leaves."""
    return connect(options(argument, "https"))


def connect(chosen: HttpOptions, key: Key | None = None) -> "HttpModel":
    """The model at a server, which is asked now what it can do."""
    transport = Transport(chosen, key_from_environment() if key is None else key)
    name, context = served_model(transport, chosen.model)
    found = probe(transport, name, context, chosen.tokenizer)
    return HttpModel(chosen, transport, found)


class HttpModel:
    """A model at a completions server."""

    def __init__(self, chosen: HttpOptions, transport: Transport, capabilities: Capabilities) -> None:
        self.capabilities = capabilities
        self._options = chosen
        self._transport = transport
        self._tokenizer = tokenizer(capabilities.tokenizer) if capabilities.tokenizer else None
        counter = self._tokenizer or default_tokenizer()
        self._frame_ids = lru_cache(maxsize=1 << 16)(lambda text: tuple(counter.encode(text)))

    @property
    def name(self) -> str:
        """The server, its model and the tokenizer; never the key."""
        found = self.capabilities
        return "http:" + HttpOptions(self._options.url, found.model, found.tokenizer).spec

    @property
    def can(self) -> Can:
        """What the server was seen to do."""
        return self.capabilities.can

    def complete(self, asks: Sequence[Ask]) -> list[Completion | Failed]:
        """Go on with each text, many requests at once."""
        for ask in asks:
            self._check(ask)
            if ask.choices:
                self._need("choices", "be held to choices", "score them instead, or use vLLM")
        return self._each(self._completed, asks)

    def score(self, asks: Sequence[Ask]) -> list[tuple[float, ...] | Failed]:
        """How likely each choice is, one request for all choices of an ask."""
        self._need("scoring", "tell how likely a text is", "serve with vLLM, or `worldline serve`")
        for ask in asks:
            self._check(ask)
        return self._each(self._scored, asks)

    def count(self, text: str) -> int:
        """The tokens of a text; by a vocabulary of ours where the server's is not known."""
        return sum(len(self._frame_ids(frame)) for frame in _FRAMES.split(text))

    def close(self) -> None:
        """End the connections."""
        self._transport.close()

    def _each(self, answer: Callable[[Ask], _Answer | Failed], asks: Sequence[Ask]) -> list[_Answer | Failed]:
        if len(asks) < 2:
            return [answer(ask) for ask in asks]
        with ThreadPoolExecutor(min(self._options.parallel, len(asks))) as pool:
            try:
                return list(pool.map(answer, asks))
            except BaseException:
                self._transport.close()  # else an interrupted run waits for every request under way
                pool.shutdown(cancel_futures=True)
                raise

    def _completed(self, ask: Ask) -> Completion | Failed:
        found = self.capabilities
        room = self._room(ask)
        if isinstance(room, Failed):
            return room
        body = self._body(self._prompt(ask.prefix), max_tokens=room, temperature=ask.temperature, top_p=1)
        if found.seeds:
            body["seed"] = ask.seed
        if found.logprobs:
            body["logprobs"] = 1
        if ask.choices:
            body["structured_outputs"] = {"choice": list(ask.choices)}
        else:
            body |= self._stops(ask.stops)
        try:
            reply = self._transport.post("/completions", body)
        except NoAnswerError as error:
            return Failed(error.what, error.hint)
        told = Told(
            tokenizer=self._tokenizer if found.returned_ids else None,
            logprobs=found.logprobs,
            stops={self._frame_ids(stop)[0]: stop for stop in ask.stops if stop in SPECIAL},
        )
        return completion(reply, ask, told)

    def _scored(self, ask: Ask) -> tuple[float, ...] | Failed:
        """Each choice with each stop after it; the stops of a choice are added up."""
        found = self.capabilities
        stops = ask.stops or ("",)
        texts = [choice + stop for choice in ask.choices for stop in stops]
        wanted = [text for text in texts if text]
        if not wanted:
            return (0.0,) * len(ask.choices)
        prompts = [self._prompt(ask.prefix, text) for text in wanted]
        body = self._body(prompts, max_tokens=found.echo, temperature=0, echo=True, logprobs=1)
        if found.score_from and found.token_ids:
            body["score_from"] = len(self._prompt(ask.prefix))
        try:
            reply = self._transport.post("/completions", body)
        except NoAnswerError as error:
            return Failed(error.what, error.hint)
        scores = self._read_scores(reply, ask.prefix, wanted)
        if isinstance(scores, Failed):
            return scores
        told = dict(zip(wanted, scores, strict=True)) | {"": 0.0}
        return tuple(_sum([told[choice + stop] for stop in stops]) for choice in ask.choices)

    def _read_scores(self, reply: Any, prefix: str, texts: list[str]) -> list[float] | Failed:
        choices = reply.get("choices") if isinstance(reply, dict) else None
        if not isinstance(choices, list) or len(choices) != len(texts):
            return Failed(f"the server did not answer each of {len(texts)} texts to be scored")
        rows = [choice if isinstance(choice, dict) else {} for choice in choices]
        if all(type(row.get("index")) is int for row in rows):
            rows.sort(key=lambda row: int(row["index"]))
        scores = []
        for choice, text in zip(rows, texts, strict=True):
            numbers = logprobs_of(choice)
            first, last = self._span(choice, prefix, text)
            own = numbers[first:last] if first >= 0 else []
            if not own or len(own) != last - first or None in own:
                return Failed(
                    "the server's log-probabilities do not fall together with the text to be scored",
                    "a server that takes token ids has no such trouble",
                )
            scores.append(fsum(number for number in own if number is not None))
        return scores

    def _span(self, choice: dict[str, Any], prefix: str, text: str) -> tuple[int, int]:
        """Where the tokens of a scored text stand; -1 if a token is of both it and what is before."""
        if self.capabilities.token_ids:
            first = len(self._prompt(prefix))
            return first, first + len(self._frame_ids(text))
        told = choice.get("logprobs")
        offsets = told.get("text_offset") if isinstance(told, dict) else None
        start = len(self._text(prefix))
        if not isinstance(offsets, list) or start not in offsets:
            return -1, -1
        end = start + len(text)
        return offsets.index(start), sum(isinstance(offset, int) and offset < end for offset in offsets)

    def _body(self, prompt: Any, **fields: Any) -> dict[str, Any]:
        extra = dict(VLLM_FIELDS) if self.capabilities.extra_fields else {}
        return {"model": self.capabilities.model, "prompt": prompt} | extra | fields

    def _prompt(self, prefix: str, more: str = "") -> Any:
        """What is sent: ids if they are taken, the two parts encoded apart; else text."""
        if not self.capabilities.token_ids:
            return self._text(prefix) + more
        ids = [number for frame in _FRAMES.split(prefix) for number in self._frame_ids(frame)]
        return [*ids, *self._frame_ids(more)] if more else ids

    def _text(self, prefix: str) -> str:
        return prefix.removeprefix(BEGIN_OF_TEXT) if self.capabilities.adds_begin else prefix

    def _stops(self, stops: Sequence[str]) -> dict[str, Any]:
        """Special tokens by their ids where these are known, all else as text."""
        by_id = self._tokenizer is not None and self.capabilities.extra_fields
        ids = [self._frame_ids(stop)[0] for stop in stops if by_id and stop in SPECIAL]
        texts = [stop for stop in stops if not (by_id and stop in SPECIAL)]
        return ({"stop_token_ids": ids} if ids else {}) | ({"stop": texts} if texts else {})

    def _room(self, ask: Ask) -> int | Failed:
        """The tokens to ask for: not more than fit, which servers would refuse."""
        context = self.can.context
        if context is None:
            return ask.max_tokens
        left = context - self.count(ask.prefix)
        if left < 1:
            return Failed(f"the prompt has {context - left} tokens and the server takes {context}")
        return min(left, ask.max_tokens)

    def _check(self, ask: Ask) -> None:
        if any(name in text for text in (ask.prefix, *ask.stops, *ask.choices) for name in SPECIAL):
            self._need("special_tokens", "handle special tokens", "use vLLM, or `chat:` for a chat model")

    def _need(self, capability: str, what: str, hint: str) -> None:
        if getattr(self.can, capability):
            return
        seen = self.capabilities.lacks.get("echo" if capability == "scoring" else capability, "not seen")
        raise UserError(f"the server at {self._options.url} cannot {what} ({capability}: {seen})", hint)


def _sum(logprobs: Sequence[float]) -> float:
    """The logarithm of the sum of what these are the logarithms of."""
    most = max(logprobs)
    return most if len(logprobs) == 1 or most == -inf else most + log(fsum(exp(x - most) for x in logprobs))
