"""This file is the network in numpy: that of learn/networks/matching.py, for reading and greedy decoding.

Letters: B rows, T tokens, S tokens seen, D width, H heads, E width of a head, V vocabulary.
"""

import json
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import sha256
from importlib import resources
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import BadZipFile, is_zipfile

import numpy
from numpy.typing import NDArray

from worldline.errors import UserError
from worldline.models.embedded.questions import Question
from worldline.models.embedded.vocabulary import END, TOKENS

Array = NDArray[numpy.float32]
Ids = NDArray[numpy.int64]
Told = tuple[tuple[int, ...], float]
"""An answer without its end, and its probability."""

EPSILON = numpy.float32(1e-6)
ROWS = 64  # questions that are answered together
LONGEST = 320  # tokens of an answer
ROOM = 48  # tokens that a cache grows by
REMEMBERED = 200_000  # answers
SHIPPED = "weights.npz"


@dataclass(frozen=True, slots=True)
class Layer:
    """The weights of a layer, each turned so that a row of numbers is multiplied from the left."""

    mixer_norm: Array
    inner: Array
    out: Array
    first_out: Array
    last_out: Array
    forward_norm: Array
    forward_inner: Array
    forward_out: Array


@dataclass(slots=True)
class _Cache:
    """What a layer remembers of all tokens: keys, values, and what it read."""

    k_BHSE: Array
    v_BHSE: Array
    x_BSD: Array


@dataclass(frozen=True)
class Network:
    """Weights that can answer."""

    embedding: Array  # times sqrt(D)
    head: Array
    before: Array
    earlier: Array
    layers: tuple[Layer, ...]
    norm: Array
    heads: int
    theta: float
    about: dict[str, Any]
    _answers: "OrderedDict[tuple[int, ...], Told]" = field(default_factory=OrderedDict)

    def answers(self, questions: Sequence[Question]) -> list[tuple[list[int], float]]:
        """Each answer without its end, and its probability; what was asked before is remembered."""
        prompts = [question.prompt for question in questions]
        missing = [prompt for prompt in dict.fromkeys(prompts) if prompt not in self._answers]
        for prompt, told in zip(missing, self.decoded(missing), strict=True):
            self._answers[prompt] = told
        found = [(list(self._answers[prompt][0]), self._answers[prompt][1]) for prompt in prompts]
        while len(self._answers) > REMEMBERED:
            self._answers.popitem(last=False)
        return found

    def decoded(self, prompts: Sequence[tuple[int, ...]]) -> list[Told]:
        """The likeliest answer to each prompt, token by token; one without an end has no probability."""
        order = sorted(range(len(prompts)), key=lambda number: len(prompts[number]))
        found: dict[int, Told] = {}
        for begin in range(0, len(order), ROWS):
            part = order[begin : begin + ROWS]
            told = _Decoding(self, [prompts[number] for number in part]).run()
            found.update(zip(part, told, strict=True))
        return [found[number] for number in range(len(prompts))]

    def logits(self, ids_BT: Ids) -> Array:
        """Of the token after each of these; what its twin in torch gives."""
        x_BTD = _Decoding(self, [tuple(row) for row in ids_BT.tolist()]).prefilled()
        return _normed(x_BTD, self.norm) @ self.head


