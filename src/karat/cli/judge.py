"""`karat judge`: how far a judge can be trusted."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from karat.cli import options, spending
from karat.core.errors import InputError

if TYPE_CHECKING:
    from karat.jobs.calibrate import CalibrationResult

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
            "--judgments", metavar="FILE", help="The judge's: judgments.jsonl of karat mine, JSONL, CSV, qrels."
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
    from karat.cli.judging import JudgingProgress, Limits, judging, refuse_without_judge, show_estimate
    from karat.jobs.calibrate import calibrate_judge, open_calibration
    from karat.report.render import check_style

    check_style(format)
    if (judgments is None) == (judge is None):
        raise InputError(
            "say what the judge says: either --judgments FILE, or --judge SPEC --corpus SPEC --questions FILE."
        )
    if judge is None:
        refuse_without_judge(
            corpus=corpus,
            questions=questions,
            max_cost=max_cost,
            dry_run=dry_run,
            price=price,
            rate=rate,
            retry_failed=retry_failed,
        )
    limits = Limits(max_cost=max_cost, price=price, rate=rate, concurrency=concurrency, retry_failed=retry_failed)
    if dry_run:
        with judging(judge, limits):
            inquiry = open_calibration(human, judge=judge, corpus=corpus, questions=questions, human_scale=human_scale)
            estimate = inquiry.estimate()
        facts: dict[str, object] = {"judge": inquiry.judge.key, "pairs": len(inquiry.briefs)}
        said = f"{inquiry.judge.key}: {len(inquiry.briefs):,} labelled pairs would be judged."
        show_estimate(estimate, facts=facts, lines=[said], as_json=json)
        return
    with judging(judge, limits), JudgingProgress() as progress:
        result = calibrate_judge(
            human,
            judgments=judgments,
            judge=judge,
            corpus=corpus,
            questions=questions,
            human_scale=human_scale,
            judge_scale=judge_scale,
            criterion=maximise,
            width=width,
            seed=seed,
            watch=progress,
        )
    if out is not None:
        result.save(out, force=force)
        typer.echo(f"written to {out}", err=True)
    _show(result, as_json=json, style=format)


def _show(result: CalibrationResult, *, as_json: bool, style: str) -> None:
    from karat.cli.present import print_json
    from karat.report import render

    for remark in result.remarks:
        typer.echo(remark, err=True)
    if as_json:
        print_json(result.to_dict())
    elif style == "csv":
        typer.echo(render(result.flat_table(), style), nl=False)
    else:
        typer.echo("\n".join(render(table, style) for table in result.tables()), nl=False)
