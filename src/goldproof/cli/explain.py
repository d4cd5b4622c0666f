"""`goldproof explain` and `goldproof metrics`: show one question in detail; list or explain metrics."""

from typing import TYPE_CHECKING, Annotated

import typer

from goldproof.cli.command import Call, command
from goldproof.cli.evaluate import Dataset, Qrels
from goldproof.cli.help import examples
from goldproof.cli.output import Printing, print_json, terminal_width
from goldproof.errors import InputError
from goldproof.jobs.evaluate import explain_losses, explain_question

if TYPE_CHECKING:
    from collections.abc import Iterable

    from goldproof.jobs.evaluate.explain import Explanation
    from goldproof.jobs.evaluate.losses import Losses
    from goldproof.report import Table


@examples(
    ("See what a run found for one question.", "goldproof explain --dataset beir --run bm25=bm25.trec --query q01"),
    (
        "See the ten questions that cost dense most against bm25.",
        "goldproof explain --dataset beir --run bm25=bm25.trec --run dense=dense.trec --baseline bm25 --losses 10",
    ),
)
@command(explain_question, explain_losses)
def explain(
    call: Call,
    *,
    query: Annotated[str | None, typer.Option("--query", metavar="ID", help="Show this question.")] = None,
    losses: Annotated[
        int | None,
        typer.Option("--losses", metavar="N", min=1, help="Show the N questions that cost most against the baseline."),
    ] = None,
    dataset: Dataset = None,
    qrels: Qrels = None,
    output: Printing,
    top: Annotated[int, typer.Option("--top", metavar="N", min=1, help="Rows of each table, with --query.")] = 10,
) -> None:
    """Show why a question scored as it did, or which ones cost most.

    With --query: its judgments, what each run returned and where, and how each metric came about. With --losses: the
    questions on which a run falls furthest behind the baseline (of a single run: its lowest scores), and the relevant
    document that it missed.
    """
    judgments = dataset or qrels
    if judgments is None or (dataset and qrels):
        raise InputError("give either --dataset DIR_OR_FILE or --qrels FILE.")
    if query is not None and losses is not None:
        raise InputError("--query shows one question, --losses the costliest ones; leave one of them out.")
    if query is not None:
        alone = "with --query, which shows one question; leave one out"
        _show_question(call(explain_question, judgments, query, no_effect=alone), output, top=top)
    elif losses is not None:
        _show_losses(call(explain_losses, judgments, losses=losses), output)
    else:
        raise InputError("say what to show: --query ID, or --losses N for the questions that cost most.")


def _show_question(explanation: "Explanation", output: Printing, *, top: int) -> None:
    if output.json:
        print_json(explanation.to_dict())
        return
    tables = [explanation.judgments_table(most=top), explanation.kernels_table()]
    tables += [explanation.results_table(name, most=top) for name in explanation.runs]
    tables.append(explanation.metrics_table())
    first = f"{explanation.question}: {explanation.text or 'no text known'}"
    _print([first, explanation.conclusion], tables, explanation.remarks, style=output.format)


def _show_losses(losses: "Losses", output: Printing) -> None:
    if output.json:
        print_json(losses.to_dict())
    else:
        _print([losses.conclusion], losses.tables(), losses.remarks, style=output.format)


def _print(lines: "list[str]", tables: "list[Table]", remarks: "Iterable[str]", *, style: str) -> None:
    from goldproof.report import render
    from goldproof.report.result import wrapped

    if style != "csv":
        typer.echo("\n".join(wrapped(line, width=terminal_width()) for line in lines) + "\n")
    typer.echo("\n".join(render(table, style) for table in tables if table.rows), nl=False)
    for remark in remarks:
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
    if output.format == "table" and not output.wide:
        table = Table(
            headings[:3], tuple(row[:3] for row in rows), notes=("formulas: goldproof metrics NAME, or --wide",)
        )
    typer.echo(render(table, output.format, width=None if output.wide else terminal_width()), nl=False)
