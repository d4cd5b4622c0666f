"""Making an instance of a class: required arguments are stood in for by values that their annotations allow."""

from __future__ import annotations

import sys
from inspect import Parameter, signature
from re import compile as _pattern
from typing import TYPE_CHECKING, get_type_hints

from .candidates import ANYTHING, candidates
from .texts import Foreign, text_of

if TYPE_CHECKING:
    from collections.abc import Iterator

_TRIES = 6
_WORD = _pattern(r"[A-Za-z_]\w*")


def required_of(kind: Foreign) -> dict[str, Foreign]:
    """Return name -> annotation of what must be given to make an instance."""
    hints = hints_of(kind)
    return {
        one.name: hints.get(one.name, one.annotation)
        for one in _parameters(kind)
        if one.default is Parameter.empty and one.kind not in {Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD}
    }


def annotation_of(kind: Foreign, keyword: str) -> Foreign:
    """Return the annotation of a parameter; `Parameter.empty` where there is none."""
    found = hints_of(kind).get(keyword)
    if found is not None:
        return found
    return next((one.annotation for one in _parameters(kind) if one.name == keyword), Parameter.empty)


def values_for(kind: Foreign, keyword: str) -> list[Foreign]:
    """Return values to try for a keyword: such as its annotation allows, else of every plain type."""
    annotation = annotation_of(kind, keyword)
    if annotation is Parameter.empty or isinstance(annotation, str):
        return list(ANYTHING)
    return [*candidates(annotation, build), *ANYTHING][:14]


def hints_of(kind: Foreign) -> dict[str, Foreign]:
    """Return name -> annotation, read from fields and from `__init__`, as objects rather than text where possible."""
    fields = getattr(kind, "__pydantic_fields__", None)
    if isinstance(fields, dict):
        return {alias: one.annotation for name, one in fields.items() for alias in (one.alias or name, name)}
    for owner in (kind, getattr(kind, "__init__", None)) if "__dataclass_fields__" in dir(kind) else (kind.__init__,):
        try:
            return dict(get_type_hints(owner))
        except BaseException:  # noqa: BLE001, S112 - names that only exist for type checkers, and worse
            continue
    return {}


def build(kind: type, depth: int = 2, **given: Foreign) -> Foreign:
    """Return an instance of a class, with stand-ins for what must be given; raise the last error where none works."""
    error: BaseException = TypeError("nothing was tried")
    for stand_ins in argument_sets(kind, given, depth):
        try:
            return kind(**stand_ins, **given)
        except Exception as raised:  # noqa: BLE001 - foreign constructors may do anything
            error = raised
    raise error


def argument_sets(kind: type, given: dict[str, Foreign], depth: int = 2) -> Iterator[dict[str, Foreign]]:
    """Yield stand-ins for what must be given and is not; several sets, each with other values."""
    choices = {
        name: candidates(_known(annotation), build, depth)
        for name, annotation in required_of(kind).items()
        if name not in given
    }
    rounds = min(_TRIES, max([len(values) for values in choices.values()], default=1))
    for number in range(rounds):
        yield {name: values[number % len(values)] for name, values in choices.items() if values}


def companion(kind: type, error: BaseException, given: dict[str, Foreign]) -> dict[str, Foreign]:
    """Return a stand-in for the first parameter that an error asks for by name and is not given; empty for none."""
    words = _WORD.findall(text_of(error, str))
    asked = (one for one in _parameters(kind) if one.name in words and one.name not in given)
    for one in sorted(asked, key=lambda one: words.index(one.name)):
        values = [value for value in values_for(kind, one.name) if value is not None]
        return {one.name: values[0]}
    return {}


def _known(annotation: Foreign) -> Foreign:
    return object if annotation is Parameter.empty or isinstance(annotation, str) else annotation


def _parameters(kind: Foreign) -> list[Parameter]:
    try:
        return list(signature(kind).parameters.values())
    except BaseException:  # noqa: BLE001 - foreign metaclasses may do anything
        return []


def errors_of(error: BaseException) -> list[dict[str, Foreign]]:
    """Return the single errors of a ValidationError of pydantic; empty for other exceptions."""
    names = ("pydantic_core", "pydantic", "pydantic.v1")
    known = [getattr(sys.modules.get(name), "ValidationError", None) for name in names]
    if not any(isinstance(one, type) and isinstance(error, one) for one in known):
        return []
    try:
        return list(error.errors())  # type: ignore[attr-defined]
    except BaseException:  # noqa: BLE001 - a context that cannot be shown
        return []
