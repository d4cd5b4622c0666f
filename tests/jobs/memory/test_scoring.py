from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from goldproof.io.scenarios.scenario import Query, Scenario
from goldproof.jobs.memory.criteria import default_rules
from goldproof.jobs.memory.matching import TextMatcher
from goldproof.jobs.memory.records import NoRuling
from goldproof.jobs.memory.scenario_run import run_suite
from goldproof.jobs.memory.scoring import panel_of, score_rows
from goldproof.jobs.memory.targets import unexpected_share
from goldproof.judge import Ruling
from goldproof.judge.judge import open_judge
from goldproof.metrics.memory.criterion import parse_criterion
from goldproof.records.entities import Hit
from tests.jobs.memory.scripted import Scripted, memories, one_query, suite

if TYPE_CHECKING:
    from collections.abc import Sequence

    from goldproof.jobs.memory.records import ScoredQuery
    from goldproof.judge import Label
    from goldproof.records.entities import Document, Question

CONTENTS = ("a", "b", "c", "d", "e", "f")


def scored(query: Query, answer: Sequence[str] | Exception) -> ScoredQuery:
    rows = run_suite(one_query(query, *CONTENTS), Scripted({query.text: answer}), k=5)
    (found,) = score_rows(rows, default_rules())
    return found


@pytest.mark.parametrize(
    ("kind", "expected", "answer", "passed"),
    [
        # Hit@1 = 1: the first counts.
        ("exact", {"m0": 2}, ["a", "b"], True),
        ("exact", {"m0": 2}, ["b", "a"], False),
        # recall > 0.9: 2 of 2, not 1 of 2.
        ("semantic", {"m0": 2, "m1": 2}, ["c", "a", "b"], True),
        ("semantic", {"m0": 2, "m1": 2}, ["a"], False),
        # precision > 0.85: 2 of 2, not 2 of 3.
        ("temporal", {"m4": 2, "m5": 2}, ["f", "e"], True),
        ("temporal", {"m4": 2, "m5": 2}, ["f", "e", "d"], False),
        # precision > 0.8: 5 of 5; 4 of 5 is 0.8 and not above.
        ("cross_role", {f"m{i}": 2 for i in range(4)}, ["a", "b", "c", "d"], True),
        ("cross_role", {f"m{i}": 2 for i in range(4)}, ["a", "b", "c", "d", "e"], False),
        ("negative", {}, [], True),
        ("negative", {}, ["a"], False),
        # relevance_score >= 0.85: the first |expected| count, fewer than that count 0.
        ("follow_up", {"m0": 2}, ["a", "b"], True),
        ("follow_up", {"m0": 2}, ["b", "a"], False),
        ("topic_switch", {"m0": 2, "m1": 2}, ["a"], False),
        ("ocr", {"m0": 2}, ["a"], True),
        ("update", {"m5": 2}, ["f", "a"], True),
        ("update", {"m5": 2}, ["a", "f"], False),
        ("haystack", {"m3": 2}, ["a", "d"], True),
        ("paraphrase", {"m3": 2}, ["a"], False),
        ("kernel", {"m0": 2, "m1": 2}, ["a", "c", "b"], True),
        ("kernel", {"m0": 2, "m1": 2}, ["a", "c"], False),
    ],
)
def test_each_kind_has_its_criterion(kind: str, expected: dict[str, int], answer: list[str], *, passed: bool) -> None:
    assert scored(Query("q", "?", kind, expected), answer).passed is passed


def test_criteria_of_the_query_take_the_place_of_those_of_its_kind() -> None:
    strict = (parse_criterion("recall > 0.9"), parse_criterion("precision >= 0.5"))
    query = Query("q", "?", "semantic", {"m0": 2}, criteria=strict)
    row = scored(query, ["a", "b", "c"])
    # recall 1/1, precision 1/3
    assert [(str(one.criterion), one.value, one.holds) for one in row.tried] == [
        ("recall > 0.9", 1.0, True),
        ("precision >= 0.5", pytest.approx(1 / 3), False),
    ]
    assert not row.passed


def test_a_criterion_on_an_undefined_measure_says_nothing_and_alone_passes_nothing() -> None:
    both = (parse_criterion("recall > 0.9"), parse_criterion("false_surface = 0"))
    assert scored(Query("q", "?", "negative", {}, criteria=both), []).passed
    assert not scored(Query("q", "?", "negative", {}, criteria=both[:1]), []).passed


