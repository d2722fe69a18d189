"""This file is `worldline report`."""

import json
from pathlib import Path
from typing import Annotated

import typer

from worldline.bench.diagnoses import chosen, diagnosed
from worldline.bench.registry import benchmark
from worldline.bench.run import scores_of
from worldline.bench.summary import summary_of
from worldline.cli.progress import counting
from worldline.cli.writing import check_writable, tables, writing
from worldline.errors import UserError
from worldline.record.box import choose
from worldline.report.bench_charts import charts, facts_rows
from worldline.report.bench_view import markdown as markdown_of
from worldline.report.bench_view import print_summary, summary_object
from worldline.work.store import opened


def report(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="A run of worldline bench.")],
    html: Annotated[Path | None, typer.Option(metavar="OUT", help="Write the page to look at.")] = None,
    markdown: Annotated[Path | None, typer.Option(metavar="OUT", help="Write tables as Markdown.")] = None,
    limit: Annotated[int, typer.Option(min=0, help="Traces on the page at most, wrong ones first.")] = 200,
    isolation: Annotated[str, typer.Option(help="For what has to be run again: strict, process.")] = "strict",
    as_json: Annotated[bool, typer.Option("--json", help="The summary as one JSON object.")] = False,
) -> None:
    """Show what a run of a benchmark found: tables, or a page with plots and every trace to step through.

    **Examples**

    - `worldline report run.db` the tables again
    - `worldline report run.db --html run.html` accuracy by length, cost against accuracy, every divergence
    - `worldline report run.db --markdown run.md` for a paper or an issue
    """
    for path in filter(None, (html, markdown)):
        check_writable(path)
    with opened(run) as store:
        scores, facts = scores_of(store), store.facts
        if not scores:
            raise UserError(f"{run} has no scores yet", "go on with the command that began it")
        found = summary_of(benchmark(facts["setting"]["benchmark"]), scores)
        diagnoses = []
        if html is not None:
            level = choose(isolation)
            wanted = chosen(store, limit)
            with counting() as progress:
                bar = progress.add_task("diagnosing", total=len(wanted))
                for each in diagnosed(store, wanted, level):
                    diagnoses.append(each)
                    progress.advance(bar)
    title = f"{facts['setting']['benchmark']}: {facts['setting']['model']}"
    if html is not None:
        from worldline.report.page import write_page

        with writing(html):
            write_page(diagnoses, html, title, charts(found, facts), facts_rows(facts))
        typer.echo(f"{len(diagnoses)} of {len(scores)} traces on the page; look at {html}", err=True)
    if markdown is not None:
        facts_table = [f"- {name}: {value}" for name, value in facts_rows(facts)]
        with writing(markdown):
            text = "\n".join([f"# {title}", "", *markdown_of(found), "", *facts_table, ""])
            markdown.write_text(text, encoding="utf-8")
    if as_json:
        typer.echo(json.dumps(summary_object(found, facts)))
    elif html is None and markdown is None:
        print_summary(tables(), found)
