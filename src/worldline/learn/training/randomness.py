"""This file is where chance comes from: every generator is seeded anew for each iteration, by its number.

So there is no random state to keep: a run that goes on draws what it would have drawn, whatever an evaluation
or another process has drawn meanwhile.
"""

import random
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256


def seed_all(seed: int, *place: int) -> None:
    """Seed Python's, numpy's and torch's generators for one place of a run."""
    import numpy
    import torch

    number = int.from_bytes(sha256(repr((seed, *place)).encode()).digest()[:8], "big")
    random.seed(number)
    numpy.random.seed(number % 2**32)
    torch.manual_seed(number % 2**63)


@contextmanager
def borrowed() -> Iterator[None]:
    """Leave all generators as they were."""
    import numpy
    import torch

    plain, arrays = random.getstate(), numpy.random.get_state()
    try:
        with torch.random.fork_rng():
            yield
    finally:
        random.setstate(plain)
        numpy.random.set_state(arrays)
