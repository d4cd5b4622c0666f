"""Targets, triggers and self-checks of whole runs, on systems that do as they are told."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import goldproof
from goldproof.io.scenarios.scenario import Query, Scenario, Suite
from goldproof.jobs.memory.criteria import default_rules
from goldproof.jobs.memory.targets import unexpected_share
from goldproof.metrics.memory import parse_criterion
from tests.jobs.memory.scripted import Scripted, memories, suite

if TYPE_CHECKING:
    from goldproof.jobs.memory.result import MemoryResult

CONTENTS = ("apple tree", "blue boat", "copper coin", "dull day", "early east", "far field", "grey goat")


def run(queries: tuple[Query, ...], script: dict[str, list[str] | Exception], **options: object) -> MemoryResult:
    scenarios = tuple(Scenario(query.id, memories(*CONTENTS), (query,)) for query in queries)
    return goldproof.run_memory(suite(*scenarios), Scripted(script), **options)  # type: ignore[arg-type]


def queries(*expected: dict[str, int]) -> tuple[Query, ...]:
    return tuple(
        Query(f"q{place}", f"ask {place}", "semantic" if wanted else "negative", wanted)
        for place, wanted in enumerate(expected)
    )


def test_each_target_says_where_the_run_stands_and_whether_it_is_met() -> None:
    asked = queries({"m0": 2}, {"m1": 2})
    result = run(asked, {"ask 0": ["apple tree"], "ask 1": ["blue boat", "copper coin"]})
    targets = {target.criterion.measure: target for target in result.targets()}
    # precision (1 + 1/2) / 2 = 0.75 is below 0.8; recall 1; F1 (1 + 2/3) / 2 = 0.83 below 0.85; all pass (recall > 0.9)
    assert targets["precision"].standing.value == pytest.approx(0.75)
    assert [(name, target.met) for name, target in targets.items()] == [
        ("relevance_score", True),
        ("precision", False),
        ("recall", True),
        ("f1", False),
        ("pass_rate", True),
    ]


def test_failures_that_decide_leave_a_target_undecided() -> None:
    asked = queries({"m0": 2}, {"m1": 2})
    result = run(asked, {"ask 0": ["apple tree"], "ask 1": RuntimeError("down")})
    targets = {target.criterion.measure: target for target in result.targets()}
    assert targets["recall"].standing.value == 1
    assert targets["recall"].standing.worst == 0.5
    assert targets["recall"].met is None
    # Of the pass rate a failed query is no unknown: it has not passed.
    assert targets["pass_rate"].standing.value == 0.5
    assert targets["pass_rate"].met is False


def test_an_interval_that_holds_the_threshold_is_said_to_be_too_wide() -> None:
    asked = queries(*({f"m{place % 7}": 2} for place in range(12)))
    script: dict[str, list[str] | Exception] = {f"ask {place}": [CONTENTS[place % 7]] for place in range(12)}
    script |= {"ask 0": ["grey goat", "far field"], "ask 1": ["grey goat"]}
    targets = {target.criterion.measure: target for target in run(asked, script).targets()}
    # 10 of 12 are right: 0.83, and the interval reaches from below 0.85 to above it.
    assert targets["relevance_score"].too_wide
    assert targets["relevance_score"].to_dict()["too_wide_to_tell"] is True
    assert "too few queries to tell" in str(run(asked, script))


def test_all_passed_by_few_may_be_luck_and_no_interval_at_all_is_too_wide() -> None:
    one = run(queries({"m0": 2}), {"ask 0": ["apple tree"]})
    targets = {target.criterion.measure: target for target in one.targets()}
    assert targets["pass_rate"].met is True
    assert all(target.too_wide for target in targets.values())
    missed = run(queries({"m0": 2}, {"m1": 2}), {"ask 0": ["apple tree"], "ask 1": []})
    rates = {target.criterion.measure: target for target in missed.targets()}
    assert not rates["pass_rate"].too_wide  # one that failed is enough to say that not all pass


def test_the_pass_rate_lies_in_its_interval_also_with_failures() -> None:
    asked = queries(*({f"m{place % 7}": 2} for place in range(8)))
    script: dict[str, list[str] | Exception] = {f"ask {place}": [CONTENTS[place % 7]] for place in range(4)}
    script |= {f"ask {place}": RuntimeError("down") for place in range(4, 8)}
    one = {target.criterion.measure: target for target in run(asked, script).targets()}["pass_rate"].standing
    assert one.value == 0.5
    assert one.low is not None
    assert one.high is not None
    assert one.low < 0.5 < one.high


def test_triggers_name_the_queries_that_cause_them_worst_first() -> None:
    asked = queries({"m0": 2}, {"m1": 2}, {"m2": 2, "m3": 2}, {})
    script: dict[str, list[str] | Exception] = {
        "ask 0": ["apple tree"],
        "ask 1": ["grey goat"],
        "ask 2": ["copper coin", "grey goat", "far field"],
        "ask 3": ["apple tree"],
    }
    found = {str(one.trigger.criterion): one for one in run(asked, script).triggers()}
    # relevance: 1, 0, (1 + 0) / 2 -> mean 0.5; recall 1, 0, 0.5 -> 0.5; unexpected: 0 + 1 + 2 + 1 of 6 returned
    assert found["relevance_score < 0.7"].value == pytest.approx(0.5)
    assert found["relevance_score < 0.7"].trigger.level == "critical"
    assert found["relevance_score < 0.7"].queries == ("q1", "q2")
    assert found["recall < 0.8"].queries == ("q1", "q2")
    assert found["unexpected_share > 0.2"].value == pytest.approx(4 / 6)
    assert found["unexpected_share > 0.2"].queries == ("q2", "q1", "q3")


def test_nothing_returned_at_all_has_no_unexpected_share() -> None:
    result = run(queries({"m0": 2}), {"ask 0": []})
    assert unexpected_share(next(iter(result.runs.values())).rows) is None
    assert [str(one.trigger.criterion) for one in result.triggers()] == ["relevance_score < 0.7", "recall < 0.8"]


def test_the_benchmark_warns_of_scenarios_that_a_trivial_system_passes() -> None:
    asked = (
        Query("newest", "what came last?", "temporal", {"m6": 2, "m5": 2}, k=2),
        Query("word", "the copper thing", "exact", {"m2": 2}),
        Query("hard", "metal money", "exact", {"m2": 2}),
    )
    script: dict[str, list[str] | Exception] = {query.text: [] for query in asked}
    check = run(asked, script).self_check
    assert check.scenarios["return the newest k"] == ("newest",)
    assert check.scenarios["match keywords"] == ("word",)
    assert check.scenarios["return everything"] == ()
    assert check.pass_rates["match keywords"] == pytest.approx(1 / 3)
    assert check.by_kind["match keywords"] == {"temporal": 0.0, "exact": 0.5}
    assert check.remarks() == (
        (
            "self-check: trivial memories pass whole scenarios, which prove little "
            "(return the newest k: newest; match keywords: word)."
        ),
    )


def test_a_trivial_memory_that_passes_as_many_queries_limits_the_conclusion() -> None:
    # Of three queries the newest k pass one, and keywords pass one; the first of the two is named.
    asked = (
        Query("newest", "what came last?", "temporal", {"m6": 2, "m5": 2}, k=2),
        Query("word", "the copper thing", "exact", {"m2": 2}),
        Query("hard", "metal money", "exact", {"m2": 2}),
    )

    def yardstick(**answers: list[str]) -> list[tuple[str, str]]:
        result = run(asked, {query.text: answers.get(query.id, []) for query in asked})
        return [(note.text, note.kind) for note in result.notes if "of 3 (33.3%)" in note.text]

    coin = ["copper coin"]
    assert yardstick() == [("The trivial memory `newest` passes 1 of 3 (33.3%), more than this one.", "limits")]
    assert yardstick(word=coin) == [
        ("The trivial memory `newest` passes 1 of 3 (33.3%), as many as this one.", "limits")
    ]
    assert yardstick(word=coin, hard=coin) == [("Trivial memories pass at most 1 of 3 (33.3%), by `newest`.", "data")]


def test_a_trivial_memory_is_not_measured_against_itself_and_failures_against_nothing() -> None:
    asked = (Query("q", "ask 0", "exact", {"m6": 2}, criteria=(parse_criterion("precision = 1"),), k=1),)
    itself = goldproof.run_memory(suite(Scenario("s", memories(*CONTENTS), asked)), "newest")
    # It returns grey goat (m6) alone; everything has a precision of 1/7, nothing and keywords have none.
    said = [note.text for note in itself.notes if "of 1 (" in note.text]
    assert said == ["Trivial memories pass at most 0 of 1 (0.0%), by `everything`."]
    down = run(asked, {"ask 0": RuntimeError("down")})
    assert not any("this one" in note.text or "at most" in note.text for note in down.notes)


def test_the_benchmark_warns_where_k_reaches_the_pool() -> None:
    asked = (Query("early", "?", "semantic", {"m0": 2}, asked_at=4), Query("late", "?", "semantic", {"m0": 2}))
    check = run(asked, {"?": []}).self_check
    # Asked at turn 4 there are three memories, and five are asked for.
    assert check.small_pools == ("early",)
    assert "in 1 query k is at least the number of stored memories" in check.remarks()[0]


def test_a_large_load_is_not_checked_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("goldproof.jobs.memory.self_check.MOST_PAIRS", 6)
    check = run(queries({"m0": 2}), {"ask 0": []}).self_check
    assert check.pass_rates == {}
    assert "trivial systems were not tried: 7 pairs" in check.skipped
    assert check.to_dict()["skipped"] == check.skipped


def test_k_and_criteria_can_be_given() -> None:
    system = Scripted({"ask 0": ["apple tree"]})
    scenarios = (Scenario("s", memories(*CONTENTS), queries({"m0": 2})),)
    result = goldproof.run_memory(Suite("t", scenarios), system, k=3, self_check=False)
    assert system.asked[0][1] == 3
    assert result.rules.k == 3
    assert result.rules.kinds == default_rules().kinds


def test_a_failed_query_is_not_charged_to_measures_that_it_never_has() -> None:
    asked = queries({"m0": 2}, {})
    result = run(asked, {"ask 0": ["apple tree"], "ask 1": RuntimeError("down")})
    targets = {target.criterion.measure: target for target in result.targets()}
    assert targets["recall"].standing.worst == 1
    assert targets["recall"].met is True
    assert targets["precision"].met is None  # of which the negative query would have had a value
    assert result.triggers() == ()
    column = result.study.panel.column(next(iter(result.runs)), "recall")
    assert column.reason_counts() == {"nothing should come": 1}


def test_the_target_is_undecided_where_failures_decide_and_false_where_it_is_missed() -> None:
    right: list[str] = ["apple tree"]
    crashed = run(queries({"m0": 2}, {"m1": 2}), {"ask 0": right, "ask 1": RuntimeError("down")})
    assert crashed["summary"]["target_met"] is None
    missed = run(queries({"m0": 2}), {"ask 0": ["blue boat"]})
    assert missed["summary"]["target_met"] is False
    met = run(queries({"m0": 2}), {"ask 0": right})
    assert met["summary"]["target_met"] is True


def test_a_trigger_that_fires_by_failures_alone_says_so() -> None:
    result = run(queries({"m0": 2}, {"m1": 2}), {"ask 0": ["apple tree"], "ask 1": RuntimeError("down")})
    found = {str(one.trigger.criterion): one for one in result.triggers()}
    assert found["recall < 0.8"].by_failures
    assert found["recall < 0.8"].queries == ("q1",)
    assert "50.0% with failures" in str(result)
