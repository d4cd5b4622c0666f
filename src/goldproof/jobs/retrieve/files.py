"""`goldproof retrieve`: a corpus, questions and a retriever in, a run out."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from goldproof.corpus import Corpus, open_corpus
from goldproof.errors import InputError, SearchFailedError
from goldproof.io.datasets.questions import read_questions
from goldproof.jobs.retrieve.result import RetrievalResult
from goldproof.records.keys import content_key
from goldproof.retrieve import Search, retrieve

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from goldproof.records.entities import Question
    from goldproof.retrieve import Pipeline, Watcher


@dataclass(frozen=True, slots=True, eq=False)
class RetrievalFiles:
    """What is read.

    corpus: a spec, such as `folder:docs/`; None where the retriever has documents of its own. questions: any file or
    dataset that holds texts of questions. name: of the run.
    """

    pipeline: Pipeline
    questions: Path
    corpus: str | None = None
    name: str = "goldproof"
    search: Search = field(default_factory=Search)


def retrieve_files(
    files: RetrievalFiles,
    *,
    fresh: bool = False,
    watcher: Watcher | None = None,
    before: Callable[[Corpus, tuple[Question, ...]], None] | None = None,
) -> RetrievalResult:
    """Read, index, ask.

    fresh: ask again what an interrupted run has answered. before: called when all is read and nothing asked yet, to
    refuse what cannot be written.
    """
    questions = read_questions(files.questions)
    if not questions:
        raise InputError(f"{files.questions}: holds no question.")
    corpus = Corpus("none", ()) if files.corpus is None else open_corpus(files.corpus)
    if before is not None:
        before(corpus, questions)
    retrieved = retrieve(
        files.pipeline, corpus, questions, search=files.search, name=files.name, fresh=fresh, watcher=watcher
    )
    failed = retrieved.ranking.failed
    if len(failed) == len(questions):
        first, reason = next(iter(failed.items()))
        raise SearchFailedError(f"{files.name}: all {len(failed):,} questions failed; the first, {first!r}: {reason}")
    return RetrievalResult(
        files.name,
        retrieved,
        inputs=_inputs(corpus, questions, retrieved.facts),
        settings={"name": files.name, "corpus": corpus.name, **retrieved.facts},
        remarks=(*corpus.remarks, *retrieved.remarks),
        corpus={"name": corpus.name, "documents": len(corpus), **corpus.facts},
    )


def _inputs(corpus: Corpus, questions: tuple[Question, ...], facts: Mapping[str, object]) -> dict[str, str]:
    asked = content_key([[question.id, question.text] for question in questions])
    return {"queries": asked, **({"corpus": str(facts["corpus_key"])} if len(corpus) else {})}
