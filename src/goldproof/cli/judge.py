"""`goldproof judge`: how far a judge can be trusted."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from goldproof.cli import options
from goldproof.cli.command import Limits, judging, refuse_without_judge, show_estimate
from goldproof.cli.progress import ProgressLine
from goldproof.errors import InputError

if TYPE_CHECKING:
    from typing import Any

    from goldproof.jobs.calibrate import CalibrationResult

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
    max_cost: options.MaxCost = None,
    dry_run: options.DryRun = False,
    price: options.Price = None,
    rate: options.Rate = None,
    concurrency: options.Concurrency = 8,
    retry_failed: options.RetryFailed = False,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="DIR", help="Write calibration.json, report and card here.")
    ] = None,
    force: options.Force = False,
    json: options.AsJson = False,
    format: options.Format = "table",  # noqa: A002 - the option's name
) -> None:
    """Compare a judge with people: agreement, cut-off, probabilities, corrected shares, labels needed."""
    from goldproof.cli.command import Limits
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


class Sources(NamedTuple):
    """Where labels come from: people's, and the judge's as a file, or a judge that is asked now."""

    human: Path
    judgments: Path | None
    judge: str | None
    corpus: str | None
    questions: Path | None
    human_scale: str | None


def check_sources(sources: Sources, limits: Limits, *, dry_run: bool) -> None:
    """Refuse two judges or none, and what has no effect without one that is asked now."""
    if (sources.judgments is None) == (sources.judge is None):
        raise InputError(
            "say what the judge says: either --judgments FILE, or --judge SPEC --corpus SPEC --questions FILE."
        )
    if sources.judge is None:
        refuse_without_judge(
            corpus=sources.corpus,
            questions=sources.questions,
            max_cost=limits.max_cost,
            dry_run=dry_run,
            price=limits.price,
            rate=limits.rate,
            retry_failed=limits.retry_failed,
        )


def show_cost(sources: Sources, limits: Limits, *, as_json: bool) -> None:
    """Say what asking the judge would cost, without asking it."""
    from goldproof.jobs.calibrate import open_calibration

    with judging(sources.judge, limits):
        plan = open_calibration(
            sources.human,
            judge=sources.judge,
            corpus=sources.corpus,
            questions=sources.questions,
            human_scale=sources.human_scale,
        )
        estimate = plan.estimate()
    facts: dict[str, object] = {"judge": plan.judge.key, "pairs": len(plan.briefs)}
    line = f"{plan.judge.key}: {len(plan.briefs):,} labelled pairs would be judged."
    show_estimate(estimate, facts=facts, lines=[line], as_json=as_json)


def calibrated(sources: Sources, limits: Limits, **settings: "Any") -> "CalibrationResult":  # noqa: ANN401 - as the job's
    """Compare the labels, asking the judge under the limits. settings: those of `calibrate_judge`."""
    from goldproof.jobs.calibrate import calibrate_judge

    with judging(sources.judge, limits), ProgressLine() as line:
        return calibrate_judge(on_progress=line, **sources._asdict(), **settings)


def show_result(result: "CalibrationResult", *, as_json: bool, style: str) -> None:
    """Print it, for people or machines; what must be known beside it goes to stderr."""
    from goldproof.cli.command import print_json
    from goldproof.report import render

    for remark in result.remarks:
        typer.echo(remark, err=True)
    if as_json:
        print_json(result.to_dict())
    elif style == "csv":
        typer.echo(render(result.flat_table(), style), nl=False)
    else:
        typer.echo("\n".join(render(table, style) for table in result.tables()), nl=False)
