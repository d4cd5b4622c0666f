from __future__ import annotations

import pytest

from goldproof.errors import InputError
from goldproof.io.scenarios.scenario import MemoryItem, Query, Scenario
from goldproof.jobs.memory.timeline import moments_of, timeline_of
from tests.jobs.memory.scripted import memories


def scenario(*queries: Query, stored: tuple[MemoryItem, ...] | None = None) -> Scenario:
    return Scenario("s", stored or memories("a", "b", "c", "d"), queries)


def test_only_memories_strictly_before_the_query_are_stored() -> None:
    # a to d are of the turns 1 to 4; turn 3 sees a and b.
    laid = timeline_of(scenario(Query("q", "?", "exact", {"m0": 2}, asked_at=3)))
    (step,) = laid.steps
    assert [memory.content for memory in laid.pool(step)] == ["a", "b"]
    assert step.now == 3


def test_a_query_that_does_not_say_when_comes_after_everything() -> None:
    laid = timeline_of(scenario(Query("q", "?", "exact", {"m3": 2}), Query("p", "?", "exact", {"m0": 2}, asked_at=2)))
    assert [(step.now, step.before, [q.id for q in step.queries]) for step in laid.steps] == [
        (2, 1, ["p"]),
        (None, 4, ["q"]),
    ]


def test_each_memory_is_stored_once_in_the_order_of_time() -> None:
    shuffled = tuple(reversed(memories("a", "b", "c", "d")))
    laid = timeline_of(
        scenario(
            Query("q", "?", "exact", {"m3": 2}, asked_at=9),
            Query("p", "?", "exact", {"m0": 2}, asked_at="2"),
            stored=shuffled,
        )
    )
    assert [[memory.content for memory in step.stored] for step in laid.steps] == [["a"], ["b", "c", "d"]]


def test_times_count_by_the_time_of_each_memory() -> None:
    stored = (
        MemoryItem("x", "user", "early", {"timestamp": "2024-05-01T09:00"}),
        MemoryItem("y", "user", "late", {"timestamp": "2024-05-02"}),
    )
    laid = timeline_of(scenario(Query("q", "?", "exact", {"x": 2}, asked_at="2024-05-02"), stored=stored))
    # A day begins at midnight, so the memory of that day is not earlier than the day.
    assert laid.steps[0].before == 1
    assert laid.steps[0].now == "2024-05-02"


def test_without_any_moment_the_order_of_the_file_is_the_order_of_time() -> None:
    stored = (MemoryItem("x", "user", "one"), MemoryItem("y", "user", "two"))
    laid = timeline_of(scenario(Query("q", "?", "exact", {"y": 2}), stored=stored))
    assert [memory.content for memory in laid.memories] == ["one", "two"]


@pytest.mark.parametrize(
    ("queries", "stored", "message"),
    [
        (
            (Query("q", "?", "exact", {"m3": 2}, asked_at=3),),
            None,
            (
                "scenario 's', query 'q': expects memory 'm3', which is not stored before 3; ask later, or expect "
                "something else."
            ),
        ),
        (
            (
                Query("q", "?", "exact", {"m0": 2}, asked_at=3),
                Query("p", "?", "exact", {"m0": 2}, asked_at="2024-01-01"),
            ),
            None,
            "scenario 's': some queries are asked at turns and some at times; use one of them.",
        ),
        (
            (Query("q", "?", "exact", {"x": 2}, asked_at=3),),
            (MemoryItem("x", "user", "one"),),
            "scenario 's', memory 'x': it has no turn, but queries are asked at turns; give every memory one.",
        ),
        (
            (Query("q", "?", "exact", {"m0": 2}, asked_at="soon"),),
            (MemoryItem("m0", "user", "one", {"date": "2024-01-01"}),),
            "query 'q': asked_at is 'soon'; expected a turn such as 5 or a time such as 2024-05-01T09:30.",
        ),
    ],
)
def test_wrong_moments_are_named(
    queries: tuple[Query, ...], stored: tuple[MemoryItem, ...] | None, message: str
) -> None:
    with pytest.raises(InputError) as found:
        timeline_of(scenario(*queries, stored=stored))
    assert str(found.value) == message


def test_for_order_turns_count_before_times_before_places() -> None:
    turns = (MemoryItem("a", "u", "x", {"turn": 7}), MemoryItem("b", "u", "y", {"turn": "2"}))
    times = (MemoryItem("a", "u", "x", {"date": "1970-01-02"}), MemoryItem("b", "u", "y", {"time": 5}))
    neither = (MemoryItem("a", "u", "x", {"turn": 1}), MemoryItem("b", "u", "y"))
    assert moments_of(turns) == {"a": 7.0, "b": 2.0}
    assert moments_of(times) == {"a": 86400.0, "b": 5.0}
    assert moments_of(neither) == {"a": 0.0, "b": 1.0}
