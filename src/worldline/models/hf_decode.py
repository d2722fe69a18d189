"""This file is the decoding: prompts into rows, and all rows on, token by token, until each is done.

B rows, T tokens, V vocabulary. Rows that are done leave the block at once and waiting ones take their place.
What a row writes does not depend on the rows beside it: it has its own random numbers, one a token.
"""

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from worldline.models.hf_cache import Block, Pairs, PrefixStore
from worldline.models.hf_rows import Row
from worldline.models.hf_vocabulary import Vocabulary

CHUNK = 2048  # tokens of a row that are read at a time, which bounds the size of the attention mask
READ_AT_ONCE = 16_384  # tokens of all rows of a group


@dataclass(slots=True)
class Usage:
    """What was computed so far."""

    prompt: int = 0  # tokens of all prompts
    reused: int = 0  # of these, tokens whose keys and values were there already
    written: int = 0  # tokens of all answers


@dataclass(frozen=True, slots=True)
class Read:
    """A prompt that has been read."""

    pairs: Pairs
    length: int
    logits_V: Any  # of the next token


class Decoder:
    """Runs one network.

    Args:
        network: a causal model of transformers.
        vocabulary: its tokens.
        store: where computed rows are kept.
        batch: how many rows go on together at most.
    """

    def __init__(self, network: Any, vocabulary: Vocabulary, store: PrefixStore, batch: int) -> None:
        self._network = network
        self._vocabulary = vocabulary
        self._store = store
        self._batch = batch
        self.usage = Usage()

    def read(self, prompts: Sequence[list[int]]) -> list[Read]:
        """Compute each prompt, except for what is in the store of it; equal prompts once."""
        self.usage.prompt += sum(map(len, prompts))
        unique = {tuple(ids): ids for ids in prompts}
        found: dict[tuple[int, ...], Read] = {}
        for group in self._groups(list(unique.values())):
            for (ids, _, _), read in zip(group, self._read_group(group), strict=True):
                found[tuple(ids)] = read
        self.usage.reused += sum(map(len, prompts)) - sum(map(len, unique))
        return [found[tuple(ids)] for ids in prompts]

    def run(self, rows: Sequence[Row]) -> None:
        """Go on with each row until it is done."""
        import torch

        waiting = deque(sorted(rows, key=lambda row: -len(row.ids)))
        active: list[Row] = []
        block: Block | None = None
        logits_BV: Any = None
        while active or waiting:
            if waiting and len(active) <= self._batch // 2:
                new = [waiting.popleft() for _ in range(min(len(waiting), self._batch - len(active)))]
                read = self.read([row.ids for row in new])
                before = [] if block is None else [block.row(at) for at in range(len(active))]
                block = Block(self._network, [*before, *((one.pairs, one.length) for one in read)])
                fresh_BV = torch.stack([one.logits_V for one in read])
                logits_BV = fresh_BV if not active else torch.cat([logits_BV, fresh_BV])
                active += new
            if block is None:
                return
            ids = self._step(active, logits_BV)
            left = [at for at, row in enumerate(active) if row.done is None]
            if len(left) < len(active):
                self._keep(block, [(at, row) for at, row in enumerate(active) if row.done is not None])
                active = [active[at] for at in left]
                block = block.kept(left) if left else None
            if active and block is not None:
                fed = torch.tensor([[ids[at]] for at in left], device=self._network.device)
                logits_BV = block.feed(fed)

    def _step(self, rows: Sequence[Row], logits_BV: Any) -> list[int]:
        """One token for each row; the ids (-1 where a row ended without one)."""
        import torch

        norms_B = logits_BV.logsumexp(-1)
        picked_B = self._picked(rows, logits_BV)
        forced = self._forced(rows, logits_BV, norms_B)
        if forced:
            at = list(forced)
            picked_B[at] = torch.tensor([forced[index] for index in at], device=picked_B.device).clamp(min=0)
        logprobs_B = logits_BV.gather(1, picked_B[:, None])[:, 0] - norms_B
        ids: list[int] = picked_B.tolist()
        logprobs: list[float] = logprobs_B.tolist()
        for index, row in enumerate(rows):
            if forced.get(index) == -1:
                ids[index] = -1
            else:
                row.take(ids[index], logprobs[index], self._vocabulary)
                self.usage.written += 1
        return ids

    def _picked(self, rows: Sequence[Row], logits_BV: Any) -> Any:
        """The likeliest token, or one by chance where the ask has a temperature."""
        import torch

        picked_B = logits_BV.argmax(-1)
        warm = [at for at, row in enumerate(rows) if row.ask.temperature > 0 and row.node is None]
        if warm:
            heat = [[rows[at].ask.temperature] for at in warm]
            scaled = logits_BV[warm].double() / logits_BV.new_tensor(heat, dtype=torch.float64)
            sums = scaled.softmax(-1).cumsum(-1)
            uniform = sums.new_tensor([[rows[at].random.random()] for at in warm]) * sums[:, -1:]
            found = torch.searchsorted(sums, uniform, right=True)[:, 0]
            picked_B[warm] = found.clamp(max=logits_BV.shape[1] - 1)
        return picked_B

    def _forced(self, rows: Sequence[Row], logits_BV: Any, norms_B: Any) -> dict[int, int]:
        """The tokens of rows with choices, by row; -1: the row ended."""
        held = [(at, row.node) for at, row in enumerate(rows) if row.node is not None]
        if not held:
            return {}
        at = [index for index, node in held for _ in node.children]
        ids = [number for _, node in held for number in node.children]
        flat: list[float] = (logits_BV[at, ids] - norms_B[at]).tolist() if ids else []
        forced, start = {}, 0
        for index, node in held:
            end = start + len(node.children)
            number = rows[index].choose(flat[start:end])
            forced[index] = -1 if number is None else number
            start = end
        return forced

    def _keep(self, block: Block, done: Sequence[tuple[int, Row]]) -> None:
        """What the block has computed of rows that are done; their last token it has not seen."""
        for at, row in done:
            pairs, length = block.row(at)
            self._store.put(row.ids[:length], pairs)

    def _groups(self, prompts: Sequence[list[int]]) -> Iterator[list[tuple[list[int], Pairs | None, int]]]:
        """Prompts (with what is known of each) of which about equally much is to be read."""
        known = [(ids, *self._store.longest(ids)) for ids in prompts]
        known = [(ids, pairs, min(length, len(ids) - 1)) for ids, pairs, length in known]
        known.sort(key=lambda one: len(one[0]) - one[2])
        group: list[tuple[list[int], Pairs | None, int]] = []
        for one in known:
            new = len(one[0]) - one[2]
            if group:
                least = len(group[0][0]) - group[0][2]
                is_full = len(group) >= self._batch or new * (len(group) + 1) > READ_AT_ONCE
                if is_full or new > 2 * least:
                    yield group
                    group = []
            group.append(one)
        if group:
            yield group

    def _read_group(self, group: Sequence[tuple[list[int], Pairs | None, int]]) -> Iterator[Read]:
        """Read as many tokens of each row, known ones again where a row has fewer new ones.

        That keeps the padding on the left, where it changes nothing.
        """
        import torch

        fed = max(len(ids) - length for ids, _, length in group)
        known = [(pairs, max(len(ids) - fed, 0)) for ids, pairs, _ in group]
        self.usage.reused += sum(length for _, length in known)
        coming = [len(ids) - length for (ids, _, _), (_, length) in zip(group, known, strict=True)]
        block = Block(self._network, known, coming)
        padded = [
            [0] * (fed - new) + ids[len(ids) - new :] for (ids, _, _), new in zip(group, coming, strict=True)
        ]
        ids_BT = torch.tensor(padded, device=self._network.device)
        logits_BV: Any = None
        for start in range(0, fed, CHUNK):
            logits_BV = block.feed(ids_BT[:, start : start + CHUNK])
        for index in range(len(group)):
            pairs, length = block.row(index)
            yield Read(pairs, length, logits_BV[index])
