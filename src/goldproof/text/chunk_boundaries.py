"""Cut a source into pieces by its own structure: paragraphs, headings, Python symbols, code blocks.

Lines end with a line feed, a carriage return or both, and with nothing else: that is how Python counts the lines of a
program, and editors those of a file.

Paragraphs. A paragraph too short to be found by itself (a title, a date) is joined to those after it, until together
they are long enough or would not fit. Wherever a paragraph is long enough a piece ends, so a change of the text moves
the borders around it and no others. A piece is named after its first words.

Headings. A piece is a heading with all that stands below it up to the next heading of any level. What stands before the
first heading is a piece without a path; front matter (`---` or `+++` lines at the very top) one of its own. A line that
looks like a heading inside a fenced block is none. The path of a piece is its heading after those that it stands under.

Python symbols. A class is its header (decorators, bases, docstring, fields: all up to its first method, and what stands
between methods) and its methods, each a piece; inner classes likewise. A function is one piece with its inner
functions. A comment right above a definition belongs to it. Statements of the module stand in pieces of their own: the
beginning of the file (docstring, imports) without a name, later ones named after the first name that they assign, or
their first words. Where the text does not parse there are no symbols: None.

Code blocks. A block that goes on after a blank line goes on indented, or with a closing bracket or word. Blocks without
a definition of their own that are short (imports, a comment above a function) are joined to the block after them. A
piece is named after the function or class that it defines (`goldproof.text.symbols`: by the form of definitions, so it
can be fooled), else after its first words.
"""

from __future__ import annotations

import ast
import re
import warnings
from bisect import bisect_left, bisect_right
from typing import NamedTuple

from goldproof.text.code_blocks import fenced_blocks
from goldproof.text.symbols import enclosing_symbol

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")

_BLANK_LINES = re.compile(r"\s*(?:\r\n|\r|\n)")

_WORD = re.compile(r"\w+")

_NAME_WORDS = 6


class Piece(NamedTuple):
    """Characters `start` to `end`; path: headings or symbols; name: what an id is made of (empty: the file itself)."""

    start: int
    end: int
    kind: str
    path: tuple[str, ...] = ()
    name: str = ""


class TextLine(NamedTuple):
    """One line without its end, and where the next one begins."""

    start: int
    next: int
    text: str


def text_lines(text: str) -> list[TextLine]:
    """Return the lines of a text."""
    return [TextLine(m.start(), m.end(), m[0].rstrip("\r\n")) for m in _LINE.finditer(text)]


class LineNumbers:
    """The line, counted from 1, on which a character stands."""

    def __init__(self, text: str) -> None:
        self._starts = [match.start() for match in _LINE.finditer(text)]

    def __call__(self, at: int) -> int:
        """Return the line of the character at a position."""
        return max(1, bisect_right(self._starts, at))


def trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the span less blank lines before and blanks after; (start, start) where nothing else is left."""
    while end > start and text[end - 1].isspace():
        end -= 1
    blank = _BLANK_LINES.match(text, start, end)
    while blank:
        start = blank.end()
        blank = _BLANK_LINES.match(text, start, end)
    return start, end


def slug(heading: str) -> str:
    """Return the text as an anchor: lower case, words joined by hyphens; "section" where no word is left."""
    kept = re.sub(r"[^\w\-\s]", "", heading.casefold().strip())
    return re.sub(r"\s+", "-", kept).strip("-") or "section"


def first_words(text: str, start: int, end: int) -> str:
    """Return the first words of a span, as a name where it has none of its own."""
    words: list[str] = []
    for match in _WORD.finditer(text, start, end):
        words.append(match[0].casefold())
        if len(words) == _NAME_WORDS:
            break
    return "-".join(words)[:60] or "section"


_BREAK = re.compile(r"(?:\r\n|\r|\n)(?:[^\S\r\n]*(?:\r\n|\r|\n))+")

_SHORT = 8  # a paragraph is short below this part of the size


def paragraph_pieces(text: str, *, size: int) -> tuple[Piece, ...]:
    """Cut text by paragraphs."""
    pieces: list[Piece] = []
    start = 0
    ends = [match.end() for match in _BREAK.finditer(text)]
    bounds = [*ends, len(text)] if not ends or ends[-1] < len(text) else ends
    for index, end in enumerate(bounds):
        following = bounds[index + 1] if index + 1 < len(bounds) else None
        joined = following is not None and end - start < size // _SHORT and following - start <= size
        if not joined and start < end:
            pieces.append(Piece(start, end, "paragraph", (), first_words(text, start, end)))
            start = end
    return tuple(pieces)


_ATX = re.compile(r" {0,3}(#{1,6})(?=[ \t])")

_CLOSING = re.compile(r"(?:^|[ \t])#+$")

_LONGEST = 1000  # a longer line is no heading

_SETEXT = re.compile(r" {0,3}(=+|-{2,})[ \t]*")

_NOT_A_PARAGRAPH = re.compile(r" {0,3}(?:[-*+>|]|\d+[.)]|#|```|~~~)|\s*$|(?: {4}|\t)")

_LINK = re.compile(r"!?\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])")

_OWN_ID = re.compile(r"[ \t]*\{#([\w.:-]+)[^}]*\}[ \t]*$")

_RST_RULE = re.compile(r"([!-/:-@\[-`{-~])\1+[ \t]*")


class _Heading(NamedTuple):
    start: int
    level: int
    text: str
    name: str


def markdown_pieces(text: str) -> tuple[Piece, ...]:
    """Cut Markdown by its headings."""
    lines = text_lines(text)
    body = _front_matter_end(lines)
    begins = lines[body - 1].next if body else 0
    headings = _markdown_headings(text, lines[body:])
    front = (Piece(0, begins, "front matter", (), "front-matter"),) if body else ()
    return (*front, *_sections(headings, begins, len(text)))


def rst_pieces(text: str) -> tuple[Piece, ...]:
    """Cut reStructuredText by its section titles; the order in which kinds of underline appear gives the levels."""
    return _sections(_rst_headings(text_lines(text)), 0, len(text))


def _sections(headings: list[_Heading], begins: int, end: int) -> tuple[Piece, ...]:
    pieces: list[Piece] = []
    above: list[_Heading] = []
    ends = [heading.start for heading in headings[1:]] + [end]
    first = headings[0].start if headings else end
    if first > begins:
        pieces.append(Piece(begins, first, "text"))
    for heading, stop in zip(headings, ends, strict=True) if headings else ():
        above = [h for h in above if h.level < heading.level] + [heading]
        pieces.append(Piece(heading.start, stop, "section", tuple(h.text for h in above), heading.name))
    return tuple(pieces)


def _front_matter_end(lines: list[TextLine]) -> int:
    """Return the number of lines of the front matter, 0 where there is none."""
    if not lines or lines[0].text.rstrip() not in ("---", "+++"):
        return 0
    closing = {lines[0].text.rstrip()} | ({"..."} if lines[0].text.startswith("-") else set())
    return next((i for i, line in enumerate(lines[1:], start=2) if line.text.rstrip() in closing), 0)


def _markdown_headings(text: str, lines: list[TextLine]) -> list[_Heading]:
    fences = [(block.start, block.end) for block in fenced_blocks(text)]
    headings: list[_Heading] = []
    position = 0
    for index, line in enumerate(lines):
        while position < len(fences) and fences[position][1] <= line.start:
            position += 1
        in_fence = position < len(fences) and fences[position][0] <= line.start
        if in_fence or len(line.text) > _LONGEST:
            continue
        heading = _atx(line) or _setext(line, lines[index - 1] if index else None)
        # The line above an underline was looked at as a line of its own, and is no heading by itself.
        if heading:
            headings.append(heading)
    return headings


def _atx(line: TextLine) -> _Heading | None:
    match = _ATX.match(line.text)
    written = _CLOSING.sub("", line.text[match.end() :].strip()).strip() if match else ""
    return _heading(line.start, len(match[1]), written) if match and written else None


def _setext(line: TextLine, above: TextLine | None) -> _Heading | None:
    match = _SETEXT.fullmatch(line.text)
    if match is None or above is None or len(above.text) > _LONGEST or _NOT_A_PARAGRAPH.match(above.text):
        return None
    return _heading(above.start, 1 if match[1][0] == "=" else 2, above.text)


def _heading(start: int, level: int, written: str) -> _Heading:
    written = " ".join(written.split())
    own = _OWN_ID.search(written)
    text = _LINK.sub(r"\1", _OWN_ID.sub("", written)).replace("`", "").strip()
    return _Heading(start, level, text, own[1] if own else slug(text))


def _rst_headings(lines: list[TextLine]) -> list[_Heading]:
    levels: dict[tuple[str, bool], int] = {}
    headings: list[_Heading] = []
    for index in range(1, len(lines)):
        above, line = lines[index - 1], lines[index]
        if not _underlines(line, above):
            continue
        over = index >= 2 and lines[index - 2].text.rstrip() == line.text.rstrip()
        if not over and index >= 2 and lines[index - 2].text.strip() and not _RST_RULE.fullmatch(lines[index - 2].text):
            continue  # the last line of a paragraph
        level = levels.setdefault((line.text[0], over), len(levels) + 1)
        title = above.text.strip()
        headings.append(_Heading(lines[index - 2].start if over else above.start, level, title, slug(title)))
    return headings


def _underlines(line: TextLine, above: TextLine) -> bool:
    if not _RST_RULE.fullmatch(line.text) or not above.text.strip() or _RST_RULE.fullmatch(above.text):
        return False
    # Docutils wants the underline as long as the title; a title of wide characters is shorter than it looks.
    return len(line.text.rstrip()) >= max(3, len(above.text.rstrip()) - 1)


_Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def python_pieces(text: str) -> tuple[Piece, ...] | None:
    """Cut a program by its symbols; None where it does not parse."""
    module = _parsed(text)
    if module is None:
        return None
    return tuple(_Cutter(text, module).pieces(module.body, 0, len(text)))


def _parsed(text: str) -> ast.Module | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # an invalid escape in a user's program is not our warning
            return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


class _Cutter:
    """Cuts the statements of a module or class, whole lines at a time: no two definitions share a line."""

    def __init__(self, text: str, module: ast.Module) -> None:
        self.text = text
        self.lines = text_lines(text)
        # Where the module assigns to a name, and the name: looked up for every piece, so not searched for each time.
        self.assigned = [(self.lines[node.lineno - 1].start, name) for node in module.body if (name := _target(node))]

    def pieces(self, body: list[ast.stmt], start: int, end: int, *, path: tuple[str, ...] = ()) -> list[Piece]:
        """Return the pieces of text from start to end, which hold these statements."""
        pieces: list[Piece] = []
        definitions = [node for node in body if isinstance(node, _Definition)]
        for node in definitions:
            begins = max(start, self._begins(node))
            pieces += self._between(start, begins, path=path)
            start = min(end, self._ends(node))
            pieces += self._definition(node, begins, start, path=path)
        return pieces + self._between(start, end, path=path)

    def _definition(self, node: _Definition, start: int, end: int, *, path: tuple[str, ...]) -> list[Piece]:
        names = (*path, node.name)
        if isinstance(node, ast.ClassDef) and any(isinstance(inner, _Definition) for inner in node.body):
            return self.pieces(node.body, start, end, path=names)
        kind = "class" if isinstance(node, ast.ClassDef) else "method" if path else "function"
        return [Piece(start, end, kind, names, ".".join(names))]

    def _between(self, start: int, end: int, *, path: tuple[str, ...]) -> list[Piece]:
        """Return the text between definitions as one piece: of the module, or of the class around it."""
        if not self.text[start:end].strip():
            return []
        if path:
            return [Piece(start, end, "class", path, ".".join(path))]
        name = "" if start == 0 else self._first_assigned(start, end) or first_words(self.text, start, end)
        return [Piece(start, end, "module", (), name)]

    def _first_assigned(self, start: int, end: int) -> str:
        at = bisect_left(self.assigned, (start,))
        return self.assigned[at][1] if at < len(self.assigned) and self.assigned[at][0] < end else ""

    def _begins(self, node: _Definition) -> int:
        first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)]) - 1
        while first > 0 and self._is_comment(self.lines[first - 1]):
            first -= 1
        return self.lines[first].start

    def _ends(self, node: _Definition) -> int:
        return self.lines[(node.end_lineno or node.lineno) - 1].next

    def _is_comment(self, line: TextLine) -> bool:
        return line.text.lstrip().startswith("#")


def _target(node: ast.stmt) -> str:
    """Return the name that a statement assigns, the first of several; empty where it assigns none."""
    if not isinstance(node, ast.Assign | ast.AnnAssign):
        return ""
    target = node.targets[0] if isinstance(node, ast.Assign) else node.target
    return target.id if isinstance(target, ast.Name) else ""


_GOES_ON = re.compile(r"\s|[)\]}>]|(?:end|else|elif|elsif|fi|done|esac|catch|finally|rescue|ensure)\b")

_SHORT_CODE = 8


def code_pieces(text: str, language: str, *, size: int) -> tuple[Piece, ...]:
    """Cut code by its blocks."""
    pieces: list[Piece] = []
    start = 0
    bounds = [*_block_starts(text), len(text)]
    for index, end in enumerate(bounds):
        symbol = enclosing_symbol(text[start:end], language) if start < end else None
        following = bounds[index + 1] if index + 1 < len(bounds) else None
        short = end - start < size // _SHORT_CODE and following is not None and following - start <= size
        if start == end or (symbol is None and short):
            continue
        if symbol is None:
            pieces.append(Piece(start, end, "block", (), first_words(text, start, end)))
        else:
            pieces.append(Piece(start, end, symbol.kind, (symbol.name,), symbol.name))
        start = end
    return tuple(pieces)


def _block_starts(text: str) -> list[int]:
    """Return where blocks begin, but for the first."""
    starts: list[int] = []
    blank = False
    for line in text_lines(text):
        if not line.text.strip():
            blank = True
            continue
        if blank and line.start and not _GOES_ON.match(line.text):
            starts.append(line.start)
        blank = False
    return starts
