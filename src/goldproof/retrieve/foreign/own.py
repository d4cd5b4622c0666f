"""A retriever of the user's as a source: any object that searches, or `module:object` that names one.

What it may be is in `goldproof.retrieve.foreign.shapes`; what it may return, in `goldproof.retrieve.foreign.hits`; what
is done to the order and the scores, in `goldproof.retrieve.foreign.settling`. What it raises fails the query, with the
reason.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Literal

from goldproof.errors import InputError, reason_of
from goldproof.plugins import load_user_object, name_of, source_sha256
from goldproof.retrieve.attempts import ask_all, attempt
from goldproof.retrieve.foreign.gathering import gather
from goldproof.retrieve.foreign.hits import Item, read_items
from goldproof.retrieve.foreign.many import read_many
from goldproof.retrieve.foreign.shapes import maker_of, open_shape
from goldproof.retrieve.foreign.tally import Tally

if TYPE_CHECKING:
    from collections.abc import Callable

    from goldproof.retrieve.attempts import Answer
    from goldproof.retrieve.foreign.binding import Bound
    from goldproof.retrieve.foreign.shapes import Opened
    from goldproof.retrieve.found import Found
    from goldproof.retrieve.shelf import Shelf
    from goldproof.retrieve.stage import Request

DEEPER = 10
SHALLOWEST = 100
_MORE = {
    "search": "it does not take k.",
    "vector store": "it does not take k.",
    "langchain": "give k where the retriever is built, as in as_retriever(search_kwargs={'k': 100}).",
    "llamaindex": "give k where the retriever is built, as in as_retriever(similarity_top_k=100).",
}


class Own:
    """Any retriever that is not ours.

    target: the object, or `module:object`. id_field: where a returned document carries its id, if not in a usual place.
    concurrency: how many queries may be asked at once, on threads.
    """

    kind: ClassVar[Literal["source", "step", "query step"]] = "source"
    name: ClassVar[str] = "own"
    card_name: ClassVar[str] = "own"

    def __init__(self, target: object, *, id_field: str | None = None, concurrency: int = 1) -> None:
        self.title = f"{self.name}({name_of(target)})"
        if concurrency < 1:
            raise InputError(f"{self.name}: concurrency is {concurrency!r}, expected a whole number above 0.")
        self._target: Any = load_user_object(target, where=self.name) if isinstance(target, str) else target
        self._source = source_sha256(target)
        self._id_field = id_field
        self._at_once = concurrency
        self._tally = Tally(self.title)
        self._batch_failure = ""
        self._shelf: Shelf | None = None
        self._maker = maker_of(self._target, self.title)
        self._opened: Opened | None = None if self._maker else self._open(self._target)

    @property
    def concurrency(self) -> int | None:
        """How many queries may be asked at once; None where the retriever takes them in batches."""
        batches = self._opened is not None and self._opened.search_many is not None
        return None if batches else self._at_once

    @property
    def facts(self) -> dict[str, object]:
        """What a card records of it."""
        return {"target": self.title, "source": self._source, "id_field": self._id_field}

    @property
    def remarks(self) -> tuple[str, ...]:
        """What was done to its answers, in sentences."""
        opened = self._opened
        more = _MORE[opened.shape] if opened is not None and opened.search.k is None else ""
        if not more and self._tally.counts["dropped"]:
            more = "the filters were applied to what came."
        batch = f"{self.title}: search_many failed ({self._batch_failure}); the queries were asked one at a time."
        return (*self._tally.remarks(more=more), *((batch,) if self._batch_failure else ()))

    def index(self, shelf: Shelf) -> None:
        """Make the retriever where a class or a factory was given, and let it index the documents if it can."""
        documents = list(shelf.documents)
        if self._maker is not None:
            given = (documents,) if self._maker == "documents" else ()
            self._opened = self._open(self._made(self._target, *given, doing="making it"))
        if self._opened is not None and self._opened.index is not None and documents:
            self._made(self._opened.index, documents, doing="index(documents)")
        self._shelf = shelf

    def find(self, request: Request) -> Found:
        """Ask the retriever; a query that it cannot answer fails with its reason."""
        if self._shelf is None or self._opened is None:
            raise InputError(f"{self.title}: nothing is indexed yet; call index first.")
        answers = self._in_batch(self._opened, request) or self._one_by_one(self._opened, request)
        return gather(answers, request, shelf=self._shelf, tally=self._tally)

    def _open(self, target: object) -> Opened:
        return open_shape(target, self.title)

    def _one_by_one(self, opened: Opened, request: Request) -> list[Answer[list[Item]]]:
        depth = _depth(opened.search, request)

        def ask(query: str) -> list[Item]:
            return read_items(opened.search(query, depth, request.filters), query, id_field=self._id_field)

        return ask_all(ask, request.queries, concurrency=self._at_once)

    def _in_batch(self, opened: Opened, request: Request) -> list[Answer[list[Item]]] | None:
        """Return what `search_many` answers; None where there is none, or it fails: then each is asked alone."""
        many = opened.search_many
        if many is None or len(request.queries) < 2:
            return None

        def ask(queries: tuple[str, ...]) -> list[Answer[list[Item]]]:
            returned = many(list(queries), _depth(many, request), request.filters)
            return read_many(returned, queries, id_field=self._id_field)

        answer = attempt(ask, request.queries)
        self._batch_failure = self._batch_failure or answer.failure or ""
        return answer.value

    def _made(self, function: Callable[..., Any], *given: object, doing: str) -> object:
        try:
            return function(*given)
        except Exception as error:
            raise InputError(f"{self.title}: {doing} failed with {reason_of(error)}") from error


def _depth(search: Bound, request: Request) -> int:
    """Return how many to ask for: more than k where filters can only be applied to what comes."""
    filtered = bool(request.filters) or request.allowed is not None
    return max(DEEPER * request.k, SHALLOWEST) if filtered and not search.filters else request.k
