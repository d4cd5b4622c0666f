"""What each search iteration of each conversation brought: the counts that every good-gain metric is made of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from goldproof.core.arrays import FloatArray, IntArray


@dataclass(frozen=True, slots=True, eq=False)
class Iterations:
    """One row per iteration in which search was invoked; those of conversation c are `starts[c]:starts[c + 1]`.

    results: |R|, all results, duplicates included. unique: |UR|, first occurrences. good: |GR|, first occurrences of
    good gain. gain: G, the sum of their gains.
    """

    starts: IntArray
    results: IntArray
    unique: IntArray
    good: IntArray
    gain: IntArray

    @property
    def duplicates(self) -> IntArray:
        """|Dup|: results that were seen before, in this iteration or an earlier one."""
        counts: IntArray = self.results - self.unique
        return counts

    @property
    def number(self) -> IntArray:
        """Which iteration of its conversation a row is, from 1."""
        lengths = np.diff(self.starts)
        numbers: IntArray = np.arange(1, len(self.results) + 1) - np.repeat(self.starts[:-1], lengths)
        return numbers

    def counted(self, values: IntArray) -> IntArray:
        """Return running totals of whole numbers within each conversation."""
        totals = np.concatenate([[0], np.cumsum(values)])
        running: IntArray = totals[1:] - np.repeat(totals[self.starts[:-1]], np.diff(self.starts))
        return running

    def summed(self, values: FloatArray) -> FloatArray:
        """Return running sums within each conversation, added from its first iteration on.

        One conversation's sum never depends on another's, as it would if a sum over all rows were cut into pieces.
        """
        sums = np.array(values, dtype=np.float64)
        lengths = np.diff(self.starts)
        alive = np.flatnonzero(lengths > 1)
        i = 1
        while len(alive):
            rows = self.starts[alive] + i
            sums[rows] += sums[rows - 1]
            i += 1
            alive = alive[lengths[alive] > i]
        return sums
