"""This file is `worldline bench`."""

import json
import sys
from dataclasses import fields
from itertools import product
from pathlib import Path
from typing import Annotated

import typer

from worldline.bench.model import Benchmark, Mode, mode_of, settings_of
from worldline.bench.registry import benchmark
from worldline.bench.run import Plan, begun, default_place, items_of, problems_of, run, scores_of
from worldline.bench.summary import summary_of
from worldline.cli.bench_without_model import WITHOUT_MODEL
from worldline.cli.busy import busy
from worldline.cli.progress import counting
from worldline.cli.writing import tables
from worldline.errors import UserError
from worldline.models import DEFAULT, preferred
from worldline.record.box import choose
from worldline.report.bench_view import print_summary, summary_object
from worldline.rollout.options import RolloutOptions, parsed_states
from worldline.work.engines import Lost


def bench(
    name: Annotated[
        str,
        typer.Argument(
            metavar="NAME",
            help="permutation, composition, cruxeval, humaneval, horizon, halting, probes, programs, tokens, "
            "degrade.",
        ),
    ],
    model: Annotated[str, typer.Option(help="As for worldline predict; default: embedded.")] = "",
    data: Annotated[str, typer.Option(help="The benchmark's file or folder, or hub.")] = "",
    set_: Annotated[
        list[str] | None, typer.Option("--set", metavar="NAME=VALUE", help="A setting, e.g. lengths=8,16.")
    ] = None,
    actions: Annotated[
        list[str] | None, typer.Option(help="free, forced, grounded; repeat to compare.")
    ] = None,
    states: Annotated[list[str] | None, typer.Option(help="free, forced, forced:K; may be repeated.")] = None,
    context: Annotated[
        list[str] | None, typer.Option(help="history, window:K, state; may be repeated.")
    ] = None,
    reveal: Annotated[list[str] | None, typer.Option(help="dense, every:K, ...; may be repeated.")] = None,
    rewrite: Annotated[
        list[str] | None, typer.Option(help="none, expressions, strings, atomic; may be repeated.")
    ] = None,
    samples: Annotated[int, typer.Option(min=1, help="Of each problem, for pass@k; give a temperature.")] = 1,
    temperature: Annotated[float, typer.Option(min=0, help="0: always the likeliest token.")] = 0.0,
    seed: Annotated[int, typer.Option(help="Of the problems and of sampling.")] = 0,
    limit: Annotated[int | None, typer.Option(min=1, help="Only the first so many problems.")] = None,
    max_tokens: Annotated[
        int, typer.Option(min=0, help="A problem; 0: twice what the true trace takes.")
    ] = 0,
    isolation: Annotated[str, typer.Option(help="For the truth: strict, process, ...")] = "strict",
    engine: Annotated[str, typer.Option(help="processes, ray, here; default: what suits the model.")] = "",
    jobs: Annotated[int, typer.Option("-j", "--jobs", min=0, help="At once; 0: all cores.")] = 0,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="RUN.db: kept, and gone on with.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="The summary as one JSON object.")] = False,
) -> None:
    """Ask a model about a set of problems, score outcome and process, and say why it fails.

    Every score is kept in RUN.db as it comes: the same command goes on where it stopped. Modes that are given
    several times are all tried, and compared.

    **Examples**

    - `worldline bench composition --set families=strings --set depths=5` the embedded model
    - `worldline bench composition --model faulty:hidden=0.03 --set families=strings --set count=5`
    - `worldline bench permutation --model hf:./weights --actions free --actions grounded`
    - `worldline bench cruxeval --data cruxeval.jsonl --model http:http://localhost:8000/v1 -o cwm.db`
    - `worldline bench composition --model hf:./weights --rewrite none --rewrite atomic`
    - `worldline bench cruxeval --data rows.jsonl --model chat:URL --samples 10 --temperature 0.8`
    - `worldline bench cruxeval --data rows.jsonl --model answers:generations.json` answers of others
    - `worldline bench programs --data my_programs/` a folder of Python files of one's own
    - `worldline bench tokens --data rows.jsonl` what the traces cost in each format; no model is asked
    - `worldline bench degrade` what each kind of error costs; the model is the oracle, made worse
    """
    if name in WITHOUT_MODEL:
        _refuse(name, model, output, engine, actions, states, context, reveal, samples > 1, temperature, jobs)
        wanted_settings = [*(set_ or []), *([f"limit={limit}"] if limit else [])]
        WITHOUT_MODEL[name](data, wanted_settings, rewrite or ["none"], choose(isolation), as_json)
        return
    chosen = _benchmark(name)
    model = model or DEFAULT
    usual = preferred(model)
    modes = _modes(
        (actions or [usual.actions], states or ["free"], context or [usual.context], reveal or ["dense"]),
        rewrite or [usual.rewrite],
        RolloutOptions(temperature=temperature, stop_below=usual.stop_below),
    )
    settings = settings_of(chosen, [*(set_ or ()), *_data(chosen, data)])
    box = choose(isolation)
    plan = Plan(chosen, settings, model, modes, seed, samples, limit, max_tokens, box, engine, jobs)
    with busy("making the problems"):
        problems = problems_of(plan)
    items = items_of(plan, problems)
    path = output or default_place(plan)
    lost: list[Lost] = []
    is_interrupted = False
    with begun(plan, problems, path, sys.argv) as store:
        wanted = {item.key for item in items}
        with counting() as progress:
            bar = progress.add_task("asking", total=len(items), completed=len(wanted & store.keys()))
            try:
                for each in run(plan, items, store):
                    progress.advance(bar)
                    lost += [each] if isinstance(each, Lost) else []
            except KeyboardInterrupt:
                is_interrupted = True
        scores = scores_of(store, wanted)
        facts = store.facts
    found = summary_of(chosen, scores) if scores else None
    if found is not None and as_json:
        typer.echo(json.dumps(summary_object(found, facts)))
    elif found is not None:
        print_summary(tables(), found)
    _tell(path, len(scores), len(items), lost, is_interrupted)


