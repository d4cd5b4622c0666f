"""A memory of the user's behind the seam: calls by signature, counts for the report.

    add(text)                                 or    add(role, content, metadata), add_interaction(...)
    search(query)                             or    search(query, k, filters=, now=), search_memories(...)
    clear()                                   or    reset(), delete_all(), or none of them

A method gets the arguments that it takes. One required parameter of `add` gets the text, whatever it is called, and
`role` and `metadata` are passed where there are parameters of these names; two required ones get role and text. k may
have any of the names that retrievers use for it; of a search without k the first k results count. What must be awaited
is run in Goldproof's event loop, which works inside a running one too.

A class or a factory whose memories cannot be cleared makes a new one for each conversation, and the one before is
closed if it has `close()`. An object that cannot be cleared is refused: it would answer from the conversation before.

`goldproof.memory.returned` reads what the methods return. The order of the returned memories is kept; one that is
returned twice keeps its first place. Where a score is missing, place i of n scores n - i + 1. A score from -1 to 1 is
taken for the similarity, unless the scores rise somewhere: then they may be distances. What the system itself calls
`similarity` is taken as that.

Filters that it cannot be given are applied here, to memories whose metadata is known from what was added, by their id
or their text; it is then asked for more than k, and the first k that match are kept. A memory that it has rewritten
cannot be looked up, and stays.
"""

from __future__ import annotations

import functools
import inspect
from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from goldproof.concurrency import run_in_loop
from goldproof.errors import GoldproofError, InputError, SearchFailedError, counted, kind_of
from goldproof.memory.memory_file import Entry, checked_entry
from goldproof.memory.returned import ReturnedMemory, read_ids, read_memories
from goldproof.memory.system import MemoryHit, OpenedMemory
from goldproof.retrieve.stages.filters import matches
from goldproof.user_code.calls import FailedAnswer, TimedCalls
from goldproof.user_code.parameters import (
    POSITIONAL,
    Bound,
    Form,
    K,
    Taken,
    bind_parameters,
    parameters_of,
    required_parameters,
)
from goldproof.user_code.user_object import name_of

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence

    from goldproof.retrieve import Filters, Moment

PAIRS = (("add", "search"), ("add_interaction", "search_memories"))
CLEARS = ("clear", "reset", "delete_all")
EXPECTED = (
    "expected an object with add(text) or add(role, content, metadata), and search(query, k) (add_interaction and "
    "search_memories will do), or a class or factory of one"
)
DEEPER = 10
DEEPEST = 100
_TEXT = ("text", "content", "message", "data", "utterance", "memory", "fact", "note")
_ROLE = Taken(("role", "speaker"), by_any_name=False)
_METADATA = Taken(("metadata", "meta"), kinds=None)
_FILTERS = Taken(("filters", "filter_metadata"))
_NOW = Taken(("now",), by_any_name=False)
_CLEAR = Form((), {}, "clear()")
_ADD = Form(("role", "content"), {"metadata": _METADATA}, "add(text) or add(role, content, metadata)")
_ADD_TEXT = Form(("content",), {"role": _ROLE, "metadata": Taken(_METADATA.names)}, _ADD.written)
_SEARCH = Form(("query",), {"k": K, "filters": _FILTERS, "now": _NOW}, "search(query) or search(query, k)")
_WHOSE_K = "(set by the scenario, else by --k); the first k count."
_ORDER_KEPT = "the order was kept, and the scores were not read as similarities."


