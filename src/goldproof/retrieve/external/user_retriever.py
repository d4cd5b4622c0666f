"""Any object that searches: ours, LangChain's, LlamaIndex's, a function.

Shapes are tried in this order: an object with `search` (a LangChain vector store has one too, with another meaning, and
is known by its `similarity_search`); LangChain's `invoke`; LlamaIndex's `retrieve`; a function of a query. A class or a
factory is called first: without arguments, or with `documents` where that is the one thing it requires.

`goldproof.retrieve.external.hits` reads what it returns, `goldproof.retrieve.external.hit_ranking` makes a ranking of
it. What it raises fails the query, with the reason. The object is never changed, and what it returns is cut at k.

LangChain: `invoke` does not take k in general. The retriever of a vector store does: it is given k, unless it was built
with a k of its own (`as_retriever(search_kwargs={"k": 4})`), which is kept: the object is measured as it is. Filters
are applied to the documents it returns. These have no scores, so the rank is the score.

LlamaIndex: `retrieve` does not take k: build the retriever with `similarity_top_k` (its default is 2). The id is the
node's; with `id_field="ref_doc_id"` that of the document the node was cut from, of which the best node counts.
"""

from __future__ import annotations

import inspect
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from goldproof.errors import InputError, kind_of
from goldproof.retrieve.external.hit_ranking import AnswerCounts, gather
from goldproof.retrieve.external.hits import ReturnedDocument, read_documents, read_many
from goldproof.retrieve.parallel import ask_all
from goldproof.retrieve.stage import Source, stage
from goldproof.user_code.calls import TimedCalls, attempt, checked_timeout
from goldproof.user_code.parameters import (
    SEARCH,
    Bound,
    bind_parameters,
    is_async,
    parameters_of,
    required_parameters,
)
from goldproof.user_code.user_object import UserObject

if TYPE_CHECKING:
    from collections.abc import Callable

    from goldproof.retrieve.document_index import DocumentIndex
    from goldproof.retrieve.ranking import RankingBatch
    from goldproof.retrieve.stage import Request
    from goldproof.user_code.calls import Answer

Shape = Literal["search", "vector store", "langchain", "llamaindex"]
TellK = Literal["auto", "always", "never"]
EXPECTED = (
    "expected an object with search(query, k, filters=None), with LangChain's invoke(query) or with LlamaIndex's "
    "retrieve(query), a function f(query, k), or a class or factory of one"
)
DOCUMENTS_NAMES = ("documents", "docs", "corpus")
QUERY_NAMES = ("query", "question", "q", "text")
DEEPER = 10
SHALLOWEST = 100
_ASYNC_NAMES = ("search", "invoke", "retrieve", "ainvoke", "aretrieve", "asearch", "asimilarity_search")
_MORE = {
    "search": "it does not take k.",
    "vector store": "it does not take k.",
    "langchain": "give k where the retriever is built, as in as_retriever(search_kwargs={'k': 100}).",
    "llamaindex": "give k where the retriever is built, as in as_retriever(similarity_top_k=100).",
}


