"""Readable text of an HTML page, written as Markdown so that it can be cut by its headings.

Kept are headings (`# ...`), paragraphs, lists (`- `), tables (a row a line, cells between bars), preformatted text
(fenced) and the words of all else, entities resolved. Dropped are scripts, styles, templates, the head but for the
title, and comments. The title of the page stands on top unless the page has a heading of the first level. Broken HTML
is read as far as it goes: nothing here depends on tags being closed.
"""

from __future__ import annotations

import re
from html.parser import HTMLParser

_DROPPED = frozenset({"script", "style", "template", "noscript", "svg", "math", "iframe", "object", "canvas"})
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_BLOCKS = frozenset(
    {
        *("p", "div", "section", "article", "header", "footer", "main", "aside", "nav", "ul", "ol", "dl", "table"),
        *("blockquote", "figure", "figcaption", "form", "fieldset", "address", "details", "summary", "hr", "body"),
    }
)
_LINES = frozenset({"br", "dt", "dd", "caption", "option", "legend"})
_BLANKS = re.compile(r"[ \t\r\n\f]+")
_LOOKS_LIKE_MARKUP = re.compile(r"#{1,6}(?:\s|$)|```|~~~|=+\s*$|-{2,}\s*$")


def readable_text(html: str) -> str:
    """Return the readable text of a page; empty where there is none."""
    page = _Page()
    page.feed(html)
    page.close()
    return page.text()


class _Page(HTMLParser):
    """Collects finished lines; `_line` is the current one."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self._lines: list[str] = []
        self._line: list[str] = []
        self._prefix = ""
        self._dropped = ""
        self._depth = 0
        self._title: list[str] | None = None
        self._page_title = ""
        self._pre: list[str] | None = None
        self._cells: list[str] | None = None
        self._in_cell = False
        self._has_h1 = False

    def text(self) -> str:
        """Return the readable text of the page."""
        self._end_pre()
        self._end_row()
        self._end_line()
        body = re.sub(r"\n{3,}", "\n\n", "\n".join(self._lines)).strip("\n")
        title = self._page_title
        return f"# {title}\n\n{body}\n" if title and not self._has_h1 else f"{body}\n" if body else ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Begin a tag."""
        del attrs
        if self._title is not None:  # never closed
            self.handle_endtag("title")
        if self._dropped:
            self._depth += tag == self._dropped
        elif tag in _DROPPED:
            self._dropped, self._depth = tag, 1
        elif tag == "title" and not self._page_title:
            self._title = []
        elif self._pre is not None:
            if tag == "br":
                self._pre.append("\n")
        else:
            self._begin(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Read a tag that is closed at once: `<br/>` is one, and so is `<script src=... />` in XHTML."""
        if tag not in _DROPPED:
            self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        """End a tag."""
        if self._dropped:
            self._depth -= tag == self._dropped
            self._dropped = self._dropped if self._depth > 0 else ""
        elif tag == "title" and self._title is not None:
            self._page_title, self._title = _one_line(self._title), None
        elif self._pre is not None:
            if tag == "pre":
                self._end_pre()
        else:
            self._end(tag)

    def handle_data(self, data: str) -> None:
        """Read text."""
        if self._dropped:
            return
        if self._title is not None:
            self._title.append(data)
        elif self._pre is not None:
            self._pre.append(data)
        else:
            self._line.append(data)

    def _begin(self, tag: str) -> None:
        if tag == "pre":
            self._break()
            self._pre = []
        elif tag in _HEADINGS and self._cells is None:
            self._break()
            self._prefix = "#" * _HEADINGS[tag] + " "
            self._has_h1 = self._has_h1 or tag == "h1"
        elif tag == "li" and self._cells is None:
            self._end_line()
            self._prefix = "- "
        elif tag == "tr":
            self._end_row()
            self._end_line()
            self._cells = []
        elif tag in ("td", "th") and self._cells is not None:
            self._end_cell()
            self._in_cell = True
        else:
            self._plain_break(tag)

    def _end(self, tag: str) -> None:
        if tag in _HEADINGS and self._cells is None:
            self._break()
        elif tag in ("td", "th"):
            self._end_cell()
        elif tag in ("tr", "table", "tbody", "thead"):
            self._end_row()
            if tag == "table":
                self._break()
        elif tag == "li":
            self._end_line()
        else:
            self._plain_break(tag)

    def _plain_break(self, tag: str) -> None:
        """Break the line or the paragraph; within a table a cell stays on its line."""
        if self._cells is not None:
            if tag in _BLOCKS or tag in _LINES:
                self._line.append(" ")
        elif tag in _BLOCKS:
            # A paragraph right inside a list item goes on after its mark.
            if self._prefix != "- " or _one_line(self._line):
                self._break()
        elif tag in _LINES:
            self._end_line()

    def _break(self) -> None:
        self._end_line()
        self._lines.append("")

    def _end_line(self) -> None:
        words, self._line = _one_line(self._line), []
        prefix, self._prefix = self._prefix, ""
        if words:
            escape = "\\" if not prefix and _LOOKS_LIKE_MARKUP.match(words) else ""
            self._lines.append(prefix + escape + words)

    def _end_cell(self) -> None:
        if self._cells is None:
            return
        words, self._line = _one_line(self._line), []
        if words or self._in_cell:
            self._cells.append(words)
        self._in_cell = False

    def _end_row(self) -> None:
        if self._cells is None:
            return
        self._end_cell()
        cells, self._cells = self._cells, None
        if any(cells):
            self._lines.append("| " + " | ".join(cells) + " |")

    def _end_pre(self) -> None:
        if self._pre is None:
            return
        code, self._pre = "".join(self._pre).replace("\r\n", "\n").strip("\n"), None
        if code.strip():
            longest = max((len(ticks) for ticks in re.findall("`+", code)), default=0)
            fence = "`" * max(3, longest + 1)
            self._lines += [fence, *code.split("\n"), fence, ""]


def _one_line(parts: list[str]) -> str:
    return _BLANKS.sub(" ", "".join(parts)).strip(" ")
