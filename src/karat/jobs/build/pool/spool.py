"""The pool of a build while it runs: samples and documents in a scratch SQLite file, so that memory stays flat.

A document is stored once per version (id, title, text, metadata). Two sources may give one document in two versions,
such as a page of a report; the benchmark takes one of them for all its samples: the longest, then the first by text.
Two samples of one id: the first by content stays, whatever order they came in.
"""

from __future__ import annotations

import hashlib
import shutil
import sqlite3
import tempfile
import weakref
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Self

import orjson

from karat.core.records import Document
from karat.jobs.build.pool.packing import pack, unpack
from karat.jobs.build.sample import Candidate
from karat.jobs.build.sampling.apportion import order_number

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from karat.jobs.build.sample import Sample

_TABLES = """
    PRAGMA journal_mode = OFF;
    PRAGMA synchronous = OFF;
    PRAGMA temp_store = FILE;
    CREATE TABLE documents (version INTEGER NOT NULL UNIQUE, id TEXT, title TEXT, text TEXT, metadata BLOB);
    CREATE TABLE samples (
        id TEXT NOT NULL UNIQUE, place INTEGER, content BLOB, source TEXT,
        doc_type TEXT, question_type TEXT, difficulty TEXT, stratum TEXT, question TEXT, fields BLOB, versions BLOB
    );
    CREATE TABLE chosen (place INTEGER, id TEXT NOT NULL UNIQUE, fields BLOB, documents BLOB);
    CREATE TABLE chosen_documents (id TEXT NOT NULL UNIQUE);
"""
_INSERT_DOCUMENT = "INSERT OR IGNORE INTO documents VALUES (?, ?, ?, ?, ?)"
_INSERT_SAMPLE = """
    INSERT INTO samples VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET
        content = excluded.content, source = excluded.source, doc_type = excluded.doc_type,
        question_type = excluded.question_type, difficulty = excluded.difficulty, stratum = excluded.stratum,
        question = excluded.question, fields = excluded.fields, versions = excluded.versions
    WHERE excluded.content < samples.content
"""
_DOCUMENT = "SELECT id, title, text, metadata FROM documents"
_BEST_FIRST = "ORDER BY id, length(text) DESC, text, version"
_BATCH = 500
_MASK = (1 << 63) - 1  # SQLite's whole numbers have a sign


class Pooled(NamedTuple):
    """A sample of the pool and the documents that came with it, those of which only the name is known included."""

    sample: Sample
    documents: tuple[Document, ...]


class PoolEntry(NamedTuple):
    """What stays in memory of a sample: a candidate and its question."""

    candidate: Candidate
    question: str


