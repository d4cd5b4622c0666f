"""`JobResult`: what a job hands back. It prints its conclusion, tables and notes, and saves itself as a folder."""

from __future__ import annotations

import html
import textwrap
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from goldproof.errors import counted
from goldproof.io import write_json
from goldproof.io.storage.cards import machine_facts
from goldproof.io.storage.output_folder import writing_to
from goldproof.report.tables import markdown_text, printable, render

if TYPE_CHECKING:
    from collections.abc import Sequence

    import polars as pl

    from goldproof.io import OutputFolder
    from goldproof.records.entities import Card
    from goldproof.report.tables import Table

RUN_FACTS = "run.json"

Writer: TypeAlias = Callable[[Path], Mapping[str, str]]
"""Writes files below the folder it is given; returns the sha256 of those that the card lists, by name."""


NoteKind = Literal["limits", "data", "method"]
NOTE_KINDS: Mapping[NoteKind, str] = {
    "limits": "What limits the conclusion",
    "data": "Data",
    "method": "How to read the tables",
}
SHOWN_NOTES = 5
WIDTH = 100
"""Columns of a terminal that tables and sentences take, unless a reader asks for all."""


class Note(NamedTuple):
    """A sentence below the tables. Notes that limit the conclusion come first, those on the method last."""

    text: str
    kind: NoteKind = "data"


class JobResult(ABC):
    """A job defines its conclusion, tables, content for machines, card and files; the rest is written here, once."""

    if TYPE_CHECKING:  # a field of some results, computed by others

        @property
        def remarks(self) -> Sequence[str]:
            """Notes on the data: what was skipped, missing or assumed."""

    @property
    @abstractmethod
    def conclusion(self) -> str:
        """The answer in one plain sentence, above everything else."""

    @abstractmethod
    def tables(self, *, wide: bool = False) -> Sequence[Table]:
        """Return the tables a reader needs first, within `WIDTH` columns; wide: all tables with all columns."""

    @property
    def notes(self) -> Sequence[Note]:
        """All notes, the ones that limit the conclusion first."""
        of_tables = [note for table in (*self.tables(), *self.tables(wide=True)) for note in table.notes]
        return in_order([*(Note(text) for text in self.remarks), *(Note(text, "method") for text in of_tables)])

    def flat_table(self) -> Table | None:
        """Return everything in one table, for CSV; None where the tables stand for themselves."""
        return None

    def to_dict(self) -> dict[str, object]:
        """Return what `--json` prints."""
        return {"conclusion": self.conclusion, **self.content()}

    @abstractmethod
    def content(self) -> dict[str, object]:
        """Return what `--json` prints after the conclusion."""

    @abstractmethod
    def to_frame(self) -> pl.DataFrame:
        """Return the finest rows of the result: scores, samples, candidates, options."""

    @abstractmethod
    def card(self) -> Card:
        """Return where the result comes from; what the files hash to is added when they are written."""

    @property
    @abstractmethod
    def artefacts(self) -> Sequence[str]:
        """Names of all files that the job may write, for `--force`; `*` stands for any part of a name."""

    @abstractmethod
    def writers(self) -> Sequence[Writer]:
        """Return what writes the files, all but the card and `run.json`. What can go wrong goes wrong here."""

    @property
    def run_facts(self) -> Mapping[str, object]:
        """What the job adds to `run.json`: all that a clock, a price or a host decided."""
        return {}

    def save(self, folder: OutputFolder | Path | str, *, force: bool = False) -> Path:
        """Write the files of the result, with `card.json` and `run.json`, into a folder.

        A folder that holds something else is refused unless `force` is given.
        """
        writers, card = self.writers(), self.card()
        with writing_to(folder, card=card, artefacts=(*self.artefacts, RUN_FACTS), force=force) as out:
            written = {name: digest for write in writers for name, digest in write(out.path).items()}
            write_json(out / RUN_FACTS, {**machine_facts(), **self.run_facts})
            out.finish(replace(card, outputs={**card.outputs, **written}))
            return out.path

    def text(self, *, wide: bool = False, notes: bool = False, width: int = WIDTH) -> str:
        """Return conclusion, tables and notes as a terminal shows them.

        wide: all tables with all columns. notes: all notes, not only the first five.
        """
        below = notes_text(self.notes, everything=notes, width=width)
        return "\n\n".join(part for part in (self.answer(wide=wide, width=width), below) if part)

    def answer(self, *, wide: bool = False, width: int = WIDTH) -> str:
        """Return conclusion and tables alone."""
        tables = [render(replace(t, notes=()), width=None if wide else width) for t in self.tables(wide=wide)]
        parts = [wrapped(self.conclusion, width=width), *(table.rstrip("\n") for table in tables)]
        return "\n\n".join(part for part in parts if part)

    def document(self, style: str, *, wide: bool = False) -> str:
        """Return conclusion, tables and all notes in a style of documents: markdown, latex or html."""
        tables = [render(replace(table, notes=()), style) for table in self.tables(wide=wide)]
        if style == "latex":
            comments = [self.conclusion, *(note.text for note in self.notes)]
            return "\n".join([*tables, *(f"% {' '.join(text.split())}" for text in comments)]) + "\n"
        if style == "html":
            return (
                f"<p><strong>{html.escape(self.conclusion)}</strong></p>\n" + "".join(tables) + notes_html(self.notes)
            )
        return "\n".join([f"**{markdown_text(self.conclusion)}**\n", *tables, notes_markdown(self.notes)])

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        return self.document("html", wide=True)


