"""Parse an option's text: the value it stands for, as Python source, or the type it names.

`{'a': 1}`, "The value 3.", "an empty list", "True" are values; "a `dict`", "An instance of `Loader`", "string" are
types. Text without quotes is not a string: where it is printed or returned as text, `bare_text` says how it reads.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from typing import Final

from goldproof.jobs.verify.rules.code_text import expression_of, python_blocks

_SPAN: Final = re.compile(r"`+([^`]+)`+")
_LEADING: Final = re.compile(
    r"(?:it |this |the code |the call |the function |the expression )?(?:will |would )?(?:always )?"
    r"(?:(?:returns?|evaluates? to|yields?|gives?|produces?|equals?|is|be|becomes?|results? in|contains?)\s+)?"
    r"(?:(?:the|a|an) )?(?:(?:value|result|integer|int|float|string|str|boolean|bool|list|dictionary|dict|tuple|set"
    r"|number|literal|return value)\s+(?:is |of |will be |would be )?)?",
    re.IGNORECASE,
)
_EMPTY: Final = {
    "list": "[]", "dict": "{}", "dictionary": "{}", "tuple": "()", "string": "''", "str": "''", "set": "set()",
    "bytes": "b''",
}  # fmt: skip
_EMPTY_WORDS: Final = re.compile(
    r"(?:an? |the )?empty (list|dict|dictionary|tuple|string|str|set|bytes)(?: \(`?[^)]*`?\))?", re.IGNORECASE
)
_NAMED: Final = {"true": "True", "false": "False", "none": "None", "null": "None"}
_TYPES: Final = {
    "string": "str", "strings": "str", "integer": "int", "boolean": "bool", "dictionary": "dict", "list": "list",
    "tuple": "tuple", "set": "set", "frozenset": "frozenset", "float": "float", "int": "int", "str": "str",
    "bool": "bool", "dict": "dict", "bytes": "bytes", "complex": "complex", "generator": "generator",
    "nonetype": "NoneType", "coroutine": "coroutine", "iterator": "Iterator", "bytearray": "bytearray",
}  # fmt: skip
_TYPE_WORDS: Final = re.compile(
    r"(?:it |this |the (?:code|call|function|method|expression) )?(?:(?:returns?|is|yields?|gives|produces|will be"
    r"|will return)\s+)?"
    r"(?:always )?(?:an? |the )?(?:(?:new |python |plain )?)(?:(?:instance|object|value"
    r"|subclass instance) of (?:the )?(?:class |type )?)?"
    r"`?(?:<class ')?(?P<name>[A-Za-z_][\w.]*)(?:'>)?`?(?: (?:object|instance|type|class|value))?",
    re.IGNORECASE,
)
_LONGEST: Final = 200  # characters of a text that names a type
_QUOTES: Final = {'"': '"', "'": "'", "\u201c": "\u201d", "\u2018": "\u2019"}


@dataclass(frozen=True, slots=True)
class Literal:
    """A value as Python source. sure: it was written as code; else in words."""

    source: str
    sure: bool = True


def read_literal(text: str) -> Literal | None:
    """Return the value that a text stands for, None where it is none."""
    bare = _tidy(text)
    empty = _EMPTY_WORDS.fullmatch(bare) or _EMPTY_WORDS.fullmatch(_LEADING.sub("", bare, count=1))
    if empty:
        return Literal(_EMPTY[empty[1].lower()], sure=False)
    for form in dict.fromkeys((bare, _LEADING.sub("", bare, count=1).strip())):
        source = _source(_without_backquotes(form))
        if source is not None:
            return Literal(source)
    return None


def read_type(text: str) -> str | None:
    """Return the name of the type that a text consists of, None where it says something else."""
    found = _TYPE_WORDS.fullmatch(_tidy(text)) if len(text) <= _LONGEST else None
    if found is None:
        return None
    name = found["name"]
    if name.lower() in _TYPES and name.lower() == name.lower().rpartition(".")[2]:
        return _TYPES[name.lower()]
    return name if name[:1].isupper() or "." in name or name.rpartition(".")[2][:1].isupper() else None


def bare_text(text: str) -> str:
    """Return how a text reads without the marks around it: backquotes, a fence, one pair of quotation marks."""
    blocks = python_blocks(text)
    if len(blocks) == 1:
        return blocks[0]
    inside = written_text(text)
    closing = _QUOTES.get(inside[:1])
    quoted = closing is not None and len(inside) > 1 and inside.endswith(closing) and closing not in inside[1:-1]
    return inside[1:-1] if quoted else inside


def written_text(text: str) -> str:
    """Return how a text reads without backquotes or a fence, with the quotation marks that are in it."""
    blocks = python_blocks(text)
    return blocks[0] if len(blocks) == 1 else _without_backquotes(text.strip())


def _tidy(text: str) -> str:
    blocks = python_blocks(text)
    if len(blocks) == 1:
        return blocks[0].strip()
    bare = " ".join(text.split()) if "\n" not in text.strip() else text.strip()
    # A full stop ends the sentence, not the number.
    return bare[:-1].rstrip() if bare.endswith(".") and not bare.endswith("...") else bare


def _without_backquotes(text: str) -> str:
    found = _SPAN.fullmatch(text)
    return found[1].strip() if found else text


def _source(text: str) -> str | None:
    """Return the source of a literal, written as Python writes it; None where the text is none."""
    if text.lower() in _NAMED and (text.istitle() or text.islower()):
        return _NAMED[text.lower()]
    if text == "set()":
        return text
    tree = expression_of(text) if text else None
    if tree is None:
        return None
    try:
        value = ast.literal_eval(tree)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return None
    return None if value is Ellipsis else repr(value)
