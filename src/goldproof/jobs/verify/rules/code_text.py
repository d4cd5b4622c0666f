"""Find code in prose: fenced blocks, code spans, and texts that are code as a whole.

A span stands between backquotes, one or more; a fenced block on one line (YAML folds lines) is a span too, without the
name of its language. Python is what has no other language named and can be parsed.
"""

from __future__ import annotations

import ast
import re
import textwrap
import warnings
from dataclasses import dataclass
from typing import Final

from goldproof.text.code_blocks import fenced_blocks, without_fenced_blocks

_SPAN: Final = re.compile(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)", re.DOTALL)
_PYTHON: Final = ("", "py", "python", "python3", "pycon", "python-repl", "pytb", "ipython")
_LANGUAGE: Final = re.compile(
    r"(python3?|py|pycon|yaml|json|bash|sh|shell|toml|text|console|xml|html)\s+", re.IGNORECASE
)
_PROMPT: Final = re.compile(r"^(?:>>>|\.\.\.) ?")
_WORDS_ONLY: Final = re.compile(r"[\w.\s]*")


@dataclass(frozen=True, slots=True)
class Masked:
    """A text whose code spans are cut out: `mark` stands for each of `spans`, in order."""

    text: str
    spans: tuple[str, ...]


def python_blocks(text: str) -> tuple[str, ...]:
    """Return the fenced blocks of a text that can be Python, moved to the left."""
    blocks = [block for block in fenced_blocks(text) if block.info.split(" ")[0].lower() in _PYTHON]
    return tuple(_typed(textwrap.dedent(block.code)).strip("\n") for block in blocks if block.code.strip())


def prose_of(text: str) -> str:
    """Return a text without its fenced blocks."""
    return without_fenced_blocks(text)


def spans_of(text: str) -> tuple[str, ...]:
    """Return what stands between backquotes in a text without fenced blocks, in order."""
    return tuple(_inside(found) for found in _SPAN.finditer(text))


def masked(text: str, *, mark: str) -> Masked:
    """Return a text with `mark` in place of each code span."""
    spans = spans_of(text)
    return Masked(_SPAN.sub(lambda _: mark, text), spans)


def parsed(code: str) -> ast.Module | None:
    """Return the tree of some code, None where it is not Python."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a doubtful escape in a snippet is not ours
            return ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def expression_of(code: str) -> ast.expr | None:
    """Return the tree of a single expression, None where it is none."""
    tree = parsed(code.strip())
    if tree is None or len(tree.body) != 1 or not isinstance(tree.body[0], ast.Expr):
        return None
    return tree.body[0].value


def whole_code(text: str) -> str | None:
    """Return the code that a text consists of: one fenced block, one span, or bare code; else None.

    Bare words, names and numbers are no code: something must be imported, called, assigned or defined.
    """
    blocks = python_blocks(text)
    if blocks:
        return blocks[0] if len(blocks) == 1 and not prose_of(text).strip(" \t\n.:") else None
    only = _SPAN.fullmatch(text.strip().rstrip(".").strip())
    code = _inside(only) if only else textwrap.dedent(text).strip()
    if "`" in code or (only is None and _WORDS_ONLY.fullmatch(code) and not code.startswith(("import ", "from "))):
        return None
    tree = parsed(code)
    return code if tree is not None and does_something(tree) else None


def does_something(tree: ast.Module) -> bool:
    """Say whether running it can show anything: it imports, calls, assigns, defines, awaits or looks something up."""
    doing = (ast.Import, ast.ImportFrom, ast.Call, ast.Assign, ast.AnnAssign, ast.AugAssign, ast.With, ast.Raise,
             ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Await, ast.Subscript, ast.Delete)  # fmt: skip
    return any(isinstance(node, doing) for node in ast.walk(tree))


def _inside(found: re.Match[str]) -> str:
    inside = found[2].strip()
    language = _LANGUAGE.match(inside) if len(found[1]) >= 3 else None
    return inside[language.end() :].strip() if language else inside


def _typed(code: str) -> str:
    """Return what was typed in a session at a prompt, without prompts and answers; other code as it is."""
    lines = code.split("\n")
    if not any(line.startswith(">>>") for line in lines):
        return code
    return "\n".join(_PROMPT.sub("", line) for line in lines if _PROMPT.match(line))
