"""Binds the arguments of a stage to the parameters of its constructor, and says in the user's words what does not fit.

The parameters of the language are those of the constructor, found by `inspect.signature`; of a step without the first,
which takes the stage before it. A constructor with `**fields` takes any name.
"""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from inspect import Parameter
from typing import TYPE_CHECKING, Any

from goldproof.errors import InputError, UnknownNameError
from goldproof.retrieve.language.conversion import UnfitError, converted, expected, hint_of
from goldproof.retrieve.language.expression import Call, Pipe, Word

if TYPE_CHECKING:
    from collections.abc import Callable

    from goldproof.retrieve.language.expression import Expression

_BY_POSITION = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)


@dataclass(frozen=True, slots=True)
class Bound:
    """Arguments ready for a constructor; those of `takes_stages` classes by position are still expressions."""

    args: tuple[Any, ...]
    kwargs: dict[str, Any]


class StageSignature:
    """The parameters of a stage, as its user sees them."""

    def __init__(self, name: str, maker: Callable[..., object], *, takes_source: bool) -> None:
        self.name = name
        self._module = maker.__module__
        parameters = list(_signature(maker).parameters.values())
        self._source = parameters.pop(0) if takes_source and parameters else None
        self._several = next((p for p in parameters if p.kind is Parameter.VAR_POSITIONAL), None)
        self._any_name = next((p for p in parameters if p.kind is Parameter.VAR_KEYWORD), None)
        self.parameters = tuple(parameters)

    def __str__(self) -> str:
        """How the stage is written: `floor(least, *, of=None)`."""
        bare = [p.replace(annotation=Parameter.empty) for p in self.parameters]
        shown = [p.replace(kind=Parameter.POSITIONAL_OR_KEYWORD) if p.kind in _BY_POSITION else p for p in bare]
        return f"{self.name}{inspect.Signature(shown)}"

    def bind(self, stage: Word | Call, *, stages: bool = False) -> Bound:
        """Return the arguments, converted; by position as they are where they are stages."""
        given = stage if isinstance(stage, Call) else Call(stage.text)
        by_position = [p for p in self.parameters if p.kind in _BY_POSITION]
        if len(given.args) > len(by_position) and not self._several:
            raise self._too_many(given.args[len(by_position)], len(by_position))
        args = given.args if stages else tuple(map(self._value, self._positional(given), given.args))
        kwargs = {key: self._value(self._named(key), value) for key, value in given.kwargs}
        for parameter in by_position[: len(given.args)]:
            if parameter.name in kwargs:
                raise self._wrong(f"{parameter.name} is given twice, without and with its name")
        self._check_complete(given, by_position)
        return Bound(args, kwargs)

    def _positional(self, given: Call) -> list[Parameter]:
        named = [p for p in self.parameters if p.kind in _BY_POSITION]
        spare = len(given.args) - len(named)
        return named + ([self._several] * spare if self._several and spare > 0 else [])

    def _named(self, key: str) -> Parameter:
        names = {p.name: p for p in self.parameters if p.kind in (*_BY_POSITION[1:], Parameter.KEYWORD_ONLY)}
        if key in names:
            return names[key]
        if not self._any_name:
            said = UnknownNameError(f"parameter of {self.name}", key, names)
            raise InputError(f"{said}\n  It is written {self}.")
        taken = self._source and self._source.kind is not Parameter.POSITIONAL_ONLY and self._source.name
        if key in ("self", taken) and taken:
            raise self._wrong(f"a field cannot be called {key!r} here")
        return self._any_name

    def _value(self, parameter: Parameter, value: Expression) -> object:
        hint = Any if parameter.annotation is Parameter.empty else hint_of(parameter.annotation, module=self._module)
        try:
            return converted(value, hint)
        except UnfitError:
            takes = expected(hint)
            if isinstance(value, Call | Pipe) and takes.endswith(("text", "a value")):
                takes += " (text with brackets or bars needs quotes)"
            raise self._wrong(f"{parameter.name} is {value}, expected {takes}") from None

    def _check_complete(self, given: Call, by_position: list[Parameter]) -> None:
        named = dict(given.kwargs)
        keyword_only = [p for p in self.parameters if p.kind is Parameter.KEYWORD_ONLY]
        for parameter in [*by_position[len(given.args) :], *keyword_only]:
            if parameter.default is Parameter.empty and parameter.name not in named:
                raise self._wrong(f"{parameter.name} is missing")

    def _too_many(self, value: Expression, takes: int) -> InputError:
        many = "no argument" if takes == 0 else "one argument" if takes == 1 else f"{takes} arguments"
        return self._wrong(f"takes {many} without a name, and {value} is one more")

    def _wrong(self, problem: str) -> InputError:
        return InputError(f"{self.name}: {problem}; it is written {self}.")


def _signature(maker: Callable[..., object]) -> inspect.Signature:
    if isinstance(maker, type) and maker.__init__ is object.__init__:  # type: ignore[misc]
        return inspect.Signature()
    return inspect.signature(maker)
