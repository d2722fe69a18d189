"""This file is what a server can do, found out with a few tiny requests and written down.

Nothing is taken on trust: what is not seen to work is held to be lacking, and `lacks` says what was seen
instead. The probe is a program of two lines in the format `cwm`, so that a model of traces answers as it will
later; to see a special token from one that answers otherwise, a token is made likely by `logit_bias`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from worldline.errors import UserError
from worldline.formats.cwm_tokens import ACTION, BEGIN_OF_TEXT, CONTEXT, EVENT_TOKENS, FRAME
from worldline.models.http_answer import first_choice, logprobs_of, texts_of, usage
from worldline.models.http_transport import NoAnswerError, Transport
from worldline.models.model import Can
from worldline.tokens import SPECIAL, TOKENIZERS, Tokenizer, tokenizer

_LINES = ("def main():  # << START_OF_TRACE\n", "    return len('worldline') * 4321\n")
_PROMPT = BEGIN_OF_TEXT + CONTEXT + "".join(_LINES) + FRAME
_CHOICE_PROMPT = _PROMPT + EVENT_TOKENS["call"] + "{}" + ACTION
_REFUSED = (400, 404, 405, 415, 422)
"""Statuses by which a server says that it does not know a field or a shape; 404 where it has no such path."""

VLLM_FIELDS: Mapping[str, Any] = {
    "skip_special_tokens": False,
    "spaces_between_special_tokens": False,
    "add_special_tokens": False,
    "return_token_ids": True,
}


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What a server was seen to do. `dataclasses.asdict` makes it JSON."""

    model: str
    tokenizer: str = ""  # the one whose ids agree with the server's; empty: none that we have
    extra_fields: bool = False  # takes the fields that vLLM adds
    token_ids: bool = False  # takes prompts as token ids
    returned_ids: bool = False  # tells the ids of its answer
    adds_begin: bool = False  # puts a token before every prompt that is text
    special_tokens: bool = False  # reads special tokens as such, and they come back
    logprobs: bool = False  # one for each token of the answer
    echo: int | None = None  # the least max_tokens with which it tells how likely a prompt is; None: never
    score_from: bool = False  # scores what comes from a place on, and nothing before (`worldline serve`)
    choices: bool = False  # keeps to `structured_outputs`
    seeds: bool = False  # the same seed gave the same text
    context: int | None = None  # tokens
    lacks: Mapping[str, str] = field(default_factory=dict)  # a capability -> what was seen instead

    @property
    def can(self) -> Can:
        """The same for a rollout."""
        return Can(
            special_tokens=self.special_tokens,
            logprobs=self.logprobs,
            scoring=self.echo is not None,
            choices=self.choices,
            seeds=self.seeds,
            context=self.context,
        )


def served_model(transport: Transport, wanted: str) -> tuple[str, int | None]:
    """The name of the model at a server, and how many tokens it takes in all if the server tells."""
    try:
        listed = transport.get("/models", is_first=True)
    except NoAnswerError as error:
        if error.status not in _REFUSED or not wanted:
            raise UserError(error.what, error.hint or "name the model: #model=NAME") from None
        return wanted, None
    data = listed.get("data") if isinstance(listed, dict) else None
    rows = [row for row in data or [] if isinstance(row, dict) and isinstance(row.get("id"), str)]
    names = [row["id"] for row in rows]
    name = wanted or (names[0] if len(names) == 1 else "")
    if not name:
        told = f"has {len(names)} models" if names else "does not say which models it has"
        raise UserError(f"the server {told}", f"choose with #model=NAME: {', '.join(names[:20])}")
    if names and name not in names:
        raise UserError(f"the server has no model {name!r}", f"it has: {', '.join(names[:20])}")
    context = next((row.get("max_model_len") for row in rows if row["id"] == name), None)
    return name, context if isinstance(context, int) and context > 0 else None


