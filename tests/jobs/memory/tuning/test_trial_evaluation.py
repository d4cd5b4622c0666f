"""What one configuration is worth, and what keeps it from being run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from goldproof.errors import BudgetSpentError
from goldproof.jobs.memory.tuning import trial as trial_module
from goldproof.jobs.memory.tuning.trial import try_configuration
from tests.jobs.memory.tuning.made_suites import RULES, suite

if TYPE_CHECKING:
    from goldproof.jobs.memory.tuning.trial import TrialRecord

SUITE = suite("ash")


def crashing(texts: list[str]) -> list[list[float]]:
    raise ZeroDivisionError(f"{len(texts)} texts")


def spent(texts: list[str]) -> list[list[float]]:
    raise BudgetSpentError(f"{len(texts)} texts would cost too much.")


def tried(pipeline: str) -> TrialRecord:
    return try_configuration(4, pipeline, suite=SUITE, rules=RULES, objective="recall")


def test_the_value_is_the_mean_of_the_objective() -> None:
    # Two of three questions have two answers, and one memory comes: (0.5 + 0.5 + 1) / 3
    found = tried("bm25 | top(1)")
    assert found.value == pytest.approx(2 / 3)
    assert (found.number, found.failed_queries) == (4, 0)


def test_what_cannot_be_opened_has_its_reason_and_no_value() -> None:
    found = tried("rerank(bm25)")
    assert found.value is None
    assert found.reason.startswith("InputError: ")


def test_code_of_the_user_that_crashes_fails_the_trial_with_its_reason() -> None:
    found = tried(f"dense({__name__}:crashing)")
    assert (found.value, found.failed_queries) == (None, 4)
    assert "ZeroDivisionError" in found.reason


def test_a_spent_budget_ends_the_search() -> None:
    with pytest.raises(BudgetSpentError):
        tried(f"dense({__name__}:spent)")


def test_a_fault_in_scoring_is_no_failed_trial(monkeypatch: pytest.MonkeyPatch) -> None:
    def faulty(*_: object) -> None:
        raise ValueError("ours")

    monkeypatch.setattr(trial_module, "score_rows", faulty)
    with pytest.raises(ValueError, match="ours"):
        tried("bm25 | top(1)")
