"""This file is figures that others have published, to stand beside ours; none was measured by us."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Published:
    """One figure."""

    benchmark: str  # the one of ours that asks the same, or nearly
    problems: str  # what was asked
    model: str
    share: float  # of answers right
    count: int | None  # problems; None: not told
    source: str
    note: str = ""  # where it is not quite the same as ours


DEBUGGING = "Rahmani, Debugging code world models (2026), companion page"
CWM = "Meta FAIR, CWM (2025)"
_S5 = {"GPT-5": (1.0, 1.0, 0.8, 0.7, 0.1), "CWM-32B": (1.0, 0.8, 0.4, 0.0, 0.0)}
_FORCED = (1.0, 1.0, 1.0, 0.9, 0.9)
_LENGTHS = (8, 16, 32, 64, 128)
_NESTED = (0.90, 0.75, 0.58, 0.39, 0.25)
_READ_OFF = "read off a chart; 10 programs a length, by the look of it"

PUBLISHED: tuple[Published, ...] = (
    *(
        Published("permutation", f"length {length}", model, share, None, DEBUGGING, _READ_OFF)
        for model, shares in _S5.items()
        for length, share in zip(_LENGTHS, shares, strict=True)
    ),
    *(
        Published(
            "permutation", f"length {length}", "CWM-32B, teacher forcing", share, None, DEBUGGING, _READ_OFF
        )
        for length, share in zip(_LENGTHS, _FORCED, strict=True)
    ),
    *(
        Published(
            "composition",
            f"strings, depth {depth}",
            "CWM-32B",
            share,
            100,
            DEBUGGING,
            "25 functions of their own, which ours are not",
        )
        for depth, share in enumerate(_NESTED, 1)
    ),
    Published("cruxeval", "output", "CWM-32B", 0.851, 800, DEBUGGING, "whole traces, all 800 rows"),
    Published(
        "cruxeval",
        "output",
        "CWM-32B, rewritten",
        0.904,
        800,
        DEBUGGING,
        "losses were not counted: an upper bound",
    ),
    Published("cruxeval", "output", "CWM-32B", 0.877, 800, CWM, "full trace, as its own report has it"),
    Published("humaneval", "723 test cases", "CWM-32B", 0.914, 723, DEBUGGING),
)
