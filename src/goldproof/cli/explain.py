"""`goldproof explain` and `goldproof metrics`: show one question in detail; list or explain metrics."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from goldproof.cli import options
from goldproof.errors import InputError

if TYPE_CHECKING:
    from goldproof.jobs.evaluate.explain import Explanation


def explain(
    query: Annotated[str, typer.Option("--query", metavar="ID", help="The question.")],
    run: Annotated[list[str], typer.Option("--run", metavar="NAME=FILE", help="A run to look at. Repeatable.")],
    dataset: Annotated[
        Path | None, typer.Option("--dataset", metavar="DIR_OR_FILE", help="BEIR folder or retrieval_dataset.yaml.")
    ] = None,
    qrels: Annotated[Path | None, typer.Option("--qrels", metavar="FILE", help="Judgments alone.")] = None,
    metrics: Annotated[str | None, typer.Option("--metrics", metavar="LIST", help="Comma-separated.")] = None,
    split: Annotated[str | None, typer.Option("--split", help="Which qrels of a BEIR folder.")] = None,
    depth: Annotated[int | None, typer.Option("--depth", metavar="N", help="See only the first N results.")] = None,
    no_relevant: Annotated[
        str, typer.Option("--no-relevant", metavar="undefined|zero", help="As for goldproof eval.")
    ] = "undefined",
    ignore_identical_ids: options.IgnoreIdenticalIds = None,
    skip_bad: Annotated[bool, typer.Option("--skip-bad", help="Leave out bad lines of runs.")] = False,
    top: Annotated[int, typer.Option("--top", metavar="N", min=1, help="How many rows of each table to show.")] = 10,
    json: options.AsJson = False,
    format: options.Format = "table",  # noqa: A002 - the option's name
) -> None:
    """Show one question: judgments, kernels, what each run returned and where, and how each metric came about."""
    judgments = dataset or qrels
    if judgments is None or (dataset and qrels):
        raise InputError("give either --dataset DIR_OR_FILE or --qrels FILE.")
    from goldproof.cli.command import print_json
    from goldproof.jobs.evaluate import EvaluationFiles, Scoring, explain_question
    from goldproof.report.tables import check_style
    from goldproof.study.score_comparison import named_files

    check_style(format)
    files = EvaluationFiles(judgments, named_files(run), split=split, skip_bad=skip_bad)
    scoring = Scoring.named("judged", no_relevant, depth, ignore_identical_ids=ignore_identical_ids)
    explanation = explain_question(files, query, metrics=metrics, scoring=scoring)
    if json:
        print_json(explanation.to_dict())
    else:
        _print(explanation, style=format, top=top)


def _print(explanation: "Explanation", *, style: str, top: int) -> None:
    from goldproof.report import render

    answer = "" if explanation.answerable else " (unanswerable: nothing should be returned)"
    typer.echo(f"{explanation.question}: {explanation.text or 'no text known'}{answer}\n")
    tables = [explanation.judgments_table(most=top), explanation.kernels_table()]
    for name, run in explanation.runs.items():
        if run.error is not None:
            typer.echo(f"{name} failed: {run.error}\n")
        tables.append(explanation.results_table(name, most=top))
    tables.append(explanation.metrics_table())
    for table in tables:
        if table.rows:
            typer.echo(render(table, style))
    for remark in explanation.remarks:
        typer.echo(remark, err=True)


def metrics(
    name: Annotated[str | None, typer.Argument(metavar="[NAME]", help="Explain one metric in full.")] = None,
    json: options.AsJson = False,
    format: options.Format = "table",  # noqa: A002 - the option's name
) -> None:
    """List the metrics with their definitions, or explain one: goldproof metrics nDCG@10."""
    from goldproof.cli.command import print_json, too_wide
    from goldproof.metrics import METRICS, parse_metric
    from goldproof.report import Heading, Table, render

    if name is not None:
        known = METRICS.get(name if name in METRICS else parse_metric(name).family)
        if json:
            print_json({"name": name, "summary": known.summary, "formula": known.formula, "definition": known.help})
        else:
            typer.echo(f"{name}: {known.summary}\n\n{known.help}")
        return
    definitions = sorted((METRICS.get(family) for family in METRICS), key=lambda known: known.subject)
    if json:
        print_json(
            {
                d.family: {"example": d.shape.example, "on": d.subject, "summary": d.summary, "formula": d.formula}
                for d in definitions
            }
        )
        return
    headings = tuple(Heading(title, "left") for title in ("name", "on", "what it says", "formula"))
    rows = tuple((d.shape.example, d.subject, d.summary, d.formula) for d in definitions)
    table = Table(headings, rows)
    if format == "table" and too_wide(render(table)):
        table = Table(headings[:3], tuple(row[:3] for row in rows), notes=("formulas: goldproof metrics NAME",))
    typer.echo(render(table, format), nl=False)