def test_a_failed_query_has_no_values_and_does_not_pass() -> None:
    row = scored(Query("q", "?", "negative", {}), RuntimeError("down"))
    assert row.failed
    assert not row.passed
    assert row.values == {}
    assert row.outcome is None


def test_grades_kernels_order_and_tokens_reach_the_measures() -> None:
    query = Query("q", "?", "temporal", {"m0": 2, "m5": 1}, kernels=(("m0",), ("m5", "m0")))
    row = scored(query, ["a", "f", "b"])
    values = {name: one.value for name, one in row.values.items()}
    # grades 2 and 1 over the first two: (1 + 0.5) / 2; order: newest first asked, the old came first: 0 of 1 pair
    assert values["relevance_score"] == pytest.approx(0.75)
    assert values["relevance_of_hits"] == pytest.approx(0.75)
    assert values["set_success"] == 1
    assert values["ordering"] == 0
    assert values["tokens"] == 3  # three texts of one character, each rounded up to one token


def test_order_is_asked_of_temporal_queries_newest_first_and_of_others_where_they_say_so() -> None:
    expected = {"m0": 2, "m5": 2}
    assert scored(Query("q", "?", "temporal", expected), ["f", "a"]).values["ordering"].value == 1
    assert scored(Query("q", "?", "temporal", expected, order="oldest"), ["f", "a"]).values["ordering"].value == 0
    assert scored(Query("q", "?", "semantic", expected), ["f", "a"]).values["ordering"].value is None


def judged(query: Query, answer: Sequence[str], grades: dict[str, Ruling]) -> ScoredQuery:
    async def judge(question: Question, documents: list[Document]) -> Ruling:  # noqa: ARG001
        return grades[documents[0].text]

    rows = run_suite(one_query(query, *CONTENTS), Scripted({query.text: answer}), k=5)
    opened = open_judge(judge)
    (found,) = score_rows(rows, default_rules(), judge=opened)
    return found


def test_a_judge_grades_what_came_in_place_of_the_scenario() -> None:
    yes, no = Ruling("yes"), Ruling("no")
    row = judged(Query("q", "?", "follow_up", {"m0": 2, "m1": 2}), ["c", "a"], {"c": yes, "a": no})
    # c was not expected, and the judge finds it relevant; a was, and is not: (1 + 0) / 2
    assert row.values["relevance_score"].value == pytest.approx(0.5)
    assert row.values["precision"].value == pytest.approx(0.5)  # by what was expected, as ever
    assert row.values["relevance_of_hits"].value == 0  # of the one expected that came


def test_where_the_judge_fails_relevance_has_failed_and_is_never_zero() -> None:
    failed = Ruling("failed", reason="timeout")
    row = judged(Query("q", "?", "follow_up", {"m0": 2}), ["a", "b"], {"a": failed, "b": Ruling("no")})
    assert row.values["relevance_score"].value is None
    assert row.values["relevance_score"].reason == "the judge failed: timeout"
    assert row.values["recall"].value == 1
    assert not row.passed
    assert row.values["relevance_score"].failed
    assert row.undecided == NoRuling("the judge failed: timeout", failed=True)


@pytest.mark.parametrize(
    ("label", "says"),
    [
        ("unsupported", "the judge proved nothing: a yes without a quote."),
        ("disputed", "the judge disputed the question: a yes without a quote."),
        ("abstained", "the judge abstained: a yes without a quote."),
    ],
)
def test_a_ruling_that_cannot_be_used_leaves_relevance_undefined_and_never_zero(label: Label, says: str) -> None:
    silent = Ruling(label, reason="a yes without a quote.")
    row = judged(Query("q", "?", "follow_up", {"m0": 2}), ["a", "b"], {"a": silent, "b": Ruling("no")})
    assert row.values["relevance_score"] == (None, says, False)
    assert row.values["relevance_of_hits"] == (None, says, False)
    assert row.undecided == NoRuling(says, failed=False)
    assert row.values["recall"].value == 1


def test_an_unusable_grade_of_an_item_that_does_not_count_changes_nothing() -> None:
    silent = Ruling("unsupported", reason="a yes without a quote.")
    row = judged(Query("q", "?", "follow_up", {"m0": 2}), ["a", "b"], {"a": Ruling("yes"), "b": silent})
    assert row.values["relevance_score"].value == 1  # the first of one expected memory
    assert row.undecided is None


