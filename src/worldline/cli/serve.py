"""This file is `worldline serve`."""

import json
import signal
from contextlib import suppress
from typing import Annotated

import typer

from worldline.models import model as load
from worldline.models.serve import ServeOptions
from worldline.models.serve import serve as start


def serve(
    model: Annotated[str, typer.Argument(help="As for worldline predict --model.")],
    port: Annotated[int, typer.Option(help="0: any that is free.")] = 8000,
    host: Annotated[str, typer.Option(help="Whom to listen to; 0.0.0.0: everybody.")] = "127.0.0.1",
    tokenizer: Annotated[
        str, typer.Option(help="What token ids mean; by default llama3 if it is installed, else bytes.")
    ] = "",
    as_json: Annotated[bool, typer.Option("--json", help="The address as a JSON object.")] = False,
) -> None:
    """Serve a model to clients of OpenAI's completions, until Ctrl-C.

    **Examples**

    - `worldline serve oracle` the real interpreter as a model, at http://127.0.0.1:8000/v1
    - `worldline serve hf:./weights --port 0 --json` a local model at a free port
    - `worldline serve faulty:stale=0.1` one with faults to find; ask it with --model http:URL
    """
    loaded = load(model)
    with start(loaded, ServeOptions(host, port, tokenizer)) as server, suppress(KeyboardInterrupt):
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        if not server.is_local:
            typer.echo(f"anybody who can reach {host} can ask this model; there is no key", err=True)
        if as_json:
            row = server.models()["data"][0]
            row = {"url": server.url, "model": row["id"], "tokenizer": row["tokenizer"], "can": row["can"]}
            typer.echo(json.dumps(row))
        else:
            typer.echo(server.url)
            typer.echo(
                f"serving {loaded.name} (token ids: {server.tokenizer.name}); Ctrl-C ends it", err=True
            )
        server.wait()
    typer.echo("closed", err=True)
