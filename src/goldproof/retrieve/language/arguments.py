"""Bind and convert a stage's arguments by its signature.

The parameters of a stage are those of its constructor, read by `inspect.signature`; of a step without the first, which
takes the stage before it. A constructor with `**fields` takes any name.

A parameter without a type, or of a type that the language has no values for (an embedder, any object), takes the value
as it is: a word is its text, unless it is `true`, `false` or `none`. A Python object is passed on unchecked, unless the
parameter takes nothing but text, numbers, flags or choices.
"""

from __future__ import annotations

import builtins
import inspect
import math
import sys
import types
import typing
from collections import abc
from dataclasses import dataclass
from inspect import Parameter
from typing import TYPE_CHECKING, Any, Literal, get_args, get_origin

from goldproof.errors import InputError, UnknownNameError
from goldproof.retrieve.language.expression import FLAGS, NOTHING, NUMBER, Call, Number, Object, Pipe, Text, Word
from goldproof.retrieve.language.expression import List as ListOf

if TYPE_CHECKING:
    from collections.abc import Callable

    from goldproof.retrieve.language.expression import Expression

_SEVERAL = (list, tuple, abc.Sequence, abc.Iterable, abc.Collection)
_SIMPLE = (Literal, type(None), bool, int, float, str)
_BY_POSITION = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)
_ANY = "a value"
_NAMES: dict[object, str] = {
    type(None): "none",
    None: "none",
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    str: "text",
}
_EXAMPLES: dict[object, str] = {int: "1, 2", float: "0.7, 0.3"}


@dataclass(frozen=True, slots=True)
class BoundArguments:
    """Arguments ready for a constructor; those of `takes_stages` classes by position are still expressions."""

    args: tuple[Any, ...]
    kwargs: dict[str, Any]


class StageSignature:
    """The parameters of a stage, as they are written in a pipeline."""

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

    def bind(self, stage: Word | Call, *, stages: bool = False) -> BoundArguments:
        """Return the arguments, converted; stages: those by position stay expressions."""
        call = stage if isinstance(stage, Call) else Call(stage.text)
        by_position = [p for p in self.parameters if p.kind in _BY_POSITION]
        if len(call.args) > len(by_position) and not self._several:
            raise self._too_many(call.args[len(by_position)], len(by_position))
        args = call.args if stages else tuple(map(self._value, self._positional(call), call.args))
        kwargs = {key: self._value(self._named(key), value) for key, value in call.kwargs}
        for parameter in by_position[: len(call.args)]:
            if parameter.name in kwargs:
                raise self._wrong(f"{parameter.name} is given twice, without and with its name")
        self._check_complete(call, by_position)
        return BoundArguments(args, kwargs)

    def _positional(self, call: Call) -> list[Parameter]:
        named = [p for p in self.parameters if p.kind in _BY_POSITION]
        spare = len(call.args) - len(named)
        return named + ([self._several] * spare if self._several and spare > 0 else [])

    def _named(self, key: str) -> Parameter:
        names = {p.name: p for p in self.parameters if p.kind in (*_BY_POSITION[1:], Parameter.KEYWORD_ONLY)}
        if key in names:
            return names[key]
        if not self._any_name:
            unknown = UnknownNameError(f"parameter of {self.name}", key, names)
            raise InputError(f"{unknown}\n  It is written {self}.")
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

    def _check_complete(self, call: Call, by_position: list[Parameter]) -> None:
        named = dict(call.kwargs)
        keyword_only = [p for p in self.parameters if p.kind is Parameter.KEYWORD_ONLY]
        for parameter in [*by_position[len(call.args) :], *keyword_only]:
            if parameter.default is Parameter.empty and parameter.name not in named:
                raise self._wrong(f"{parameter.name} is missing")

    def _too_many(self, value: Expression, takes: int) -> InputError:
        many = "no argument" if takes == 0 else "one argument" if takes == 1 else f"{takes} arguments"
        return self._wrong(f"takes {many} without a name; {value} is one too many")

    def _wrong(self, problem: str) -> InputError:
        return InputError(f"{self.name}: {problem}; it is written {self}.")


def _signature(maker: Callable[..., object]) -> inspect.Signature:
    if isinstance(maker, type) and maker.__init__ is object.__init__:  # type: ignore[misc]
        return inspect.Signature()
    return inspect.signature(maker)


def hint_of(annotation: object, *, module: str) -> object:
    """Return the type that an annotation means; `Any` where it names something that is not imported at run time."""
    if not isinstance(annotation, str):
        return annotation
    scope = _Scope(vars(sys.modules[module]) if module in sys.modules else {})
    try:
        hint: object = eval(annotation, {}, scope)  # noqa: S307 - an annotation of the source, not of the user
    except (TypeError, AttributeError, SyntaxError):
        return Any
    return Any if isinstance(hint, str) else hint