class _Decoding:
    """Several prompts at once. Rows are filled up on the right, which no token before can see."""

    def __init__(self, network: Network, prompts: Sequence[tuple[int, ...]]) -> None:
        self.network = network
        self.lengths_B = numpy.array([len(prompt) for prompt in prompts])
        self.ids_BT = numpy.zeros((len(prompts), self.lengths_B.max(initial=1)), dtype=numpy.int64)
        for row, prompt in enumerate(prompts):
            self.ids_BT[row, : len(prompt)] = prompt
        self.caches: list[_Cache] = []

    def run(self) -> list[Told]:
        count = len(self.lengths_B)
        told: list[list[int]] = [[] for _ in range(count)]
        sure_B = numpy.zeros(count)
        rows = numpy.arange(count)  # that are not at their end
        x_BTD = self.prefilled()
        x_BD = x_BTD[numpy.arange(count), self.lengths_B - 1]
        done: dict[int, float] = {}
        for _ in range(LONGEST):
            best_B, log_B = self._next(x_BD)
            sure_B[rows] += log_B
            for row, token in zip(rows.tolist(), best_B.tolist(), strict=True):
                if token == END:
                    done[row] = float(numpy.exp(sure_B[row]))
                else:
                    told[row].append(token)
            going = best_B != END
            if not going.all():
                rows, best_B = rows[going], best_B[going]
                self._keep(going)
            if not len(rows):
                break
            x_BD = self._step(best_B)
        return [(tuple(tokens), done.get(row, 0.0)) for row, tokens in enumerate(told)]

    def prefilled(self) -> Array:
        """Read all prompts."""
        network, ids_BT = self.network, self.ids_BT
        tokens = ids_BT.shape[1]
        e_BTD = network.embedding[ids_BT]
        x_BTD = e_BTD.copy()
        x_BTD[:, 1:] += e_BTD[:, :-1] @ network.before
        x_BTD[:, 2:] += e_BTD[:, :-2] @ network.earlier
        first_BT, last_BT = _matches(ids_BT)
        turns = _turns(numpy.arange(tokens), network)
        unseen_TT = numpy.triu(numpy.full((tokens, tokens), -1e30, dtype=numpy.float32), 1)
        self.caches = []
        for layer in network.layers:
            normed_BTD = _normed(x_BTD, layer.mixer_norm)
            q, k, v = self._parts(layer, normed_BTD)
            q, k = _turned(q, turns), _turned(k, turns)
            self.caches.append(_Cache(k, v, normed_BTD))
            found = _taken(normed_BTD, first_BT) @ layer.first_out
            found += _taken(normed_BTD, last_BT) @ layer.last_out
            x_BTD = self._mixed(layer, x_BTD + found, _attended(q, k, v, unseen_TT))
        return x_BTD

    def _parts(self, layer: Layer, normed_BTD: Array) -> tuple[Array, Array, Array]:
        rows, tokens, width = normed_BTD.shape
        heads = self.network.heads
        parts = normed_BTD @ layer.inner
        shaped = parts.reshape(rows, tokens, 3, heads, width // heads).transpose(2, 0, 3, 1, 4)
        return shaped[0], shaped[1], shaped[2]

    def _mixed(self, layer: Layer, x_BTD: Array, y_BHTE: Array) -> Array:
        y_BTD = y_BHTE.transpose(0, 2, 1, 3).reshape(x_BTD.shape)
        x_BTD = x_BTD + y_BTD @ layer.out
        both = _normed(x_BTD, layer.forward_norm) @ layer.forward_inner
        half = both.shape[-1] // 2
        gate, up = both[..., :half], both[..., half:]
        return x_BTD + (gate / (1.0 + numpy.exp(-gate)) * up) @ layer.forward_out  # type: ignore[no-any-return]

    def _next(self, x_BD: Array) -> tuple[Ids, Array]:
        logits_BV = _normed(x_BD, self.network.norm) @ self.network.head
        best_B = logits_BV.argmax(-1)
        top_B1 = logits_BV.max(-1, keepdims=True)
        return best_B, -numpy.log(numpy.exp(logits_BV - top_B1).sum(-1))

    def _keep(self, going_B: NDArray[numpy.bool_]) -> None:
        self.lengths_B, self.ids_BT = self.lengths_B[going_B], self.ids_BT[going_B]
        self.caches = [
            _Cache(each.k_BHSE[going_B], each.v_BHSE[going_B], each.x_BSD[going_B]) for each in self.caches
        ]

    def _step(self, ids_B: Ids) -> Array:
        """One token more of each row."""
        network, at_B = self.network, self.lengths_B
        which = numpy.arange(len(ids_B))
        seen = int(at_B.max()) + 1
        if self.ids_BT.shape[1] < seen:
            self._grow(ROOM)
        self.ids_BT[which, at_B] = ids_B
        e_BTD = network.embedding[numpy.stack([self.ids_BT[which, at_B - back] for back in range(3)], 1)]
        x_B1D = (e_BTD[:, 0] + e_BTD[:, 1] @ network.before + e_BTD[:, 2] @ network.earlier)[:, None]
        is_seen = numpy.arange(seen)[None] <= at_B[:, None]
        first_B1, last_B1 = _matches_of(self.ids_BT[:, :seen], ids_B, at_B)
        cosine, sine = _turns(at_B, network)
        turns = cosine[:, None, None], sine[:, None, None]
        unseen = numpy.where(is_seen, 0.0, -1e30).astype(numpy.float32)[:, None, None]
        for layer, cache in zip(network.layers, self.caches, strict=True):
            normed_B1D = _normed(x_B1D, layer.mixer_norm)
            q, k, v = self._parts(layer, normed_B1D)
            q, k = _turned(q, turns), _turned(k, turns)
            cache.k_BHSE[which, :, at_B] = k[:, :, 0]
            cache.v_BHSE[which, :, at_B] = v[:, :, 0]
            cache.x_BSD[which, at_B] = normed_B1D[:, 0]
            found = _taken(cache.x_BSD, first_B1) @ layer.first_out
            found += _taken(cache.x_BSD, last_B1) @ layer.last_out
            gathered = _attended(q, cache.k_BHSE[:, :, :seen], cache.v_BHSE[:, :, :seen], unseen)
            x_B1D = self._mixed(layer, x_B1D + found, gathered)
        self.lengths_B = at_B + 1
        x_BD: Array = x_B1D[:, 0]
        return x_BD

    def _grow(self, more: int) -> None:
        """Room for further tokens."""
        self.ids_BT = _wider(self.ids_BT, 1, more)
        for cache in self.caches:
            cache.k_BHSE = _wider(cache.k_BHSE, 2, more)
            cache.v_BHSE = _wider(cache.v_BHSE, 2, more)
            cache.x_BSD = _wider(cache.x_BSD, 1, more)


def _wider(x: NDArray[Any], axis: int, more: int) -> NDArray[Any]:
    """The same with zeros after it, without what numpy.pad does besides."""
    shape = list(x.shape)
    shape[axis] += more
    found = numpy.zeros(shape, x.dtype)
    found[tuple(slice(size) for size in x.shape)] = x
    return found


def _matches(ids_BT: Ids) -> tuple[Ids, Ids]:
    """The first and the last place before each token at which the same token stands; -1: none."""
    tokens = ids_BT.shape[1]
    first_BT, last_BT = (numpy.full(ids_BT.shape, -1, dtype=numpy.int64) for _ in range(2))
    for row, ids in enumerate(ids_BT.tolist()):
        first: dict[int, int] = {}
        last: dict[int, int] = {}
        for at in range(tokens):
            token = ids[at]
            if token in first:
                first_BT[row, at], last_BT[row, at] = first[token], last[token]
            else:
                first[token] = at
            last[token] = at
    return first_BT, last_BT


def _matches_of(ids_BT: Ids, ids_B: Ids, at_B: Ids) -> tuple[Ids, Ids]:
    """The same for one token of each row."""
    places = numpy.arange(ids_BT.shape[1])[None]
    is_same = (ids_BT == ids_B[:, None]) & (places < at_B[:, None])
    is_any = is_same.any(1)
    first_B = numpy.where(is_any, is_same.argmax(1), -1)
    last_B = numpy.where(is_any, ids_BT.shape[1] - 1 - is_same[:, ::-1].argmax(1), -1)
    return first_B[:, None], last_B[:, None]


def _taken(x_BSD: Array, which_BT: Ids) -> Array:
    """The numbers at other places of the row; nothing where there is none."""
    found: Array = x_BSD[numpy.arange(len(x_BSD))[:, None], which_BT]  # -1 is the last place: cleared below
    found[which_BT < 0] = 0.0
    return found


def _normed(x: Array, weight: Array) -> Array:
    sums: Array = numpy.add.reduce(x * x, -1, keepdims=True)
    found: Array = x / numpy.sqrt(sums / numpy.float32(x.shape[-1]) + EPSILON)
    found *= weight
    return found


def _turns(at: NDArray[Any], network: Network) -> tuple[Array, Array]:
    width = network.embedding.shape[1] // network.heads
    speed = network.theta ** (-numpy.arange(0, width, 2) / width)
    angle = numpy.tile(at[:, None] * speed[None], (1, 2))
    return numpy.cos(angle).astype(numpy.float32), numpy.sin(angle).astype(numpy.float32)


def _turned(x: Array, turns: tuple[Array, Array]) -> Array:
    cosine, sine = turns
    half = x.shape[-1] // 2
    found: Array = x * cosine
    found[..., :half] -= x[..., half:] * sine[..., :half]
    found[..., half:] += x[..., :half] * sine[..., half:]
    return found


def _attended(q: Array, k: Array, v: Array, unseen: Array) -> Array:
    scores = q @ k.swapaxes(-1, -2) * numpy.float32(q.shape[-1] ** -0.5) + unseen
    weights = numpy.exp(scores - scores.max(-1, keepdims=True))
    return (weights / weights.sum(-1, keepdims=True)) @ v  # type: ignore[no-any-return]


def network_of(weights: dict[str, Any], about: dict[str, Any]) -> Network:
    """A network from its weights by name, as the torch twin names them."""
    kept = {name: numpy.asarray(each, dtype=numpy.float32) for name, each in weights.items()}

    def turned(name: str) -> Array:
        return numpy.ascontiguousarray(kept[name].T)

    layers = tuple(
        Layer(
            kept[f"layers.{number}.mixer_norm.weight"],
            turned(f"layers.{number}.mixer.inner.weight"),
            turned(f"layers.{number}.mixer.out.weight"),
            turned(f"layers.{number}.first_out.weight"),
            turned(f"layers.{number}.last_out.weight"),
            kept[f"layers.{number}.forward_norm.weight"],
            turned(f"layers.{number}.feed_forward.inner.weight"),
            turned(f"layers.{number}.feed_forward.out.weight"),
        )
        for number in range(about["layers"])
    )
    embedding = kept["embedding.weight"]
    return Network(
        embedding * numpy.float32(embedding.shape[1] ** 0.5),
        turned("embedding.weight"),
        turned("before.weight"),
        turned("earlier.weight"),
        layers,
        kept["norm.weight"],
        about["heads"],
        about["theta"],
        about,
    )


@lru_cache(maxsize=4)
def load(path: str = "") -> Network:
    """The weights of a file; without one, those that ship with worldline."""
    place = Path(path) if path else resources.files(__package__) / SHIPPED
    try:
        packed = place.read_bytes()
        if not is_zipfile(BytesIO(packed)):
            raise BadZipFile("it is no file of weights")
        with numpy.load(BytesIO(packed), allow_pickle=False) as found:
            weights = {name: found[name] for name in found.files if name != "about"}
            about = json.loads(str(found["about"])) | {"hash": _hash(packed)}
        if about.get("tokens") != len(TOKENS):
            raise UserError(
                f"{path or 'the embedded weights'} belong to another vocabulary",
                "train them anew: recipes/embedded.py",
            )
        return network_of(weights, about)
    except (OSError, ValueError, KeyError, TypeError, AttributeError, IndexError, BadZipFile) as error:
        raise UserError(
            f"{path or 'the embedded weights'} cannot be read: {error}",
            "make them with: python benchmarks/embedded.py pack FOLDER",
        ) from None


def _hash(packed: bytes) -> str:
    """Of the weights and of the code that asks them: answers of another bookkeeping are another model's."""
    found = sha256(packed)
    for file in sorted(Path(__file__).parent.glob("*.py")):
        found.update(file.read_bytes())
    return found.hexdigest()[:8]
