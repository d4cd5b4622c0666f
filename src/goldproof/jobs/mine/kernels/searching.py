"""A retriever and documents as what the search for kernels needs: words -> documents, some of them banned."""

from __future__ import annotations

import asyncio
from threading import Lock
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from goldproof.jobs.mine.kernels.outcome import Search
    from goldproof.records.entities import Document
    from goldproof.retrieve import Retriever


def search_of(retriever: Retriever, documents: Mapping[str, Document]) -> Search:
    """Return the search of a retriever that is indexed already. documents: all of them, by id.

    Retrievers know no bans: as many documents more are asked for as are banned, and those are left out. A retriever of
    the user's need not stand being called twice at once, so calls wait for each other.
    """
    lock = Lock()

    def search(words: str, many: int, banned: frozenset[str]) -> Sequence[Document]:
        if not words.strip():
            return ()
        with lock:
            hits = retriever.search(words, many + len(banned))
        ids = dict.fromkeys(hit.doc_id for hit in hits if hit.doc_id not in banned)
        return [documents[one] for one in ids if one in documents][:many]

    async def in_thread(words: str, many: int, banned: frozenset[str]) -> Sequence[Document]:
        return await asyncio.to_thread(search, words, many, banned)

    return in_thread
