"""The seam for retrievers: what a user's own must have, and what it may have.

Only `search` is needed. `index` is called with the documents before searching, where it exists. `search_many` answers
many queries in one call; `goldproof.retrieve.Pipeline` supplies it for retrievers that lack it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeAlias, runtime_checkable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from goldproof.records.entities import Hit
    from goldproof.retrieve.timing.now import Now

# {"field": value | [values] | {"gte": a, "lte": b}}: all must hold.
Filters: TypeAlias = "Mapping[str, object]"
# A turn of a conversation, seconds since 1970, a date, or both ways at once: what ages are counted from.
Moment: TypeAlias = "float | datetime | str | Now"


@runtime_checkable
class Retriever(Protocol):
    """Something that searches."""

    def search(self, query: str, k: int, filters: Filters | None = None) -> Sequence[Hit]:
        """Return at most k documents, best first."""
