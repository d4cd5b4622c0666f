"""How far the judge agrees with people.

    accuracy            share of pairs with the same verdict, relevant or not
    kappa               Cohen's, on verdicts: beyond what chance would give
    sensitivity         of the pairs relevant to people, the share that the judge calls relevant
    specificity         of the others, the share that it calls not relevant
    same grade, kappa   on the grades themselves (quadratic weights), where both are on the same scale

The verdict is the judge's own. A judge of scores without a cut-off has none: its verdicts are those of the cut-offs
chosen on other pairs (`goldproof.jobs.calibrate.cutting`), so that no pair helps to choose the cut-off it is measured
by. Intervals take the pairs of one question together: accuracy by Wilson with the design effect, kappa by resampling
questions. Rulings that do not count are left out; the bounds say what accuracy is if all of them had been right, and if
all had been wrong. Pairs that the judge never saw are in neither.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from goldproof.jobs.calibrate.figure import Figure, of_effect, of_interval, undefined
from goldproof.stats import mean_interval
from goldproof.stats.agreement import clustered_kappa, confusion

if TYPE_CHECKING:
    from collections.abc import Sequence

    from goldproof.jobs.calibrate.aligned import Aligned
    from goldproof.jobs.calibrate.human import HumanLabels
    from goldproof.jobs.calibrate.judged import JudgeLabels
    from goldproof.records.arrays import BoolArray, IntArray

NO_PAIR = "No pair has both a human label and a verdict of the judge."


@dataclass(frozen=True, slots=True)
class Bounds:
    """Accuracy if all rulings that do not count had been wrong, and if all had been right."""

    all_wrong: float
    all_right: float


@dataclass(frozen=True, slots=True, eq=False)
class Agreement:
    """What the verdicts are worth. verdicts: a table with people's in its rows and the judge's in its columns."""

    accuracy: Figure
    bounds: Bounds | None
    kappa: Figure
    sensitivity: Figure
    specificity: Figure
    verdicts: IntArray
    graded: Graded | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Graded:
    """The same on grades."""

    same: Figure
    kappa: Figure
    table: IntArray


def agreement(
    pairs: Aligned, *, verdicts: BoolArray | None, decided: BoolArray, graded: Graded | None = None, seed: int = 0
) -> Agreement:
    """Measure verdicts; decided: which pairs have one."""
    if verdicts is None or not decided.any():
        return _nothing(graded)
    truth, said = pairs.relevant[decided], verdicts[decided].astype(np.int64)
    questions = [question for question, kept in zip(pairs.questions, decided.tolist(), strict=True) if kept]
    right = (truth == said).astype(np.float64)
    lost = sum(pairs.unruled.values())
    kappa = clustered_kappa(truth.tolist(), said.tolist(), categories=2, clusters=questions, seed=seed)
    return Agreement(
        accuracy=of_interval("accuracy", mean_interval(right, clusters=questions)),
        bounds=Bounds(*((float(right.sum()) + more) / (len(right) + lost) for more in (0, lost))) if lost else None,
        kappa=of_effect("kappa", kappa, n=len(truth)),
        sensitivity=_share("sensitivity", said, truth == 1, questions, missing="People call no pair relevant."),
        specificity=_share("specificity", 1 - said, truth == 0, questions, missing="People call every pair relevant."),
        verdicts=confusion(truth.tolist(), said.tolist(), categories=2),
        graded=graded,
    )


def _nothing(graded: Graded | None) -> Agreement:
    return Agreement(
        accuracy=undefined("accuracy", NO_PAIR),
        bounds=None,
        kappa=undefined("kappa", NO_PAIR),
        sensitivity=undefined("sensitivity", NO_PAIR),
        specificity=undefined("specificity", NO_PAIR),
        verdicts=np.zeros((2, 2), dtype=np.int64),
        graded=graded,
    )


def graded_agreement(pairs: Aligned, human: HumanLabels, judge: JudgeLabels, *, seed: int) -> Graded | None:
    """Measure grades; None where the two are not on the same graded scale."""
    if judge.kind != "grades" or judge.scale is None or not pairs.n:
        return None
    scale = human.scale
    if scale.most != judge.scale.most or scale.most == 1:
        return None
    truth, said = pairs.human.tolist(), pairs.value.astype(np.int64).tolist()
    kappa = clustered_kappa(
        truth, said, categories=scale.levels, clusters=pairs.questions, weights="quadratic", seed=seed
    )
    same = mean_interval((pairs.human == pairs.value).astype(np.float64), clusters=pairs.questions)
    return Graded(
        of_interval("same grade", same),
        of_effect("kappa of grades (quadratic weights)", kappa, n=pairs.n),
        confusion(truth, said, categories=scale.levels),
    )


def _share(name: str, said: IntArray, where: BoolArray, questions: Sequence[str], *, missing: str) -> Figure:
    if not where.any():
        return undefined(name, missing)
    kept = [question for question, here in zip(questions, where.tolist(), strict=True) if here]
    return of_interval(name, mean_interval(said[where].astype(np.float64), clusters=kept))
