"""This file is the verb `export`: a run, or a folder of traces, as the files of another tool."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from worldline.bench.exchange import cruxeval_files, lm_eval_logs
from worldline.bench.exchange.datasets import write_dataset
from worldline.bench.exchange.runs import problems_of, read_run
from worldline.errors import UserError


@dataclass(frozen=True, slots=True)
class Choices:
    """What may be chosen beside source and output."""

    mode: str | None = None  # of a run
    license: str = ""  # of a data set


@dataclass(frozen=True, slots=True)
class Exported:
    """What was written."""

    to: str
    rows: int  # problems or traces
    files: tuple[str, ...]


def export(source: Path, to: str, output: Path, choices: Choices | None = None) -> Exported:
    """Write a run or a folder of traces for another tool.

    Args:
        source: the file of a run, or for "dataset" a folder of traces.
        to: one of `KINDS`.
        output: a file, for "lm-eval" and "dataset" a folder.
        choices: the rest.
    """
    writer = KINDS.get(to)
    if writer is None:
        raise UserError(f"nothing is called {to!r} to export to", f"there are: {', '.join(KINDS)}, llama")
    if to != "dataset" and source.is_dir():
        raise UserError(f"{source} is a folder, not a run", "a folder of traces goes --to dataset")
    if to == "dataset" and source.is_file():
        raise UserError(
            f"{source} is no folder of traces", "a run goes --to cruxeval, cruxeval-scored, lm-eval"
        )
    try:
        return writer(source, output, choices or Choices())
    except OSError as error:
        raise UserError(f"{output} cannot be written: {error.strerror}", "give another place") from None


def _generations(source: Path, output: Path, choices: Choices) -> Exported:
    answers = cruxeval_files.generations(read_run(source).scores, choices.mode)
    cruxeval_files.write(answers, output)
    return Exported("cruxeval", len(answers), (str(output),))


def _scored(source: Path, output: Path, choices: Choices) -> Exported:
    content = cruxeval_files.scored(read_run(source).scores, choices.mode)
    cruxeval_files.write(content, output)
    return Exported("cruxeval-scored", len(content["raw_generations"]), (str(output),))


def _logs(source: Path, output: Path, choices: Choices) -> Exported:
    run = read_run(source)
    told, samples = lm_eval_logs.write_logs(run, output, choices.mode, problems_of(run))
    with samples.open("rb") as file:
        rows = sum(1 for _ in file)
    return Exported("lm-eval", rows, (str(told), str(samples)))


def _dataset(source: Path, output: Path, choices: Choices) -> Exported:
    command = f"worldline export {source.name} --to dataset -o {output.name}"  # a card is public: no folders
    command += f" --license {choices.license}" if choices.license else ""
    written = write_dataset(source, output, choices.license, command)
    files = [output / "README.md", *(output / "data" / name for name in written.files)]
    return Exported("dataset", written.rows, tuple(map(str, files)))


KINDS: Mapping[str, Callable[[Path, Path, Choices], Exported]] = {
    "cruxeval": _generations,
    "cruxeval-scored": _scored,
    "lm-eval": _logs,
    "dataset": _dataset,
}
