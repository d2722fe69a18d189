"""This file is `worldline intervene`."""

import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from worldline.cli.progress import counting
from worldline.cli.writing import check_writable
from worldline.diagnose.rewriting import Outcome, arms, outcome_line, read_outcomes
from worldline.diagnose.rewriting_work import Asked, intervene_by
from worldline.models import engine_for, shared_model
from worldline.record.box import choose
from worldline.record.collect import read_rows
from worldline.report.rewriting_view import print_arms
from worldline.rewrite import LEVELS, check_level
from worldline.rollout.options import RolloutOptions
from worldline.work.engines import Hands, Lost


def intervene(
    rows: Annotated[Path, typer.Argument(help="A JSONL file of programs, as for worldline collect.")],
    model: Annotated[str, typer.Option(help="As for worldline predict.")],
    level: Annotated[list[str] | None, typer.Option(help="Levels of rewriting; default: all.")] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="Only so many rows.")] = None,
    actions: Annotated[str, typer.Option(help="free, forced, grounded.")] = "free",
    context: Annotated[str, typer.Option(help="history, window:K, state.")] = "history",
    max_tokens: Annotated[int, typer.Option(min=1, help="That the model may write for a row.")] = 32_768,
    seed: Annotated[int, typer.Option(help="For sampling; the control has the next one.")] = 0,
    temperature: Annotated[float, typer.Option(min=0, help="0: always the likeliest token.")] = 0.0,
    isolation: Annotated[str, typer.Option(help="For the truth: strict, process, ...")] = "strict",
    engine: Annotated[str, typer.Option(help="processes, ray, here; default: what suits the model.")] = "",
    jobs: Annotated[int, typer.Option("-j", "--jobs", min=0, help="At once; 0: all cores.")] = 0,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="OUT.jsonl: kept, and gone on with.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="The arms as one JSON object.")] = False,
) -> None:
    """What rewriting buys a model: gains and losses at each level, against the same problems as they are.

    A control asks the same again with another seed, so that luck is not counted as cure.

    **Examples**

    - `worldline intervene rows.jsonl --model faulty:hidden=0.1` a model that hidden operations make fail
    - `worldline intervene rows.jsonl --model http:http://localhost:8000/v1 -o run.jsonl` may be broken off
    - `worldline intervene rows.jsonl --model hf:./weights --level atomic --context state --json`
    """
    options = RolloutOptions(
        actions,  # type: ignore[arg-type]  # it refuses what there is not
        context=context,
        max_tokens=max_tokens,
        seed=seed,
        temperature=temperature,
    )
    levels = tuple(check_level(name) for name in level or LEVELS)
    asked = Asked(model, levels, options, choose(isolation))
    hands = Hands(engine or engine_for(model), jobs)
    todo = list(read_rows(rows))[:limit]
    setting = {"model": shared_model(model).name, "rows": rows.name, "options": asdict(options)}
    found = _begun(output, setting)
    done = frozenset((each.id, each.arm) for each in found)
    is_interrupted = False
    lost: list[Lost] = []
    with counting() as progress:
        bar = progress.add_task("asking", total=len(todo) * (2 + len(levels)), completed=len(done))
        try:
            for each in intervene_by(hands, todo, asked, done):
                progress.advance(bar)
                if isinstance(each, Lost):
                    lost.append(each)
                    continue
                found.append(each)
                if output is not None:
                    with output.open("a", encoding="utf-8") as file:
                        file.write(outcome_line(each, setting) + "\n")
        except KeyboardInterrupt:
            is_interrupted = True
    every = arms(found)
    if as_json:
        typer.echo(
            json.dumps({"setting": setting, "arms": [{**asdict(arm), "net": arm.net} for arm in every]})
        )
    else:
        print_arms(Console(), every, [each for each in found if each.problem])
    for one in lost:
        typer.echo(f"no answer for {one.key}: {one.why.strip().splitlines()[-1]}", err=True)
    if is_interrupted or lost:
        hint = f"go on with the same command and -o {output}" if output else "give -o to be able to go on"
        typer.echo(f"{'interrupted' if is_interrupted else 'not finished'}; {hint}", err=True)
        raise typer.Exit(130 if is_interrupted else 1)


def _begun(output: Path | None, setting: Mapping[str, object]) -> list[Outcome]:
    """What an earlier run with the same setting has found."""
    if output is None:
        return []
    if not output.exists():
        check_writable(output)
        return []
    return read_outcomes(output, setting)
