"""Asking many questions: answered, or failed with a reason, and nothing lost on the way."""

from __future__ import annotations

import os
import threading
import time
from typing import TYPE_CHECKING

import numpy as np
import pytest

from goldproof.corpus import Corpus
from goldproof.embed.cache import CachedEmbedder
from goldproof.errors import BudgetSpentError, InputError
from goldproof.io.storage.home import make_home
from goldproof.records.entities import Document, Hit, Question
from goldproof.retrieve import Pipeline, Search, bm25, dense, hybrid, open_retriever, own, retrieve, run_questions
from goldproof.retrieve.checkpoint import ProgressFile
from goldproof.retrieve.run import TIMED, latency_summary
from goldproof.retrieve.stage import concurrency_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from goldproof.progress import Progress
    from goldproof.retrieve.ranking import RankingBatch
    from goldproof.retrieve.stage import Request

DOCUMENTS = tuple(Document(f"d{i}", f"word{i} common") for i in range(20))
QUESTIONS = tuple(Question(f"q{i}", f"word{i % 20} common") for i in range(TIMED + 300))


@pytest.fixture(autouse=True)
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOLDPROOF_HOME", str(tmp_path / "home"))


class Counting:
    """A retriever that counts what it is asked, and fails or stops where told to."""

    def __init__(self, *, fail: Sequence[str] = (), stop_after: int | None = None) -> None:
        self.asked: list[str] = []
        self._fail = set(fail)
        self._stop_after = stop_after
        self._lock = threading.Lock()

    def search(self, query: str, k: int) -> list[Hit]:
        with self._lock:
            if self._stop_after is not None and len(self.asked) >= self._stop_after:
                raise KeyboardInterrupt
            self.asked.append(query)
        if query in self._fail:
            raise RuntimeError(f"no answer to {query}")
        return [Hit("d1", 2.0), Hit("d2", 1.0)][:k]


def test_every_question_is_answered_whether_alone_or_in_a_batch() -> None:
    pipeline = open_retriever("bm25")
    pipeline.index(DOCUMENTS)
    done = run_questions(pipeline, QUESTIONS, search=Search(k=3))
    assert done.ranking.questions.to_list() == [question.id for question in QUESTIONS]
    by_question = done.ranking.to_dict()
    # q0 was asked alone, q320 in a batch, with the same text
    assert by_question["q0"] == by_question["q320"]
    assert next(iter(by_question["q7"])) == "d7"
    assert len(done.seconds) == TIMED
    assert not done.ranking.failed


def test_a_question_that_crashes_is_failed_with_its_reason_and_takes_no_other_with_it() -> None:
    pipeline = open_retriever(Counting(fail=["word3 common"]))
    pipeline.index(DOCUMENTS)
    done = run_questions(pipeline, QUESTIONS[:10], search=Search(k=2))
    assert dict(done.ranking.failed) == {"q3": "RuntimeError: no answer to word3 common"}
    assert len(done.ranking.questions) == 9
    assert len(done.seconds) == 9


def test_progress_counts_done_and_failed() -> None:
    seen: list[Progress] = []
    pipeline = open_retriever(Counting(fail=["word1 common"]))
    pipeline.index(DOCUMENTS)
    run_questions(pipeline, QUESTIONS[:4], search=Search(k=2), on_progress=seen.append)
    assert [one.done for one in seen] == [0, 1, 2, 3, 4]
    assert (seen[-1].failed, seen[-1].total, seen[-1].cached) == (1, 4, 0)


def test_an_interrupted_run_goes_on_where_it_was_and_forgets_when_it_is_written() -> None:
    corpus, search = Corpus("test", DOCUMENTS), Search(k=2)
    first = Counting(stop_after=4)
    with pytest.raises(KeyboardInterrupt):
        retrieve(open_retriever(first), corpus, QUESTIONS[:10], search=search)
    second = Counting()
    done = retrieve(open_retriever(second), corpus, QUESTIONS[:10], search=search)
    assert sorted(first.asked + second.asked) == sorted(question.text for question in QUESTIONS[:10])
    assert any("4 answers reused from an interrupted run" in remark for remark in done.remarks)
    done.written()
    third = Counting()
    retrieve(open_retriever(third), corpus, QUESTIONS[:10], search=search).written()
    assert len(third.asked) == 10


def test_what_failed_is_asked_again_by_the_next_run() -> None:
    corpus, search = Corpus("test", DOCUMENTS), Search(k=2)
    failing = retrieve(open_retriever(Counting(fail=["word2 common"])), corpus, QUESTIONS[:5], search=search)
    assert list(failing.ranking.failed) == ["q2"]
    again = Counting()
    done = retrieve(open_retriever(again), corpus, QUESTIONS[:5], search=search)
    assert again.asked == ["word2 common"]
    assert not done.ranking.failed


def test_fresh_asks_everything_again() -> None:
    corpus, search = Corpus("test", DOCUMENTS), Search(k=2)
    retrieve(open_retriever(Counting()), corpus, QUESTIONS[:5], search=search)
    again = Counting()
    retrieve(open_retriever(again), corpus, QUESTIONS[:5], search=search, fresh=True)
    assert len(again.asked) == 5


