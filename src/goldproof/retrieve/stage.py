"""The one shape of every step of a pipeline: queries in, rankings out.

A source (bm25, dense, a retriever of the user's) answers by itself. A step (floor, decay, rerank, ...) holds the stage
before it as `source`, asks that, and changes what came; a step that reorders asks for more than k, so that it has
something to choose from. So the last stage is the pipeline, and whoever holds it holds all.

`index` and `find` are all that a stage needs. What it may have besides is declared here, one protocol an attribute:
`HasFacts`, `HasRemarks`, `HasConcurrency`, `TellsProgress`; and `close`, where it holds a file or a connection until it
is needed again. A stage that lacks one has nothing to say, and works. `goldproof.retrieve.walking` asks for them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeAlias, runtime_checkable

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from goldproof.records.arrays import BoolArray
    from goldproof.retrieve.found import Found
    from goldproof.retrieve.retriever import Filters, Moment
    from goldproof.retrieve.shelf import Shelf

# Texts done, all texts, and how many of those done came from the cache.
OnProgress: TypeAlias = "Callable[[int, int, int], None]"


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
    """A source, or a step with its source.

    A source that finds nothing without documents says so by the class attribute `searches_corpus = True`.
    """

    def index(self, shelf: Shelf) -> None:
        """Get ready to search these documents; a step passes it on to its source.

        Called again with other documents, it starts anew: the stage is then as one that was never indexed before.
        """

    def find(self, request: Request) -> Found:
        """Answer the queries: at most k rows each, ordered, only allowed documents."""


@runtime_checkable
class HasFacts(Protocol):
    """A stage that says what decides its results."""

    @property
    def facts(self) -> Mapping[str, object]:
        """For the card, in values that JSON has; asked for after `index`.

        Two configurations that may rank differently differ here or in the text of the pipeline. No secrets.
        """


@runtime_checkable
class HasRemarks(Protocol):
    """A stage that has something to say about a run."""

    @property
    def remarks(self) -> Sequence[str]:
        """What the reader of a report should know, in sentences; asked for after the run."""


@runtime_checkable
class HasConcurrency(Protocol):
    """A stage that waits for something outside: a server, a model, a retriever of the user's."""

    @property
    def concurrency(self) -> int | None:
        """How many queries may be asked at once; None where it is not waited for one by one."""


@runtime_checkable
class TellsProgress(Protocol):
    """A stage whose `index` takes long. Whoever wants to know sets `on_progress` before it."""

    on_progress: OnProgress | None
