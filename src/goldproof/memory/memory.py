"""Goldproof's own memory: SQLite rows searched by a pipeline; models stay loaded.

    memory = Memory("hybrid(bm25, dense(minilm)) | floor(0.3) | top(5)", path="memories.sqlite")
    memory.add("user", "I moved to Lyon in May.", {"topic": "home"})
    memory.search("where do I live?")

A memory is a document: its content is the text; its metadata, with `role` and `turn` (see `memory_file`), is what
filters and ages read. Ids count from m000001 after each `clear`. The pipeline is indexed at the first search after a
change, also one that another process made. A pipeline that fails for several queries at once is asked one by one.

A dense stage opens its embedder whenever it is indexed, which is right for a corpus but expensive for a conversation:
it loads the model again. Here it is opened once, and no text is embedded twice. Vectors come from the cache on disk;
those of an embedder that is not written in a file, whose name means nothing tomorrow, are kept in a scratch folder that
is deleted with the embedder.

A filter on a field that no memory has matches nothing, since later memories may have the field; `remarks` names it,
with near names.
"""

from __future__ import annotations

import math
import shutil
import threading
import weakref
from functools import partial
from pathlib import Path
from tempfile import mkdtemp
from typing import TYPE_CHECKING, ClassVar

from goldproof.embed import open_embedder
from goldproof.embed.cache import CachedEmbedder
from goldproof.errors import (
    InputError,
    MissingExtraError,
    SearchFailedError,
    UnknownNameError,
    kind_of,
    shown,
)
from goldproof.memory.memory_file import MemoryTable, RowRange, checked_entry, memory_id, metadata_text
from goldproof.memory.system import MemoryHit, OpenedMemory, Searched
from goldproof.records.entities import Document
from goldproof.retrieve import Pipeline, open_retriever
from goldproof.retrieve.document_index import document_value, field_names
from goldproof.retrieve.retriever import Now
from goldproof.retrieve.stage import Request, stages_of
from goldproof.retrieve.stages.dense import Dense
from goldproof.retrieve.stages.filters import read_condition
from goldproof.retrieve.stages.times import parse_time, parse_turn
from goldproof.user_code.calls import attempt

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from goldproof.embed import Embedder
    from goldproof.retrieve import Filters, Moment
    from goldproof.retrieve.document_index import DocumentIndex
    from goldproof.retrieve.ranking import RankingBatch
    from goldproof.retrieve.stage import Stage

DEFAULT = "dense(minilm) | top(5)"
_LEAST_TIME = 1e8  # a bare number below it is a turn, not seconds since 1970


class Memory(OpenedMemory):
    """Utterances in one SQLite file or (without a path) for as long as the object lives, searched by a pipeline.

    pipeline: what `goldproof.retrieve.open_retriever` takes: a text, a YAML file, a `Pipeline`.
    """

    def __init__(self, pipeline: object = DEFAULT, *, path: Path | str | None = None) -> None:
        # Built anew: a pipeline of the caller's may be searching other documents.
        self._pipeline = Pipeline(open_retriever(pipeline).expression)
        self._lock = threading.RLock()
        self._table = MemoryTable(None if path is None else Path(path))
        self._documents: list[Document] = []
        self._read = RowRange()
        self._indexed: RowRange | None = None
        # Fields of filters that no memory had: how many queries asked for each, and the message with near names.
        self._missing_fields: dict[str, tuple[int, str]] = {}

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._table.clear()

    def add(self, role: str, content: str, metadata: Mapping[str, object] | None = None) -> list[str]:
        """Store one utterance; return its id."""
        entry = checked_entry(1, role, content=content, metadata=metadata)
        with self._lock:
            number = self._table.add(entry.role, entry.content, metadata=metadata_text(entry.metadata))
        return [memory_id(number)]

    def search(
        self, query: str, k: int = 5, filters: Filters | None = None, now: Moment | None = None
    ) -> list[MemoryHit]:
        """Return at most k memories, best first; SearchFailedError where the pipeline cannot answer.

        now: what ages are counted from, a turn or a time; the newest memory unless given, and for stages that count by
        the other of the two.
        """
        with self._lock:
            (answer,) = self._answers((query,), k, filters=filters, now=now)
        if answer.error is not None:
            raise SearchFailedError(answer.error)
        return list(answer.hits)

    def search_many(
        self, queries: Sequence[str], k: int = 5, filters: Filters | None = None, now: Moment | None = None
    ) -> list[Searched]:
        """Return one answer per query, in their order; one that failed has its reason."""
        with self._lock:
            ask = partial(self._answers, k=k, filters=filters, now=now)
            together = attempt(ask, tuple(queries), passing=(InputError, MissingExtraError))
            if together.value is not None:
                return together.value
            alone = [together] if len(queries) == 1 else [attempt(ask, (query,)) for query in queries]
        return [answer.value[0] if answer.value else Searched(error=answer.failure) for answer in alone]

    def __len__(self) -> int:
        with self._lock:
            return self._table.rows().size

    def close(self) -> None:
        """Close the file, and those of the pipeline; the memory cannot be used afterwards."""
        with self._lock:
            self._table.close()
            self._pipeline.close()

    @property
    def pipeline(self) -> Pipeline:
        """The pipeline that searches; to search other documents, build another from its expression."""
        return self._pipeline

    @property
    def title(self) -> str:
        """The pipeline, as text."""
        return str(self._pipeline)

    @property
    def facts(self) -> dict[str, object]:
        """What decides the results, whatever is stored: the pipeline, and its embedders."""
        with self._lock:
            return {"memory": "goldproof", "pipeline": self.title, "embedders": share_embedders(self._pipeline.stage)}

    @property
    def remarks(self) -> tuple[str, ...]:
        """Which fields of filters no memory had. What stages count is lost whenever they are indexed again."""
        with self._lock:
            return tuple(
                f"{self.title}: {queries} {'query' if queries == 1 else 'queries'} found nothing, since no memory had "
                f"the field then: {problem}"
                for queries, problem in self._missing_fields.values()
            )

    def _answers(
        self, queries: tuple[str, ...], k: int, *, filters: Filters | None, now: Moment | None
    ) -> list[Searched]:
        _check_request(queries, k)
        moment = turn_or_time(now)
        self._index_new()
        if not self._documents or self._lacks_a_field(filters, len(queries)):
            return [Searched()] * len(queries)
        ranking = self._pipeline.find(Request(queries, k, filters=filters or None, now=moment, timeout=self.timeout))
        return answers_of(ranking, self._pipeline.documents)

    def _index_new(self) -> None:
        """Read the rows that are new, and index all memories again."""
        if self._table.rows() != self._read:
            self._read_rows()
        if self._indexed == self._read:
            return
        share_embedders(self._pipeline.stage)
        self._indexed = None  # what fails half-way is done again
        self._pipeline.index(self._documents)
        self._indexed = self._read

    def _read_rows(self) -> None:
        rows, entries = self._table.after(self._read.last)
        if rows.first != self._read.first:  # cleared since, so that none of the rows read before is left
            self._documents = []
        self._documents += [Document(entry.id, entry.content, metadata=entry.fields) for entry in entries]
        self._read = rows

    def _lacks_a_field(self, filters: Filters | None, queries: int) -> bool:
        """Say whether no memory has some field of the filters, and note it for the remarks."""
        lacks = False
        for name, wanted in (filters or {}).items():
            read_condition(name, wanted)  # refuses what is no condition
            if all(document_value(document, name) is None for document in self._documents):
                before, _ = self._missing_fields.get(name, (0, ""))
                problem = str(UnknownNameError("field of a filter", name, field_names(self._documents)))
                self._missing_fields[name] = (before + queries, problem)
                lacks = True
        return lacks