def in_order(notes: Sequence[Note]) -> tuple[Note, ...]:
    """Return each note once, the kinds in their order."""
    kinds = list(NOTE_KINDS)
    return tuple(sorted(dict.fromkeys(notes), key=lambda note: kinds.index(note.kind)))


def notes_text(notes: Sequence[Note], *, everything: bool, width: int = WIDTH) -> str:
    """Write the first five notes and count the rest, or write all of them under the headings of their kinds."""
    if everything:
        parts = []
        for kind, title in NOTE_KINDS.items():
            lines = [_item(note.text, width=width) for note in notes if note.kind == kind]
            parts += ["\n".join([f"{title}:", *lines])] if lines else []
        return "\n\n".join(parts)
    lines = [_item(note.text, width=width) for note in notes[:SHOWN_NOTES]]
    if left := len(notes) - len(lines):
        lines.append(f"{counted(left, 'more note')}: --notes, or result.notes in Python.")
    return "\n".join(lines)


def notes_markdown(notes: Sequence[Note]) -> str:
    """Write all notes as a list under the headings of their kinds."""
    parts = []
    for kind, title in NOTE_KINDS.items():
        lines = [f"- {markdown_text(note.text)}\n" for note in notes if note.kind == kind]
        parts += [f"{title}:\n\n" + "".join(lines)] if lines else []
    return "\n".join(parts)


def notes_html(notes: Sequence[Note]) -> str:
    """Write all notes, folded where there are more than a few."""
    if not notes:
        return ""
    items = "".join(f"<li>{html.escape(note.text)}</li>\n" for note in notes)
    opened = " open" if len(notes) <= SHOWN_NOTES else ""
    return f"<details{opened}><summary>{counted(len(notes), 'note')}</summary>\n<ul>\n{items}</ul></details>\n"


def wrapped(text: str, *, width: int = WIDTH) -> str:
    """Break lines between words, without what a terminal would obey."""
    return "\n".join(
        textwrap.fill(line, width, break_long_words=False, break_on_hyphens=False)
        for line in printable(text).splitlines()
    )


def _item(text: str, *, width: int) -> str:
    return textwrap.fill(
        " ".join(printable(text).split()),
        width,
        initial_indent="- ",
        subsequent_indent="  ",
        break_long_words=False,
        break_on_hyphens=False,
    )
