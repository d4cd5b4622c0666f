"""The retriever seam: what a retriever is, filters and the moment a query is asked.

Only `search` is needed. `index` is called with the documents before searching, where it exists. `search_many` answers
many queries in one call; `goldproof.retrieve.Pipeline` supplies it for retrievers that lack it.

A moment is a turn, a time, or both: callers often know only one, and a stage counts ages by only one. A stage whose
kind is missing counts from its own `now`, else from the newest document.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeAlias, runtime_checkable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from goldproof.records.entities import Hit

# {"field": value | [values] | {"gte": a, "lte": b}}: all must hold.
Filters: TypeAlias = "Mapping[str, object]"
# A turn of a conversation, seconds since 1970, a date, or both ways at once: what ages are counted from.
Moment: TypeAlias = "float | datetime | str | Now"


@runtime_checkable
class Retriever(Protocol):
    """An object that searches."""

    def search(self, query: str, k: int, filters: Filters | None = None) -> Sequence[Hit]:
        """Return at most k documents, best first."""


@dataclass(frozen=True, slots=True)
class Now:
    """A moment; None where it is not known as a turn, or as a time."""

    turn: float | None = None
    time: float | str | datetime | None = None
