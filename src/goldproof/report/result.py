"""`JobResult`: what a job hands back. It prints its tables, shows itself in notebooks and saves itself as a folder."""

from __future__ import annotations

import html
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from goldproof.io import write_json
from goldproof.io.storage.cards import machine_facts
from goldproof.io.storage.output_folder import writing_to
from goldproof.report.tables import render

if TYPE_CHECKING:
    from collections.abc import Sequence

    import polars as pl

    from goldproof.io import OutputFolder
    from goldproof.records.entities import Card
    from goldproof.report.tables import Table

RUN_FACTS = "run.json"

Writer: TypeAlias = Callable[[Path], Mapping[str, str]]
"""Writes files below the folder it is given; returns the sha256 of those that the card lists, by name."""


class JobResult(ABC):
    """A job defines its tables, frame, content for machines, card and files; the rest is written here, once."""

    if TYPE_CHECKING:  # a field of some results, computed by others

        @property
        def remarks(self) -> Sequence[str]:
            """What a reader should know beside the tables."""

    @property
    def headline(self) -> str:
        """The answer in a sentence, above everything else; empty where the tables say it."""
        return ""

    @abstractmethod
    def tables(self, *, narrow: bool = False) -> Sequence[Table]:
        """Return all tables, in the order in which they are shown; narrow: for a terminal that is too small."""

    def flat_table(self) -> Table | None:
        """Return everything in one table, for CSV; None where the tables stand for themselves."""
        return None

    @abstractmethod
    def to_dict(self) -> dict[str, object]:
        """Return what `--json` prints."""

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

    def _lines_below(self) -> Sequence[str]:
        """Return the lines below the tables."""
        return self.remarks

    def __str__(self) -> str:
        tables = "\n".join(render(table) for table in self.tables())
        return "\n".join([*([self.headline, ""] if self.headline else []), tables.rstrip("\n"), *self._lines_below()])

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        answer = f"<p><strong>{html.escape(self.headline)}</strong></p>\n" if self.headline else ""
        tables = "\n".join(render(table, "html") for table in self.tables())
        return answer + tables + "".join(f"<p>{html.escape(line)}</p>\n" for line in self._lines_below())
