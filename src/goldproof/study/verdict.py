"""One rule for every verdict.

better / worse  adjusted p < 0.05, by the sign of the difference and the direction of the metric
tied            the 90% interval of the difference lies within +-margin; metrics without a margin are never tied
undecided       anything else, with a reason where the difference alone may look decided:
                failed: counting failures as the worst value leads to another verdict
                unjudged: on the judged documents only, the sign differs or p is not below 0.05 (uncorrected)
                ids: a run has no document that is judged, or known to the corpus; nothing is tested
"""

from __future__ import annotations

from typing import Literal

Verdict = Literal["better", "worse", "tied", "undecided"]
UndecidedReason = Literal["failed", "unjudged", "ids"]
ALPHA = 0.05
TIE_CONFIDENCE = 0.90


def decide(
    difference: float | None,
    p_adjusted: float | None,
    *,
    tie_low: float | None,
    tie_high: float | None,
    margin: float | None,
    higher_is_better: bool,
) -> Verdict:
    """Return the verdict on `a` in `a minus b`."""
    if difference is None or p_adjusted is None:
        return "undecided"
    if p_adjusted < ALPHA and difference != 0:
        return "better" if (difference > 0) == higher_is_better else "worse"
    if margin is None:
        return "undecided"
    inside = tie_low is not None and tie_high is not None and -margin <= tie_low <= tie_high <= margin
    return "tied" if inside else "undecided"


def reconcile(over_scored: Verdict, failed_as_worst: Verdict) -> Verdict:
    """Leaving failures out must not change the verdict; where it would, there is none."""
    return over_scored if over_scored == failed_as_worst else "undecided"
