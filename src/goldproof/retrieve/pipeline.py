"""A pipeline: build, index, search; `open_retriever()`.

from goldproof.retrieve import bm25, dense, hybrid, top

with hybrid(bm25(), dense("minilm")) | top(5) as pipeline:
    pipeline.index(documents)
    hits = pipeline.search("how are memories cleared?")
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import numpy as np
import polars as pl

from goldproof.closeable import Closeable, HasClose
from goldproof.corpus import Corpus, open_corpus
from goldproof.errors import InputError, SearchFailedError, UnknownNameError
from goldproof.progress import OnProgress, ignore
from goldproof.records.entities import Document, Hit, Question
from goldproof.records.tables import RankingTable
from goldproof.retrieve.document_index import DocumentIndex
from goldproof.retrieve.external.run_file import RunFile
from goldproof.retrieve.language import Object, build, joined, parse, read_pipelines
from goldproof.retrieve.ranking import RankingBatch, starts_of
from goldproof.retrieve.stage import Request, checked_k, stage_facts, stages_of
from goldproof.retrieve.stages.filters import filter_mask

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from goldproof.records.arrays import BoolArray
    from goldproof.retrieve.language import Expression, Step
    from goldproof.retrieve.retriever import Filters, Moment
    from goldproof.retrieve.stage import Stage


T = TypeVar("T")


class Pipeline(Closeable):
    """A retrieval pipeline such as `hybrid(bm25, dense(minilm)) | top(5)`; it prints as that text."""

    def __init__(self, expression: Expression) -> None:
        self.expression = expression
        self.stage: Stage = build(expression)
        self._documents: DocumentIndex | None = None
        self._masked: tuple[str, BoolArray] | None = None

    def __or__(self, step: Step) -> Pipeline:
        return Pipeline(joined(self, step))

    def __ror__(self, step: Step) -> Pipeline:
        return Pipeline(joined(step, self))

    def __str__(self) -> str:
        return str(self.expression)

    def __repr__(self) -> str:
        return f"Pipeline({str(self)!r})"

    def close(self) -> None:
        """Close the files and connections that its stages hold; a later search opens them again."""
        for stage in stages_of(self.stage):
            if isinstance(stage, HasClose):
                stage.close()

    @property
    def documents(self) -> DocumentIndex:
        """The documents that are searched."""
        if self._documents is None:
            raise InputError(f"{self}: nothing is indexed yet; call index(documents) first.")
        return self._documents

    def index(self, documents: str | Path | Corpus | Iterable[Document], *, on_progress: OnProgress = ignore) -> None:
        """Get ready to search these documents: records, a corpus, or the spec of one, such as `folder:docs/`.

        on_progress: called while documents are embedded.
        """
        indexed = DocumentIndex(_documents_of(documents), on_progress=on_progress)
        self.stage.index(indexed)
        self._documents, self._masked = indexed, None

    def search(
        self, query: str, k: int = 10, filters: Filters | None = None, *, now: Moment | None = None
    ) -> list[Hit]:
        """Return at most k documents, best first."""
        if not isinstance(query, str):
            raise InputError(f"the query is a {type(query).__name__}, expected text.")
        ranking = self.find(Request((query,), checked_k(k), filters=filters, now=now))
        if ranking.failed:
            raise SearchFailedError(ranking.failed[0])
        documents = map(self.documents.at, ranking.documents.tolist())
        return [Hit(d.id, score, d.text) for d, score in zip(documents, ranking.scores.tolist(), strict=True)]

    def search_many(
        self,
        queries: Sequence[Question] | Mapping[str, str],
        k: int = 10,
        filters: Filters | None = None,
        *,
        now: Moment | None = None,
    ) -> RankingTable:
        """Answer many questions, {id: text} or records, in one call; the table has the reasons of those that fail."""
        texts = dict(queries) if isinstance(queries, Mapping) else {question.id: question.text for question in queries}
        if len(texts) < len(queries):
            raise InputError("two of the questions have the same id; ids must be unique.")
        ranking = self.find(Request(tuple(texts.values()), checked_k(k), ids=tuple(texts), filters=filters, now=now))
        return ranking_table(ranking, tuple(texts), self.documents)

    def find(self, request: Request) -> RankingBatch:
        """Answer a request; where filters are given and no mask, the mask is made."""
        documents = self.documents
        if request.filters and request.allowed is None:
            request = replace(request, allowed=self._allowed(documents, request.filters))
        return _finite(self.stage.find(request)) if request.queries else RankingBatch.nothing(0)

    def _allowed(self, documents: DocumentIndex, filters: Filters) -> BoolArray:
        """Return the mask of the filters; the last one is kept, since the same filters are often asked again."""
        known, written = self._masked, repr(filters)  # not by equality: 1 is not true
        if known is None or known[0] != written:
            known = self._masked = (written, filter_mask(documents, filters))
        return known[1]

    @property
    def reads_queries(self) -> bool:
        """Whether any stage looks at the texts of queries; run files and their fusion only look at ids."""
        return any(getattr(stage, "reads_query", True) for stage in stages_of(self.stage))

    def recorded_questions(self) -> tuple[str, ...]:
        """Return the ids of all questions of its run files, each once."""
        files = (stage for stage in stages_of(self.stage) if isinstance(stage, RunFile))
        return tuple(dict.fromkeys(question for file in files for question in file.question_ids()))

    @property
    def facts(self) -> dict[str, object]:
        """Each stage with what decides its results, for the card."""
        return {"pipeline": str(self), "stages": stage_facts(self.stage)}


def _documents_of(source: str | Path | Corpus | Iterable[Document]) -> Iterable[Document]:
    if isinstance(source, str | Path | Corpus):
        return open_corpus(source).documents
    documents = tuple(source)
    for document in documents:
        if not isinstance(document, Document):
            raise InputError(
                f"index: found a {type(document).__name__} among the documents; expected goldproof.Document records, a "
                "corpus, or a spec such as folder:docs/."
            )
    return documents


def _finite(ranking: RankingBatch) -> RankingBatch:
    """Fail the queries with a score that is not finite: it cannot be ranked."""
    bad = ~np.isfinite(ranking.scores)
    if not bad.any():
        return ranking
    query_of_row = ranking.query_of_row
    failed = dict.fromkeys(np.unique(query_of_row[bad]).tolist(), "a score is not a finite number")
    kept = ranking.kept(~np.isin(query_of_row, list(failed)))
    return replace(kept, failed={**ranking.failed, **failed})


def ranking_table(ranking: RankingBatch, ids: tuple[str, ...], documents: DocumentIndex) -> RankingTable:
    """Return rankings by question; a question that failed has no rows and its reason."""
    answered = np.asarray([i for i in range(ranking.queries) if i not in ranking.failed], dtype=np.int64)
    lengths = np.diff(ranking.starts)[answered]
    return RankingTable(
        questions=pl.Series("question", [ids[i] for i in answered.tolist()], dtype=pl.String),
        starts=starts_of(lengths),
        documents=documents.id_series(ranking.documents),
        scores=ranking.scores,
        failed={ids[i]: reason for i, reason in ranking.failed.items()},
    )


def open_retriever(spec: object) -> Pipeline:
    """Return the pipeline of a spec.

    spec: the text of one, such as "hybrid(bm25, dense(minilm)) | top(5)"; a YAML file of one, or `FILE.yaml#NAME` of
    several; any object that searches; or a `Pipeline`.
    """
    if isinstance(spec, Pipeline):
        return spec
    if isinstance(spec, Path):
        return _from_file(str(spec))
    if isinstance(spec, str):
        return _from_file(spec) if is_pipeline_file(spec) else Pipeline(parse(spec))
    return Pipeline(Object(spec))


def open_retrievers(named: list[str]) -> dict[str, Pipeline]:
    """Read `--retriever` options: NAME=SPEC, SPEC (its text is its name), or a YAML file of several."""
    return read_named_specs(named, open_retriever, option="--retriever", kinds="retrievers", title=str)


def open_named(text: str) -> tuple[str, Pipeline]:
    """Read one `--retriever` option: NAME=SPEC or SPEC."""
    named = open_retrievers([text])
    if len(named) > 1:
        raise InputError(f"{text}: holds {len(named)} pipelines ({', '.join(named)}); name one: {text}#NAME.")
    return next(iter(named.items()))


def read_named_specs(
    texts: list[str], open_spec: Callable[[str | Pipeline], T], *, option: str, kinds: str, title: Callable[[T], str]
) -> dict[str, T]:
    """Open the values of a repeatable option: NAME=SPEC, SPEC, or a YAML file of several pipelines.

    title: makes the name where none is given; never the text as typed, since the query of an address may hold a key.
    kinds: for messages.
    """
    opened: dict[str, T] = {}
    for text in texts:
        for given, spec in _named_specs(text.strip(), option).items():
            value = open_spec(spec)
            name = given or title(value)
            if name in opened:
                raise InputError(f"two {kinds} are called {name!r}; tell them apart: {option} OTHER={title(value)}.")
            opened[name] = value
    return opened


def _named_specs(text: str, option: str) -> dict[str, str | Pipeline]:
    """Return specs by the names that the user gave them, "" for none."""
    name, separator, rest = text.partition("=")
    if separator and name.strip() and not set(name) & set("(|[\"':/?"):
        if not rest.strip():
            raise InputError(f"{option} {name}=: nothing follows the '='; expected NAME=SPEC.")
        return {name.strip(): rest.strip()}
    if is_pipeline_file(text) and "#" not in text:
        return {stem: Pipeline(expression) for stem, expression in read_pipelines(Path(text)).items()}
    return {text.partition("#")[2] if is_pipeline_file(text) else "": text}


def is_pipeline_file(text: str) -> bool:
    """Return whether a spec is the name of a YAML file, or of a pipeline in it."""
    return text.partition("#")[0].strip().lower().endswith((".yaml", ".yml"))


def _from_file(text: str) -> Pipeline:
    path, _, name = text.strip().partition("#")
    pipelines = read_pipelines(Path(path))
    if not name and len(pipelines) > 1:
        raise InputError(f"{path}: holds {len(pipelines)} pipelines ({', '.join(pipelines)}); name one: {path}#NAME.")
    chosen = name or next(iter(pipelines))
    if chosen not in pipelines:
        raise UnknownNameError(f"pipeline of {path}", chosen, pipelines)
    return Pipeline(pipelines[chosen])
