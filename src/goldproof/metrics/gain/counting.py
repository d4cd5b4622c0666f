"""From marked and labelled results to counts per iteration.

A group (a result and its duplicates) counts once, where it first occurred, with the first label seen in it. Later
labels of the same group that differ are conflicts: counted, not used. An unlabelled group is kept apart: it has no
gain, and the bounds say what it could have.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from goldproof.core.traces import HIGHEST_GAIN, UNLABELLED
from goldproof.metrics.gain.iterations import Iterations

if TYPE_CHECKING:
    import numpy.typing as npt

    from goldproof.core.arrays import IntArray

_LABELS = HIGHEST_GAIN + 2  # the gains, and no label


@dataclass(frozen=True, slots=True, eq=False)
class LabelCounts:
    """First occurrences per iteration and label; the iterations of conversation c are `starts[c]:starts[c + 1]`.

    results: all results of an iteration, duplicates included. firsts: a row per iteration; column 0 counts first
    occurrences without a label, column 1 + g those of gain g.
    """

    starts: IntArray
    results: IntArray
    firsts: IntArray

    @property
    def unlabelled(self) -> IntArray:
        """First occurrences without a label, per iteration."""
        counts: IntArray = self.firsts[:, 0]
        return counts

    @property
    def labelled(self) -> bool:
        """Whether any result has a label."""
        return bool(self.firsts[:, 1:].any())

    def iterations(self, *, threshold: int, unlabelled_gain: int = 0) -> Iterations:
        """Return the counts by which metrics are made.

        threshold: the lowest gain that is good. unlabelled_gain: what every unlabelled group is taken to be worth.
        """
        worth = np.array([unlabelled_gain, *range(HIGHEST_GAIN + 1)])
        worth[worth < threshold] = 0
        return Iterations(
            starts=self.starts,
            results=self.results,
            unique=self.firsts @ np.ones_like(worth),  # a fifth of the time of sum(axis=1)
            good=self.firsts @ (worth > 0).astype(np.int64),
            gain=self.firsts @ worth,
        )


def group_labels(gains: npt.NDArray[np.int8], *, rows: IntArray, firsts: IntArray) -> npt.NDArray[np.int8]:
    """Return each result's label, where the first of a group has the first label seen in the group.

    rows, firsts: the duplicates, and the first occurrence of each. What stands at a duplicate's own place is its own.
    """
    late = (gains[firsts] == UNLABELLED) & (gains[rows] != UNLABELLED)
    if not late.any():
        return gains
    labels = gains.copy()
    order = np.argsort(rows[late])[::-1]  # written from the last to the first, so that the first stays
    labels[firsts[late][order]] = gains[rows[late][order]]
    return labels


def count_labels(
    labels: npt.NDArray[np.int8], *, duplicates: IntArray, iteration_starts: IntArray, result_starts: IntArray
) -> LabelCounts:
    """Count first occurrences; result_starts: iteration j has the results `result_starts[j]:result_starts[j + 1]`."""
    results = np.diff(result_starts)
    size = len(results) * _LABELS
    cell = np.repeat(np.arange(0, size, _LABELS) - UNLABELLED, results)
    cell += labels
    firsts = np.bincount(cell, minlength=size)
    firsts -= np.bincount(cell[duplicates], minlength=size)
    return LabelCounts(iteration_starts, results, firsts.reshape(-1, _LABELS))


def count_conflicts(
    gains: npt.NDArray[np.int8], labels: npt.NDArray[np.int8], *, rows: IntArray, firsts: IntArray, starts: IntArray
) -> IntArray:
    """Return per conversation how many duplicates carry another label than their group; starts: of its results."""
    torn = rows[(gains[rows] != UNLABELLED) & (gains[rows] != labels[firsts])]
    return np.bincount(np.searchsorted(starts, torn, side="right") - 1, minlength=len(starts) - 1)
