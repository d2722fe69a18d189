"""This file is where a server is and how it is asked: the text after `http:`, and the environment.

    http:http://127.0.0.1:8000/v1#model=cwm&tokenizer=llama3&timeout=300&tries=6&parallel=16

All after `#` may be left out. Without an address the one in OPENAI_BASE_URL is taken. The key comes from
OPENAI_API_KEY and from nowhere else, so that it is in no command line and in no result.
"""

import difflib
import os
from dataclasses import dataclass, fields, replace
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from worldline.errors import UserError

_EXAMPLE = "for example http:http://127.0.0.1:8000/v1#model=NAME"


@dataclass(frozen=True, slots=True)
class HttpOptions:
    """A server, and how patient to be with it."""

    url: str
    model: str = ""  # empty: the one the server has
    tokenizer: str = ""  # a name in `worldline.tokens`; empty: the one whose ids agree with the server's
    timeout: float = 300.0  # seconds for one answer
    tries: int = 6  # of one request
    parallel: int = 16  # requests under way at once
    first_wait: float = 0.5  # seconds before the second try; doubled for each further one
    longest_wait: float = 60.0  # a server that asks for more is not waited for

    @property
    def spec(self) -> str:
        """What names the server and the model in a result."""
        named = [f"{name}={value}" for name in ("model", "tokenizer") if (value := getattr(self, name))]
        return self.url + ("#" + "&".join(named) if named else "")


class Key:
    """A secret that shows in no text but the one header that needs it."""

    def __init__(self, secret: str) -> None:
        self._secret = secret.strip()
        if not self._secret.isascii() or not self._secret.isprintable():
            raise UserError(
                "OPENAI_API_KEY holds a character that no key has", "set it again, without quotes"
            )

    def __repr__(self) -> str:
        return "Key(...)" if self._secret else "Key()"

    def __bool__(self) -> bool:
        return bool(self._secret)

    def headers(self) -> dict[str, str]:
        """What proves who asks."""
        return {"Authorization": f"Bearer {self._secret}"} if self._secret else {}

    def hidden(self, text: str) -> str:
        """A text that came from a server, without the key if the server quotes it."""
        return text.replace(self._secret, "[key]") if self._secret else text


def key_from_environment() -> Key:
    """The key, if there is one."""
    return Key(os.environ.get("OPENAI_API_KEY", ""))


def options(argument: str, scheme: str = "http") -> HttpOptions:
    """What a text after `http:` means."""
    address, _, chosen = argument.partition("#")
    address = address or os.environ.get("OPENAI_BASE_URL", "")
    if not address:
        raise UserError("no address of a server is given", f"set OPENAI_BASE_URL, or name it: {_EXAMPLE}")
    if address.startswith("//"):  # `http://host` reads as the model `http` with the argument `//host`
        address = f"{scheme}:{address}"
    return replace(HttpOptions(_checked(address)), **_chosen(chosen))


def _checked(address: str) -> str:
    try:
        parts = urlsplit(address)
        has_host = bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:
        parts, has_host = urlsplit(""), False
    if parts.scheme not in ("http", "https") or not has_host:
        raise UserError("the address of the server is not one of http or https", _EXAMPLE)
    if parts.username is not None or parts.password is not None or parts.query:
        raise UserError("the address of the server holds more than a place", "a key goes into OPENAI_API_KEY")
    if not address.isascii() or not address.isprintable() or " " in address:
        raise UserError("the address of the server holds a character that no address has", _EXAMPLE)
    return address.rstrip("/")


def _chosen(text: str) -> dict[str, Any]:
    kinds: dict[str, Any] = {field.name: field.type for field in fields(HttpOptions) if field.name != "url"}
    found: dict[str, Any] = {}
    for name, value in parse_qsl(text, keep_blank_values=True):
        if name not in kinds:
            near = difflib.get_close_matches(name, kinds, n=1)
            hint = f"did you mean {near[0]!r}? " if near else ""
            raise UserError(f"a server has no option {name!r}", f"{hint}there are: {', '.join(kinds)}")
        found[name] = value if kinds[name] is str else _number(name, value, kinds[name])
    return found


def _number(name: str, value: str, kind: type[int] | type[float]) -> int | float:
    try:
        number = kind(value)
    except ValueError:
        number = 0
    if not 0 < number < float("inf"):
        raise UserError(f"the option {name!r} of a server must be a number above 0", f"not {value!r}")
    return number