@stage(
    "own",
    summary="Searches with an object of your own.",
    target="the object, or `module:object`",
    id_field="where a returned document carries its id, if not in a usual place",
    concurrency="how many queries may be asked at once, on threads",
    timeout="seconds for one query; unless given here or with the search, it may take any time",
)
class UserRetriever(Source):
    """A retriever of the user's as a source of a pipeline."""

    card_name: ClassVar[str] = "own"

    def __init__(
        self, target: object, *, id_field: str | None = None, concurrency: int = 1, timeout: float | None = None
    ) -> None:
        if concurrency < 1:
            raise InputError(f"{self.name}: concurrency is {concurrency!r}, expected a whole number above 0.")
        self._timeout = None if timeout is None else checked_timeout(timeout)
        self._calls = TimedCalls(at_once=concurrency)
        user = UserObject.of(target, where=self.name)
        self.title = f"{self.name}({user.name})"
        self._user = replace(user, name=self.title)
        self._id_field = id_field
        self._at_once = concurrency
        self._counts = AnswerCounts(self.title)
        self._batch_failure = ""
        self._documents: DocumentIndex | None = None
        self._factory_takes = factory_argument(user.target, self.title)
        self._opened: Opened | None = None if self._factory_takes else self._open(user.target)

    @property
    def concurrency(self) -> int | None:
        """How many queries may be asked at once; None where the retriever takes them in batches."""
        batches = self._opened is not None and self._opened.search_many is not None
        return None if batches else self._at_once

    @property
    def facts(self) -> dict[str, object]:
        """Which object it is and where ids are read from, for the card."""
        return {"target": self.title, "source": self._user.source, "id_field": self._id_field}

    @property
    def remarks(self) -> tuple[str, ...]:
        """Notes on what was changed in the answers."""
        opened = self._opened
        more = _MORE[opened.shape] if opened is not None and "k" not in opened.search.taken else ""
        if not more and self._counts.dropped:
            more = "filters dropped some of those returned."
        batch = f"{self.title}: search_many failed ({self._batch_failure}); the queries were asked one at a time."
        return (*self._counts.remarks(more=more), *((batch,) if self._batch_failure else ()))

    def index(self, documents: DocumentIndex) -> None:
        """Make the retriever where a class or a factory was given, and let it index the documents if it can."""
        corpus = list(documents.corpus)
        if self._factory_takes is not None:
            arguments = (corpus,) if self._factory_takes == "documents" else ()
            self._opened = self._open(self._user.made(*arguments).target)
        if self._opened is not None and self._opened.index is not None and corpus:
            indexed = attempt(self._opened.index, corpus)
            if indexed.failure is not None:
                raise InputError(f"{self.title}: index(documents) failed with {indexed.failure}")
        self._documents = documents

    def find(self, request: Request) -> RankingBatch:
        """Ask the retriever; a query that it cannot answer fails with its reason."""
        if self._documents is None or self._opened is None:
            raise InputError(f"{self.title}: nothing is indexed yet; call index first.")
        answers = self._in_batch(self._opened, request) or self._one_by_one(self._opened, request)
        return gather(answers, request, documents=self._documents, counts=self._counts)

    def _open(self, target: object) -> Opened:
        return open_shape(target, self.title)

    def _one_by_one(self, opened: Opened, request: Request) -> list[Answer[list[ReturnedDocument]]]:
        depth, seconds = _depth(opened.search, request), self._seconds(request)

        def ask(query: str) -> list[ReturnedDocument]:
            returned = opened.search(query=query, k=depth, filters=_filters(request))
            return read_documents(returned, query, id_field=self._id_field)

        return ask_all(
            lambda query: self._calls.within(seconds, ask, query), request.queries, concurrency=self._at_once
        )

    def _in_batch(self, opened: Opened, request: Request) -> list[Answer[list[ReturnedDocument]]] | None:
        """Return what `search_many` answers; None where each is asked alone: it fails, or each has a time limit."""
        many = opened.search_many
        if many is None or len(request.queries) < 2 or self._seconds(request) is not None:
            return None

        def ask(queries: tuple[str, ...]) -> list[Answer[list[ReturnedDocument]]]:
            returned = many(query=list(queries), k=_depth(many, request), filters=_filters(request))
            return read_many(returned, queries, id_field=self._id_field)

        answer = attempt(ask, request.queries)
        self._batch_failure = self._batch_failure or answer.failure or ""
        return answer.value

    def _seconds(self, request: Request) -> float | None:
        return request.timeout if self._timeout is None else self._timeout


def _filters(request: Request) -> dict[str, object] | None:
    return dict(request.filters) if request.filters else None


def _depth(search: Bound, request: Request) -> int:
    """Return how many to ask for: more than k where filters can only be applied afterwards."""
    filtered = bool(request.filters) or request.allowed is not None
    return max(DEEPER * request.k, SHALLOWEST) if filtered and "filters" not in search.taken else request.k


@stage(
    "langchain",
    summary="Searches with a retriever or vector store of LangChain.",
    id_field="the metadata field that holds the id; without it `.id`, else `_id`, `id`, `doc_id` or `source` of the "
    "metadata",
    tell_k='whether k is given with `invoke`; "auto": to a vector store\'s retriever that has no k of its own',
)
class LangChain(UserRetriever):
    """An object with `invoke(query)`, or a vector store."""

    card_name: ClassVar[str] = "langchain"

    def __init__(
        self,
        target: object,
        *,
        id_field: str | None = None,
        tell_k: TellK = "auto",
        concurrency: int = 1,
        timeout: float | None = None,
    ) -> None:
        self._tell_k = tell_k
        super().__init__(target, id_field=id_field, concurrency=concurrency, timeout=timeout)

    def _open(self, target: object) -> Opened:
        opened = open_shape(target, self.title)
        if opened.shape not in ("langchain", "vector store"):
            raise InputError(f"{self.title} has no invoke(query); expected a LangChain retriever or vector store.")
        if self._tell_k == "auto":
            return opened
        told = {"k": "k"} if self._tell_k == "always" else {}
        return replace(opened, search=Bound(opened.search.function, {"query": "", **told}))


