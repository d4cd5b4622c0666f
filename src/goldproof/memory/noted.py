"""What a memory has to say after a run: which fields of filters no memory had."""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldproof.errors import UnknownNameError
from goldproof.retrieve.document_index import field_names

if TYPE_CHECKING:
    from collections.abc import Sequence

    from goldproof.records.entities import Document


class Noted:
    """Fields of filters that no memory had, with how many queries asked for them."""

    def __init__(self) -> None:
        self._lacking: dict[str, tuple[int, str]] = {}

    def lacking(self, name: str, documents: Sequence[Document], *, queries: int) -> None:
        """Take down that queries were filtered by a field that no memory had; the last near names count."""
        before, _ = self._lacking.get(name, (0, ""))
        self._lacking[name] = (
            before + queries,
            str(UnknownNameError("field of a filter", name, field_names(documents))),
        )

    def remarks(self, title: str) -> tuple[str, ...]:
        """Return everything, in sentences."""
        return tuple(
            f"{title}: {queries} {'query' if queries == 1 else 'queries'} found nothing, since no memory had the field "
            f"then: {problem}"
            for queries, problem in self._lacking.values()
        )
