"""`goldproof judge`: how far a judge can be trusted."""

import typer

from goldproof.cli.command import Call, command, refuse, resumable
from goldproof.cli.options import DryRun, ModelLimits
from goldproof.cli.output import Output
from goldproof.errors import InputError
from goldproof.jobs.calibrate import calibrate_judge, open_calibration

app = typer.Typer(help="Measure judges against people.", rich_markup_mode=None, no_args_is_help=True)


@app.callback()
def root() -> None:
    """Measure judges against people."""


@app.command()
@command(calibrate_judge)
def calibrate(call: Call, limits: ModelLimits, output: Output, dry_run: DryRun = False) -> None:
    """Compare a judge with people: agreement, cut-off, probabilities, corrected shares, labels needed."""
    given = call.given
    if (given["judgments"] is None) == (given["judge"] is None):
        raise InputError(
            "say what the judge says: either --judgments FILE, or --judge SPEC --corpus SPEC --questions FILE."
        )
    if given["judge"] is None:
        texts = {"corpus": given["corpus"], "questions": given["questions"]}
        refuse("without --judge SPEC", **texts, **limits.given(), dry_run=dry_run)
    with limits.applied(), resumable(asks=given["judge"] is not None):
        if dry_run:
            plan = call(open_calibration)
            line = f"{plan.judge.key}: {len(plan.briefs):,} labelled pairs would be judged."
            facts: dict[str, object] = {"judge": plan.judge.key, "pairs": len(plan.briefs)}
            output.show_estimate(plan.estimate(), facts=facts, lines=[line])
            return
        with output.claimed() as folder:
            output.deliver(call(calibrate_judge), folder)
