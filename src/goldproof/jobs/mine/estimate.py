"""Cost estimate of a mining plan (`--dry-run`).

Labels are counted exactly, one ruling for each (question, candidate) that is not cached, at the length of its own
prompt. What kernels will take cannot be known; it is put at `EXPECTED_RULINGS` a question
(docs/concepts/mining-quality.md: 9 to 19 on average), each with `EXPECTED_SIZE` documents, and the bound is stated
beside it. An agent's steps are not estimated.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from goldproof.jobs.mine.kernels import KernelSettings
from goldproof.jobs.mine.plan import blind_model
from goldproof.judge.without_context import estimate_without_context
from goldproof.llm import Estimate
from goldproof.report import Heading, Table

if TYPE_CHECKING:
    from goldproof.jobs.mine.plan import MiningPlan

EXPECTED_RULINGS = 15
EXPECTED_SIZE = 6


@dataclass(frozen=True, slots=True)
class MiningEstimate:
    """The estimated cost of each part that is asked for."""

    parts: dict[str, Estimate]
    remarks: tuple[str, ...] = ()

    @property
    def total(self) -> Estimate:
        """All parts together."""
        return sum(self.parts.values(), start=Estimate())

    def to_dict(self) -> dict[str, object]:
        """Return the estimate as JSON."""
        rows = {name: _row(part) for name, part in {**self.parts, "total": self.total}.items()}
        return {"dry_run": True, **rows, "remarks": list(self.remarks)}

    def table(self) -> Table:
        """Return a row for each part."""
        names = ("calls", "kept already", "tokens in", "tokens out", "about $")
        rows = [
            (
                name,
                *(f"{value:,}" for value in (part.calls, part.cached, part.tokens_in, part.tokens_out)),
                "unknown" if part.cost is None else f"{part.cost:.4f}",
            )
            for name, part in {**self.parts, "total": self.total}.items()
        ]
        return Table((Heading("part", "left"), *(Heading(name) for name in names)), tuple(rows))


def estimate_plan(plan: MiningPlan) -> MiningEstimate:
    """Estimate the cost of a plan, without asking."""
    parts = {"labels": _labels(plan)}
    remarks = []
    if plan.recipe.kernels:
        parts["kernels (expected)"] = _kernels(plan)
        remarks.append(
            f"Kernels: about {EXPECTED_RULINGS} rulings a question are expected, {KernelSettings().rulings} at most."
        )
    if (blind := blind_model(plan)) is not None:
        estimates = (estimate_without_context(case.question, blind) for case in plan.cases)
        parts["no context"] = sum(estimates, start=Estimate())
    if plan.recipe.candidate_settings.discover is not None:
        remarks.append("What the agent (--discover) would cost cannot be estimated; --max-cost limits it.")
    if parts["labels"].calls:
        remarks.append("Tokens are estimated as characters / 4.")
    return MiningEstimate(parts, tuple(remarks))


def _labels(plan: MiningPlan) -> Estimate:
    return sum(
        (
            plan.judge.estimate(case.question, (plan.documents[candidate.document],))
            for case in plan.cases
            for candidate in plan.candidates[case.id]
        ),
        start=Estimate(),
    )


def _kernels(plan: MiningPlan) -> Estimate:
    total = Estimate()
    for case in plan.cases:
        if plan.judge.why_not_sets(case.question) is not None:
            continue
        documents = [plan.documents[candidate.document] for candidate in plan.candidates[case.id][:EXPECTED_SIZE]]
        ruling = replace(plan.judge.estimate(case.question, documents), cached=0)
        total = sum([ruling] * EXPECTED_RULINGS, start=total)
    return total


def _row(part: Estimate) -> dict[str, object]:
    return {
        "calls": part.calls,
        "cached": part.cached,
        "tokens_in": part.tokens_in,
        "tokens_out": part.tokens_out,
        "cost": part.cost,
    }
