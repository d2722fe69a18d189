"""This file is the answer to a completions request, in OpenAI's shape with vLLM's additions.

What it does not cover: a model of ours tells the log-probability of the token it took and no other, so
`top_logprobs` names that one only, however many were asked for. All is told in tokens of the server's
vocabulary: where several of them make one token of the model, or one character, the log-probability of the
whole stands at the first of them and 0 at the others.
"""

import re
import time
from collections.abc import Callable, Sequence
from itertools import accumulate
from secrets import token_hex
from typing import Any

from worldline.models.characters import characters, token_texts
from worldline.models.model import Ask, Completion, Failed, Token
from worldline.models.serve_request import Prompt, RefusedError, Request
from worldline.tokens import SPECIAL, Tokenizer

IMPOSSIBLE = -9999.0
"""What is written for the logarithm of 0, which JSON cannot hold; vLLM writes the same."""

Scorer = Callable[[Sequence[Ask]], list[tuple[float, ...] | Failed]]
_SPECIAL = re.compile("|".join(map(re.escape, SPECIAL)))


def reply(
    request: Request,
    answers: Sequence[Completion],
    echoed: Sequence[Sequence[Token]],
    tokenizer: Tokenizer,
    name: str,
) -> dict[str, Any]:
    """The body of the answer.

    Args:
        request: what was asked.
        answers: one for each prompt.
        echoed: the tokens of each prompt, if their log-probabilities are wanted.
        tokenizer: what the ids mean.
        name: of the model.
    """
    told = [_told(answer, request, tokenizer) for answer in answers]
    rows = zip(request.prompts, answers, told, echoed, strict=True)
    choices = [{"index": index} | _choice(request, *row) for index, row in enumerate(rows)]
    asked = sum(len(prompt.ids) for prompt in request.prompts)
    spent = sum(map(len, told))
    return {
        "id": f"cmpl-{token_hex(12)}",
        "object": "text_completion",
        "created": int(time.time()),
        "model": name,
        "choices": choices,
        "usage": {"prompt_tokens": asked, "completion_tokens": spent, "total_tokens": asked + spent},
    }


def prompt_tokens(prompt: Prompt, tokenizer: Tokenizer, score: Scorer) -> list[Token]:
    """The tokens of a prompt, with how likely each was after those before it."""
    groups = characters(prompt.ids, tokenizer)
    asks, before = [], ""
    for ids, text in groups:
        asks.append(Ask(before, choices=(text,), max_tokens=len(ids)))
        before += text
    scores = score(asks[1:])  # nothing is before the first token, so nobody can say how likely it was
    tokens = [Token(text) for text in token_texts(groups[0][0], tokenizer)]
    for (ids, text), scored in zip(groups[1:], scores, strict=True):
        tokens += [Token(text, _good(scored)[0]), *[Token("", 0.0)] * (len(ids) - 1)]
    return tokens


def scored_tokens(
    prompts: Sequence[Prompt], first: int, tokenizer: Tokenizer, score: Scorer
) -> list[list[Token]]:
    """The tokens of prompts; what comes from `first` on has one log-probability, told at its first token."""
    rests: dict[tuple[int, ...], list[str]] = {}
    for prompt in prompts:
        rests.setdefault(prompt.ids[:first], []).append(tokenizer.decode(prompt.ids[first:]))
    asks = [Ask(tokenizer.decode(ids), choices=tuple(texts)) for ids, texts in rests.items()]
    scores = dict(zip(rests, (iter(_good(scored)) for scored in score(asks)), strict=True))
    echoed = []
    for prompt in prompts:
        texts = token_texts(prompt.ids, tokenizer)
        numbers = [next(scores[prompt.ids[:first]]), *[0.0] * (len(texts) - first - 1)]
        echoed.append(
            [*map(Token, texts[:first]), *map(Token, texts[first:], numbers[: max(0, len(texts) - first)])]
        )
    return echoed


def refusal(failed: Failed) -> RefusedError:
    """How a client is told that the model has no answer: trying again would not help."""
    hint = f" ({failed.hint})" if failed.hint else ""
    return RefusedError(failed.what + hint, status=422, code="model_failed")


def _good(scored: tuple[float, ...] | Failed) -> tuple[float, ...]:
    if isinstance(scored, Failed):
        raise refusal(scored)
    return scored


def _choice(
    request: Request,
    prompt: Prompt,
    answer: Completion,
    told: Sequence[tuple[int, Token]],
    echoed: Sequence[Token],
) -> dict[str, Any]:
    form = request.form
    text = answer.text + (answer.stop if form.include_stop else "")
    if form.skip_special_tokens:
        text = _SPECIAL.sub("", text)
    choice: dict[str, Any] = {
        "text": (prompt.text if form.echo else "") + text,
        "finish_reason": "stop" if answer.finish == "end" else answer.finish,
        "stop_reason": request.stop_ids.get(answer.stop, answer.stop) if answer.stop else None,
        "logprobs": None,
    }
    if form.logprobs is not None:
        choice["logprobs"] = _logprobs([*echoed, *(token for _, token in told)], form.logprobs)
    if form.return_token_ids:
        choice["token_ids"] = [number for number, _ in told]
        choice["prompt_token_ids"] = list(prompt.ids)
    return choice


def _told(answer: Completion, request: Request, tokenizer: Tokenizer) -> list[tuple[int, Token]]:
    """The tokens of an answer; its stop is among them where it is a token, as in vLLM."""
    has_stop = answer.stop in SPECIAL or answer.stop in request.stop_ids
    tokens = answer.tokens or (Token(answer.text + (answer.stop if has_stop else "")),)
    told: list[tuple[int, Token]] = []
    for token in tokens:
        ids = tokenizer.encode(token.text)
        rest = None if token.logprob is None else 0.0
        logprobs = [token.logprob, *[rest] * (len(ids) - 1)]
        told += zip(ids, map(Token, token_texts(ids, tokenizer), logprobs), strict=False)
    return told


def _logprobs(tokens: Sequence[Token], most: int) -> dict[str, Any]:
    texts = [token.text for token in tokens]
    logprobs = [None if token.logprob is None else max(token.logprob, IMPOSSIBLE) for token in tokens]
    pairs = zip(texts, logprobs, strict=True)
    return {
        "tokens": texts,
        "token_logprobs": logprobs,
        "top_logprobs": [None if told is None else {text: told} for text, told in pairs] if most else None,
        "text_offset": [0, *accumulate(map(len, texts))][:-1],
    }
