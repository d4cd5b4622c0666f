"""Identifiers that a question names: of code (a class, a function, an exception), and of logs (addresses, blocks).

The kind is the noun beside it ("the TerminalWriter class", "the method get_host", "merge_cookies()") or the shape of
the word itself; an identifier of no clear kind is not one.
"""

from __future__ import annotations

import builtins
import re
from dataclasses import dataclass
from functools import lru_cache

_CAMEL = r"[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]*)+|[A-Z]{2,}[a-z]\w*|[a-z]+(?:[A-Z][a-z0-9]+)+"
_SNAKE = r"_*[a-zA-Z][a-zA-Z0-9]*(?:_[a-zA-Z0-9]+)+_*|__\w+__"
_DOTTED = rf"(?:{_CAMEL}|{_SNAKE}|[a-z]+)(?:\.(?:{_CAMEL}|{_SNAKE}|[a-z]+))+"
_WORD = re.compile(
    rf"`(?P<quoted>[^`\s]+)`|(?<![\w.`/])(?P<plain>{_DOTTED}|{_CAMEL}|{_SNAKE})(?P<call>\(\))?(?![\w`/])"
)
_LOGGED = re.compile(
    r"(?P<ip>(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?![\w.]))|(?P<block>\bblk_-?\d+)"
    r"|\b(?P<noun>[a-z]{3,}) #?(?P<number>\d{3,})\b(?!\s?(?:seconds|ms|bytes|GiB|MB|times)\b)"
    r"|\b(?:user|host|node) (?P<named>(?!in\b|on\b|at\b)[a-z][\w.-]*\b)|\b(?P<host>[a-z]+-[a-z]*\d+)\b"
)
_FILE = re.compile(r"\.(?:sh|py|js|ts|json|ya?ml|toml|go|rs|rb|java|c|cpp|h|md|cfg|ini|txt)$")
_NOUNS = "class|function|method|fixture|exception|decorator|attribute|parameter|argument|module|helper"
_AFTER = re.compile(rf"^`?(?:\(\))?(?:'s)? (?:({_NOUNS})\b)")
_BEFORE = re.compile(rf"\b({_NOUNS}) `?$")


@dataclass(frozen=True, slots=True)
class Identifier:
    """An identifier of a question, its place (quotes and call brackets not included), and its kind."""

    start: int
    end: int
    text: str
    kind: str


@lru_cache(maxsize=256)
def log_identifiers(question: str) -> tuple[Identifier, ...]:
    """Return what a question about logs names: addresses, blocks, hosts ("web-2"), users and numbered things."""
    found = ((match, match.lastgroup or "") for match in _LOGGED.finditer(question))
    return tuple(
        Identifier(*match.span(kind), match[kind], f"identifier:{_logged_kind(match)}") for match, kind in found
    )


def _logged_kind(match: re.Match[str]) -> str:
    """A number is of the kind that the noun before it says."""
    return f"{match['noun'].casefold()} number" if match["noun"] else match.lastgroup or ""


@lru_cache(maxsize=256)
def identifiers(question: str) -> tuple[Identifier, ...]:
    """Return the identifiers of a question about code in order."""
    return tuple(_identifier(question, match) for match in _WORD.finditer(question))


def _identifier(question: str, match: re.Match[str]) -> Identifier:
    group = "quoted" if match["quoted"] is not None else "plain"
    start, end = match.span(group)
    kind = _kind(question, match, group)
    test = " of tests" if match[group].casefold().lstrip("_").startswith("test") else ""
    return Identifier(start, end, match[group], f"identifier:{kind}{test}")


def _kind(question: str, match: re.Match[str], group: str) -> str:
    if hasattr(builtins, match[group]):
        return "unclear"
    start, end = match.span(group)
    beside = _AFTER.search(question[end:]) or _BEFORE.search(question[:start])
    if beside:
        return beside[1]
    if match[group].endswith(("Error", "Exception", "Warning")):
        return "exception"
    if match["call"] or match[group].endswith("()"):
        return "call"
    return _shape(match[group])


def _shape(text: str) -> str:
    """Without a noun beside it, a name may stand where another of its shape stood."""
    if re.fullmatch(_CAMEL, text) and text[0].isupper():
        return "class"
    if _FILE.search(text):
        return "file"
    if re.fullmatch(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+", text):
        return "dotted"
    return "snake" if re.fullmatch(_SNAKE, text) else "unclear"
