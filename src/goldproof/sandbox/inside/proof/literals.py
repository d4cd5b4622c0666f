"""Python source of a value that is built of exact plain types only.

A subclass is no plain value: its `==` may say anything. Sets are sorted by their text.
"""

from __future__ import annotations

from math import isinf, isnan

LONGEST = 20_000
_DEEPEST = 30
_PLAIN = frozenset({type(None), bool, int, str, bytes, type(Ellipsis)})


class _NoLiteralError(Exception):
    """The value has no literal."""


def literal_of(value: object) -> str | None:
    """Return source that `ast.literal_eval` reads back (or `frozenset({...})`), or None."""
    try:
        text = _source(value, _DEEPEST)
    except (_NoLiteralError, ValueError, RecursionError, MemoryError):
        return None
    return text if len(text) <= LONGEST else None


def _source(value: object, depth: int) -> str:
    kind = type(value)
    if kind in _PLAIN:
        return repr(value)
    if kind is float or kind is complex:
        return _number(value)
    if depth == 0:
        raise _NoLiteralError
    if kind is dict:
        pairs = (f"{_source(k, depth - 1)}: {_source(v, depth - 1)}" for k, v in _bounded(value).items())  # type: ignore[attr-defined]
        return "{" + ", ".join(pairs) + "}"
    if kind is list or kind is tuple or kind is set or kind is frozenset:
        return _sequence(value, [_source(one, depth - 1) for one in _bounded(value)])  # type: ignore[attr-defined]
    raise _NoLiteralError


def _bounded(value: object) -> object:
    if len(value) > LONGEST:  # type: ignore[arg-type]
        raise _NoLiteralError
    return value


def _sequence(value: object, parts: list[str]) -> str:
    kind = type(value)
    if kind is list:
        return "[" + ", ".join(parts) + "]"
    if kind is tuple:
        return "(" + ", ".join(parts) + (",)" if len(parts) == 1 else ")")
    inner = "{" + ", ".join(sorted(parts)) + "}"
    if kind is set:
        return inner if parts else "set()"
    return f"frozenset({inner})" if parts else "frozenset()"


def _number(value: object) -> str:
    parts = (value.real, value.imag) if type(value) is complex else (value,)
    if any(isnan(one) or (isinf(one) and len(parts) == 2) for one in parts):  # type: ignore[arg-type]
        raise _NoLiteralError
    return repr(value).replace("inf", "1e999")
