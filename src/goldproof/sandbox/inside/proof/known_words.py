"""Whether any code that is imported knows a word: as a parameter, a local name, an attribute or a text.

A keyword that only `**kwargs` takes, and that nobody knows, cannot mean anything.
"""

from __future__ import annotations

import sys
from types import CodeType, FunctionType, ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .texts import Foreign

_STANDARD = frozenset(getattr(sys, "stdlib_module_names", sys.builtin_module_names))


def is_known(word: str, function: Foreign) -> bool:
    """Whether a word stands in the code of any library, of the function's own module, or in its documentation."""
    own = str(getattr(function, "__module__", ""))
    if word in str(getattr(function, "__doc__", "") or ""):
        return True
    spaces = [
        vars(module) for name, module in list(sys.modules.items()) if _matters(name, own) and type(module) is ModuleType
    ]
    return any(word in space or _in_functions(word, space) for space in spaces)


def _matters(name: str, own: str) -> bool:
    top = name.partition(".")[0]
    return name == own or (top not in _STANDARD and not top.startswith("goldproof_"))


def _in_functions(word: str, space: dict[str, Foreign]) -> bool:
    return any(_in_code(word, code) for code in _codes(space))


def _codes(space: dict[str, Foreign]) -> Iterator[CodeType]:
    for value in list(space.values()):
        inside = list(vars(value).values()) if isinstance(value, type) else [value]
        for one in inside:
            # Nothing else is asked for attributes: proxies of modules import what they stand for.
            plain = one.__func__ if issubclass(type(one), (staticmethod, classmethod)) else one
            if type(plain) is FunctionType:
                yield plain.__code__


def _in_code(word: str, code: CodeType) -> bool:
    if word in code.co_varnames or word in code.co_names:
        return True
    return any(
        one == word if type(one) is str else type(one) is CodeType and _in_code(word, one) for one in code.co_consts
    )
