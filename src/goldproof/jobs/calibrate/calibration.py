"""Cut-off, probability map, corrected share, labels still needed.

Cut-off: the one that agrees best with people on all pairs, with two values of the criterion: on the same pairs, which
is too good, and cross-fitted: questions are dealt into five folds, and each fold is measured by the cut-off that the
others choose (`goldproof.stats.calibration`). A yes-no judge has no cut-off to choose.

Probabilities: the map is fitted on all pairs (`goldproof.stats.calibration`). Brier score and log loss are
cross-fitted: each fold by the map of the others. Three are compared: the judge's own value as a probability (a score
between 0 and 1; a grade over the highest grade; yes and no as 1 and 0), the calibrated probability, and the share of
relevant pairs in the other folds, the same for every pair: a judge that does not beat that one carries no information.

    Brier     mean of (p - y)^2
    log loss  mean of -ln of the probability of the true label; p is kept within 1/(2n) and 1 - 1/(2n), n pairs in all,
              since one certainty that turns out wrong would make it infinite

Corrected share: of all pairs that the judge ruled on, n carry a human label as well, N the judge's alone. The judge's
own share is as biased as the judge; both corrections remove that bias with the pairs that have both labels
(`goldproof.stats.calibration`), and both need those to be a random sample of all. Both take pairs as independent, which
those of one question are not. The prediction-powered interval is therefore widened by the root of the design effect of
people's labels less lambda times the judge's, over questions; Rogan-Gladen's has no such rule, and its note says so.

Labels needed: by the formulas of `goldproof.stats.power_analysis`, which take the values seen so far for the true ones.
A plan, not a promise.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from goldproof.errors import joined
from goldproof.jobs.calibrate.agreement import Figure
from goldproof.stats import design_effect, mean_interval, ppi_mean, rogan_gladen
from goldproof.stats.calibration import (
    ONE_LABEL,
    ONE_SCORE,
    CrossFitted,
    best_cut,
    criterion_values,
    cross_fitted,
    fit_isotonic,
    grouped_folds,
)
from goldproof.stats.power_analysis import labels_for_corrected_mean, labels_for_share

if TYPE_CHECKING:
    from goldproof.jobs.calibrate.agreement import Agreement, Aligned
    from goldproof.jobs.calibrate.labels import JudgeLabels, Kind
    from goldproof.records.arrays import BoolArray, FloatArray, IntArray
    from goldproof.stats.calibration import Criterion, IsotonicMap

YES_NO = "A yes-no judge has no cut-off to choose."


@dataclass(frozen=True, slots=True, eq=False)
class CutOff:
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
        """Return the values as JSON."""
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


def deal_folds(pairs: Aligned, *, seed: int) -> IntArray:
    """Deal the questions into folds; the pairs, where there is one question only."""
    alone = len(set(pairs.questions)) < 2
    groups = [f"{number:09d}" for number in range(pairs.n)] if alone else pairs.questions
    return grouped_folds(groups, seed=seed)


def choose_cut_off(pairs: Aligned, *, kind: Kind, criterion: Criterion, folds: IntArray) -> CutOff:
    """Choose the best cut-off and cross-fit its criterion. pairs: at least one."""
    own = _own_value(pairs, criterion=criterion)
    if kind == "yes-no":
        return CutOff(criterion, own=own, n=pairs.n, note=YES_NO)
    best = best_cut(pairs.value, pairs.relevant, criterion=criterion)
    if best is None:
        flat = pairs.relevant.min() == pairs.relevant.max()
        return CutOff(criterion, own=own, n=pairs.n, note=ONE_LABEL if flat else ONE_SCORE)
    fitted = cross_fitted(pairs.value, pairs.relevant, folds=folds, criterion=criterion)
    note = "" if fitted.value is not None else "No fold can be measured: without it the others have one label only."
    return CutOff(criterion, best.at, best.value, fitted.value, own, fitted.cuts, pairs.n, note, fitted)


def _own_value(pairs: Aligned, *, criterion: Criterion) -> float | None:
    if pairs.verdict is None or pairs.relevant.min() == pairs.relevant.max():
        return None
    yes: BoolArray = pairs.verdict
    ones = float(pairs.relevant.sum())
    hits = np.array([pairs.relevant[yes].sum()], dtype=np.float64)
    alarms = np.array([(1 - pairs.relevant)[yes].sum()], dtype=np.float64)
    return float(criterion_values(hits, alarms, ones=ones, zeros=pairs.n - ones, criterion=criterion)[0])


ONE_SIDE = "All human labels are on the same side, so every pair has the same probability."
NO_PROBABILITY = "Scores outside of 0 to 1 are no probabilities."


@dataclass(frozen=True, slots=True)
class Losses:
    """Losses of one way to state probabilities."""

    brier: float
    log_loss: float


@dataclass(frozen=True, slots=True, eq=False)
class Probabilities:
    """The fitted map, and the losses. before: None where the judge's values are no probabilities, as note says."""

    fitted: IsotonicMap | None = None
    before: Losses | None = None
    after: Losses | None = None
    constant: Losses | None = None
    n: int = 0
    note: str = ""

    def to_dict(self) -> dict[str, object]:
        """Return the values as JSON."""
        ways = {"before": self.before, "after": self.after, "constant": self.constant}
        return {
            "map": None if self.fitted is None else self.fitted.to_dict(),
            "brier": {name: None if losses is None else losses.brier for name, losses in ways.items()},
            "log_loss": {name: None if losses is None else losses.log_loss for name, losses in ways.items()},
            "n": self.n,
            "note": self.note or None,
        }


