"""Asking a pipeline many questions: every one is answered, or failed with its reason; nothing done is lost.

Where all stages are ours, the first questions are asked one at a time, which gives the latency of a single search, and
the others in batches. Where a stage waits for something outside (a server, a model, a retriever of the user's), all are
asked one at a time, as many at once as that stage allows.
"""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from karat.core.errors import InputError, MissingExtraError
from karat.core.tables import RankingTable
from karat.retrieve.stage import Request
from karat.retrieve.walking import concurrency_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from karat.core.records import Question
    from karat.retrieve.pipeline import Pipeline
    from karat.retrieve.retriever import Filters, Moment
    from karat.retrieve.running.progress_file import Answer, ProgressFile

    OnQuestion = Callable[["Progress"], None]

TIMED = 50
BATCH = 256


@dataclass(frozen=True, slots=True)
class Search:
    """What is asked for each question: at most k documents that match the filters, with ages counted from now."""

    k: int = 100
    filters: Filters | None = None
    now: Moment | None = None


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run is; resumed: answers of an earlier run that was interrupted."""

    done: int
    all: int
    failed: int
    resumed: int


@dataclass(frozen=True, slots=True, eq=False)
class Retrieval:
    """A run: the rankings with what failed, and how long single searches took."""

    ranking: RankingTable
    seconds: tuple[float, ...]
    resumed: int = 0


@dataclass(slots=True)
class _Answers:
    """What is known so far, and who is told about it."""

    questions: Sequence[Question]
    store: ProgressFile | None
    on_question: OnQuestion | None
    known: dict[str, Answer] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)
    seconds: list[float] = field(default_factory=list)
    resumed: int = 0

    def add(self, asked: Sequence[Question], batch: _Batch) -> None:
        self.known.update(batch.answers)
        self.failed.update(batch.failed)
        if batch.seconds is not None:
            self.seconds.append(batch.seconds)
        if self.store is not None:
            self.store.add([(q, batch.answers[q.id]) for q in asked if q.id in batch.answers])
        self.tell()

    def tell(self) -> None:
        if self.on_question is not None:
            done = len(self.known) + len(self.failed)
            self.on_question(Progress(done, len(self.questions), len(self.failed), self.resumed))

    def table(self) -> RankingTable:
        ranked = {q.id: self.known[q.id] for q in self.questions if q.id in self.known}
        scores = {question: dict(zip(*answer, strict=True)) for question, answer in ranked.items()}
        return RankingTable.from_dict(
            scores, failed={q.id: self.failed[q.id] for q in self.questions if q.id in self.failed}
        )


@dataclass(frozen=True, slots=True)
class _Batch:
    """The answers to some questions; seconds: of a single search."""

    answers: Mapping[str, Answer]
    failed: Mapping[str, str]
    seconds: float | None = None


def run_questions(
    pipeline: Pipeline,
    questions: Sequence[Question],
    *,
    search: Search,
    store: ProgressFile | None = None,
    on_question: OnQuestion | None = None,
) -> Retrieval:
    """Ask every question of a pipeline that is indexed.

    store: where answers are kept until the run is written; answers found there are not asked for again.
    on_question: called after every question or batch.
    """
    _check(questions)
    answers = _Answers(questions, store, on_question)
    if store is not None:
        answers.known = store.read(questions)
        answers.resumed = len(answers.known)
    answers.tell()
    todo = [question for question in questions if question.id not in answers.known]
    concurrency = concurrency_of(pipeline.stage)
    batches = _ours(pipeline, todo, search) if concurrency is None else _outside(pipeline, todo, search, concurrency)
    for asked, batch in batches:
        answers.add(asked, batch)
    return Retrieval(answers.table(), tuple(answers.seconds), answers.resumed)


def _ours(pipeline: Pipeline, todo: Sequence[Question], search: Search) -> Iterator[tuple[Sequence[Question], _Batch]]:
    timed, rest = todo[:TIMED], todo[TIMED:]
    if timed:
        _ask(pipeline, timed[:1], search)  # the first search of a process also pays for what is loaded or compiled
    for question in timed:
        yield (question,), _ask(pipeline, (question,), search, timed=True)
    for start in range(0, len(rest), BATCH):
        asked = rest[start : start + BATCH]
        yield asked, _ask(pipeline, asked, search)


def _outside(
    pipeline: Pipeline, todo: Sequence[Question], search: Search, concurrency: int
) -> Iterator[tuple[Sequence[Question], _Batch]]:
    executor = ThreadPoolExecutor(max_workers=concurrency)
    try:
        waiting = [(question, executor.submit(_ask, pipeline, (question,), search)) for question in todo]
        for question, answer in waiting:
            yield (question,), answer.result()
    finally:
        # Without waiting for what nobody will look at: an interrupted run ends at once.
        executor.shutdown(wait=False, cancel_futures=True)


def _ask(pipeline: Pipeline, asked: Sequence[Question], search: Search, *, timed: bool = False) -> _Batch:
    request = Request(
        tuple(question.text for question in asked),
        search.k,
        ids=tuple(question.id for question in asked),
        filters=search.filters,
        now=search.now,
        timed=timed,
    )
    start = time.perf_counter()
    try:
        found = pipeline.find(request)
    except (InputError, MissingExtraError):
        raise  # wrong for every question alike: a setting, not a failure
    except Exception as error:  # noqa: BLE001 - a crash is a failed question with its reason, here and nowhere else
        return _one_by_one(pipeline, asked, search) if len(asked) > 1 else _crashed(asked[0], error)
    seconds = time.perf_counter() - start
    bounds, scores = found.starts.tolist(), found.scores.tolist()
    documents = pipeline.shelf.ids(found.documents)
    answers = {
        question.id: (documents[bounds[i] : bounds[i + 1]], scores[bounds[i] : bounds[i + 1]])
        for i, question in enumerate(asked)
        if i not in found.failed
    }
    failed = {asked[i].id: reason for i, reason in found.failed.items()}
    return _Batch(answers, failed, seconds if len(asked) == 1 and not failed else None)


def _one_by_one(pipeline: Pipeline, asked: Sequence[Question], search: Search) -> _Batch:
    """Find out which questions of a batch fail: one must not take the others with it."""
    single = [_ask(pipeline, (question,), search) for question in asked]
    answers = {question: answer for batch in single for question, answer in batch.answers.items()}
    return _Batch(answers, {question: reason for batch in single for question, reason in batch.failed.items()})


def _crashed(question: Question, error: Exception) -> _Batch:
    return _Batch({}, {question.id: f"{type(error).__name__}: {error}"})


def _check(questions: Sequence[Question]) -> None:
    empty = next((question for question in questions if not question.text.strip()), None)
    if empty is not None:
        raise InputError(f"question {empty.id!r} has no text, so it cannot be searched for; give the questions' texts.")
    if len({question.id for question in questions}) < len(questions):
        raise InputError("two of the questions have the same id; ids must be unique.")