def probe(transport: Transport, model: str, context: int | None, wanted: str = "") -> Capabilities:
    """Find out what a server can do.

    Args:
        transport: the way to it.
        model: which of its models.
        context: what is known of that.
        wanted: the name of the tokenizer; empty: find the one that agrees with the server.
    """
    return _Probe(transport, model, context, wanted).capabilities()


class _Probe:
    def __init__(self, transport: Transport, model: str, context: int | None, wanted: str) -> None:
        self._transport = transport
        self._wanted = wanted
        self._seen: dict[str, Any] = {"model": model, "context": context}
        self._lacks: dict[str, str] = {}
        self._tokens: Tokenizer | None = None

    def capabilities(self) -> Capabilities:
        self._read_text()
        self._read_ids()
        self._write()
        self._echo()
        self._choose()
        self._repeat()
        return Capabilities(**self._seen, lacks=self._lacks)

    def _ask(self, prompt: str, **fields: Any) -> dict[str, Any] | None:
        """The answer to one request; None if the server refuses it."""
        body: dict[str, Any] = {"model": self._seen["model"], "max_tokens": 1, "temperature": 0}
        extra = VLLM_FIELDS if self._seen.get("extra_fields", True) else {}
        shown: str | list[int] = prompt
        if self._tokens is not None and self._seen.get("token_ids", True):
            shown = self._tokens.encode(prompt)
        try:
            reply = self._transport.post("/completions", body | dict(extra) | {"prompt": shown} | fields)
        except NoAnswerError as error:
            if error.status in _REFUSED:
                self._refusal = error
                return None
            raise UserError(error.what, error.hint) from None
        if first_choice(reply) is None:
            raise UserError("the server answers without choices", "is it a completions server?")
        return dict(reply)

    def _read_text(self) -> None:
        """Whether a text is read as our tokenizers read it, and whether vLLM's fields are taken."""
        self._seen["extra_fields"] = True
        reply = self._ask(_PROMPT)
        if reply is None:
            self._lacks["extra_fields"] = self._refusal.what
            self._seen["extra_fields"] = False
            reply = self._ask(_PROMPT)
        if reply is None:
            raise UserError(self._refusal.what, self._refusal.hint or "is it a completions server?")
        ids = reply["choices"][0].get("prompt_token_ids") or reply.get("prompt_token_ids")
        count = usage(reply, "prompt_tokens")
        for name in [self._wanted] if self._wanted else TOKENIZERS:
            ours = _encoded(name, must=bool(self._wanted))
            if ours is not None and _agree(ours, ids, count):
                self._tokens = tokenizer(name)
                self._seen |= {"tokenizer": name, "adds_begin": (len(ids) if ids else count) == len(ours) + 1}
                return
        told = f"the server reads the probe as {len(ids) if ids else count} tokens"
        if self._wanted:
            raise UserError(f"the tokenizer {self._wanted!r} is not the server's: {told}", "leave it out")
        self._lacks["tokenizer"] = f"{told}, and no tokenizer here does"

    def _read_ids(self) -> None:
        if self._tokens is None:
            self._lacks["token_ids"] = "its vocabulary is not known here"
            self._seen["token_ids"] = False
            return
        reply = self._ask(_PROMPT)
        count = len(self._tokens.encode(_PROMPT))
        self._seen["token_ids"] = reply is not None and usage(reply, "prompt_tokens") in (count, None)
        if reply is None:
            self._lacks["token_ids"] = self._refusal.what
        elif not self._seen["token_ids"]:
            self._lacks["token_ids"] = f"it took {count} ids for {usage(reply, 'prompt_tokens')} tokens"

    def _write(self) -> None:
        """What comes back with an answer: special tokens, ids, log-probabilities."""
        frame = [] if self._tokens is None else self._tokens.encode(FRAME)
        by_id = len(frame) == 1 and self._seen["extra_fields"]
        stop = {"stop_token_ids": frame} if by_id else {"stop": [FRAME]}
        reply = self._ask(_PROMPT, max_tokens=32, logprobs=1, **stop)
        if reply is None:
            self._lacks["logprobs"] = self._refusal.what
            reply = self._ask(_PROMPT, max_tokens=32, **stop) or {"choices": [{}]}
        choice = reply["choices"][0]
        ids = choice.get("token_ids")
        spent = usage(reply, "completion_tokens")
        self._seen["returned_ids"] = isinstance(ids, list) and spent in (None, len(ids))
        if not self._seen["returned_ids"]:
            self._lacks["returned_ids"] = "it tells none, or not as many as it counts"
        told = logprobs_of(choice)
        self._seen["logprobs"] = bool(told) and len(told) == spent and None not in told
        if not self._seen["logprobs"]:
            self._lacks.setdefault("logprobs", f"it tells {len(told)} for {spent} tokens")
        self._special(choice, frame)

    def _special(self, choice: dict[str, Any], frame: list[int]) -> None:
        self._seen["special_tokens"] = False
        if self._tokens is None:
            self._lacks["special_tokens"] = (
                "whether it reads them as such cannot be known: " + self._lacks["tokenizer"]
            )
            return
        is_seen = self._shows_special(choice)
        if not is_seen and len(frame) == 1:
            reply = self._ask(_PROMPT, logit_bias={str(frame[0]): 100})
            is_seen = reply is not None and self._shows_special(reply["choices"][0])
        self._seen["special_tokens"] = is_seen
        if not is_seen:
            self._lacks["special_tokens"] = "none came back: skip_special_tokens is not honoured"

    def _shows_special(self, choice: dict[str, Any]) -> bool:
        text = str(choice.get("text", ""))
        if self._tokens is not None and self._seen["returned_ids"]:
            text += "".join(texts_of(choice, self._tokens) or [])
        return any(name in text for name in SPECIAL)

    def _echo(self) -> None:
        self._seen["echo"] = None
        if not self._seen["logprobs"]:
            self._lacks["echo"] = "it tells no log-probabilities"
            return
        prompt = _CHOICE_PROMPT + _LINES[0]
        first = 4 if self._tokens is None else self._tokens.count(_CHOICE_PROMPT)
        for most in (0, 1):
            reply = self._ask(prompt, echo=True, logprobs=1, max_tokens=most, score_from=first)
            if reply is None:
                continue
            numbers = logprobs_of(reply["choices"][0])
            asked = usage(reply, "prompt_tokens")
            if asked is not None and len(numbers) == asked + most and None not in numbers[first:]:
                is_from = set(numbers[1:first]) == {None}
                self._seen |= {"echo": most, "score_from": is_from}
                if is_from or None not in numbers[1:]:
                    return
        self._seen["echo"] = None
        self._lacks["echo"] = "with echo it does not tell a log-probability for each token of the prompt"

    def _choose(self) -> None:
        reply = self._ask(_CHOICE_PROMPT, max_tokens=64, structured_outputs={"choice": [*_LINES]})
        self._seen["choices"] = reply is not None and reply["choices"][0].get("text") in _LINES
        if reply is None:
            self._lacks["choices"] = self._refusal.what
        elif not self._seen["choices"]:
            self._lacks["choices"] = "its answer was none of those in structured_outputs"

    def _repeat(self) -> None:
        """At a temperature at which chance would show."""
        replies = [self._ask(_PROMPT, max_tokens=24, temperature=2, seed=4321) for _ in range(2)]
        texts = [None if reply is None else reply["choices"][0].get("text") for reply in replies]
        self._seen["seeds"] = texts[0] is not None and texts[0] == texts[1]
        if not self._seen["seeds"]:
            refused = texts[0] is None
            self._lacks["seeds"] = "it refuses a seed" if refused else "one seed gave two different texts"


def _encoded(name: str, must: bool) -> list[int] | None:
    try:
        return tokenizer(name).encode(_PROMPT)
    except UserError:
        if must:
            raise
        return None  # its package is not installed


def _agree(ours: list[int], ids: Any, count: int | None) -> bool:
    """Whether a server reads the probe as we do; it may put a token of its own before it."""
    if isinstance(ids, list):
        return ours in (ids, ids[1:])
    return count in (len(ours), len(ours) + 1)
