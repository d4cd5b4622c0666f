"""`goldproof trace --judge SPEC --dry-run`: what the labels would cost, without asking for one."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from goldproof.io.datasets.labels import labels_from_object
from goldproof.jobs.trace.scoring import Scoring
from goldproof.jobs.trace.sources import as_sources

if TYPE_CHECKING:
    from collections.abc import Mapping

    from goldproof.jobs.trace.scoring import GivenRules
    from goldproof.llm.model import Estimate


class LabellingPlan(NamedTuple):
    """What a judge would be asked. unlabelled: distinct results without a label; judged: those that differ."""

    judge: str
    unlabelled: int
    judged: int
    left: Mapping[str, int]
    estimate: Estimate


def plan_labels(
    judge: object,
    *,
    systems: Mapping[str, object],
    labels: object = None,
    dedup: str = "full",
    rules: GivenRules = None,
    near_duplicates: float | None = None,
    skip_bad: bool = False,
) -> LabellingPlan:
    """Read the traces for what has no label; parameters as in `score_traces`."""
    from goldproof.jobs.trace.judging import open_judging  # noqa: PLC0415 - judges are loaded where one is asked for

    scoring = Scoring.named(threshold=1, dedup=dedup, rules=rules, near_duplicates=near_duplicates)
    beside = None if labels is None else labels_from_object(labels)
    judging = open_judging(judge, as_sources(None, systems, skip_bad=skip_bad), labels=beside, scoring=scoring)
    found = judging.found
    left = {why: n for why, n in found.left.items() if n}
    return LabellingPlan(judging.judge.key, found.groups, len(found.items), left, judging.estimate())