@pytest.mark.parametrize("change", ["corpus", "k", "filters", "text", "now", "name"])
def test_answers_to_something_else_are_not_taken_for_these(change: str) -> None:
    documents, search, questions = DOCUMENTS, Search(k=2), QUESTIONS[:3]
    retrieve(open_retriever(Counting()), Corpus("test", documents), questions, search=search)
    if change == "corpus":
        documents = (*DOCUMENTS[:-1], Document("d19", "another text"))
    elif change == "k":
        search = Search(k=1)
    elif change == "filters":
        search = Search(k=2, filters={"id": "d1"})
    elif change == "now":
        search = Search(k=2, now=3)
    elif change == "text":
        questions = tuple(Question(question.id, f"{question.text} now") for question in questions)
    again = Counting()
    name = "other" if change == "name" else ""
    retrieve(open_retriever(again), Corpus("test", documents), questions, search=search, name=name)
    assert len(again.asked) == 3


def test_slow_retrievers_are_asked_at_once_and_the_order_of_answers_stays() -> None:
    running: list[int] = []
    most: list[int] = []
    lock = threading.Lock()

    class Slow:
        def search(self, query: str, k: int) -> list[Hit]:
            with lock:
                running.append(1)
                most.append(len(running))
            time.sleep(0.02)
            with lock:
                running.pop()
            return [Hit(query.split(maxsplit=1)[0], 1.0)][:k]

    pipeline = own(Slow(), concurrency=4)
    pipeline.index(())
    done = run_questions(pipeline, QUESTIONS[:12], search=Search(k=1))
    assert done.ranking.documents.to_list() == [f"word{i}" for i in range(12)]
    assert 1 < max(most) <= 4


def test_a_question_without_text_is_refused_before_anything_is_asked() -> None:
    asked = Counting()
    pipeline = open_retriever(asked)
    pipeline.index(DOCUMENTS)
    with pytest.raises(InputError, match="'q1' has no text"):
        run_questions(pipeline, (Question("q0", "a"), Question("q1", " ")), search=Search())
    assert asked.asked == []


def test_a_wrong_setting_is_the_users_error_not_a_failed_question() -> None:
    pipeline = open_retriever("bm25")
    pipeline.index((Document("d1", "text", metadata={"year": 2019}),))
    with pytest.raises(InputError, match="year"):
        run_questions(pipeline, QUESTIONS[:1], search=Search(filters={"yaer": 2019}))


def test_a_spent_budget_ends_the_run_and_what_was_answered_is_kept() -> None:
    class Dear(Counting):
        def search(self, query: str, k: int) -> list[Hit]:
            if len(self.asked) == 2:
                raise BudgetSpentError("spent")
            return super().search(query, k)

    dear = Dear()
    pipeline = open_retriever(dear)
    pipeline.index(DOCUMENTS)
    with pytest.raises(BudgetSpentError, match="spent"):
        run_questions(pipeline, QUESTIONS[:5], search=Search(), store=ProgressFile("c" * 64))
    assert len(ProgressFile("c" * 64).read(QUESTIONS[:5])) == 2


def test_latency_is_by_nearest_rank() -> None:
    # of 1..20 ms: the 50th percentile is the 10th value, the 95th the 19th, the 99th ceil(19.8) = the 20th
    summary = latency_summary([i / 1000 for i in range(20, 0, -1)])
    assert summary is not None
    assert (summary["p50_ms"], summary["p95_ms"], summary["p99_ms"]) == pytest.approx((10, 19, 20))
    assert (summary["mean_ms"], summary["max_ms"], summary["searches"]) == pytest.approx((10.5, 20, 20))
    assert latency_summary([]) is None


def test_a_progress_file_survives_being_left_open() -> None:
    store = ProgressFile("a" * 64)
    store.add([(QUESTIONS[0], (["d1"], [1.5]))])
    other = ProgressFile("a" * 64)
    assert other.read(QUESTIONS[:2]) == {"q0": (["d1"], [1.5])}
    other.forget()
    assert not other.path.exists()
    store.close()


class CountedFind(Pipeline):
    """Counts how often and with how many queries it is asked."""

    def __init__(self) -> None:
        super().__init__(open_retriever("bm25").expression)
        self.sizes: list[int] = []

    def find(self, request: Request) -> RankingBatch:
        self.sizes.append(len(request.queries))
        return super().find(request)


def test_the_first_search_is_made_once_more_so_that_loading_does_not_count_as_latency() -> None:
    pipeline = CountedFind()
    pipeline.index(DOCUMENTS)
    done = run_questions(pipeline, QUESTIONS[: TIMED + 10], search=Search(k=1))
    assert pipeline.sizes == [1] * (TIMED + 1) + [10]
    assert len(done.seconds) == TIMED


