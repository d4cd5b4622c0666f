"""A whole run of one pipeline: documents indexed, questions asked, interruptions survived.

What decides the answers is one key: the corpus, the pipeline with what its stages say of themselves, k, filters and
now. An interrupted run goes on by it; a run that was written is forgotten, since a server or a function of the user's
may answer otherwise tomorrow.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import orjson

from goldproof.errors import InputError
from goldproof.io.json_files import json_text
from goldproof.records.keys import content_key
from goldproof.retrieve.filtering.filters import filter_mask
from goldproof.retrieve.running.asking import check_questions, run_questions
from goldproof.retrieve.running.latency import latency_summary
from goldproof.retrieve.running.progress_file import ProgressFile
from goldproof.retrieve.shelf import Shelf
from goldproof.retrieve.walking import stage_remarks, stages_of
from goldproof.version import __version__

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from goldproof.corpus.corpus import Corpus
    from goldproof.records.entities import Question
    from goldproof.records.tables import RankingTable
    from goldproof.retrieve.pipeline import Pipeline
    from goldproof.retrieve.running.answers import Progress
    from goldproof.retrieve.running.asking import Search


class Watcher(Protocol):
    """Somebody who wants to know how far it is."""

    def embedding(self, done: int, total: int, cached: int) -> None:
        """Documents are being embedded; cached: vectors that were there already."""

    def asking(self, progress: Progress) -> None:
        """Questions are being asked."""


@dataclass(frozen=True, slots=True, eq=False)
class Retrieved:
    """What a pipeline returned.

    facts: what decided it, for a card. latency: of single searches, in milliseconds; None where nothing was asked.
    remarks: what is worth knowing about it, in sentences.
    """

    ranking: RankingTable
    facts: Mapping[str, object]
    latency: Mapping[str, float | int] | None
    remarks: tuple[str, ...] = ()
    store: ProgressFile | None = None

    def written(self) -> None:
        """Forget the answers that were kept for the case of an interruption."""
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
    watcher: Watcher | None = None,
) -> Retrieved:
    """Index the corpus and ask every question.

    name: of the run; two of the same pipeline are two runs. resume: keep answers on disk until `written` is called, and
    go on with those of a run that was interrupted; fresh: throw these away first.
    """
    check_questions(questions)
    _check_corpus(pipeline, corpus)
    _check_filters(corpus, search)
    pipeline.index(corpus.documents, on_progress=None if watcher is None else watcher.embedding)
    facts = {
        **pipeline.facts,
        "corpus_key": corpus.key(),
        "k": search.k,
        "filters": None if search.filters is None else orjson.loads(orjson.dumps(search.filters, default=str)),
        "now": None if search.now is None else str(search.now),
    }
    store = ProgressFile(content_key(json_text(facts), name, __version__), fresh=fresh) if resume else None
    try:
        done = run_questions(
            pipeline, questions, search=search, store=store, on_question=None if watcher is None else watcher.asking
        )
    except BaseException:
        if store is not None:
            store.close()
        raise
    remarks = _remarks(pipeline, done.ranking, search=search, resumed=done.resumed)
    return Retrieved(done.ranking, facts, latency_summary(done.seconds), tuple(remarks), store)


def _check_corpus(pipeline: Pipeline, corpus: Corpus) -> None:
    """Refuse to search nothing: every question would find nothing, and that would count as 0."""
    if not len(corpus) and any(getattr(stage, "searches_corpus", False) for stage in stages_of(pipeline.stage)):
        raise InputError(
            f"{pipeline}: there is nothing to search; give a corpus (--corpus SPEC), or a dataset that holds its "
            "documents."
        )


def _check_filters(corpus: Corpus, search: Search) -> None:
    """Find a misspelt field, or a value that no document has, before anything is embedded."""
    if search.filters and len(corpus) and not filter_mask(Shelf(corpus.documents), search.filters).any():
        raise InputError(f"no document of {corpus.name} matches the filters {dict(search.filters)}.")


def _remarks(pipeline: Pipeline, ranking: RankingTable, *, search: Search, resumed: int) -> list[str]:
    remarks = []
    if resumed:
        remarks.append(f"{_counted(resumed, 'answer')} of an earlier run that was not written (--fresh asks again).")
    if ranking.failed:
        first, reason = next(iter(ranking.failed.items()))
        remarks.append(f"{_counted(len(ranking.failed), 'question')} failed; the first, {first!r}: {reason}")
    if pipeline.shelf.size and pipeline.shelf.strangers:
        returned = ranking.documents.unique()
        strange = len(returned) - returned.is_in([document.id for document in pipeline.shelf.documents]).sum()
        remarks.append(f"{strange:,} of the {len(returned):,} documents returned are not in the corpus.")
    if search.now is not None and not any(hasattr(stage, "now") for stage in stages_of(pipeline.stage)):
        remarks.append("now has no effect: no stage counts ages.")
    return [*remarks, *stage_remarks(pipeline.stage)]


def _counted(n: int, what: str) -> str:
    return f"{n:,} {what}{'s' * (n != 1)}"
