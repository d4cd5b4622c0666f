"""Iterations of search traces: counts of results and gain, the discount, and arithmetic shown in words.

The discount of iteration i:

    w(i) = 1 / log2(i + 1)

w(1) = 1, w(2) = 0.6309, w(3) = 0.5. It falls slowly: w(100) is still 0.15.

Labels. A group (a result and its duplicates) counts once, where it first occurred, with the first label seen in it.
Later labels of the same group that differ are conflicts: counted, not used. An unlabelled group is kept apart: it has
no gain, and the bounds say what it could have.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from goldproof.records.traces import HIGHEST_GAIN, UNLABELLED

if TYPE_CHECKING:
    from collections.abc import Iterable

    import numpy.typing as npt

    from goldproof.records.arrays import FloatArray, IntArray


FAMILIES = ("CG", "RG", "DCG", "DRG", "AvgGain", "RAG", "DRAG", "SRE", "SRR")

COMPLETION = "IterationsForAllGoodResults"


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


def discount(number: IntArray) -> FloatArray:
    """Return the weight of each iteration, given its number from 1."""
    weights: FloatArray = 1.0 / np.log2(number + 1.0)
    return weights


SHOWN = 6  # terms of a long conversation


def last(iterations: Iterations, k: int | None) -> int:
    """Return the row of iteration k of the only conversation, or of its last iteration."""
    return (len(iterations.results) if k is None else k) - 1


def gains(iterations: Iterations, k: int | None) -> str:
    """Return the gain of each iteration through k: "G = 5, 4, 2"."""
    return f"G = {listed(iterations.gain[: last(iterations, k) + 1].tolist())}"


def shares(iterations: Iterations, k: int | None) -> str:
    """Return the gain over the results of each iteration through k: "G/|R| = 5/2, 4/2, 0/0"."""
    rows = slice(last(iterations, k) + 1)
    pairs = zip(iterations.gain[rows].tolist(), iterations.results[rows].tolist(), strict=True)
    empty = " (0/0 counts 0)" if (iterations.results[rows] == 0).any() else ""
    return f"G/|R| = {_cut((f'{gain}/{results}' for gain, results in pairs), ', ')}{empty}"


def listed(values: Iterable[float]) -> str:
    """Return "5, 4, 2"."""
    return _cut(map(number, values), ", ")


def added(values: FloatArray | IntArray) -> str:
    """Return "5 + 4 + 2"."""
    return _cut(map(number, values.tolist()), " + ")


def discounted(values: FloatArray | IntArray) -> str:
    """Return "5*1 + 4*0.6309 + 2*0.5": each value by the weight of its iteration."""
    weights = discount(np.arange(1, len(values) + 1))
    pairs = zip(values.tolist(), weights.tolist(), strict=True)
    return _cut((f"{number(value)}*{number(weight)}" for value, weight in pairs), " + ")


def number(value: float) -> str:
    """Return at most four decimals, and none that is not needed."""
    return f"{value:.4f}".rstrip("0").rstrip(".")


def _cut(parts: Iterable[str], joint: str) -> str:
    shown = list(parts)
    return joint.join([*shown[:SHOWN], *(["..."] if len(shown) > SHOWN else [])])


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
        """Return the counts that metrics are computed from.

        threshold: the lowest gain that is good. unlabelled_gain: the gain of every unlabelled group.
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

    rows, firsts: the duplicates, and the first occurrence of each. A duplicate keeps its own label.
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
