"""One pair of runs on one metric, described and not tested: the difference with its interval."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from goldproof.stats import Interval, difference_interval, paired_differences
from goldproof.study.comparison import count_unpaired

if TYPE_CHECKING:
    from goldproof.core.arrays import IntArray
    from goldproof.study.facts import MetricFacts
    from goldproof.study.panel import Column


@dataclass(frozen=True, slots=True)
class Description:
    """The mean difference over the questions that both runs have scored; no p-value, so no verdict."""

    n: int
    n_unpaired: int
    difference: float | None
    interval: Interval

    def to_dict(self) -> dict[str, object]:
        """Return the shape of `summary.json`."""
        low, high = self.interval.low, self.interval.high
        return {
            "difference": self.difference,
            "ci_95": None if low is None or high is None else [low, high],
            "interval": self.interval.method,
            "n": self.n,
            "n_unpaired": self.n_unpaired,
            "tested": False,
            "verdict": None,
            "note": self.interval.note,
        }


def describe_columns(a: Column, b: Column, *, facts: MetricFacts, clusters: IntArray | None, seed: int) -> Description:
    """Describe over the questions that both have scored."""
    both = a.scored & b.scored
    differences = paired_differences(a.value[both], b.value[both])
    interval = difference_interval(
        differences, clusters=None if clusters is None else clusters[both], seed=seed, bounded=facts.bounded
    )
    return Description(
        n=len(differences),
        n_unpaired=count_unpaired(a, b, n=len(differences)),
        difference=float(differences.mean()) if len(differences) else None,
        interval=facts.within_bounds(interval, of_difference=True),
    )
