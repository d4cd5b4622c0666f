"""Calling the methods of a memory that is not ours, by their signatures.

    add(role, content, metadata)              or    add_interaction(role, content, metadata)
    search(query, k, filters=, now=)                search_memories(query, top_k=, filter_metadata=)
    clear()                                         or reset(), delete_all()

What a method does not take is not passed: metadata, filters and now may be missing, and k may have any of the names
that retrievers use for it. What must be awaited is run in Goldproof's event loop, which works inside a running one too.
"""

from __future__ import annotations

import functools
import inspect
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from goldproof.concurrency import run_in_loop
from goldproof.errors import InputError, kind_of
from goldproof.retrieve.external.parameters import bind, signature_of

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from goldproof.retrieve.retriever import Filters, Moment

PAIRS = (("add", "search"), ("add_interaction", "search_memories"))
CLEARS = ("clear", "reset", "delete_all")
FILTER_NAMES = ("filters", "filter_metadata")
METADATA_NAMES = ("metadata", "meta")
EXPECTED = (
    "expected an object with clear(), add(role, content, metadata) and search(query, k, filters=None, now=None), or "
    "with add_interaction and search_memories instead of the last two, or a class or factory of one"
)
_MESSAGES = ("messages", "message", "data")
_BY_PLACE = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


@dataclass(frozen=True, slots=True)
class Adding:
    """How something is stored; metadata: the name of its parameter, "" for the third place, None where it has none."""

    function: Callable[..., Any]
    metadata: str | None = ""
    by_name: bool = False

    def __call__(self, role: str, content: str, metadata: Mapping[str, object]) -> object:
        """Store one thing that was said."""
        named: dict[str, object] = {self.metadata: dict(metadata)} if self.metadata else {}
        if self.by_name:
            return self.function(role=role, content=content, **named)
        third = (dict(metadata),) if self.metadata == "" else ()
        return self.function(role, content, *third, **named)


@dataclass(frozen=True, slots=True)
class Searching:
    """How is searched.

    k, filters: the names of the parameters, None where it has none; k "" for the second place. required: those of the
    filters and of now that have no default.
    """

    function: Callable[..., Any]
    k: str | None = ""
    filters: str | None = None
    now: bool = False
    required: frozenset[str] = frozenset()

    def __call__(self, query: str, k: int, *, filters: Filters | None, now: Moment | None) -> object:
        """Search; None is passed only to a parameter that must be given."""
        named: dict[str, object] = {self.k: k} if self.k else {}
        if self.filters is not None and (filters or self.filters in self.required):
            named[self.filters] = dict(filters) if filters else None
        if self.now and (now is not None or "now" in self.required):
            named["now"] = now
        return self.function(query, k, **named) if self.k == "" else self.function(query, **named)


@dataclass(frozen=True, slots=True)
class Methods:
    """The three methods of a memory."""

    clear: Callable[[], object]
    add: Adding
    search: Searching


def methods_of(target: object, name: str) -> Methods:
    """Return how an object is called; InputError where nothing about it fits."""
    pair = next((pair for pair in PAIRS if all(callable(getattr(target, one, None)) for one in pair)), None)
    if pair is None:
        raise InputError(f"{name} is {kind_of(target)} {_lacking(target)}; {EXPECTED}.")
    clear = next((one for one in CLEARS if callable(getattr(target, one, None))), None)
    if clear is None:
        raise InputError(
            f"{name} has no clear(), reset() or delete_all(), so that one conversation would be answered from another; "
            "add one of them."
        )
    add, search = (_awaited(getattr(target, one)) for one in pair)
    return Methods(
        _clearing(_awaited(getattr(target, clear)), f"{name}: {clear}"),
        _adding(add, f"{name}: {pair[0]}"),
        _searching(search, f"{name}: {pair[1]}"),
    )


