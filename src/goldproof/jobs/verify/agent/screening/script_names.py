"""Resolve the names of a script: the library's, values that come from it, functions of the script.

A name means what it is imported as, or the one thing that it is ever assigned; a name that is bound twice means
nothing, so that nothing can be smuggled in under a name that was the library's before.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
_BINDING_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


class ScriptNames:
    """The names of one script. roots: the import names of the library."""

    def __init__(self, tree: ast.AST, roots: Iterable[str]) -> None:
        self.roots = tuple(roots)
        self.imported = dict(_imports(tree))
        self.bound = Counter(_bindings(tree))
        self.values = {name: value for name, value in _assigned(tree) if self.bound[name] == 1}
        self._functions: dict[str, list[Function]] = {}
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                self._functions.setdefault(node.name, []).append(node)
        self.definitions = {
            node.name: node
            for node in ast.walk(tree)
            if isinstance(node, _BINDING_DEFINITIONS) and self.bound[node.name] == 1
        }

    def path(self, node: ast.AST) -> str:
        """Return the dotted path of an expression that begins with an import, else an empty text."""
        name, _, rest = dotted(node).partition(".")
        seen = {name}
        while isinstance(self.values.get(name), ast.Name | ast.Attribute):
            name, _, before = dotted(self.values[name]).partition(".")
            rest = f"{before}.{rest}".strip(".")
            if name in seen:
                return ""
            seen.add(name)
        start = self.imported.get(name, "") if not self.bound[name] else ""
        return f"{start}.{rest}".strip(".") if start else ""

    def is_library(self, node: ast.AST) -> bool:
        """Return whether an expression is something of the library, by its path."""
        path = self.path(node)
        return any(path == root or path.startswith(f"{root}.") for root in self.roots)

    def touches(self, node: ast.AST) -> bool:
        """Return whether an expression uses the library: itself, through a value from it, or through a function."""
        return self._touches(node, seen=set())

    def _touches(self, node: ast.AST, *, seen: set[str]) -> bool:
        for part in ast.walk(node):
            if isinstance(part, ast.Name | ast.Attribute) and self.is_library(part):
                return True
            if isinstance(part, ast.Name) and part.id not in seen:
                seen.add(part.id)
                meant = self.values.get(part.id) or self.definitions.get(part.id)
                if meant is not None and self._touches(meant, seen=seen):
                    return True
        return False

    def mentions(self, text: str) -> bool:
        """Return whether a text names the library: `yaml`, `yaml.load`, `import yaml`."""
        return any(re.search(rf"(?<![\w.]){re.escape(root)}(?!\w)", text) for root in self.roots)

    def own_functions(self, node: ast.AST) -> list[Function]:
        """Return the functions of the script that an expression names or holds: `check`, `object.check`, a lambda."""
        found: list[Function] = []
        for part in ast.walk(node):
            if isinstance(part, ast.Lambda):
                found.append(part)
            elif isinstance(part, ast.Name | ast.Attribute):
                name = part.id if isinstance(part, ast.Name) else part.attr
                found += self._functions.get(name, ())
                value = self.values.get(name)
                found += [value] if isinstance(value, ast.Lambda) else []
        return found

    def texts(self, node: ast.AST) -> Iterator[str]:
        """Yield the texts that an expression is made of, those of names that are assigned once included."""
        yield from self._texts(node, seen=set())

    def _texts(self, node: ast.AST, *, seen: set[str]) -> Iterator[str]:
        for part in ast.walk(node):
            if isinstance(part, ast.Constant) and isinstance(part.value, str):
                yield part.value
            elif isinstance(part, ast.Name) and part.id in self.values and part.id not in seen:
                seen.add(part.id)
                yield from self._texts(self.values[part.id], seen=seen)


def dotted(node: ast.AST) -> str:
    """Return the dotted name that an expression is, else an empty text."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return ".".join([node.id, *reversed(parts)]) if isinstance(node, ast.Name) else ""


def parameters(function: Function) -> list[str]:
    """Return the names of the parameters of a function."""
    given = function.args
    named = [*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg]
    return [one.arg for one in named if one is not None]


def _imports(tree: ast.AST) -> Iterator[tuple[str, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for one in node.names:
                yield (one.asname, one.name) if one.asname else (one.name.partition(".")[0],) * 2
        elif isinstance(node, ast.ImportFrom) and not node.level:
            for one in node.names:
                yield one.asname or one.name, f"{node.module}.{one.name}"


def imported_twice(tree: ast.AST) -> str:
    """Return a name that is imported as two different things, or an empty text."""
    meant: dict[str, str] = {}
    for name, path in _imports(tree):
        if meant.setdefault(name, path) != path:
            return name
    return ""


def _bindings(tree: ast.AST) -> Iterator[str]:
    """Yield each name as often as the script binds it, in any other way than by an import."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            yield node.id
        elif isinstance(node, _BINDING_DEFINITIONS):
            yield node.name
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.ExceptHandler | ast.MatchAs | ast.MatchStar) and node.name:
            yield node.name
        elif isinstance(node, ast.Global | ast.Nonlocal):
            yield from node.names


def _assigned(tree: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign):
            yield from ((one.id, node.value) for one in node.targets if isinstance(one, ast.Name))
        elif isinstance(node, ast.AnnAssign | ast.NamedExpr) and isinstance(node.target, ast.Name) and node.value:
            yield node.target.id, node.value
        elif isinstance(node, ast.withitem) and isinstance(node.optional_vars, ast.Name):
            yield node.optional_vars.id, node.context_expr
        elif isinstance(node, ast.For | ast.AsyncFor | ast.comprehension) and isinstance(node.target, ast.Name):
            yield node.target.id, node.iter
