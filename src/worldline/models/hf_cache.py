"""This file is what a model has computed of its texts: keys and values, by row, in blocks and in a store.

B rows, H heads, T tokens, D size of a head, V vocabulary. A block is padded on the left, and only there, so
that distances between tokens are those of the row alone, also for layers with a sliding window. All layers
keep all tokens, those with a window too: a kept row may be cut back to any length and continued from there.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

Pairs = list[tuple[Any, Any]]
"""Keys and values (H, T, D) of each layer, for one row."""

ROOM = 64  # tokens by which a full buffer grows at least


class Layer:
    """The keys and values of one layer, in buffers that are written in place.

    transformers asks for the methods; its own layers copy all they hold for every token.
    """

    is_sliding = False
    is_compileable = False
    is_croppable = False
    is_initialized = True

    def __init__(self, keys_BHTD: Any = None, values_BHTD: Any = None, used: int = 0) -> None:
        self.keys = keys_BHTD
        self.values = values_BHTD
        self.used = used

    def update(self, keys_BHTD: Any, values_BHTD: Any, *_: Any, **__: Any) -> tuple[Any, Any]:
        """Add the new, and give all."""
        if self.keys is None:
            self.keys, self.values = keys_BHTD, values_BHTD
            self.used = keys_BHTD.shape[2]
            return self.keys, self.values
        end = self.used + keys_BHTD.shape[2]
        if end > self.keys.shape[2]:
            self.keys = self._grown(self.keys, end)
            self.values = self._grown(self.values, end)
        self.keys[:, :, self.used : end] = keys_BHTD
        self.values[:, :, self.used : end] = values_BHTD
        self.used = end
        return self.keys[:, :, :end], self.values[:, :, :end]

    def get_seq_length(self) -> int:
        """How many tokens there are, padding included."""
        return self.used

    def get_mask_sizes(self, query_length: int) -> tuple[int, int]:
        """How many there will be, and how many were dropped: none."""
        return self.used + query_length, 0

    def get_max_length(self) -> int:
        """No bound."""
        return -1

    def _grown(self, old_BHTD: Any, least: int) -> Any:
        rows, heads, _, size = old_BHTD.shape
        new = old_BHTD.new_zeros((rows, heads, max(least + ROOM, self.used + self.used // 4), size))
        new[:, :, : self.used] = old_BHTD[:, :, : self.used]
        return new


class Block:
    """Rows that the model goes on with together.

    Args:
        network: the causal model.
        rows: what is known of each row (None: nothing yet) and how many tokens of it to take.
        upcoming: how many tokens each row is to be fed before its own first prediction counts; a row with
            fewer is padded on the left.
    """

    def __init__(
        self, network: Any, rows: Sequence[tuple[Pairs | None, int]], upcoming: Sequence[int] | None = None
    ) -> None:
        import torch
        from transformers.cache_utils import Cache, CacheLayerMixin

        CacheLayerMixin.register(Layer)  # it asks for the type, not only for the methods
        self._network = network
        coming = list(upcoming) if upcoming is not None else [0] * len(rows)
        totals = [length + new for (_, length), new in zip(rows, coming, strict=True)]
        fed = max(coming)
        past = max(totals) - fed
        self._layers = _merged(network, rows, past, fed)
        self._cache: Any = Cache(layers=[*self._layers])  # type: ignore[list-item,unused-ignore]
        self.used = past
        self.pads = [max(totals) - total for total in totals]
        self._has_pads = any(self.pads)
        self._pads_B1 = torch.tensor(self.pads, device=network.device)[:, None]
        self._seen_BT: Any = None

    def feed(self, ids_BT: Any, *, every: bool = False) -> Any:
        """Take one or more tokens a row; the logits (B, V) after the last, or (B, T, V) after every one."""
        import torch

        end = self.used + ids_BT.shape[1]
        mask, positions = None, torch.arange(self.used, end, device=ids_BT.device)[None]
        if self._has_pads:
            positions = (positions - self._pads_B1).clamp(min=0)
            if self._seen_BT is None or self._seen_BT.shape[1] < end:
                self._seen_BT = torch.arange(end + 8 * ROOM, device=ids_BT.device)[None] >= self._pads_B1
            mask = self._seen_BT[:, :end]
        logits = self._network(
            input_ids=ids_BT,
            attention_mask=mask,
            position_ids=positions.expand(ids_BT.shape),
            past_key_values=self._cache,
            use_cache=True,
            logits_to_keep=0 if every else 1,
        ).logits
        self.used = end
        return logits.float() if every else logits[:, -1].float()

    def row(self, index: int) -> tuple[Pairs, int]:
        """What is known of a row (a view of the block, not a copy) and how many tokens that are."""
        start = self.pads[index]
        window = slice(start, self.used)
        pairs = [(layer.keys[index, :, window], layer.values[index, :, window]) for layer in self._layers]
        return pairs, self.used - start

    def kept(self, indices: Sequence[int]) -> "Block":
        """A block of some of the rows."""
        return Block(self._network, [self.row(index) for index in indices])


def copied(pairs: Pairs) -> Pairs:
    """The same, no longer a view of a whole block."""
    return [(keys.clone(), values.clone()) for keys, values in pairs]


def common_length(one: Sequence[int], other: Sequence[int]) -> int:
    """How many ids at the beginning are the same."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if one[low:middle] == other[low:middle] else (low, middle - 1)
    return low


