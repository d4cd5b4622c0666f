"""The first results are read again by something better, and the best of them are kept."""

from __future__ import annotations

import hashlib
import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldproof.errors import BudgetSpentError, InputError, ModelDownError
from goldproof.records.entities import Document
from goldproof.retrieve.document_index import DocumentIndex
from goldproof.retrieve.ranking import RankingBatch
from goldproof.retrieve.stage import Request
from goldproof.retrieve.stages.rerank import LlmReranker, Rerank, open_cross_encoder, scores_of
from goldproof.user_code.calls import FailedAnswer

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

CORPUS = [Document(f"d{i}", f"text {i}", title="Title" if i == 0 else "") for i in range(12)]


class Places:
    """A source that returns the documents in the order of the index, with similarities; it fails on `bad`."""

    def __init__(self) -> None:
        self.asked: list[int] = []

    def index(self, documents: DocumentIndex) -> None:
        self.documents = documents

    def find(self, request: Request) -> RankingBatch:
        self.asked.append(request.k)
        failed = {i: "Crash: source" for i, query in enumerate(request.queries) if query == "bad"}
        rankings = [
            [(i, 100.0 - i) for i in range(min(request.k, self.documents.size))] if n not in failed and query else []
            for n, query in enumerate(request.queries)
        ]
        found = RankingBatch.of_lists(rankings, self.documents, failed=failed)
        return RankingBatch(found.starts, found.documents, found.scores, found.documents / 100, found.failed)


def reranked(by: object, *queries: str, k: int = 10, **options: int) -> tuple[list[list[str]], RankingBatch, Places]:
    source, documents = Places(), DocumentIndex(CORPUS)
    stage = Rerank(source, by, **options)
    stage.index(documents)
    found = stage.find(Request(queries or ("q",), k))
    ids, bounds = documents.ids(found.documents), found.starts.tolist()
    return [ids[low:high] for low, high in zip(bounds[:-1], bounds[1:], strict=True)], found, source  # noqa: RUF007


def by_number(query: str, texts: Sequence[str]) -> list[float]:
    """Score the last word of each text: higher numbers are better."""
    del query
    return [float(text.split()[-1]) for text in texts]


def test_the_preset_reads_ten_and_keeps_three() -> None:
    ids, found, source = reranked(by_number)
    assert source.asked == [10]
    assert ids == [["d9", "d8", "d7"]]
    assert found.scores.tolist() == [9.0, 8.0, 7.0]


def test_no_more_than_k_is_returned_and_as_much_is_read() -> None:
    ids, _, source = reranked(by_number, k=1, depth=5, keep=4)
    assert ids == [["d4"]]
    assert source.asked == [5]


def test_similarities_of_the_source_stay_with_their_documents() -> None:
    _, found, _ = reranked(by_number)
    assert found.similarity is not None
    assert found.similarity.tolist() == [0.09, 0.08, 0.07]


def test_equal_scores_keep_the_order_of_the_source_and_show_it() -> None:
    ids, found, _ = reranked(lambda query, texts: [5.0] * len(texts), depth=3)  # noqa: ARG005
    assert ids == [["d0", "d1", "d2"]]
    # Each one a millionth below the one before (relative to 5): 5, 5 - 5e-6, and 5e-6 of that less.
    assert found.scores == pytest.approx([5.0, 4.999995, 4.99999], abs=1e-9)
    assert np.all(np.diff(found.scores.astype(np.float32)) < 0)  # also for tools that compare single precision


@given(st.lists(st.integers(0, 3), min_size=1, max_size=10))
def test_the_order_is_score_then_source_and_scores_fall(grades: list[int]) -> None:
    ids, found, _ = reranked(lambda query, texts: grades, depth=len(grades), keep=len(grades))  # noqa: ARG005
    expected = sorted(range(len(grades)), key=lambda i: (-grades[i], i))
    assert ids == [[f"d{i}" for i in expected]]
    assert np.all(np.diff(found.scores) < 0)


def test_title_and_text_are_read() -> None:
    seen: list[str] = []

    def score(query: str, texts: list[str]) -> list[float]:
        seen.extend([query, *texts])
        return [0.0] * len(texts)

    reranked(score, depth=2, keep=1)
    assert seen == ["q", "Title\ntext 0", "text 1"]