@stage(
    "llamaindex",
    summary="Searches with a retriever of LlamaIndex.",
    init=False,
    id_field="`ref_doc_id`, or a field of the node's metadata; without it the node's id",
)
class LlamaIndex(UserRetriever):
    """An object with `retrieve(query)`."""

    card_name: ClassVar[str] = "llamaindex"

    def _open(self, target: object) -> Opened:
        opened = open_shape(target, self.title)
        if opened.shape != "llamaindex":
            raise InputError(f"{self.title} has no retrieve(query); expected a LlamaIndex retriever.")
        return opened


@dataclass(frozen=True, slots=True)
class Opened:
    """A retriever of the user's, ready to be called."""

    shape: Shape
    target: Any
    search: Bound
    search_many: Bound | None = None
    index: Callable[..., Any] | None = None


def factory_argument(target: object, name: str) -> Literal["nothing", "documents"] | None:
    """Return what a class or factory must be called with; None where the target is a retriever already."""
    is_class = inspect.isclass(target)
    if not callable(target) or (not is_class and _searches(target)):
        return None
    parameters = parameters_of(target)
    if parameters is None:
        return "nothing" if is_class else None
    needed = required_parameters(parameters)
    if len(needed) == 1 and needed[0].name in DOCUMENTS_NAMES:
        return "documents"
    if is_class and needed:
        raise InputError(
            f"{name}: the class requires {needed[0].name!r}; give one that is made without arguments or with "
            "documents, an object, or a function that makes one."
        )
    takes_query = any(p.name in QUERY_NAMES or p.kind is p.VAR_POSITIONAL for p in parameters)
    return "nothing" if is_class or not (needed or takes_query) else None


def _searches(target: object) -> bool:
    return any(_method(target, name) for name in ("search", "invoke", "retrieve", "similarity_search"))


def open_shape(target: object, name: str) -> Opened:
    """Return how the object is searched; InputError where it has no known shape."""
    if (similar := _method(target, "similarity_search")) and _method(target, "as_retriever"):
        return Opened("vector store", target, _bind(similar, f"{name}: similarity_search"))
    if search := _method(target, "search"):
        many = _method(target, "search_many")
        search_many = None if many is None else _bind(many, f"{name}: search_many")
        return Opened("search", target, _bind(search, f"{name}: search"), search_many, _index_method(target))
    if invoke := _method(target, "invoke"):
        return Opened("langchain", target, Bound(invoke, {"query": "", **({"k": "k"} if _is_told_k(target) else {})}))
    if retrieve := _method(target, "retrieve"):
        return Opened("llamaindex", target, Bound(retrieve, {"query": ""}))
    if callable(target) and not inspect.isclass(target):
        return Opened("search", target, _bind(target, name))
    raise InputError(f"{name} is {kind_of(target)}{_near_miss(target)}; {EXPECTED}.")


def _bind(function: Callable[..., Any], where: str) -> Bound:
    if is_async(function):
        raise InputError(f"{where} is async; give one that can be called without await, for example by asyncio.run.")
    return bind_parameters(function, SEARCH, where=where)


def _method(target: object, name: str) -> Callable[..., Any] | None:
    """Return a method that can be called without await."""
    method = None if inspect.isclass(target) else getattr(target, name, None)
    return method if callable(method) and not is_async(method) else None


def _index_method(target: object) -> Callable[..., Any] | None:
    """Return `index(documents)`; a method of that name that takes something else (a database's) is left alone."""
    method = _method(target, "index")
    needed = required_parameters(parameters_of(method) or []) if method is not None else []
    takes_one = len(needed) == 1 and needed[0].kind is not inspect.Parameter.KEYWORD_ONLY
    return method if takes_one else None


def _is_told_k(target: object) -> bool:
    """Say whether k can be given with `invoke`: to a vector store's retriever, unless it was built with a k."""
    settings = getattr(target, "search_kwargs", None)
    return isinstance(settings, dict) and "k" not in settings


def _near_miss(target: object) -> str:
    """Return what is nearly right about an object, for the message that refuses it."""
    awaited = next((method for method in _ASYNC_NAMES if is_async(getattr(target, method, None))), None)
    if awaited is not None:
        return f" whose {awaited} is async, and that offers nothing else; wrap it in a function that runs it"
    if callable(getattr(target, "as_retriever", None)):
        return " that is not a retriever itself; give what its as_retriever() returns"
    return ""
