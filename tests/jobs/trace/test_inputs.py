"""Traces as Python objects: every form, twice; wrong ones are refused; other inputs are not taken for the same."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pandas as pd
import polars as pl
import pytest

import goldproof
from goldproof.dedup import DEFAULT_RULES
from goldproof.errors import ConflictError, InputError
from tests.jobs.trace.conversations import failed, talk, write

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

TRACE = [talk("a", [("d1", 3)], [("d2", 2)], by="id"), talk("b", [("d3", 4), ("d3", 4)], by="id")]
FLAT = {
    "conversation_id": ["a", "a", "b", "b"],
    "iteration": [1, 2, 1, 1],
    "search": [1, 1, 1, 1],
    "id": ["d1", "d2", "d3", "d3"],
    "gain": [3, 2, 4, 4],
}


def stream() -> Iterator[dict[str, Any]]:
    yield from TRACE


def values(traces: object) -> list[tuple[Any, ...]]:
    return goldproof.score_traces(traces).iterations.drop("system").rows()


def test_every_form_of_the_same_trace_gives_the_same_rows(tmp_path: Path) -> None:
    path = write(tmp_path / "t.jsonl", TRACE)
    pl.DataFrame(FLAT).write_parquet(tmp_path / "t.parquet")
    pl.DataFrame(FLAT).write_csv(tmp_path / "t.csv")
    forms: list[object] = [TRACE, tuple(TRACE), stream(), path, str(path), tmp_path / "t.parquet", tmp_path / "t.csv"]
    forms += [pl.DataFrame(FLAT), pl.DataFrame(FLAT).lazy(), pd.DataFrame(FLAT)]
    for form in forms:
        assert values(form) == values(TRACE), type(form)


def test_the_same_objects_may_be_scored_twice() -> None:
    frame = pl.DataFrame(FLAT)
    before = frame.clone()
    assert values(TRACE) == values(TRACE)
    assert values(frame) == values(frame)
    assert frame.equals(before)
    assert goldproof.score_traces(TRACE).to_dict() == goldproof.score_traces(TRACE).to_dict()


def test_a_generator_is_read_once_and_a_used_one_says_that_it_is_empty() -> None:
    given = stream()
    assert goldproof.score_traces(given).mean("CG") == 4.5
    with pytest.raises(InputError, match="the traces hold no conversation"):
        goldproof.score_traces(given)


def test_a_system_is_named_by_its_file_or_system(tmp_path: Path) -> None:
    assert goldproof.score_traces(TRACE).study.panel.runs == ("system",)
    assert goldproof.score_traces(write(tmp_path / "agent.jsonl", TRACE)).study.panel.runs == ("agent",)


@pytest.mark.parametrize("traces", [5, b"x", {"conversation_id": "c"}, [1], ["c"], [None], 2.5, None, []])
def test_other_types_are_refused(traces: object) -> None:
    with pytest.raises(InputError):
        goldproof.score_traces(traces)


def test_a_system_without_conversations_is_named() -> None:
    with pytest.raises(InputError, match="new"):
        goldproof.score_traces(systems={"old": TRACE, "new": []})


@pytest.mark.parametrize("systems", [{}, [TRACE], "old", 3])
def test_systems_are_a_mapping(systems: Any) -> None:  # noqa: ANN401 - anything at all
    with pytest.raises(InputError, match="systems"):
        goldproof.score_traces(systems=systems)


def test_a_long_list_in_place_of_systems_is_not_printed_whole() -> None:
    with pytest.raises(InputError) as refused:
        goldproof.score_traces(systems=TRACE * 50)  # type: ignore[arg-type]
    assert len(str(refused.value)) < 400


def test_one_system_or_several_not_both() -> None:
    with pytest.raises(InputError, match="either"):
        goldproof.score_traces(TRACE, systems={"a": TRACE})


def test_two_systems_that_are_written_the_same_are_refused() -> None:
    systems: Any = {1: TRACE, "1": TRACE[:1]}
    with pytest.raises(InputError, match="1"):
        goldproof.score_traces(systems=systems)


CLUSTERS: list[Any] = [5, {"x": "t"}, {}]
WRONG: list[dict[str, Any]] = [
    *({"threshold": value} for value in (0, 5, 2.0, "2", True, None)),
    *({"dedup": value} for value in ("url", "", 5, None)),
    *({"near_duplicates": value} for value in (0, 1.5, float("nan"), -1, "0.5", True)),
    *({"up_to": value} for value in (0, -1, 1.5, "3", True)),
    *({"metrics": value} for value in ("", (), "nDCG@10", "CGG", 5, "CG@0", "AvgGain@2", "CG_2")),
    {"metrics": "IterationsForAllGoodResults@3"},
    *({"clusters": value} for value in CLUSTERS),
    {"dedup": "id", "near_duplicates": 0.9},
    {"dedup": "id", "rules": DEFAULT_RULES},
    {"rules": 5},
    {"baseline": "nobody"},
    {"primary": "AP", "metrics": "CG"},
    {"seed": -1},
    {"test": "magic"},
    {"margin": -1},
]


@pytest.mark.parametrize("settings", WRONG, ids=lambda one: " ".join(f"{k}={str(v)[:20]!r}" for k, v in one.items()))
def test_a_wrong_setting_is_refused_and_not_a_crash(settings: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        goldproof.score_traces(TRACE, **settings)


def test_clusters_may_be_numbers() -> None:
    numbered: Any = {"a": 1, "b": 2}
    scored = goldproof.score_traces(TRACE, clusters=numbered)
    assert scored.conversations["cluster"].to_list() == ["1", "2"]


SAME_COUNTS = [
    pytest.param(
        [talk("a", [("d1", 3)]), talk("b", [("d2", 2)], [("d3", 3)])], id="iterations of another conversation"
    ),
    pytest.param([talk("a", [("d1", 3)], [("d2", 2)], cluster="t"), talk("b", [("d3", 3)])], id="cluster"),
    pytest.param([talk("a", [("d1", 3)], [("d2", 2)], question="why?"), talk("b", [("d3", 3)])], id="question"),
]


@pytest.mark.parametrize("other", SAME_COUNTS)
def test_other_objects_are_not_taken_for_the_same_input(other: list[dict[str, Any]], tmp_path: Path) -> None:
    first = [talk("a", [("d1", 3)], [("d2", 2)]), talk("b", [("d3", 3)])]
    goldproof.score_traces(first, metrics="SRE").save(tmp_path / "out")
    goldproof.score_traces(first, metrics="SRE").save(tmp_path / "out")
    with pytest.raises(ConflictError):
        goldproof.score_traces(other, metrics="SRE").save(tmp_path / "out")


def test_another_reason_of_a_failure_is_another_input(tmp_path: Path) -> None:
    goldproof.score_traces([TRACE[0], failed("b", "timeout")], metrics="SRE").save(tmp_path / "out")
    with pytest.raises(ConflictError):
        goldproof.score_traces([TRACE[0], failed("b", "no money")], metrics="SRE").save(tmp_path / "out")


def test_other_labels_in_a_long_frame_are_not_taken_for_the_same(tmp_path: Path) -> None:
    # A frame prints its first and last rows only: the difference is in the middle.
    path = write(tmp_path / "t.jsonl", [talk("c", [(f"d{i}", None) for i in range(100)], by="id")])
    short = [
        pl.DataFrame({"doc_id": [f"d{i}" for i in range(100)], "gain": [2] * 50 + [middle] + [2] * 49})
        for middle in (2, 3)
    ]
    goldproof.score_traces(path, labels=short[0], metrics="SRE").save(tmp_path / "out")
    with pytest.raises(ConflictError):
        goldproof.score_traces(path, labels=short[1], metrics="SRE").save(tmp_path / "out")


@pytest.mark.parametrize("given", [{"old": "old.jsonl", "new": "new.jsonl"}, ["old.jsonl", "new.jsonl"]])
def test_several_systems_as_the_first_argument_are_answered_with_systems(given: object) -> None:
    with pytest.raises(InputError, match=r"one system's traces; write several as systems=\{'old': \.\.\., \.\.\.\}\.$"):
        goldproof.score_traces(given)
