"""From which grade or score on should the judge's word count as relevant?

The cut-off that agrees best with people on all pairs, with two values of the criterion beside it: the one on the same
pairs, which is too good, and the cross-fitted one: questions are dealt into five folds, and each fold is measured by
the cut-off that the others choose (`goldproof.stats.calibration`). A yes-no judge has no cut-off to choose.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from goldproof.stats.calibration import (
    ONE_LABEL,
    ONE_SCORE,
    CrossFitted,
    best_cut,
    criterion_values,
    cross_fitted,
    grouped_folds,
)

if TYPE_CHECKING:
    from goldproof.jobs.calibrate.aligned import Aligned
    from goldproof.jobs.calibrate.judged import Kind
    from goldproof.records.arrays import BoolArray, IntArray
    from goldproof.stats.calibration import Criterion

YES_NO = "A yes-no judge has no cut-off to choose."


@dataclass(frozen=True, slots=True, eq=False)
class Cutting:
    """The chosen cut-off: a value of at least `at` counts as relevant; None where there is none, and note says why.

    in_sample: the criterion on the pairs that chose it; cross_fitted: on pairs that did not. own: the criterion at the
    judge's own verdicts. cuts: what the folds chose, which shows how firm the choice is.
    """

    criterion: Criterion
    at: float | None = None
    in_sample: float | None = None
    cross_fitted: float | None = None
    own: float | None = None
    cuts: tuple[float, ...] = ()
    n: int = 0
    note: str = ""
    held_out: CrossFitted | None = None

    def to_dict(self) -> dict[str, object]:
        """Return it for a file."""
        return {
            "criterion": self.criterion,
            "at_least": self.at,
            "in_sample": self.in_sample,
            "cross_fitted": self.cross_fitted,
            "at_own_verdicts": self.own,
            "cut_offs_of_folds": list(self.cuts),
            "n": self.n,
            "note": self.note or None,
        }


def folds_of(pairs: Aligned, *, seed: int) -> IntArray:
    """Deal the questions into folds; the pairs, where there is one question only."""
    alone = len(set(pairs.questions)) < 2
    groups = [f"{number:09d}" for number in range(pairs.n)] if alone else pairs.questions
    return grouped_folds(groups, seed=seed)


def choose_cut(pairs: Aligned, *, kind: Kind, criterion: Criterion, folds: IntArray) -> Cutting:
    """Choose a cut-off, and say what it is worth. pairs: at least one."""
    own = _own_value(pairs, criterion=criterion)
    if kind == "yes-no":
        return Cutting(criterion, own=own, n=pairs.n, note=YES_NO)
    best = best_cut(pairs.value, pairs.relevant, criterion=criterion)
    if best is None:
        flat = pairs.relevant.min() == pairs.relevant.max()
        return Cutting(criterion, own=own, n=pairs.n, note=ONE_LABEL if flat else ONE_SCORE)
    fitted = cross_fitted(pairs.value, pairs.relevant, folds=folds, criterion=criterion)
    note = "" if fitted.value is not None else "No fold can be measured: without it the others have one label only."
    return Cutting(criterion, best.at, best.value, fitted.value, own, fitted.cuts, pairs.n, note, fitted)


def _own_value(pairs: Aligned, *, criterion: Criterion) -> float | None:
    if pairs.verdict is None or pairs.relevant.min() == pairs.relevant.max():
        return None
    yes: BoolArray = pairs.verdict
    ones = float(pairs.relevant.sum())
    hits = np.array([pairs.relevant[yes].sum()], dtype=np.float64)
    alarms = np.array([(1 - pairs.relevant)[yes].sum()], dtype=np.float64)
    return float(criterion_values(hits, alarms, ones=ones, zeros=pairs.n - ones, criterion=criterion)[0])
