"""The function or class that a snippet defines: the first at its outermost level.

Python is parsed; a fragment that does not parse, and every other language, is read by the form of its definitions. A
comment or a string can look like a definition there, so this is metadata, never a score.
"""

from __future__ import annotations

import ast
import re
import textwrap
import warnings
from dataclasses import dataclass
from typing import Literal

SymbolKind = Literal["function", "class"]

_LOOKED_AT = 20_000
_MODIFIERS = (
    r"(?:(?:export|default|public|private|protected|internal|static|final|abstract|async|override|open|sealed|virtual"
    r"|inline|data|pub(?:\(\w+\))?|unsafe|suspend|case)\s+)*"
)
_CALLABLE = r"(?!(?:if|for|while|switch|return|else|catch|new|throw|do|await|sizeof|using|lock)\b)"
_BODY = r"\s*\([^;{}]{0,2000}\)[^;{}()]{0,500}\{"
_TYPED_FUNCTION = (
    rf"{_MODIFIERS}{_CALLABLE}[\w:<>\[\],.*&? ]{{0,200}}?[\w>\]*&]\s+[*&]*{_CALLABLE}(?P<function>~?[\w:]+){_BODY}"
)
_TYPES = rf"{_MODIFIERS}(?:class|interface|enum(?:\s+class)?|struct|record|trait|object)\s+(?P<type>\w+)"
_SCRIPT_FUNCTION = (
    r"function\s*\*?\s*(?P<function>[\w$]+)"
    r"|(?:const|let|var)\s+(?P<arrow>[\w$]+)\s*(?::[^=\n]+)?=\s*(?:async\s*)?(?:\([^)]{0,2000}\)[^=\n]*|[\w$]+)\s*=>"
)
_METHOD = rf"{_CALLABLE}(?P<method>[\w$#]+){_BODY}"

_FORMS = {
    "python": r"(?:async\s+)?def\s+(?P<function>\w+)|class\s+(?P<type>\w+)",
    "ruby": r"def\s+(?P<function>[\w.?!=]+)|(?:class|module)\s+(?P<type>[\w:]+)",
    "go": r"func\s+(?:\([^)]*\)\s*)?(?P<function>\w+)|type\s+(?P<type>\w+)\s+(?:struct|interface)",
    "rust": rf"{_MODIFIERS}(?:const\s+)?fn\s+(?P<function>\w+)|{_MODIFIERS}(?:struct|enum|trait)\s+(?P<type>\w+)"
    r"|impl(?:<[^>]*>)?\s+(?:[\w:<>]+\s+for\s+)?(?P<impl>\w+)",
    "javascript": rf"{_MODIFIERS}(?:{_SCRIPT_FUNCTION})|{_TYPES}|{_MODIFIERS}{_METHOD}",
    "kotlin": rf"{_MODIFIERS}fun\s+(?:<[^>]*>\s*)?(?:\w+\.)?(?P<function>\w+)|{_TYPES}",
    "swift": rf"{_MODIFIERS}func\s+(?P<function>\w+)|{_TYPES}|extension\s+(?P<impl>\w+)",
    "scala": rf"{_MODIFIERS}def\s+(?P<function>\w+)|{_TYPES}",
    "php": rf"{_MODIFIERS}function\s+&?(?P<function>\w+)|{_TYPES}",
    "java": rf"{_TYPES}|{_TYPED_FUNCTION}",
    "bash": r"(?:function\s+(?P<function>[\w:-]+)|(?P<method>[\w:-]+)\s*\(\)\s*\{)",
}  # fmt: skip
_SAME_FORMS = {
    "typescript": "javascript", "tsx": "javascript", "c": "java", "cpp": "java", "csharp": "java", "cuda": "java",
    "dart": "java", "groovy": "java", "cython": "python",
}  # fmt: skip
_PATTERNS = {language: re.compile(rf"^(?P<indent>[ \t]*)(?:{form})", re.MULTILINE) for language, form in _FORMS.items()}
_CLASSES = ("type", "impl")


@dataclass(frozen=True, slots=True)
class Symbol:
    """A function (or method) or a class (or another type) by its name."""

    name: str
    kind: SymbolKind


def enclosing_symbol(code: str, language: str) -> Symbol | None:
    """Return the first outermost function or class that the snippet defines, None where there is none."""
    head = code[:_LOOKED_AT].replace("\r\n", "\n")
    if language == "python":
        parsed = _parsed(head)
        if parsed is not None:
            return _first_defined(parsed)
    return _by_form(head, language)


def _parsed(code: str) -> ast.Module | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # an invalid escape in somebody's snippet is not our warning
            return ast.parse(textwrap.dedent(code))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _first_defined(module: ast.Module) -> Symbol | None:
    for node in module.body:
        if isinstance(node, ast.ClassDef):
            return Symbol(node.name, "class")
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            return Symbol(node.name, "function")
    return None


def _by_form(code: str, language: str) -> Symbol | None:
    pattern = _PATTERNS.get(_SAME_FORMS.get(language, language))
    definitions = list(pattern.finditer(code)) if pattern else []
    if not definitions:
        return None
    first = min(definitions, key=lambda match: (len(match["indent"].expandtabs(4)), match.start()))
    names = {group: name for group, name in first.groupdict().items() if name and group != "indent"}
    group, name = next(iter(names.items()))
    return Symbol(name, "class" if group in _CLASSES else "function")