def test_a_failure_of_the_source_stays_and_nothing_found_is_not_scored() -> None:
    ids, found, _ = reranked(by_number, "q", "bad", "")
    assert ids == [["d9", "d8", "d7"], [], []]
    assert found.failed == {1: "Crash: source"}


@pytest.mark.parametrize(
    ("returned", "said"),
    [
        ([1.0], "returned 1 scores for 10 texts; expected one per text"),
        ([float("nan")] * 10, "returned the score nan; expected finite numbers"),
        (["high"] * 10, "expected 10 numbers, one per text"),
        (None, "returned None; expected 10 numbers"),
    ],
)
def test_wrong_scores_fail_the_query(returned: object, said: str) -> None:
    ids, found, _ = reranked(lambda query, texts: returned)  # noqa: ARG005
    assert ids == [[]]
    assert said in found.failed[0]


def test_a_crash_fails_its_query_only() -> None:
    def score(query: str, texts: list[str]) -> list[float]:
        if query == "worse":
            raise RuntimeError("out of memory")
        return by_number(query, texts)

    ids, found, _ = reranked(score, "worse", "q")
    assert ids == [[], ["d9", "d8", "d7"]]
    assert found.failed == {0: "rerank: RuntimeError: out of memory"}


def test_the_reason_of_a_failure_holds_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    secret = "sk-very-secret-0123456789"  # noqa: S105 - made up
    monkeypatch.setenv("SOME_API_KEY", secret)

    def score(query: str, texts: list[str]) -> list[float]:
        if query == "said":
            raise FailedAnswer(f"no access with {secret}.")
        raise RuntimeError(f"{'x' * 280}{len(texts) * 0} {secret}")  # the cut at 300 would leave half of it

    _, found, _ = reranked(score, "raised", "said")
    assert found.failed[0].endswith("x0 ***")
    assert found.failed[1] == "rerank: no access with ***."


def test_a_reranker_keeps_its_own_key() -> None:
    class Scores:
        key = "scores, version 2"

        def __call__(self, query: str, texts: list[str]) -> list[float]:
            return by_number(query, texts)

    assert Rerank(Places(), Scores()).facts["by"] == "scores, version 2"


