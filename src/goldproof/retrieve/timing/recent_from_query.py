"""The step that puts the newest first where the query asks for the latest: "your last two arguments".

`latest_words` says which queries do. Of such a query the first `depth` documents of the source are put newest first,
those of the same age in the source's order; "last two" also leaves out all but two. Documents after the first `depth`
stay behind them. So a floor before this step says what is still on the topic: without one, the newest of the first
`depth` come, however little they have to do with the query. Other queries are asked for k, and nothing is changed.

Ages are counted as `ages` says, from the request's `now`. The scores of the reordered documents are the same scores,
handed out anew, highest first; one that is not below the one before it is lowered by a millionth, so that the order
shows in them. The similarity of a document stays with it.

A document without a turn or time is refused when the corpus is indexed; with missing="keep" it comes after those that
have one. A stranger has no metadata: it makes a query for the latest fail, or with missing="keep" comes after them too.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from threading import Lock
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np

from goldproof.checks import whole
from goldproof.errors import InputError
from goldproof.retrieve.dividing import Part, only, together
from goldproof.retrieve.falling import falling
from goldproof.retrieve.timing.ages import Ages, By, Missing
from goldproof.retrieve.wording.latest_words import latest_wanted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from goldproof.records.arrays import FloatArray
    from goldproof.retrieve.found import Found
    from goldproof.retrieve.shelf import Shelf
    from goldproof.retrieve.stage import Request, Stage
    from goldproof.retrieve.wording.latest_words import Latest

STAGE = "recent_from_query"


class RecentFromQuery:
    """Answers queries for the latest newest first.

    current: whether words such as `current` and `now` ask for the latest too. depth: how many of the source's documents
    are put newest first.
    """

    kind: ClassVar[Literal["source", "step", "query step"]] = "step"

    def __init__(
        self,
        source: Stage,
        *,
        by: By = "turn",
        field: str | None = None,
        depth: int = 20,
        current: bool = True,
        missing: Missing = "error",
    ) -> None:
        self.source = source
        self.ages = Ages(STAGE, by=by, field=field, missing=missing)
        self.depth = whole(depth, "depth", stage=STAGE)
        self.current = current
        self._shelf: Shelf | None = None
        self._lock = Lock()  # queries may be asked in several threads
        self._asked: set[str] = set()
        self._for_latest: set[str] = set()

    @property
    def facts(self) -> dict[str, object]:
        """What decides its results."""
        return {**self.ages.facts, "depth": self.depth, "current": self.current}

    @property
    def remarks(self) -> tuple[str, ...]:
        """How many queries asked for the latest, and how many documents are newer than now."""
        latest, asked = len(self._for_latest), len(self._asked)
        said = f"{STAGE}: {latest} of {asked} different queries ask for the latest; answered newest first."
        return (*((said,) if latest else ()), *self.ages.remarks)

    def index(self, shelf: Shelf) -> None:
        """Read the ages, and get the source ready."""
        self.ages.index(shelf)
        self._shelf = shelf
        self._asked, self._for_latest = set(), set()
        self.source.index(shelf)

    def find(self, request: Request) -> Found:
        """Return the source's documents, for some queries newest first."""
        if self._shelf is None:
            raise InputError(f"{STAGE}: index the documents before searching.")
        wanted = [latest_wanted(query, current=self.current) for query in request.queries]
        latest = [i for i, one in enumerate(wanted) if one is not None]
        others = [i for i, one in enumerate(wanted) if one is None]
        with self._lock:
            self._asked.update(request.queries)
            self._for_latest.update(request.queries[i] for i in latest)
        parts = [Part(others, self.source.find(only(request, others)))] if others else []
        if latest:
            asked = only(request, latest)
            found = self.source.find(replace(asked, k=max(request.k, self.depth)))
            counts = [one.count for one in wanted if one is not None]
            parts.append(Part(latest, self._newest_first(found, request, counts=counts)))
        return together(parts, len(request.queries))

    def asks_for(self, query: str) -> Latest | None:
        """Return what a query asks for, None where it does not ask for the latest."""
        return latest_wanted(query, current=self.current)

    def _newest_first(self, found: Found, request: Request, *, counts: Sequence[int | None]) -> Found:
        """Put the first `depth` rows of each query newest first, and keep as many as it asks for."""
        ages = self.ages.of(found.documents, request.now)
        if self.ages.missing == "error" and np.isnan(ages).any():
            found, ages = self._without_strangers(found, ages)
        rank, query_of_row = found.rank_of_row, found.query_of_row
        behind = rank > self.depth
        # Those behind, and those without an age, keep the source's order.
        keys = np.where(behind | np.isnan(ages), np.inf, ages)
        order = np.lexsort((rank, keys, behind, query_of_row))
        most = np.asarray([request.k if count is None else min(count, request.k) for count in counts], dtype=np.int64)
        reordered = replace(
            found,
            documents=found.documents[order],
            scores=_handed_out(found),
            similarity=None if found.similarity is None else found.similarity[order],
        )
        return reordered.kept(rank <= most[query_of_row])

    def _without_strangers(self, found: Found, ages: FloatArray) -> tuple[Found, FloatArray]:
        """Let the queries fail that brought a document of unknown age."""
        query_of_row, failed = found.query_of_row, dict(found.failed)
        for row in np.flatnonzero(np.isnan(ages)).tolist():
            name = self._shelf.at(int(found.documents[row])).id if self._shelf else ""
            failed.setdefault(
                int(query_of_row[row]),
                f"{STAGE}: document {name!r} is not in the corpus, so its age is unknown; say missing=keep to keep it.",
            )
        fine = ~np.isin(query_of_row, list(failed))
        return replace(found.kept(fine), failed=dict(sorted(failed.items()))), ages[fine]


def _handed_out(found: Found) -> FloatArray:
    """Return the scores of each query, which stand highest first, with no two the same."""
    bounds = found.starts.tolist()
    scores = [falling(found.scores[low:high].tolist()) for low, high in pairwise(bounds)]
    return np.asarray([score for one in scores for score in one], dtype=np.float64)
