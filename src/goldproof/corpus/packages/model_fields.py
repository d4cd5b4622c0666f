"""Exact fields of pydantic models: `model_fields`, as a separate interpreter sees them after importing the module.

Importing runs code of the package, so it happens in a process of its own, with a time limit, and only where it was
asked for. A module that cannot be imported there (a missing optional dependency, say) gives a reason in their place.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from goldproof.corpus.interpreter import run_program
from goldproof.corpus.packages.signatures import Field
from goldproof.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from goldproof.corpus.packages.names import Names

TIMEOUT = 180.0

# Runs in the other interpreter, which may be older and have pydantic 1; a module may do anything when it is imported,
# even leave, so everything is caught there and becomes a reason.
_PROGRAM = r"""
import importlib, json, re, sys, warnings
warnings.simplefilter("ignore")
with open(sys.argv[1], encoding="utf-8") as stream:
    request = json.load(stream)
sys.path[:] = request["search_path"] + [path for path in sys.path if path]

def shown(value):
    return re.sub(r" at 0x[0-9a-fA-F]+", "", repr(value))[:300]

def type_shown(value):
    if isinstance(value, str):
        return value
    if isinstance(value, type) and not getattr(value, "__args__", None):
        return value.__name__ if value.__module__ == "builtins" else value.__module__ + "." + value.__qualname__
    return shown(value).replace("typing.", "")

def owner_of(cls, name):
    for base in cls.__mro__:
        if name in base.__dict__.get("__annotations__", {}):
            return base
    return cls

def default_of(info, undefined):
    factory = getattr(info, "default_factory", None)
    if factory is not None:
        return getattr(factory, "__qualname__", shown(factory)) + "()"
    return None if info.default is undefined else shown(info.default)

def described(cls):
    fields = getattr(cls, "model_fields", None)
    if fields is None:
        fields = {name: found.field_info for name, found in cls.__fields__.items()}
        required = {name: bool(found.required) for name, found in cls.__fields__.items()}
        undefined = Ellipsis
    else:
        from pydantic_core import PydanticUndefined as undefined
        required = {name: info.is_required() for name, info in fields.items()}
    found = []
    for name, info in fields.items():
        owner = owner_of(cls, name)
        written = owner.__dict__.get("__annotations__", {}).get(name, getattr(info, "annotation", ""))
        alias = getattr(info, "validation_alias", None) or getattr(info, "alias", None)
        found.append({
            "name": name,
            "annotation": type_shown(written),
            "default": None if required[name] else default_of(info, undefined),
            "required": required[name],
            "alias": alias if isinstance(alias, str) else None,
            "description": " ".join((getattr(info, "description", None) or "").split()),
            "defined_in": owner.__module__ + "." + owner.__qualname__,
        })
    return found

answers = {}
for path, module, name in request["models"]:
    try:
        found = importlib.import_module(module)
        for part in name.split("."):
            found = getattr(found, part)
        answers[path] = {"fields": described(found)}
    except BaseException as error:
        answers[path] = {"error": type(error).__name__ + ": " + " ".join(str(error).split())[:300]}
with open(sys.argv[2], "w", encoding="utf-8") as stream:
    json.dump(answers, stream)
"""


@dataclass(frozen=True, slots=True)
class RuntimeFields:
    """Fields by the path of the class, and the reason for each class that could not be asked."""

    fields: Mapping[str, tuple[Field, ...]] = field(default_factory=dict)
    failures: Mapping[str, str] = field(default_factory=dict)


def runtime_fields(
    names: Names,
    models: Iterable[str],
    *,
    python: str | None = None,
    search_path: Sequence[Path] = (),
    timeout: float = TIMEOUT,
) -> RuntimeFields:
    """Ask an interpreter (by default this one's executable, in a process of its own) for the fields of models."""
    wanted = [(path, names.definitions[path].module) for path in models]
    request = {
        "models": [(path, module, path.removeprefix(f"{module}.")) for path, module in wanted],
        "search_path": [str(folder) for folder in search_path],
    }
    try:
        answers = run_program(python or sys.executable, _PROGRAM, request=request, timeout=timeout)
    except InputError as error:
        return RuntimeFields(failures={path: str(error) for path, _ in wanted})
    if not isinstance(answers, dict):
        return RuntimeFields(failures={path: "the answer is not readable" for path, _ in wanted})
    return RuntimeFields(
        fields={path: _fields(answer["fields"]) for path, answer in answers.items() if "fields" in answer},
        failures={path: answer["error"] for path, answer in answers.items() if "error" in answer},
    )


def _fields(answers: list[dict[str, object]]) -> tuple[Field, ...]:
    return tuple(
        Field(
            name=str(answer["name"]),
            annotation=str(answer["annotation"]),
            default=None if answer["default"] is None else str(answer["default"]),
            required=bool(answer["required"]),
            alias=None if answer["alias"] is None else str(answer["alias"]),
            description=str(answer["description"]),
            defined_in=str(answer["defined_in"]),
        )
        for answer in answers
    )
