"""Scratch SQLite file with the samples and documents of a running build.

A document is stored once per version (id, title, text, metadata). Two sources may give one document in two versions,
such as a page of a report; the benchmark takes one version for all its samples: the longest, then the first by text.
Of two samples with one id the first by content stays, in whatever order they are added. A document that is only named
has no text: question and answer of the samples that cite it are stored in its place, for the check of unanswerables.
"""

from __future__ import annotations

import hashlib
import sqlite3
import sys
import weakref
from dataclasses import fields
from typing import TYPE_CHECKING, Self

import orjson

from goldproof.jobs.build.records import Candidate, Evidence, PooledSample, PoolEntry, Sample, origin_id
from goldproof.jobs.build.sampling.apportionment import order_number
from goldproof.records.entities import Document

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

_CONTEXTS = ("contexts", "context_ids")
_PLAIN = tuple(f.name for f in fields(Sample) if f.name not in (*_CONTEXTS, "evidence"))


def pack(sample: Sample) -> bytes:
    """Return everything of a sample but its contexts."""
    packed: dict[str, object] = {name: getattr(sample, name) for name in _PLAIN}
    packed["evidence"] = [(span.document, span.start, span.end) for span in sample.evidence]
    return orjson.dumps(packed)


def unpack(packed: bytes, documents: Iterable[Document]) -> Sample:
    """Return the sample with its documents' texts as contexts; documents that are only named are left out."""
    values = orjson.loads(packed)
    with_text = [document for document in documents if document.text]
    return Sample(
        **{
            **values,
            "contexts": tuple(document.text for document in with_text),
            "context_ids": tuple(document.id for document in with_text),
            "gold_documents": tuple(values["gold_documents"]),
            "kernels": tuple(map(tuple, values["kernels"])),
            "evidence": tuple(Evidence(*span) for span in values["evidence"]),
        }
    )


_TABLES = """
    PRAGMA journal_mode = OFF;
    PRAGMA synchronous = OFF;
    PRAGMA temp_store = FILE;
    PRAGMA cache_size = -8192;
    CREATE TABLE documents (
        version INTEGER NOT NULL UNIQUE, id TEXT, title TEXT, text TEXT, metadata BLOB, size INTEGER
    );
    CREATE TABLE stand_ins (id TEXT NOT NULL UNIQUE, text TEXT);
    CREATE TABLE samples (
        id TEXT NOT NULL UNIQUE, place INTEGER, content BLOB, source TEXT,
        doc_type TEXT, question_type TEXT, difficulty TEXT, stratum TEXT, question TEXT, fields BLOB, versions BLOB
    );
    CREATE TABLE chosen (place INTEGER, id TEXT NOT NULL UNIQUE, origin TEXT, fields BLOB, documents BLOB);
    CREATE TABLE chosen_documents (id TEXT NOT NULL UNIQUE);
"""
_INSERT_DOCUMENT = "INSERT OR IGNORE INTO documents VALUES (?, ?, ?, ?, ?, ?)"
_INSERT_SAMPLE = """
    INSERT INTO samples VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET
        content = excluded.content, source = excluded.source, doc_type = excluded.doc_type,
        question_type = excluded.question_type, difficulty = excluded.difficulty, stratum = excluded.stratum,
        question = excluded.question, fields = excluded.fields, versions = excluded.versions
    WHERE excluded.content < samples.content
"""
_DOCUMENT = "SELECT id, title, text, metadata FROM documents"
_USED = "SELECT source, count(*) FROM chosen JOIN samples ON samples.id = origin GROUP BY source ORDER BY source"
_BEST_FIRST = "ORDER BY size DESC, text, version"  # not length(text), which stops at a NUL
_BATCH = 500
_MASK = (1 << 63) - 1  # SQLite's whole numbers have a sign