def _awaited(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that waits for what must be awaited."""

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> object:  # noqa: ANN401 - whatever the method takes
        returned = function(*args, **kwargs)
        return run_in_loop(_result(returned)) if inspect.isawaitable(returned) else returned

    return call


async def _result(waiting: Awaitable[object]) -> object:
    return await waiting


def _clearing(function: Callable[..., Any], what: str) -> Callable[[], object]:
    required = [p.name for p in signature_of(function) or [] if p.default is p.empty and _is_single(p)]
    if required:
        raise InputError(f"{what} requires {required[0]!r}, which is not known here; expected clear().")
    return function


def _adding(function: Callable[..., Any], what: str) -> Adding:
    parameters = signature_of(function)
    if parameters is None:
        return Adding(function)
    places = [p for p in parameters if p.kind in _BY_PLACE]
    names = [p.name for p in parameters if p.kind is not inspect.Parameter.POSITIONAL_ONLY and _is_single(p)]
    swallows = any(p.kind is inspect.Parameter.VAR_POSITIONAL for p in parameters)
    if places and places[0].name in _MESSAGES:
        raise InputError(
            f"{what} takes {places[0].name!r} first, as mem0's does; wrap the object, as examples/mem0_memory.py shows."
        )
    by_name = {"role", "content"} <= set(names)
    if len(places) < 2 and not swallows and not by_name:
        raise InputError(f"{what}{inspect.signature(function)} is not add(role, content, metadata).")
    metadata = _metadata_name(parameters, places, names=names, swallows=swallows)
    _refuse_required(parameters, places, metadata=metadata, by_name=by_name, what=what)
    return Adding(function, metadata, by_name)


def _metadata_name(
    parameters: list[inspect.Parameter], places: list[inspect.Parameter], *, names: list[str], swallows: bool
) -> str | None:
    usual = next((name for name in METADATA_NAMES if name in names), None)
    if usual is not None:
        return usual
    if any(p.kind is inspect.Parameter.VAR_KEYWORD for p in parameters):
        return "metadata"
    third = places[2] if len(places) > 2 else None
    return "" if swallows or (third is not None and third.default is third.empty) else None


def _refuse_required(
    parameters: list[inspect.Parameter],
    places: list[inspect.Parameter],
    *,
    metadata: str | None,
    by_name: bool,
    what: str,
) -> None:
    given = {"role", "content"} if by_name else {p.name for p in places[:2]}
    given |= {metadata or ""} | ({places[2].name} if metadata == "" and len(places) > 2 else set())
    spare = next((p.name for p in parameters if p.default is p.empty and _is_single(p) and p.name not in given), None)
    if spare is not None:
        raise InputError(f"{what} requires {spare!r}, which is not known here; expected add(role, content, metadata).")


def _searching(function: Callable[..., Any], what: str) -> Searching:
    parameters = signature_of(function)
    if parameters is None:
        return Searching(function)
    ours = {p.name: p for p in parameters if p.name in (*FILTER_NAMES, "now") and _is_single(p)}
    bound = bind(_taking(function, [p for p in parameters if p.name not in ours]), what)
    filters = next((name for name in FILTER_NAMES if name in ours), "filters" if bound.filters else None)
    required = frozenset(name for name, p in ours.items() if p.default is p.empty)
    return Searching(function, bound.k, filters, now="now" in ours, required=required)


def _taking(function: Callable[..., Any], parameters: list[inspect.Parameter]) -> Callable[..., Any]:
    """Return a function that shows these parameters only."""

    def shown(*args: Any, **kwargs: Any) -> object:  # noqa: ANN401 - whatever it takes
        return function(*args, **kwargs)

    shown.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    return shown


def _is_single(parameter: inspect.Parameter) -> bool:
    return parameter.kind not in (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)


def _lacking(target: object) -> str:
    has = [one for pair in PAIRS for one in pair if callable(getattr(target, one, None))]
    if has == ["search"]:
        return (
            "that searches but stores nothing (has it no add?); a retriever is put under Goldproof's memory by own(...)"
        )
    return f"that has {' and '.join(has)} alone" if has else "that neither stores nor searches"
