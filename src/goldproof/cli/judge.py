"""`goldproof judge`: how far a judge can be trusted."""

from pathlib import Path
from typing import Annotated

import typer

from goldproof.cli import options, spending

app = typer.Typer(help="Measure judges against people.", rich_markup_mode=None, no_args_is_help=True)


@app.callback()
def root() -> None:
    """Measure judges against people."""


@app.command()
def calibrate(
    human: Annotated[
        Path,
        typer.Option("--human", metavar="FILE", help="People's labels: JSONL, CSV, qrels; several per pair may be."),
    ],
    judgments: Annotated[
        Path | None,
        typer.Option(
            "--judgments", metavar="FILE", help="The judge's: judgments.jsonl of goldproof mine, JSONL, CSV, qrels."
        ),
    ] = None,
    judge: Annotated[
        str | None, typer.Option("--judge", metavar="SPEC", help="Or ask this judge now, about the labelled pairs.")
    ] = None,
    corpus: Annotated[str | None, typer.Option("--corpus", metavar="SPEC", help="Documents, for --judge.")] = None,
    questions: Annotated[Path | None, typer.Option("--questions", metavar="FILE", help="Texts, for --judge.")] = None,
    human_scale: Annotated[
        str | None,
        typer.Option(
            "--human-scale", metavar="SCALE", help="yes-no, 0-2, 0-4, 0-10, or 0-N:FROM (relevant from FROM)."
        ),
    ] = None,
    judge_scale: Annotated[
        str | None, typer.Option("--judge-scale", metavar="SCALE", help="The same for grades in --judgments.")
    ] = None,
    maximise: Annotated[
        str, typer.Option("--maximise", metavar="kappa|balanced-accuracy", help="What the cut-off is chosen by.")
    ] = "kappa",
    width: Annotated[float, typer.Option("--width", metavar="X", help="Plan labels for intervals of +-X.")] = 0.05,
    seed: options.Seed = 0,
    max_cost: spending.MaxCost = None,
    dry_run: spending.DryRun = False,
    price: spending.Price = None,
    rate: spending.Rate = None,
    concurrency: spending.Concurrency = 8,
    retry_failed: spending.RetryFailed = False,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="DIR", help="Write calibration.json, report and card here.")
    ] = None,
    force: options.Force = False,
    json: options.AsJson = False,
    format: options.Format = "table",  # noqa: A002 - the option's name
) -> None:
    """Compare a judge with people: agreement, cut-off, probabilities, corrected shares, labels needed."""
    from goldproof.cli.calibrating import Sources, calibrated, check_sources, show_cost, show_result
    from goldproof.cli.judging import Limits
    from goldproof.report.tables import check_style

    check_style(format)
    sources = Sources(human, judgments, judge, corpus, questions, human_scale)
    limits = Limits(max_cost=max_cost, price=price, rate=rate, concurrency=concurrency, retry_failed=retry_failed)
    check_sources(sources, limits, dry_run=dry_run)
    if dry_run:
        show_cost(sources, limits, as_json=json)
        return
    result = calibrated(sources, limits, judge_scale=judge_scale, criterion=maximise, width=width, seed=seed)
    if out is not None:
        result.save(out, force=force)
        typer.echo(f"written to {out}", err=True)
    show_result(result, as_json=json, style=format)
