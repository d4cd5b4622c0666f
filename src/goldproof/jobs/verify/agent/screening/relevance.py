"""Check that a proof is about its option: the script or the claim must use one of the option's names.

An option in plain words names nothing; then there is nothing to hold a proof to.
"""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from goldproof.jobs.verify.rules.mentions import mentions

if TYPE_CHECKING:
    from collections.abc import Iterator


def unrelated(option: str, *, tree: ast.Module, claim: str) -> str:
    """Return why a script with its claim is not about an option, or an empty text. Comments and labels do not count."""
    named = tuple(dict.fromkeys(_names(option)))
    used = "\n".join((*_used(tree), claim))
    if not named or any(re.search(rf"(?<!\w){re.escape(one)}(?!\w)", used) for one in named):
        return ""
    return f"it uses none of the names in the option ({', '.join(named[:4])})."


def _used(tree: ast.Module) -> Iterator[str]:
    """Yield the names and texts that a script works with."""
    idle = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "observe" and node.args:
            idle.add(id(node.args[0]))
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and id(node) not in idle:
            yield str(node.value)
        elif isinstance(node, ast.Name | ast.Attribute | ast.alias | ast.keyword):
            yield str(next(getattr(node, name) for name in ("id", "attr", "name", "arg") if hasattr(node, name)))


def _names(option: str) -> Iterator[str]:
    for one in mentions(option):
        yield one.name.rpartition(".")[2]
        yield from one.keywords
