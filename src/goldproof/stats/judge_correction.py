"""A judge's mean, corrected by human labels on some of the same kind of items.

The labels of a judge are cheap and biased, those of people dear and right. n items carry both (`human`, `judge`); N
more carry the judge's only (`judge_rest`). The items with human labels must be a random sample of all items; nothing
here can repair a chosen one.

Prediction-powered mean (PPI++; Angelopoulos, Duchi and Zrnic 2023), for labels of any scale:

    mean = mean(human) + lambda (mean(judge_rest) - mean(judge))
    se^2 = var(human - lambda judge) / n + lambda^2 var(judge_rest) / N
    lambda = cov(human, judge) / ((1 + n / N) var(all judge labels)), kept within 0 and 1

Variances and the covariance divide by the number of labels less 1. lambda is chosen so that the interval is shortest: 0
leaves a useless judge out. Interval: Student's t, n - 1 degrees.
With fewer than 10 human labels of the rarer kind it can be too short (docs/statistics/agreement.md); `note` warns.

Rogan-Gladen (1978), for 0/1 labels: with q = mean(judge_rest), Se = share of human 1 that the judge calls 1 and
Sp = share of human 0 that it calls 0,

    mean = (q + Sp - 1) / (Se + Sp - 1), kept within 0 and 1

Interval: Lang and Reiczigel (2014), which carries the uncertainty of Se, Sp and q. Unlike PPI++ it stays right when the
rest has another share of ones than the labelled items, if Se and Sp are the same there.

Refused, with the reason in `note` and no value: fewer than 20 human labels; no item with the judge's label alone; human
labels all equal; for Rogan-Gladen no human 1 or no human 0, or Se + Sp <= 1 (the judge does no better than chance).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from goldproof.core.errors import InputError
from goldproof.stats.sample import checked_confidence, finite_values, is_binary

if TYPE_CHECKING:
    import numpy.typing as npt

    from goldproof.core.arrays import FloatArray

MINIMUM_LABELS = 20
_FEW = 10


@dataclass(frozen=True, slots=True)
class CorrectedMean:
    """A corrected mean with its interval; `value` is None where the labels cannot support one, and `note` says why."""

    method: str
    value: float | None
    low: float | None
    high: float | None
    confidence: float
    n_human: int
    n_judge: int
    """Items with the judge's label alone."""
    human_mean: float | None
    judge_mean: float | None
    """The judge's mean over all items, uncorrected."""
    tuning: float | None = None
    """lambda of the prediction-powered mean."""
    sensitivity: float | None = None
    specificity: float | None = None
    note: str | None = None


def ppi_mean(
    human: npt.ArrayLike,
    judge: npt.ArrayLike,
    *,
    judge_rest: npt.ArrayLike,
    confidence: float = 0.95,
    tuning: float | None = None,
) -> CorrectedMean:
    """The prediction-powered mean.

    human, judge: labels of the same items, in the same order. judge_rest: the judge's labels of the others.
    tuning: lambda, for those who want to fix it; 0 is the human mean alone, 1 the first form of the method.
    """
    from scipy import special  # noqa: PLC0415  scipy is slow to import

    truth, guess, rest = _labels(human, judge, judge_rest, confidence=confidence)
    outcome = _outcome("prediction-powered mean (PPI++)", truth, guess, rest, confidence=confidence)
    reason = _unsupported(truth, rest)
    if reason is not None:
        return replace(outcome, note=reason)
    weight = _power_tuning(truth, guess, rest) if tuning is None else tuning
    value = float(truth.mean() + weight * (rest.mean() - guess.mean()))
    variance = float((truth - weight * guess).var(ddof=1)) / truth.size
    if rest.size > 1:
        variance += weight**2 * float(rest.var(ddof=1)) / rest.size
    width = -float(special.stdtrit(truth.size - 1, (1 - confidence) / 2)) * math.sqrt(variance)
    return replace(outcome, value=value, low=value - width, high=value + width, tuning=weight, note=_rare_kind(truth))


