"""Calibrate a judge against human labels: corrected means, isotonic map, cut-off, folds.

Corrected means. A judge's labels are cheap but biased, human labels expensive but unbiased. n items have both
(`human`, `judge`); N more have the judge's only (`judge_rest`). The items with human labels must be a random sample of
all items; nothing here corrects for a selected one.

Prediction-powered mean (PPI++; Angelopoulos, Duchi and Zrnic 2023), for labels of any scale:

    mean = mean(human) + lambda (mean(judge_rest) - mean(judge))
    se^2 = var(human - lambda judge) / n + lambda^2 var(judge_rest) / N
    lambda = cov(human, judge) / ((1 + n / N) var(all judge labels)), kept within 0 and 1

Variances and the covariance divide by the number of labels less 1. lambda makes the interval shortest: 0 ignores a
useless judge. Interval: Student's t, n - 1 degrees of freedom. With fewer than 10 human labels of 0, or of 1, it can be
too short (docs/concepts/statistics/agreement.md); `note` warns.

Rogan-Gladen (1978), for 0/1 labels: with q = mean(judge_rest), Se = share of human 1 that the judge calls 1 and Sp =
share of human 0 that it calls 0,

    mean = (q + Sp - 1) / (Se + Sp - 1), kept within 0 and 1

Interval: Lang and Reiczigel (2014), which includes the uncertainty of Se, Sp and q. Unlike PPI++ it stays valid where
the share of ones differs between the rest and the labelled items, as long as Se and Sp do not.

Refused, with the reason in `note` and no value: fewer than 20 human labels; no item with only the judge's label; human
labels all equal; for Rogan-Gladen no human 1 or no human 0, or Se + Sp <= 1 (the judge does no better than chance).

Isotonic map. Minimises sum of (y_i - f(x_i))^2 over all non-decreasing f, by pooling adjacent violators: equal scores
are pooled first, with their number as weight; then, from left to right, a block whose mean is not above that of the
block before it is pooled with it. Linear in the number of scores once they are sorted. The result is unique at the
scores given.

    f at a score within a block      the block's mean
    between two blocks               linear between their edges
    below the first, above the last  the first mean, the last mean

Without a score there is no map. Barlow, Bartholomew, Bremner and Brunk (1972); Zadrozny and Elkan (2002).

Cut-off. A score of at least the cut-off is a yes. Candidates are the scores that occur. What is maximised is

    kappa              Cohen's kappa of the verdicts with the labels: depends on the share of 1s among them
    balanced accuracy  (sensitivity + specificity) / 2: does not

Of equally good cut-offs the lowest is taken. Without both labels, or without two scores, there is none.

The value of a cut-off on the labels that chose it is optimistic: it is the best of many. `cross_fitted` gives an
unbiased one: each fold is decided by the cut-off chosen on the other folds, and the value is computed on all these
verdicts together.

Folds. Whole groups (the pairs of one question) go to one fold, since members of a group resemble each other and would
leak into the fit. Groups are shuffled by a seeded generator; each goes to the fold with the fewest items so far.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

from goldproof.errors import InputError, UnknownNameError
from goldproof.stats.samples import checked_confidence, finite_values, is_binary

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from goldproof.records.arrays import BoolArray, FloatArray, IntArray


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
    """Items with only the judge's label."""
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
    """Return the prediction-powered mean.

    human, judge: labels of the same items, in the same order. judge_rest: the judge's labels of the others.
    tuning: a fixed lambda; 0 is the human mean alone, 1 the original PPI. Without it, the best lambda is estimated.
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
    """Return the Rogan-Gladen mean of 0/1 labels; arguments as for `ppi_mean`."""
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
    """Return the part of the result that needs no correction."""
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
    """Return why these labels do not allow a correction, else None."""
    if truth.size < MINIMUM_LABELS:
        return f"Only {truth.size} human labels: at least {MINIMUM_LABELS} are needed."
    if rest.size == 0:
        return "Every item has a human label: use the mean of the human labels."
    if truth.min() == truth.max():
        return f"All human labels are {truth[0]:g}: label more items until one differs."
    return None


def _rare_kind(truth: FloatArray) -> str | None:
    """Return a warning where too few 0/1 labels are 0, or too few are 1, to estimate their spread."""
    if not is_binary(truth):
        return None
    ones = int(truth.sum())
    rarer = min(ones, truth.size - ones)
    if rarer >= _FEW:
        return None
    return (
        f"Only {rarer} of {truth.size} human labels are {int(2 * ones <= truth.size)}: the interval may be too short."
    )


def _power_tuning(truth: FloatArray, guess: FloatArray, rest: FloatArray) -> float:
    spread = float(np.concatenate((guess, rest)).var(ddof=1))
    if spread == 0.0:
        return 0.0
    shared = float((truth - truth.mean()) @ (guess - guess.mean())) / (truth.size - 1)
    return min(1.0, max(0.0, shared / ((1 + truth.size / rest.size) * spread)))


def _lang_reiczigel(
    positives: FloatArray, negatives: FloatArray, rest: FloatArray, *, confidence: float
) -> tuple[float | None, float | None]:
    """Return an adjusted Wald interval: pseudo-counts in all three shares, and a shift for the skewness they cause."""
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


@dataclass(frozen=True, slots=True, eq=False)
class IsotonicMap:
    """Blocks from low to high: scores from `low` to `high` map to `value`, the mean of `weight` labels."""

    low: FloatArray
    high: FloatArray
    value: FloatArray
    weight: FloatArray

    def __call__(self, scores: npt.ArrayLike) -> FloatArray:
        """Map scores."""
        edges = np.stack([self.low, self.high], axis=1).ravel()
        return np.interp(finite_values(scores, name="scores"), edges, np.repeat(self.value, 2))

    def to_dict(self) -> list[dict[str, float]]:
        """Return the blocks for a file."""
        columns = {"from": self.low, "to": self.high, "probability": self.value, "labels": self.weight}
        rows = zip(*(column.tolist() for column in columns.values()), strict=True)
        return [dict(zip(columns, row, strict=True)) for row in rows]


def fit_isotonic(scores: npt.ArrayLike, labels: npt.ArrayLike) -> IsotonicMap:
    """Fit the map; scores and labels of the same items, in the same order."""
    x, y = finite_values(scores, name="scores"), finite_values(labels, name="labels")
    if x.size != y.size:
        raise InputError(f"isotonic: {x.size} scores and {y.size} labels, expected both for the same items.")
    if not x.size:
        raise InputError("isotonic: there are no scores, expected at least one.")
    distinct, place = np.unique(x, return_inverse=True)
    weight = np.bincount(place).astype(np.float64)
    total = np.bincount(place, weights=y).astype(np.float64)
    return _pooled(distinct, total, weight)


def _pooled(x: FloatArray, total: FloatArray, weight: FloatArray) -> IsotonicMap:
    """Pool adjacent violators; total: the sum of labels at each score."""
    starts: list[int] = []
    totals: list[float] = []
    weights: list[float] = []
    for position, (here, size) in enumerate(zip(total.tolist(), weight.tolist(), strict=True)):
        starts.append(position)
        totals.append(here)
        weights.append(size)
        # Means compared without dividing, so that equal ones are seen to be equal.
        while len(starts) > 1 and totals[-2] * weights[-1] >= totals[-1] * weights[-2]:
            starts.pop()
            last, held = totals.pop(), weights.pop()
            totals[-1] += last
            weights[-1] += held
    begin = np.array(starts)
    end = np.append(begin[1:], len(x)) - 1
    held_by = np.array(weights)
    return IsotonicMap(x[begin], x[end], np.array(totals) / held_by, held_by)


Criterion = Literal["kappa", "balanced accuracy"]

CRITERIA: tuple[Criterion, ...] = get_args(Criterion)

ONE_LABEL = "All labels are equal, so no cut-off is better than another."

ONE_SCORE = "All scores are equal, so no cut-off tells items apart."

_TIE = 1e-12


@dataclass(frozen=True, slots=True)
class Cut:
    """A cut-off and its value on the labels it was chosen on."""

    at: float
    value: float


@dataclass(frozen=True, slots=True, eq=False)
class CrossFitted:
    """Verdicts by cut-offs chosen on the other folds. value: the criterion on them; None where it is undefined.

    decided: which items have a verdict; a fold has none where the other folds allow no cut-off.
    """

    verdicts: BoolArray
    decided: BoolArray
    cuts: tuple[float, ...]
    value: float | None


def best_cut(scores: npt.ArrayLike, labels: npt.ArrayLike, *, criterion: Criterion = "kappa") -> Cut | None:
    """Return the best cut-off; None where the labels or the scores are all equal."""
    x, y = finite_values(scores, name="scores"), finite_values(labels, name="labels")
    if not x.size or y.min() == y.max() or x.min() == x.max():
        return None
    distinct, place = np.unique(x, return_inverse=True)
    ones = np.bincount(place, weights=y)
    zeros = np.bincount(place, weights=1 - y)
    # At cut-off i everything from distinct[i] upwards is a yes.
    hits, alarms = ones[::-1].cumsum()[::-1], zeros[::-1].cumsum()[::-1]
    values = criterion_values(hits, alarms, ones=ones.sum(), zeros=zeros.sum(), criterion=criterion)
    at = int(np.flatnonzero(values >= values.max() - _TIE)[0])
    return Cut(float(distinct[at]), float(values[at]))


def criterion_values(
    hits: FloatArray, alarms: FloatArray, *, ones: float, zeros: float, criterion: Criterion
) -> FloatArray:
    """Return the criterion from counts: of `ones`, `hits` are called 1, and of `zeros`, `alarms`."""
    if criterion not in CRITERIA:
        raise UnknownNameError("criterion", criterion, CRITERIA)
    if criterion == "balanced accuracy":
        return (hits / ones + (zeros - alarms) / zeros) / 2
    n = ones + zeros
    agreed = (hits + zeros - alarms) / n
    yes = (hits + alarms) / n
    chance = yes * (ones / n) + (1 - yes) * (zeros / n)
    return (agreed - chance) / (1 - chance)


def cross_fitted(
    scores: npt.ArrayLike, labels: npt.ArrayLike, *, folds: IntArray, criterion: Criterion = "kappa"
) -> CrossFitted:
    """Decide each item by the cut-off chosen on the other folds."""
    x, y = finite_values(scores, name="scores"), finite_values(labels, name="labels")
    verdicts, decided = np.zeros(x.size, dtype=np.bool_), np.zeros(x.size, dtype=np.bool_)
    cuts = []
    for fold in np.unique(folds).tolist():
        here = folds == fold
        cut = best_cut(x[~here], y[~here], criterion=criterion)
        if cut is not None:
            cuts.append(cut.at)
            verdicts[here], decided[here] = x[here] >= cut.at, True
    return CrossFitted(verdicts, decided, tuple(cuts), _value(verdicts[decided], y[decided], criterion=criterion))


def _value(verdicts: BoolArray, labels: FloatArray, *, criterion: Criterion) -> float | None:
    ones = float(labels.sum())
    zeros = labels.size - ones
    if not ones or not zeros:
        return None
    hits, alarms = np.array([labels[verdicts].sum()]), np.array([(1 - labels)[verdicts].sum()])
    return float(criterion_values(hits, alarms, ones=ones, zeros=zeros, criterion=criterion)[0])


FOLDS = 5


def grouped_folds(groups: Sequence[str], *, folds: int = FOLDS, seed: int = 0) -> IntArray:
    """Return the fold of each item; with fewer groups than folds, every group is a fold."""
    names, codes = np.unique(np.asarray(groups, dtype=np.str_), return_inverse=True)
    sizes = np.bincount(codes, minlength=len(names))
    held = np.zeros(max(1, min(folds, len(names))), dtype=np.int64)
    fold_of = np.zeros(len(names), dtype=np.int64)
    generator = np.random.default_rng(seed)
    for group in generator.permutation(len(names)).tolist():
        fold_of[group] = int(held.argmin())
        held[fold_of[group]] += sizes[group]
    return fold_of[codes] if len(codes) else np.empty(0, dtype=np.int64)
