"""Pipeline stages: the request, the declaration of a stage, the registry of names, walking over a pipeline's stages.

A source (bm25, dense, a retriever of the user's) answers by itself. A step (floor, decay, rerank, ...) holds the stage
before it as `source`, asks it, and changes its answer; a step that reorders asks for more than k, to have a choice. So
the last stage holds all others: it is the pipeline. A query step changes the query for the stage after it.

A stage is declared once, by its class:

    @stage("floor", summary="Drops documents that lie below a value.")
    class Floor(Step):
        least: float = param("the least that is kept", kw_only=False)
        of: Literal["similarity", "score"] | None = param("the similarity or the score", default=None)

        def find(self, request: Request) -> RankingBatch: ...

Text, YAML, the function in Python, the reference and the messages about wrong arguments follow from it. The class
becomes a dataclass; what the types cannot say is checked in its `__post_init__`. A class that takes `*members` or
`**fields` has its own `__init__`, and the meaning of its parameters goes to `@stage`. Either way the arguments are
checked and converted by their annotations before `__init__` runs, with the messages of the language.

`concurrency` may be there too: how many queries may be asked at once where a stage waits for a server, a model or a
retriever of the user's; and `close`, where it holds a file or a connection until it is needed again. Plug-ins are entry
points of the group `goldproof` named `retriever.NAME`; one that is no stage is a retriever of the user's (it has
`search`). A class that does without `Source` and `Step` says by `kind` where it may stand.
"""

from __future__ import annotations

from dataclasses import MISSING, dataclass, field, fields
from functools import wraps
from typing import (
    TYPE_CHECKING,
    Any,
    ClassVar,
    Literal,
    Protocol,
    TypeAlias,
    TypeVar,
    dataclass_transform,
)

from goldproof.errors import InputError
from goldproof.plugins import Registry
from goldproof.retrieve.language.arguments import StageSignature
from goldproof.retrieve.language.expression import Call, as_argument

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from goldproof.records.arrays import BoolArray
    from goldproof.retrieve.document_index import DocumentIndex
    from goldproof.retrieve.ranking import RankingBatch
    from goldproof.retrieve.retriever import Filters, Moment


def checked_k(k: object) -> int:
    """Return how many documents are asked for."""
    if isinstance(k, bool) or not isinstance(k, int) or k < 1:
        raise InputError(f"k is {k!r}, expected a whole number above 0.")
    return k


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
    """A source, or a step with its source."""

    def index(self, documents: DocumentIndex) -> None:
        """Get ready to search these documents; a step passes it on to its source. What takes long is reported to
        `documents.on_progress`.

        Called again with other documents, it starts anew: the stage is then as one that was never indexed before.
        """

    def find(self, request: Request) -> RankingBatch:
        """Answer the queries: at most k rows each, ordered, only allowed documents."""


@dataclass(eq=False, repr=False)
class Declared:
    """What every declared stage has; the class attributes up to `signature` are set by `@stage`.

    searches_corpus: it finds nothing without documents. takes_stages: its arguments by position are pipelines.
    reads_query: what it does depends on the text of the query.
    """

    name: ClassVar[str] = ""
    summary: ClassVar[str] = ""
    docs: ClassVar[Mapping[str, str]] = {}
    signature: ClassVar[StageSignature]
    searches_corpus: ClassVar[bool] = False
    takes_stages: ClassVar[bool] = False
    reads_query: ClassVar[bool] = True
    _documents: DocumentIndex | None = field(default=None, init=False)

    @property
    def documents(self) -> DocumentIndex:
        """The indexed documents."""
        if self._documents is None:
            raise InputError(f"{self.name}: index the documents before searching.")
        return self._documents

    @property
    def facts(self) -> Mapping[str, object]:
        """Facts for the card, in values that JSON has; read after `index`. The parameters, unless a class has others.

        Two configurations that may rank differently differ here or in the text of the pipeline. No secrets.
        """
        return {
            parameter.name: getattr(self, parameter.name) for parameter in fields(self) if _DOC in parameter.metadata
        }

    @property
    def remarks(self) -> Sequence[str]:
        """Sentences for the report; read after the run."""
        return ()

    def index(self, documents: DocumentIndex) -> None:
        """Get ready to search these documents."""
        self._documents = documents


class Source(Declared):
    """A stage that searches by itself."""


@dataclass(eq=False, repr=False)
class Step(Declared):
    """A stage that changes what the stage before it found."""

    source: Stage

    def index(self, documents: DocumentIndex) -> None:
        """Take the documents, and get the source ready."""
        super().index(documents)
        self.source.index(documents)


class QueryStep(Step):
    """A stage that changes the query for the stage after it, which it holds as its source."""


Kind: TypeAlias = Literal["source", "step", "query step"]
# A class whose instances are stages, or anything that searches: a plug-in may be any object.
StageClass: TypeAlias = Any
_KINDS: tuple[tuple[type, Kind], ...] = ((QueryStep, "query step"), (Step, "step"), (Source, "source"))
_DOC = "doc"

STAGES: Registry[StageClass] = Registry("retriever")

