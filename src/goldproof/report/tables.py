"""Tables, rendered as text, Markdown, LaTeX, CSV or HTML.

render(table, "markdown")
"""

from __future__ import annotations

import csv
import html
import io
import re
import unicodedata
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import TYPE_CHECKING, Literal

from goldproof.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


Align = Literal["left", "right"]
_GAP = "  "
_UNPRINTABLE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
_TAG = re.compile(r"<(?=[A-Za-z/!?])(?!/?sup>)")  # superscripts are ours
_NARROWEST = 12  # columns of a terminal that a wrapped text keeps
_LATEX = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "&": r"\&",
        "%": r"\%",
        "$": r"\$",
        "#": r"\#",
        "_": r"\_",
        "{": r"\{",
        "}": r"\}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "|": r"\textbar{}",
        "–": "--",
        "−": "$-$",
        "±": r"$\pm$",
    }
)


@dataclass(frozen=True, slots=True)
class Heading:
    """A column's name and alignment."""

    name: str
    align: Align = "right"


@dataclass(frozen=True, slots=True)
class Table:
    """Headings and rows of text, with notes below."""

    headings: tuple[Heading, ...]
    rows: tuple[tuple[str, ...], ...]
    title: str = ""
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for number, row in enumerate(self.rows, start=1):
            if len(row) != len(self.headings):
                raise InputError(f"table row {number} has {len(row)} cells, expected {len(self.headings)}.")

    def without_empty_columns(self) -> Table:
        """Leave out the columns that are empty in every row."""
        keep = [i for i in range(len(self.headings)) if any(row[i] for row in self.rows)]
        return Table(
            headings=tuple(self.headings[i] for i in keep),
            rows=tuple(tuple(row[i] for i in keep) for row in self.rows),
            title=self.title,
            notes=self.notes,
        )


def render(table: Table, style: str = "table", *, width: int | None = None) -> str:
    """Write a table in the named style; the text ends with a line break.

    width: how many columns of a terminal a text table may take; texts in its cells are wrapped to fit, numbers never.
    """
    check_style(style)
    return as_text(table, width=width) if style == "table" else STYLES[style](table)


def check_style(style: str, *, also: Sequence[str] = ()) -> None:
    """Refuse an unknown style before any work is done for it. also: styles that a result of its own kind has."""
    if style not in (*STYLES, *also):
        raise UnknownNameError("format", style, (*STYLES, *also))


def text_width(table: Table) -> int:
    """Return how many columns of a terminal a table takes."""
    widths = _widths(table)
    return sum(widths) + len(_GAP) * (len(widths) - 1)


def _widths(table: Table) -> list[int]:
    names = tuple(heading.name for heading in table.headings)
    return [max(_width(cell) for cell in column) for column in zip(names, *table.rows, strict=True)]


def _fitted_widths(table: Table, width: int | None) -> list[int]:
    """Return the widths of columns, the widest texts narrowed until the table fits."""
    widths = _widths(table)
    texts = [i for i, heading in enumerate(table.headings) if heading.align == "left"]
    excess = 0 if width is None else text_width(table) - width
    while excess > 0 and texts and max(widths[i] for i in texts) > _NARROWEST:
        widths[max(texts, key=lambda i: widths[i])] -= 1
        excess -= 1
    return widths


def _wrapped(row: Sequence[str], widths: Sequence[int]) -> list[tuple[str, ...]]:
    """Return the lines of a row: one, unless a text is wider than its column."""
    cells = [_lines(" ".join(cell.splitlines()), width) for cell, width in zip(row, widths, strict=True)]
    return list(zip_longest(*cells, fillvalue=""))


def _lines(text: str, width: int) -> list[str]:
    """Break a text between words, or within one that is too wide, so that no line takes more columns than it may."""
    lines = [""]
    for word in text.split(" ") if _width(text) > width else [text]:
        joined = f"{lines[-1]} {word}" if lines[-1] else word
        if _width(joined) <= width:
            lines[-1] = joined
            continue
        lines += [word] if lines[-1] else []
        while _width(lines[-1] or word) > width:
            rest = lines[-1] or word
            cut = next(i for i in range(len(rest), 0, -1) if _width(rest[:i]) <= width or i == 1)
            lines[-1:] = [rest[:cut], rest[cut:]]
    return lines