class UserMemory(OpenedMemory):
    """A memory of the user's, which `close` leaves alone.

    source: the sha256 of the file in which it is written, where there is one. make: makes another one, for each
    conversation, where it cannot be cleared; None where it was given as an object.
    """

    def __init__(
        self,
        target: object,
        *,
        title: str | None = None,
        source: str | None = None,
        make: Callable[[], object] | None = None,
    ) -> None:
        self.title = title or name_of(target)
        self._source = source
        self._target = target
        self._make = make
        self._unused = True
        self._methods = methods_of(target, self.title, is_made=make is not None)
        self._calls = TimedCalls()
        self._counts = AnswerCounts(self.title)
        self._entries: list[Entry] = []
        self._by_id: dict[str, list[Entry]] = {}

    @property
    def facts(self) -> dict[str, object]:
        """Its name and the sha256 of its source, for the card."""
        return {"memory": self.title, "source": self._source}

    @property
    def remarks(self) -> tuple[str, ...]:
        """What was changed in its answers, in sentences."""
        return self._counts.remarks(takes=self.takes)

    @property
    def takes(self) -> frozenset[str]:
        """Which of role, metadata, k, filters and now its methods take."""
        return frozenset((*self._methods.add.taken, *self._methods.search.taken)) - {"content", "query"}

    @property
    def counts(self) -> dict[str, int]:
        """What its remarks are made of so far."""
        return {name: value for name, value in asdict(self._counts).items() if name != "name"}

    def add_counts(self, counts: Mapping[str, int]) -> None:
        """Add counts of answers that an interrupted run has kept."""
        for name, value in counts.items():
            setattr(self._counts, name, getattr(self._counts, name) + value)

    def clear(self) -> None:
        """Have it forget everything: by its own method, or by making a new one.

        A call that took too long is waited for once more, and where it still runs this fails: it could store what
        belongs to the conversation before.
        """
        if late := self._calls.late(wait_seconds=self.timeout or 0.0):
            calls = counted(late, "earlier call")
            raise GoldproofError(f"{self.title}: {calls} took too long and may still store something.")
        self._entries, self._by_id = [], {}
        try:
            if self._methods.clear is not None:
                self._called(self._methods.clear)
            elif not self._unused:
                self._renew()
        except FailedAnswer as failure:
            raise GoldproofError(self.redacted(f"{self.title}: {failure}")) from None

    def _renew(self) -> None:
        """Close the memory and make a new one."""
        close = getattr(self._target, "close", None)
        if callable(close):
            self._calls.within(self.timeout, _awaited(close))
        made = None if self._make is None else self._calls.within(self.timeout, self._make)
        if made is self._target:
            raise FailedAnswer(
                "it was made anew and is the same object, with the conversation before still in it; make another one "
                "each time, or give it a clear()."
            )
        self._methods = methods_of(made, self.title, is_made=True)
        self._target, self._unused = made, True

    def add(self, role: str, content: str, metadata: Mapping[str, object] | None = None) -> list[str]:
        """Have it store one utterance; return the ids that it gave."""
        entry = checked_entry(len(self._entries) + 1, role, content=content, metadata=metadata)
        try:
            ids = read_ids(self._called(self._methods.add, role=role, content=content, metadata=dict(metadata or {})))
        except FailedAnswer as failure:
            raise GoldproofError(self.redacted(f"{self.title}: {failure}")) from None
        self._entries.append(entry)
        for memory in ids:
            self._by_id.setdefault(memory, []).append(entry)
        return list(ids)

    def search(
        self, query: str, k: int = 5, filters: Filters | None = None, now: Moment | None = None
    ) -> list[MemoryHit]:
        """Return what it found, in its order."""
        filtered_here = bool(filters) and "filters" not in self._methods.search.taken
        depth = max(DEEPER * k, DEEPEST) if filtered_here else k
        given = dict(filters) if filters else None
        try:
            returned = self._called(self._methods.search, query=query, k=depth, filters=given, now=now)
            memories = read_memories(returned, query, known=self._by_id)
        except FailedAnswer as failure:
            raise SearchFailedError(self.redacted(f"{self.title}: {failure}")) from None
        most = None if "k" in self._methods.search.taken else k
        return self._hits(self._filtered(memories, filters or {}, k=k) if filtered_here else memories, most=most)

    def _called(self, method: Bound, **values: object) -> object:
        self._unused = False
        return self._calls.within(self.timeout, method, **values)

    def redacted(self, reason: str) -> str:
        """Return a reason as it may be shown."""
        return reason

    def _filtered(self, memories: Sequence[ReturnedMemory], filters: Filters, *, k: int) -> list[ReturnedMemory]:
        kept, unknown = [], 0
        for memory in memories:
            entries = self._by_id.get(memory.id) or [entry for entry in self._entries if entry.content == memory.text]
            unknown += not entries
            if not entries or any(matches(filters, entry.fields) for entry in entries):
                kept.append(memory)
        self._counts.add_filtered(unknown=unknown)
        return kept[:k]

    def _hits(self, memories: Sequence[ReturnedMemory], *, most: int | None) -> list[MemoryHit]:
        """Return each memory once; most: how many count, where the system was not told."""
        first: dict[str, ReturnedMemory] = {}
        for memory in memories:
            first.setdefault(memory.id, memory)
        repeats, is_cut = len(memories) - len(first), most is not None and len(first) > most
        unique = list(first.values())[:most]
        scores = [memory.score for memory in unique if memory.score is not None]
        by_place = len(scores) < len(unique)
        rises = any(later > earlier for earlier, later in pairwise(scores))
        self._counts.add_answer(repeats=repeats, by_place=by_place and bool(scores), rises=rises, is_cut=is_cut)
        return [
            MemoryHit(
                memory.id,
                float(len(unique) - i) if by_place or memory.score is None else memory.score,
                memory.text if memory.text is not None else self._text(memory.id),
                _similarity(memory, by_score=not by_place and not rises),
            )
            for i, memory in enumerate(unique)
        ]

    def _text(self, memory_id: str) -> str | None:
        """Return the text stored under an id, where that is a single entry."""
        entries = self._by_id.get(memory_id, [])
        return entries[0].content if len(entries) == 1 else None


def _similarity(memory: ReturnedMemory, *, by_score: bool) -> float | None:
    if memory.similarity is not None:
        return memory.similarity
    return memory.score if by_score and memory.score is not None and -1.0 <= memory.score <= 1.0 else None


def is_factory(target: object) -> bool:
    """Return whether a memory is to be made: by a class, or by a function without the methods of one."""
    is_memory = any(callable(getattr(target, method, None)) for pair in PAIRS for method in pair)
    return isinstance(target, type) or (callable(target) and not is_memory)


