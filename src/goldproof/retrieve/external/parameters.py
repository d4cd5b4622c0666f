"""Which parameter of a user's function takes k, filters, now: by usual names, else by position.

The query is the first argument. k goes to a parameter of a usual name, else to a second one that is required. Filters
go to a parameter named `filters` only: other names have other dialects.
"""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from goldproof.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable

    from goldproof.retrieve.retriever import Filters

K_NAMES = ("k", "top_k", "topk", "limit", "n", "n_results", "num_results", "max_results", "top_n", "size", "count")
_POSITIONAL = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


@dataclass(frozen=True, slots=True)
class Bound:
    """A search function, with the names under which it takes k and filters.

    k: the parameter's name, "" for the second position, None where it takes none.
    """

    function: Callable[..., Any]
    k: str | None = ""
    filters: bool = False

    def __call__(self, query: str | list[str], k: int, filters: Filters | None) -> object:
        """Search."""
        named: dict[str, object] = {self.k: k} if self.k else {}
        if self.filters and filters:
            named["filters"] = dict(filters)
        return self.function(query, k, **named) if self.k == "" else self.function(query, **named)


def bind(function: Callable[..., Any], what: str) -> Bound:
    """Return the function with what it takes; one that cannot be called with a query is refused."""
    if is_async(function):
        raise InputError(f"{what} is async; give one that can be called without await, for example by asyncio.run.")
    parameters = signature_of(function)
    if parameters is None:
        return Bound(function)
    positional = [p for p in parameters if p.kind in _POSITIONAL]
    swallows = any(p.kind is inspect.Parameter.VAR_POSITIONAL for p in parameters)
    anything = any(p.kind is inspect.Parameter.VAR_KEYWORD for p in parameters)
    if not positional and not swallows:
        raise InputError(f"{what} takes no query; expected search(query, k, filters=None).")
    rest = [p for p in parameters if p not in positional[:1] and p.name != "filters" and _named(p)]
    k = _k_of(rest, swallows=swallows, anything=anything)
    spare = next(
        (p.name for p in rest if p.default is p.empty and p.name != k and not (k == "" and p is rest[0])), None
    )
    if spare is not None:
        raise InputError(
            f"{what} requires {spare!r}, which is not known here; expected search(query, k, filters=None)."
        )
    return Bound(function, k, filters=anything or any(p.name == "filters" for p in parameters))


def signature_of(function: Callable[..., Any]) -> list[inspect.Parameter] | None:
    """Return the parameters; None where the function (of C) does not tell."""
    try:
        return list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return None


def is_async(function: object) -> bool:
    """Return whether a call must be awaited."""
    call = getattr(function, "__call__", None)  # noqa: B004 - an object whose __call__ is async
    return inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(call)


def _named(parameter: inspect.Parameter) -> bool:
    return parameter.kind not in (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)


def _k_of(rest: list[inspect.Parameter], *, swallows: bool, anything: bool) -> str | None:
    names = [p.name for p in rest if p.kind is not inspect.Parameter.POSITIONAL_ONLY]
    usual = next((name for name in K_NAMES if name in names), None)
    if usual is not None:
        return usual
    second = rest[0] if rest else None
    if second is not None and second.kind in _POSITIONAL and second.default is second.empty:
        return "" if second.annotation in (second.empty, int, "int") else None
    if swallows:
        return ""
    return "k" if anything else None
