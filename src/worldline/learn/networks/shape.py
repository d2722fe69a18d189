"""This file is `Shape`: everything that decides which weights a network has, as plain JSON-able numbers."""

from dataclasses import dataclass

from worldline.errors import UserError


@dataclass(frozen=True, slots=True)
class Shape:
    """One network; `dataclasses.asdict` writes it, `Shape(**fields)` reads it again."""

    network: str  # a name in NETWORKS
    vocabulary: int  # different tokens
    width: int  # numbers a token, between the layers
    layers: int
    heads: int  # of every mixer; each is width / heads wide
    context: int  # tokens it is made for; nothing breaks beyond, attention only gets worse
    householders: int = 1  # delta: steps of the delta rule a token
    is_negative: bool = True  # delta: eigenvalues in [-1, 1], not in [0, 1]
    hidden: int = 0  # width of the feed-forward layers; 0 is 8/3 of the width
    window: int = 0  # attention: tokens that one sees, itself among them; 0 is all before it
    chunk: int = 32  # delta: tokens times householders that are worked on at once; changes speed, no result
    theta: float = 10_000.0  # attention: the base of the rotary angles

    def __post_init__(self) -> None:
        for field in ("vocabulary", "width", "layers", "heads", "context", "householders", "chunk"):
            if getattr(self, field) < 1:
                raise UserError(f"a network's {field} is {getattr(self, field)}", "it must be at least 1")
        for field in ("hidden", "window"):
            if getattr(self, field) < 0:
                raise UserError(f"a network's {field} is {getattr(self, field)}", "0 means the default")
        if self.width % (2 * self.heads):
            raise UserError(
                f"width {self.width} does not give {self.heads} heads of an even width",
                f"take a multiple of {2 * self.heads}",
            )

    @property
    def head_width(self) -> int:
        """The width of one head."""
        return self.width // self.heads

    @property
    def hidden_width(self) -> int:
        """The width of the feed-forward layers: as asked for, or about 8/3 of the width in steps of 8."""
        return self.hidden or max(8, round(self.width / 3) * 8)
