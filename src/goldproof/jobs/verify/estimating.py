"""Estimate the cost of an audit: run the rules, then price the agent on the cases they leave open.

A rough bound: every open case takes all its steps, each of them as long as the first. Prompts grow with what the
agent did, and most cases end long before their last step.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from goldproof.jobs.verify.agent.exam import exam_of
from goldproof.jobs.verify.agent.limits import AgentLimits
from goldproof.jobs.verify.agent.prompting import next_ask
from goldproof.jobs.verify.function import run_audit
from goldproof.jobs.verify.settings import Proving
from goldproof.llm import Estimate
from goldproof.progress import OnProgress, ignore
from goldproof.report import Heading, Table

if TYPE_CHECKING:
    from goldproof.jobs.verify.finding import CaseFinding
    from goldproof.jobs.verify.plan import AuditPlan
    from goldproof.jobs.verify.settings import Isolating


@dataclass(frozen=True, slots=True)
class AuditEstimate:
    """Cost estimate of the agent. open_cases: cases that rules leave open, of `cases`; steps: at most, for each."""

    cases: int
    open_cases: int
    open_options: int
    steps: int
    estimate: Estimate

    def table(self) -> Table:
        """Return it as a table."""
        cost = "not known: give --price IN,OUT" if self.estimate.cost is None else f"${self.estimate.cost:.4f}"
        rows = (
            ("cases", f"{self.cases:,}"),
            ("left open by rules", f"{self.open_cases:,} cases, {self.open_options:,} options"),
            ("steps of the agent", f"at most {self.steps:,} for a case"),
            ("calls", f"at most {self.estimate.calls:,}"),
            ("tokens", f"about {self.estimate.tokens_in:,} read, {self.estimate.tokens_out:,} written"),
            ("cost", f"about {cost}" if self.estimate.cost is not None else cost),
        )
        return Table((Heading("what", "left"), Heading("how much", "left")), rows, title="Estimate")

    def to_dict(self) -> dict[str, object]:
        """Return it as plain data."""
        found = self.estimate
        return {
            "cases": self.cases,
            "open_cases": self.open_cases,
            "open_options": self.open_options,
            "steps": self.steps,
            "calls": found.calls,
            "tokens_in": found.tokens_in,
            "tokens_out": found.tokens_out,
            "cost": found.cost,
        }


def estimate_audit(
    plan: AuditPlan, proving: Proving, isolating: Isolating, *, on_progress: OnProgress = ignore
) -> AuditEstimate:
    """Run the rules, and estimate the cost of proving the rest."""
    result = run_audit(plan, Proving(), isolating, on_progress=on_progress)
    left = [one for one in result.findings if one.verdict == "unproven" and one.case.kind == "multiple_choice"]
    steps = 0 if proving.model is None else proving.steps
    whole = Estimate()
    for one in left if steps else ():
        whole += _of_case(one, proving, plan)
    return AuditEstimate(
        cases=len(result.findings),
        open_cases=len(left),
        open_options=sum(len(one.open) for one in left),
        steps=steps,
        estimate=whole,
    )


def _of_case(finding: CaseFinding, proving: Proving, plan: AuditPlan) -> Estimate:
    """Return what a case costs if all its steps are as the first one."""
    if proving.model is None:
        return Estimate()
    library = next(one for one in plan.libraries if one.label == finding.library)
    refuted = {one.letter: one.reason for one in finding.options if one.status == "refuted"}
    exam = exam_of(finding.case, open_letters=finding.open, refuted=refuted)
    left = (proving.steps, AgentLimits().runs)
    first = proving.model.estimate(next_ask(exam, library, turns=(), standings={}, left=left))
    times = proving.steps
    return replace(
        first,
        calls=times,
        cached=0,
        tokens_in=times * first.tokens_in,
        tokens_out=times * first.tokens_out,
        cost=None if first.cost is None else times * first.cost,
    )