def as_text(table: Table, *, width: int | None = None) -> str:
    """Write columns of equal width, for a terminal."""
    table = replace(table, rows=tuple(tuple(map(printable, row)) for row in table.rows))
    names = tuple(printable(heading.name) for heading in table.headings)
    widths = _fitted_widths(table, width)
    rule = tuple("─" * width for width in widths)
    rows = [line for row in (names, rule, *table.rows) for line in _wrapped(row, widths)]
    lines = [_padded(row, table.headings, widths) for row in rows]
    title = [printable(table.title)] if table.title else []
    return "\n".join([*title, *lines, *map(printable, table.notes)]) + "\n"


def as_markdown(table: Table) -> str:
    """Write a pipe table; pipes and line breaks in cells are escaped."""
    rule = ["---:" if heading.align == "right" else "---" for heading in table.headings]
    rows = [[heading.name for heading in table.headings], *table.rows]
    lines = ["| " + " | ".join(_markdown_cell(cell) for cell in row) + " |" for row in rows]
    lines.insert(1, "| " + " | ".join(rule) + " |")
    title = [f"### {table.title}", ""] if table.title else []
    notes = ["", *(f"- {note}" for note in table.notes)] if table.notes else []
    return "\n".join([*title, *lines, *notes]) + "\n"


def as_latex(table: Table) -> str:
    """Write a booktabs tabular."""
    columns = "".join("r" if heading.align == "right" else "l" for heading in table.headings)
    lines = [rf"\begin{{tabular}}{{{columns}}}", r"\toprule", _latex_row([h.name for h in table.headings]), r"\midrule"]
    lines += [_latex_row(row) for row in table.rows]
    lines += [r"\bottomrule", r"\end{tabular}"]
    title = [f"% {table.title}"] if table.title else []
    return "\n".join([*title, *lines, *(f"% {note}" for note in table.notes)]) + "\n"


def as_csv(table: Table) -> str:
    """Write headings and rows only: notes would break a reader."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(heading.name for heading in table.headings)
    writer.writerows(table.rows)
    return out.getvalue()


def as_html(table: Table) -> str:
    """Write a plain HTML table, as notebooks show it."""
    head = "".join(_html_cell("th", heading.name, heading) for heading in table.headings)
    body = "\n".join(
        "<tr>" + "".join(_html_cell("td", c, h) for c, h in zip(row, table.headings, strict=True)) + "</tr>"
        for row in table.rows
    )
    title = f"<caption>{html.escape(table.title)}</caption>\n" if table.title else ""
    notes = "".join(f"<p>{html.escape(note)}</p>\n" for note in table.notes)
    return f"<table>\n{title}<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table>\n{notes}"


STYLES: dict[str, Callable[[Table], str]] = {
    "table": as_text,
    "markdown": as_markdown,
    "latex": as_latex,
    "csv": as_csv,
    "html": as_html,
}


def printable(text: str) -> str:
    """Replace control characters and changes of direction, which a terminal would obey; line breaks stay."""
    return _UNPRINTABLE.sub("\N{REPLACEMENT CHARACTER}", text)


def _width(text: str) -> int:
    # East Asian wide characters take two cells of a terminal, combining marks none.
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def _padded(row: Sequence[str], headings: Sequence[Heading], widths: Sequence[int]) -> str:
    cells = []
    for cell, heading, width in zip(row, headings, widths, strict=True):
        blanks = " " * max(0, width - _width(cell))
        cells.append(blanks + cell if heading.align == "right" else cell + blanks)
    return _GAP.join(cells).rstrip()


def markdown_text(text: str) -> str:
    """Escape HTML in names that a user chose, and put the text on one line."""
    return _TAG.sub("&lt;", " ".join(text.splitlines()))


def _markdown_cell(cell: str) -> str:
    escaped = _TAG.sub("&lt;", cell.replace("\\", "\\\\").replace("|", "\\|"))
    return escaped.replace("\r\n", "<br>").replace("\n", "<br>")


def latex_text(text: str) -> str:
    """Escape what LaTeX would read as a command."""
    return text.translate(_LATEX)


def _latex_row(cells: Sequence[str]) -> str:
    # A [ or * at the beginning of a row would belong to the \\ of the row before.
    guard = "{}" if cells and cells[0][:1] in ("[", "*") else ""
    return guard + " & ".join(map(latex_text, cells)) + r" \\"


def _html_cell(tag: str, text: str, heading: Heading) -> str:
    return f'<{tag} style="text-align: {heading.align}">{html.escape(text)}</{tag}>'
