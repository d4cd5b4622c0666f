"""`goldproof.MemoryBenchmark`: cases in Python."""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING, Any

import pytest

import goldproof
from goldproof.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable

DEBATE = [
    ("moderator", "Welcome to the debate on trams.", {"turn": 0}),
    ("proponent", "Trams carry four times as many people as a lane of cars.", {"turn": 1}),
    ("opponent", "Laying the rails closes the street for three years.", {"turn": 2}),
    ("proponent", "A tram lasts forty years, a bus twelve.", {"turn": 3}),
]


class Found:
    """What its search returns: objects with an id and a score."""

    def __init__(self, id: str, score: float) -> None:  # noqa: A002 - the attribute's name
        self.id = id
        self.score = score


class Manager:
    """A memory manager with add_interaction and search_memories."""

    def __init__(self, answers: dict[str, list[tuple[int, float]]]) -> None:
        self.answers = answers
        self.stored: list[tuple[str, str, dict[str, Any]]] = []

    def clear(self) -> None:
        self.stored = []

    def add_interaction(self, role: str, content: str, metadata: dict[str, Any]) -> str:
        self.stored.append((role, content, metadata))
        return f"mem_{len(self.stored) - 1}"

    def search_memories(self, query: str, top_k: int = 5, filter_metadata: object = None) -> list[Found]:  # noqa: ARG002
        return [Found(f"mem_{place}", score) for place, score in self.answers[query]][:top_k]


def test_cases_run_and_give_the_usual_keys() -> None:
    manager = Manager({"capacity?": [(1, 0.62), (3, 0.41)], "crypto?": [], "costs?": [(2, 0.5)]})
    result = (
        goldproof.MemoryBenchmark(manager)
        .add_case("Exact Turn Recall", DEBATE, "capacity?", [1], threshold=0.9)
        .add_case("Irrelevant Query", DEBATE, "crypto?", [])
        .add_case("Two Wanted", DEBATE, "costs?", [2, 3])
        .run()
    )
    summary = result["summary"]
    # precision: 1/2, nothing where nothing should come: 1, 1/1; recall over the two positive ones: 1 and 1/2.
    assert summary["total_tests"] == 3
    assert summary["passed"] == 2
    assert summary["pass_rate"] == pytest.approx(2 / 3)
    assert summary["avg_precision"] == pytest.approx((1 / 2 + 1 + 1) / 3)
    assert summary["avg_recall"] == pytest.approx((1 + 1 / 2) / 2)
    # F1: 2 * 1/2 * 1 / (3/2) = 2/3, and 2 * 1 * 1/2 / (3/2) = 2/3.
    assert summary["avg_f1"] == pytest.approx(2 / 3)
    # relevance over the first |expected|: 1/1, and (1 + 0) / 2.
    assert summary["avg_relevance_score"] == pytest.approx(0.75)
    assert summary["target_met"] is False
    assert summary["n"] == {"avg_precision": 3, "avg_recall": 2, "avg_f1": 2, "avg_relevance_score": 2}
    first, nothing, two = result["individual_results"]
    assert first["test"] == "Exact Turn Recall"
    assert first["passed"] is True
    metrics = first["metrics"]
    assert {key: metrics[key] for key in ("retrieved_count", "expected_count", "true_positives")} == {
        "retrieved_count": 2,
        "expected_count": 1,
        "true_positives": 1,
    }
    assert metrics["similarity"] == pytest.approx(0.62)
    assert nothing["passed"] is True
    assert nothing["metrics"]["precision"] == 1
    assert nothing["metrics"]["recall"] is None
    assert two["passed"] is False


def test_a_negative_case_fails_when_anything_surfaces() -> None:
    result = goldproof.MemoryBenchmark(Manager({"?": [(0, 0.2)]})).add_case("n", DEBATE, "?", []).run()
    (one,) = result["individual_results"]
    assert one["passed"] is False
    assert one["metrics"]["precision"] == 0


def test_grades_count_in_the_threshold() -> None:
    manager = Manager({"?": [(1, 0.6), (3, 0.5)]})
    # (2/2 + 1/2) / 2 = 0.75
    for threshold, passed in ((0.75, True), (0.76, False)):
        result = goldproof.MemoryBenchmark(manager).add_case("g", DEBATE, "?", {1: 2, 3: 1}, threshold).run()
        assert result["summary"]["passed"] == int(passed)


