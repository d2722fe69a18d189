"""This file is the reading of a completions request: JSON in OpenAI's shape, checked, ids turned into texts.

What vLLM adds to that shape and this understands: `stop_token_ids`, `skip_special_tokens`,
`return_token_ids`, `include_stop_str_in_output`, `structured_outputs: {"choice": [...]}`. Ours is
`score_from`: with `echo`, the prompt tokens from this place on are scored as one text, for which the model is
asked once instead of once for each token. Fields that nobody knows are ignored.
"""

import math
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from worldline.errors import UserError
from worldline.models.model import Ask, Can
from worldline.tokens import SPECIAL, Tokenizer

_MAX_LOGPROBS = 20
_REFUSED = {"n": 1, "best_of": 1, "stream": False, "suffix": None, "use_beam_search": False}
"""What we do not do, with the value that is as good as nothing."""


class RefusedError(Exception):
    """A request that is answered with an error.

    Args:
        message: what is wrong, as a sentence.
        param: the field that is to blame.
        status: of HTTP.
        code: a word for programs.
    """

    def __init__(self, message: str, param: str | None = None, status: int = 400, code: str = "") -> None:
        super().__init__(message)
        self.status = status
        kind = "invalid_request_error" if status < 500 else "server_error"
        self.body = {"error": {"message": message, "type": kind, "param": param, "code": code or None}}


@dataclass(frozen=True, slots=True)
class Prompt:
    """One text to go on with."""

    text: str
    ids: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Form:
    """How the answer is to be written."""

    echo: bool
    logprobs: int | None
    score_from: int | None
    skip_special_tokens: bool
    return_token_ids: bool
    include_stop: bool


@dataclass(frozen=True, slots=True)
class Request:
    """A request that can be answered."""

    prompts: tuple[Prompt, ...]
    asks: tuple[Ask, ...]  # one for each prompt
    stop_ids: Mapping[str, int]  # text of a stop -> the token id it was asked for by
    form: Form
    model: str | None


def parse(body: Any, tokenizer: Tokenizer, can: Can) -> Request:
    """The request in a JSON body; what is wrong with it is raised as `RefusedError`."""
    if not isinstance(body, dict):
        raise RefusedError("the body must be a JSON object")
    for name, nothing in _REFUSED.items():
        if body.get(name) not in (None, nothing):
            raise RefusedError(f"{name} is not supported here", name)
    form = _form(body, can)
    prompts = _prompts(body.get("prompt"), tokenizer)
    stop_ids = _stop_ids(body, tokenizer)
    stops = tuple(dict.fromkeys([*stop_ids, *_stops(body, form)]))
    lowest = 0 if form.echo else 1
    max_tokens = _integer(body, "max_tokens", 16, lowest)
    seed = _integer(body, "seed", secrets.randbelow(1 << 31), -(1 << 63))
    choices = _choices(body, can)
    temperature = _number(body, "temperature", 1.0)
    asks = tuple(Ask(prompt.text, stops, max_tokens, choices, temperature, seed) for prompt in prompts)
    return Request(prompts, asks, stop_ids, form, _text_or_none(body, "model"))


def _form(body: dict[str, Any], can: Can) -> Form:
    logprobs = None if body.get("logprobs") is None else _integer(body, "logprobs", 0, 0)
    echo = _boolean(body, "echo", False)
    if logprobs is not None and logprobs > _MAX_LOGPROBS:
        raise RefusedError(f"logprobs is {logprobs}, and at most {_MAX_LOGPROBS} are given", "logprobs")
    if logprobs is not None and not can.logprobs and not (echo and can.scoring):
        raise RefusedError("this model tells no log-probabilities", "logprobs")
    if logprobs is not None and echo and not can.scoring:
        raise RefusedError("this model cannot tell how likely a prompt is: no echo with logprobs", "echo")
    return Form(
        echo,
        logprobs,
        None if body.get("score_from") is None else _integer(body, "score_from", 0, 0),
        _boolean(body, "skip_special_tokens", True),
        _boolean(body, "return_token_ids", False),
        _boolean(body, "include_stop_str_in_output", False),
    )


