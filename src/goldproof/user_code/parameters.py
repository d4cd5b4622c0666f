"""Which parameters of a function of the user's take what it is given: by their usual names, else by position."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from goldproof.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

K_NAMES = ("k", "top_k", "topk", "limit", "n", "n_results", "num_results", "max_results", "top_n", "size", "count")
_PLACE_ONLY = inspect.Parameter.POSITIONAL_ONLY
POSITIONAL = (_PLACE_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


@dataclass(frozen=True, slots=True)
class Bound:
    """A function of the user's that is called with values by our names for them.

    taken: our name -> the parameter's, "" for the next position; a value that is not named here is not passed.
    required: those that must be given, even where the value is None.
    """

    function: Callable[..., Any]
    taken: Mapping[str, str]
    required: frozenset[str] = frozenset()

    def __call__(self, **values: object) -> Any:  # noqa: ANN401 - whatever it returns
        """Call the function; None is passed only to a parameter that must be given."""
        placed = [values[ours] for ours, theirs in self.taken.items() if not theirs]
        named = {
            theirs: values[ours]
            for ours, theirs in self.taken.items()
            if theirs and (values[ours] is not None or ours in self.required)
        }
        return self.function(*placed, **named)


@dataclass(frozen=True, slots=True)
class Taken:
    """A value that a function may take besides its first ones.

    names: usual names of the parameter. kinds: annotations of a required parameter in the next place that takes it, of
    any name; None: of any kind, () for by name alone. by_any_name: it is also passed to `**named`.
    """

    names: tuple[str, ...]
    kinds: tuple[object, ...] | None = ()
    by_any_name: bool = True

    @property
    def has_place(self) -> bool:
        """Whether it may also be passed by its place."""
        return self.kinds != ()

    def fits(self, parameter: inspect.Parameter) -> bool:
        """Whether a parameter in the next place takes it."""
        return self.kinds is None or parameter.annotation in self.kinds


# A search function may take k under many names, or as the whole number that follows the query. Filters go to a
# parameter of that name only: others have other dialects.
K = Taken(K_NAMES, kinds=(inspect.Parameter.empty, int, "int"))
FILTERS = Taken(("filters",))


def bind_parameters(
    function: Callable[..., Any], first: tuple[str, ...], others: Mapping[str, Taken], *, where: str, expected: str
) -> Bound:
    """Return how a function is called; InputError where it cannot be.

    first: what it must take, in the first places or by these names. others: what it may take besides. where: the
    function's name, and expected: its usual form, for messages.
    """
    parameters = parameters_of(function)
    if parameters is None:  # written in C: it is called as expected, without what goes by name
        placed = (ours for ours, value in others.items() if value.has_place)
        return Bound(function, dict.fromkeys((*first, *placed), ""))
    taken = _first_ones(first, parameters)
    if len(taken) < len(first):
        raise InputError(f"{where}{inspect.signature(function)} takes no {first[len(taken)]}; expected {expected}.")
    required = {p.name for p in required_parameters(parameters)}
    places = list(taken.values()).count("")
    passed = {*taken.values(), *[p.name for p in parameters if p.kind in POSITIONAL][:places]}
    left = {p.name: p for p in parameters if is_single(p) and p.name not in passed}
    for ours, value in others.items():
        usual = next((name for name in value.names if name in left and left[name].kind is not _PLACE_ONLY), None)
        if usual is not None:
            taken[ours] = usual
            del left[usual]
    for ours, value in others.items():
        following = next((p for p in left.values() if p.kind in POSITIONAL and p.name in required), None)
        if ours in taken:
            continue
        if following is not None and value.fits(following):
            taken[ours] = "" if following.kind is _PLACE_ONLY else following.name
            del left[following.name]
        elif following is None and value.has_place and any(p.kind is p.VAR_POSITIONAL for p in parameters):
            taken[ours] = ""
        elif value.by_any_name and any(p.kind is p.VAR_KEYWORD for p in parameters):
            taken[ours] = value.names[0]
    unknown = next((name for name in left if name in required), None)
    if unknown is not None:
        raise InputError(f"{where} requires {unknown!r}, which is not known here; expected {expected}.")
    return Bound(function, taken, frozenset(ours for ours, theirs in taken.items() if theirs in required))


def _first_ones(first: tuple[str, ...], parameters: list[inspect.Parameter]) -> dict[str, str]:
    """Return those of the first values that can be passed: in the first places, or by name where these are others."""
    places = [p.name for p in parameters if p.kind in POSITIONAL]
    names = {p.name for p in parameters if is_single(p) and p.kind is not _PLACE_ONLY}
    if names.issuperset(first) and tuple(places[: len(first)]) != first:
        return {ours: ours for ours in first}
    any_place = any(p.kind is p.VAR_POSITIONAL for p in parameters)
    return dict.fromkeys(first if any_place else first[: len(places)], "")


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