def test_a_crash_is_a_failed_test_and_the_others_run() -> None:
    manager = Manager({"good?": [(1, 0.5)]})  # no answer for the other: KeyError
    result = (
        goldproof.MemoryBenchmark(manager)
        .add_case("bad", DEBATE, "bad?", [1])
        .add_case("good", DEBATE, "good?", [1])
        .run()
    )
    bad, good = result["individual_results"]
    assert bad["metrics"]["precision"] is None
    assert bad["metrics"]["expected_count"] == 1
    assert bad["passed"] is False
    assert bad["error"].startswith("KeyError")
    assert good["passed"] is True
    summary = result["summary"]
    assert summary["failed"] == 1
    assert summary["pass_rate"] == 0.5
    # The mean over what ran is 1; with the failure as 0 it is 0.5, so nobody can say that the target is met.
    assert summary["avg_relevance_score"] == 1
    assert summary["with_failed_as_zero"]["avg_relevance_score"] == 0.5
    assert summary["target_met"] is None


def test_memories_may_be_pairs_mappings_or_texts() -> None:
    memories = [("user", "a"), {"role": "user", "content": "b", "metadata": {"turn": 2}}, "c"]
    result = goldproof.MemoryBenchmark(Manager({"?": [(2, 1.0)]})).add_case("m", memories, "?", [2]).run()
    assert result["summary"]["passed"] == 1


def test_goldproofs_own_memory_is_a_system_like_any_other() -> None:
    result = goldproof.MemoryBenchmark("dense(minilm) | top(1)").add_case(
        "own", DEBATE, "How long is the street closed for the rails?", [2]
    )
    assert result.run()["summary"]["passed"] == 1


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"expected": [4]}, "case 'c': expects memory 4; expected a place from 0 to 3."),
        ({"expected": "1"}, "case 'c': expected is a str, expected places such as [1] or {1: 2}."),
        ({"expected": {1: 3}}, "case 'c': memory 1 has grade 3; expected 0, 1 or 2."),
        ({"threshold": 85}, "case 'c': threshold is 85, expected a number from 0 to 1."),
        ({"query": " "}, "case 'c': the query is ' ', expected some text."),
        ({"k": 0}, "case 'c': k is 0, expected a whole number above 0."),
        ({"memories": "text"}, "case 'c': memories are a str, expected a list of (role, content, metadata)."),
        (
            {"memories": [("user", "")]},
            (
                "case 'c', memory 0: is ('user', ''); expected (role, content, metadata), (role, content), a mapping "
                "with role and content, or a text."
            ),
        ),
    ],
)
def test_wrong_cases_are_refused_in_a_sentence(change: dict[str, Any], message: str) -> None:
    given = {"memories": DEBATE, "query": "?", "expected": [1], **change}
    with pytest.raises(InputError) as found:
        goldproof.MemoryBenchmark(Manager({})).add_case("c", **given)
    assert str(found.value) == message


def test_a_name_is_used_once_and_a_benchmark_without_cases_says_so() -> None:
    benchmark = goldproof.MemoryBenchmark(Manager({}))
    with pytest.raises(InputError, match="has no case"):
        benchmark.run()
    benchmark.add_case("c", DEBATE, "?", [1])
    with pytest.raises(InputError, match="case 'c' is there already"):
        benchmark.add_case("c", DEBATE, "?", [1])


def test_only_the_memory_itself_is_open_after_a_run_and_goes_with_its_result(
    open_databases: Callable[[], list[str]],
) -> None:
    benchmark = goldproof.MemoryBenchmark("dense(minilm) | floor(0.9) | top(1)", k=1)
    result = benchmark.add_case("missed", DEBATE, "How long does it take to build?", [2]).run(match="similarity")
    (diagnosis,) = result.diagnoses[next(iter(result.runs))]
    assert diagnosis.analysed
    assert open_databases() == [":memory:"]
    del benchmark, result
    gc.collect()
    assert open_databases() == []