# In the order of the reference. Named as text, so that a pipeline loads the stages it has and no others.
BUILT_IN = {
    "bm25": "goldproof.retrieve.stages.bm25:Bm25",
    "dense": "goldproof.retrieve.stages.dense:Dense",
    "hybrid": "goldproof.retrieve.stages.hybrid:Hybrid",
    "recency": "goldproof.retrieve.stages.decay:Recency",
    "own": "goldproof.retrieve.external.user_retriever:UserRetriever",
    "http": "goldproof.retrieve.external.http:Http",
    "run": "goldproof.retrieve.external.run_file:RunFile",
    "langchain": "goldproof.retrieve.external.user_retriever:LangChain",
    "llamaindex": "goldproof.retrieve.external.user_retriever:LlamaIndex",
    "floor": "goldproof.retrieve.stages.cutoff:Floor",
    "filter": "goldproof.retrieve.stages.filters:Filter",
    "filter_from_query": "goldproof.retrieve.stages.filter_from_query:FilterFromQuery",
    "decay": "goldproof.retrieve.stages.decay:Decay",
    "recent_from_query": "goldproof.retrieve.stages.recent_from_query:RecentFromQuery",
    "rerank": "goldproof.retrieve.stages.rerank:Rerank",
    "top": "goldproof.retrieve.stages.cutoff:Top",
    "expand": "goldproof.retrieve.stages.expand:Expand",
}
for _name, _target in BUILT_IN.items():
    STAGES.register(_name, _target)

D = TypeVar("D", bound=Declared)


def param(doc: str, *, default: Any = MISSING, kw_only: bool = True) -> Any:  # noqa: ANN401 - as dataclasses.field
    """Return a parameter of a stage; kw_only=False: it may be written without its name."""
    return field(default=default, kw_only=kw_only, metadata={_DOC: doc})


@dataclass_transform(eq_default=False, kw_only_default=True, field_specifiers=(param,))
def stage(name: str, *, summary: str, init: bool = True, **docs: str) -> Callable[[type[D]], type[D]]:
    """Declare a stage of pipelines under a name.

    init: False where the class inherits its `__init__`. docs: of the parameters of an `__init__` that is written out.
    """

    def declare(cls: type[D]) -> type[D]:
        if not issubclass(cls, Source | Step):
            raise InputError(
                f"stage {name!r}: {cls.__name__} is not a stage; derive it from Source, Step or QueryStep."
            )
        makes_init = init and "__init__" not in vars(cls)
        cls = dataclass(init=makes_init, eq=False, repr=False, kw_only=True)(cls)
        parameters = {item.name: item.metadata[_DOC] for item in fields(cls) if _DOC in item.metadata}
        cls.name, cls.summary, cls.docs = name, summary, {**cls.docs, **parameters, **docs}
        cls.signature = StageSignature(name, cls, takes_source=issubclass(cls, Step))
        cls.__init__ = _checked_init(cls)  # type: ignore[method-assign]
        STAGES.register(name, cls)
        return cls

    return declare


def _checked_init(cls: type[Declared]) -> Callable[..., None]:
    """Return the `__init__` of a class behind the checks of its arguments."""
    plain: Callable[..., None] = cls.__init__

    @wraps(plain)
    def init(self: Declared, /, *args: object, **kwargs: object) -> None:
        if type(self).signature is cls.signature:  # else a declared subclass calls it, which checked the arguments
            stages = len(args) if cls.takes_stages else 1 if isinstance(self, Step) else 0
            bound = cls.signature.bind(_call(cls.name, args[stages:], kwargs))
            args, kwargs = (*args[:stages], *bound.args), bound.kwargs
        plain(self, *args, **kwargs)

    return init


def _call(name: str, args: tuple[object, ...], kwargs: Mapping[str, object]) -> Call:
    """Return the call that a text with these arguments would be."""
    try:
        return Call(name, tuple(map(as_argument, args)), tuple((key, as_argument(kwargs[key])) for key in kwargs))
    except InputError as error:
        raise InputError(f"{name}: {error}") from None


def kind_of(maker: object) -> Kind | None:
    """Return where in a pipeline a class may be used; None for any other class, which is a retriever of the user's."""
    if isinstance(maker, type):
        for base, kind in _KINDS:
            if issubclass(maker, base):
                return kind
    undeclared: Kind | None = getattr(maker, "kind", None)
    return undeclared


def stages_of(stage: Stage) -> Iterator[Stage]:
    """Yield every stage, the sources first."""
    for before in _before(stage):
        yield from stages_of(before)
    yield stage


def stage_facts(stage: Stage) -> list[dict[str, object]]:
    """Return the facts of each stage, with its name, for the card."""
    return [{"stage": card_name(part), **getattr(part, "facts", {})} for part in stages_of(stage)]


def card_name(stage: Stage) -> str:
    """Return the name of a stage in cards and in the key of an unfinished run.

    Its class attribute `card_name`, so that a class can be renamed without changing what is written; else its class.
    """
    declared = getattr(type(stage), "card_name", None)
    return declared if isinstance(declared, str) else type(stage).__name__.lower()


def stage_remarks(stage: Stage) -> list[str]:
    """Return the remarks of all stages after a run."""
    return [remark for part in stages_of(stage) for remark in getattr(part, "remarks", ())]


def concurrency_of(stage: Stage) -> int | None:
    """Return how many queries may be asked at once, the least of all stages; None where none of them waits."""
    limits = [getattr(part, "concurrency", None) for part in stages_of(stage)]
    return min((limit for limit in limits if isinstance(limit, int)), default=None)


def is_ours(stage: Stage) -> bool:
    """Whether no retriever of the user's, server or model is asked, so that searching again costs nothing."""
    from goldproof.retrieve.external.user_retriever import UserRetriever  # noqa: PLC0415 - imported late: a cycle

    return not any(isinstance(part, UserRetriever) for part in stages_of(stage)) and concurrency_of(stage) is None


def _before(stage: Stage) -> tuple[Stage, ...]:
    source: Stage | None = getattr(stage, "source", None)
    members: tuple[Stage, ...] = getattr(stage, "members", ())
    return (*members, *(() if source is None else (source,)))
