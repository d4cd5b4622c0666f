"""Code as a context: a Markdown fence with its language, and a header that says which file of which repository it is.

    ```python
    # File: src/auth/login.py
    # Repository: example/webapp

    def authenticate(username, password):
    ```

The header is a comment in the language's own syntax with a blank line before the code; in a language without comments
(JSON, plain text) it stands above the fence. What is not known is left out. The code itself is not touched: tabs, line
ends, blank lines at both ends are kept, one line end is put before the closing fence, and the fence is longer than any
run of backticks inside. `read_code_context` takes all of it apart again.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from goldproof.text.languages import comment_of

_BACKTICKS = re.compile(r"`+")
_UNSAFE = re.compile(r"[\x00-\x1f\x7f\x85\u2028\u2029]+")
_LANGUAGE = re.compile(r"[^\w.+#-]")
_FIELDS = {"File": "file_path", "Repository": "repo"}


@dataclass(frozen=True, slots=True)
class CodeContext:
    """A context in Markdown; `text[start:end]` is the code as it was given."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Code:
    """A piece of code and what is known about it; empty where it is not."""

    code: str
    language: str
    file_path: str = ""
    repo: str = ""


def code_context(code: str, *, language: str, file_path: str = "", repo: str = "") -> CodeContext:
    """Return the code in a fence with its header."""
    comment = comment_of(language)
    fields = [(name, _one_line(value)) for name, value in zip(_FIELDS, (file_path, repo), strict=True)]
    lines = [f"{name}: {value}" for name, value in fields if value]
    if comment is not None:
        lines = [_commented(line, opening=comment.opening, closing=comment.closing) for line in lines]
    header = "".join(f"{line}\n" for line in lines) + "\n" if lines else ""
    fence = "`" * max(3, 1 + max(map(len, _BACKTICKS.findall(header + code)), default=0))
    opening = f"{fence}{_LANGUAGE.sub('-', language)}\n"
    before = header + opening if comment is None else opening + header
    return CodeContext(f"{before}{code}\n{fence}", len(before), len(before) + len(code))


def read_code_context(text: str) -> Code | None:
    """Return what `code_context` was given; None for a text that it did not make.

    Code without a header that itself begins with such comment lines is taken to have one.
    """
    fence = text[len(text.rstrip("`")) :]
    # No run of backticks before the closing fence is as long, but for the opening one.
    above, opened, rest = text.removesuffix(fence).partition(fence) if len(fence) >= 3 else ("", "", "")
    language, _, body = rest.partition("\n")
    if not opened or not body.endswith("\n"):
        return None
    comment = comment_of(language)
    if comment is None:
        header, _ = _split_header(above, opening="", closing="")
        return Code(body[:-1], language, **header)
    header, code = _split_header(body[:-1], opening=comment.opening + " ", closing=comment.closing)
    return Code(code, language, **header)


def _one_line(value: str) -> str:
    # A backslash at the end would carry a comment of the C family into the next line.
    return _UNSAFE.sub(" ", value).strip().rstrip("\\")


def _commented(line: str, *, opening: str, closing: str) -> str:
    if not closing:
        return f"{opening} {line}"
    return f"{opening} {line.replace(closing, f'{closing[0]} {closing[1:]}')} {closing}"


def _split_header(text: str, *, opening: str, closing: str) -> tuple[dict[str, str], str]:
    found: dict[str, str] = {}
    rest = text
    for name, key in _FIELDS.items():
        line, end, after = rest.partition("\n")
        prefix = f"{opening}{name}: "
        if end and line.startswith(prefix) and line.endswith(closing):
            found[key] = line.removeprefix(prefix).removesuffix(closing).strip()
            rest = after
    return (found, rest[1:]) if found and rest.startswith("\n") else ({}, text)