def test_answers_are_kept_as_they_come_so_that_a_slow_question_holds_none_back() -> None:
    release = threading.Event()

    class Mine(Counting):
        slow = True

        def search(self, query: str, k: int) -> list[Hit]:
            if query == QUESTIONS[0].text and self.slow:
                release.wait(30)
                raise KeyboardInterrupt
            found = super().search(query, k)
            if len(self.asked) == 9:
                release.set()
            return found

    corpus = Corpus("test", DOCUMENTS)
    with pytest.raises(KeyboardInterrupt):
        retrieve(own(Mine(), concurrency=4), corpus, QUESTIONS[:10], search=Search(k=2))
    again = Mine()
    again.slow = False
    retrieve(own(again, concurrency=4), corpus, QUESTIONS[:10], search=Search(k=2))
    assert again.asked == [QUESTIONS[0].text]


def test_the_stage_that_allows_least_at_once_decides() -> None:
    first, second = own(Counting(), concurrency=3), own(Counting(), concurrency=2)
    assert concurrency_of(open_retriever("bm25").stage) is None
    assert concurrency_of(hybrid(first, second, bm25()).stage) == 2


def test_the_latency_of_a_dense_search_includes_embedding_its_query() -> None:
    class Local:
        key = "local"
        is_local = True

        def __init__(self) -> None:
            self.queries: list[str] = []

        def embed(self, texts: Sequence[str], purpose: str) -> object:
            if purpose == "query":
                self.queries += texts
            return np.eye(len(texts), 4, dtype=np.float32)

    model = Local()
    pipeline = dense(CachedEmbedder(model, make_home() / "vectors"))  # type: ignore[arg-type]
    pipeline.index(DOCUMENTS[:4])
    run_questions(pipeline, QUESTIONS[:3], search=Search(k=1))
    # once for the first search, which is not counted, and once more for each that is
    assert sorted(model.queries) == sorted([QUESTIONS[0].text, *(question.text for question in QUESTIONS[:3])])


def test_a_misspelt_filter_is_found_before_anything_is_embedded() -> None:
    def embed(texts: list[str]) -> list[list[float]]:
        raise AssertionError(texts)

    corpus = Corpus("test", (Document("d1", "text", metadata={"year": 2019}),))
    with pytest.raises(InputError, match="year"):
        retrieve(dense(embed), corpus, QUESTIONS[:1], search=Search(filters={"yaer": 2019}))


def test_code_that_tries_to_exit_is_a_failed_question() -> None:
    class Exits(Counting):
        def search(self, query: str, k: int) -> list[Hit]:
            if query == QUESTIONS[1].text:
                raise SystemExit(3)
            return super().search(query, k)

    pipeline = open_retriever(Exits())
    pipeline.index(DOCUMENTS)
    done = run_questions(pipeline, QUESTIONS[:3], search=Search(k=1))
    assert dict(done.ranking.failed) == {"q1": "SystemExit: 3"}


def test_a_retriever_that_takes_batches_is_asked_each_question_once() -> None:
    class Batches(Counting):
        def search_many(self, queries: list[str], k: int) -> list[list[Hit]]:
            return [self.search(query, k) for query in queries]

    mine = Batches()
    pipeline = open_retriever(mine)
    pipeline.index(DOCUMENTS)
    run_questions(pipeline, QUESTIONS[: TIMED + 5], search=Search(k=1))
    assert len(mine.asked) == TIMED + 5


def test_filters_that_no_document_matches_are_refused() -> None:
    corpus = Corpus("test", (Document("d1", "text", metadata={"role": "user"}),))
    with pytest.raises(InputError, match="no document of test matches"):
        retrieve(open_retriever("bm25"), corpus, QUESTIONS[:1], search=Search(filters={"role": "usr"}))


def test_now_without_ages_is_said_to_have_no_effect() -> None:
    corpus = Corpus("test", DOCUMENTS)
    done = retrieve(open_retriever("bm25"), corpus, QUESTIONS[:1], search=Search(now=3), resume=False)
    assert "now has no effect: no stage counts ages." in done.remarks


@pytest.mark.parametrize("spec", ["bm25 | decay", "recency", "bm25 | recent_from_query"])
def test_now_has_an_effect_where_a_stage_counts_ages(spec: str) -> None:
    corpus = Corpus("test", (Document("d1", "text", metadata={"turn": 1}),))
    done = retrieve(open_retriever(spec), corpus, QUESTIONS[:1], search=Search(now=3), resume=False)
    assert "now has no effect: no stage counts ages." not in done.remarks


def test_a_run_without_any_answer_leaves_nothing_behind() -> None:
    with pytest.raises(KeyboardInterrupt):
        retrieve(open_retriever(Counting(stop_after=0)), Corpus("test", DOCUMENTS), QUESTIONS[:2], search=Search(k=1))
    assert not list((make_home() / "runs").iterdir())


def test_answers_that_nobody_came_back_for_are_removed_after_a_month() -> None:
    ProgressFile("a" * 64).add([(QUESTIONS[0], (["d1"], [1.0]))])
    (old,) = (make_home() / "runs").glob("*.sqlite")
    os.utime(old, (0, 0))
    ProgressFile("b" * 64).close()
    assert not old.exists()
