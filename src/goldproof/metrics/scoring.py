"""Compute metrics for every question, and explain a score.

Where a value is undefined depends on the metric's kind (`goldproof.metrics.catalogue`). `no_relevant="zero"` gives a
judged question without a relevant document 0, as trec_eval does; a question that trec_eval would not know (no
judgment, only a kernel or an unanswerable mark) stays undefined.

Metrics of rankings and of search traces share one registry, so each name is known wherever it is read (score files,
gates, `goldproof metrics`). Where the wrong one is asked for, `require_subject` says where it is computed.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Literal

import numpy as np

from goldproof.errors import InputError
from goldproof.metrics.catalogue import METRICS
from goldproof.metrics.names import Metric, parse_metric
from goldproof.metrics.ranks import KernelRanks, Scores, relevant_total

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from goldproof.metrics.catalogue import Definition, Subject
    from goldproof.metrics.gain.iterations import Iterations
    from goldproof.metrics.matching.match import Matched
    from goldproof.metrics.ranks import JudgedRanks
    from goldproof.records.arrays import BoolArray, FloatArray


NoRelevant = Literal["undefined", "zero"]

NO_RELEVANT = "no relevant document"

NO_KERNEL = "no kernel"

NOTHING_RETRIEVED = "nothing retrieved"

NOTHING_JUDGED = "nothing judged"

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
    """Return the ranks that a metric is computed from."""
    if METRICS.get(metric.family).kind == "kernel":
        return matched.kernel_ranks()
    return graded(metric, matched).condensed() if metric.judged_only else graded(metric, matched)


def graded(metric: Metric, matched: Matched) -> JudgedRanks:
    """Return the ranks with the grades as the metric counts them."""
    return matched.ranks if metric.gains is None else matched.ranks.with_gains(dict(metric.gains))


def arguments(metric: Metric, definition: Definition) -> dict[str, float | str | None]:
    """Return the arguments by name that the metric's kernel is called with."""
    shape = definition.shape
    at: dict[str, float | None] = {"recall": metric.recall} if shape.cutoff == "recall" else {"k": metric.cutoff}
    params = {"rel": metric.threshold, "p": metric.persistence, "dcg": metric.dcg, "norm": metric.norm}
    return {
        **({} if shape.cutoff == "none" else at),
        **{name: value for name, value in params.items() if name in shape.params},
    }


def as_scores(value: FloatArray, *, undefined: BoolArray, reason: str) -> Scores:
    """Mark the undefined values."""
    if not undefined.any():
        return Scores(value, np.zeros(len(value), dtype=np.int8))
    return Scores(np.where(undefined, 0.0, value), undefined.astype(np.int8), (reason,))


def _undefined(metric: Metric, matched: Matched, *, definition: Definition) -> tuple[BoolArray, str]:
    if definition.kind == "relevance":
        return relevant_total(graded(metric, matched), rel=metric.threshold) == 0, NO_RELEVANT
    if definition.kind == "kernel":
        kernels = matched.kernel_ranks()
        return np.bincount(kernels.kernel_question, minlength=kernels.questions) == 0, NO_KERNEL
    if definition.kind == "coverage":
        return matched.ranks.retrieved == 0, NOTHING_RETRIEVED
    if definition.kind in {"results", "judgments"}:
        return ~matched.judged, NOTHING_JUDGED
    return ~matched.unanswerable, ANSWERABLE


_WHERE: Mapping[Subject, str] = MappingProxyType(
    {
        "ranking": "of rankings: use goldproof eval (in Python goldproof.evaluate)",
        "trace": "of search traces: use goldproof trace (in Python goldproof.score_traces)",
    }
)

# What may have been meant: the same letters stand for something else on the other side.
_INSTEAD: Mapping[str, str] = MappingProxyType(
    {
        "DCG": "for a ranking write nDCG(norm=False){cutoff} or, normalised, nDCG{cutoff}",
        "R": "the numbers of results of a trace (R, UR, GR, Dup) are columns of its output, not metrics",
        "nDCG": "the discounted gain of a trace is DCG{cutoff}",
    }
)


def require_subject(metrics: Iterable[Metric], subject: Subject) -> None:
    """Refuse metrics that are measured on something else than `subject`."""
    wrong = [metric for metric in metrics if METRICS.get(metric.family).subject != subject]
    if not wrong:
        return
    where = _WHERE["trace" if subject == "ranking" else "ranking"]
    names = ", ".join(map(str, wrong))
    verb = "is a metric" if len(wrong) == 1 else "are metrics"
    instead = {_instead(metric): None for metric in wrong if metric.family in _INSTEAD}
    raise InputError("; ".join([f"{names} {verb} {where}", *instead]) + ".")


def _instead(metric: Metric) -> str:
    return _INSTEAD[metric.family].format(cutoff="" if metric.cutoff is None else f"@{metric.cutoff}")


def explain(metric: Metric | str, matched: Matched, *, index: int, no_relevant: NoRelevant = "undefined") -> str:
    """Explain the score of question number `index`, such as "P@5 = 0.4000: 2 relevant in the first 5 places -> 2/5"."""
    named = parse_metric(metric) if isinstance(metric, str) else metric
    definition = METRICS.get(named.family)
    scores = score(named, matched, no_relevant=no_relevant)
    code = int(scores.code[index])
    if code:
        return f"{named} is undefined: {scores.reasons[code - 1]}"
    shown = f"{named} = {scores.value[index]:.4f}"
    if matched.missing[index] and definition.kind != "judgments":
        return f"{shown}: the run lacks this question"
    return f"{shown}: {definition.explain(seen_by(named, matched).only(index), **arguments(named, definition))}"


def explain_iterations(metric: Metric | str, iterations: Iterations) -> str:
    """Explain a value of the only conversation, such as "CG@2 = 9.0000: G = 5, 4; 5 + 4 = 9"."""
    named = parse_metric(metric) if isinstance(metric, str) else metric
    require_subject((named,), "trace")
    definition, searched = METRICS.get(named.family), len(iterations.results)
    if searched < (named.cutoff or 1):
        return f"{named} is undefined: {f'search was invoked in {searched} iterations' if searched else 'no search'}"
    value = definition.kernel(iterations)[(named.cutoff or searched) - 1]
    return f"{named} = {value:.4f}: {definition.explain(iterations, k=named.cutoff)}"


def explain_completion(metric: Metric | str, completed: int, *, pool: int) -> str:
    """Explain by which iteration a pool of good results was complete; 0 for never."""
    named = parse_metric(metric) if isinstance(metric, str) else metric
    require_subject((named,), "trace")
    definition = METRICS.get(named.family)
    if not pool:
        return f"{named} is undefined: no good result"
    return f"{named} = {definition.kernel(np.array([completed]))[0]:.4f}: {definition.explain(completed, pool=pool)}"
