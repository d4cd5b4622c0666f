"""The fast scorer against the plain one, on random traces."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import goldproof
from goldproof.metrics.catalogue import SHAPES
from tests.jobs.trace.reference import (
    METRICS,
    NEED_LABELS,
    iterations_for_all_good_results,
    label_conflicts,
    score_conversation,
)

Json = dict[str, Any]

RESULTS = st.fixed_dictionaries(
    {},
    optional={"id": st.integers(0, 6).map(str), "gain": st.none() | st.integers(0, 4), "title": st.just("same title")},
)
SEARCHES = st.fixed_dictionaries({"query": st.just("q"), "results": st.lists(RESULTS, max_size=6)})
ITERATIONS = st.fixed_dictionaries({"searches": st.lists(SEARCHES, max_size=3)})
TURNS = st.fixed_dictionaries({"iterations": st.lists(ITERATIONS, max_size=5)})


@st.composite
def conversations(draw: st.DrawFn) -> list[Json]:
    turns = draw(st.lists(st.lists(TURNS, max_size=2), min_size=1, max_size=6))
    return [{"conversation_id": f"c{i}", "turns": one} for i, one in enumerate(turns)]


@settings(max_examples=120)
@given(conversations(), st.integers(1, 4))
def test_every_count_and_metric_of_every_iteration_agrees(given_traces: list[Json], threshold: int) -> None:
    result = goldproof.score_traces(given_traces, dedup="id", threshold=threshold)
    for conversation in given_traces:
        expected = score_conversation(conversation, threshold=threshold)
        rows = result.iterations.filter(pl.col("conversation_id") == conversation["conversation_id"]).to_dicts()
        assert len(rows) == len(expected)
        for row, known in zip(rows, expected, strict=True):
            blank = known["CG"] is None or _nothing_labelled(given_traces)
            for name in ("R", "UR", "Dup", "R@i", "UR@i", "DupR@i", "unlabelled"):
                assert row[name] == known[name]
            for name in ("GR", "G", "GR@i"):
                assert row[name] == (None if blank else known[name])
            for name in METRICS:
                value = None if blank and name in NEED_LABELS else known[name]
                assert row[SHAPES[name].spell("i")] == (None if value is None else pytest.approx(value, abs=1e-12))


@settings(max_examples=60)
@given(conversations())
def test_conversations_end_where_their_last_iteration_ends(given_traces: list[Json]) -> None:
    result = goldproof.score_traces(given_traces, dedup="id")
    rows = {row["conversation_id"]: row for row in result.conversations.to_dicts()}
    for conversation in given_traces:
        expected = score_conversation(conversation)
        row = rows[conversation["conversation_id"]]
        assert row["iterations"] == len(expected)
        assert row["label_conflicts"] == label_conflicts(conversation)
        blank = not expected or _nothing_labelled(given_traces)
        for name in METRICS:
            value = None if not expected or (blank and name in NEED_LABELS) else expected[-1][name]
            assert row[name] == (None if value is None else pytest.approx(value, abs=1e-12))
        completed = None if blank else iterations_for_all_good_results(expected)
        assert row["IterationsForAllGoodResults"] == completed


@settings(max_examples=60)
@given(conversations(), st.sampled_from(METRICS), st.integers(1, 4), st.booleans())
def test_means_at_an_iteration_are_over_the_conversations_that_reach_it(
    given_traces: list[Json], family: str, i: int, carry: bool
) -> None:
    name = SHAPES[family].spell(i)
    result = goldproof.score_traces(given_traces, dedup="id", metrics=name, carry=carry)
    values = []
    for conversation in given_traces:
        rows = score_conversation(conversation)
        if rows and (carry or len(rows) >= i):
            values.append(rows[min(i, len(rows)) - 1][family])
    if _nothing_labelled(given_traces) and family in NEED_LABELS:
        values = []
    known = [value for value in values if value is not None]
    assert result.mean(name) == (pytest.approx(sum(known) / len(known), abs=1e-12) if known else None)


def _nothing_labelled(traces: list[Json]) -> bool:
    """No result of any last turn has a label: then not even an empty trace has a known gain."""
    return not any(
        result.get("gain") is not None
        for conversation in traces
        for turn in conversation["turns"][-1:]
        for iteration in turn["iterations"]
        for search in iteration["searches"]
        for result in search["results"]
    )