class Spool:
    """Samples and documents on disk; gone when the spool is closed, or no longer used."""

    def __init__(self, *, seed: int) -> None:
        self._seed = seed
        folder = Path(tempfile.mkdtemp(prefix="karat-build-"))
        self._base = sqlite3.connect(folder / "pool.sqlite", isolation_level=None)
        # Whoever forgets to close it, and whatever ends the process, the scratch file goes.
        self._discard = weakref.finalize(self, _discard, self._base, folder)
        self._base.executescript(_TABLES)
        self._documents: list[tuple[object, ...]] = []
        self._samples: list[tuple[object, ...]] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Give the disk back."""
        self._discard()

    def add(self, sample: Sample, documents: Sequence[Document], *, stratum: str) -> None:
        """Put a sample and its documents into the pool."""
        versions = [_version(document) for document in documents]
        fields = pack(sample)
        content = hashlib.sha256(fields + orjson.dumps(versions)).digest()[:16]
        cell = (sample.doc_type, sample.question_type, sample.difficulty, stratum, sample.question)
        row = (sample.id, self._place(sample.id), content, sample.source_dataset, *cell, fields, orjson.dumps(versions))
        self._samples.append(row)
        for version, one in zip(versions, documents, strict=True):
            self._documents.append((version, one.id, one.title, one.text, orjson.dumps(one.metadata)))
        if len(self._samples) >= _BATCH:
            self._flush()

    def close_pool(self) -> None:
        """Say that the pool is complete: it is only read from now on."""
        self._flush()
        self._base.execute("CREATE INDEX documents_by_id ON documents (id)")

    def entries(self) -> Iterator[PoolEntry]:
        """Yield the pool in the order in which it is looked at, which depends on seed and ids alone."""
        rows = self._base.execute(
            "SELECT id, doc_type, question_type, difficulty, stratum, place, question FROM samples ORDER BY place, id"
        )
        for *candidate, question in rows:
            yield PoolEntry(Candidate(*candidate), question)

    def sizes(self) -> dict[str, int]:
        """Return the number of samples by source."""
        return dict(self._base.execute("SELECT source, count(*) FROM samples GROUP BY source ORDER BY source"))

    def get(self, ids: Iterable[str]) -> Iterator[Pooled]:
        """Yield samples of the pool with the documents they came with, in the order asked for."""
        for identifier in ids:
            fields, versions = self._base.execute(
                "SELECT fields, versions FROM samples WHERE id = ?", (identifier,)
            ).fetchone()
            documents = tuple(self._one("version = ?", version) for version in orjson.loads(versions))
            yield Pooled(unpack(fields, documents), documents)

    def scan_documents(self) -> Iterator[Document]:
        """Yield every version of every document, in no particular order."""
        yield from (_document(row) for row in self._base.execute(_DOCUMENT))

    def best(self, identifier: str) -> Document:
        """Return a document in the version that the benchmark takes."""
        return self._one(f"id = ? {_BEST_FIRST} LIMIT 1", identifier)

    def choose(self, samples: Iterable[Pooled]) -> None:
        """Put samples into the benchmark: samples of the pool, or made from them."""
        self._base.execute("BEGIN")
        for sample, documents in samples:
            ids = [document.id for document in documents]
            row = (self._place(sample.id), sample.id, pack(sample), orjson.dumps(ids))
            self._base.execute("INSERT INTO chosen VALUES (?, ?, ?, ?)", row)
            self._base.executemany("INSERT OR IGNORE INTO chosen_documents VALUES (?)", [(one,) for one in ids])
        self._base.execute("COMMIT")

    def chosen(self) -> Iterator[Sample]:
        """Yield the samples of the benchmark in their order, which depends on seed and ids alone."""
        for fields, ids in self._base.execute("SELECT fields, documents FROM chosen ORDER BY place, id"):
            yield unpack(fields, [self.best(identifier) for identifier in orjson.loads(ids)])

    def corpus_size(self, *, everything: bool) -> int:
        """Return how many documents the benchmark has."""
        table = "documents" if everything else "chosen_documents"
        (found,) = self._base.execute(f"SELECT count(DISTINCT id) FROM {table}").fetchone()  # noqa: S608
        return int(found)

    def corpus(self, *, everything: bool) -> Iterator[Document]:
        """Yield the documents of the benchmark by id: those of its samples, or every one of the pool."""
        table = "documents" if everything else "chosen_documents"
        for (identifier,) in self._base.execute(f"SELECT DISTINCT id FROM {table} ORDER BY id"):  # noqa: S608
            yield self.best(identifier)

    def _one(self, condition: str, value: object) -> Document:
        return _document(self._base.execute(f"{_DOCUMENT} WHERE {condition}", (value,)).fetchone())

    def _place(self, identifier: str) -> int:
        return order_number(self._seed, identifier) & _MASK

    def _flush(self) -> None:
        self._base.execute("BEGIN")
        self._base.executemany(_INSERT_DOCUMENT, self._documents)
        self._base.executemany(_INSERT_SAMPLE, self._samples)
        self._base.execute("COMMIT")
        self._documents.clear()
        self._samples.clear()


def _discard(base: sqlite3.Connection, folder: Path) -> None:
    base.close()
    shutil.rmtree(folder, ignore_errors=True)


def _document(row: tuple[str, str, str, bytes]) -> Document:
    identifier, title, text, metadata = row
    return Document(identifier, text, title, orjson.loads(metadata))


def _version(document: Document) -> int:
    parts = orjson.dumps((document.id, document.title, document.text, document.metadata), option=orjson.OPT_SORT_KEYS)
    return int.from_bytes(hashlib.blake2b(parts, digest_size=8).digest(), "big") & _MASK