@dataclass(slots=True)
class _Kept:
    ids: list[int]
    pairs: Pairs
    size: int  # bytes


class PrefixStore:
    """The rows computed last, within a number of bytes; the one used longest ago goes first.

    Args:
        bound: bytes of keys and values in all; 0 keeps nothing.
    """

    def __init__(self, bound: int) -> None:
        self._bound = bound
        self._kept: list[_Kept] = []  # the last used comes last

    def __len__(self) -> int:
        return len(self._kept)

    @property
    def size(self) -> int:
        """Bytes held."""
        return sum(kept.size for kept in self._kept)

    def longest(self, ids: Sequence[int]) -> tuple[Pairs | None, int]:
        """The row that shares most of its beginning with `ids`, and how many tokens that are."""
        found, best = None, 0
        for kept in self._kept:
            common = common_length(kept.ids, ids)
            if common > best:
                found, best = kept, common
        if found is None:
            return None, 0
        self._kept.remove(found)
        self._kept.append(found)
        return found.pairs, best

    def put(self, ids: Sequence[int], pairs: Pairs) -> None:
        """Keep a copy of a row; rows that it continues are dropped, as it can stand for them."""
        size = sum(part.numel() * part.element_size() for pair in pairs for part in pair)
        new = list(ids)
        if size > self._bound or not new:
            return
        shared = [common_length(kept.ids, new) for kept in self._kept]
        if len(new) in shared:
            return
        self._kept = [kept for kept, common in zip(self._kept, shared, strict=True) if common < len(kept.ids)]
        self._kept.append(_Kept(new, copied(pairs), size))
        while self.size > self._bound:
            del self._kept[0]


def _merged(network: Any, rows: Sequence[tuple[Pairs | None, int]], past: int, fed: int) -> list[Layer]:
    """One buffer a layer for all rows, each row's last token at the same place."""
    known = next((pairs for pairs, _ in rows if pairs is not None), None)
    if known is None or past <= 0:
        return [Layer() for _ in range(network.config.get_text_config().num_hidden_layers)]
    layers = []
    for index, shapes in enumerate(known):
        buffers = []
        for part, shape in enumerate(shapes):
            heads, _, size = shape.shape
            buffer = shape.new_zeros((len(rows), heads, past + fed + ROOM, size))
            for row, (pairs, length) in enumerate(rows):
                if pairs is not None and length > 0:
                    buffer[row, :, past - length : past] = pairs[index][part][:, :length]
            buffers.append(buffer)
        layers.append(Layer(buffers[0], buffers[1], past))
    return layers
