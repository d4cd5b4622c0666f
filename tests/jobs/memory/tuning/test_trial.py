"""Which trial wins."""

from __future__ import annotations

import pytest

from goldproof.jobs.memory.tuning.trial import TrialRecord, best_of


def record(number: int, pipeline: str, value: float | None) -> TrialRecord:
    return TrialRecord(number, pipeline, value)


@pytest.mark.parametrize(
    ("records", "winner"),
    [
        ([record(0, "bm25", 0.5), record(1, "dense(minilm)", 0.6)], 1),
        ([record(0, "dense(minilm)", 0.5), record(1, "bm25", 0.5)], 1),  # equal: the shorter
        ([record(0, "bm25", 0.5), record(1, "bm26", 0.5)], 0),  # equally short: the earlier
        ([record(0, "dense(minilm)", 0.1 + 0.2), record(1, "bm25", 0.3)], 1),  # 0.30000000000000004 is 0.3
        ([record(0, "bm25", None), record(1, "dense(minilm)", 0.0)], 1),  # a failed one never wins
    ],
)
def test_the_best_is_the_highest_then_the_shortest_then_the_earliest(records: list[TrialRecord], winner: int) -> None:
    found = best_of(records)
    assert found is not None
    assert found.number == winner


def test_without_a_value_nothing_wins() -> None:
    assert best_of([record(0, "bm25", None)]) is None
