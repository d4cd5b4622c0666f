"""A value, a class and an exception as plain data, made at the moment of observing.

Types are read past anything that a class can override: `type(x)`, never `x.__class__`.
"""

from __future__ import annotations

import builtins

from .literals import literal_of
from .texts import Foreign, clean, text_of

_MRO = type.__dict__["__mro__"].__get__
_MODULE = type.__dict__["__module__"].__get__
_QUALNAME = type.__dict__["__qualname__"].__get__
_NAME = type.__dict__["__name__"].__get__
_BUILTINS = dict(vars(builtins))


def class_name(kind: type) -> str:
    """Return module.qualname of a class. What claims to be a builtin and is not one is not called so."""
    module, qualified = _text(_MODULE(kind)), _text(_QUALNAME(kind))
    if module == "builtins" and _BUILTINS.get(qualified, kind) is not kind:
        module = "not_builtins"
    return f"{module}.{qualified}"


def class_names(kind: type) -> list[str]:
    """Return the qualified names of a class and all that it inherits from, itself first."""
    return [class_name(one) for one in _MRO(kind)]


def short_name(kind: type) -> str:
    """Return the name of a class."""
    return _text(_NAME(kind))


def describe(value: object) -> dict[str, object]:
    """Return a value as plain data (docs/reference/observations.md)."""
    kind = type(value)
    return {
        "type": short_name(kind),
        "qualified": class_name(kind),
        "mro": class_names(kind),
        "repr": text_of(value),
        "str": text_of(value, str),
        "literal": literal_of(value),
    }


def name_of(value: Foreign) -> str | None:
    """Return the qualified name of a module, class or function; None for other things."""
    if isinstance(value, type):
        return class_name(value)
    module, qualified = _attribute(value, "__module__"), _attribute(value, "__qualname__")
    if qualified is None:
        return _attribute(value, "__name__") if type(value) is type(builtins) else None
    return f"{module}.{qualified}" if module else qualified


def _attribute(value: object, name: str) -> str | None:
    try:
        found = getattr(value, name, None)
    except BaseException:  # noqa: BLE001 - foreign code, whatever it raises
        return None
    return clean(found) if type(found) is str else None


def _text(found: object) -> str:
    return clean(found) if type(found) is str else "?"
