"""`goldproof judge`: how far a judge can be trusted."""

import typer

from goldproof.cli.command import Call, command, refuse, resumable
from goldproof.cli.limits import DryRun, ModelLimits
from goldproof.cli.output import Output
from goldproof.errors import InputError
from goldproof.jobs.calibrate import calibrate_judge, open_calibration

app = typer.Typer(
    help="Measure judges against people.", rich_markup_mode=None, no_args_is_help=True, add_completion=False
)


@app.callback()
def root() -> None:
    """Measure judges against people."""


@app.command()
@command(calibrate_judge)
def calibrate(call: Call, limits: ModelLimits, output: Output, dry_run: DryRun = False) -> None:
    """Compare a judge with people: agreement, cut-off, probabilities, corrected shares, labels needed."""
    has_judge = call.values["judge"] is not None
    if (call.values["judgments"] is not None) == has_judge:
        raise InputError(
            "say what the judge says: either --judgments FILE, or --judge SPEC --corpus SPEC --questions FILE."
        )
    if not has_judge:
        texts = [f"--{name}" for name in ("corpus", "questions") if call.is_changed(name)]
        refuse("without --judge SPEC; leave it out", *texts, *limits.changed(), *(["--dry-run"] if dry_run else []))
    with limits.applied(), resumable(asks=has_judge):
        if dry_run:
            plan = call(open_calibration)
            line = f"{plan.judge.key}: {len(plan.briefs):,} labelled pairs would be judged."
            facts: dict[str, object] = {"judge": plan.judge.key, "pairs": len(plan.briefs)}
            output.show_estimate(plan.estimate(), facts=facts, lines=[line])
            return
        with output.claimed() as folder:
            output.deliver(call(calibrate_judge), folder)