def _refuse(name: str, *given: object) -> None:
    """Options that would have no effect."""
    if any(given):
        raise UserError(
            f"{name} asks no model", "leave out --model, its modes, --samples, --engine, -j and -o"
        )


def _benchmark(name: str) -> Benchmark:
    try:
        return benchmark(name)
    except UserError as error:
        raise UserError(error.what, f"{error.hint}, {', '.join(WITHOUT_MODEL)}") from None


def _modes(knobs: tuple[list[str], ...], rewrites: list[str], usual: RolloutOptions) -> tuple[Mode, ...]:
    """Every way to ask; what is not varied is as usual."""
    found = []
    for actions, states, context, reveal, level in product(*knobs, rewrites):
        options = RolloutOptions(
            actions,  # type: ignore[arg-type]  # it refuses what there is not
            parsed_states(states),
            context,
            reveal,
            temperature=usual.temperature,
            stop_below=usual.stop_below,
        )
        found.append(mode_of(options, "" if level == "none" else level))
    return tuple(dict.fromkeys(found))


def _data(chosen: Benchmark, data: str) -> list[str]:
    if not data:
        return []
    if "data" not in {field.name for field in fields(chosen.settings)}:
        raise UserError(f"{chosen.name} makes its own problems", "leave out --data")
    return [f"data={data}"]


def _tell(path: Path, done: int, wanted: int, lost: list[Lost], is_interrupted: bool) -> None:
    """Where it is, what is missing, and how to go on."""
    typer.echo(
        f"{done} scores in {path}; look at them with `worldline report {path} --html OUT.html`", err=True
    )
    for each in lost[:5]:
        typer.echo(f"no answer for {each.key}: {each.why.strip().splitlines()[-1]}", err=True)
    if len(lost) > 5:
        typer.echo(f"... and {len(lost) - 5} more", err=True)
    if is_interrupted or lost:
        again = "interrupted" if is_interrupted else f"{len(lost)} of {wanted} have no score"
        typer.echo(f"{again}; go on with the same command and -o {path}", err=True)
        raise typer.Exit(130 if is_interrupted else 1)
