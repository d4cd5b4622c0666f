"""The one shape of every step of a pipeline: queries in, rankings out.

A source (bm25, dense, a retriever of the user's) answers by itself. A step (floor, decay, rerank, ...) holds the stage
before it as `source`, asks that, and changes what came; a step that reorders asks for more than k, so that it has
something to choose from. So the last stage is the pipeline, and whoever holds it holds all.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from karat.core.arrays import BoolArray
    from karat.retrieve.found import Found
    from karat.retrieve.retriever import Filters, Moment
    from karat.retrieve.shelf import Shelf


@dataclass(frozen=True, slots=True, eq=False)
class Request:
    """What is asked for.

    ids: of the questions, where they have any; a ready run is looked up by them. allowed: of each document of the
    corpus, whether it may be returned (None: all); the filters as a mask, which a source applies before it cuts at k.
    filters: the same as given, for retrievers of the user's. now: what ages are counted from; None where nobody said.
    timed: somebody measures how long it takes, so nothing may come from a cache that costs nothing to do again.
    """

    queries: tuple[str, ...]
    k: int
    ids: tuple[str, ...] = ()
    allowed: BoolArray | None = None
    filters: Filters | None = None
    now: Moment | None = None
    timed: bool = False


class Stage(Protocol):
    """A source, or a step with its source."""

    def index(self, shelf: Shelf) -> None:
        """Get ready to search these documents; a step passes it on to its source. Called once."""

    def find(self, request: Request) -> Found:
        """Answer the queries: at most k rows each, ordered, only allowed documents."""
