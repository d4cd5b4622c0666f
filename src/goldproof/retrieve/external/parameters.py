"""Which parameters of a user's search function take k and filters: by usual names, else by position.

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
POSITIONAL = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


@dataclass(frozen=True, slots=True)
class SearchFunction:
    """A user's search function, with the names under which it takes k and filters.

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


def bind_search(function: Callable[..., Any], name: str) -> SearchFunction:
    """Return how a function is searched with; InputError where it cannot be called with a query.

    name: of the function, for messages.
    """
    if is_async(function):
        raise InputError(f"{name} is async; give one that can be called without await, for example by asyncio.run.")
    parameters = parameters_of(function)
    if parameters is None:
        return SearchFunction(function)
    positional = [p for p in parameters if p.kind in POSITIONAL]
    any_position = any(p.kind is p.VAR_POSITIONAL for p in parameters)
    any_name = any(p.kind is p.VAR_KEYWORD for p in parameters)
    if not positional and not any_position:
        raise InputError(f"{name} takes no query; expected search(query, k, filters=None).")
    others = [p for p in parameters if p not in positional[:1] and p.name != "filters" and is_single(p)]
    k = _k_name(others, any_position=any_position, any_name=any_name)
    bound = others[0].name if k == "" and others else k
    unbound = next((p.name for p in required_parameters(others) if p.name != bound), None)
    if unbound is not None:
        raise InputError(
            f"{name} requires {unbound!r}, which is not known here; expected search(query, k, filters=None)."
        )
    return SearchFunction(function, k, filters=any_name or any(p.name == "filters" for p in parameters))


def _k_name(others: list[inspect.Parameter], *, any_position: bool, any_name: bool) -> str | None:
    names = [p.name for p in others if p.kind is not p.POSITIONAL_ONLY]
    usual = next((name for name in K_NAMES if name in names), None)
    if usual is not None:
        return usual
    second = others[0] if others else None
    if second is not None and second.kind in POSITIONAL and second.default is second.empty:
        return "" if second.annotation in (second.empty, int, "int") else None
    if any_position:
        return ""
    return "k" if any_name else None


def parameters_of(function: Callable[..., Any]) -> list[inspect.Parameter] | None:
    """Return the parameters of a function; None where it does not tell, as some written in C."""
    try:
        return list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return None


def required_parameters(parameters: list[inspect.Parameter]) -> list[inspect.Parameter]:
    """Return the parameters that must be given."""
    return [p for p in parameters if p.default is p.empty and is_single(p)]


def is_single(parameter: inspect.Parameter) -> bool:
    """Say whether a parameter takes one value: neither `*args` nor `**kwargs`."""
    return parameter.kind not in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)


def is_async(function: object) -> bool:
    """Say whether a call must be awaited."""
    call = getattr(function, "__call__", None)  # noqa: B004 - an object whose __call__ is async
    return inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(call)