def _prompts(given: Any, tokenizer: Tokenizer) -> tuple[Prompt, ...]:
    """A text, a list of texts, token ids, or lists of them."""
    if isinstance(given, str) or (isinstance(given, list) and given and _is_integer(given[0])):
        return (_prompt(given, tokenizer),)
    if isinstance(given, list) and given:
        return tuple(_prompt(each, tokenizer) for each in given)
    raise RefusedError("prompt must be a text, token ids, or a list of such, and not empty", "prompt")


def _prompt(given: Any, tokenizer: Tokenizer) -> Prompt:
    if isinstance(given, str):
        return Prompt(given, tuple(tokenizer.encode(given)))
    if not isinstance(given, list) or not given or not all(_is_integer(number) for number in given):
        raise RefusedError("each prompt must be a text or a list of token ids, and not empty", "prompt")
    return Prompt(_decoded(given, tokenizer, "prompt"), tuple(given))


def _decoded(ids: list[int], tokenizer: Tokenizer, param: str) -> str:
    try:
        return tokenizer.decode(ids)
    except UserError as error:
        raise RefusedError(error.what, param) from None


def _stop_ids(body: dict[str, Any], tokenizer: Tokenizer) -> dict[str, int]:
    given = body.get("stop_token_ids") or []
    if not isinstance(given, list) or not all(_is_integer(number) for number in given):
        raise RefusedError("stop_token_ids must be a list of token ids", "stop_token_ids")
    return {_decoded([number], tokenizer, "stop_token_ids"): number for number in given}


def _stops(body: dict[str, Any], form: Form) -> list[str]:
    """The texts to stop at; where special tokens are left out of the text, none of them can be met there."""
    given = body.get("stop") or []
    stops = _texts([given] if isinstance(given, str) else given, "stop")
    if not form.skip_special_tokens:
        return stops
    return [stop for stop in stops if not any(name in stop for name in SPECIAL)]


def _choices(body: dict[str, Any], can: Can) -> tuple[str, ...]:
    given = body.get("structured_outputs")
    if given is None:
        return ()
    if not isinstance(given, dict) or set(given) != {"choice"} or not given["choice"]:
        raise RefusedError('structured_outputs must be {"choice": [some texts]}', "structured_outputs")
    if not can.choices:
        raise RefusedError("this model cannot be held to choices", "structured_outputs")
    return tuple(_texts(given["choice"], "structured_outputs"))


def _texts(given: Any, param: str) -> list[str]:
    if not isinstance(given, list) or not all(isinstance(text, str) and text for text in given):
        raise RefusedError(f"{param} must hold texts that are not empty", param)
    return given


def _text_or_none(body: dict[str, Any], name: str) -> str | None:
    given = body.get(name)
    if given is not None and not isinstance(given, str):
        raise RefusedError(f"{name} must be a text", name)
    return given


def _is_integer(given: Any) -> bool:
    return isinstance(given, int) and not isinstance(given, bool)


def _integer(body: dict[str, Any], name: str, default: int, lowest: int) -> int:
    given = body.get(name)
    if given is None:
        return default
    if not _is_integer(given) or given < lowest:
        raise RefusedError(f"{name} must be a whole number of at least {lowest}", name)
    return int(given)


def _number(body: dict[str, Any], name: str, default: float) -> float:
    given = body.get(name)
    if given is None:
        return default
    if isinstance(given, bool) or not isinstance(given, int | float) or not 0 <= given < math.inf:
        raise RefusedError(f"{name} must be a number of at least 0", name)
    return float(given)


def _boolean(body: dict[str, Any], name: str, default: bool) -> bool:
    given = body.get(name)
    if given is None:
        return default
    if not isinstance(given, bool):
        raise RefusedError(f"{name} must be true or false", name)
    return given
