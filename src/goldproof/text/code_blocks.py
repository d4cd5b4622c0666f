"""Fenced code in Markdown: write it with a header, read it back, find and strip blocks.

`code_context` writes

    ```python
    # File: src/auth/login.py
    # Repository: example/webapp

    def authenticate(username, password):
    ```

The header is a comment in the language's own syntax with a blank line before the code; in a language without comments
(JSON, plain text) it stands above the fence. What is not known is left out. The code itself is not touched: tabs, line
ends, blank lines at both ends are kept, one line end is put before the closing fence, and the fence is longer than any
run of backticks inside. `read_code_context` takes it apart again.

A fence is a line of at least three backticks or tildes, however far indented; it is closed by a line with at least as
many of the same and nothing else, or by the end of the text. A line of backticks that has a backtick in what follows
them is inline code, not a fence.
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
    """A piece of code with its language, file and repository; empty where unknown."""

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
    fields: dict[str, str] = {}
    rest = text
    for name, key in _FIELDS.items():
        line, end, after = rest.partition("\n")
        prefix = f"{opening}{name}: "
        if end and line.startswith(prefix) and line.endswith(closing):
            fields[key] = line.removeprefix(prefix).removesuffix(closing).strip()
            rest = after
    return (fields, rest[1:]) if fields and rest.startswith("\n") else ({}, text)


_FENCE = re.compile(r"([ \t]*(?:>[ \t]?)*(?:[-*+] +|\d+[.)] +)?)(`{3,}|~{3,})[ \t]*([^\n]*)")

_QUOTED = re.compile(r"[ \t]*>[ \t]?")

_TAB = 4


@dataclass(frozen=True, slots=True)
class FencedBlock:
    """`code` between two fences; `info` is what follows the opening one ("python", "12:40:src/app.py").

    start, end: the whole block in the text, fences included. margin: what stands before the opening fence: blanks, a
    list's mark, quotation marks.
    """

    info: str
    code: str
    start: int
    end: int
    margin: str = ""

    @property
    def own_code(self) -> str:
        """The code without the indentation or quotation marks that it has for standing in a list or a quotation."""
        depth, width = self.margin.count(">"), _width(self.margin.rpartition(">")[2])
        if not depth and not width:
            return self.code
        return "".join(_without_margin(line, depth, width) for line in self.code.splitlines(keepends=True))


def fenced_blocks(text: str) -> tuple[FencedBlock, ...]:
    """Return the fenced blocks of a text in order."""
    blocks: list[FencedBlock] = []
    opened: re.Match[str] | None = None
    start = code_start = position = 0
    for line in text.splitlines(keepends=True):
        fence = _FENCE.fullmatch(line.rstrip("\r\n"))
        if opened is None and fence and _opens(fence):
            opened, start, code_start = fence, position, position + len(line)
        elif opened is not None and fence and _closes(fence, opened):
            end = position + len(line)
            blocks.append(FencedBlock(opened[3].strip(), text[code_start:position], start, end, margin=opened[1]))
            opened = None
        position += len(line)
    if opened is not None:
        blocks.append(FencedBlock(opened[3].strip(), text[code_start:], start, len(text), margin=opened[1]))
    return tuple(blocks)


def without_fenced_blocks(text: str, *, keep_info: bool = False) -> str:
    """Return the prose around the blocks; with `keep_info` the info of each block stands in its place."""
    parts: list[str] = []
    position = 0
    for block in fenced_blocks(text):
        parts += [text[position : block.start], f"{block.info}\n" if keep_info else "\n"]
        position = block.end
    return "".join([*parts, text[position:]])


def without_html_comments(text: str) -> str:
    """Return the text without `<!-- ... -->`, and without fences in there; in code such a comment stays.

    A comment that is never closed runs to the end.
    """
    kept: list[str] = []
    opened: re.Match[str] | None = None
    hidden = False
    for line in text.splitlines(keepends=True):
        shown = line
        if opened is None:
            shown, hidden = _visible(line, hidden=hidden)
        fence = _FENCE.fullmatch(shown.rstrip("\r\n"))
        if fence and opened is None:
            opened = fence if _opens(fence) else None
        elif fence and opened is not None and _closes(fence, opened):
            opened = None
        kept.append(shown)
    return "".join(kept)


def _visible(line: str, *, hidden: bool) -> tuple[str, bool]:
    """Return what a line shows, and whether a comment goes on after it; hidden: whether it begins in one."""
    parts: list[str] = []
    position = 0
    while True:
        if hidden:
            end = line.find("-->", position)
            if end < 0:
                return "".join(parts), True
            position = end + len("-->")
        start = line.find("<!--", position)
        while start >= 0 and line.count("`", 0, start) % 2:  # inside of inline code
            start = line.find("<!--", start + 1)
        if start < 0:
            return "".join([*parts, line[position:]]), False
        parts.append(line[position:start])
        position, hidden = start + len("<!--"), True


def _opens(fence: re.Match[str]) -> bool:
    return not (fence[2][0] == "`" and "`" in fence[3])


def _closes(fence: re.Match[str], opened: re.Match[str]) -> bool:
    return fence[2][0] == opened[2][0] and len(fence[2]) >= len(opened[2]) and not fence[3].strip()


def _width(margin: str) -> int:
    return sum(_TAB if mark == "\t" else 1 for mark in margin)


def _without_margin(line: str, depth: int, width: int) -> str:
    """Cut quotation marks up to a depth, then blanks up to a width; never anything else."""
    for _ in range(depth):
        line = _QUOTED.sub("", line, count=1) if _QUOTED.match(line) else line
    while width > 0 and line[:1] in (" ", "\t"):
        width -= _width(line[0])
        line = line[1:]
    return line
