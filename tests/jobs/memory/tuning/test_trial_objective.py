"""What is maximised."""

from __future__ import annotations

import pytest

from goldproof.errors import InputError, UnknownNameError
from goldproof.io.scenarios.scenario import Query, Scenario, Suite
from goldproof.jobs.memory.records import Answered, ScoredQuery, Stored
from goldproof.jobs.memory.tuning.trial import check_defined, check_objective, mean_of
from goldproof.metrics.memory.outcome import Measured

SCENARIO = Scenario("s", (), ())
NEGATIVE = Query("n", "?", "negative")
POSITIVE = Query("p", "?", "semantic", {"a": 2})


def row(query: Query, *, error: str | None = None, passed: bool = False, **values: float | None) -> ScoredQuery:
    answered = Answered(SCENARIO, query, (), Stored(), k=5, error=error)
    return ScoredQuery(answered, values={name: Measured(value) for name, value in values.items()}, passed=passed)


def test_a_failed_query_counts_zero() -> None:
    # 1, 0.5 and 0: the mean is 1.5 / 3 = 0.5
    rows = [row(POSITIVE, f1_or_silence=1.0), row(NEGATIVE, f1_or_silence=0.5), row(POSITIVE, error="boom")]
    assert mean_of(rows, "f1_or_silence") == pytest.approx(0.5)


def test_a_query_without_a_value_is_left_out_and_so_is_a_failed_one_that_could_have_none() -> None:
    # recall is undefined for negative queries, answered or failed: (1 + 0) / 2
    rows = [
        row(POSITIVE, recall=1.0),
        row(NEGATIVE, recall=None),
        row(NEGATIVE, error="boom"),
        row(POSITIVE, error="boom"),
    ]
    assert mean_of(rows, "recall") == pytest.approx(0.5)


def test_the_pass_rate_is_over_all_queries() -> None:
    # 1 of 4
    rows = [row(POSITIVE, passed=True), row(POSITIVE), row(NEGATIVE), row(NEGATIVE, error="boom")]
    assert mean_of(rows, "pass_rate") == pytest.approx(0.25)


@pytest.mark.parametrize(
    ("given", "name"),
    [("f1_score", "f1"), ("hit@1", "Hit@1"), ("passed", "pass_rate"), ("relevance", "relevance_score")],
)
def test_an_objective_may_have_its_other_name(given: str, name: str) -> None:
    assert check_objective(given) == name


@pytest.mark.parametrize("name", ["tokens", "false_surface", "similarity", "relevance_of_hits", "ordering"])
def test_what_silence_or_failure_could_win_is_no_objective(name: str) -> None:
    with pytest.raises(InputError, match="could win by returning nothing"):
        check_objective(name)


def test_an_unknown_objective_is_refused_with_near_names() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'recall'"):
        check_objective("recal")


def test_an_objective_without_a_value_for_any_query_is_refused() -> None:
    suite = Suite("s", (Scenario("a", (), (NEGATIVE,)),))
    with pytest.raises(InputError, match="every development query is a negative one"):
        check_defined("recall", suite)
    check_defined("f1_or_silence", suite)
    check_defined("recall", Suite("s", (Scenario("a", (), (NEGATIVE, POSITIVE)),)))
