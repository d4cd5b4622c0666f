"""Observing code that is run as a program, as it is written.

It has a `__main__` module of its own, and its lines can be read back, so that `inspect.getsource`, dataclasses,
pydantic and pickle work on what it defines. `await` at the top level is run by `asyncio.run` where the code has it. The
value of the last line is taken where that is an expression. A coroutine that nobody awaits stays one: as written,
nothing runs.
"""

from __future__ import annotations

import ast
import builtins
import linecache
import sys
from contextlib import contextmanager
from inspect import CO_COROUTINE
from types import CodeType, FunctionType, ModuleType
from typing import TYPE_CHECKING

from .attempts import attempt, awaited
from .texts import cut

if TYPE_CHECKING:
    from collections.abc import Iterator

_LAST = "__goldproof_last__"


def code_seen(source: str, filename: str = "snippet.py", *, name: str = "") -> dict[str, object]:
    """Run source as a program and return what became of it."""
    if type(source) is not str:
        raise TypeError(f"observe_code takes the source as text; found {type(source).__name__}")
    seen = attempt(lambda: _run(source, filename), given=frozenset({filename}), awaits=False)
    return {"kind": "code", "name": cut(name or filename, 200), **seen}


def _run(source: str, filename: str) -> object:
    code = compiled(source, filename)
    with main_module(source, filename) as namespace:
        run_compiled(code, namespace)
        return namespace.pop(_LAST, None)


def run_compiled(code: CodeType, namespace: dict[str, object]) -> None:
    """Execute compiled source in a namespace; by an event loop where it awaits at the top level."""
    if code.co_flags & CO_COROUTINE:
        awaited(FunctionType(code, namespace)())
    else:
        exec(code, namespace)  # noqa: S102 - running code is what this is for


def compiled(source: str, filename: str, *, value: bool = True) -> CodeType:
    """Compile source. value: keep what its last line comes to."""
    try:
        tree = ast.parse(source, filename)
        flags = 0
        compile(tree, filename, "exec", flags=0, dont_inherit=True)
    except SyntaxError:
        flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
        tree = _with_await(source, filename)
    if value and tree.body and isinstance(tree.body[-1], ast.Expr):
        last = tree.body[-1]
        target = ast.copy_location(ast.Name(_LAST, ast.Store()), last)
        tree.body[-1] = ast.copy_location(ast.Assign([target], last.value), last)
    code: CodeType = compile(tree, filename, "exec", flags=flags, dont_inherit=True)
    return code


def _with_await(source: str, filename: str) -> ast.Module:
    """Parse source that may await at the top level; the first complaint stands where that is not all."""
    tree = ast.parse(source, filename)
    try:
        compile(tree, filename, "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)
    except SyntaxError:
        compile(tree, filename, "exec", flags=0, dont_inherit=True)
    return tree


@contextmanager
def main_module(source: str, filename: str) -> Iterator[dict[str, object]]:
    """Yield the namespace of a new `__main__`, whose source can be read back."""
    module = ModuleType("__main__")
    module.__file__ = filename
    module.__dict__["__builtins__"] = builtins
    lines = [line + "\n" for line in source.splitlines()]
    linecache.cache[filename] = (len(source), None, lines, filename)
    before = sys.modules.get("__main__")
    sys.modules["__main__"] = module
    try:
        yield module.__dict__
    finally:
        if before is not None:
            sys.modules["__main__"] = before
