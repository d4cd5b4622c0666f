"""The documents of a combined benchmark: from the BEIR folder beside each phase, where there is one, and from contexts.

A context without an id is known by its content. Where phases hold one document in two versions, the longest is taken,
of equals one that has a title, then the first by its beginning. A gold document that stands in no context is known by
its name only.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, NamedTuple

from goldproof.io.datasets.beir import read_documents
from goldproof.jobs.build.adapters.ids import passage_id
from goldproof.records.entities import Document

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from goldproof.jobs.build.sample import Sample

_HEAD = 32


class Version(NamedTuple):
    """One version of a document; the smallest is taken."""

    less_text: int
    untitled: bool
    head: str
    digest: bytes


def merged_documents(corpora: Iterable[Path], samples: Callable[[], Iterable[Sample]]) -> Iterator[Document]:
    """Yield every document once, in the order in which corpora and samples name them; goes through both twice."""
    corpora = tuple(corpora)
    chosen: dict[str, Version] = {}
    for document in _named(corpora, samples()):
        version = _version(document)
        chosen[document.id] = min(version, chosen.get(document.id, version))
    for document in _named(corpora, samples()):
        if chosen.get(document.id) == _version(document):
            del chosen[document.id]
            yield document


def _named(corpora: Iterable[Path], samples: Iterable[Sample]) -> Iterator[Document]:
    for path in corpora:
        yield from read_documents(path)
    for sample in samples:
        yield from _contexts(sample)
        yield from (Document(name) for name in sample.gold_documents)


def _contexts(sample: Sample) -> Iterator[Document]:
    """Yield the contexts of a sample with their ids."""
    names = sample.context_ids or [passage_id(sample.source_dataset, title="", text=text) for text in sample.contexts]
    yield from (Document(name, text) for name, text in zip(names, sample.contexts, strict=True))


def _version(document: Document) -> Version:
    digest = hashlib.blake2b(f"{document.title}\n{document.text}".encode(), digest_size=16).digest()
    return Version(-len(document.text), not document.title, document.text[:_HEAD], digest)
