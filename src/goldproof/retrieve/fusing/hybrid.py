"""Several retrievers asked the same, and their rankings fused into one (`fusion` has the formulas).

Each member is asked for `depth` documents, or k if that is more. A query that failed in any member has failed: a
ranking without that member would be another system's.

Where a member has an embedder, every row gets the similarity by it, so that a floor after a hybrid is one of cosines;
of several such members the first counts.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar, Literal, Protocol, runtime_checkable

import numpy as np

from goldproof.checks import number, one_of, whole
from goldproof.errors import InputError
from goldproof.retrieve.fusing.fusion import NORMALISATIONS, Normalise, fuse_ranks, fuse_scores

if TYPE_CHECKING:
    from collections.abc import Sequence

    from goldproof.records.arrays import FloatArray
    from goldproof.retrieve.found import Found
    from goldproof.retrieve.shelf import Shelf
    from goldproof.retrieve.stage import Request, Stage


@runtime_checkable
class KnowsSimilarity(Protocol):
    """A stage that can tell the similarity of any query and document."""

    def similarities(self, queries: tuple[str, ...], found: Found) -> FloatArray:
        """Return the cosine of each row's query and document, NaN where it is unknown."""


LARGEST_WEIGHT = 1e9


class Hybrid:
    """Fuses its members' rankings.

    weights: one per member, equal unless given. c: of method "rrf". normalise: of method "sum".
    """

    kind: ClassVar[Literal["source", "step", "query step"]] = "source"
    takes_stages: ClassVar[bool] = True

    def __init__(
        self,
        *members: Stage,
        method: Literal["rrf", "sum"] = "rrf",
        weights: Sequence[float] | None = None,
        c: float = 60,
        normalise: Normalise = "minmax",
        depth: int = 100,
    ) -> None:
        if not members:
            raise InputError("hybrid: has no members; expected some, such as hybrid(bm25, dense(minilm)).")
        self.members = members
        self.method = one_of(method, ("rrf", "sum"), stage="hybrid", name="method")
        self.weights = _checked_weights(weights, members)
        self.c = number(c, "c", stage="hybrid", above=-1)
        one_of(normalise, NORMALISATIONS, stage="hybrid", name="normalise")
        self.normalise: Normalise = normalise
        self.depth = whole(depth, "depth", stage="hybrid")
        self._shelf: Shelf | None = None

    @property
    def facts(self) -> dict[str, object]:
        """What decides its results, beside its members."""
        weights = list(self.weights)
        more = {"c": self.c, "normalise": self.normalise, "depth": self.depth, "members": len(self.members)}
        return {"method": self.method, "weights": weights, **more}

    def index(self, shelf: Shelf) -> None:
        """Get every member ready; one that is named twice is told once."""
        self._shelf = shelf
        for i, member in enumerate(self.members):
            if not any(member is earlier for earlier in self.members[:i]):
                member.index(shelf)

    def find(self, request: Request) -> Found:
        """Ask every member, and fuse."""
        if self._shelf is None:
            raise InputError("hybrid: index the documents before searching.")
        deeper = replace(request, k=max(request.k, self.depth))
        answers = [member.find(deeper) for member in self.members]
        failed = self._failures(answers)
        answers = [_without(answer, failed) for answer in answers]
        fused = replace(self._fuse(answers, self._shelf).cut(request.k), failed=failed)
        teller = knows_similarity(self)
        return fused if teller is None else replace(fused, similarity=teller.similarities(request.queries, fused))

    def similarities(self, queries: tuple[str, ...], found: Found) -> FloatArray:
        """Return the cosine of each row by the first member that has an embedder, NaN where none has."""
        teller = self._teller()
        return np.full(len(found.documents), np.nan) if teller is None else teller.similarities(queries, found)

    def _teller(self) -> KnowsSimilarity | None:
        return next((teller for teller in map(knows_similarity, self.members) if teller is not None), None)

    def _fuse(self, answers: list[Found], shelf: Shelf) -> Found:
        if self.method == "rrf":
            return fuse_ranks(answers, shelf, weights=self.weights, c=self.c)
        return fuse_scores(answers, shelf, weights=self.weights, normalise=self.normalise)

    def _failures(self, answers: list[Found]) -> dict[int, str]:
        failed: dict[int, str] = {}
        for i, (member, answer) in enumerate(zip(self.members, answers, strict=True), start=1):
            for query, reason in answer.failed.items():
                failed.setdefault(query, f"hybrid: member {i} ({type(member).__name__.lower()}): {reason}")
        return dict(sorted(failed.items()))


def knows_similarity(stage: object) -> KnowsSimilarity | None:
    """Return who can tell similarities: the stage itself, or the one that it is a step on; None where nobody can."""
    if isinstance(stage, Hybrid):
        return stage if stage._teller() is not None else None  # noqa: SLF001 - a hybrid inside a hybrid
    if isinstance(stage, KnowsSimilarity):
        return stage
    source = getattr(stage, "source", None)
    return None if source is None else knows_similarity(source)


def _without(found: Found, failed: dict[int, str]) -> Found:
    if not failed:
        return found
    return found.kept(~np.isin(found.query_of_row, list(failed)))


def _checked_weights(weights: Sequence[float] | None, members: tuple[Stage, ...]) -> tuple[float, ...]:
    if weights is None:
        return (1.0,) * len(members)
    if not isinstance(weights, list | tuple) or len(weights) != len(members):
        raise InputError(f"hybrid: weights are {weights!r}, expected one for each of the {len(members)} members.")
    checked = tuple(number(weight, "a weight", stage="hybrid") for weight in weights)
    if min(checked) < 0 or not 0 < max(checked) <= LARGEST_WEIGHT:
        raise InputError(
            f"hybrid: weights are {list(weights)}, expected none below 0, one above 0, and none above "
            f"{LARGEST_WEIGHT:,.0f}."
        )
    return checked
