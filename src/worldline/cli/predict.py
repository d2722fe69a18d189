"""This file is `worldline predict`."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from worldline.cli.busy import busy
from worldline.cli.writing import check_writable
from worldline.errors import UserError
from worldline.models import DEFAULT, Model, preferred
from worldline.models import model as load_model
from worldline.record import Options
from worldline.record import record as record_program
from worldline.record.box import choose
from worldline.record.entry import as_marked, call_entry, find_entry
from worldline.record.recording import read_program
from worldline.report.listing import print_listing
from worldline.rewrite import check_level
from worldline.rewrite import rewrite as rewritten
from worldline.rollout.model import Finished, Rollout
from worldline.rollout.options import Actions, RolloutOptions, parsed_states
from worldline.rollout.rollout import predict as predict_program
from worldline.rollout.rollout import told
from worldline.trace.files import read, write
from worldline.trace.model import Program, Trace


def predict(
    program: Annotated[Path, typer.Argument(help="The program.")],
    model: Annotated[
        str, typer.Option(help="embedded, oracle, faulty:stale=0.1, replay:FILE, http:URL, hf:PATH.")
    ] = DEFAULT,
    call: Annotated[str, typer.Option(help="This call of it, e.g. 'f(1, 2)'.")] = "",
    actions: Annotated[
        str, typer.Option(help="free, forced (given), grounded (only legal lines); default: by model.")
    ] = "",
    states: Annotated[str, typer.Option(help="free, forced, or forced:K, every K-th.")] = "free",
    context: Annotated[
        str, typer.Option(help="history, window:K, or state: constant in size; default: by model.")
    ] = "",
    rewrite: Annotated[
        str, typer.Option(help="none, expressions, strings, atomic, before asking; default: by model.")
    ] = "",
    reveal: Annotated[
        str, typer.Option(help="dense, every:K, changed, read, over, line:N, return.")
    ] = "dense",
    max_tokens: Annotated[int, typer.Option(min=1, help="That the model may write.")] = 32_768,
    max_steps: Annotated[int, typer.Option(min=1, help="That it may take.")] = 100_000,
    stop_below: Annotated[
        float | None, typer.Option(help="End when it is less sure of a step; default: by model.")
    ] = None,
    ask_below: Annotated[float, typer.Option(help="Ask the real interpreter when it is less sure.")] = 0.0,
    seed: Annotated[int, typer.Option(help="For sampling.")] = 0,
    temperature: Annotated[float, typer.Option(min=0, help="0: always the likeliest token.")] = 0.0,
    resume: Annotated[Path | None, typer.Option(help="Go on with a trace that was broken off.")] = None,
    output: Annotated[Path | None, typer.Option("-o", "--output", help="FILE.jsonl or .parquet.")] = None,
    isolation: Annotated[str, typer.Option(help="For the truth: process, strict, ...")] = "process",
    as_json: Annotated[bool, typer.Option("--json", help="What came of it, as one JSON object.")] = False,
) -> None:
    """Ask a model what a program would do, in any mode. Exit code 1 if it does not come to the end.

    **Examples**

    - `worldline predict prog.py` the embedded model: grounded actions, state context, atomic steps
    - `worldline predict prog.py --model oracle -o p.jsonl` the real interpreter as a model
    - `worldline predict prog.py --model faulty:stale=0.1,seed=3 -o p.jsonl` with faults to find
    - `worldline predict prog.py --model http:http://localhost:8000/v1 --actions grounded --context state`
    - `worldline predict prog.py --model faulty:stale=0.1 --ask-below 0.9 --json` ask Python when unsure
    - `worldline predict prog.py --model oracle --resume p.jsonl -o p.jsonl` go on where it was broken off
    """
    usual = preferred(model)
    options = RolloutOptions(
        _actions(actions or usual.actions),
        parsed_states(states),
        context or usual.context,
        reveal,
        max_tokens,
        max_steps,
        stop_below=usual.stop_below if stop_below is None else stop_below,
        ask_below=ask_below,
        temperature=temperature,
        seed=seed,
    )
    choose(isolation)
    if output is not None:
        check_writable(output)
    source = read_program(program)
    entry = call_entry(source, str(program), call) if call else find_entry(source, str(program))
    subject = as_marked(Program(source, entry, str(program)))
    level = rewrite or usual.rewrite
    if level != "none":
        subject = rewritten(subject, check_level(level)).program
    asked = load_model(model)
    with busy("asking the model"):
        begun = read(resume) if resume is not None else None
        rollout = predict_program(subject, asked, options, _truth(subject, options, isolation), begun)
    if output is not None:
        write(rollout.trace, output)
    if as_json:
        typer.echo(json.dumps(_summary(rollout, asked, output)))
    elif output is None:
        print_listing(Console(), rollout.trace)
    typer.echo(f"{len(rollout.trace.steps)} steps, {told(rollout.stop)}; {_cost(rollout)}", err=True)
    raise typer.Exit(0 if rollout.stop == Finished() else 1)


def _actions(text: str) -> Actions:
    return text  # type: ignore[return-value]  # RolloutOptions refuses what there is not


def _truth(program: Program, options: RolloutOptions, isolation: str) -> Trace | None:
    if not options.needs_truth:
        return None
    found: Trace = record_program(program, Options(max_value=None, user_repr=True), None, isolation).trace
    if not found.steps:
        hint = f"try: worldline record {program.path}"
        raise UserError(f"{program.path} took no step: {found.ending.detail}", hint)
    return found


def _summary(rollout: Rollout, asked: Model, output: Path | None) -> dict[str, Any]:
    stop = {"kind": type(rollout.stop).__name__, **asdict(rollout.stop)}
    sure = [each.step for each in rollout.sureness]
    return {
        "model": rollout.model,
        "can": asdict(asked.can),
        "capabilities": asdict(seen) if (seen := getattr(asked, "capabilities", None)) else None,
        "steps": len(rollout.trace.steps),
        "result": rollout.trace.ending.value,
        "stop": stop,
        "cost": asdict(rollout.cost),
        "options": asdict(rollout.options),
        "sureness": sure if any(each is not None for each in sure) else None,
        "file": str(output) if output else None,
    }


def _cost(rollout: Rollout) -> str:
    cost = rollout.cost
    questions = f", {cost.questions} questions to Python" if cost.questions else ""
    return f"{cost.spent} tokens in {cost.asks} requests, at most {cost.peak} in a prompt{questions}"
