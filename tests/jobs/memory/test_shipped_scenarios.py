"""The bundled scenarios are enough, whole, and mean something: no system without skill gets far on them."""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest

from goldproof.io.scenarios.scenario import KINDS, Suite
from goldproof.io.scenarios.suites import open_suites, split_suite
from goldproof.jobs.memory.criteria import default_rules
from goldproof.jobs.memory.job import run_memory
from goldproof.jobs.memory.scenario_run import run_suite
from goldproof.jobs.memory.scoring import score_rows
from goldproof.jobs.memory.self_check import TRIVIAL, pass_rates_by_kind
from goldproof.jobs.memory.timeline import timeline_of
from goldproof.metrics.memory.measures import MEASURES
from goldproof.metrics.memory.outcome import Outcome, ReturnedItem

DOMAINS = {"chat", "coding", "debate", "ocr", "support"}


@cache
def main() -> Suite:
    return open_suites(["main"])


@cache
def smoke() -> Suite:
    return open_suites(["smoke"])


def kinds_of(suite: Suite) -> Counter[str]:
    return Counter(query.kind for scenario in suite.scenarios for query in scenario.queries)


def test_there_are_more_than_forty_scenarios_of_all_domains_and_every_kind_several_times_in_both_splits() -> None:
    assert len(main().scenarios) >= 40
    assert {scenario.domain for scenario in main().scenarios} == DOMAINS
    for split in ("development", "holdout"):
        found = kinds_of(split_suite(main(), split))
        assert set(found) == set(KINDS)
        assert min(found.values()) >= 3, found


def test_the_smoke_suite_has_the_eight_named_cases() -> None:
    assert [scenario.id for scenario in smoke().scenarios] == [
        "exact-turn-recall",
        "topic-based-retrieval",
        "role-filtering",
        "recent-context-retrieval",
        "irrelevant-query-handling",
        "multi-turn-chat-context",
        "topic-switching",
        "ocr-context-recall",
    ]
    assert [scenario.queries[0].kind for scenario in smoke().scenarios] == [
        *("exact", "semantic", "cross_role", "temporal", "negative", "follow_up", "topic_switch", "ocr")
    ]


@pytest.mark.parametrize("suite", [main, smoke])
def test_every_moment_fits(suite: object) -> None:
    for scenario in suite().scenarios:  # type: ignore[operator]
        timeline_of(scenario)


def test_whole_haystacks_are_long() -> None:
    haystacks = [s for s in main().scenarios if sum(query.kind == "haystack" for query in s.queries) >= 2]
    assert len(haystacks) >= 5
    assert min(len(scenario.memories) for scenario in haystacks) >= 60


@pytest.mark.parametrize("name", ["return everything", "return nothing", "return the newest k"])
def test_a_system_without_skill_passes_less_than_a_third(name: str) -> None:
    rows = score_rows(run_suite(main(), TRIVIAL[name](), k=5), default_rules())
    assert sum(row.passed for row in rows) / len(rows) < 1 / 3


def test_keywords_alone_pass_half_of_the_queries_of_at_most_half_of_the_kinds() -> None:
    rows = score_rows(run_suite(main(), TRIVIAL["match keywords"](), k=5), default_rules())
    assert not any(row.failed for row in rows)
    passed = [kind for kind, rate in pass_rates_by_kind(rows).items() if rate >= 0.5]
    assert len(passed) <= len(KINDS) / 2
    assert sum(row.passed for row in rows) / len(rows) < 1 / 3


def test_one_right_item_does_not_pass_where_several_are_asked_for_in_time_or_of_a_role() -> None:
    # Precision is 1 then, whatever lacks.
    queries = [query for scenario in main().scenarios for query in scenario.queries]
    several = [query for query in queries if query.kind in ("temporal", "cross_role") and len(query.expected) > 1]
    assert len(several) >= 40
    for query in several:
        first = next(iter(query.expected))
        found = Outcome(expected=dict.fromkeys(query.expected, 1.0), returned=(ReturnedItem((first,), 1.0),))
        criteria = default_rules().criteria_of(query)
        values = [(criterion, MEASURES[criterion.measure].of(found).value) for criterion in criteria]
        assert not all(value is None or criterion.holds(value) for criterion, value in values), query.id


def test_every_query_can_pass_and_none_asks_for_the_whole_pool() -> None:
    result = run_memory(main(), "nothing")
    assert result.self_check.beyond_reach == {}
    assert result.self_check.small_pools == ()
    assert all(not scenarios for scenarios in result.self_check.scenarios.values())
