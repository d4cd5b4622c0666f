"""Imports that a section of a file needs from the file around it.

A question shows a section, and the file that it is cut from has its imports at the top. They count where they stand
before the section, on the outermost level, and bind a name that the section uses and does not bind. Nothing else of the
file counts: a name that is also bound there in another way (`limit = 3`, `def run(): ...`) is left alone.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from goldproof.io.cases.code_files import first_row_of
from goldproof.jobs.verify.rules.code_names import top_names
from goldproof.jobs.verify.rules.code_text import parsed

if TYPE_CHECKING:
    from collections.abc import Collection

    from goldproof.io.cases import CodeFile


def section_imports(snippet: CodeFile | None, names: Collection[str]) -> tuple[str, ...]:
    """Return the file's own imports of some names that a section leaves out, a line for each, in the file's order."""
    if snippet is None or snippet.section is None or not snippet.whole or not names:
        return ()
    tree, row = parsed(snippet.whole), first_row_of(snippet.whole, snippet.section)
    if tree is None or row is None:
        return ()
    before = [node for node in tree.body if node.lineno <= row]
    others = [node for node in before if not isinstance(node, (ast.Import, ast.ImportFrom))]
    bound = set(top_names(ast.Module(others, [])))
    lines = {name: line for node in before for name, line in _bindings(node) if name in names and name not in bound}
    return tuple(dict.fromkeys(lines.values()))


def _bindings(node: ast.stmt) -> list[tuple[str, str]]:
    """Return the names that an import binds, each with a line that binds it alone."""
    if isinstance(node, ast.Import):
        return [((one.asname or one.name).partition(".")[0], _line("", one)) for one in node.names]
    # A relative import leads to files that a section is shown without.
    if not isinstance(node, ast.ImportFrom) or node.level or node.module in {None, "__future__"}:
        return []
    return [(one.asname or one.name, _line(f"from {node.module} ", one)) for one in node.names if one.name != "*"]


def _line(where: str, one: ast.alias) -> str:
    return f"{where}import {one.name}" + (f" as {one.asname}" if one.asname else "")
