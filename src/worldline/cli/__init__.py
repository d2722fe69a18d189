"""This folder is the command line: one file per verb, no logic."""

import errno
import os
import signal
import sys
from collections.abc import Callable

import typer

from worldline.cli.bench import bench
from worldline.cli.collect import collect
from worldline.cli.compare import compare
from worldline.cli.convert import convert
from worldline.cli.diagnose import app as diagnose
from worldline.cli.diff import diff
from worldline.cli.doctor import doctor
from worldline.cli.export import export
from worldline.cli.intervene import intervene
from worldline.cli.predict import predict
from worldline.cli.record import record
from worldline.cli.report import report
from worldline.cli.rewrite import rewrite
from worldline.cli.serve import serve
from worldline.cli.show import show
from worldline.cli.study import study
from worldline.cli.tokens import tokens
from worldline.cli.train import train
from worldline.errors import UserError

VERBS: tuple[Callable[..., None], ...] = (
    *(record, show, convert, tokens, collect),
    *(predict, serve, diff, rewrite, intervene),
    *(bench, compare, report, export, train, study, doctor),
)

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
    help="Record what programs really do, and see where a model leaves it.",
    epilog="Exit codes: 0 fine, 1 traces differ, a check failed or a limit stopped it, 2 wrong input.",
)
for verb in VERBS:
    app.command(verb.__name__)(verb)
app.add_typer(diagnose, name="diagnose")


def _interrupt(number: int, frame: object) -> None:
    """Who ends us politely is answered as Ctrl-C is: what is finished is kept, how to go on is told."""
    raise KeyboardInterrupt


def main() -> None:
    """Run the command line; a user's mistake is one clear line and exit code 2."""
    signal.signal(signal.SIGTERM, _interrupt)
    try:
        app()
    except UserError as error:
        typer.secho("error: ", fg="red", bold=True, nl=False, err=True)
        typer.echo(error.what, err=True)
        if error.hint:
            typer.echo(f"  hint: {error.hint}", err=True)
        sys.exit(2)
    except RecursionError:
        typer.echo("error: the program nests its expressions deeper than Python itself can follow", err=True)
        typer.echo("  hint: give the parts of a very long expression names of their own", err=True)
        sys.exit(2)
    except KeyboardInterrupt:
        typer.echo("interrupted; what was finished is kept", err=True)
        sys.exit(130)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EDQUOT, errno.EIO):
            raise
        typer.echo(
            f"error: cannot write the output: {error.strerror}\n  hint: make room, then start again", err=True
        )
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(2)
