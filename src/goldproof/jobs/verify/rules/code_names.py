"""Names that code defines, and names that it uses without defining them."""

from __future__ import annotations

import ast
import builtins
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Collection

_BUILT_IN: Final = frozenset(dir(builtins)) | {"__name__", "__file__", "__doc__", "__annotations__", "__builtins__"}


def defined_names(tree: ast.AST) -> tuple[str, ...]:
    """Return every name that is bound anywhere in the code, in order: assigned, imported, defined, a parameter."""
    return tuple(dict.fromkeys(name for node in ast.walk(tree) for name in _bound_by(node)))


def top_names(tree: ast.Module) -> tuple[str, ...]:
    """Return the names that are bound when the code has run: those of its outermost statements."""
    found: list[str] = []
    waiting: list[ast.AST] = list(tree.body)
    while waiting:
        node = waiting.pop(0)
        found += _bound_by(node)
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
            waiting += ast.iter_child_nodes(node)
    return tuple(dict.fromkeys(found))


def undefined_names(tree: ast.AST) -> tuple[str, ...]:
    """Return the names that are used and nowhere bound, without those that are built in, in order."""
    bound = set(defined_names(tree)) | _BUILT_IN
    # An import of everything may bind anything.
    if any(isinstance(node, ast.ImportFrom) and node.names[0].name == "*" for node in ast.walk(tree)):
        return ()
    used = (node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load))
    return tuple(dict.fromkeys(name for name in used if name not in bound))


def used_names(tree: ast.AST) -> tuple[str, ...]:
    """Return the names that are read anywhere in the code, in order."""
    used = (node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load))
    return tuple(dict.fromkeys(used))


def dotted_paths(tree: ast.AST, names: Collection[str]) -> tuple[str, ...]:
    """Return the paths of attributes that are read of some names, `yaml.loader.SafeLoader`, in order, the longest."""
    inner = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    whole = [node for node in ast.walk(tree) if isinstance(node, ast.Attribute) and id(node) not in inner]
    found = (_path(node) for node in whole)
    return tuple(dict.fromkeys(path for path in found if path and path.partition(".")[0] in names))


def _path(node: ast.expr) -> str:
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return ".".join([node.id, *reversed(parts)]) if isinstance(node, ast.Name) else ""


def _bound_by(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Name):
        return [node.id] if isinstance(node.ctx, (ast.Store, ast.Del)) else []
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return [node.name]
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        return [(one.asname or one.name).split(".")[0] for one in node.names if one.name != "*"]
    if isinstance(node, ast.arg):
        return [node.arg]
    if isinstance(node, ast.ExceptHandler):
        return [node.name] if node.name else []
    if isinstance(node, (ast.MatchAs, ast.MatchStar)):
        return [node.name] if node.name else []
    if isinstance(node, ast.MatchMapping):
        return [node.rest] if node.rest else []
    return list(node.names) if isinstance(node, (ast.Global, ast.Nonlocal)) else []
