"""A plan is opened and checked before any system is asked, and run afterwards."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from goldproof.errors import InputError
from goldproof.io.scenarios.scenario import Query, Scenario
from goldproof.jobs.memory import open_plan, run_memory, run_plan
from tests.jobs.memory.scripted import Scripted, memories, suite

if TYPE_CHECKING:
    from goldproof.study import Provenance

SUITE = suite(Scenario("s", memories("a", "b"), (Query("q", "1", "exact", {"m0": 2}),)))


def test_a_plan_knows_its_card_before_anything_is_asked_and_the_result_has_the_same() -> None:
    system = Scripted({"1": ["a"]})
    with open_plan(SUITE, systems={"x": system}, self_check=False) as plan:
        planned = plan.provenance.card(())
        assert list(plan.systems) == ["x"]
        assert system.asked == []
        result = run_plan(plan)
    assert len(system.asked) == 1
    assert result.runs["x"].rows[0].passed
    assert result.provenance.card(()) == planned


def test_a_check_that_refuses_a_plan_ends_it_before_anything_is_asked() -> None:
    system = Scripted({"1": ["a"]})

    def refuse(provenance: Provenance) -> None:
        raise InputError(f"refused: {provenance.title}")

    with pytest.raises(InputError, match="refused: Memory benchmark"):
        run_memory(SUITE, system, check=refuse)
    assert system.asked == []
