"""This file is a local Hugging Face model, CWM among them, as a `Model`: `hf:PATH_OR_ID,option=value,...`.

The log-probabilities are always those of the model itself: before a temperature, and before anything is ruled
out by choices. A text is scored in the tokens that its tokenizer gives it, and in no others.
"""

import random
import threading
from collections.abc import Sequence
from dataclasses import replace

from worldline.models.hf_cache import PrefixStore
from worldline.models.hf_choices import Path, paths, tree
from worldline.models.hf_decode import Decoder, Usage
from worldline.models.hf_load import Loaded, Options, load, options
from worldline.models.hf_rows import Row
from worldline.models.hf_score import by_choice, score_paths
from worldline.models.hf_text import Writer
from worldline.models.model import Ask, Can, Completion, Failed

__all__ = ["HfModel", "Options", "Usage", "hf", "options"]

MEGABYTE = 2**20


def hf(argument: str) -> "HfModel":
    """The model that `hf:ARGUMENT` means, loaded."""
    return HfModel(options(argument))


class HfModel:
    """Weights in memory. May be asked from several threads; one request is served at a time.

    Args:
        wanted: which model, and how it is run.
    """

    def __init__(self, wanted: Options) -> None:
        self._wanted = wanted
        self._loaded: Loaded = load(wanted)
        self._store = PrefixStore(wanted.cache * MEGABYTE)
        self._decoder = Decoder(self._loaded.network, self._loaded.vocabulary, self._store, wanted.batch)
        self._lock = threading.Lock()

    @property
    def name(self) -> str:
        """The path or repository with what changes the numbers: type of the weights and revision."""
        network = self._loaded.network
        dtype = str(network.dtype).removeprefix("torch.")
        commit = getattr(network.config, "_commit_hash", None) or self._wanted.revision
        return f"hf:{self._wanted.path},dtype={dtype}" + (f",revision={commit}" if commit else "")

    @property
    def can(self) -> Can:
        """All that there is, except for special tokens that the vocabulary does not have."""
        return Can(
            special_tokens=self._loaded.vocabulary.has_trace_tokens,
            logprobs=True,
            scoring=True,
            choices=True,
            seeds=True,
            context=self._loaded.context,
        )

    @property
    def usage(self) -> Usage:
        """Tokens of prompts, tokens of them that were reused, and tokens written, since the start."""
        return replace(self._decoder.usage)

    def count(self, text: str) -> int:
        """How many tokens a text has."""
        return len(self._loaded.vocabulary.encode(text))

    def complete(self, asks: Sequence[Ask]) -> list[Completion | Failed]:
        """Go on with each text."""
        import torch

        begun = [self._begun(index, ask) for index, ask in enumerate(asks)]
        rows = [row for row in begun if isinstance(row, Row)]
        with self._lock, torch.inference_mode():
            self._decoder.run([row for row in rows if row.done is None])
        return [one if isinstance(one, Failed) else one.done or Failed("no answer") for one in begun]

    def score(self, asks: Sequence[Ask]) -> list[tuple[float, ...] | Failed]:
        """The log-probability of each choice; with several stops, of its being followed by any of them."""
        import torch

        results: list[tuple[float, ...] | Failed] = []
        sound: list[tuple[int, list[int], list[Path]]] = []
        for index, ask in enumerate(asks):
            ids, found = self._prompt(ask), paths(ask, self._loaded.vocabulary.follow)
            problem = self._misfit(ids, max((len(path.ids) for path in found), default=0))
            results.append(problem or ())
            if problem is None:
                sound.append((index, ids, found))
        batch = self._wanted.batch
        with self._lock, torch.inference_mode():
            for start in range(0, len(sound), batch):
                some = sound[start : start + batch]
                read = self._decoder.read([ids for _, ids, _ in some])
                for (_, ids, _), one in zip(some, read, strict=True):
                    self._store.put(ids, one.pairs)
                scores = score_paths(self._loaded.network, read, [found for _, _, found in some], batch)
                for (index, _, found), row in zip(some, scores, strict=True):
                    results[index] = by_choice(asks[index].choices, found, row)
        return results

    def _prompt(self, ask: Ask) -> list[int]:
        """The ids of the prefix; a text of nothing begins with the token that begins a text."""
        begin = self._loaded.vocabulary.begin
        return self._loaded.vocabulary.encode(ask.prefix) or ([] if begin is None else [begin])

    def _misfit(self, ids: Sequence[int], new: int) -> Failed | None:
        """Why a prompt cannot be gone on with by so many tokens."""
        context = self._loaded.context
        if not ids:
            return Failed("the prefix is empty, and the model has no token that begins a text")
        if context is not None and len(ids) + new > context:
            return Failed(
                f"the prefix has {len(ids)} tokens and the answer needs {new}, but only {context} fit",
                "ask with a shorter context: --context window:K or --context state",
            )
        return None

    def _begun(self, index: int, ask: Ask) -> Row | Failed:
        """The row of an ask; done already where there is nothing to decode."""
        ids = self._prompt(ask)
        found = paths(ask, self._loaded.vocabulary.follow)
        longest = max((len(path.ids) for path in found), default=0)
        problem = self._misfit(ids, max(longest, 1))
        if problem is None and longest > ask.max_tokens:
            problem = Failed(
                f"a choice has {longest} tokens, but only {ask.max_tokens} are asked for", "raise max_tokens"
            )
        if problem is not None:
            return problem
        context = self._loaded.context
        room = ask.max_tokens if context is None else min(ask.max_tokens, context - len(ids))
        row = Row(index, ask, ids, len(ids), room, Writer(ask.stops), random.Random(ask.seed))
        if found:
            row.node = tree(found)
            if not row.node.children:
                row.complete_choice()
        elif room <= 0:
            row.done = Completion("", "length", asked=len(ids))
        return row
