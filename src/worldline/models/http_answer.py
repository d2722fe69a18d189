"""This file is the reading of a completions answer: which text, why it ended, how likely each token was."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from worldline.errors import UserError
from worldline.formats.cwm_tokens import END_OF_TEXT
from worldline.models.characters import token_texts
from worldline.models.model import Ask, Completion, Failed, Finish, Token
from worldline.tokens import Tokenizer

_IMPOSSIBLE = -9999.0  # what servers write for the logarithm of 0; finite, so that sums stay numbers


@dataclass(frozen=True, slots=True)
class Told:
    """What a server tells with its answers."""

    tokenizer: Tokenizer | None  # its own, if it tells the ids of its answers: then they make the text
    logprobs: bool  # one for each token
    stops: Mapping[int, str]  # the stops that it may name by their ids


def completion(reply: Any, ask: Ask, told: Told) -> Completion | Failed:
    """What a server answered to one ask; its JSON is `reply`."""
    choice = first_choice(reply)
    if choice is None:
        return Failed("the server answered without choices")
    if not isinstance(choice.get("text"), str):
        return Failed("the server answered with a choice without text")
    try:
        texts = texts_of(choice, told.tokenizer)
    except UserError as error:
        return Failed(f"the server answered with ids that are none: {error.what}")
    text = choice["text"] if texts is None or told.tokenizer is None else "".join(texts)
    ended = _ended(choice, text, () if ask.choices else ask.stops, told.stops)
    if isinstance(ended, Failed):
        return ended
    text, finish, stop = ended
    if ask.choices and text not in ask.choices:
        return Failed(f"the server did not keep to the choices: it wrote {text[:80]!r}")
    tokens: tuple[Token, ...] = ()
    if texts is not None:
        logprobs = logprobs_of(choice)
        if told.logprobs and len(logprobs) != len(texts):
            return Failed(f"the server told {len(logprobs)} log-probabilities for {len(texts)} tokens")
        numbers = logprobs if told.logprobs else [None] * len(texts)
        tokens = _covering(list(zip(texts, numbers, strict=True)), text, stop)
    asked, spent = usage(reply, "prompt_tokens"), usage(reply, "completion_tokens")
    return Completion(text, finish, stop, tokens, asked or 0, spent or len(tokens))


def logprobs_of(choice: dict[str, Any]) -> list[float | None]:
    """The log-probabilities of a choice; None where the server tells none."""
    told = _under(choice, "logprobs", "token_logprobs")
    return [_logprob(number) for number in told] if isinstance(told, list) else []


def usage(reply: dict[str, Any], name: str) -> int | None:
    """A number of tokens that the server has counted."""
    told = _under(reply, "usage", name)
    return told if isinstance(told, int) and told >= 0 else None


def first_choice(reply: Any) -> dict[str, Any] | None:
    """The first of the answers, if there is one."""
    choices = reply.get("choices") if isinstance(reply, dict) else None
    has_one = isinstance(choices, list) and choices and isinstance(choices[0], dict)
    return choices[0] if choices and has_one else None


def _under(told: dict[str, Any], name: str, inner: str) -> Any:
    """A field of a field, if both are there."""
    outer = told.get(name)
    return outer.get(inner) if isinstance(outer, dict) else None


def _logprob(number: Any) -> float | None:
    if isinstance(number, bool) or not isinstance(number, int | float) or math.isnan(number):
        return None
    return min(0.0, max(_IMPOSSIBLE, float(number)))


def texts_of(choice: dict[str, Any], tokenizer: Tokenizer | None) -> list[str] | None:
    """The text of each token; None if the server tells no tokens. A wrong id is a `UserError`."""
    ids = choice.get("token_ids")
    if tokenizer is not None and isinstance(ids, list) and all(type(number) is int for number in ids):
        return token_texts(ids, tokenizer)
    told = _under(choice, "logprobs", "tokens")
    return [str(text) for text in told] if isinstance(told, list) else None


def _ended(
    choice: dict[str, Any], text: str, stops: Sequence[str], by_id: Mapping[int, str]
) -> tuple[str, Finish, str] | Failed:
    """The text up to what ended it, and what that was.

    A stop may still be in the text: where it is decoded from ids, and where a server does not take it out.
    """
    found = [(at, -len(stop), stop) for stop in stops if (at := text.find(stop)) >= 0]
    if found:
        at, _, first = min(found)
        return text[:at], "stop", first
    reason = choice.get("finish_reason")
    if reason == "length":
        return text, "length", ""
    if reason != "stop":
        return Failed(f"the server ended its answer for a reason that is not known here: {reason!r}")
    stop = _stop(choice, stops, by_id)
    if stop is None:
        return Failed("the server does not say which of several stops came", "ask with one stop at a time")
    return text.removesuffix(END_OF_TEXT), "stop" if stop else "end", stop


def _stop(choice: dict[str, Any], stops: Sequence[str], by_id: Mapping[int, str]) -> str | None:
    """The stop that came where the text does not show it; empty: the model's own end; None: not told."""
    reason = choice.get("stop_reason")
    named = by_id.get(reason) if isinstance(reason, int) else reason
    if not stops or named in stops:
        return named if stops else ""
    if reason is None and "stop_reason" in choice:  # vLLM: the model's own end, asked for or not
        return END_OF_TEXT if END_OF_TEXT in stops else ""
    return stops[0] if len(stops) == 1 else None


def _covering(pairs: list[tuple[str, float | None]], text: str, stop: str) -> tuple[Token, ...]:
    """The tokens of the text, and the stop if it is one."""
    tokens, at = [], 0
    for piece, logprob in pairs:
        if at >= len(text) and not (at == len(text) and piece in ("", stop)):
            break
        kept = piece if at >= len(text) else piece[: len(text) - at]
        tokens.append(Token(kept, logprob))
        at += len(piece)
    return tuple(tokens)
