"""`goldproof judge`: how far a judge can be trusted."""

from goldproof.cli.command import Call, command, refuse, resumable
from goldproof.cli.help import WIDTH, HelpCommand, examples, new_group
from goldproof.cli.limits import DryRun, ModelLimits, keeps_answers
from goldproof.cli.output import Output
from goldproof.errors import InputError
from goldproof.jobs.calibrate import calibrate_judge, open_calibration

app = new_group("Measure how far a judge can be trusted.")


@app.callback()
def root() -> None:
    """Measure how far a judge can be trusted."""


@app.command(cls=HelpCommand, context_settings={"max_content_width": WIDTH})
@examples(
    (
        "Compare what a judge said with what people said.",
        "goldproof judge calibrate --human labels.csv --judgments judgments.jsonl",
    ),
    (
        "Ask a judge about the pairs that people labelled.",
        (
            "goldproof judge calibrate --human labels.csv --judge similarity --corpus corpus.jsonl "
            "--questions queries.jsonl"
        ),
    ),
)
@command(calibrate_judge)
def calibrate(call: Call, limits: ModelLimits, output: Output, dry_run: DryRun = False) -> None:
    """Measure how well a judge agrees with human labels.

    Reports agreement and its interval, the best cut-off, calibrated probabilities, the share of relevant documents
    corrected for the judge's errors, and how many more labels are worth making.
    """
    has_judge = call.values["judge"] is not None
    if (call.values["judgments"] is not None) == has_judge:
        raise InputError(
            "say what the judge says: either --judgments FILE, or --judge SPEC --corpus SPEC --questions FILE."
        )
    if not has_judge:
        texts = [f"--{name}" for name in ("corpus", "questions") if call.is_changed(name)]
        refuse("without --judge SPEC; leave it out", *texts, *limits.changed(), *(["--dry-run"] if dry_run else []))
    with limits.applied(), resumable(asks=keeps_answers(call.values["judge"])):
        if dry_run:
            plan = call(open_calibration)
            line = f"{plan.judge.key}: {len(plan.briefs):,} labelled pairs would be judged."
            facts: dict[str, object] = {"judge": plan.judge.key, "pairs": len(plan.briefs)}
            output.show_estimate(plan.estimate(), facts=facts, lines=[line])
            return
        with output.claimed() as folder:
            output.deliver(call(calibrate_judge), folder)
