"""Names that Python code imports and uses, from its syntax.

`imported_names()`:

    import google.adk.agents as a          a.LlmAgent(...)      -> google.adk.agents.LlmAgent
    from google.adk import agents          agents.LlmAgent      -> google.adk.agents.LlmAgent
    from google.adk.agents import Agent    Agent.from_config()  -> google.adk.agents.Agent, and its from_config
    from google.adk.agents import *        LlmAgent(...)        -> google.adk.agents.LlmAgent

Imports count wherever they stand: in functions, under `try` and under `TYPE_CHECKING`. Relative ones are the program's
own files. Scopes are not told apart: a name that is imported twice stands for both, and a use of a name that is also
assigned somewhere may be a use of something else (`sure` is False).

`used_names()` reads the code of an answer: its fenced blocks; an answer without a fence is code if it parses as Python.
Python is parsed, so that names in comments and strings do not count; code that does not parse is read by the form of
its names.
"""

from __future__ import annotations

import ast
import builtins
import re
import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING

from goldproof.errors import InputError
from goldproof.text.code_blocks import fenced_blocks

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

Chain = tuple[str, ...]
_BINDING = (
    *(ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef),
    *(ast.ExceptHandler, ast.MatchAs, ast.MatchStar),
)
_NAME = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*")


@dataclass(frozen=True, slots=True)
class ImportedName:
    """A dotted name that is imported. uses: longer names that begin with it, as the code uses them, each once.

    star: everything is imported from this module, so that a use may be of something else. sure: False where the name
    it is imported as is also assigned.
    """

    name: str
    uses: tuple[str, ...] = ()
    star: bool = False
    sure: bool = True


@dataclass(frozen=True, slots=True)
class _Import:
    """`name` is imported as `alias`, which stands for `base`: after `import a.b`, `a` stands for a.

    The alias of a star import is `*`.
    """

    name: str
    alias: str
    base: str


def imported_names(code: str) -> tuple[ImportedName, ...]:
    """Return the imported names, in the order of the code; raises `InputError` where it is no Python."""
    tree = _parsed(code)
    nodes = sorted((node for node in ast.walk(tree) if hasattr(node, "lineno")), key=_place)
    chains = tuple(dict.fromkeys(_chains(tree)))
    assigned = set(_assigned(nodes))
    imports = [imported for node in nodes for imported in _imports(node)]
    bound = {imported.alias for imported in imports} | assigned | set(dir(builtins))
    by_name: dict[str, ImportedName] = {}
    for imported in imports:
        is_star = imported.alias == "*"
        name = _star(imported, chains, bound=bound) if is_star else _plain(imported, chains, assigned=assigned)
        known = by_name.get(name.name)
        by_name[name.name] = name if known is None else _merged(known, name)
    return tuple(by_name.values())


def _place(node: ast.AST) -> tuple[int, int]:
    return getattr(node, "lineno", 0), getattr(node, "col_offset", 0)


def _imports(node: ast.AST) -> Iterator[_Import]:
    if isinstance(node, ast.Import):
        for item in node.names:
            first = item.name.partition(".")[0]
            yield _Import(item.name, item.asname or first, item.name if item.asname else first)
    elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
        for item in node.names:
            name = node.module if item.name == "*" else f"{node.module}.{item.name}"
            yield _Import(name, item.asname or item.name, name)


def _chains(tree: ast.AST) -> Iterator[Chain]:
    """Yield the names that are used, each with the attributes read from it."""
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        chain = _chain(node)
        if chain:
            yield chain
        else:
            waiting.extend(reversed(list(ast.iter_child_nodes(node))))


def _chain(node: ast.AST) -> Chain:
    """Return `a.b.c` as its parts; nothing for what does not begin with a plain name that is read."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name) or not (isinstance(node.ctx, ast.Load) or parts):
        return ()
    return (node.id, *reversed(parts))


def _assigned(nodes: list[ast.AST]) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, _BINDING) and node.name:
            yield node.name
        elif isinstance(node, ast.MatchMapping) and node.rest:
            yield node.rest


def _plain(imported: _Import, chains: tuple[Chain, ...], *, assigned: set[str]) -> ImportedName:
    used = (".".join((imported.base, *chain[1:])) for chain in chains if chain[0] == imported.alias)
    uses = dict.fromkeys(name for name in used if name.startswith(f"{imported.name}."))
    return ImportedName(imported.name, tuple(uses), sure=imported.alias not in assigned)


def _star(imported: _Import, chains: tuple[Chain, ...], *, bound: set[str]) -> ImportedName:
    used = dict.fromkeys(".".join((imported.name, *chain)) for chain in chains if chain[0] not in bound)
    return ImportedName(imported.name, tuple(used), star=True)


def _merged(known: ImportedName, other: ImportedName) -> ImportedName:
    return ImportedName(
        known.name,
        tuple(dict.fromkeys((*known.uses, *other.uses))),
        star=known.star or other.star,
        sure=known.sure and other.sure,
    )


def used_names(answer: str) -> frozenset[str]:
    """Return every name in the code of an answer: dotted ones, their beginnings and their parts."""
    blocks = [block.code for block in fenced_blocks(answer)]
    if not blocks:
        module = _parsed_or_none(answer)
        return _with_parts(_names_of(module)) if module is not None else frozenset()
    names: list[str] = []
    for code in blocks:
        module = _parsed_or_none(code)
        names.extend(_NAME.findall(code) if module is None else _names_of(module))
    return _with_parts(names)


def _names_of(module: ast.Module) -> Iterator[str]:
    for node in ast.walk(module):
        if isinstance(node, ast.Name | ast.Attribute):
            yield _dotted(node)
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module or ''}.{alias.name}".lstrip(".") for alias in node.names)


def _dotted(node: ast.expr) -> str:
    """Return a dotted name; only its last part where it does not begin with a name (`call().run`)."""
    if isinstance(node, ast.Name):
        return node.id
    if not isinstance(node, ast.Attribute):
        return ""
    before = _dotted(node.value)
    return f"{before}.{node.attr}" if before else node.attr


def _with_parts(names: Iterable[str]) -> frozenset[str]:
    every: set[str] = set()
    for name in names:
        parts = name.split(".")
        every.update(parts, (".".join(parts[:end]) for end in range(1, len(parts) + 1)))
    return frozenset(every - {""})


def _parsed_or_none(code: str) -> ast.Module | None:
    try:
        return _parsed(code)
    except InputError:
        return None


def _parsed(code: str) -> ast.Module:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # odd escapes in other people's code
            return ast.parse(code)
    except SyntaxError as error:
        raise InputError(f"it is no Python: {error.msg} (line {error.lineno})") from error
    except (ValueError, RecursionError, MemoryError) as error:
        raise InputError(f"it is no Python: {str(error) or 'nested too deeply'}") from error
