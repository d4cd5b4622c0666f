"""`goldproof.verify`: audit questions against libraries; every question gets a verdict with its proof."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated

from goldproof.corpus.libraries import Library, open_names
from goldproof.io import OutputFolder
from goldproof.jobs.verify.audit import audit_case, read_case
from goldproof.jobs.verify.bench import Bench
from goldproof.jobs.verify.finding import CaseFinding
from goldproof.jobs.verify.parallel import in_parallel, isolation_progress
from goldproof.jobs.verify.plan import EXAMPLE, AuditPlan, open_plan
from goldproof.jobs.verify.result import AuditResult, audit_card
from goldproof.jobs.verify.settings import Isolating, ProverName, Proving, check_prover
from goldproof.jobs.verify.suite import suite_remarks
from goldproof.llm import Ask, Budget, current_access, using_access
from goldproof.options import Option, with_options
from goldproof.progress import OnProgress, ignore


@with_options
def verify(
    cases: Annotated[
        str | Path | Sequence[str | Path],
        Option("Files of questions (YAML, JSON), or the bundled example.", "CASES...", flag="", type=list[str]),
    ] = EXAMPLE,
    *,
    against: Annotated[
        str | Sequence[str],
        Option(
            "Library to run against: NAME==VERSION, NAME (as installed), a wheel, NAME @ PATH (environment or source "
            "tree) or git+URL@REF. Repeatable: one audit each.",
            "LIBRARY",
            type=list[str],
        ),
    ] = (),
    prover: Annotated[
        ProverName, Option("rules; or agent: a model writes proofs where rules have none.", "NAME", type=str)
    ] = "rules",
    model: Annotated[object, Option("Model of --prover agent.", "NAME", type=str)] = None,
    steps: Annotated[int, Option("Steps of the agent per question, at most.", "N", minimum=1)] = 24,
    only: Annotated[
        Sequence[str], Option("Audit only this question. Repeatable.", "ID", flag="--case", type=list[str])
    ] = (),
    exclude: Annotated[str | Path | None, Option("Question ids to leave out.", "FILE", type=Path)] = None,
    max_cost: float | None = None,
    isolating: Isolating | None = None,
    claimed: OutputFolder | None = None,
    on_progress: OnProgress = ignore,
) -> AuditResult:
    """Prove or refute every option of every question by running code, and compute a verdict for each.

    cases: registries of questions, or "example". against: libraries, such as "google-adk==1.20.0"; several are audited
    one after the other. prover: "rules", or "agent": a model (`model`: a name, or a function from prompt to answer)
    writes proofs for what rules leave open. only: ids of the cases to audit. exclude: a file of ids to leave out.
    max_cost: in dollars. isolating: how scripts are isolated. claimed: the folder that the result will be saved to;
    refused before anything is run where it holds something else. on_progress: called with the cases audited against
    each library, and with how its sandbox is isolated, which is `lasting`.
    """
    plan = open_plan(
        [cases] if isinstance(cases, str | Path) else cases,
        against=[against] if isinstance(against, str) else against,
        only=only,
        exclude=None if exclude is None else Path(exclude),
        on_progress=on_progress,
    )
    access = current_access()
    with using_access(access if max_cost is None else replace(access, budget=Budget(max_cost))):
        proving = open_proving(prover, model=model, steps=steps)
    if claimed is not None:
        labels = tuple(library.label for library in plan.libraries)
        claimed.check(audit_card(plan.inputs, audit_settings(plan, proving), labels))
    return run_audit(plan, proving, isolating or Isolating(), on_progress=on_progress)


def open_proving(prover: str, *, model: object = None, steps: int = 24) -> Proving:
    """Return the prover's settings. model: a name or a function, opened with the access that is current."""
    chosen = check_prover(prover, has_model=model is not None)
    if model is None:
        return Proving(chosen, steps=steps)
    from goldproof.llm import open_model  # noqa: PLC0415 - rules need no model

    opened = open_model(model)
    budget = current_access().budget
    if budget.max_cost:  # a limit without a price is refused now, not after the rules
        budget.reserve(opened.estimate(Ask("")).cost, name=opened.key).cancel()
    return Proving(chosen, model=opened, steps=steps)


def run_audit(
    plan: AuditPlan, proving: Proving, isolating: Isolating, *, on_progress: OnProgress = ignore
) -> AuditResult:
    """Audit the cases of a plan against each of its libraries."""
    findings: dict[str, list[CaseFinding]] = {}
    isolations = {}
    scripts = 0
    for library in plan.libraries:
        with Bench(library, open_names(library), isolating) as bench:
            isolations[library.label] = bench.isolation
            on_progress(isolation_progress(library.label, bench.isolation))
            findings[library.label] = _audited(plan, bench, proving, on_progress=on_progress)
            scripts += bench.scripts
    return AuditResult(
        findings=_by_case(plan.libraries, findings),
        libraries=plan.libraries,
        isolations=isolations,
        inputs=plan.inputs,
        settings=audit_settings(plan, proving),
        problems=plan.problems,
        spent=_spent(proving),
        scripts=scripts,
    )


def _audited(plan: AuditPlan, bench: Bench, proving: Proving, *, on_progress: OnProgress) -> list[CaseFinding]:
    read = [read_case(case, bench.names) for case in plan.cases]
    bench.warm_up(proof for one in read for proof in one.proofs)
    found = in_parallel(
        lambda one: audit_case(one, bench, proving),
        read,
        bench=bench,
        on_progress=on_progress,
        spent=lambda: _spent(proving),
    )
    across = suite_remarks(plan.cases, found)
    return [replace(one, remarks=(*one.remarks, *across.get(one.case.id, ()))) for one in found]


def _by_case(libraries: Sequence[Library], findings: Mapping[str, Sequence[CaseFinding]]) -> tuple[CaseFinding, ...]:
    columns = [findings[library.label] for library in libraries]
    return tuple(one for row in zip(*columns, strict=True) for one in row)


def audit_settings(plan: AuditPlan, proving: Proving) -> dict[str, object]:
    """Return the settings that tell apart audits of the same cases: the prover, and which cases were chosen."""
    model = None if proving.model is None else proving.model.key
    only = list(plan.only) or None
    return {"prover": proving.prover, "model": model, "steps": proving.steps if model else None, "only": only}


def _spent(proving: Proving) -> Mapping[str, object]:
    access = getattr(proving.model, "access", None)
    return {} if access is None else access.budget.facts()
