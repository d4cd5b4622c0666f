"""The results that nobody labelled: what a judge would have to look at, each once.

A group (a result and its duplicates in a conversation) that has no label is judged by its first result that has any
text: title or snippet. It goes by the name by which labels are looked up: its id, else its URL. The same name for the
same question is judged once, whichever conversation or system it came from, by the text that was met first; so is the
same text. A result that has neither id nor URL is known by its text alone.

Left unlabelled, and counted: results without any text, and those of a turn that does not say its question.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import polars as pl

from goldproof.metrics.gain.iterations import group_labels
from goldproof.records.keys import content_key
from goldproof.records.traces import UNLABELLED

if TYPE_CHECKING:
    import numpy.typing as npt

    from goldproof.jobs.trace.scoring import Scoring
    from goldproof.records.arrays import BoolArray
    from goldproof.records.traces import TraceTable

NO_TEXT = "no title and no snippet to judge"
NO_QUESTION = "the turn does not say its question"


class Text(NamedTuple):
    """What is judged: the words of the question, and title and snippet of a result (empty where it has none)."""

    question: str
    title: str
    snippet: str

    @property
    def key(self) -> str:
        """What tells texts apart."""
        return content_key(*self)


class Item(NamedTuple):
    """A text with the id of its question and the name of its result, where it was first met."""

    text: Text
    question: str
    name: str


@dataclass(slots=True)
class Unlabelled:
    """What is to be judged. named: (question id, name) -> key of the text; nameless: keys of texts without a name.

    items: the distinct texts by key, in the order in which they were met. left: groups that cannot be judged, by
    reason. groups: all groups without a label.
    """

    items: dict[str, Item] = field(default_factory=dict)
    named: dict[tuple[str, str], str] = field(default_factory=dict)
    nameless: dict[str, None] = field(default_factory=dict)
    left: Counter[str] = field(default_factory=Counter)
    groups: int = 0

    def add(self, table: TraceTable, gains: npt.NDArray[np.int8], *, scoring: Scoring) -> None:
        """Add what a table holds. gains: all labels that are known so far."""
        marks = scoring.mark(table.results, table.results_by_conversation)
        labels = group_labels(gains, rows=marks.repeats.rows, firsts=marks.repeats.firsts)
        origin = marks.origin
        open_groups = labels[origin] == UNLABELLED
        self.groups += int(np.count_nonzero(open_groups & ~marks.duplicate))
        rows = TextColumns(table)
        has_text = rows.has_text
        self.left[NO_TEXT] += _without(origin, open_groups, has_text)
        chosen = pl.DataFrame({"row": np.arange(len(origin)), "origin": origin}).filter(
            pl.Series(open_groups & has_text)
        )
        for row in chosen.unique("origin", keep="first", maintain_order=True)["row"].to_list():
            self._add(rows, row)

    def _add(self, rows: TextColumns, row: int) -> None:
        text = rows.text(row)
        if text is None:
            self.left[NO_QUESTION] += 1
            return
        question, name, key = rows.question(row), rows.name(row), text.key
        if name is None:
            self.nameless[key] = None
        elif (question, name) in self.named:
            return
        else:
            self.named[question, name] = key
        self.items.setdefault(key, Item(text, question, name or key[:16]))


class TextColumns:
    """The results of a table with what a judge would see of them, by row."""

    def __init__(self, table: TraceTable) -> None:
        columns = table.results.columns
        self._columns = {
            name: columns[name].cast(pl.String) if name in columns.columns else None
            for name in ("id", "url", "title", "snippet")
        }
        self._size = len(table.results)
        self._starts = table.results_by_conversation
        self._texts = table.texts
        self._questions = table.questions

    @property
    def has_text(self) -> BoolArray:
        """Which results have a title or a snippet."""
        there = np.zeros(self._size, dtype=np.bool_)
        for name in ("title", "snippet"):
            column = self._columns[name]
            if column is not None:
                there |= (column.str.strip_chars().fill_null("") != "").to_numpy()
        return there

    @property
    def nameless(self) -> BoolArray:
        """Which results have neither id nor URL."""
        blank = np.ones(self._size, dtype=np.bool_)
        for name in ("id", "url"):
            column = self._columns[name]
            if column is not None:
                blank &= column.is_null().to_numpy()
        return blank

    def text(self, row: int) -> Text | None:
        """Return what is judged; None where the turn does not say its question."""
        words = self._texts[self._conversation(row)]
        if words is None or not words.strip():
            return None
        return Text(str(words), self._cell("title", row) or "", self._cell("snippet", row) or "")

    def question(self, row: int) -> str:
        """Return the id of the question that a result was found for."""
        return str(self._questions[self._conversation(row)])

    def name(self, row: int) -> str | None:
        """Return the name by which labels know a result."""
        return self._cell("id", row) or self._cell("url", row)

    def _cell(self, name: str, row: int) -> str | None:
        column = self._columns[name]
        return None if column is None else column[row]

    def _conversation(self, row: int) -> int:
        return int(np.searchsorted(self._starts, row, side="right")) - 1


def _without(origin: npt.NDArray[np.int64], open_groups: BoolArray, has_text: BoolArray) -> int:
    """Count the groups of which no result has any text."""
    readable = np.zeros(len(origin), dtype=np.bool_)
    readable[origin[has_text]] = True
    first = origin == np.arange(len(origin))
    return int(np.count_nonzero(first & open_groups & ~readable))
