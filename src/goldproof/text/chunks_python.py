"""Pieces of a Python program by its symbols: functions, classes and methods, found by parsing it.

A class is its header (decorators, bases, docstring, fields: all up to its first method, and what stands between
methods) and its methods, each a piece; inner classes likewise. A function is one piece with its inner functions. A
comment right above a definition belongs to it. Statements of the module stand in pieces of their own: the beginning of
the file (docstring, imports) without a name, later ones named after the first name that they assign, or their first
words. Where the text does not parse there are no symbols: None.
"""

from __future__ import annotations

import ast
import warnings
from bisect import bisect_left

from goldproof.text.chunks_pieces import Piece, TextLine, first_words, text_lines

_Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def python_pieces(text: str) -> tuple[Piece, ...] | None:
    """Cut a program by its symbols; None where it does not parse."""
    module = _parsed(text)
    if module is None:
        return None
    return tuple(_Cutter(text, module).pieces(module.body, 0, len(text)))


def _parsed(text: str) -> ast.Module | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # an invalid escape in somebody's program is not our warning
            return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


class _Cutter:
    """Cuts the statements of a module or class, whole lines at a time: no two definitions share a line."""

    def __init__(self, text: str, module: ast.Module) -> None:
        self.text = text
        self.lines = text_lines(text)
        # Where the module assigns to a name, and the name: looked up for every piece, so not searched for each time.
        self.assigned = [(self.lines[node.lineno - 1].start, name) for node in module.body if (name := _target(node))]

    def pieces(self, body: list[ast.stmt], start: int, end: int, *, path: tuple[str, ...] = ()) -> list[Piece]:
        """Return the pieces of text from start to end, which hold these statements."""
        found: list[Piece] = []
        definitions = [node for node in body if isinstance(node, _Definition)]
        for node in definitions:
            begins = max(start, self._begins(node))
            found += self._between(start, begins, path=path)
            start = min(end, self._ends(node))
            found += self._definition(node, begins, start, path=path)
        return found + self._between(start, end, path=path)

    def _definition(self, node: _Definition, start: int, end: int, *, path: tuple[str, ...]) -> list[Piece]:
        names = (*path, node.name)
        if isinstance(node, ast.ClassDef) and any(isinstance(inner, _Definition) for inner in node.body):
            return self.pieces(node.body, start, end, path=names)
        kind = "class" if isinstance(node, ast.ClassDef) else "method" if path else "function"
        return [Piece(start, end, kind, names, ".".join(names))]

    def _between(self, start: int, end: int, *, path: tuple[str, ...]) -> list[Piece]:
        """Return what stands between definitions as one piece: of the module, or of the class that it stands in."""
        if not self.text[start:end].strip():
            return []
        if path:
            return [Piece(start, end, "class", path, ".".join(path))]
        name = "" if start == 0 else self._first_assigned(start, end) or first_words(self.text, start, end)
        return [Piece(start, end, "module", (), name)]

    def _first_assigned(self, start: int, end: int) -> str:
        at = bisect_left(self.assigned, (start,))
        return self.assigned[at][1] if at < len(self.assigned) and self.assigned[at][0] < end else ""

    def _begins(self, node: _Definition) -> int:
        first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)]) - 1
        while first > 0 and self._is_comment(self.lines[first - 1]):
            first -= 1
        return self.lines[first].start

    def _ends(self, node: _Definition) -> int:
        return self.lines[(node.end_lineno or node.lineno) - 1].next

    def _is_comment(self, line: TextLine) -> bool:
        return line.text.lstrip().startswith("#")


def _target(node: ast.stmt) -> str:
    """Return the name that a statement assigns, the first of several; empty where it assigns none."""
    if not isinstance(node, ast.Assign | ast.AnnAssign):
        return ""
    target = node.targets[0] if isinstance(node, ast.Assign) else node.target
    return target.id if isinstance(target, ast.Name) else ""
