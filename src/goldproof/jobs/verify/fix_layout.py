"""File layout for the test of a `fix_error` case: the name under which it looks for a solution.

Seen in real suites: the test imports `unfixed` and `fixed` and tests both; it imports one of them, and a solution takes
its place; it imports `solution` (or `agent`), which is neither; it opens a file by its path. So, in this order:

1. The name of the fixed file, where the test mentions it: as a module, or as a file name in a text.
2. The name of the unfixed file, where it mentions only that.
3. Modules that it imports, in one part (`solution`, not `pkg.solution`), not of the standard library, and that cannot
   be found in the environment: known only when it runs.

Where a test mentions both, its functions that mention only the unfixed file tell how that one fails: they are left out
where a solution is tested, and must pass for themselves.
"""

from __future__ import annotations

import ast
import sys
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from goldproof.io.cases import Case


@dataclass(frozen=True, slots=True)
class FixLayout:
    """subject: the file name that a solution is laid out under; empty where `anywhere` has to be looked through.

    about_unfixed: tests that say how the unfixed file fails. needed: outermost names of modules that the test and the
    fixed file import: without them no solution can pass.
    """

    subject: str = ""
    anywhere: tuple[str, ...] = ()
    about_unfixed: tuple[str, ...] = ()
    needed: tuple[str, ...] = ()


def file_name(path: str) -> str:
    """Return the last part of a path, as a case writes it."""
    return PurePosixPath(path.replace("\\", "/")).name


def fix_layout(case: Case) -> FixLayout:
    """Return how the test of a case finds the code. A test that cannot be parsed mentions nothing."""
    tree = parsed(case.test.text if case.test else "")
    unfixed, fixed = (file_name(one.path) if one else "" for one in (case.unfixed, case.fixed))
    mentioned = set(_mentioned(tree))
    subject = next((name for name in (fixed, unfixed) if name and _stem(name) in mentioned), "")
    both = subject == fixed != unfixed and _stem(unfixed) in mentioned
    local = {_stem(unfixed), _stem(fixed)}
    return FixLayout(
        subject=subject,
        anywhere=() if subject else tuple(dict.fromkeys(_single_imports(tree))),
        about_unfixed=tuple(_tests_about(tree, _stem(unfixed), without=_stem(fixed))) if both else (),
        needed=tuple(sorted(outermost_imports(tree, parsed(case.fixed.text if case.fixed else "")) - local)),
    )


def parsed(text: str) -> ast.Module:
    """Return the tree of a text, an empty one where it is no Python."""
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError):
        return ast.Module(body=[], type_ignores=[])


def outermost_imports(*trees: ast.Module) -> set[str]:
    """Return the outermost names of all modules that are imported, wherever that stands."""
    return {name.split(".")[0] for tree in trees for name in _imports(tree)}


def _imports(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (one.name for one in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module


def _mentioned(tree: ast.AST) -> Iterator[str]:
    """Yield the last parts of modules that are imported, and stems of files and modules that texts name."""
    for name in _imports(tree):
        yield name.rpartition(".")[2]
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and len(node.value) < 200:
            yield _stem(file_name(node.value)) if node.value.endswith(".py") else node.value
        elif isinstance(node, ast.ImportFrom) and (node.level or node.module):
            yield from (one.name for one in node.names)


def _single_imports(tree: ast.AST) -> Iterator[str]:
    standard = sys.stdlib_module_names | {"pytest", "pytest_asyncio"}
    return (name for name in _imports(tree) if "." not in name and name not in standard)


def _tests_about(tree: ast.Module, stem: str, *, without: str) -> Iterator[str]:
    """Yield the tests that mention one module and not the other; methods as `Class.method`."""
    bound = {stem: {stem}, without: {without}}
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and node.module in bound:
            bound[node.module] |= {one.asname or one.name for one in node.names}
        elif isinstance(node, ast.Import):
            for one in node.names:
                if one.name in bound and one.asname:
                    bound[one.name].add(one.asname)
    for name, test in _tests(tree):
        words = set(_words(test))
        if words & bound[stem] and not words & bound[without]:
            yield name


def _tests(tree: ast.Module) -> Iterator[tuple[str, ast.AST]]:
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            yield from ((f"{node.name}.{name}", test) for name, test in _tests(ast.Module(node.body, type_ignores=[])))
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test"):
            yield node.name, node


def _words(test: ast.AST) -> Iterator[str]:
    yield from _mentioned(test)
    yield from (node.id for node in ast.walk(test) if isinstance(node, ast.Name))


def _stem(name: str) -> str:
    return name.removesuffix(".py")
