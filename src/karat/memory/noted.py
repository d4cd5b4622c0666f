"""What a memory has to say after a run: a pipeline that is indexed again forgets its remarks, so they are taken down.

Of remarks that differ only in their numbers the last one is kept.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from karat.core.errors import UnknownNameError
from karat.retrieve.metadata_fields import field_names

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from karat.core.records import Document

_NUMBER = re.compile(r"\d+")


class Noted:
    """Remarks of the stages, and fields of filters that no memory had."""

    def __init__(self) -> None:
        self._said: dict[str, str] = {}
        self._lacking: dict[str, tuple[int, str]] = {}

    def take(self, remarks: Iterable[str]) -> None:
        """Take down what the stages say now."""
        for remark in remarks:
            self._said[_NUMBER.sub("0", remark)] = remark

    def lacking(self, name: str, documents: Sequence[Document], *, queries: int) -> None:
        """Take down that queries were filtered by a field that no memory had; the last near names count."""
        before, _ = self._lacking.get(name, (0, ""))
        self._lacking[name] = (
            before + queries,
            str(UnknownNameError("field of a filter", name, field_names(documents))),
        )

    def remarks(self, title: str) -> tuple[str, ...]:
        """Return everything, in sentences."""
        fields = (
            f"{title}: {queries} {'query' if queries == 1 else 'queries'} found nothing, since no memory had the field "
            f"then: {problem}"
            for queries, problem in self._lacking.values()
        )
        return (*self._said.values(), *fields)
