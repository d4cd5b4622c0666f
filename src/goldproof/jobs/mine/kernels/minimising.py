"""Minimising: from a set that suffices to one of which no member is spare (1-minimal).

First the documents that the evidence quotes are tried alone, which often is the kernel already. Then each document is
left out in turn, the latest to come first, and the judge is asked about the rest:

    yes             the document is spare, and goes
    no              it is needed
    anything else   nobody knows: it stays, and the set is not proven to be minimal

This is repeated until a whole round leaves nothing out. So of a set that is called minimal, the set itself was ruled a
yes and each of the sets that lack one member was ruled a no: nothing rests on an inference.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from goldproof.jobs.mine.kernels.rulings import Rulings
    from goldproof.judge.judge import Ruling
    from goldproof.records.entities import Document


@dataclass(frozen=True, slots=True)
class Minimised:
    """A set that suffices. proven: whether no member is spare."""

    documents: tuple[Document, ...]
    proven: bool


async def minimise(documents: Sequence[Document], ruling: Ruling, *, rulings: Rulings) -> Minimised:
    """Minimise a set that `ruling` says suffices."""
    held, changed = await _quoted(tuple(documents), ruling, rulings=rulings), True
    while changed:
        before = held
        for spare in reversed(before):
            if spare in held:  # it may have gone with another, unquoted
                held = await _without(spare, held, rulings=rulings)
        changed = held != before and not rulings.refused
    return Minimised(held, rulings.proven(document.id for document in held))


async def _without(spare: Document, held: tuple[Document, ...], *, rulings: Rulings) -> tuple[Document, ...]:
    """Return the set without the document, and without what is then no longer quoted; the same set if it is needed."""
    rest = tuple(document for document in held if document is not spare)
    ruling = await rulings.on(rest, why="minimise") if rest else None
    return await _quoted(rest, ruling, rulings=rulings) if ruling is not None and ruling.sufficient else held


async def _quoted(held: tuple[Document, ...], ruling: Ruling, *, rulings: Rulings) -> tuple[Document, ...]:
    """Return the documents that the evidence for a set quotes, where they suffice without the others."""
    quoted = {evidence.document for evidence in ruling.evidence}
    rest = tuple(document for document in held if document.id in quoted)
    if not rest or len(rest) == len(held):
        return held
    narrower = await rulings.on(rest, why="minimise")
    if narrower is None or not narrower.sufficient:
        return held
    return await _quoted(rest, narrower, rulings=rulings)