def _check_request(queries: tuple[object, ...], k: object) -> None:
    for query in queries:
        if not isinstance(query, str):
            raise InputError(f"the query is {kind_of(query)} ({shown(query)}), expected text.")
    if isinstance(k, bool) or not isinstance(k, int) or k < 1:
        raise InputError(f"k is {k!r}, expected a whole number above 0.")


def turn_or_time(now: Moment | None) -> Now | None:
    """Return the moment as a turn or as a time; InputError where it is neither."""
    if now is None or isinstance(now, Now):
        return now
    turn = parse_turn(now)
    if turn is not None and abs(turn) < _LEAST_TIME:
        return Now(turn=turn)
    if parse_time(now) is None:
        raise InputError(f"now is {shown(now)}, expected a turn such as 5 or a time such as 2024-05-01T09:30.")
    return Now(time=now)


def answers_of(ranking: RankingBatch, documents: DocumentIndex) -> list[Searched]:
    """Return one answer per query; the similarity is None where no embedder told it."""
    scores = ranking.scores.tolist()
    cosines = [math.nan] * len(scores) if ranking.similarity is None else ranking.similarity.tolist()
    starts, positions = ranking.starts.tolist(), ranking.documents.tolist()
    hits = [
        MemoryHit(document.id, score, document.text, None if math.isnan(cosine) else cosine)
        for document, score, cosine in zip(map(documents.at, positions), scores, cosines, strict=True)
    ]
    return [
        Searched(error=ranking.failed[i]) if i in ranking.failed else Searched(tuple(hits[starts[i] : starts[i + 1]]))
        for i in range(ranking.queries)
    ]


class ScratchEmbedder(CachedEmbedder):
    """An embedder whose vectors are kept for as long as it lives."""

    is_lasting: ClassVar[bool] = False

    def __init__(self, embedder: Embedder) -> None:
        folder = mkdtemp(prefix="goldproof-vectors-")
        weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
        super().__init__(embedder, folder)


def share_embedders(last: Stage) -> list[str]:
    """Open the embedders of a pipeline, unless they are open, and return their keys; equal ones are shared."""
    opened: dict[str, CachedEmbedder] = {}
    for stage in stages_of(last):
        if isinstance(stage, Dense) and not isinstance(stage.embedder, CachedEmbedder):
            name = stage.embedder if isinstance(stage.embedder, str) else f"object {id(stage.embedder)}"
            if name not in opened:
                embedder = open_embedder(stage.embedder)
                opened[name] = embedder if isinstance(embedder, CachedEmbedder) else ScratchEmbedder(embedder)
            stage.embedder = opened[name]
    embedders = [stage.embedder for stage in stages_of(last) if isinstance(stage, Dense)]
    return [embedder.key for embedder in embedders if isinstance(embedder, CachedEmbedder)]