@dataclass(frozen=True, slots=True)
class Methods:
    """The methods of a memory; clear: None where another memory is made instead."""

    clear: Bound | None
    add: Bound
    search: Bound


def methods_of(target: object, name: str, *, is_made: bool = False) -> Methods:
    """Return how an object is called; InputError where it is no memory.

    is_made: a class or factory makes it, so that it need not be cleared.
    """
    pair = next((pair for pair in PAIRS if all(callable(getattr(target, method, None)) for method in pair)), None)
    if pair is None:
        raise InputError(f"{name} is {kind_of(target)} {_lacking(target)}; {EXPECTED}.")
    clear = next((method for method in CLEARS if callable(getattr(target, method, None))), None)
    if clear is None and not is_made:
        raise InputError(
            f"{name} is an object without clear(), reset() or delete_all(), so it would answer from the conversation "
            f"before; give its class ({name_of(type(target))}) or a function that makes one, and each conversation "
            "gets a new one, or add clear()."
        )

    def bound(method: str, form: Form) -> Bound:
        return bind_parameters(_awaited(getattr(target, method)), form, where=f"{name}: {method}")

    add, search = pair
    return Methods(
        None if clear is None else bound(clear, _CLEAR),
        bound(add, _add_form(getattr(target, add), f"{name}: {add}")),
        bound(search, _SEARCH),
    )


def _add_form(add: Callable[..., Any], name: str) -> Form:
    """Return how `add` is called: with the text first, or with role and text."""
    parameters = parameters_of(add)
    if parameters is None:
        return _ADD
    places = [p for p in parameters if p.kind in POSITIONAL]
    first = places[0].name if places else ""
    if first == "messages":
        raise InputError(
            f"{name} takes a list of messages, as mem0's does; wrap the object, as examples/mem0_memory.py shows."
        )
    if first in _ROLE.names or {"role", "content"} <= {p.name for p in parameters}:
        return _ADD
    required = [p for p in required_parameters(parameters) if p.kind in POSITIONAL and p.name not in _METADATA.names]
    is_text = first in _TEXT or len(required) == 1 or (len(places) == 1 and not required)
    return _ADD_TEXT if places and is_text else _ADD


def _lacking(target: object) -> str:
    methods = [method for pair in PAIRS for method in pair if callable(getattr(target, method, None))]
    if methods == ["search"]:
        return (
            "that searches but stores nothing (has it no add?); a retriever is put under Goldproof's memory by own(...)"
        )
    return f"that has {' and '.join(methods)} alone" if methods else "that neither stores nor searches"


def _awaited(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that waits for what must be awaited."""

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> object:  # noqa: ANN401 - whatever the method takes
        returned = function(*args, **kwargs)
        return run_in_loop(_result(returned)) if inspect.isawaitable(returned) else returned

    return call


async def _result(awaitable: Awaitable[object]) -> object:
    return await awaitable


@dataclass(slots=True)
class AnswerCounts:
    """Counts of what one system returned and what was changed, for its remarks."""

    name: str
    answers: int = 0
    repeats: int = 0
    by_place: int = 0
    rising: int = 0
    filtered: int = 0
    unknown: int = 0
    cut: int = 0

    def add_answer(self, *, repeats: int, by_place: bool, rises: bool, is_cut: bool) -> None:
        """Count one answer."""
        self.answers += 1
        self.repeats += repeats
        self.by_place += by_place
        self.rising += rises
        self.cut += is_cut

    def add_filtered(self, *, unknown: int) -> None:
        """Count one answer that was filtered here; unknown: memories that could not be looked up."""
        self.filtered += 1
        self.unknown += unknown

    def remarks(self, *, takes: Collection[str]) -> tuple[str, ...]:
        """Return sentences for the report; takes: what the methods of the system take."""
        withheld = [name for name in ("role", "metadata") if name not in takes]
        sentences: list[tuple[object, str]] = [
            (len(withheld) == 2, "add() takes neither role nor metadata; it was given the text alone."),
            (len(withheld) == 1, f"add() takes no {withheld[0] if withheld else ''}; none was given."),
            (
                self.cut,
                f"search() takes no k; for {self.cut} of {self.answers} queries it returned more than k {_WHOSE_K}",
            ),
            (self.repeats, f"{_results(self.repeats)} repeated a memory; only the first counts."),
            (
                self.by_place,
                f"for {self.by_place} of {self.answers} queries some scores were missing; ranks were used instead.",
            ),
            (
                self.rising,
                f"for {self.rising} of {self.answers} queries scores rose with the rank; {_ORDER_KEPT}",
            ),
            (
                self.filtered,
                f"search() takes no filters; for {self.filtered} of {self.answers} queries {_applied(self.unknown)}",
            ),
        ]
        return tuple(f"{self.name}: {sentence}" for applies, sentence in sentences if applies)


def _applied(unknown: int) -> str:
    exception = f", except to {_results(unknown)} that it had rewritten" if unknown else ""
    return f"Goldproof applied them to what came{exception}."


def _results(count: int) -> str:
    return "1 result" if count == 1 else f"{count} results"
