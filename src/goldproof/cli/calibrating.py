"""`goldproof judge calibrate` once its options are read: what is compared, what asking would cost, what is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import typer

from goldproof.cli.judging import JudgingProgress, Limits, judging, refuse_without_judge, show_estimate
from goldproof.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path
    from typing import Any

    from goldproof.jobs.calibrate import CalibrationResult


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
        inquiry = open_calibration(
            sources.human,
            judge=sources.judge,
            corpus=sources.corpus,
            questions=sources.questions,
            human_scale=sources.human_scale,
        )
        estimate = inquiry.estimate()
    facts: dict[str, object] = {"judge": inquiry.judge.key, "pairs": len(inquiry.briefs)}
    said = f"{inquiry.judge.key}: {len(inquiry.briefs):,} labelled pairs would be judged."
    show_estimate(estimate, facts=facts, lines=[said], as_json=as_json)


def calibrated(sources: Sources, limits: Limits, **settings: Any) -> CalibrationResult:  # noqa: ANN401 - as the job's
    """Compare the labels, asking the judge under the limits and under watch. settings: those of `calibrate_judge`."""
    from goldproof.jobs.calibrate import calibrate_judge

    with judging(sources.judge, limits), JudgingProgress() as progress:
        return calibrate_judge(watch=progress, **sources._asdict(), **settings)


def show_result(result: CalibrationResult, *, as_json: bool, style: str) -> None:
    """Print it, for people or machines; what must be known beside it goes to stderr."""
    from goldproof.cli.present import print_json
    from goldproof.report import render

    for remark in result.remarks:
        typer.echo(remark, err=True)
    if as_json:
        print_json(result.to_dict())
    elif style == "csv":
        typer.echo(render(result.flat_table(), style), nl=False)
    else:
        typer.echo("\n".join(render(table, style) for table in result.tables()), nl=False)
