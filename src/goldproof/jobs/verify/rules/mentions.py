"""Extract what a text mentions: names, calls with their keywords, keywords with values, decorators and imports.

`Runner.run`, `Runner(app=x)`, `max_calls=5`, `@tool`, `from yaml import load`. Words in backquotes are read as Python;
so is the whole of a text that is nothing but code (`max_calls`, an option). Outside of backquotes only what cannot be
plain English counts: dotted names and calls. Fences are passed over: they are the code, not what is said of it.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from goldproof.jobs.verify.rules.code_text import expression_of, parsed

if TYPE_CHECKING:
    from collections.abc import Iterator

Kind = Literal["name", "call", "keyword", "decorator", "import"]
_FENCE = re.compile(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)", re.DOTALL)
_SPAN = re.compile(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)", re.DOTALL)
_DOTTED = re.compile(r"(?<![\w./@\\-])[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+(?![\w/@\\-])")
_OPENING = re.compile(r"(?<![\w.])(?<!def )(?<!class )[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*\(")
_NO_NAMES = {"e.g", "i.e", "etc", "vs", "a.k.a"}
_FILES = {"py", "yaml", "yml", "json", "toml", "txt", "md", "cfg", "ini", "html", "csv", "com", "org", "io", "sh"}


@dataclass(frozen=True, slots=True)
class Mention:
    """A name, call, keyword, decorator or import in a text.

    name: the dotted name: of what is called, of the decorator, of the keyword; of an import the full path of the thing
    imported. keywords: of a call, or the one keyword; values: the source text of each. positional: how many arguments
    stand without a keyword. whole: the text is nothing else. quoted: it stands in backquotes. text: as written.
    """

    kind: Kind
    name: str
    text: str
    start: int
    keywords: tuple[str, ...] = ()
    values: tuple[str, ...] = ()
    positional: int = 0
    whole: bool = False
    quoted: bool = False

    @property
    def end(self) -> int:
        """Its end in the text, backquotes left out."""
        return self.start + len(self.text)


def mentions(text: str) -> tuple[Mention, ...]:
    """Return what a text mentions, in order."""
    bare = bare_code(text)
    if bare and (found := tuple(_read(bare, start=text.index(bare), whole=True, quoted="`" in text))):
        return found
    return (*_in_prose(text),)


def bare_code(text: str) -> str:
    """Return a text without what stands around code: blanks, one pair of backquotes, the full stop."""
    bare = text.strip()
    bare = bare[:-1].rstrip() if bare.endswith(".") and not bare.endswith("..") else bare
    if len(bare) > 1 and bare[0] == bare[-1] == "`":
        bare = bare.strip("`").strip()
    return "" if "`" in bare else bare


def _in_prose(text: str) -> list[Mention]:
    blanked = _FENCE.sub(_blank, text)
    found = [one for span in _SPAN.finditer(blanked) for one in _read(span[2], start=span.start(2), quoted=True)]
    plain = _SPAN.sub(_blank, blanked)
    calls = list(_calls(plain))
    found += calls
    for match in _DOTTED.finditer(plain):
        inside = any(one.start <= match.start() < one.end for one in calls)
        if not inside and not _is_abbreviation(match[0]):
            found.append(Mention(kind="name", name=match[0], text=match[0], start=match.start()))
    return sorted(found, key=lambda one: (one.start, one.name))


def _is_abbreviation(word: str) -> bool:
    return word.lower() in _NO_NAMES or word.rpartition(".")[2].lower() in _FILES


def _blank(match: re.Match[str]) -> str:
    return " " * len(match[0])


def _calls(plain: str) -> Iterator[Mention]:
    """Yield calls that stand in prose: `Runner(app=x)` without backquotes."""
    last = 0
    for match in _OPENING.finditer(plain):
        if match.start() < last or (end := _closing(plain, match.end())) is None:
            continue
        text = plain[match.start() : end]
        if expression_of(text) is not None:
            last = end
            yield from _read(text, start=match.start())


def _closing(text: str, start: int) -> int | None:
    depth = 1
    for place in range(start, min(len(text), start + 1_000)):
        depth += {"(": 1, ")": -1}.get(text[place], 0)
        if depth == 0:
            return place + 1
    return None


def _read(code: str, *, start: int, whole: bool = False, quoted: bool = False) -> Iterator[Mention]:
    """Yield what a piece of code mentions. Statements that are no single name, call, keyword or import: nothing."""
    for kind, name, node in _parts(code.strip()):
        if kind == "name" and name != code.strip().removesuffix(":"):
            continue  # `i.e. nothing` is an attribute to Python
        given = [one for one in _given(node) if one.arg is not None]
        yield Mention(
            kind=kind,
            name=name,
            text=code,
            start=start,
            keywords=tuple(str(one.arg) for one in given),
            values=tuple(ast.unparse(one.value) for one in given),
            positional=len(node.args) if isinstance(node, ast.Call) else 0,
            whole=whole,
            quoted=quoted,
        )


def _given(node: ast.AST) -> list[ast.keyword]:
    if isinstance(node, ast.Call):
        return node.keywords
    return [node] if isinstance(node, ast.keyword) else []


def _parts(code: str) -> Iterator[tuple[Kind, str, ast.AST]]:
    if code.startswith("@"):
        for _, name, node in _parts(code[1:].strip()):
            yield "decorator", name, node
            return
    tree = parsed(code.removesuffix(":"))
    if tree is None or len(tree.body) != 1:
        yield from _keywords(code)
        return
    statement = tree.body[0]
    if isinstance(statement, ast.Import | ast.ImportFrom):
        yield from (("import", path, statement) for path in _imported(statement))
    elif isinstance(statement, ast.Assign):
        yield from _keywords(code)
    elif isinstance(statement, ast.Expr):
        yield from _expression(statement.value)


def _imported(statement: ast.Import | ast.ImportFrom) -> list[str]:
    names = [one.name for one in statement.names]
    if isinstance(statement, ast.Import):
        return names
    if statement.level or not statement.module:
        return []
    return [statement.module if name == "*" else f"{statement.module}.{name}" for name in names]


def _keywords(code: str) -> Iterator[tuple[Kind, str, ast.AST]]:
    """Yield the keywords of `a=1` or `a=1, b=2`: what could stand between the brackets of a call."""
    call = expression_of(f"call({code})") if "=" in code and "\n" not in code else None
    if not isinstance(call, ast.Call) or call.args or dotted(call.func) != "call":
        return
    for one in call.keywords:
        if one.arg is not None:
            yield "keyword", one.arg, one


def _expression(node: ast.expr) -> Iterator[tuple[Kind, str, ast.AST]]:
    awaited = node.value if isinstance(node, ast.Await) else node
    if isinstance(awaited, ast.Call):
        # `a.b().c(x=1)`: what comes back from a call is not known by name.
        if name := dotted(awaited.func):
            yield "call", name, awaited
        for inner in ast.walk(awaited):
            if isinstance(inner, ast.Call) and inner is not awaited and (name := dotted(inner.func)):
                yield "call", name, inner
    elif name := dotted(awaited):
        yield "name", name, awaited


def dotted(node: ast.expr) -> str:
    """Return the dotted name that an expression is, else an empty text."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return ".".join([node.id, *reversed(parts)]) if isinstance(node, ast.Name) else ""
