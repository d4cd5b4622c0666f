"""Labels aligned by pair; agreement of the judge with people; figures with intervals.

    accuracy            share of pairs with the same verdict, relevant or not
    kappa               Cohen's, on verdicts: beyond what chance would give
    AC1                 Gwet's, the same with a chance that stays low where nearly all pairs are of one kind
    sensitivity         of the pairs relevant to people, the share that the judge calls relevant
    specificity         of the others, the share that it calls not relevant
    same grade, kappa   on the grades themselves (quadratic weights), where both are on the same scale

The verdict is the judge's own. A judge of scores without a cut-off has none: its verdicts are those of the cut-offs
chosen on other pairs (see `calibration.py`), so that no pair helps to choose the cut-off it is measured by.

Pairs of one question are not independent, so intervals take the question as the cluster of a pair: accuracy by Wilson
with the design effect, kappa and AC1 by resampling questions. Rulings that do not count are left out; the bounds state
the accuracy if all of them had been right, and if all had been wrong. Pairs that the judge never saw are in neither.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from goldproof.stats import gwet_ac1, mean_interval
from goldproof.stats.agreement import clustered_kappa, confusion

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from goldproof.io.datasets.pair_labels import Pair
    from goldproof.jobs.calibrate.labels import HumanLabels, JudgeLabels
    from goldproof.records.arrays import BoolArray, FloatArray, IntArray
    from goldproof.stats import CorrectedMean, Effect, Interval

NO_PAIR = "No pair has both a human label and a verdict of the judge."


@dataclass(frozen=True, slots=True, eq=False)
class Aligned:
    """Columns over the pairs with both labels, sorted by question and document.

    human: people's grades; relevant: whether that is relevant (0/1). value: the judge's; verdict: its own yes or no
    (0/1), None where it has no cut-off. rest, rest_verdict: the judge's labels of pairs without a human label. unruled:
    pairs with a human label and a ruling that does not count, by reason. human_only: pairs that the judge never saw;
    unseen: those of them whose reason is known, by reason. human_without: pairs that people left without a label, by
    reason.
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

    def questions_where(self, kept: BoolArray) -> list[str]:
        """Return the question of each pair that is kept."""
        return [question for (question, _), keep in zip(self.pairs, kept.tolist(), strict=True) if keep]

    @property
    def n(self) -> int:
        """How many pairs have both labels."""
        return len(self.pairs)


@dataclass(frozen=True, slots=True)
class Figure:
    """A number with its interval.

    value: None where it is undefined, as note then says. low, high: None without an interval. n: what it rests on.
    """

    name: str
    value: float | None = None
    low: float | None = None
    high: float | None = None
    n: int = 0
    note: str = ""

    @classmethod
    def undefined(cls, name: str, reason: str) -> Figure:
        """Return a figure without a value."""
        return cls(name, note=reason)

    @classmethod
    def of_interval(cls, name: str, interval: Interval) -> Figure:
        """Return the figure of a mean with its interval."""
        return cls(name, interval.estimate, interval.low, interval.high, interval.n, interval.note or "")

    @classmethod
    def of_effect(cls, name: str, effect: Effect, *, n: int) -> Figure:
        """Return the figure of an estimate with its interval."""
        return cls(name, effect.value, effect.low, effect.high, n, effect.note or "")

    @classmethod
    def of_correction(cls, name: str, mean: CorrectedMean) -> Figure:
        """Return the figure of a corrected mean."""
        return cls(name, mean.value, mean.low, mean.high, mean.n_human, mean.note or "")

    def to_dict(self) -> dict[str, object]:
        """Return the figure as JSON."""
        return {"value": self.value, "low": self.low, "high": self.high, "n": self.n, "note": self.note or None}


@dataclass(frozen=True, slots=True)
class Bounds:
    """Accuracy if all rulings that do not count had been wrong, and if all had been right."""

    all_wrong: float
    all_right: float


