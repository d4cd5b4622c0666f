"""The cut-off from which a score counts as a yes, chosen so that it agrees best with 0/1 labels.

A score of at least the cut-off is a yes. Candidates are the scores that occur. What is maximised is

    kappa              Cohen's kappa of the verdicts with the labels: depends on the share of 1s among them
    balanced accuracy  (sensitivity + specificity) / 2: does not

Of equally good cut-offs the lowest is taken. Without both labels, or without two scores, there is none.

The value at the cut-off that was chosen on the same labels is too good: it is the best of many. `cross_fitted` gives
the honest one: in each fold the verdicts follow the cut-off that the other folds choose, and the value is that of all
these verdicts together.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

from goldproof.core.errors import UnknownNameError
from goldproof.stats.sample import finite_values

if TYPE_CHECKING:
    import numpy.typing as npt

    from goldproof.core.arrays import BoolArray, FloatArray, IntArray

Criterion = Literal["kappa", "balanced accuracy"]
CRITERIA: tuple[Criterion, ...] = get_args(Criterion)
ONE_LABEL = "All labels are equal, so no cut-off is better than another."
ONE_SCORE = "All scores are equal, so no cut-off tells items apart."
_TIE = 1e-12


@dataclass(frozen=True, slots=True)
class Cut:
    """A cut-off and how well it does on the labels that it was chosen by."""

    at: float
    value: float


@dataclass(frozen=True, slots=True, eq=False)
class CrossFitted:
    """Verdicts by cut-offs that were chosen on other items. value: how well they do; None where that is undefined.

    decided: the items that have such a verdict: in a fold without which the others have one label only, none has.
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
    """Return what the cut-offs of the other folds say of each item."""
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