def rogan_gladen(
    human: npt.ArrayLike, judge: npt.ArrayLike, *, judge_rest: npt.ArrayLike, confidence: float = 0.95
) -> CorrectedMean:
    """The Rogan-Gladen mean of 0/1 labels; arguments as for `ppi_mean`."""
    truth, guess, rest = _labels(human, judge, judge_rest, confidence=confidence)
    if not all(is_binary(labels) for labels in (truth, guess, rest)):
        raise InputError("rogan_gladen: a label is neither 0 nor 1. Use ppi_mean for graded labels.")
    outcome = _outcome("Rogan-Gladen", truth, guess, rest, confidence=confidence)
    reason = _unsupported(truth, rest)
    if reason is not None:
        return replace(outcome, note=reason)
    positives, negatives = guess[truth == 1.0], guess[truth == 0.0]
    sensitivity, specificity = float(positives.mean()), float(1 - negatives.mean())
    outcome = replace(outcome, sensitivity=sensitivity, specificity=specificity)
    if sensitivity + specificity <= 1.0:
        note = (
            f"Sensitivity {sensitivity:.2f} and specificity {specificity:.2f} add up to no more than 1: "
            "the judge does no better than chance."
        )
        return replace(outcome, note=note)
    value = (float(rest.mean()) + specificity - 1) / (sensitivity + specificity - 1)
    low, high = _lang_reiczigel(positives, negatives, rest, confidence=confidence)
    return replace(outcome, value=min(1.0, max(0.0, value)), low=low, high=high)


def _labels(
    human: npt.ArrayLike, judge: npt.ArrayLike, judge_rest: npt.ArrayLike, *, confidence: float
) -> tuple[FloatArray, FloatArray, FloatArray]:
    checked_confidence(confidence)
    truth, guess = finite_values(human, name="human"), finite_values(judge, name="judge")
    if truth.size != guess.size:
        raise InputError(
            f"judge correction: {truth.size} human labels and {guess.size} of the judge, expected both for the same "
            "items. Pass the judge's labels of all other items as judge_rest."
        )
    return truth, guess, finite_values(judge_rest, name="judge_rest")


def _outcome(
    method: str, truth: FloatArray, guess: FloatArray, rest: FloatArray, *, confidence: float
) -> CorrectedMean:
    """The part of the result that needs no correction."""
    judged = np.concatenate((guess, rest))
    return CorrectedMean(
        method=method,
        value=None,
        low=None,
        high=None,
        confidence=confidence,
        n_human=truth.size,
        n_judge=rest.size,
        human_mean=float(truth.mean()) if truth.size else None,
        judge_mean=float(judged.mean()) if judged.size else None,
    )


def _unsupported(truth: FloatArray, rest: FloatArray) -> str | None:
    """Why these labels cannot carry a correction."""
    if truth.size < MINIMUM_LABELS:
        return f"At least {MINIMUM_LABELS} human labels are needed: found {truth.size}."
    if rest.size == 0:
        return "No item has the judge's label alone: take the mean of the human labels."
    if truth.min() == truth.max():
        return f"All human labels are {truth[0]:g}: label more items until another one occurs."
    return None


def _rare_kind(truth: FloatArray) -> str | None:
    """A warning where 0/1 labels of one kind are too few for their spread to be known."""
    rarer = int(min(truth.sum(), truth.size - truth.sum())) if is_binary(truth) else _FEW
    if rarer >= _FEW:
        return None
    return f"Only {rarer} human labels are of the rarer kind: the interval may be too short."


def _power_tuning(truth: FloatArray, guess: FloatArray, rest: FloatArray) -> float:
    spread = float(np.concatenate((guess, rest)).var(ddof=1))
    if spread == 0.0:
        return 0.0
    shared = float((truth - truth.mean()) @ (guess - guess.mean())) / (truth.size - 1)
    return min(1.0, max(0.0, shared / ((1 + truth.size / rest.size) * spread)))


def _lang_reiczigel(
    positives: FloatArray, negatives: FloatArray, rest: FloatArray, *, confidence: float
) -> tuple[float | None, float | None]:
    """An adjusted Wald interval: pseudo-counts in all three shares, and a shift for the skewness they cause."""
    from scipy import special  # noqa: PLC0415  scipy is slow to import

    z = -float(special.ndtri((1 - confidence) / 2))
    n, n_se, n_sp = rest.size + z * z, positives.size + 2, negatives.size + 2
    q = (float(rest.sum()) + z * z / 2) / n
    se = (float(positives.sum()) + 1) / n_se
    sp = (negatives.size - float(negatives.sum()) + 1) / n_sp
    youden = se + sp - 1
    if youden <= 0.0:
        return 0.0, 1.0  # with the pseudo-counts the judge is at chance: anything is possible
    p = (q + sp - 1) / youden
    se_part, sp_part = p * se * (1 - se) / n_se, (1 - p) * sp * (1 - sp) / n_sp
    centre = p + 2 * z * z * (se_part - sp_part)
    width = z * math.sqrt(q * (1 - q) / n + p * se_part + (1 - p) * sp_part) / youden
    return max(0.0, min(1.0, centre - width)), min(1.0, max(0.0, centre + width))
