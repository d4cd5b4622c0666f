"""Pipeline stages: the request, the protocols, the registry of names, walking over the stages of a pipeline.

A source (bm25, dense, a retriever of the user's) answers by itself. A step (floor, decay, rerank, ...) holds the stage
before it as `source`, asks it, and changes its answer; a step that reorders asks for more than k, to have a choice. So
the last stage holds all others: it is the pipeline.

A stage needs `index` and `find` only. Optional attributes have a protocol each: `HasFacts`, `HasRemarks`,
`HasConcurrency`, `TellsProgress`; and `close`, where it holds a file or a connection until it is needed again.

A class says by `kind` where it may stand: a "source" searches by itself, a "step" changes what the stage before it
found, a "query step" changes the query for the stage after it. The parameters of its constructor are the parameters of
the language. `takes_stages` marks a class whose positional arguments are pipelines. Plug-ins are entry points of the
group `goldproof` named `retriever.NAME`; one without `kind` is a retriever of the user's (it has `search`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias, runtime_checkable

from goldproof.plugins import Registry

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from goldproof.records.arrays import BoolArray
    from goldproof.retrieve.document_index import DocumentIndex
    from goldproof.retrieve.ranking import RankingBatch
    from goldproof.retrieve.retriever import Filters, Moment

# Texts done, all texts, and how many of those done came from the cache.
OnProgress: TypeAlias = "Callable[[int, int, int], None]"


@dataclass(frozen=True, slots=True, eq=False)
class Request:
    """A batch of queries, and what they ask for.

    ids: of the questions, where they have any; a ready run is looked up by them. allowed: of each document of the
    corpus, whether it may be returned (None: all); the filters as a mask, which a source applies before it cuts at k.
    filters: the same as given, for retrievers of the user's. now: what ages are counted from; None where it is not
    told. timed: the search is being timed, so nothing may come from a cache that would cost nothing to compute again.
    timeout: seconds that a retriever of the user's or a service may take for a query, unless it says so itself.
    """

    queries: tuple[str, ...]
    k: int
    ids: tuple[str, ...] = ()
    allowed: BoolArray | None = None
    filters: Filters | None = None
    now: Moment | None = None
    timed: bool = False
    timeout: float | None = None


class Stage(Protocol):
    """A source, or a step with its source.

    A source that finds nothing without documents says so by the class attribute `searches_corpus = True`.
    """

    def index(self, documents: DocumentIndex) -> None:
        """Get ready to search these documents; a step passes it on to its source.

        Called again with other documents, it starts anew: the stage is then as one that was never indexed before.
        """

    def find(self, request: Request) -> RankingBatch:
        """Answer the queries: at most k rows each, ordered, only allowed documents."""


@runtime_checkable
class HasFacts(Protocol):
    """A stage with settings that decide its results."""

    @property
    def facts(self) -> Mapping[str, object]:
        """Facts for the card, in values that JSON has; read after `index`.

        Two configurations that may rank differently differ here or in the text of the pipeline. No secrets.
        """


@runtime_checkable
class HasRemarks(Protocol):
    """A stage with remarks on a run."""

    @property
    def remarks(self) -> Sequence[str]:
        """Sentences for the report; read after the run."""


@runtime_checkable
class HasConcurrency(Protocol):
    """A stage that waits for a server, a model or a retriever of the user's."""

    @property
    def concurrency(self) -> int | None:
        """How many queries may be asked at once; None where queries are not waited for one by one."""


@runtime_checkable
class TellsProgress(Protocol):
    """A stage whose `index` takes long; `on_progress` is set before it."""

    on_progress: OnProgress | None


Kind: TypeAlias = Literal["source", "step", "query step"]
# A class whose instances are stages, or, where it has no `kind`, anything that searches: a plug-in may be any object.
StageClass: TypeAlias = Any

STAGES: Registry[StageClass] = Registry("retriever")

BUILT_IN = {
    "bm25": "goldproof.retrieve.stages.bm25:Bm25",
    "decay": "goldproof.retrieve.stages.decay:Decay",
    "dense": "goldproof.retrieve.stages.dense:Dense",
    "expand": "goldproof.retrieve.stages.expand:Expand",
    "filter": "goldproof.retrieve.stages.filters:Filter",
    "filter_from_query": "goldproof.retrieve.stages.filter_from_query:FilterFromQuery",
    "floor": "goldproof.retrieve.stages.cutoff:Floor",
    "http": "goldproof.retrieve.external.http:Http",
    "hybrid": "goldproof.retrieve.stages.hybrid:Hybrid",
    "langchain": "goldproof.retrieve.external.user_retriever:LangChain",
    "llamaindex": "goldproof.retrieve.external.user_retriever:LlamaIndex",
    "own": "goldproof.retrieve.external.user_retriever:UserRetriever",
    "recency": "goldproof.retrieve.stages.decay:Recency",
    "recent_from_query": "goldproof.retrieve.stages.recent_from_query:RecentFromQuery",
    "rerank": "goldproof.retrieve.stages.rerank:Rerank",
    "run": "goldproof.retrieve.external.run_file:RunFile",
    "top": "goldproof.retrieve.stages.cutoff:Top",
}
for _name, _target in BUILT_IN.items():
    STAGES.register(_name, _target)


def stages_of(stage: Stage) -> Iterator[Stage]:
    """Yield every stage, the sources first."""
    for before in _before(stage):
        yield from stages_of(before)
    yield stage


def stage_facts(stage: Stage) -> list[dict[str, object]]:
    """Return the facts of each stage, with its name, for the card."""
    return [{"stage": card_name(part), **_facts(part)} for part in stages_of(stage)]


def card_name(stage: Stage) -> str:
    """Return the name of a stage in cards and in the key of an unfinished run.

    Its class attribute `card_name`, so that a class can be renamed without changing what is written; else its class.
    """
    declared = getattr(type(stage), "card_name", None)
    return declared if isinstance(declared, str) else type(stage).__name__.lower()


def stage_remarks(stage: Stage) -> list[str]:
    """Return the remarks of all stages after a run."""
    return [remark for part in stages_of(stage) if isinstance(part, HasRemarks) for remark in part.remarks]


def concurrency_of(stage: Stage) -> int | None:
    """Return how many queries may be asked at once, the least of all stages; None where none of them waits."""
    limits = [part.concurrency for part in stages_of(stage) if isinstance(part, HasConcurrency)]
    return min((limit for limit in limits if isinstance(limit, int)), default=None)


def _facts(stage: Stage) -> Mapping[str, object]:
    return stage.facts if isinstance(stage, HasFacts) else {}


def is_ours(stage: Stage) -> bool:
    """Whether no retriever of the user's, server or model is asked, so that searching again costs nothing."""
    from goldproof.retrieve.external.user_retriever import UserRetriever  # noqa: PLC0415 - imported late: a cycle

    return not any(isinstance(part, UserRetriever) for part in stages_of(stage)) and concurrency_of(stage) is None


def _before(stage: Stage) -> tuple[Stage, ...]:
    source: Stage | None = getattr(stage, "source", None)
    members: tuple[Stage, ...] = getattr(stage, "members", ())
    return (*members, *(() if source is None else (source,)))
