from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from goldproof.errors import BudgetSpentError
from goldproof.io.scenarios.scenario import Query, Scenario
from goldproof.jobs.memory.scenario_run import run_suite
from goldproof.memory.system import MemoryHit, Searched
from goldproof.progress import Progress
from tests.jobs.memory.scripted import Scripted, memories, one_query, suite

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from goldproof.records.entities import Hit


def test_a_query_meets_what_was_stored_before_it_with_its_own_k_filters_and_moment() -> None:
    query = Query("q", "what?", "exact", {"m0": 2}, asked_at=3, filters={"role": "user"}, k=2)
    system = Scripted({"what?": ["a"]})
    (row,) = run_suite(one_query(query, "a", "b", "c"), system, k=5)
    assert system.asked == [("what?", 2, {"role": "user"}, 3, 2)]
    assert [memory.content for memory in row.pool] == ["a", "b"]
    assert row.hits == (MemoryHit("id-0", 0.5, "a"),)
    assert row.stored.sources == {"id-0": ("m0",), "id-1": ("m1",)}


def test_rows_come_in_the_order_of_the_suite_whatever_the_order_of_time() -> None:
    queries = (Query("late", "1", "exact", {"m0": 2}), Query("early", "2", "exact", {"m0": 2}, asked_at=2))
    rows = run_suite(suite(Scenario("s", memories("a", "b"), queries)), Scripted({"1": ["a"], "2": ["a"]}), k=5)
    assert [row.key for row in rows] == ["s/late", "s/early"]


def test_a_crash_fails_its_query_and_the_run_goes_on() -> None:
    queries = (Query("bad", "1", "exact", {"m0": 2}), Query("good", "2", "exact", {"m0": 2}))
    system = Scripted({"1": RuntimeError("no index"), "2": ["a"]})
    bad, good = run_suite(suite(Scenario("s", memories("a"), queries)), system, k=5)
    assert bad.error == "RuntimeError: no index"
    assert bad.hits == ()
    assert good.error is None


class Exiting(Scripted):
    def search(self, query: str, k: int, filters: object = None, now: object = None) -> list[Hit]:  # noqa: ARG002
        raise SystemExit(3)


def test_a_system_that_tries_to_leave_fails_its_query_only() -> None:
    (row,) = run_suite(one_query(Query("q", "1", "exact", {"m0": 2}), "a"), Exiting({}), k=5)
    assert row.error == "SystemExit: 3"


class Refusing(Scripted):
    def add(self, role: str, content: str, metadata: Mapping[str, object]) -> list[str]:
        if content == "b":
            raise ValueError("too long")
        return super().add(role, content, metadata)


def test_what_cannot_be_stored_fails_the_queries_after_it_and_not_those_before_nor_other_scenarios() -> None:
    early = Query("early", "1", "exact", {"m0": 2}, asked_at=2)
    late = Query("late", "2", "exact", {"m0": 2}, asked_at=9)
    other = Scenario("other", memories("a"), (Query("q", "1", "exact", {"m0": 2}),))
    rows = run_suite(
        suite(Scenario("s", memories("a", "b"), (early, late)), other), Refusing({"1": ["a"], "2": ["a"]}), k=5
    )
    assert [row.error for row in rows] == [None, "memory 'm1' could not be stored: ValueError: too long", None]


class Stuck(Scripted):
    def clear(self) -> None:
        raise OSError("read-only")


def test_a_memory_that_cannot_be_cleared_fails_the_whole_scenario() -> None:
    (row,) = run_suite(one_query(Query("q", "1", "exact", {"m0": 2}), "a"), Stuck({"1": ["a"]}), k=5)
    assert row.error == "the memory could not be cleared: OSError: read-only"


def test_a_spent_budget_ends_the_run() -> None:
    system = Scripted({"1": BudgetSpentError("spent")})
    with pytest.raises(BudgetSpentError):
        run_suite(one_query(Query("q", "1", "exact", {"m0": 2}), "a"), system, k=5)


class Merging(Scripted):
    """Gives every memory the same id, as a system does that keeps one summary."""

    def add(self, role: str, content: str, metadata: Mapping[str, object]) -> list[str]:
        super().add(role, content, metadata)
        return ["summary"]


def test_an_id_that_comes_again_stands_for_all_it_came_from() -> None:
    (row,) = run_suite(one_query(Query("q", "1", "exact", {"m0": 2}), "a", "b"), Merging({"1": []}), k=5)
    assert row.stored.sources == {"summary": ("m0", "m1")}


class AtOnce(Scripted):
    """Answers several queries in one call."""

    def __init__(self) -> None:
        super().__init__({})
        self.batches: list[tuple[str, ...]] = []

    def search_many(self, queries: Sequence[str], k: int, filters: object = None, now: object = None) -> list[Searched]:
        self.batches.append((*queries, str(k), str(filters), str(now)))
        return [Searched(error="no") if query == "bad" else Searched((MemoryHit("id-0", 1.0),)) for query in queries]


def test_queries_of_one_moment_with_the_same_k_and_filters_are_asked_at_once() -> None:
    queries = (
        Query("a", "1", "exact", {"m0": 2}),
        Query("b", "bad", "exact", {"m0": 2}),
        Query("c", "3", "exact", {"m0": 2}, k=2),
        Query("d", "4", "exact", {"m0": 2}, filters={"role": "user"}),
    )
    system = AtOnce()
    rows = run_suite(suite(Scenario("s", memories("a"), queries)), system, k=5)
    assert sorted(system.batches) == [
        ("1", "bad", "5", "None", "None"),
        ("3", "2", "None", "None"),
        ("4", "5", "{'role': 'user'}", "None"),
    ]
    assert [row.error for row in rows] == [None, "no", None, None]


def test_every_scenario_is_reported() -> None:
    first = Scenario("s", memories("a"), (Query("q", "1", "exact", {"m0": 2}),))
    second = Scenario("t", memories("a"), (Query("q", "2", "exact", {"m0": 2}),))
    reports: list[Progress] = []
    run_suite(suite(first, second), Scripted({"1": ["a"], "2": KeyError("x")}), k=5, on_progress=reports.append)
    assert reports == [Progress("queries", 1, 2), Progress("queries", 2, 2, failed=1)]
