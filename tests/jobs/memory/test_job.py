"""A plan is opened and checked before any system is asked, and run afterwards."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from goldproof.errors import InputError
from goldproof.io.scenarios.scenario import Query, Scenario
from goldproof.jobs.memory import open_plan, run_memory, run_plan
from tests.jobs.memory.scripted import Scripted, memories, suite

if TYPE_CHECKING:
    from goldproof.records.entities import Hit
    from goldproof.study import Provenance

SUITE = suite(Scenario("s", memories("a", "b"), (Query("q", "1", "exact", {"m0": 2}),)))


class Counting(Scripted):
    """Counts how often it is asked."""

    def __init__(self) -> None:
        super().__init__({"1": ["a"]})
        self.searches = 0

    def search(self, query: str, k: int, filters: object = None, now: object = None) -> list[Hit]:
        self.searches += 1
        return super().search(query, k, filters, now)


def test_a_plan_knows_its_card_before_anything_is_asked_and_the_result_has_the_same() -> None:
    system = Counting()
    with open_plan(SUITE, systems={"x": system}, self_check=False) as plan:
        planned = plan.provenance.card(())
        assert list(plan.systems) == ["x"]
        assert system.searches == 0
        result = run_plan(plan)
    assert system.searches == 1
    assert result.provenance.card(()) == planned


def test_a_check_that_refuses_a_plan_ends_it_before_anything_is_asked() -> None:
    system = Counting()

    def refuse(provenance: Provenance) -> None:
        raise InputError(f"refused: {provenance.title}")

    with pytest.raises(InputError, match="refused: Memory benchmark"):
        run_memory(SUITE, system, check=refuse)
    assert system.searches == 0