class _Scope(dict[str, object]):
    """Names of an annotation: of its module, else of typing or Python itself, else anything."""

    def __missing__(self, name: str) -> object:
        for home in (vars(builtins), vars(typing), vars(abc)):
            if name in home:
                return home[name]
        return Any


class UnfitError(Exception):
    """A value that does not fit the type of its parameter."""


def converted(value: Expression, hint: object) -> object:
    """Return the Python value of an argument, or raise `UnfitError`."""
    options = _options(hint)
    if isinstance(value, Object) and any((get_origin(option) or option) not in _SIMPLE for option in options):
        return value.value
    for option in options:
        try:
            return _as_type(value, option)
        except UnfitError:
            continue
    raise UnfitError


def expected(hint: object) -> str:
    """Return the values that a type takes, in words for a message."""
    names = dict.fromkeys(name for option in _options(hint) for name in _names(option))
    if _NAMES[str] in names:  # an embedder or a function beside text can only be given from Python
        names.pop(_ANY, None)
    *others, last = names
    return f"{', '.join(others)} or {last}" if others else last


def plain(value: Expression) -> object:
    """Return the Python value of an argument whose parameter has no type."""
    if isinstance(value, Word):
        word = value.text.lower()
        return None if word in NOTHING else FLAGS.get(word, value.text)
    if isinstance(value, ListOf):
        return [plain(item) for item in value.items]
    if isinstance(value, Call | Pipe):
        raise UnfitError
    return value.value


def _options(hint: object) -> tuple[object, ...]:
    """Return the alternatives of a union, the narrow ones first: the word `none` may be a choice, a number a text."""
    union = get_origin(hint) in (typing.Union, types.UnionType)
    flat = [option for member in get_args(hint) for option in _options(member)] if union else [hint]
    return tuple(sorted(flat, key=_breadth))


def _breadth(option: object) -> int:
    order: tuple[object, ...] = (Literal, type(None), bool, int, float, list, str)
    kind = get_origin(option) or option
    kind = list if kind in _SEVERAL else kind
    return order.index(kind) if kind in order else len(order)


def _as_type(value: Expression, hint: object) -> object:
    origin = get_origin(hint) or hint
    if origin is Literal:
        return _choice(value, get_args(hint))
    if origin in (type(None), None):
        _check_nothing(value)
        return None
    if origin is bool:
        return _flag(value)
    if origin in (int, float):
        return _number(value, whole=origin is int)
    if origin is str:
        return _text(value)
    if origin in _SEVERAL:
        return _several(value, hint)
    return plain(value)


def _choice(value: Expression, choices: tuple[object, ...]) -> object:
    for choice in choices:
        if str(choice) == _text(value):
            return choice
    raise UnfitError


def _check_nothing(value: Expression) -> None:
    if not (isinstance(value, Word) and value.text.lower() in NOTHING):
        raise UnfitError


def _flag(value: Expression) -> bool:
    if isinstance(value, Word) and value.text.lower() in FLAGS:
        return FLAGS[value.text.lower()]
    raise UnfitError


def _number(value: Expression, *, whole: bool) -> int | float:
    number: int | float
    if isinstance(value, Number):
        number = value.value
    elif isinstance(value, Word) and NUMBER.fullmatch(value.text):
        number = float(value.text)
    else:
        raise UnfitError
    if not math.isfinite(number) or (whole and number != int(number)):
        raise UnfitError
    return int(number) if whole else float(number)


def _text(value: Expression) -> str:
    if isinstance(value, Text):
        return value.value
    if isinstance(value, Word | Number):
        return value.text if isinstance(value, Word) else str(value)
    raise UnfitError


def _several(value: Expression, hint: object) -> object:
    if not isinstance(value, ListOf):
        raise UnfitError
    inner = [argument for argument in get_args(hint) if argument is not Ellipsis]
    items = [converted(item, inner[0] if inner else Any) for item in value.items]
    return tuple(items) if (get_origin(hint) or hint) is tuple else items


def _names(option: object) -> tuple[str, ...]:
    origin = get_origin(option) or option
    if origin is Literal:
        return tuple(map(str, get_args(option)))
    if origin in _SEVERAL:
        inner = [argument for argument in get_args(option) if argument is not Ellipsis]
        return (f"a list such as [{_EXAMPLES.get(inner[0] if inner else str, 'a, b')}]",)
    return (_NAMES.get(origin, _ANY),)