def fit_probabilities(pairs: Aligned, judge: JudgeLabels, *, folds: IntArray) -> Probabilities:
    """Fit the map from values to probabilities, and measure it cross-fitted. pairs: at least one."""
    truth = pairs.relevant.astype(np.float64)
    fitted = fit_isotonic(pairs.value, truth)
    if truth.min() == truth.max():
        return Probabilities(fitted, n=pairs.n, note=ONE_SIDE)
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
    """Return the judge's values as probabilities; None where they are none."""
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


NO_CUT = "Scores without a cut-off have no share of relevant pairs."
NOT_BINARY = "Scores are not 0 and 1."


@dataclass(frozen=True, slots=True)
class Shares:
    """The share of relevant pairs: the judge's over all, people's over theirs, and two corrections of the first."""

    judge: Figure
    human: Figure
    prediction_powered: Figure
    rogan_gladen: Figure
    tuning: float | None
    design_effect: float
    total: int


def relevant_shares(pairs: Aligned) -> Shares:
    """Estimate the share of relevant pairs among all that the judge ruled on."""
    judged, rest = _judge_values(pairs)
    truth = pairs.relevant.astype(np.float64)
    questions = [*pairs.questions, *pairs.rest_questions]
    everything = np.concatenate([judged, rest])
    powered = ppi_mean(truth, judged, judge_rest=rest)
    effect = max(1.0, design_effect(truth - (powered.tuning or 0.0) * judged, clusters=pairs.questions))
    own = pairs.verdict is not None
    judge = mean_interval(everything, clusters=questions) if own and everything.size else None
    return Shares(
        judge=Figure.undefined("the judge", NO_CUT) if judge is None else Figure.of_interval("the judge", judge),
        human=Figure.of_interval("people", mean_interval(truth, clusters=pairs.questions)),
        prediction_powered=_widened(Figure.of_correction("corrected (prediction-powered)", powered), effect),
        rogan_gladen=_noted_as_too_short(
            Figure.of_correction("corrected (Rogan-Gladen)", rogan_gladen(truth, judged, judge_rest=rest)), effect
        )
        if own
        else Figure.undefined("corrected (Rogan-Gladen)", NOT_BINARY),
        tuning=powered.tuning,
        design_effect=effect,
        total=int(everything.size),
    )


def _widened(figure: Figure, effect: float) -> Figure:
    if effect == 1.0 or figure.value is None or figure.low is None:
        return figure
    half = (figure.value - figure.low) * math.sqrt(effect)
    note = f"Pairs of one question are alike: the interval is widened by the root of the design effect {effect:.2f}."
    return replace(figure, low=figure.value - half, high=figure.value + half, note=joined(figure.note, note))


def _noted_as_too_short(figure: Figure, effect: float) -> Figure:
    if effect == 1.0 or figure.value is None:
        return figure
    note = "Takes pairs as independent, though those of one question are alike: the interval is too short."
    return replace(figure, note=joined(figure.note, note))


def _judge_values(pairs: Aligned) -> tuple[FloatArray, FloatArray]:
    """Return the judge's verdicts, else its values: of the pairs with both labels, and of the rest."""
    if pairs.verdict is None or pairs.rest_verdict is None:
        return pairs.value, pairs.rest
    return pairs.verdict.astype(np.float64), pairs.rest_verdict.astype(np.float64)


FEWEST = 2
_ALIKE = "Pairs of one question are alike: design effect"


@dataclass(frozen=True, slots=True)
class Need:
    """Labels needed for one figure. total: in all; None where none can be planned, as note says."""

    name: str
    have: int
    total: int | None = None
    note: str = ""

    @property
    def more(self) -> int | None:
        """How many more are needed."""
        return None if self.total is None else max(0, self.total - self.have)

    def to_dict(self) -> dict[str, object]:
        """Return the values as JSON."""
        return {"have": self.have, "total": self.total, "more": self.more, "note": self.note or None}


def need_for_accuracy(
    pairs: Aligned, agreement: Agreement, *, right: np.ndarray | None, decided: BoolArray, width: float
) -> Need:
    """Plan the labels for accuracy. right: whether each verdict was right."""
    accuracy = agreement.accuracy
    if accuracy.value is None or right is None:
        return Need("accuracy", accuracy.n, note=accuracy.note)
    effect = max(1.0, design_effect(right, clusters=pairs.questions_where(decided)))
    total = labels_for_share(accuracy.value, half_width=width, design_effect=effect)
    note = f"{_ALIKE} {effect:.2f}." if effect > 1 else ""
    return Need("accuracy", accuracy.n, total, note)


def need_for_share(pairs: Aligned, shares: Shares, *, width: float) -> Need:
    """Plan the labels for the corrected share of relevant pairs."""
    name = "corrected share of relevant pairs"
    if pairs.n < FEWEST:
        return Need(name, pairs.n, note="Fewer than two pairs have both labels.")
    if pairs.relevant.min() == pairs.relevant.max():
        return Need(name, pairs.n, note="All human labels are on the same side, so their variance is not known.")
    if shares.total == pairs.n:
        return Need(name, pairs.n, note="Every pair that the judge ruled on has a human label already.")
    judged, _ = _judge_values(pairs)
    total = labels_for_corrected_mean(
        pairs.relevant, judged, total=shares.total, half_width=width, design_effect=shares.design_effect
    )
    if total is None:
        return Need(name, pairs.n, note=f"Not even labels for all {shares.total:,} judged pairs would be enough.")
    effect = shares.design_effect
    return Need(name, pairs.n, total, f"{_ALIKE} {effect:.2f}." if effect > 1 else "")
