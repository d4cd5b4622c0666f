"""Labels aligned by pair; agreement with people; figures with intervals.

Pairs of one question are not independent, so the question is the cluster of a pair.

accuracy            share of pairs with the same verdict, relevant or not
    kappa               Cohen's, on verdicts: beyond what chance would give
    sensitivity         of the pairs relevant to people, the share that the judge calls relevant
    specificity         of the others, the share that it calls not relevant
    same grade, kappa   on the grades themselves (quadratic weights), where both are on the same scale

The verdict is the judge's own. A judge of scores without a cut-off has none: its verdicts are those of the cut-offs
chosen on other pairs (see `calibration.py`), so that no pair helps to choose the cut-off it is measured by. Intervals
take the pairs of one question together: accuracy by Wilson with the design effect, kappa by resampling questions.
Rulings that do not count are left out; the bounds say what accuracy is if all of them had been right, and if all had
been wrong. Pairs that the judge never saw are in neither.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from goldproof.stats import mean_interval
from goldproof.stats.agreement import clustered_kappa, confusion

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from goldproof.jobs.calibrate.label_file import Pair
    from goldproof.jobs.calibrate.labels import HumanLabels, JudgeLabels
    from goldproof.records.arrays import BoolArray, FloatArray, IntArray
    from goldproof.stats import CorrectedMean, Effect, Interval


@dataclass(frozen=True, slots=True, eq=False)
class Aligned:
    """Columns over the pairs with both labels, sorted by question and document.

    human: grades of people; relevant: whether that is relevant (0/1). value: the judge's; verdict: its own yes or no
    (0/1), None where it has no cut-off. rest, rest_verdict: the judge's labels of pairs that nobody else labelled.
    unruled: pairs with a human label and a ruling that does not count, by reason. human_only: pairs that the judge
    never saw; unseen: those of them of which it is known why, by reason. human_without: pairs that people looked at
    without a label, by reason.
    """

    pairs: Sequence[Pair]
    human: IntArray
    relevant: IntArray
    value: FloatArray
    verdict: BoolArray | None
    rest: FloatArray
    rest_verdict: BoolArray | None
    rest_questions: Sequence[str]
    unruled: Mapping[str, int]
    human_only: int
    human_without: Mapping[str, int]
    rest_unruled: Mapping[str, int]
    unseen: Mapping[str, int]

    @property
    def questions(self) -> list[str]:
        """The question of each pair."""
        return [question for question, _ in self.pairs]

    @property
    def n(self) -> int:
        """How many pairs have both."""
        return len(self.pairs)


def align(human: HumanLabels, judge: JudgeLabels) -> Aligned:
    """Put the labels side by side."""
    both = sorted(human.grades.keys() & judge.values.keys())
    rest = sorted(judge.values.keys() - human.grades.keys())
    lacking = [pair for pair in human.grades if pair not in judge.values]
    unruled = Counter(judge.without[pair] for pair in lacking if pair in judge.without)
    return Aligned(
        pairs=both,
        human=np.array([human.grades[pair] for pair in both], dtype=np.int64),
        relevant=np.array([human.relevant(pair) for pair in both], dtype=np.int64),
        value=_values(judge, both),
        verdict=_verdicts(judge, both),
        rest=_values(judge, rest),
        rest_verdict=_verdicts(judge, rest),
        rest_questions=[question for question, _ in rest],
        unruled=_ordered(unruled),
        human_only=len(lacking) - unruled.total(),
        human_without=_ordered(Counter(human.without.values())),
        rest_unruled=_ordered(Counter(why for pair, why in judge.without.items() if pair not in human.grades)),
        unseen=_ordered(Counter(judge.unseen[pair] for pair in lacking if pair in judge.unseen)),
    )


def _values(judge: JudgeLabels, pairs: Sequence[Pair]) -> FloatArray:
    return np.array([judge.values[pair] for pair in pairs], dtype=np.float64)


def _verdicts(judge: JudgeLabels, pairs: Sequence[Pair]) -> BoolArray | None:
    return np.array([judge.verdicts[pair] for pair in pairs], dtype=np.bool_) if judge.verdicts else None


def _ordered(counts: Counter[str]) -> dict[str, int]:
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


@dataclass(frozen=True, slots=True)
class Figure:
    """value is None where there is none, and note then says why; low and high are None without an interval."""

    name: str
    value: float | None = None
    low: float | None = None
    high: float | None = None
    n: int = 0
    note: str = ""

    def to_dict(self) -> dict[str, object]:
        """Return it for a file."""
        return {"value": self.value, "low": self.low, "high": self.high, "n": self.n, "note": self.note or None}


def undefined(name: str, reason: str, *, n: int = 0) -> Figure:
    """Return a figure without a value."""
    return Figure(name, n=n, note=reason)


def of_interval(name: str, found: Interval) -> Figure:
    """Take an interval of a mean."""
    return Figure(name, found.estimate, found.low, found.high, found.n, found.note or "")


def of_effect(name: str, found: Effect, *, n: int) -> Figure:
    """Take an estimate with its interval."""
    return Figure(name, found.value, found.low, found.high, n, found.note or "")


def of_correction(name: str, found: CorrectedMean) -> Figure:
    """Take a corrected mean."""
    return Figure(name, found.value, found.low, found.high, found.n_human, found.note or "")


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
