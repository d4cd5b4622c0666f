"""A whole run of one pipeline: documents indexed, questions asked, interruptions survived.

What decides the answers is one key: the corpus, the pipeline with what its stages say of themselves, k, filters and
now. An interrupted run goes on by it; a run that was written is forgotten, since a server or a function of the user's
may answer otherwise tomorrow.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from karat.core.keys import content_key
from karat.io.json_files import json_text
from karat.retrieve.running.asking import run_questions
from karat.retrieve.running.latency import latency_summary
from karat.retrieve.running.progress_file import ProgressFile
from karat.retrieve.walking import stage_remarks
from karat.version import __version__

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from karat.core.records import Question
    from karat.core.tables import RankingTable
    from karat.corpus.corpus import Corpus
    from karat.retrieve.pipeline import Pipeline
    from karat.retrieve.running.asking import Progress, Search


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
    resume: bool = True,
    fresh: bool = False,
    watcher: Watcher | None = None,
) -> Retrieved:
    """Index the corpus and ask every question.

    resume: keep answers on disk until `written` is called, and go on with those of a run that was interrupted; fresh:
    throw these away first.
    """
    pipeline.index(corpus.documents, on_progress=None if watcher is None else watcher.embedding)
    facts = {
        **pipeline.facts,
        "corpus_key": corpus.key(),
        "k": search.k,
        "filters": None if search.filters is None else dict(search.filters),
        "now": None if search.now is None else str(search.now),
    }
    store = ProgressFile(content_key(json_text(facts), __version__), fresh=fresh) if resume else None
    try:
        done = run_questions(
            pipeline, questions, search=search, store=store, on_question=None if watcher is None else watcher.asking
        )
    except BaseException:
        if store is not None:
            store.close()
        raise
    remarks = _remarks(pipeline, done.ranking, resumed=done.resumed)
    return Retrieved(done.ranking, facts, latency_summary(done.seconds), tuple(remarks), store)


def _remarks(pipeline: Pipeline, ranking: RankingTable, *, resumed: int) -> list[str]:
    remarks = []
    if resumed:
        remarks.append(f"{resumed:,} answers are of an earlier run that was interrupted (--fresh asks again).")
    if ranking.failed:
        first, reason = next(iter(ranking.failed.items()))
        remarks.append(f"{len(ranking.failed):,} questions failed; the first, {first!r}: {reason}")
    if pipeline.shelf.size and pipeline.shelf.strangers:
        remarks.append(f"{pipeline.shelf.strangers:,} of the documents returned are not in the corpus.")
    return [*remarks, *stage_remarks(pipeline.stage)]
