"""`goldproof explain` and `goldproof metrics`: show one question in detail; list or explain metrics."""

from typing import TYPE_CHECKING, Annotated

import typer

from goldproof.cli.command import Call, command
from goldproof.cli.evaluate import Dataset, Qrels
from goldproof.cli.help import examples
from goldproof.cli.output import Printing, any_too_wide, print_json
from goldproof.errors import InputError
from goldproof.jobs.evaluate import explain_question

if TYPE_CHECKING:
    from goldproof.jobs.evaluate.explain import Explanation


@examples(
    ("See what a run found for a question.", "goldproof explain --dataset beir --run bm25=bm25.trec --query q01"),
    (
        "Compare two runs on it, by one metric.",
        "goldproof explain --dataset beir --run bm25=bm25.trec --run dense=dense.trec --query q01 --metrics nDCG@10",
    ),
)
@command(explain_question)
def explain(
    call: Call,
    *,
    query: Annotated[str, typer.Option("--query", metavar="ID", help="The question.")],
    dataset: Dataset = None,
    qrels: Qrels = None,
    output: Printing,
    top: Annotated[int, typer.Option("--top", metavar="N", min=1, help="How many rows of each table to show.")] = 10,
) -> None:
    """Show why a question scored as it did, or which ones cost most.

    Shows its judgments and kernels, what each run returned and where, and how each metric came about.
    """
    judgments = dataset or qrels
    if judgments is None or (dataset and qrels):
        raise InputError("give either --dataset DIR_OR_FILE or --qrels FILE.")
    explanation = call(explain_question, judgments, query)
    if output.json:
        print_json(explanation.to_dict())
    else:
        _print(explanation, style=output.format, top=top)


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


@examples(
    ("List all metrics.", "goldproof metrics"),
    ("Explain one: formula, conventions, ties.", "goldproof metrics nDCG@10"),
)
@command()
def metrics(
    _call: Call,
    output: Printing,
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="A metric to explain in full.")] = None,
) -> None:
    """List the metrics, or explain one."""
    from goldproof.metrics import METRICS, parse_metric
    from goldproof.report import Heading, Table, render

    if name is not None:
        known = METRICS.get(name if name in METRICS else parse_metric(name).family)
        if output.json:
            print_json({"name": name, "summary": known.summary, "formula": known.formula, "definition": known.help})
        else:
            typer.echo(f"{name}: {known.summary}\n\n{known.help}")
        return
    definitions = sorted((METRICS.get(family) for family in METRICS), key=lambda known: known.subject)
    if output.json:
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
    if output.format == "table" and any_too_wide([table]):
        table = Table(headings[:3], tuple(row[:3] for row in rows), notes=("formulas: goldproof metrics NAME",))
    typer.echo(render(table, output.format), nl=False)
