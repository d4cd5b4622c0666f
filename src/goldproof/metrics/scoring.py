"""From ranks to scores: one value per question, or the reason why there is none.

Where a value is undefined depends on the metric's kind (`goldproof.metrics.definition`). `no_relevant="zero"` gives a
judged question without a relevant document 0, as trec_eval does; a question that trec_eval would not know (no
judgment, only a kernel or an unanswerable mark) stays undefined.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

from goldproof.core.errors import InputError
from goldproof.metrics.catalogue import METRICS
from goldproof.metrics.judged import KernelRanks, Scores
from goldproof.metrics.names import Metric, parse_metric
from goldproof.metrics.relevance import relevant_total
from goldproof.metrics.subjects import require_subject

if TYPE_CHECKING:
    from goldproof.core.arrays import BoolArray, FloatArray
    from goldproof.metrics.definition import Definition
    from goldproof.metrics.judged import JudgedRanks
    from goldproof.metrics.matched import Matched

NoRelevant = Literal["undefined", "zero"]
NO_RELEVANT = "no relevant document"
NO_KERNEL = "no kernel"
NOTHING_RETRIEVED = "nothing retrieved"
ANSWERABLE = "question is answerable"


def score(metric: Metric | str, matched: Matched, *, no_relevant: NoRelevant = "undefined") -> Scores:
    """Compute one metric for every question."""
    if no_relevant not in {"undefined", "zero"}:
        raise InputError(f"no_relevant={no_relevant!r} is unknown; expected 'undefined' or 'zero'.")
    named = parse_metric(metric) if isinstance(metric, str) else metric
    require_subject((named,), "ranking")
    definition = METRICS.get(named.family)
    ranks = seen_by(named, matched)
    undefined, reason = _undefined(named, matched, definition=definition)
    if definition.kind == "relevance" and no_relevant == "zero":
        undefined = undefined & ~matched.judged
    return as_scores(definition.kernel(ranks, **arguments(named, definition)), undefined=undefined, reason=reason)


def seen_by(metric: Metric, matched: Matched) -> JudgedRanks | KernelRanks:
    """Return what a metric looks at."""
    if METRICS.get(metric.family).kind == "kernel":
        return matched.kernel_ranks()
    return matched.ranks.condensed() if metric.judged_only else matched.ranks


def arguments(metric: Metric, definition: Definition) -> dict[str, int | str | None]:
    """Return the arguments by name that the metric's kernel is called with."""
    given: dict[str, int | str | None] = {} if definition.shape.cutoff == "none" else {"k": metric.cutoff}
    if "rel" in definition.shape.params:
        given["rel"] = metric.threshold
    if "dcg" in definition.shape.params:
        given["dcg"] = metric.dcg
    return given


def as_scores(value: FloatArray, *, undefined: BoolArray, reason: str) -> Scores:
    """Mark the undefined values."""
    if not undefined.any():
        return Scores(value, np.zeros(len(value), dtype=np.int8))
    return Scores(np.where(undefined, 0.0, value), undefined.astype(np.int8), (reason,))


def _undefined(metric: Metric, matched: Matched, *, definition: Definition) -> tuple[BoolArray, str]:
    if definition.kind == "relevance":
        return relevant_total(matched.ranks, rel=metric.threshold) == 0, NO_RELEVANT
    if definition.kind == "kernel":
        kernels = matched.kernel_ranks()
        return np.bincount(kernels.kernel_question, minlength=kernels.questions) == 0, NO_KERNEL
    if definition.kind == "coverage":
        return matched.ranks.retrieved == 0, NOTHING_RETRIEVED
    return ~matched.unanswerable, ANSWERABLE
