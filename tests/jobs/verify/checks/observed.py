"""Observations as a sandbox sends them, for checks to be held against."""

from __future__ import annotations

from typing import Any


def returned(literal: str | None, *, kind: str = "int", **more: object) -> dict[str, Any]:
    """A call that returned a value of a builtin type."""
    text = literal or "<something>"
    value = {
        "type": kind,
        "mro": [f"builtins.{kind}", "builtins.object"],
        "repr": text,
        "str": text,
        "literal": literal,
    }
    return {"kind": "call", "outcome": "returned", "value": value, "stdout": "", "logs": [], "warnings": [], **more}


def raised(*mro: str, message: str = "") -> dict[str, Any]:
    """Code that raised."""
    error = {"type": mro[0].rpartition(".")[2], "qualified": mro[0], "mro": list(mro), "message": message}
    return {"kind": "code", "outcome": "raised", "exception": error, "value": None, "stdout": "", "stderr": ""}


def printed(text: str) -> dict[str, Any]:
    """Code that printed."""
    return {"kind": "code", "outcome": "returned", "value": {"type": "NoneType", "literal": "None"}, "stdout": text}


def named(path: str, **more: object) -> dict[str, Any]:
    """A name that was found."""
    return {"kind": "name", "path": path, "found": True, "what": "class", **more}


INVALID = raised(
    "pydantic_core._pydantic_core.ValidationError",
    "builtins.ValueError",
    "builtins.Exception",
    message="1 validation error for A\nx",
)
FUNCTION = named(
    "lib.f", what="function", signature="(a, b: int = 1, **more)", **{"async": "coroutine"},
    parameters=[
        {"name": "a", "kind": "positional or keyword", "required": True, "default": None, "default_repr": None},
        {"name": "b", "kind": "positional or keyword", "required": False, "default": "1", "default_repr": "1"},
        {"name": "c", "kind": "keyword only", "required": False, "default": None, "default_repr": "<object>"},
        {"name": "more", "kind": "var keyword", "required": False, "default": None, "default_repr": None},
    ],
)  # fmt: skip
CLOSED = named(
    "lib.g", what="function", signature="(a)",
    parameters=[
        {"name": "a", "kind": "positional or keyword", "required": True, "default": None, "default_repr": None},
    ],
)  # fmt: skip
MODEL = named(
    "lib.Model", signature="(*, n: int)", bases=["lib.base.Parent"], **{"async": "plain"},
    mro=["lib.Model", "lib.base.Parent", "pydantic.main.BaseModel", "builtins.object"],
    fields={
        "n": {"required": True, "default": None},
        "t": {"required": False, "default": "'x'", "default_repr": "'x'"},
    },
)  # fmt: skip
ABSENT = {"kind": "name", "path": "lib.nope", "found": False, "why": "no 'nope' in the module lib", "missing": "nope"}
BROKEN = {**ABSENT, "failed": True, "why": "No module named 'other'"}
