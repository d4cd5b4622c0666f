"""`goldproof verify` and `goldproof replay`: prove answer options by running code; run kept proofs again."""

from typing import TYPE_CHECKING, Annotated

import typer

from goldproof.cli.command import Call, command, resumable, run_job
from goldproof.cli.help import examples
from goldproof.cli.limits import DryRun, Isolation, ModelLimits
from goldproof.cli.output import Output
from goldproof.errors import InputError
from goldproof.jobs.verify import parse_verdicts
from goldproof.jobs.verify import replay as replay_proofs
from goldproof.jobs.verify import verify as verify_cases
from goldproof.jobs.verify.estimating import estimate_audit
from goldproof.jobs.verify.function import open_proving
from goldproof.jobs.verify.plan import EXAMPLE, open_plan

if TYPE_CHECKING:
    from goldproof.jobs.verify import AuditResult
    from goldproof.jobs.verify.finding import Verdict


@examples(
    ("Check the bundled questions.", "goldproof verify example --out audit"),
    (
        "Check your own against a library version, and fail a build on wrong ones.",
        "goldproof verify questions.yaml --against google-adk==1.20.0 --fail-if incorrect,broken --out audit",
    ),
)
@command(verify_cases)
def verify(
    call: Call,
    isolation: Isolation,
    limits: ModelLimits,
    output: Output,
    dry_run: DryRun = False,
    fail_if: Annotated[
        list[str] | None,
        typer.Option(
            "--fail-if",
            metavar="VERDICTS",
            help="Exit with 1 if a question is any of these: incorrect,ambiguous,broken.",
        ),
    ] = None,
) -> None:
    """Check the answer options of benchmark questions by running code.

    Proves or refutes every option in a sandbox, and says of each question whether its key is correct, incorrect,
    ambiguous or not decided.
    """
    gate = parse_verdicts(fail_if or [])
    if not call.values["cases"]:
        if call.values["against"]:
            raise InputError("name the questions: goldproof verify CASES.yaml --against NAME==VERSION.")
        typer.echo(f"no cases given: auditing the bundled example (goldproof verify {EXAMPLE}).", err=True)
        call.values["cases"] = [EXAMPLE]
    isolating = isolation.isolating()
    kept = "the model's answers so far are kept; the same command runs the proofs again."
    with limits.applied(), resumable(kept, asks=call.values["model"] is not None):
        if dry_run:
            plan = call(open_plan)
            estimate = run_job(estimate_audit, plan, call(open_proving), isolating)
            output.show([estimate.table()], estimate.to_dict(), remarks=("No model was asked, nothing is written.",))
            return
        with output.claimed() as folder:
            result = call(verify_cases, isolating=isolating, claimed=folder)
            if folder is None:
                typer.echo("nothing is written; name a folder with --out DIR.", err=True)
            output.deliver(result, folder)
    _check_gate(result, gate)


def _check_gate(result: "AuditResult", gate: "tuple[Verdict, ...]") -> None:
    """Say which findings trip the gate, and exit with 1 if any does."""
    failed = result.tripped(gate)
    for finding in failed:
        typer.echo(f"gate '{finding.verdict}': {finding.case.id} against {finding.library}", err=True)
    unread = result.problems if "broken" in gate else ()
    for problem in unread:
        typer.echo(f"gate 'broken': {problem}", err=True)
    if failed or unread:
        raise typer.Exit(1)


@examples(
    ("Run all proofs again.", "goldproof replay audit"),
    ("See which answers a new release changes.", "goldproof replay audit --against google-adk==2.13.0 --out replayed"),
)
@command(replay_proofs)
def replay(call: Call, isolation: Isolation, output: Output) -> None:
    """Run the proofs of an audit again, against another library version.

    Needs no model. Exits with 1 if a verdict changed, or which options hold.
    """
    audit = call.values["folder"]
    if output.out is not None and output.out.resolve() == audit.resolve():
        raise InputError(f"--out {output.out}: is the audit itself, which stays as it is; name another folder.")
    with output.claimed() as folder:
        result = call(replay_proofs, isolating=isolation.isolating())
        output.deliver(result, folder)
    if result.drift:
        raise typer.Exit(1)
