"""What `goldproof verify` and `goldproof replay` do with their options: audit, write, show, set the exit code."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import typer

from goldproof.cli.output import Output
from goldproof.cli.retrieving import asking
from goldproof.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

    from goldproof.jobs.verify.finding import Verdict
    from goldproof.jobs.verify.plan import AuditPlan
    from goldproof.jobs.verify.result import AuditResult
    from goldproof.jobs.verify.settings import Isolating, Proving
    from goldproof.llm.access import Access

EXAMPLE = "example"


@dataclass(frozen=True, slots=True)
class Chosen:
    """What is to be audited, from what the user said; the bundled example where nothing was said."""

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


def proving(prover: str, *, model: str | None, steps: int, access: Access) -> Proving:
    """Return who proves."""
    from goldproof.jobs.verify.function import open_proving
    from goldproof.llm.access import using_access

    with using_access(access):
        return open_proving(prover, model=model, steps=steps)


def verify(
    chosen: Chosen, proving: Proving, isolating: Isolating, *, output: Output, gate: tuple[Verdict, ...]
) -> None:
    """Audit, write the files where a folder is named, show what came out, and fail where the gate says so."""
    from goldproof.cli.progress import AuditProgressLine
    from goldproof.io.storage.output_folder import refuse_unknown_files
    from goldproof.jobs.verify.function import run_audit
    from goldproof.jobs.verify.plan import open_plan

    if output.folder is not None and not output.force:
        refuse_unknown_files(output.folder)
    with asking(), AuditProgressLine() as watcher:
        plan = open_plan(
            chosen.files(), against=chosen.against, only=chosen.only, exclude=chosen.exclude, watcher=watcher
        )
        _check_folder(output, plan, proving)
        result = run_audit(plan, proving, isolating, watcher=watcher)
    _deliver(result, output)
    failed = result.tripped(gate)
    for one in failed:
        typer.echo(f"gate '{one.verdict}': {one.case.id} against {one.library}", err=True)
    unread = result.problems if "broken" in gate else ()
    for problem in unread:
        typer.echo(f"gate 'broken': {problem}", err=True)
    if failed or unread:
        raise typer.Exit(1)


def replay(
    folder: Path, against: tuple[str, ...], isolating: Isolating, *, baseline: str | None, output: Output
) -> None:
    """Run kept proofs again, show what changed, and fail where a verdict did, or which options hold."""
    from goldproof.cli.progress import AuditProgressLine
    from goldproof.io.storage.output_folder import refuse_unknown_files
    from goldproof.jobs.verify.replaying import replay as run_replay

    if not against:
        raise InputError("name the version to run against: --against NAME==VERSION.")
    if output.folder is not None and output.folder.resolve() == folder.resolve():
        raise InputError(f"--out {output.folder}: is the audit itself, which stays as it is; name another folder.")
    if output.folder is not None and not output.force:
        refuse_unknown_files(output.folder)
    with asking(), AuditProgressLine() as watcher:
        result = run_replay(folder, against=against, baseline=baseline, isolating=isolating, watcher=watcher)
    if output.folder is not None:
        result.save(output.folder, force=output.force)
        typer.echo(f"written to {output.folder}", err=True)
    output.show(result.tables(), result.to_dict(), remarks=(*result.remarks, *result.audit.remarks))
    typer.echo(result.conclusion, err=True)
    if result.drift:
        raise typer.Exit(1)


def estimate(chosen: Chosen, proving: Proving, isolating: Isolating, *, output: Output) -> None:
    """Say what the agent would cost at most; rules are run, since they cost nothing."""
    from goldproof.cli.progress import AuditProgressLine
    from goldproof.jobs.verify.estimating import estimate_audit
    from goldproof.jobs.verify.plan import open_plan

    with asking(), AuditProgressLine() as watcher:
        plan = open_plan(
            chosen.files(), against=chosen.against, only=chosen.only, exclude=chosen.exclude, watcher=watcher
        )
        found = estimate_audit(plan, proving, isolating, watcher=watcher)
    output.show([found.table()], found.to_dict(), remarks=("No model was asked, nothing is written.",))


def _check_folder(output: Output, plan: AuditPlan, proving: Proving) -> None:
    """Refuse a folder that holds another audit, before this one is run."""
    from goldproof.io import OutputFolder
    from goldproof.jobs.verify.function import audit_settings
    from goldproof.jobs.verify.result import audit_card

    if output.folder is None:
        return
    labels = tuple(library.label for library in plan.libraries)
    card = audit_card(plan.inputs, audit_settings(plan, proving), labels)
    OutputFolder(output.folder, card=card, force=output.force).check()


def _deliver(result: AuditResult, output: Output) -> None:
    if output.folder is not None:
        result.save(output.folder, force=output.force)
        typer.echo(f"written to {output.folder}", err=True)
    else:
        typer.echo("nothing is written; name a folder with --out DIR.", err=True)
    output.show(result.tables(), result.to_dict(), remarks=result.remarks)
