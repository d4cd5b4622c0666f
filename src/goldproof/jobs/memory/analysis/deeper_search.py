"""Repeat the search of our own memory stage by stage, deeper than k.

The pipeline is built anew and indexed with the memories stored when the query was asked, so that the system itself is
left alone. It is asked for as many as are stored, stage by stage: the stage that drops a memory which the stage before
it had is the one that kept it out. Stages that ask a model, a server or a retriever of the user's (such as a reranker)
are not asked again, since that may cost something: the search then ends before the first of them.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from goldproof.errors import EmbeddingFailedError, InputError, SearchFailedError, reason_of
from goldproof.jobs.memory.analysis.findings import documents_of, now_of, pool_key
from goldproof.memory.memory import share_embedders
from goldproof.retrieve import Pipeline
from goldproof.retrieve.external import UserRetriever
from goldproof.retrieve.stage import Request, card_name, is_ours, stages_of
from goldproof.retrieve.stages.bm25 import Bm25
from goldproof.retrieve.stages.cutoff import Floor, Top
from goldproof.retrieve.stages.dense import Dense
from goldproof.retrieve.stages.filters import filter_mask

if TYPE_CHECKING:
    from collections.abc import Mapping

    from goldproof.jobs.memory.analysis.findings import PoolKey
    from goldproof.jobs.memory.records import Answered
    from goldproof.retrieve.ranking import RankingBatch
    from goldproof.retrieve.stage import Stage

SystemKind = Literal["lexical", "dense", "hybrid", "unknown"]
_NOT_OURS = "a retriever in its pipeline is not Goldproof's own, and may cost something"


@dataclass(frozen=True, slots=True)
class RankedMemory:
    """One memory in the ranking of one stage."""

    rank: int
    score: float
    similarity: float | None


@dataclass(frozen=True, slots=True)
class StageRank:
    """Where a memory is ranked, and the stage that kept it out.

    at: its place in the deeper ranking; None where it is not in it. kept_out_by: the stage that dropped it, and before:
    its place in front of that stage; both None where no stage had it. without_floors: its rank in the same search with
    all floors lifted, where a floor kept it out. unasked: the stage that was not asked again. unsearched: why the
    search was not repeated; nothing else is known then.
    """

    at: RankedMemory | None = None
    kept_out_by: Stage | None = None
    before: RankedMemory | None = None
    without_floors: int | None = None
    unasked: Stage | None = None
    unsearched: str = ""


class DeeperSearch:
    """Deeper searches of one pipeline; consecutive queries of one pool share its index."""

    def __init__(self, pipeline: Pipeline) -> None:
        self.kind = kind_of(pipeline)
        self._pipeline = Pipeline(pipeline.expression)
        self._stage, self._unasked = _cheap_part(self._pipeline.stage)
        self._indexed: PoolKey | None = None
        self._rankings: dict[tuple[int, str], dict[str, RankedMemory]] = {}

    def close(self) -> None:
        """Close the files of the pipeline."""
        self._pipeline.close()

    def stage_ranks(self, row: Answered) -> Mapping[str, StageRank]:
        """Return where each expected memory is ranked, or why the search was not repeated."""
        if not row.query.expected:
            return {}
        if self._stage is None:
            return dict.fromkeys(row.query.expected, StageRank(unsearched=_NOT_OURS))
        try:
            return self._search(row)
        except (InputError, EmbeddingFailedError, SearchFailedError) as error:  # the query itself was answered
            return dict.fromkeys(row.query.expected, StageRank(unsearched=reason_of(error)))

    def _search(self, row: Answered) -> Mapping[str, StageRank]:
        self._index(row)
        filters = row.query.filters or None
        allowed = None if filters is None else filter_mask(self._pipeline.documents, filters)
        request = Request((row.query.text,), len(row.pool), allowed=allowed, filters=filters, now=now_of(row))
        return {memory: self._stage_rank(request, row, memory) for memory in row.query.expected}

    def _index(self, row: Answered) -> None:
        if self._indexed != pool_key(row):
            self._indexed = None
            share_embedders(self._pipeline.stage)
            self._pipeline.index(documents_of(row.pool))
            self._indexed = pool_key(row)
            self._rankings = {}

    def _stage_rank(self, request: Request, row: Answered, memory: str) -> StageRank:
        last = self._stage
        if last is None:
            return StageRank()
        at = self._ranking(last, request, row).get(memory)
        if at is not None:
            return StageRank(at=at, unasked=self._unasked)
        for stage in reversed(list(stages_of(last))):
            for source in _sources(stage):
                before = self._ranking(source, request, row).get(memory)
                if before is not None and memory not in self._ranking(stage, request, row):
                    lifted = self._without_floors(request, row).get(memory) if isinstance(stage, Floor) else None
                    rank = None if lifted is None else lifted.rank
                    return StageRank(None, stage, before, without_floors=rank, unasked=self._unasked)
        return StageRank(unasked=self._unasked)

    def _without_floors(self, request: Request, row: Answered) -> dict[str, RankedMemory]:
        """Search with the floors of our copy of the pipeline lifted; they are put back."""
        key = (0, row.key)
        if key not in self._rankings and self._stage is not None:
            floors = [stage for stage in stages_of(self._stage) if isinstance(stage, Floor)]
            leasts = [stage.least for stage in floors]
            try:
                for stage in floors:
                    stage.least = -math.inf
                self._rankings[key] = _ranked(self._stage.find(request), row)
            finally:
                for stage, least in zip(floors, leasts, strict=True):
                    stage.least = least
        return self._rankings[key]

    def _ranking(self, stage: Stage, request: Request, row: Answered) -> dict[str, RankedMemory]:
        key = (id(stage), row.key)
        if key not in self._rankings:
            self._rankings[key] = _ranked(stage.find(request), row)
        return self._rankings[key]


def open_deeper_search(system: object) -> DeeperSearch | None:
    """Return deeper searches of a system that is Goldproof's own, which has a pipeline; None of any other."""
    pipeline = getattr(system, "pipeline", None)
    return DeeperSearch(pipeline) if isinstance(pipeline, Pipeline) else None


