"""Asking a pipeline many questions: every one is answered, or failed with its reason; nothing done is lost.

Where all stages are ours, the first questions are asked one at a time, which gives the latency of a single search, and
the others in batches. Where a stage waits for something outside (a server, a model, a retriever of the user's), all are
asked one at a time, as many at once as that stage allows, and each answer is kept as soon as it is there.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from goldproof.errors import BudgetSpentError, InputError, MissingExtraError, ModelDownError, reason_of
from goldproof.retrieve.at_once import AtOnce
from goldproof.retrieve.filtering.filters import filter_mask
from goldproof.retrieve.running.answers import Answers, Batch, Rows
from goldproof.retrieve.stage import Request
from goldproof.retrieve.walking import concurrency_of, is_ours

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from goldproof.records.arrays import BoolArray
    from goldproof.records.entities import Question
    from goldproof.records.tables import RankingTable
    from goldproof.retrieve.pipeline import Pipeline
    from goldproof.retrieve.retriever import Filters, Moment
    from goldproof.retrieve.running.answers import Progress
    from goldproof.retrieve.running.progress_file import ProgressFile

TIMED = 50
BATCH = 256


@dataclass(frozen=True, slots=True)
class Search:
    """What is asked for each question: at most k documents that match the filters, with ages counted from now."""

    k: int = 100
    filters: Filters | None = None
    now: Moment | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Retrieval:
    """A run: the rankings with what failed, and how long single searches took."""

    ranking: RankingTable
    seconds: tuple[float, ...]
    resumed: int = 0


def run_questions(
    pipeline: Pipeline,
    questions: Sequence[Question],
    *,
    search: Search,
    store: ProgressFile | None = None,
    on_question: Callable[[Progress], None] | None = None,
) -> Retrieval:
    """Ask every question of a pipeline that is indexed.

    store: where answers are kept until the run is written; answers found there are not asked for again.
    on_question: called after every question or batch.
    """
    check_questions(questions)
    answers = Answers(questions, pipeline.shelf, store, on_question)
    todo = answers.resume()
    asker = _Asker(pipeline, search, filter_mask(pipeline.shelf, search.filters) if search.filters else None)
    concurrency = concurrency_of(pipeline.stage)
    if concurrency is None:
        for asked, batch in asker.in_batches(todo):
            answers.add(asked, batch)
    else:
        asker.at_once(todo, concurrency, answers)
    return Retrieval(answers.table(), tuple(answers.seconds), answers.resumed)


def check_questions(questions: Sequence[Question]) -> None:
    """Refuse questions without a text, and two of one id."""
    empty = next((question for question in questions if not question.text.strip()), None)
    if empty is not None:
        raise InputError(f"question {empty.id!r} has no text, so it cannot be searched for; give the questions' texts.")
    if len({question.id for question in questions}) < len(questions):
        raise InputError("two of the questions have the same id; ids must be unique.")


@dataclass(frozen=True, slots=True)
class _Asker:
    """A pipeline with what is asked of it; allowed: the filters as a mask, made once."""

    pipeline: Pipeline
    search: Search
    allowed: BoolArray | None

    def in_batches(self, todo: Sequence[Question]) -> Iterator[tuple[Sequence[Question], Batch]]:
        """Ask the first questions alone, to time them, and the others together."""
        timed, rest = todo[:TIMED], todo[TIMED:]
        if timed and is_ours(self.pipeline.stage):
            self.ask(timed[:1], timed=True)  # the first search of a process also pays for what is loaded or compiled
        for question in timed:
            yield (question,), self.ask((question,), timed=True)
        for start in range(0, len(rest), BATCH):
            asked = rest[start : start + BATCH]
            yield asked, self.ask(asked)

    def at_once(self, todo: Sequence[Question], concurrency: int, answers: Answers) -> None:
        """Ask several questions at once; answers are kept as they are ready, so that a slow one holds none back."""
        work = AtOnce(lambda question: self.ask((question,), timed=True), todo, threads=concurrency)
        try:
            for question, batch in work.results():
                answers.add((question,), batch)
        finally:
            for question, batch in work.ready():
                answers.add((question,), batch)

    def ask(self, asked: Sequence[Question], *, timed: bool = False) -> Batch:
        """Ask some questions together; a crash is found out question by question."""
        start = time.perf_counter()
        try:
            found = self.pipeline.find(self._request(asked, timed=timed))
        except (InputError, MissingExtraError, BudgetSpentError, ModelDownError):
            raise  # wrong for every question alike: a setting, not a failure
        # A crash is a failed question with its reason, here and nowhere else; code of the user's may also try to exit.
        except (Exception, SystemExit) as error:  # noqa: BLE001
            return self._one_by_one(asked) if len(asked) > 1 else _crashed(asked[0], error)
        seconds = time.perf_counter() - start
        bounds = found.starts.tolist()
        rows = {
            question.id: Rows(found.documents[low:high], found.scores[low:high])
            for i, (question, low, high) in enumerate(zip(asked, bounds[:-1], bounds[1:], strict=True))
            if i not in found.failed
        }
        failed = {asked[i].id: reason for i, reason in found.failed.items()}
        return Batch(rows, failed, seconds if len(asked) == 1 and not failed else None)

    def _request(self, asked: Sequence[Question], *, timed: bool) -> Request:
        return Request(
            tuple(question.text for question in asked),
            self.search.k,
            ids=tuple(question.id for question in asked),
            allowed=self.allowed,
            filters=self.search.filters,
            now=self.search.now,
            timed=timed,
        )

    def _one_by_one(self, asked: Sequence[Question]) -> Batch:
        """Find out which questions of a batch fail: one must not take the others with it."""
        single = [self.ask((question,)) for question in asked]
        rows = {question: found for batch in single for question, found in batch.rows.items()}
        return Batch(rows, {question: reason for batch in single for question, reason in batch.failed.items()})


def _crashed(question: Question, error: BaseException) -> Batch:
    return Batch({}, {question.id: reason_of(error)})
