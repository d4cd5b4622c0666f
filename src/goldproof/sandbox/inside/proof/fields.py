"""The fields of a class that declares them: pydantic 1 and 2, dataclasses, attrs, named tuples, typed dicts, enums."""

from __future__ import annotations

import dataclasses
import sys
from enum import Enum
from typing import TYPE_CHECKING

from .literals import literal_of
from .texts import Foreign, text_of

if TYPE_CHECKING:
    from collections.abc import Iterator


def fields_of(kind: type) -> dict[str, dict[str, object]]:
    """Return name -> `required`, `default` (literal), `default_repr`, `annotation`; empty where it declares none."""
    try:
        return dict(_fields(kind))
    except BaseException:  # noqa: BLE001 - foreign classes may do anything
        return {}


def _fields(kind: Foreign) -> Iterator[tuple[str, dict[str, object]]]:
    if issubclass(kind, Enum):
        for name, member in kind.__members__.items():
            yield name, entry(required=False, default=member.value, annotation=None)
    elif "model_fields" in dir(type(kind)) or isinstance(getattr(kind, "__pydantic_fields__", None), dict):
        for name, field in kind.__pydantic_fields__.items():
            yield name, _pydantic(field)
    elif isinstance(getattr(kind, "__fields__", None), dict):
        for name, field in kind.__fields__.items():
            yield name, _pydantic1(field)
    elif dataclasses.is_dataclass(kind):
        for one in dataclasses.fields(kind):
            if one.init:
                yield one.name, _dataclass(one)
    elif hasattr(kind, "__attrs_attrs__"):
        for one in kind.__attrs_attrs__:
            yield one.name, _attrs(one)
    elif issubclass(kind, tuple) and isinstance(getattr(kind, "_fields", None), tuple):
        defaults = kind._field_defaults
        for name in kind._fields:
            annotation = getattr(kind, "__annotations__", {}).get(name)
            yield name, entry(required=name not in defaults, default=defaults.get(name), annotation=annotation)
    elif issubclass(kind, dict) and hasattr(kind, "__required_keys__"):
        for name, annotation in kind.__annotations__.items():
            yield name, entry(required=name in kind.__required_keys__, default=None, annotation=annotation)


def entry(*, required: bool, default: object, annotation: object, made: bool = False) -> dict[str, object]:
    """Return what is said of a field or parameter. made: its default is made anew each time, by a function."""
    known = not required
    return {
        "required": required,
        "default": literal_of(default) if known else None,
        "default_repr": (("made by a factory: " if made else "") + text_of(default)) if known else None,
        "annotation": annotation_text(annotation),
    }


def annotation_text(annotation: object) -> str | None:
    """Return an annotation as it would be written."""
    if annotation is None:
        return None
    if isinstance(annotation, str):
        return annotation
    if type(annotation) is type:
        module, name = annotation.__module__, annotation.__qualname__
        return name if module == "builtins" else f"{module}.{name}"
    return text_of(annotation).replace("typing.", "")


def _pydantic(field: Foreign) -> dict[str, object]:
    if field.default_factory is not None:
        return _from_factory(field.default_factory, field.annotation)
    return entry(required=field.is_required(), default=field.default, annotation=field.annotation)


def _pydantic1(field: Foreign) -> dict[str, object]:
    if field.default_factory is not None:
        return _from_factory(field.default_factory, field.outer_type_)
    return entry(required=bool(field.required), default=field.default, annotation=field.outer_type_)


def _dataclass(one: Foreign) -> dict[str, object]:
    if one.default_factory is not dataclasses.MISSING:
        return _from_factory(one.default_factory, one.type)
    required = one.default is dataclasses.MISSING
    return entry(required=required, default=None if required else one.default, annotation=one.type)


def _attrs(one: Foreign) -> dict[str, object]:
    nothing = sys.modules["attr"].NOTHING
    if type(one.default).__name__ == "Factory":
        return _from_factory(one.default.factory, one.type)
    required = one.default is nothing
    return entry(required=required, default=None if required else one.default, annotation=one.type)


def _from_factory(factory: Foreign, annotation: object) -> dict[str, object]:
    """Return a field with a factory. Plain containers and lambdas are called: what they make is the default.

    What a lambda makes counts only where it is a plain value, the same twice.
    """
    if factory in (list, dict, set, tuple, str, int, frozenset):
        return entry(required=False, default=factory(), annotation=annotation)
    said = entry(required=False, default=factory, annotation=annotation, made=True)
    return {**said, "default": _made_twice(factory) if getattr(factory, "__name__", None) == "<lambda>" else None}


def _made_twice(factory: Foreign) -> str | None:
    try:
        first, second = literal_of(factory()), literal_of(factory())
    except BaseException:  # noqa: BLE001 - foreign code may do anything; some want what other fields were given
        return None
    return first if first == second else None
