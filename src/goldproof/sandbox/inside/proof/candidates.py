"""Values to try for a parameter, made from its annotation and its name."""

from __future__ import annotations

import datetime as dt
import re
import sys
from collections.abc import Callable
from decimal import Decimal
from enum import Enum
from inspect import isabstract
from pathlib import Path
from typing import TypeVar, Union, get_args, get_origin
from uuid import UUID

from .texts import Foreign

TEXT = "goldproof_text"
_DEEPEST = 3
_UNIONS = {Union, getattr(sys.modules["types"], "UnionType", Union)}
_ORIGINS = {"Annotated", "Required", "NotRequired", "Final", "ClassVar", "ReadOnly"}


def a_function(*_: object, **__: object) -> str:
    """Stand in for any callable."""
    return TEXT


ANYTHING: tuple[object, ...] = (TEXT, 7, True, [TEXT], {TEXT: 7}, None, 1.5, a_function)
_PLAIN: dict[object, tuple[object, ...]] = {
    str: (TEXT, "7", "http://localhost/goldproof", "goldproof@example.com"),
    int: (7, 1, 0, 100),
    float: (1.5, 0.5, 1.0),
    bool: (True, False),
    bytes: (b"goldproof",),
    complex: (1j,),
    list: ([], [TEXT]),
    dict: ({}, {TEXT: 7}),
    set: (set(), {TEXT}),
    tuple: ((), (TEXT,)),
    frozenset: (frozenset(),),
    type(None): (None,),
    dt.datetime: (dt.datetime(2020, 1, 1, tzinfo=dt.timezone.utc), dt.datetime(2020, 1, 1)),  # noqa: DTZ001, UP017
    dt.date: (dt.date(2020, 1, 1),),
    dt.time: (dt.time(12, 0),),
    dt.timedelta: (dt.timedelta(seconds=7),),
    Decimal: (Decimal("1.5"),),
    UUID: (UUID(int=7),),
    Path: (Path("goldproof"),),
    re.Pattern: (re.compile("goldproof"),),
    type: (str,),
    object: ANYTHING,
}

Build = Callable[[type, int], Foreign]


def candidates(annotation: Foreign, build: Build, depth: int = _DEEPEST) -> list[Foreign]:
    """Return values that an annotation allows, likeliest first. build: makes an instance of a class, or raises."""
    if isinstance(annotation, TypeVar):
        annotation = annotation.__bound__ or str
    origin: Foreign = get_origin(annotation)
    given = get_args(annotation)
    if origin in _UNIONS:
        parts = sorted(given, key=lambda one: one is type(None))
        return [value for one in parts for value in candidates(one, build, depth)][:12]
    if origin is None:
        return _of_class(annotation, build, depth)
    name = getattr(origin, "__name__", "") or getattr(annotation, "__class__", type).__name__
    if name in _ORIGINS or hasattr(annotation, "__metadata__"):
        return candidates(given[0], build, depth)
    return _of_generic(origin, given, build, depth)


def _of_generic(origin: Foreign, given: tuple[Foreign, ...], build: Build, depth: int) -> list[Foreign]:
    if _called(origin) == "Literal":
        return list(given)
    if _called(origin) in {"Callable", "Awaitable"}:
        return [a_function]
    if origin is type:
        return [given[0] if isinstance(given[0], type) else str]
    kind = _builtin(origin)
    inner = candidates(given[0], build, depth - 1) if given and depth and given[0] is not Ellipsis else []
    if kind in {list, set, frozenset} and inner:
        return [kind(inner[:1]), kind()] if kind is list else [kind(), *_tried(kind, inner[:1])]
    if kind is tuple and inner:
        more = [candidates(one, build, depth - 1)[0] for one in given[1:] if one is not Ellipsis]
        return [(inner[0], *more)]
    if kind is dict and len(given) == 2:
        values = candidates(given[1], build, depth - 1) if depth else []
        return [*_tried(lambda _: {inner[0]: values[0]}, None), {}]
    return _of_class(origin if kind is None else kind, build, depth)


def _of_class(annotation: Foreign, build: Build, depth: int) -> list[Foreign]:
    if not isinstance(annotation, type):
        return list(ANYTHING)
    if annotation in _PLAIN:
        return list(_PLAIN[annotation])
    if issubclass(annotation, Enum):
        return list(annotation)[:2]
    known = _builtin(annotation)
    if known is not None:
        return list(_PLAIN[known])
    if depth <= 0:
        return list(ANYTHING[:2])
    kinds = _concrete(annotation) if isabstract(annotation) or _is_protocol(annotation) else [annotation]
    return [value for kind in kinds for value in _tried(lambda one: build(one, depth - 1), kind)] or list(ANYTHING[:2])


def _concrete(kind: type) -> list[type]:
    """Return classes that can be made and inherit from an abstract one, nearest first."""
    found: list[type] = []
    waiting: list[type] = list(type.__subclasses__(kind))
    while waiting and len(found) < 3:
        one = waiting.pop(0)
        waiting.extend(type.__subclasses__(one))
        if not isabstract(one):
            found.append(one)
    return found


def _is_protocol(kind: Foreign) -> bool:
    return bool(getattr(kind, "_is_protocol", False))


def _tried(make: Callable[[Foreign], Foreign], value: Foreign) -> list[Foreign]:
    try:
        return [make(value)]
    except BaseException:  # noqa: BLE001 - foreign constructors may do anything
        return []


def _builtin(origin: Foreign) -> Foreign:
    """Return the plain container that an abstract one (Sequence, Mapping) is met by; None for other classes."""
    if origin in _PLAIN:
        return origin
    name, module = _called(origin), getattr(origin, "__module__", "")
    if module not in {"collections.abc", "typing", "collections"}:
        return None
    if name in {"Sequence", "MutableSequence", "Iterable", "Collection", "Iterator", "Container", "Reversible"}:
        return list
    if name in {"Mapping", "MutableMapping", "OrderedDict", "defaultdict"}:
        return dict
    return set if name in {"Set", "MutableSet"} else None


def _called(origin: Foreign) -> str:
    return str(getattr(origin, "__name__", None) or getattr(origin, "_name", None) or "")
