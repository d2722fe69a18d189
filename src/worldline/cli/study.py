"""This file is `worldline study`."""

import json
import shlex
import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Annotated

import typer

from worldline.cli.progress import counting
from worldline.cli.writing import check_writable, writing


def study(
    name: Annotated[str, typer.Argument(metavar="STUDY", help="Which: reveals or strings.")],
    output: Annotated[Path, typer.Option("-o", "--output", help="FOLDER: kept, and gone on with.")],
    seeds: Annotated[int, typer.Option(min=1, help="How many at the best learning rate.")] = 3,
    workers: Annotated[int, typer.Option(min=1, help="Runs at once, of one thread each.")] = 2,
    quick: Annotated[bool, typer.Option("--quick", help="Tiny: only to see that it works.")] = False,
    page: Annotated[
        Path | None, typer.Option(help="PAGE.md, with its plots beside it; default: in the folder.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Every run as one JSON object a line.")] = False,
) -> None:
    """Compare networks or representations by many trainings, and write a page about it.

    Learning rates are swept for each arm with one seed (one that is another trained for longer takes that
    one's), then the best one gets further seeds. Every result is kept as it comes: the same command goes on
    where it stopped, and repeats nothing. It needs torch.

    **Examples**

    - `worldline study reveals -o reveals --workers 2`
    - `worldline study strings -o trial --quick --seeds 1`
    - `worldline study reveals -o reveals --seeds 5 --page docs/explanation/sparse-reveals.md`
    """
    from worldline.learn.studies import study_called
    from worldline.learn.studies.grid import add_command, count, run_study, seconds_spent
    from worldline.report.studies import Made, page_of, write_page

    plan = study_called(name, quick)
    place = page or output / f"{name}.md"
    if page is not None:
        check_writable(place)
    flags = f"--seeds {seeds} --workers {workers}{' --quick' if quick else ''}"
    command = f"worldline study {name} -o {shlex.quote(output.name)} {flags}"
    began, done = time.monotonic(), []
    with counting() as progress:
        bar = progress.add_task("", total=count(plan, seeds))

        def watch(names: Sequence[str]) -> None:
            progress.update(bar, description=", ".join(names))

        is_interrupted = False
        try:
            with closing(run_study(plan, output, seeds, workers, watch)) as running:
                for outcome in running:
                    done.append(outcome)
                    progress.advance(bar)
        except KeyboardInterrupt:
            is_interrupted = True
        finally:
            if output.is_dir():
                add_command(output, command, time.monotonic() - began, len(done))
    if is_interrupted:
        at = f"{len(done)} of {count(plan, seeds)} runs"
        typer.echo(f"interrupted after {at}; go on with the same command", err=True)
        raise typer.Exit(130)
    if as_json:
        for outcome in done:
            told = {"name": outcome.run.name, "setting": outcome.run.setting, "result": outcome.result}
            typer.echo(json.dumps({**told, "seconds": outcome.seconds, "cpu_seconds": outcome.cpu_seconds}))
    made = Made(command, seeds, workers, seconds_spent(output, name, quick))
    with writing(place):
        write_page(page_of(plan, done, made), place)
    typer.echo(f"{len(done)} runs; the page is {place}", err=True)
