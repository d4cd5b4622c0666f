"""`goldproof verify` and `goldproof replay`: prove answer options by running code; run kept proofs again."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from goldproof.cli import options
from goldproof.cli.command import Output, asking
from goldproof.errors import InputError

if TYPE_CHECKING:
    from goldproof.jobs.verify import AuditResult
    from goldproof.jobs.verify.finding import Verdict
    from goldproof.jobs.verify.plan import AuditPlan
    from goldproof.jobs.verify.settings import Isolating, Proving
    from goldproof.llm import Access


def verify(
    cases: Annotated[
        list[str] | None,
        typer.Argument(metavar="CASES...", help="Registries (YAML, JSON), or the bundled one: example."),
    ] = None,
    against: Annotated[
        list[str] | None,
        typer.Option(
            "--against",
            metavar="LIBRARY",
            help="NAME==VERSION, NAME (as installed), a wheel, NAME @ PATH (environment, source tree), git+URL@REF. "
            "Repeatable: each version is audited.",
        ),
    ] = None,
    prover: Annotated[
        str, typer.Option("--prover", metavar="NAME", help="rules, or agent: a model proves what rules leave open.")
    ] = "rules",
    model: Annotated[str | None, typer.Option("--model", metavar="NAME", help="The agent's model.")] = None,
    steps: Annotated[int, typer.Option("--steps", metavar="N", help="Of the agent, per case.", min=1)] = 24,
    case: Annotated[
        list[str] | None, typer.Option("--case", metavar="ID", help="Audit only this case. Repeatable.")
    ] = None,
    exclude: Annotated[Path | None, typer.Option("--exclude", metavar="FILE", help="Case ids to leave out.")] = None,
    fail_if: Annotated[
        list[str] | None,
        typer.Option("--fail-if", metavar="VERDICTS", help="Exit 1 on any of these: incorrect,ambiguous,broken."),
    ] = None,
    isolation: options.Isolation = None,
    container: options.Container = None,
    unsafe: options.Unsafe = False,
    seconds: options.Seconds = 10.0,
    workers: options.Workers = None,
    max_cost: options.MaxCost = None,
    dry_run: options.DryRun = False,
    price: options.Price = None,
    rate: options.Rate = None,
    retry_failed: options.RetryFailed = False,
    out: Annotated[Path | None, typer.Option("--out", metavar="DIR", help="Write all files here.")] = None,
    force: options.Force = False,
    json: options.AsJson = False,
    format: options.Format = "table",  # noqa: A002 - the option's name
) -> None:
    """Prove or refute every option in a sandbox, compute a verdict for each question, and write the report."""
    from goldproof.cli.command import Output
    from goldproof.jobs.verify import parse_verdicts
    from goldproof.report.tables import check_style

    check_style(format)
    gate = parse_verdicts(fail_if or [])
    chosen = ChosenCases(
        cases=tuple(cases or ()), against=tuple(against or ()), only=tuple(case or ()), exclude=exclude
    )
    access = options.model_access(max_cost=max_cost, price=price, rate=rate, retry_failed=retry_failed)
    how = options.sandbox_settings(
        level=isolation, container=container, unsafe=unsafe, seconds=seconds, workers=workers
    )
    proving = _open_proving(prover, model=model, steps=steps, access=access)
    output = Output(out, force=force, json=json, style=format)
    if dry_run:
        _show_estimate(chosen, proving, how, output=output)
    else:
        _run_audit(chosen, proving, how, output=output, gate=gate)


EXAMPLE = "example"


@dataclass(frozen=True, slots=True)
class ChosenCases:
    """The cases and libraries to audit, from the options; without any, the bundled example."""

    cases: tuple[str, ...]
    against: tuple[str, ...]
    only: tuple[str, ...]
    exclude: Path | None

    def files(self) -> tuple[str, ...]:
        """Return the files of cases."""
        if self.cases:
            return self.cases
        if self.against:
            raise InputError("name the questions: goldproof verify CASES.yaml --against NAME==VERSION.")
        typer.echo(f"no cases given: auditing the bundled example (goldproof verify {EXAMPLE}).", err=True)
        return (EXAMPLE,)


def _open_proving(prover: str, *, model: str | None, steps: int, access: "Access") -> "Proving":
    """Open the prover."""
    from goldproof.jobs.verify.function import open_proving
    from goldproof.llm import using_access

    with using_access(access):
        return open_proving(prover, model=model, steps=steps)


def _run_audit(
    chosen: ChosenCases, proving: "Proving", isolating: "Isolating", *, output: Output, gate: "tuple[Verdict, ...]"
) -> None:
    """Audit, write the files where a folder is named, print the result, and exit with 1 if the gate fails."""
    from goldproof.cli.progress import ProgressLine
    from goldproof.io.storage.output_folder import refuse_unknown_files
    from goldproof.jobs.verify.function import run_audit
    from goldproof.jobs.verify.plan import open_plan

    if output.folder is not None and not output.force:
        refuse_unknown_files(output.folder)
    with asking(), ProgressLine() as line:
        plan = open_plan(
            chosen.files(), against=chosen.against, only=chosen.only, exclude=chosen.exclude, on_progress=line
        )
        _check_folder(output, plan, proving)
        result = run_audit(plan, proving, isolating, on_progress=line)
    _deliver(result, output)
    failed = result.tripped(gate)
    for finding in failed:
        typer.echo(f"gate '{finding.verdict}': {finding.case.id} against {finding.library}", err=True)
    unread = result.problems if "broken" in gate else ()
    for problem in unread:
        typer.echo(f"gate 'broken': {problem}", err=True)
    if failed or unread:
        raise typer.Exit(1)


def _run_replay(
    folder: Path, against: tuple[str, ...], isolating: "Isolating", *, baseline: str | None, output: Output
) -> None:
    """Run kept proofs again, print what changed, and exit with 1 if a verdict or the options that hold did."""
    from goldproof.cli.progress import ProgressLine
    from goldproof.io.storage.output_folder import refuse_unknown_files
    from goldproof.jobs.verify import replay as replay_proofs

    if not against:
        raise InputError("name the version to run against: --against NAME==VERSION.")
    if output.folder is not None and output.folder.resolve() == folder.resolve():
        raise InputError(f"--out {output.folder}: is the audit itself, which stays as it is; name another folder.")
    if output.folder is not None and not output.force:
        refuse_unknown_files(output.folder)
    with asking(), ProgressLine() as line:
        result = replay_proofs(folder, against=against, baseline=baseline, isolating=isolating, on_progress=line)
    if output.folder is not None:
        result.save(output.folder, force=output.force)
        typer.echo(f"written to {output.folder}", err=True)
    output.show(result.tables(), result.to_dict(), remarks=(*result.remarks, *result.audit.remarks))
    typer.echo(result.conclusion, err=True)
    if result.drift:
        raise typer.Exit(1)


def _show_estimate(chosen: ChosenCases, proving: "Proving", isolating: "Isolating", *, output: Output) -> None:
    """Print what the agent would cost at most; rules are run, since they cost nothing."""
    from goldproof.cli.progress import ProgressLine
    from goldproof.jobs.verify.estimating import estimate_audit
    from goldproof.jobs.verify.plan import open_plan

    with asking(), ProgressLine() as line:
        plan = open_plan(
            chosen.files(), against=chosen.against, only=chosen.only, exclude=chosen.exclude, on_progress=line
        )
        estimate = estimate_audit(plan, proving, isolating, on_progress=line)
    output.show([estimate.table()], estimate.to_dict(), remarks=("No model was asked, nothing is written.",))


def _check_folder(output: Output, plan: "AuditPlan", proving: "Proving") -> None:
    """Refuse a folder that holds another audit, before this one is run."""
    from goldproof.io import OutputFolder
    from goldproof.jobs.verify.function import audit_settings
    from goldproof.jobs.verify.result import audit_card

    if output.folder is None:
        return
    labels = tuple(library.label for library in plan.libraries)
    card = audit_card(plan.inputs, audit_settings(plan, proving), labels)
    OutputFolder(output.folder, force=output.force).check(card)


def _deliver(result: "AuditResult", output: Output) -> None:
    if output.folder is not None:
        result.save(output.folder, force=output.force)
        typer.echo(f"written to {output.folder}", err=True)
    else:
        typer.echo("nothing is written; name a folder with --out DIR.", err=True)
    output.show(result.tables(), result.to_dict(), remarks=result.remarks)


def replay(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A folder that goldproof verify --out wrote.")],
    against: Annotated[
        list[str] | None,
        typer.Option(
            "--against", metavar="LIBRARY", help="As for goldproof verify, such as google-adk==2.13.0. Repeatable."
        ),
    ] = None,
    baseline: Annotated[
        str | None, typer.Option("--baseline", metavar="LABEL", help="Which library of the audit to compare with.")
    ] = None,
    isolation: options.Isolation = None,
    container: options.Container = None,
    unsafe: options.Unsafe = False,
    seconds: options.Seconds = 10.0,
    workers: options.Workers = None,
    out: Annotated[Path | None, typer.Option("--out", metavar="DIR", help="Write the audit as it is now.")] = None,
    force: options.Force = False,
    json: options.AsJson = False,
    format: options.Format = "table",  # noqa: A002 - the option's name
) -> None:
    """Run the proofs of an audit again; no model, no cost. Exit code 1 if a verdict, or which options hold, changed."""
    from goldproof.cli.command import Output
    from goldproof.report.tables import check_style

    check_style(format)
    how = options.sandbox_settings(
        level=isolation, container=container, unsafe=unsafe, seconds=seconds, workers=workers
    )
    output = Output(out, force=force, json=json, style=format)
    _run_replay(folder, tuple(against or ()), how, baseline=baseline, output=output)
