"""Compare Python literals strictly: 1 is not True, 1 is not 1.0, a list is not a tuple, 0.0 is not -0.0."""

from __future__ import annotations

import ast


class NoLiteralError(ValueError):
    """The text is no literal."""


def literal_key(text: str) -> object:
    """Return a key that two texts share exactly where they are the same value; raise NoLiteralError for other text."""
    try:
        tree = ast.parse(text.strip(), mode="eval")
        return _key(tree.body)
    except (SyntaxError, ValueError, RecursionError, MemoryError, TypeError) as error:
        raise NoLiteralError(f"{text[:80]!r} is not a Python literal") from error


def _key(node: ast.expr) -> object:
    if isinstance(node, ast.List | ast.Tuple):
        return (type(node).__name__.lower(), tuple(_key(one) for one in node.elts))
    if isinstance(node, ast.Dict):
        pairs = {_key(_given(k)): _key(v) for k, v in zip(node.keys, node.values, strict=True)}
        return ("dict", tuple(sorted(pairs.items(), key=repr)))
    if isinstance(node, ast.Set):
        return ("set", _members(node))
    if isinstance(node, ast.Call):
        return _called(node)
    value = ast.literal_eval(node)
    return (type(value).__name__, repr(value))


def _called(node: ast.Call) -> object:
    """`set()`, `frozenset()` and `frozenset({...})`, which have no other literal."""
    name = node.func.id if isinstance(node.func, ast.Name) else ""
    if name not in {"set", "frozenset"} or node.keywords or len(node.args) > 1:
        raise NoLiteralError
    if not node.args:
        return (name, ())
    if not isinstance(node.args[0], ast.Set | ast.List | ast.Tuple):
        raise NoLiteralError
    return (name, _members(node.args[0]))


def _members(node: ast.Set | ast.List | ast.Tuple) -> tuple[object, ...]:
    return tuple(sorted({_key(one) for one in node.elts}, key=repr))


def _given(node: ast.expr | None) -> ast.expr:
    if node is None:  # {**other}
        raise NoLiteralError
    return node
