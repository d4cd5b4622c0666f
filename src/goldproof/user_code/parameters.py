"""Match our values to the parameters of a user's function: by their usual names, else by position."""

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
    """A user's function, called with values under our names for them.

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

    def fits(self, parameter: inspect.Parameter) -> bool:
        """Whether a parameter in the next place takes it."""
        return self.kinds is None or parameter.annotation in self.kinds


@dataclass(frozen=True, slots=True)
class Form:
    """How we call a function: the values that it must take, those that it may take besides, and how that is written."""

    first: tuple[str, ...]
    others: Mapping[str, Taken]
    written: str


# A search function may take k under many names, or as the whole number that follows the query. Filters go to a
# parameter of that name only: others have other dialects.
K = Taken(K_NAMES, kinds=(inspect.Parameter.empty, int, "int"))
FILTERS = Taken(("filters",))
SEARCH = Form(("query",), {"k": K, "filters": FILTERS}, "search(query, k, filters=None)")


def bind_parameters(function: Callable[..., Any], form: Form, *, where: str) -> Bound:
    """Return how a function is called in a form; InputError where it cannot be. where: its name in messages."""
    parameters = parameters_of(function)
    if parameters is None:  # written in C: it is called as expected, without what goes by name
        placed = (ours for ours, value in form.others.items() if value.kinds != ())
        return Bound(function, dict.fromkeys((*form.first, *placed), ""))
    binding = _Binding(parameters)
    missing = binding.pass_first(form.first)
    if missing is not None:
        raise InputError(f"{where}{inspect.signature(function)} takes no {missing}; expected {form.written}.")
    for ours, value in form.others.items():
        binding.pass_by_name(ours, value)
    for ours, value in form.others.items():
        if ours not in binding.taken:
            binding.pass_by_place(ours, value)
    unknown = next((p.name for p in required_parameters(binding.left)), None)
    if unknown is not None:
        raise InputError(f"{where} requires {unknown!r}, which is not known here; expected {form.written}.")
    required = {p.name for p in required_parameters(parameters)}
    return Bound(
        function, binding.taken, frozenset(ours for ours, theirs in binding.taken.items() if theirs in required)
    )


class _Binding:
    """The values that are passed so far, and the parameters that are left for others."""

    def __init__(self, parameters: list[inspect.Parameter]) -> None:
        kinds = {p.kind for p in parameters}
        self.any_place = inspect.Parameter.VAR_POSITIONAL in kinds
        self.any_name = inspect.Parameter.VAR_KEYWORD in kinds
        self.left = [p for p in parameters if is_single(p)]
        self.taken: dict[str, str] = {}

    def pass_first(self, first: tuple[str, ...]) -> str | None:
        """Pass values in the first places, or by name where these are others; return one that cannot be passed."""
        named = [p for p in self.left if p.name in first and p.kind is not _PLACE_ONLY]
        places = [p for p in self.left if p.kind in POSITIONAL][: len(first)]
        if len(named) == len(first) and [p.name for p in places] != list(first):
            self.taken = {ours: ours for ours in first}
            self._remove(named)
            return None
        self.taken = dict.fromkeys(first, "")
        self._remove(places)
        return None if self.any_place or len(places) == len(first) else first[len(places)]

    def pass_by_name(self, ours: str, value: Taken) -> None:
        """Pass a value to a parameter of a usual name."""
        by_name = {p.name: p for p in self.left if p.kind is not _PLACE_ONLY}
        usual = next((name for name in value.names if name in by_name), None)
        if usual is not None:
            self.taken[ours] = usual
            self._remove([by_name[usual]])

    def pass_by_place(self, ours: str, value: Taken) -> None:
        """Pass a value to the next parameter that is required, to `*args` or to `**kwargs`, if it may go there."""
        following = next((p for p in required_parameters(self.left) if p.kind in POSITIONAL), None)
        if following is not None and value.fits(following):
            self.taken[ours] = "" if following.kind is _PLACE_ONLY else following.name
            self._remove([following])
        elif following is None and self.any_place and value.kinds != ():
            self.taken[ours] = ""
        elif self.any_name and value.by_any_name:
            self.taken[ours] = value.names[0]

    def _remove(self, passed: list[inspect.Parameter]) -> None:
        self.left = [p for p in self.left if p not in passed]


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
