"""The pairs that people and the judge both labelled, side by side as columns; and what is left over.

Pairs of one question are not independent, so the question is the cluster of a pair.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from goldproof.jobs.calibrate.human import HumanLabels
    from goldproof.jobs.calibrate.judged import JudgeLabels
    from goldproof.jobs.calibrate.label_file import Pair
    from goldproof.records.arrays import BoolArray, FloatArray, IntArray


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
