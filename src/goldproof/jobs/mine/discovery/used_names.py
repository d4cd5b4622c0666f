"""Which names the code of an answer uses.

Code is what stands in fences; an answer without a fence is code if it parses as Python. Python is parsed, so that names
in comments and strings do not count; code that does not parse is read by the form of its names.
"""

from __future__ import annotations

import ast
import re
import warnings
from typing import TYPE_CHECKING

from goldproof.text.code_blocks import fenced_blocks

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_NAME = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*")


def used_names(answer: str) -> frozenset[str]:
    """Return every name in the code of an answer: dotted ones, their beginnings and their parts."""
    blocks = [block.code for block in fenced_blocks(answer)]
    if not blocks:
        module = _parsed(answer)
        return _with_parts(_names_of(module)) if module is not None else frozenset()
    found: list[str] = []
    for code in blocks:
        module = _parsed(code)
        found.extend(_NAME.findall(code) if module is None else _names_of(module))
    return _with_parts(found)


def _parsed(code: str) -> ast.Module | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about escapes in somebody else's strings
            return ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _names_of(module: ast.Module) -> Iterator[str]:
    for node in ast.walk(module):
        if isinstance(node, ast.Name | ast.Attribute):
            yield _dotted(node)
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module or ''}.{alias.name}".lstrip(".") for alias in node.names)


def _dotted(node: ast.expr) -> str:
    """Return a name with all that stands before its points; only the last part where that is no name (`call().run`)."""
    if isinstance(node, ast.Name):
        return node.id
    if not isinstance(node, ast.Attribute):
        return ""
    before = _dotted(node.value)
    return f"{before}.{node.attr}" if before else node.attr


def _with_parts(names: Iterable[str]) -> frozenset[str]:
    found: set[str] = set()
    for name in names:
        parts = name.split(".")
        found.update(parts, (".".join(parts[:end]) for end in range(1, len(parts) + 1)))
    return frozenset(found - {""})
