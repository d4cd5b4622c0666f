"""Finding what a dotted path names: the longest module prefix is imported, the rest are attributes."""

from __future__ import annotations

import builtins
import sys
from dataclasses import dataclass
from importlib import import_module
from inspect import getattr_static
from types import ModuleType

from .fields import fields_of
from .texts import Foreign, text_of
from .values import short_name

_NOTHING = object()


@dataclass(frozen=True)
class Found:
    """What a path names.

    owner: what its last part was read from, None for a module. static: as it stands in the owner, before descriptors.
    field: it is a field of the owner, which need not have an attribute of that name.
    """

    value: Foreign
    owner: Foreign = None
    static: Foreign = None
    last: str = ""
    field: bool = False


@dataclass(frozen=True)
class Missing:
    """What a path does not name.

    part: the first part that is not there. why: in words. failed: looking for it failed, so that it may well be there:
    a module that could not be imported, an attribute that raised when it was read.
    """

    part: str
    why: str
    failed: bool = False


@dataclass(frozen=True)
class _Top:
    """The module that a path begins with. used: how many parts. why, failed: of the part after it, as in `Missing`."""

    module: ModuleType | None
    used: int
    why: str = ""
    failed: bool = False


def look_up(path: str) -> Found | Missing:
    """Return what a dotted path names."""
    parts = path.split(".")
    if not all(part.isidentifier() for part in parts):
        return Missing(path, f"{path!r} is not a dotted name")
    top = _Top(builtins, 0) if _is_builtin(parts[0]) else _longest_module(parts)
    if top.module is None:
        return Missing(parts[0], top.why, failed=top.failed)
    found: Found | Missing = Found(top.module, last=parts[top.used - 1])
    for part in parts[top.used :]:
        if isinstance(found, Found):
            found = _step(found, part, top)
    return found


def _is_builtin(name: str) -> bool:
    return hasattr(builtins, name) and name not in sys.modules


def _longest_module(parts: list[str]) -> _Top:
    """Import as many parts as are modules."""
    top = _Top(None, 0)
    for count in range(1, len(parts) + 1):
        if top.module is not None and (not hasattr(top.module, "__path__") or _shadowed(top.module, parts[count - 1])):
            return top
        name = ".".join(parts[:count])
        try:
            top = _Top(import_module(name), count)
        except ModuleNotFoundError as error:
            absent = error.name is not None and (name == error.name or name.startswith(error.name + "."))
            why = "" if absent and top.module is not None else text_of(error, str)
            return _Top(top.module, top.used, why, failed=not absent)
        except BaseException as error:  # noqa: BLE001 - a module may do anything when it is imported
            why = f"importing {name} raised {short_name(type(error))}: {text_of(error, str)}"
            return _Top(top.module, top.used, why, failed=True)
    return top


def _shadowed(module: ModuleType, name: str) -> bool:
    """Whether a package has something that is no module under a name; it then goes before a module of that name."""
    found = vars(module).get(name, _NOTHING)
    return found is not _NOTHING and type(found) is not ModuleType


def _step(found: Found, part: str, top: _Top) -> Found | Missing:
    owner = found.value
    field = isinstance(owner, type) and part in fields_of(owner)
    try:
        value = getattr(owner, part)
    except AttributeError:
        value = _NOTHING
    except BaseException as error:  # noqa: BLE001 - a descriptor or a lazy module may do anything
        return Missing(
            part, f"reading {part!r} of {_called(owner)} raised {short_name(type(error))}: {text_of(error, str)}"
        )
    if value is not _NOTHING:
        return Found(value, owner=owner, static=getattr_static(owner, part, value), last=part, field=field)
    if field or _annotated(owner, part):
        return Found(None, owner=owner, static=None, last=part, field=True)
    broken = top.failed and owner is top.module
    return Missing(part, top.why if broken else _no_attribute(owner, part), failed=broken)


def _annotated(owner: object, part: str) -> bool:
    if not isinstance(owner, type):
        return False
    return any(part in vars(kind).get("__annotations__", ()) for kind in owner.__mro__)


def _no_attribute(owner: object, part: str) -> str:
    if isinstance(owner, type):
        return (
            f"{part!r} is not an attribute of the {_called(owner)} (what __init__ sets on instances is not looked at)"
        )
    return f"no {part!r} in the {_called(owner)}"


def _called(owner: object) -> str:
    if isinstance(owner, type):
        return f"class {owner.__module__}.{owner.__qualname__}"
    if isinstance(owner, ModuleType):
        return f"module {owner.__name__}"
    return f"{short_name(type(owner))} object"
