"""Run a pipeline over many questions: batches, latency, progress, resume.

Where all stages are ours, the first questions are asked one at a time, which gives the latency of a single search, and
the others in batches. Where a stage waits for a server, a model or a retriever of the user's, all questions are asked
one at a time, as many at once as that stage allows, and each answer is kept as soon as it is there.

One key holds everything that decides the answers: the corpus, the pipeline with the facts of its stages, k, filters and
now. An interrupted run is resumed by it; after the run is written its answers are deleted, since a server or a function
of the user's may answer otherwise tomorrow.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from math import ceil
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import orjson
import polars as pl

from goldproof import __version__
from goldproof.errors import InputError, MissingExtraError, counted, shown
from goldproof.io import json_text
from goldproof.progress import OnProgress, Progress, ignore, under
from goldproof.records.keys import content_key
from goldproof.records.tables import RankingTable
from goldproof.retrieve.checkpoint import ProgressFile
from goldproof.retrieve.document_index import DocumentIndex
from goldproof.retrieve.parallel import DaemonPool
from goldproof.retrieve.ranking import starts_of
from goldproof.retrieve.stage import Request, checked_k, concurrency_of, is_ours, stage_remarks, stages_of
from goldproof.retrieve.stages.filters import filter_mask
from goldproof.user_code.calls import attempt, checked_timeout

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from goldproof.corpus import Corpus
    from goldproof.records.arrays import BoolArray, FloatArray, IntArray
    from goldproof.records.entities import Question
    from goldproof.retrieve.pipeline import Pipeline
    from goldproof.retrieve.retriever import Filters, Moment

TIMED = 50
BATCH = 256
PERCENTILES = (50, 90, 95, 99)


@dataclass(frozen=True, slots=True)
class Search:
    """The search of each question: at most k documents that match the filters, with ages counted from now.

    timeout: seconds that a retriever of the user's or a service may take for a question; None: its own limit.
    """

    k: int = 100
    filters: Filters | None = None
    now: Moment | None = None
    timeout: float | None = None

    def __post_init__(self) -> None:
        checked_k(self.k)
        if self.filters is not None and not hasattr(self.filters, "items"):
            raise InputError(
                f"filters are {shown(self.filters)}; expected {{field: value}}, such as {{'year': '2019..2021'}}."
            )
        if self.timeout is not None:
            checked_timeout(self.timeout)


@dataclass(frozen=True, slots=True, eq=False)
class Retrieved:
    """A run with its facts for the card, latency and remarks.

    latency: of single searches, in milliseconds; None where nothing was asked. store: the answers on disk, until the
    run is written.
    """

    ranking: RankingTable
    facts: Mapping[str, object]
    latency: Mapping[str, float | int] | None
    remarks: tuple[str, ...] = ()
    store: ProgressFile | None = None

    def written(self) -> None:
        """Delete the answers that were kept in case of an interruption."""
        if self.store is not None:
            self.store.forget()


def retrieve(
    pipeline: Pipeline,
    corpus: Corpus,
    questions: Sequence[Question],
    *,
    search: Search,
    name: str = "",
    resume: bool = True,
    fresh: bool = False,
    on_progress: OnProgress = ignore,
) -> Retrieved:
    """Index the corpus and ask every question.

    name: of the run; two of the same pipeline are two runs. resume: keep answers on disk until `written` is called, and
    use those of a run that was interrupted; fresh: delete these first. on_progress: called for embedded documents and
    for answered questions.
    """
    check_questions(questions)
    _check_corpus(pipeline, corpus)
    _check_filters(corpus, search)
    report = under(name, on_progress)
    pipeline.index(corpus.documents, on_progress=report)
    facts = {
        **pipeline.facts,
        "corpus_key": corpus.key(),
        "k": search.k,
        "filters": None if search.filters is None else orjson.loads(orjson.dumps(search.filters, default=str)),
        "now": None if search.now is None else str(search.now),
    }
    store = ProgressFile(content_key(json_text(facts), name, __version__), fresh=fresh) if resume else None
    if search.timeout is not None:  # not in the key: it decides which questions fail, and those are asked again
        facts["timeout"] = search.timeout
    try:
        run = run_questions(pipeline, questions, search=search, store=store, on_progress=report)
    except BaseException:
        if store is not None:
            store.close()
        raise
    remarks = _remarks(pipeline, run.ranking, search=search, resumed=run.resumed)
    return Retrieved(run.ranking, facts, latency_summary(run.seconds), tuple(remarks), store)


def _check_corpus(pipeline: Pipeline, corpus: Corpus) -> None:
    """Refuse an empty corpus: every question would find nothing, and that would count as 0."""
    if not len(corpus) and any(getattr(stage, "searches_corpus", False) for stage in stages_of(pipeline.stage)):
        raise InputError(
            f"{pipeline}: there is nothing to search; give a corpus (--corpus SPEC), or a dataset that holds its "
            "documents."
        )


def _check_filters(corpus: Corpus, search: Search) -> None:
    """Refuse a misspelt field, or a value that no document has, before anything is embedded."""
    if search.filters and len(corpus) and not filter_mask(DocumentIndex(corpus.documents), search.filters).any():
        raise InputError(f"no document of {corpus.name} matches the filters {dict(search.filters)}.")


def _remarks(pipeline: Pipeline, ranking: RankingTable, *, search: Search, resumed: int) -> list[str]:
    remarks = []
    if resumed:
        remarks.append(f"{counted(resumed, 'answer')} reused from an interrupted run (--fresh asks again).")
    if ranking.failed:
        first, reason = next(iter(ranking.failed.items()))
        remarks.append(f"{counted(len(ranking.failed), 'question')} failed; the first, {first!r}: {reason}")
    if pipeline.documents.size and pipeline.documents.unknown_documents:
        returned = ranking.documents.unique()
        unknown = len(returned) - returned.is_in([document.id for document in pipeline.documents.corpus]).sum()
        remarks.append(f"{unknown:,} of the {len(returned):,} documents returned are not in the corpus.")
    if search.now is not None and not any(hasattr(stage, "ages") for stage in stages_of(pipeline.stage)):
        remarks.append("now has no effect: no stage counts ages.")
    return [*remarks, *stage_remarks(pipeline.stage)]


@dataclass(frozen=True, slots=True, eq=False)
class Retrieval:
    """The rankings of a run with what failed, and how long single searches took."""

    ranking: RankingTable
    seconds: tuple[float, ...]
    resumed: int = 0


def run_questions(
    pipeline: Pipeline,
    questions: Sequence[Question],
    *,
    search: Search,
    store: ProgressFile | None = None,
    on_progress: OnProgress = ignore,
) -> Retrieval:
    """Ask every question of a pipeline that is indexed.

    store: where answers are kept until the run is written; answers found there are not asked for again.
    on_progress: called after every question or batch.
    """
    check_questions(questions)
    answers = Answers(questions, pipeline.documents, store, on_progress)
    todo = answers.resume()
    asker = _Asker(pipeline, search, filter_mask(pipeline.documents, search.filters) if search.filters else None)
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


class Rows(NamedTuple):
    """The documents returned for one question, as positions in the `DocumentIndex`, with their scores."""

    documents: IntArray
    scores: FloatArray


class Batch(NamedTuple):
    """The answers to some questions; seconds: how long a single search that was answered took."""

    rows: Mapping[str, Rows]
    failed: Mapping[str, str]
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class _Asker:
    """Asks a pipeline; allowed: the filters as a mask, made once."""

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
        """Ask several questions at once; each answer is kept as soon as it is ready, whatever the others take."""
        pool = DaemonPool(lambda question: self.ask((question,), timed=True), todo, threads=concurrency)
        try:
            for question, batch in pool.results():
                answers.add((question,), batch)
        finally:
            for question, batch in pool.ready():
                answers.add((question,), batch)

    def ask(self, asked: Sequence[Question], *, timed: bool = False) -> Batch:
        """Ask some questions together; after a crash they are asked one by one."""
        start = time.perf_counter()
        answer = attempt(self.pipeline.find, self._request(asked, timed=timed), passing=(InputError, MissingExtraError))
        ranking = answer.value
        if ranking is None:
            return self._one_by_one(asked) if len(asked) > 1 else Batch({}, {asked[0].id: answer.failure or ""})
        seconds = time.perf_counter() - start
        bounds = ranking.starts.tolist()
        rows = {
            question.id: Rows(ranking.documents[low:high], ranking.scores[low:high])
            for i, (question, low, high) in enumerate(zip(asked, bounds[:-1], bounds[1:], strict=True))
            if i not in ranking.failed
        }
        failed = {asked[i].id: reason for i, reason in ranking.failed.items()}
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
            timeout=self.search.timeout,
        )

    def _one_by_one(self, asked: Sequence[Question]) -> Batch:
        """Ask the questions of a failed batch one by one, so that one bad question does not fail the others."""
        single = [self.ask((question,)) for question in asked]
        rows = {question: ranking for batch in single for question, ranking in batch.rows.items()}
        return Batch(rows, {question: reason for batch in single for question, reason in batch.failed.items()})


@dataclass(slots=True)
class Answers:
    """The answers so far: collected in batches, reported as progress, and returned as a table."""

    questions: Sequence[Question]
    documents: DocumentIndex
    store: ProgressFile | None = None
    on_progress: OnProgress = ignore
    seconds: list[float] = field(default_factory=list)
    resumed: int = 0
    _rows: dict[str, Rows] = field(default_factory=dict)
    _failed: dict[str, str] = field(default_factory=dict)

    def resume(self) -> Sequence[Question]:
        """Take in the answers of an interrupted run, and return the questions that are still to be asked."""
        if self.store is not None:
            for question, (documents, scores) in self.store.read(self.questions).items():
                positions = [self.documents.position(document) for document in documents]
                self._rows[question] = Rows(np.asarray(positions, dtype=np.int64), np.asarray(scores, dtype=np.float64))
        self.resumed = len(self._rows)
        self._tell()
        return [question for question in self.questions if question.id not in self._rows]

    def add(self, asked: Sequence[Question], batch: Batch) -> None:
        """Take in the answers to some questions."""
        self._rows.update(batch.rows)
        self._failed.update(batch.failed)
        if batch.seconds is not None:
            self.seconds.append(batch.seconds)
        if self.store is not None:
            answered = [(question, batch.rows[question.id]) for question in asked if question.id in batch.rows]
            self.store.add(
                (question, (self.documents.ids(rows.documents), rows.scores.tolist())) for question, rows in answered
            )
        self._tell()

    def table(self) -> RankingTable:
        """Return all rankings, and the questions that failed."""
        answered = [question.id for question in self.questions if question.id in self._rows]
        rows = [self._rows[question] for question in answered]
        documents = np.concatenate([np.empty(0, dtype=np.int64), *(ranking.documents for ranking in rows)])
        return RankingTable(
            questions=pl.Series("question", answered, dtype=pl.String),
            starts=starts_of(np.asarray([len(ranking.documents) for ranking in rows], dtype=np.int64)),
            documents=self.documents.id_series(documents),
            scores=np.concatenate([np.empty(0, dtype=np.float64), *(ranking.scores for ranking in rows)]),
            failed={
                question.id: self._failed[question.id] for question in self.questions if question.id in self._failed
            },
        )

    def _tell(self) -> None:
        done = len(self._rows) + len(self._failed)
        self.on_progress(Progress("questions", done, len(self.questions), len(self._failed), self.resumed))


def latency_summary(seconds: Sequence[float]) -> dict[str, float | int] | None:
    """Return mean, percentiles and maximum in milliseconds, with the number of searches; None where there were none."""
    if not seconds:
        return None
    ordered = sorted(seconds)
    ranks = {f"p{p}_ms": ordered[ceil(p / 100 * len(ordered)) - 1] * 1000 for p in PERCENTILES}
    mean = sum(ordered) / len(ordered) * 1000
    return {"searches": len(ordered), "mean_ms": mean, **ranks, "max_ms": ordered[-1] * 1000}
