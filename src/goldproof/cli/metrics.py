"""`goldproof metrics`: which metrics there are, and what each means."""

from typing import Annotated

import typer

from goldproof.cli import options


def metrics(
    name: Annotated[str | None, typer.Argument(metavar="[NAME]", help="Explain one metric in full.")] = None,
    json: options.AsJson = False,
    format: options.Format = "table",  # noqa: A002 - the option's name
) -> None:
    """List the metrics with their definitions, or explain one: goldproof metrics nDCG@10."""
    from goldproof.cli.present import print_json, too_wide
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
