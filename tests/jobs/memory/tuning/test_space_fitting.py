"""What of a space makes sense for given scenarios."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import pytest

from goldproof.errors import InputError
from goldproof.io.scenarios.scenario import MemoryItem, Query, Scenario, Suite
from goldproof.jobs.memory.tuning.space import Space, ages_of, filter_fields, fit_space, left_out_remarks
from tests.jobs.memory.tuning.made_suites import RULES, suite

if TYPE_CHECKING:
    from goldproof.io.scenarios.scenario import Moment


def asked(moment: Moment | None, **metadata: object) -> Scenario:
    memory = MemoryItem("0", "user", "Said.", metadata)
    return Scenario(f"{moment} {sorted(metadata)}", (memory,), (Query("q", "?", "negative", asked_at=moment),))


def test_fields_that_no_memory_has_are_not_offered() -> None:
    space = Space(filters_from_query=("role", "turn", "topic"))
    assert fit_space(space, suite("a"), RULES).filters_from_query == ("role", "turn")
    without_turns = Suite("s", (asked(None, topic="x"),))
    assert fit_space(space, without_turns, RULES).filters_from_query == ("role", "topic")


def test_fields_are_the_role_and_the_metadata() -> None:
    assert filter_fields(Suite("s", (asked(None, b=1, role="x"), asked(None, a=1)))) == ("role", "a", "b")


@pytest.mark.parametrize(
    ("scenarios", "by"),
    [
        ([asked(5, turn=1)], "turn"),
        ([asked("2024-05-01", time="2024-01-01")], "age"),
        ([asked(date(2024, 5, 1), time="2024-01-01")], "age"),
        ([asked(1_700_000_000, time=1_600_000_000)], "age"),
        ([asked(5, turn=1), asked("2024-05-01", time="2024-01-01")], "turn"),
        ([asked(5, turn=1), asked(None, time="2024-01-01")], "turn"),
        ([asked(None, turn=1, time="2024-01-01")], "turn"),
        ([asked(None, timestamp="2024-01-01")], "age"),
        ([asked(None)], "turn"),
    ],
)
def test_ages_count_in_what_queries_are_asked_at_else_in_what_memories_have(scenarios: list[Scenario], by: str) -> None:
    assert ages_of(Suite("s", tuple(scenarios))) == by


def test_what_is_not_tried_is_said() -> None:
    space = Space(filters_from_query=("role", "topic"))
    (fields,) = left_out_remarks(space, fit_space(space, suite("a"), RULES))
    assert fields == "No development memory has topic, so filters by it were not tried."
    assert left_out_remarks(Space(), fit_space(Space(), suite("a"), RULES)) == ()


def test_k_goes_up_to_that_of_the_rules_unless_the_space_says() -> None:
    assert fit_space(Space(), suite("a"), RULES).k == (1, 3)
    assert fit_space(Space(k=(2, 9)), suite("a"), RULES).k == (2, 9)


def test_a_wrong_moment_is_said_before_anything_is_tried() -> None:
    with pytest.raises(InputError, match="it has no turn"):
        fit_space(Space(), Suite("s", (asked(5),)), RULES)
