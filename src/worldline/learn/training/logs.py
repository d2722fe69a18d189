"""This file is the log of a run, as JSON lines and for TensorBoard.

`log.jsonl` is the same to the byte however often the run was broken off; what the clock says is never the
same twice and stands in `speed.jsonl`.
"""

import json
import os
from collections.abc import Mapping
from math import isfinite
from pathlib import Path
from typing import Any

from worldline.errors import missing_extra


class Log:
    """The open files of a run.

    Args:
        folder: of the run.
        iteration: how many are done; later lines are cut off.
        log_bytes: how long `log.jsonl` was then.
        has_tensorboard: whether TensorBoard's files are written as well.
    """

    def __init__(self, folder: Path, iteration: int, log_bytes: int, has_tensorboard: bool) -> None:
        speed = folder / "speed.jsonl"
        if speed.exists():
            lines = [
                line for line in speed.read_bytes().splitlines(keepends=True) if _is_until(line, iteration)
            ]
            speed.write_bytes(b"".join(lines))
        log = folder / "log.jsonl"
        log.touch()
        os.truncate(log, min(log_bytes, log.stat().st_size))
        self._log = log.open("ab")
        self._speed = speed.open("ab")
        self._board = _board(folder, iteration) if has_tensorboard else None

    def add(self, record: Mapping[str, Any], speed: Mapping[str, Any]) -> None:
        """One iteration."""
        scores = {"scores": numbers(record["scores"])} if "scores" in record else {}
        self._log.write(json.dumps({**record, **scores}).encode() + b"\n")
        self._speed.write(json.dumps({"iteration": record["iteration"], **speed}).encode() + b"\n")
        self._log.flush()
        self._speed.flush()
        if self._board is not None:
            scores = {f"scores/{name}": value for name, value in record.get("scores", {}).items()}
            for name, value in {**record, **speed, **scores}.items():
                if isinstance(value, int | float):
                    self._board.add_scalar(name, value, record["iteration"])

    def sync(self) -> int:
        """Have it all on the disk: the length of `log.jsonl`."""
        os.fsync(self._log.fileno())
        return self._log.tell()

    def close(self) -> None:
        """Nothing more comes."""
        self._log.close()
        self._speed.close()
        if self._board is not None:
            self._board.close()


def numbers(scores: Mapping[str, float]) -> dict[str, float | None]:
    """Scores as JSON has them: what is no number is null."""
    return {name: value if isfinite(value) else None for name, value in scores.items()}


def _is_until(line: bytes, iteration: int) -> bool:
    """Whether a line is whole and not of a later iteration."""
    try:
        return bool(json.loads(line)["iteration"] <= iteration) and line.endswith(b"\n")
    except ValueError:
        return False


def _board(folder: Path, iteration: int) -> Any:
    try:
        from torch.utils.tensorboard import SummaryWriter
    except ImportError:
        raise missing_extra("tensorboard", "learn") from None
    return SummaryWriter(str(folder / "tensorboard"), purge_step=iteration + 1)
