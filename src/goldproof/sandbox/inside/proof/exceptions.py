"""An exception as plain data: its type by exact identity, its message, and where it came from."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import TYPE_CHECKING

from .texts import text_of
from .values import class_name, class_names, short_name

if TYPE_CHECKING:
    from types import TracebackType

_HERE = __package__
_MODULES, _VARS = sys.modules, vars
_MOST_NAMES = 20


def describe_exception(error: BaseException, given: frozenset[str]) -> dict[str, object]:
    """Return an exception as plain data. given: names of the files that are the given code."""
    kind = type(error)
    lines = _frames(error.__traceback__)
    inside = [line for file, line in lines if file in given]
    own = isinstance(error, SyntaxError) and not inside and error.filename in given
    return {
        "type": short_name(kind),
        "qualified": class_name(kind),
        "mro": class_names(kind),
        "also": _other_names(kind),
        "message": text_of(error, str),
        "line": error.lineno if own and isinstance(error, SyntaxError) else inside[-1] if inside else None,
        "in_proof": own or (bool(lines) and len(inside) == len(lines)),
    }


def _other_names(kind: type) -> list[str]:
    """Return the other names that outermost modules have for a class: `orjson.JSONEncodeError` is `TypeError`."""
    own, found = short_name(kind), []
    for module, loaded in sorted(_MODULES.items()):
        if "." in module or module == "__main__" or not issubclass(type(loaded), ModuleType):
            continue
        found += [f"{module}.{name}" for name, value in _VARS(loaded).items() if value is kind and name != own]
    return found[:_MOST_NAMES]


def _frames(trace: TracebackType | None) -> list[tuple[str, int]]:
    """Return file and line of each frame, without those of the observer."""
    found: list[tuple[str, int]] = []
    while trace is not None and len(found) < 1000:
        frame = trace.tb_frame
        if frame.f_globals.get("__package__") != _HERE:
            found.append((frame.f_code.co_filename, trace.tb_lineno))
        trace = trace.tb_next
    return found