def test_a_function_is_loaded_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "my_scores_of_today.py").write_text("def score(query, texts):\n    return [-len(t) for t in texts]\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [folder for folder in sys.path if folder])
    source = hashlib.sha256((tmp_path / "my_scores_of_today.py").read_bytes()).hexdigest()
    facts = Rerank(Places(), "my_scores_of_today:score").facts
    assert facts == {"by": "my_scores_of_today:score", "source": source, "depth": 10, "keep": 3}
    ids, _, _ = reranked("my_scores_of_today:score")
    assert ids == [["d1", "d2", "d3"]]  # the shortest texts, in the source's order


@pytest.mark.parametrize(
    ("by", "options", "said"),
    [
        ("minilm", {}, "rerank: 'minilm' is not known; expected llm:MODEL"),
        ("llm:", {}, "is not known"),
        ("nothing_here:score", {}, "rerank: 'nothing_here:score': no module named"),
        (3, {}, "rerank: 3 is an int; expected llm:MODEL"),
        (by_number, {"keep": 0}, "rerank: depth=10, keep=0"),
        (by_number, {"depth": 2}, "rerank: depth=2, keep=3"),
    ],
)
def test_what_cannot_rerank_is_an_input_error(by: object, options: dict[str, int], said: str) -> None:
    with pytest.raises(InputError, match=said):
        Rerank(Places(), by, **options)


# A model that grades


def grading(answer: Callable[[str], str]) -> LlmReranker:
    return LlmReranker(answer)


def test_a_model_grades_each_document_by_itself() -> None:
    prompts: list[str] = []

    def answer(prompt: str) -> str:
        prompts.append(prompt)
        return "9" if "text 4" in prompt else "2"

    ids, found, _ = reranked(grading(answer), "what?", depth=6)
    assert ids == [["d4", "d0", "d1"]]
    assert found.scores == pytest.approx([9.0, 2.0, 1.999998])
    assert len(prompts) == 6
    assert all("what?" in prompt for prompt in prompts)


def test_an_answer_that_is_no_grade_is_asked_about_once() -> None:
    prompts: list[str] = []

    def answer(prompt: str) -> str:
        prompts.append(prompt)
        return "7" if "Your last answer was" in prompt else "It depends."

    ids, _, _ = reranked(grading(answer), depth=1, keep=1)
    assert ids == [["d0"]]
    assert len(prompts) == 2
    assert "Your last answer was: It depends." in prompts[1]


def test_a_model_that_never_grades_fails_the_query() -> None:
    _, found, _ = reranked(grading(lambda prompt: "no idea"), depth=1, keep=1)  # noqa: ARG005
    assert found.failed[0].endswith("gave no grade from 0 to 10 for document 'd0': 'no idea'.")


def test_a_crash_of_the_model_fails_the_query() -> None:
    def answer(prompt: str) -> str:
        raise ValueError(f"after {len(prompt) * 0} s")

    _, found, _ = reranked(grading(answer), depth=1, keep=1)
    assert list(found.failed) == [0]
    assert found.failed[0].startswith("rerank: ModelFailedError: model ")
    assert found.failed[0].endswith(": ValueError: after 0 s")


def test_long_documents_are_cut_and_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("goldproof.retrieve.stages.rerank.LONGEST_TEXT", 3)
    reranker = grading(lambda prompt: "1")  # noqa: ARG005
    reranked(reranker, depth=2, keep=1)
    assert reranker.remarks == ("rerank: 2 documents were graded by their first 3 characters.",)


def test_the_key_names_model_and_prompt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "my_model_of_today.py").write_text("def answer(prompt):\n    return '5'\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [folder for folder in sys.path if folder])
    stage = Rerank(Places(), "llm:my_model_of_today:answer")
    source = hashlib.sha256((tmp_path / "my_model_of_today.py").read_bytes()).hexdigest()
    by = f"llm:my_model_of_today:answer (file {source[:16]}) rerank-1"
    assert stage.facts == {"by": by, "depth": 10, "keep": 3}
    assert stage.concurrency == 4


# A cross-encoder


class PairScores:
    """What is used of a CrossEncoder: scores for pairs, as an array."""

    def __init__(self, name: str = "", labels: int = 1) -> None:
        self.name, self.labels = name, labels
        self.calls: list[int] = []

    def predict(self, pairs: Sequence[tuple[str, str]], **settings: Any) -> Any:  # noqa: ANN401 - theirs
        assert settings == {"show_progress_bar": False}
        self.calls.append(len(pairs))
        scores = np.asarray([float(text.split()[-1]) for _, text in pairs], dtype=np.float32)
        return scores if self.labels == 1 else np.stack([scores] * self.labels, axis=1)


def test_a_cross_encoder_scores_the_pairs_of_one_query_together_and_of_two_apart() -> None:
    model = PairScores()
    ids, _, _ = reranked(scores_of(model), "p", "q")
    assert ids == [["d9", "d8", "d7"]] * 2
    assert model.calls == [10, 10]


def test_a_model_with_several_labels_fails_with_the_reason() -> None:
    _, found, _ = reranked(scores_of(PairScores(labels=3)))
    assert found.failed == {0: "rerank: the cross-encoder gives 3 numbers per pair; expected a model with one label."}


def test_a_cross_encoder_is_opened_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    package = ModuleType("sentence_transformers")
    package.CrossEncoder = PairScores  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "sentence_transformers", package)
    ids, _, _ = reranked("cross-encoder:some/model", k=1)
    assert ids == [["d9"]]


def test_a_missing_package_and_a_missing_model_are_input_errors(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> object:
        raise OSError(f"{name} is not a local folder")

    package = ModuleType("sentence_transformers")
    package.CrossEncoder = missing  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "sentence_transformers", package)
    with pytest.raises(InputError, match="cross-encoder:x cannot be loaded: OSError: x is not a local folder"):
        open_cross_encoder("x")
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    with pytest.raises(InputError, match="pip install sentence-transformers"):
        open_cross_encoder("x")


@pytest.mark.parametrize("error", [BudgetSpentError("spent"), ModelDownError("off")])
def test_what_holds_for_every_further_query_ends_the_run(error: Exception) -> None:
    asked: list[str] = []

    def answer(prompt: str) -> str:
        asked.append(prompt)
        if len(asked) > 6:
            raise error
        return "5"

    with pytest.raises(type(error), match=str(error)):
        reranked(grading(answer), "one", "two", "three", depth=6)
    assert 6 < len(asked) < 18
