"""A memory of the user's behind the seam: calls by signature, counts for the report.

    add(role, content, metadata)              or    add_interaction(role, content, metadata)
    search(query, k, filters=, now=)                search_memories(query, top_k=, filter_metadata=)
    clear()                                         or reset(), delete_all()

What a method does not take is not passed: metadata, filters and now may be missing, and k may have any of the names
that retrievers use for it. What must be awaited is run in Goldproof's event loop, which works inside a running one too.

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
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from goldproof.concurrency import run_in_loop
from goldproof.errors import GoldproofError, InputError, SearchFailedError, counted, kind_of
from goldproof.memory.memory_file import Entry, checked_entry
from goldproof.memory.returned import ReturnedMemory, read_ids, read_memories
from goldproof.memory.system import MemoryHit, OpenedMemory
from goldproof.retrieve.stages.filters import matches
from goldproof.user_code.calls import FailedAnswer, TimedCalls
from goldproof.user_code.parameters import Bound, Form, K, Taken, bind_parameters, parameters_of
from goldproof.user_code.user_object import name_of

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence

    from goldproof.retrieve import Filters, Moment

PAIRS = (("add", "search"), ("add_interaction", "search_memories"))
CLEARS = ("clear", "reset", "delete_all")
EXPECTED = (
    "expected an object with clear(), add(role, content, metadata) and search(query, k, filters=None, now=None), or "
    "with add_interaction and search_memories instead of the last two, or a class or factory of one"
)
DEEPER = 10
DEEPEST = 100
_METADATA = Taken(("metadata", "meta"), kinds=None)
_FILTERS = Taken(("filters", "filter_metadata"))
_NOW = Taken(("now",), by_any_name=False)
_FORMS = (
    Form((), {}, "clear()"),
    Form(("role", "content"), {"metadata": _METADATA}, "add(role, content, metadata)"),
    Form(("query",), {"k": K, "filters": _FILTERS, "now": _NOW}, "search(query, k, filters=None)"),
)
_MESSAGES = ("messages", "message", "data")
_ORDER_KEPT = "their order was kept, and the scores were not taken for similarities."


class UserMemory(OpenedMemory):
    """A memory of the user's, which `close` leaves alone.

    source: the sha256 of the file in which it is written, where there is one.
    """

    def __init__(self, target: object, *, title: str | None = None, source: str | None = None) -> None:
        self.title = title or name_of(target)
        self._source = source
        self._methods = methods_of(target, self.title)
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
        return self._counts.remarks(takes_metadata="metadata" in self._methods.add.taken)

    def clear(self) -> None:
        """Have it forget everything.

        A call that took too long is waited for once more, and where it still runs this fails: it could store what
        belongs to the conversation before.
        """
        if late := self._calls.late(wait_seconds=self.timeout or 0.0):
            calls = counted(late, "earlier call")
            raise GoldproofError(f"{self.title}: {calls} took too long and may still store something.")
        self._entries, self._by_id = [], {}
        try:
            self._called(self._methods.clear)
        except FailedAnswer as failure:
            raise GoldproofError(self.redacted(f"{self.title}: {failure}")) from None

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
        return self._hits(self._filtered(memories, filters or {}, k=k) if filtered_here else memories)

    def _called(self, method: Bound, **values: object) -> object:
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

    def _hits(self, memories: Sequence[ReturnedMemory]) -> list[MemoryHit]:
        first: dict[str, ReturnedMemory] = {}
        for memory in memories:
            first.setdefault(memory.id, memory)
        unique = list(first.values())
        scores = [memory.score for memory in unique if memory.score is not None]
        by_place = len(scores) < len(unique)
        rises = any(later > earlier for earlier, later in pairwise(scores))
        self._counts.add_answer(repeats=len(memories) - len(unique), by_place=by_place and bool(scores), rises=rises)
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
    """The three methods of a memory."""

    clear: Bound
    add: Bound
    search: Bound


def methods_of(target: object, name: str) -> Methods:
    """Return how an object is called; InputError where it is no memory."""
    pair = next((pair for pair in PAIRS if all(callable(getattr(target, method, None)) for method in pair)), None)
    if pair is None:
        raise InputError(f"{name} is {kind_of(target)} {_lacking(target)}; {EXPECTED}.")
    clear = next((method for method in CLEARS if callable(getattr(target, method, None))), None)
    if clear is None:
        raise InputError(
            f"{name} has no clear(), reset() or delete_all(), so that one conversation would be answered from another; "
            "add one of them."
        )
    _refuse_messages(getattr(target, pair[0]), f"{name}: {pair[0]}")
    methods = (
        bind_parameters(_awaited(getattr(target, method)), form, where=f"{name}: {method}")
        for method, form in zip((clear, *pair), _FORMS, strict=True)
    )
    return Methods(*methods)


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


def _refuse_messages(add: Callable[..., Any], name: str) -> None:
    first = next((p.name for p in parameters_of(add) or ()), "")
    if first in _MESSAGES:
        raise InputError(
            f"{name} takes {first!r} first, as mem0's does; wrap the object, as examples/mem0_memory.py shows."
        )


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

    def add_answer(self, *, repeats: int, by_place: bool, rises: bool) -> None:
        """Count one answer."""
        self.answers += 1
        self.repeats += repeats
        self.by_place += by_place
        self.rising += rises

    def add_filtered(self, *, unknown: int) -> None:
        """Count one answer that was filtered here; unknown: memories that could not be looked up."""
        self.filtered += 1
        self.unknown += unknown

    def remarks(self, *, takes_metadata: bool) -> tuple[str, ...]:
        """Return sentences for the report."""
        sentences: list[tuple[object, str]] = [
            (not takes_metadata, "its add takes no metadata, so none was given to it."),
            (self.repeats, f"{_results(self.repeats)} repeated a memory; the first place was kept."),
            (
                self.by_place,
                f"for {self.by_place} of {self.answers} queries some scores were missing; places stand for all.",
            ),
            (
                self.rising,
                f"for {self.rising} of {self.answers} queries scores did not fall with the rank; {_ORDER_KEPT}",
            ),
            (
                self.filtered,
                f"its search takes no filters; for {self.filtered} of {self.answers} queries {_applied(self.unknown)}",
            ),
        ]
        return tuple(f"{self.name}: {sentence}" for applies, sentence in sentences if applies)


def _applied(unknown: int) -> str:
    exception = f", except to {_results(unknown)} that it had rewritten" if unknown else ""
    return f"they were applied to what came{exception}."


def _results(count: int) -> str:
    return "1 result" if count == 1 else f"{count} results"
