"""What can be called, and how: parameters, signature, and whether it must be awaited."""

from __future__ import annotations

import inspect
from functools import partial, partialmethod
from inspect import Parameter, Signature, isasyncgenfunction, iscoroutinefunction, isgeneratorfunction, signature
from types import FunctionType, MethodType
from typing import TYPE_CHECKING

from .fields import annotation_text, entry
from .texts import Foreign, text_of

if TYPE_CHECKING:
    from .lookup import Found

_KINDS = {
    Parameter.POSITIONAL_ONLY: "positional only",
    Parameter.POSITIONAL_OR_KEYWORD: "positional or keyword",
    Parameter.VAR_POSITIONAL: "var positional",
    Parameter.KEYWORD_ONLY: "keyword only",
    Parameter.VAR_KEYWORD: "var keyword",
}


def signature_of(found: Found) -> Signature | None:
    """Return the signature without self or cls; None where it has none."""
    if not callable(found.value):
        return None
    try:
        whole = signature(found.value)
    except BaseException:  # noqa: BLE001 - foreign objects and metaclasses may do anything
        return None
    takes_self = isinstance(found.owner, type) and isinstance(found.static, FunctionType)
    return whole.replace(parameters=list(whole.parameters.values())[1:]) if takes_self and whole.parameters else whole


def parameters_of(whole: Signature) -> list[dict[str, object]]:
    """Return the parameters as plain data."""
    return [_parameter(one) for one in whole.parameters.values()]


def signature_text(whole: Signature | None) -> str | None:
    """Return the signature as it would be written."""
    return None if whole is None else text_of(whole, str)


def _parameter(one: Parameter) -> dict[str, object]:
    many = one.kind in {Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD}
    required = one.default is Parameter.empty
    said = entry(required=required, default=None if required else one.default, annotation=None)
    annotation = None if one.annotation is Parameter.empty else annotation_text(one.annotation)
    return {
        "name": one.name,
        "kind": _KINDS[one.kind],
        **said,
        "required": required and not many,
        "annotation": annotation,
    }


def async_of(value: Foreign) -> str | None:
    """Return how a callable must be called: coroutine, async generator, generator or plain; None where it is none."""
    if isinstance(value, property):
        return async_of(value.fget)
    if isinstance(value, type):
        return "plain"
    if not callable(value) and not isinstance(value, (staticmethod, classmethod, partialmethod)):
        return None
    for _ in range(20):
        found = _own(value)
        inner = _inner(value)
        if found != "plain" or inner is None:
            return found
        value = inner
    return "plain"


def _own(value: Foreign) -> str:
    if iscoroutinefunction(value):
        return "coroutine"
    if isasyncgenfunction(value):
        return "async generator"
    return "generator" if isgeneratorfunction(value) else "plain"


def _inner(value: Foreign) -> Foreign:
    """Return what a wrapper wraps; None at the end. A context manager is no generator to its caller."""
    if isinstance(value, (partial, partialmethod)):
        return value.func
    if isinstance(value, (staticmethod, classmethod, MethodType)):
        return value.__func__
    if isinstance(value, FunctionType):
        return (
            None
            if value.__globals__.get("__name__") == "contextlib"
            else inspect.getattr_static(value, "__wrapped__", None)
        )
    wrapped = inspect.getattr_static(value, "__wrapped__", None)
    return wrapped if wrapped is not None else inspect.getattr_static(type(value), "__call__", None)
