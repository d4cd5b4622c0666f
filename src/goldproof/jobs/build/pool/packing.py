"""A sample as bytes for the scratch file, without its contexts, which are stored once as documents."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING

import orjson

from goldproof.jobs.build.example import Evidence
from goldproof.jobs.build.sample import Sample

if TYPE_CHECKING:
    from collections.abc import Iterable

    from goldproof.records.entities import Document

_CONTEXTS = ("contexts", "context_ids")
_PLAIN = tuple(f.name for f in fields(Sample) if f.name not in (*_CONTEXTS, "evidence"))


def pack(sample: Sample) -> bytes:
    """Return everything of a sample but its contexts."""
    packed: dict[str, object] = {name: getattr(sample, name) for name in _PLAIN}
    packed["evidence"] = [(one.document, one.start, one.end) for one in sample.evidence]
    return orjson.dumps(packed)


def unpack(packed: bytes, documents: Iterable[Document]) -> Sample:
    """Return the sample with the texts of its documents; those of which only the name is known have none."""
    found = orjson.loads(packed)
    with_text = [document for document in documents if document.text]
    return Sample(
        **{
            **found,
            "contexts": tuple(document.text for document in with_text),
            "context_ids": tuple(document.id for document in with_text),
            "gold_documents": tuple(found["gold_documents"]),
            "kernels": tuple(map(tuple, found["kernels"])),
            "evidence": tuple(Evidence(*one) for one in found["evidence"]),
        }
    )
