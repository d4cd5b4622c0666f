"""The first k of what the source returns; a request for fewer gets fewer."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar, Literal

from goldproof.checks import whole

if TYPE_CHECKING:
    from goldproof.retrieve.found import Found
    from goldproof.retrieve.shelf import Shelf
    from goldproof.retrieve.stage import Request, Stage


class Top:
    """Returns min(k, request.k) documents."""

    kind: ClassVar[Literal["source", "step", "query step"]] = "step"

    def __init__(self, source: Stage, k: int) -> None:
        self.source = source
        self.k = whole(k, "k", stage="top")

    @property
    def facts(self) -> dict[str, object]:
        """What decides its results."""
        return {"k": self.k}

    def index(self, shelf: Shelf) -> None:
        """Get the source ready."""
        self.source.index(shelf)

    def find(self, request: Request) -> Found:
        """Ask the source for no more than k."""
        k = min(self.k, request.k)
        return self.source.find(replace(request, k=k)).cut(k)
