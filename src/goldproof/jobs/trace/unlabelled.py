"""Find the results without a label, each once; write `labels.jsonl`.

A group (a result and its duplicates in a conversation) that has no label is judged by its first result that has any
text: title or snippet. It goes by the name by which labels are looked up: its id, else its URL. The same name for the
same question is judged once, whichever conversation or system it came from, by the text that was met first; so is the
same text. A result that has neither id nor URL is known by its text alone.

Left unlabelled, and counted: results without any text, and those of a turn that does not say its question.

`labels.jsonl` holds the judge's labels and those given beside the trace, all by question: every label of a question
that was asked, since a question that is judged makes a miss a 0; of labels by document, those that matched a result.
With it as `--qrels` the same run is repeated without the judge and without the given labels.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import polars as pl

from goldproof.io.json_files import json_line
from goldproof.jobs.trace.inputs import labelled_gains
from goldproof.metrics.gain.iterations import group_labels
from goldproof.records.keys import content_key
from goldproof.records.traces import UNLABELLED

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import numpy.typing as npt

    from goldproof.io import Labels
    from goldproof.jobs.trace.inputs import Scoring, TraceSource
    from goldproof.jobs.trace.judge_labels import JudgedLabels
    from goldproof.records.arrays import BoolArray
    from goldproof.records.traces import TraceTable

NO_TEXT = "no title and no snippet to judge"
NO_QUESTION = "the turn does not say its question"
LABELS = "labels.jsonl"
_KEY = ["question", "document"]
_FEW = 100_000


class ResultText(NamedTuple):
    """The text that a judge sees: of the question, and title and snippet of a result (empty where it has none)."""

    question: str
    title: str
    snippet: str

    @property
    def key(self) -> str:
        """The same for equal texts."""
        return content_key(*self)


class UnlabelledResult(NamedTuple):
    """A text to judge, with the id of its question and the name of the result it was first met in."""

    text: ResultText
    question: str
    name: str


class GivenLabels:
    """The labels beside the traces that apply: of the questions asked; of labels by document, those of a result."""

    def __init__(self) -> None:
        self._known = pl.DataFrame(schema={"question": pl.String, "document": pl.String, "gain": pl.Int8})
        self._fresh: list[pl.DataFrame] = []

    def add(self, table: TraceTable, labels: Labels | None) -> None:
        """Keep the labels of the table's questions."""
        if labels is None:
            return
        matching = labels.of_questions(table) if labels.per_question else self._matching(table, labels)
        self._fresh.append(matching.unique(_KEY, keep="first", maintain_order=True))
        if sum(map(len, self._fresh)) > max(len(self._known), _FEW):  # so that each row is gone through a few times
            self.frame()

    def _matching(self, table: TraceTable, labels: Labels) -> pl.DataFrame:
        """Return the labels that match a result, by its question."""
        known = labels.look_up(table)
        codes = np.repeat(np.arange(len(table.questions)), np.diff(table.results_by_conversation))
        columns = (table.questions.gather(codes), known.documents, pl.Series(known.gains, dtype=pl.Int8))
        return pl.DataFrame(dict(zip(self._known.columns, columns, strict=True))).drop_nulls("document")

    def frame(self) -> pl.DataFrame:
        """Return question, document and gain of each, once."""
        if self._fresh:
            joined = pl.concat([self._known, *self._fresh])
            self._known, self._fresh = joined.unique(_KEY, keep="first", maintain_order=True), []
        return self._known


@dataclass(slots=True)
class Unlabelled:
    """The results to be judged.

    items: results with distinct texts, by the key of the text, in the order in which they were met. named: (question
    id, name) -> key of the text; nameless: keys of texts of results without a name. left: groups that cannot be judged,
    by reason. groups: all groups without a label. given: the labels beside the traces that go into `labels.jsonl`.
    """

    items: dict[str, UnlabelledResult] = field(default_factory=dict)
    named: dict[tuple[str, str], str] = field(default_factory=dict)
    nameless: dict[str, None] = field(default_factory=dict)
    left: Counter[str] = field(default_factory=Counter)
    groups: int = 0
    given: GivenLabels = field(default_factory=GivenLabels)

    def add(self, table: TraceTable, gains: npt.NDArray[np.int8], *, scoring: Scoring) -> None:
        """Add the results of a table that have no label; gains: all known labels."""
        marks = scoring.mark(table.results, table.results_by_conversation)
        labels = group_labels(gains, rows=marks.repeats.rows, firsts=marks.repeats.firsts)
        origin = marks.origin
        open_groups = labels[origin] == UNLABELLED
        self.groups += int(np.count_nonzero(open_groups & ~marks.duplicate))
        rows = TextColumns(table)
        has_text = rows.has_text
        self.left[NO_TEXT] += _without_text(origin, open_groups, has_text)
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
        self.items.setdefault(key, UnlabelledResult(text, question, name or key[:16]))


def find_unlabelled(sources: Iterable[TraceSource], *, labels: Labels | None, scoring: Scoring) -> Unlabelled:
    """Read all traces for results without a label, inside or beside the trace."""
    unlabelled = Unlabelled()
    for source in sources:
        for table in source.tables():
            unlabelled.add(table, labelled_gains(table, labels).gains, scoring=scoring)
            unlabelled.given.add(table, labels)
    return unlabelled


def label_lines(judged: JudgedLabels) -> Iterator[bytes]:
    """Yield the lines of `labels.jsonl`: given labels, then those of the judge."""
    given = judged.unlabelled.given.frame()
    added = judged.labels.frame.join(given, on=_KEY, how="anti", maintain_order="left")
    for frame, judge in ((given, None), (added, judged.judge)):
        for question, document, gain in frame.iter_rows():
            record = {"query_id": question, "doc_id": document, "grade": gain, "judge": judge}
            yield json_line(record, where=f"label of {document!r}")


class TextColumns:
    """The names and texts of a table's results, by row."""

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

    def text(self, row: int) -> ResultText | None:
        """Return the text that is judged; None where the turn does not say its question."""
        question = self._texts[self._conversation(row)]
        if question is None or not question.strip():
            return None
        return ResultText(str(question), self._cell("title", row) or "", self._cell("snippet", row) or "")

    def question(self, row: int) -> str:
        """Return the id of the question that a result was found for."""
        return str(self._questions[self._conversation(row)])

    def name(self, row: int) -> str | None:
        """Return the name by which labels are looked up: id, else URL."""
        return self._cell("id", row) or self._cell("url", row)

    def _cell(self, name: str, row: int) -> str | None:
        column = self._columns[name]
        return None if column is None else column[row]

    def _conversation(self, row: int) -> int:
        return int(np.searchsorted(self._starts, row, side="right")) - 1


def _without_text(origin: npt.NDArray[np.int64], open_groups: BoolArray, has_text: BoolArray) -> int:
    """Count the unlabelled groups in which no result has any text."""
    readable = np.zeros(len(origin), dtype=np.bool_)
    readable[origin[has_text]] = True
    first = origin == np.arange(len(origin))
    return int(np.count_nonzero(first & open_groups & ~readable))
