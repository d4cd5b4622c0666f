"""Full deduplication, pools, bounds and explanations against the plain scorer, on random results that share keys."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import goldproof
from goldproof.dedup import DEFAULT_RULES
from goldproof.dedup.items import Items
from goldproof.jobs.trace import explain_conversation
from tests.dedup.strategies import results as random_results
from tests.dedup.tables import table
from tests.dedup.test_reference import mark_slowly
from tests.jobs.trace.reference import METRICS, score_conversation

Json = dict[str, Any]
NAME = "IterationsForAllGoodResults"


@st.composite
def labelled(draw: st.DrawFn) -> Json:
    found = {name: value for name, value in draw(random_results(with_fields=False)).items() if value is not None}
    gain = draw(st.none() | st.integers(0, 4))
    return found if gain is None else {**found, "gain": gain}


@st.composite
def traces(draw: st.DrawFn) -> list[Json]:
    iterations = st.lists(st.lists(labelled(), max_size=4), max_size=3)
    return [
        {
            "conversation_id": f"c{i}",
            "turns": [{"iterations": [{"searches": [{"query": "q", "results": one}]} for one in found]}],
        }
        for i, found in enumerate(draw(st.lists(iterations, min_size=1, max_size=3)))
    ]


def rows_of(conversation: Json) -> list[Json]:
    turn = conversation["turns"][-1]
    return [r for iteration in turn["iterations"] for search in iteration["searches"] for r in search["results"]]


def scored_slowly(conversation: Json, *, unlabelled_as: int | None = None) -> list[Json]:
    """The plain scorer with the groups of the plain marking."""
    rows = [{name: value for name, value in row.items() if name != "gain"} for row in rows_of(conversation)]
    groups = mark_slowly(Items(table(rows), DEFAULT_RULES).make(np.arange(len(rows))), DEFAULT_RULES) if rows else []
    labels = {
        g: next((r["gain"] for r, o in zip(rows_of(conversation), groups, strict=True) if o == g and "gain" in r), None)
        for g in groups
    }
    known = itertools.count()
    numbered = {
        "turns": [
            {
                "iterations": [
                    {
                        "searches": [
                            {"results": [_numbered(next(known), groups, labels, unlabelled_as) for _ in s["results"]]}
                            for s in i["searches"]
                        ]
                    }
                    for i in conversation["turns"][-1]["iterations"]
                ]
            }
        ]
    }
    return score_conversation(numbered)


def _numbered(row: int, groups: list[int], labels: dict[int, int | None], unlabelled_as: int | None) -> Json:
    label = labels[groups[row]]
    return {"id": groups[row], "gain": unlabelled_as if label is None else label}


def anything_labelled(many: list[Json]) -> bool:
    return any("gain" in row for conversation in many for row in rows_of(conversation))


@settings(max_examples=60)
@given(traces())
def test_every_iteration_agrees_with_the_plain_scorer(many: list[Json]) -> None:
    result = goldproof.score_traces(many)
    for conversation in many:
        expected = scored_slowly(conversation)
        found = result.iterations.filter(pl.col("conversation_id") == conversation["conversation_id"]).to_dicts()
        assert [row["R"] for row in found] == [row["R"] for row in expected]
        assert [row["UR"] for row in found] == [row["UR"] for row in expected]
        if anything_labelled(many):
            assert [row["CG@i"] for row in found] == [row["CG"] for row in expected]
            assert [row["SRE@i"] for row in found] == pytest.approx([row["SRE"] for row in expected])


@settings(max_examples=40)
@given(traces())
def test_bounds_and_unjudged_share_are_what_relabelling_gives(many: list[Json]) -> None:
    summary = goldproof.score_traces(many, metrics="CG").study.summary("system", "CG")
    scored = [one for one in many if (rows := scored_slowly(one)) and rows[-1]["CG"] is not None]
    if not scored or not anything_labelled(many):
        assert summary.mean is None
        return
    best = [scored_slowly(one, unlabelled_as=4)[-1]["CG"] for one in scored]
    assert summary.extra["bounds"] == {"none_relevant": summary.mean, "all_relevant": pytest.approx(np.mean(best))}
    unique = sum(row["UR"] for one in scored for row in scored_slowly(one))
    blank = sum(row["unlabelled"] for one in scored for row in scored_slowly(one))
    assert summary.extra["unjudged_share"] == (pytest.approx(blank / unique) if unique else None)


@settings(max_examples=40)
@given(traces(), traces(), traces())
def test_the_shared_pool_does_not_depend_on_the_order_of_the_systems(
    a: list[Json], b: list[Json], c: list[Json]
) -> None:
    systems = {"a": a, "b": b, "c": c}
    outcomes = []
    for order in (("a", "b", "c"), ("c", "b", "a"), ("b", "c", "a")):
        result = goldproof.score_traces(systems={name: systems[name] for name in order}, metrics=NAME)
        rows = result.conversations.select("system", "conversation_id", "pool", "pool_found", NAME).rows()
        outcomes.append(sorted(rows, key=repr))
    assert outcomes[0] == outcomes[1] == outcomes[2]


def test_a_chain_of_results_is_one_pool_whatever_the_order() -> None:
    # x and y share an id, y and z a URL: greedy marking in the order of the systems gave pools of 1 or of 2
    found = {
        "x": {"id": "1", "title": "Gold", "gain": 3},
        "y": {"id": "1", "url": "https://a.org/u", "title": "Gold", "gain": 3},
        "z": {"url": "https://a.org/u", "title": "Other", "gain": 3},
    }
    made = {
        name: [{"conversation_id": "c", "turns": [{"iterations": [{"searches": [{"query": "q", "results": [one]}]}]}]}]
        for name, one in found.items()
    }
    sizes = {
        goldproof.score_traces(systems={name: made[name] for name in order}, metrics=NAME).conversations["pool"][0]
        for order in itertools.permutations(made)
    }
    assert len(sizes) == 1


@settings(max_examples=30)
@given(traces(), traces())
def test_an_explanation_says_what_is_scored(a: list[Json], b: list[Json]) -> None:
    result = goldproof.score_traces(systems={"a": a, "b": b})
    frame = result.conversations
    for conversation in frame["conversation_id"].unique().to_list():
        for one in explain_conversation(conversation, systems={"a": a, "b": b}):
            row = frame.row(
                by_predicate=(pl.col("system") == one.system) & (pl.col("conversation_id") == conversation), named=True
            )
            for family in (*METRICS, NAME):
                undefined = one.metrics[family].startswith("undefined: ")
                assert undefined == (row[family] is None), (family, one.metrics[family])
            if row["CG"] is not None and row["iterations"] > 1:
                assert one.metrics["CG"].endswith(f"= {row['CG']:g}")