@dataclass(frozen=True, slots=True, eq=False)
class Agreement:
    """Agreement of the judge with people. verdicts: a table, people's in its rows and the judge's in its columns."""

    accuracy: Figure
    bounds: Bounds | None
    kappa: Figure
    ac1: Figure
    sensitivity: Figure
    specificity: Figure
    verdicts: IntArray
    graded: Graded | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Graded:
    """Agreement on grades."""

    same: Figure
    kappa: Figure
    table: IntArray


def align(human: HumanLabels, judge: JudgeLabels) -> Aligned:
    """Align the labels of people and judge by pair."""
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


def agreement(
    pairs: Aligned, *, verdicts: BoolArray | None, decided: BoolArray, graded: Graded | None = None, seed: int = 0
) -> Agreement:
    """Measure the judge's verdicts against people's. decided: which pairs have a verdict."""
    if verdicts is None or not decided.any():
        return _nothing(graded)
    truth, judged = pairs.relevant[decided], verdicts[decided].astype(np.int64)
    questions = pairs.questions_where(decided)
    right = (truth == judged).astype(np.float64)
    lost = sum(pairs.unruled.values())
    kappa = clustered_kappa(truth.tolist(), judged.tolist(), categories=2, clusters=questions, seed=seed)
    ac1 = gwet_ac1([truth.tolist(), judged.tolist()], categories=(0, 1), clusters=questions, seed=seed)
    return Agreement(
        accuracy=Figure.of_interval("accuracy", mean_interval(right, clusters=questions)),
        bounds=Bounds(*((float(right.sum()) + more) / (len(right) + lost) for more in (0, lost))) if lost else None,
        kappa=Figure.of_effect("kappa", kappa, n=len(truth)),
        ac1=Figure.of_effect("AC1", ac1, n=len(truth)),
        sensitivity=_share("sensitivity", judged, truth == 1, questions, missing="People call no pair relevant."),
        specificity=_share(
            "specificity", 1 - judged, truth == 0, questions, missing="People call every pair relevant."
        ),
        verdicts=confusion(truth.tolist(), judged.tolist(), categories=2),
        graded=graded,
    )


def _nothing(graded: Graded | None) -> Agreement:
    return Agreement(
        accuracy=Figure.undefined("accuracy", NO_PAIR),
        bounds=None,
        kappa=Figure.undefined("kappa", NO_PAIR),
        ac1=Figure.undefined("AC1", NO_PAIR),
        sensitivity=Figure.undefined("sensitivity", NO_PAIR),
        specificity=Figure.undefined("specificity", NO_PAIR),
        verdicts=np.zeros((2, 2), dtype=np.int64),
        graded=graded,
    )


def _share(name: str, hits: IntArray, where: BoolArray, questions: Sequence[str], *, missing: str) -> Figure:
    if not where.any():
        return Figure.undefined(name, missing)
    kept = [question for question, here in zip(questions, where.tolist(), strict=True) if here]
    return Figure.of_interval(name, mean_interval(hits[where].astype(np.float64), clusters=kept))


def graded_agreement(pairs: Aligned, human: HumanLabels, judge: JudgeLabels, *, seed: int) -> Graded | None:
    """Measure the judge's grades against people's; None where they are not on the same graded scale."""
    if judge.kind != "grades" or judge.scale is None or not pairs.n:
        return None
    scale = human.scale
    if scale.most != judge.scale.most or scale.most == 1:
        return None
    truth, judged = pairs.human.tolist(), pairs.value.astype(np.int64).tolist()
    kappa = clustered_kappa(
        truth, judged, categories=scale.levels, clusters=pairs.questions, weights="quadratic", seed=seed
    )
    same = mean_interval((pairs.human == pairs.value).astype(np.float64), clusters=pairs.questions)
    return Graded(
        Figure.of_interval("same grade", same),
        Figure.of_effect("kappa of grades (quadratic weights)", kappa, n=pairs.n),
        confusion(truth, judged, categories=scale.levels),
    )
