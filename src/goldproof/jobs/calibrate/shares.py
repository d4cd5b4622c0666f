"""Which share of all judged pairs is relevant? What the judge says, and what is left of it once it is corrected.

All pairs that the judge ruled on: n carry a human label as well, N the judge's alone. The judge's own share is biased
as the judge is; both corrections use the pairs with both labels to take that out (`goldproof.stats.calibration`),
and both need those to be a random sample of all.

Both take pairs as independent, which those of one question are not. The prediction-powered interval is therefore
widened by the root of the design effect of what people say less lambda times what the judge says, over questions;
Rogan-Gladen's has no such rule, and its note says so.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from goldproof.errors import joined
from goldproof.jobs.calibrate.figure import Figure, of_correction, of_interval, undefined
from goldproof.stats import design_effect, mean_interval, ppi_mean, rogan_gladen

if TYPE_CHECKING:
    from goldproof.jobs.calibrate.aligned import Aligned
    from goldproof.records.arrays import FloatArray

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


def shares(pairs: Aligned) -> Shares:
    """Estimate the share of relevant pairs among all that the judge ruled on."""
    said, rest = judged(pairs)
    truth = pairs.relevant.astype(np.float64)
    questions = [*pairs.questions, *pairs.rest_questions]
    everything = np.concatenate([said, rest])
    powered = ppi_mean(truth, said, judge_rest=rest)
    effect = max(1.0, design_effect(truth - (powered.tuning or 0.0) * said, clusters=pairs.questions))
    own = pairs.verdict is not None
    judge = mean_interval(everything, clusters=questions) if own and everything.size else None
    return Shares(
        judge=undefined("the judge", NO_CUT) if judge is None else of_interval("the judge", judge),
        human=of_interval("people", mean_interval(truth, clusters=pairs.questions)),
        prediction_powered=_widened(of_correction("corrected (prediction-powered)", powered), effect),
        rogan_gladen=_as_if_alone(
            of_correction("corrected (Rogan-Gladen)", rogan_gladen(truth, said, judge_rest=rest)), effect
        )
        if own
        else undefined("corrected (Rogan-Gladen)", NOT_BINARY),
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


def _as_if_alone(figure: Figure, effect: float) -> Figure:
    if effect == 1.0 or figure.value is None:
        return figure
    note = "Takes pairs as independent, though those of one question are alike: the interval is too short."
    return replace(figure, note=joined(figure.note, note))


def judged(pairs: Aligned) -> tuple[FloatArray, FloatArray]:
    """Return the judge's labels of the pairs with both, and of the rest: verdicts, else values."""
    if pairs.verdict is None or pairs.rest_verdict is None:
        return pairs.value, pairs.rest
    return pairs.verdict.astype(np.float64), pairs.rest_verdict.astype(np.float64)
