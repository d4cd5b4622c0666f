"""An interrupted run goes on where it was, and uses nothing that belongs to another run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import goldproof
from goldproof.io.scenarios.scenario import Query, Scenario
from goldproof.jobs.memory.scenario_run import KeptScenarios, run_suite
from tests.jobs.memory.scripted import Scripted, memories, suite

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from goldproof.io.scenarios.scenario import Suite
    from goldproof.records.entities import Hit


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOLDPROOF_HOME", str(tmp_path / "home"))


class Stoppable(Scripted):
    """Stops the whole program at one query, as an interrupt from the keyboard does."""

    def __init__(self, *, stop_at: str = "", version: int = 1) -> None:
        super().__init__({"1": ["a"], "2": ["b"], "3": ["a", "b"]})
        self.stop_at = stop_at
        self.version = version

    @property
    def facts(self) -> Mapping[str, object]:
        return {"memory": "stoppable", "version": self.version}

    def search(self, query: str, k: int, filters: object = None, now: object = None) -> list[Hit]:
        if query == self.stop_at:
            raise KeyboardInterrupt
        return super().search(query, k, filters, now)


def three(*, last: str = "3") -> Suite:
    return suite(
        *(
            Scenario(f"s{text}", memories("a", "b"), (Query("q", text, "exact", {"m0": 2}),))
            for text in ("1", "2", last)
        )
    )


def interrupted(k: int = 5) -> None:
    system = Stoppable(stop_at="3")
    kept = KeptScenarios("x", system, k=k)
    with pytest.raises(KeyboardInterrupt):
        run_suite(three(), system, k=k, kept=kept)
    kept.close()


def resumed(system: Stoppable, *, k: int = 5, scenarios: Suite | None = None) -> list[str]:
    """Go on, and return what was asked."""
    kept = KeptScenarios("x", system, k=k)
    rows = run_suite(scenarios or three(), system, k=k, kept=kept)
    kept.close()
    fresh = run_suite(scenarios or three(), Stoppable(), k=k)
    assert [(row.key, row.hits, row.stored, row.pool, row.k) for row in rows] == [
        (row.key, row.hits, row.stored, row.pool, row.k) for row in fresh
    ]
    return [asked[0] for asked in system.asked]


def test_only_what_is_left_is_asked_and_the_rows_are_those_of_an_uninterrupted_run() -> None:
    interrupted()
    assert resumed(Stoppable()) == ["3"]


def test_another_system_k_or_scenario_starts_anew() -> None:
    interrupted()
    assert resumed(Stoppable(version=2)) == ["1", "2", "3"]
    assert resumed(Stoppable(), k=4) == ["1", "2", "3"]
    other = suite(Scenario("s1", memories("a", "b", "c"), (Query("q", "1", "exact", {"m0": 2}),)))
    assert resumed(Stoppable(), scenarios=other) == ["1"]


def test_a_scenario_in_which_something_failed_is_tried_again() -> None:
    failing = Stoppable()
    failing.script = {**failing.script, "2": RuntimeError("down")}
    kept = KeptScenarios("x", failing, k=5)
    run_suite(three(), failing, k=5, kept=kept)
    kept.close()
    assert resumed(Stoppable()) == ["2"]


def test_a_result_that_is_delivered_leaves_nothing_behind(tmp_path: Path) -> None:
    result = goldproof.run_memory(three(), Stoppable(), resume=True, self_check=False)
    assert list((tmp_path / "home/runs").iterdir())
    result.forget()
    assert list((tmp_path / "home/runs").iterdir()) == []


def test_two_systems_of_one_class_do_not_share_what_is_kept() -> None:
    good, bad = Stoppable(), Stoppable()
    bad.script = {**bad.script, "1": ["b"]}
    result = goldproof.run_memory(three(), systems={"good": good, "bad": bad}, resume=True, self_check=False)
    assert result.runs["good"].rows[0].passed
    assert not result.runs["bad"].rows[0].passed


class Remarking(Stoppable):
    """Has something to say about each second query."""

    @property
    def remarks(self) -> tuple[str, ...]:
        said = sum(asked[0] == "2" for asked in self.asked)
        return (f"{said} answers were odd.",) if said else ()


def test_a_scenario_with_a_remark_is_run_again_so_that_the_remarks_are_the_same() -> None:
    first = Remarking(stop_at="3")
    kept = KeptScenarios("x", first, k=5)
    with pytest.raises(KeyboardInterrupt):
        run_suite(three(), first, k=5, kept=kept)
    kept.close()
    second = Remarking()
    assert resumed(second) == ["2", "3"]
    assert second.remarks == ("1 answers were odd.",)


class Unscored:
    """A memory of the user's whose answers are remarked on: some have no score. Stops at one query."""

    stop_at = ""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.asked: list[str] = []

    def clear(self) -> None:
        self.texts = []

    def add(self, role: str, content: str, metadata: object) -> None:  # noqa: ARG002
        self.texts.append(content)

    def search(self, query: str, k: int) -> list[tuple[str, float | None]]:
        if query == self.stop_at:
            raise KeyboardInterrupt
        self.asked.append(query)
        return [(text, None if place else 0.5) for place, text in enumerate(self.texts)][:k]


def test_scenarios_of_a_memory_of_the_users_are_kept_with_what_is_remarked() -> None:
    stopped, again = Unscored(), Unscored()
    stopped.stop_at = "3"
    with pytest.raises(KeyboardInterrupt):
        goldproof.run_memory(three(), {"mine": stopped}, resume=True, self_check=False)
    result = goldproof.run_memory(three(), {"mine": again}, resume=True, self_check=False)
    assert (stopped.asked, again.asked) == (["1", "2"], ["3"])
    assert result.runs["mine"].resumed == 2
    uninterrupted = goldproof.run_memory(three(), {"mine": Unscored()}, self_check=False)
    assert result.remarks == uninterrupted.remarks
    assert any("for 3 of 3 queries some scores were missing" in remark for remark in result.remarks)


def test_fresh_begins_without_what_is_kept() -> None:
    interrupted()
    system = Stoppable()
    kept = KeptScenarios("x", system, k=5, fresh=True)
    run_suite(three(), system, k=5, kept=kept)
    kept.close()
    assert [asked[0] for asked in system.asked] == ["1", "2", "3"]
