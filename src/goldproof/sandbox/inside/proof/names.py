"""Observing a name: is it there, what is it, and what can be said of it without calling it."""

from __future__ import annotations

from functools import cached_property
from inspect import getdoc, isabstract
from types import BuiltinFunctionType, FunctionType, GetSetDescriptorType, MemberDescriptorType, MethodType, ModuleType

from .capture import capturing
from .fields import fields_of
from .lookup import Found, Missing, look_up
from .signatures import async_of, parameters_of, signature_of, signature_text
from .texts import Foreign, clean, cut, text_of
from .values import class_name, class_names, describe, name_of

_MOST = 1_000
_EMPTY: dict[str, object] = {
    "found": False, "why": None, "missing": None, "failed": False, "what": None, "qualified": None, "module": None,
    "value": None, "signature": None, "parameters": [], "async": None, "bases": [], "mro": [], "fields": {},
    "members": [], "abstract": False, "doc": None,
}  # fmt: skip


def name_seen(path: str) -> dict[str, object]:
    """Look a dotted path up and return what it names."""
    if type(path) is not str:
        raise TypeError(f"observe_name takes a dotted path as text; found {type(path).__name__}")
    with capturing():
        found = look_up(path)
        said = _missing(found) if isinstance(found, Missing) else _said(found, path)
    return {"kind": "name", "name": cut(path, 200), "path": cut(path, 200), **_EMPTY, **said}


def _missing(found: Missing) -> dict[str, object]:
    return {"missing": found.part, "why": found.why, "failed": found.failed}


def _said(found: Found, path: str) -> dict[str, object]:
    value, what = found.value, what_is(found)
    whole = signature_of(found)
    said: dict[str, object] = {
        "found": True,
        "what": what,
        "qualified": (name_of(value) if what not in {"attribute", "field", "property"} else None) or path,
        "module": _module(found),
        "value": describe(value) if what == "attribute" else None,
        "signature": signature_text(whole),
        "parameters": [] if whole is None else parameters_of(whole),
        "async": None if what == "field" else async_of(found.static if what == "property" else value),
        "abstract": isabstract(value) or getattr(value, "__isabstractmethod__", False) is True,
        "doc": None if what in {"attribute", "field"} else _first_line(value),
    }
    if what == "field" and isinstance(found.owner, type):
        said["fields"] = {key: one for key, one in fields_of(found.owner).items() if key == found.last}
    return {**said, **_insides(value)} if what in {"class", "module"} else said


def what_is(found: Found) -> str:
    """Return what kind of thing was found."""
    value, static = found.value, found.static
    if found.field:
        return "field"
    if isinstance(value, ModuleType):
        return "module"
    if isinstance(value, type):
        return "class"
    if isinstance(static, (property, cached_property, GetSetDescriptorType, MemberDescriptorType)):
        return "property"
    if isinstance(value, (FunctionType, BuiltinFunctionType, MethodType)) or _is_routine(value):
        return "method" if isinstance(found.owner, type) else "function"
    return "attribute"


def _is_routine(value: Foreign) -> bool:
    """Whether it is a callable that wraps, or is, a function (a C function, a cached one, a decorated one)."""
    return callable(value) and isinstance(getattr(value, "__qualname__", None), str)


def _module(found: Found) -> str | None:
    if isinstance(found.value, ModuleType):
        return str(found.value.__name__)
    module = getattr(found.value, "__module__", None) or getattr(found.owner, "__module__", None)
    return clean(module) if type(module) is str else None


def _insides(value: Foreign) -> dict[str, object]:
    said: dict[str, object] = {"members": _members(value)}
    if isinstance(value, type):
        said.update(bases=[class_name(one) for one in value.__bases__], mro=class_names(value), fields=fields_of(value))
    return said


def _members(value: Foreign) -> list[str]:
    names = {name for name in dir(value) if type(name) is str and not name.startswith("_")}
    if isinstance(value, type):
        names.update(name for name in fields_of(value) if not name.startswith("_"))
    return sorted(names)[:_MOST]


def _first_line(value: object) -> str | None:
    try:
        doc = getdoc(value)
    except BaseException:  # noqa: BLE001 - foreign descriptors may do anything
        return None
    return cut(text_of(doc, str).strip().partition("\n")[0], 300) if doc else None
