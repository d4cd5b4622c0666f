"""How likely is a pair relevant, given what the judge says? Isotonic calibration, and what it is worth.

The map is fitted on all pairs (`goldproof.stats.calibration`). Brier score and log loss are cross-fitted: each fold by
the map of the others. Three are compared: what the judge says as a probability as it stands (a score between 0 and 1; a
grade over the highest grade; yes and no as 1 and 0), the calibrated probability, and the share of relevant pairs in the
other folds, the same for every pair: a judge that does not beat that one tells nothing.

    Brier     mean of (p - y)^2
    log loss  mean of -ln of the probability of what is; p is kept within 1/(2n) and 1 - 1/(2n), n pairs in all,
              since one certainty that turns out wrong would make it infinite
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from goldproof.stats.calibration import fit_isotonic

if TYPE_CHECKING:
    from goldproof.jobs.calibrate.aligned import Aligned
    from goldproof.jobs.calibrate.judged import JudgeLabels
    from goldproof.records.arrays import FloatArray, IntArray
    from goldproof.stats.calibration import IsotonicMap

ONE_LABEL = "All human labels are on the same side, so every pair has the same probability."
NO_PROBABILITY = "Scores outside of 0 to 1 are no probabilities."


@dataclass(frozen=True, slots=True)
class Losses:
    """Of one way to state probabilities."""

    brier: float
    log_loss: float


@dataclass(frozen=True, slots=True, eq=False)
class Probabilities:
    """The fitted map, and the losses. before: None where what the judge says is no probability; note says so."""

    fitted: IsotonicMap | None = None
    before: Losses | None = None
    after: Losses | None = None
    constant: Losses | None = None
    n: int = 0
    note: str = ""

    def to_dict(self) -> dict[str, object]:
        """Return it for a file."""
        ways = {"before": self.before, "after": self.after, "constant": self.constant}
        return {
            "map": None if self.fitted is None else self.fitted.to_dict(),
            "brier": {name: None if found is None else found.brier for name, found in ways.items()},
            "log_loss": {name: None if found is None else found.log_loss for name, found in ways.items()},
            "n": self.n,
            "note": self.note or None,
        }


def calibrate(pairs: Aligned, judge: JudgeLabels, *, folds: IntArray) -> Probabilities:
    """Fit the map, and measure it on pairs that it was not fitted on. pairs: at least one."""
    truth = pairs.relevant.astype(np.float64)
    fitted = fit_isotonic(pairs.value, truth)
    if truth.min() == truth.max():
        return Probabilities(fitted, n=pairs.n, note=ONE_LABEL)
    stated = _stated(pairs.value, judge)
    after, constant = np.empty(pairs.n), np.empty(pairs.n)
    for fold in np.unique(folds).tolist():
        here = folds == fold
        after[here] = fit_isotonic(pairs.value[~here], truth[~here])(pairs.value[here])
        constant[here] = truth[~here].mean()
    return Probabilities(
        fitted,
        None if stated is None else _losses(stated, truth),
        _losses(after, truth),
        _losses(constant, truth),
        pairs.n,
        NO_PROBABILITY if stated is None else "",
    )


def _stated(values: FloatArray, judge: JudgeLabels) -> FloatArray | None:
    """Return what the judge says as a probability."""
    if judge.kind == "grades" and judge.scale is not None:
        return values / judge.scale.most
    return values if values.min() >= 0.0 and values.max() <= 1.0 else None


def _losses(stated: FloatArray, truth: FloatArray) -> Losses:
    edge = 1 / (2 * truth.size)
    kept = np.clip(stated, edge, 1 - edge)
    return Losses(
        brier=float(np.square(stated - truth).mean()),
        log_loss=float(-np.log(np.where(truth == 1.0, kept, 1 - kept)).mean()),
    )