def test_a_judge_that_fails_cannot_make_a_query_pass_and_a_missed_criterion_decides_without_it() -> None:
    failed = Ruling("failed", reason="timeout")
    both = (parse_criterion("relevance_score >= 0.85"), parse_criterion("recall > 0.5"))
    open_one = judged(Query("q", "?", "semantic", {"m0": 2}, criteria=both), ["a"], {"a": failed})
    assert (open_one.passed, open_one.undecided) == (False, NoRuling("the judge failed: timeout", failed=True))
    missed = judged(Query("q", "?", "semantic", {"m0": 2}, criteria=both), ["b"], {"b": failed})
    assert (missed.passed, missed.undecided) == (False, None)  # recall is 0, whatever the judge would have said


def test_an_item_that_the_judge_could_not_match_fails_its_query() -> None:
    async def down(question: Question, documents: list[Document]) -> Ruling:  # noqa: ARG001
        return Ruling("failed", reason="TimeoutError")

    query = Query("q", "?", "exact", {"m0": 2})
    rows = run_suite(one_query(query, "an apple a day", "b"), Rewriting({"?": ["an apple a day"]}), k=5)
    (found,) = score_rows(rows, default_rules(), matcher=TextMatcher(down))
    assert found.failed
    why = "what was returned could not be matched: the judge failed: TimeoutError"
    assert found.answered.error == why
    assert found.undecided == NoRuling(why, failed=True)
    (row,) = panel_of({"x": [found]}).to_scores(("passed",)).frame.to_dicts()
    assert (row["value"], row["status"], row["reason"]) == (None, "failed", why)  # the judge failed, not the system


@pytest.mark.parametrize("label", ["unsupported", "abstained", "disputed"])
def test_an_item_on_which_the_judge_of_texts_cannot_be_used_leaves_its_query_undefined(label: Label) -> None:
    async def silent(question: Question, documents: list[Document]) -> Ruling:  # noqa: ARG001
        return Ruling(label, reason="a yes without a quote.")

    query = Query("q", "?", "temporal", {"m0": 2})
    rows = run_suite(one_query(query, "an apple a day", "b"), Rewriting({"?": ["an apple a day"]}), k=5)
    (found,) = score_rows(rows, default_rules(), matcher=TextMatcher(silent))
    assert not found.failed
    assert found.undecided is not None
    assert not found.undecided.failed
    assert found.undecided.reason.startswith("what was returned could not be matched: the judge ")
    valued = {name: one.value for name, one in found.values.items() if one.value is not None}
    assert valued == {"tokens": 7}  # 27 characters, "it was said: an apple a day" / 4, rounded up; no precision of 0
    assert found.values["precision"].reason == found.undecided.reason
    assert found.values["false_surface"].reason == "something should come"
    assert unexpected_share([found]) is None
    frame = panel_of({"x": [found]}).to_scores(("passed", "recall")).frame
    assert frame["status"].to_list() == ["undefined", "undefined"]


def test_what_the_judge_of_texts_cannot_read_still_breaks_the_silence_of_a_negative_query() -> None:
    async def silent(question: Question, documents: list[Document]) -> Ruling:  # noqa: ARG001
        return Ruling("failed", reason="TimeoutError")

    query = Query("q", "?", "negative", {})
    rows = run_suite(one_query(query, "an apple a day", "b"), Rewriting({"?": ["an apple a day"]}), k=5)
    (found,) = score_rows(rows, default_rules(), matcher=TextMatcher(silent))
    assert (found.failed, found.undecided, found.passed) == (False, None, False)
    assert found.values["false_surface"].value == 1


class Rewriting(Scripted):
    """Returns other words under ids that nobody has seen."""

    def search(self, query: str, k: int, filters: object = None, now: object = None) -> list[Hit]:
        found = super().search(query, k, filters, now)
        return [Hit(f"fact-{place}", hit.score, f"it was said: {hit.text}") for place, hit in enumerate(found)]


def test_negatives_are_not_put_before_the_judge() -> None:
    row = judged(Query("q", "?", "negative", {}), ["a"], {})
    assert row.values["precision"].value == 0


def test_rows_keep_their_order_with_failures_between() -> None:
    queries = tuple(Query(name, name, "exact", {"m0": 2}) for name in ("x", "y", "z"))
    system = Scripted({"x": ["a"], "y": ValueError("no"), "z": ["b"]})
    rows = run_suite(suite(Scenario("s", memories("a", "b"), queries)), system, k=5)
    found = score_rows(rows, default_rules())
    assert [(row.key, row.passed, row.failed) for row in found] == [
        ("s/x", True, False),
        ("s/y", False, True),
        ("s/z", False, False),
    ]
