"""This file makes wrong predictions of a recorded program, one fault in each, to show what a diagnosis finds.

python examples/faults.py TRACE.jsonl OUT.jsonl ONE.cwm
"""

import json
import sys
from pathlib import Path
from random import Random

from worldline.formats.cwm import CWM, stripped
from worldline.models.faults import FAULTS, TEXT_FAULTS, inject, inject_text
from worldline.trace.files import read
from worldline.trace.model import Trace

SEED = 3
SHOWN = "stale"


def predictions(real: Trace) -> dict[str, str]:
    """The text of a prediction with one fault, for every fault that fits the trace."""
    dice = Random(SEED)
    found = {"no fault": stripped(CWM.encode(real), real.program)}
    for name in FAULTS:
        made = inject(real, name, dice)
        if made is not None:
            found[name] = stripped(CWM.encode(made[0]), real.program)
    for name in TEXT_FAULTS:
        text = inject_text(real, name, dice, is_stripped=True)
        if text is not None:
            found[name] = text[0]
    return found


def main(trace: Path, rows: Path, one: Path) -> None:
    """Write all of them as rows, and one as the text a model would have written."""
    real = read(trace)
    texts = predictions(real)
    with rows.open("w", encoding="utf-8") as file:
        for name, text in texts.items():
            file.write(json.dumps({"id": name, "program": real.program.source, "output": text}) + "\n")
    one.write_text(texts[SHOWN], encoding="utf-8")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:4]))
