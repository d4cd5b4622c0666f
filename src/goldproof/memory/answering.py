"""From what a pipeline found to answers of a memory."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from goldproof.memory.system import MemoryHit, Searched

if TYPE_CHECKING:
    from goldproof.retrieve.document_index import Shelf
    from goldproof.retrieve.ranking import Found


def answers_of(found: Found, shelf: Shelf) -> list[Searched]:
    """Return one answer per query; the similarity is None where no embedder told it."""
    scores = found.scores.tolist()
    cosines = [math.nan] * len(scores) if found.similarity is None else found.similarity.tolist()
    starts, positions = found.starts.tolist(), found.documents.tolist()
    hits = [
        MemoryHit(document.id, score, document.text, None if math.isnan(cosine) else cosine)
        for document, score, cosine in zip(map(shelf.at, positions), scores, cosines, strict=True)
    ]
    return [
        Searched(error=found.failed[i]) if i in found.failed else Searched(tuple(hits[starts[i] : starts[i + 1]]))
        for i in range(found.queries)
    ]