class Pool:
    """Samples and documents on disk, deleted when the pool is closed or no longer used."""

    def __init__(self, *, seed: int) -> None:
        self._seed = seed
        # Without a name SQLite makes a file that no folder lists: it goes with the process, however that ends.
        # It is used by one thread, but let go of by any: whichever the garbage collector happens to run in.
        self._base = sqlite3.connect("", isolation_level=None, check_same_thread=False)
        self._discard = weakref.finalize(self, self._base.close)
        self._base.executescript(_TABLES)
        self._documents: list[tuple[object, ...]] = []
        self._samples: list[tuple[object, ...]] = []
        self._stand_ins: list[tuple[str, str]] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Delete the file."""
        self._discard()

    def add(self, sample: Sample, documents: Sequence[Document], *, source: str, stratum: str = "") -> None:
        """Put a sample and its documents into the pool."""
        versions = [_version(document) for document in documents]
        fields, packed = pack(sample), orjson.dumps(versions)
        content = hashlib.sha256(b"".join((fields, packed, source.encode()))).digest()[:16]
        cell = (sample.doc_type, sample.question_type, sample.difficulty, stratum, sample.question)
        self._samples.append((sample.id, self._place(sample.id), content, source, *cell, fields, packed))
        for version, document in zip(versions, documents, strict=True):
            title, text, metadata = document.title, document.text, orjson.dumps(document.metadata)
            self._documents.append((version, document.id, title, text, metadata, len(text)))
        if not all(document.text for document in documents):
            self._stand_ins.append((sample.id, f"{sample.question}\n{sample.ground_truth}"))
        if len(self._samples) >= _BATCH:
            self._flush()

    def finish_adding(self) -> None:
        """Flush and index the pool; it is only read from now on."""
        self._flush()
        self._base.execute("CREATE INDEX documents_by_id ON documents (id)")

    def entries(self) -> Iterator[PoolEntry]:
        """Yield the pool in the order in which it is looked at, which depends on seed and ids alone."""
        rows = self._base.execute(
            "SELECT id, doc_type, question_type, difficulty, stratum, place, question FROM samples ORDER BY place, id"
        )
        for identifier, doc_type, question_type, difficulty, stratum, place, question in rows:
            # A hundred thousand of them stay in memory, and these are a few words over and over.
            kind, asked, level, layer = map(sys.intern, (doc_type, question_type, difficulty, stratum))
            yield PoolEntry(Candidate(identifier, kind, asked, level, layer, place), question)

    def sizes(self) -> dict[str, int]:
        """Return the number of samples by source."""
        return dict(self._base.execute("SELECT source, count(*) FROM samples GROUP BY source ORDER BY source"))

    def get(self, ids: Iterable[str]) -> Iterator[PooledSample]:
        """Yield samples of the pool with the documents they came with, in the order asked for."""
        for identifier in ids:
            fields, versions = self._base.execute(
                "SELECT fields, versions FROM samples WHERE id = ?", (identifier,)
            ).fetchone()
            documents = tuple(self._one("version = ?", version) for version in orjson.loads(versions))
            yield PooledSample(unpack(fields, documents), documents)

    def scan_documents(self) -> Iterator[Document]:
        """Yield every version of every document, and texts in place of those that are only named; in no order."""
        yield from (_document(row) for row in self._base.execute(f"{_DOCUMENT} WHERE size > 0"))
        yield from (Document(identifier, text) for identifier, text in self._base.execute("SELECT * FROM stand_ins"))

    def named_only(self) -> int:
        """Return how many samples have a document of which only the name is known."""
        (count,) = self._base.execute("SELECT count(*) FROM stand_ins").fetchone()
        return int(count)

    def best(self, identifier: str) -> Document:
        """Return a document in the version that the benchmark takes."""
        return self._one(f"id = ? {_BEST_FIRST} LIMIT 1", identifier)

    def choose(self, samples: Iterable[PooledSample]) -> None:
        """Put samples into the benchmark: samples of the pool, or made from them."""
        self._base.execute("BEGIN")
        for sample, documents in samples:
            ids = [document.id for document in documents]
            row = (self._place(sample.id), sample.id, origin_id(sample.id), pack(sample), orjson.dumps(ids))
            self._base.execute("INSERT INTO chosen VALUES (?, ?, ?, ?, ?)", row)
            self._base.executemany(
                "INSERT OR IGNORE INTO chosen_documents VALUES (?)", [(identifier,) for identifier in ids]
            )
        self._base.execute("COMMIT")

    def chosen(self, *, contexts: bool = True) -> Iterator[Sample]:
        """Yield the samples of the benchmark in their order, which depends on seed and ids alone.

        contexts: their texts cost most of the time, and counting, for one, does without.
        """
        for packed, ids in self._base.execute("SELECT fields, documents FROM chosen ORDER BY place, id"):
            named = orjson.loads(ids) if contexts else ()
            yield unpack(packed, [self.best(identifier) for identifier in named])

    def used(self) -> dict[str, int]:
        """Return the number of samples of the benchmark by source."""
        return dict(self._base.execute(_USED))

    def corpus_size(self, *, everything: bool) -> int:
        """Return how many documents the benchmark has."""
        table = "documents" if everything else "chosen_documents"
        (count,) = self._base.execute(f"SELECT count(DISTINCT id) FROM {table}").fetchone()  # noqa: S608
        return int(count)

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
        self._base.executemany("INSERT OR REPLACE INTO stand_ins VALUES (?, ?)", self._stand_ins)
        self._base.execute("COMMIT")
        self._documents.clear()
        self._samples.clear()
        self._stand_ins.clear()


def _document(row: tuple[str, str, str, bytes]) -> Document:
    identifier, title, text, metadata = row
    return Document(identifier, text, title, orjson.loads(metadata))


def _version(document: Document) -> int:
    parts = orjson.dumps((document.id, document.title, document.text, document.metadata), option=orjson.OPT_SORT_KEYS)
    return int.from_bytes(hashlib.blake2b(parts, digest_size=8).digest(), "big") & _MASK