def kind_of(pipeline: Pipeline) -> SystemKind:
    """Return how a pipeline searches: lexical, dense, or both; unknown where a retriever of the user's does it."""
    stages = list(stages_of(pipeline.stage))
    lexical = any(isinstance(stage, Bm25) for stage in stages)
    dense = any(isinstance(stage, Dense) for stage in stages)
    if lexical and dense:
        return "hybrid"
    return "lexical" if lexical else "dense" if dense else "unknown"


def stage_label(stage: Stage) -> str:
    """Return a stage as a pipeline text has it."""
    if isinstance(stage, Floor):
        return f"floor({stage.least:g})"
    if isinstance(stage, Top):
        return f"top({stage.k})"
    if isinstance(stage, UserRetriever):
        return card_name(stage)
    return re.sub(r"(?<!^)(?=[A-Z])", "_", type(stage).__name__).lower()


def _cheap_part(stage: Stage) -> tuple[Stage | None, Stage | None]:
    """Return as much of a pipeline as costs nothing to ask, and the stage at which it ends, if it does."""
    unasked: Stage | None = None
    part: Stage | None = stage
    while part is not None and not is_ours(part):
        unasked, part = part, getattr(part, "source", None)
    return part, unasked


def _sources(stage: Stage) -> tuple[Stage, ...]:
    source: Stage | None = getattr(stage, "source", None)
    members: tuple[Stage, ...] = getattr(stage, "members", ())
    return (*members, *(() if source is None else (source,)))


def _ranked(batch: RankingBatch, row: Answered) -> dict[str, RankedMemory]:
    documents, scores = batch.documents.tolist(), batch.scores.tolist()
    similarities = [None] * len(documents) if batch.similarity is None else batch.similarity.tolist()
    return {
        row.pool[position].id: RankedMemory(rank, scores[rank - 1], _known(similarities[rank - 1]))
        for rank, position in enumerate(documents, start=1)
    }


def _known(similarity: float | None) -> float | None:
    return None if similarity is None or math.isnan(similarity) else similarity
