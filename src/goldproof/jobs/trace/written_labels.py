"""`labels.jsonl`: the labels of a judged run, in the form that `--qrels` reads.

It holds the judge's labels and those given beside the trace, all by question: every label of a question that was asked,
since that it is judged makes a miss a 0; of labels by document, those that matched a result. With it as `--qrels` the
same run is repeated without the judge, and without the labels that were given.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from goldproof.io.json_files import json_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from goldproof.io.datasets.labels import Labels
    from goldproof.jobs.trace.judged_labels import JudgedLabels
    from goldproof.records.traces import TraceTable

LABELS = "labels.jsonl"
_KEY = ["question", "document"]
_FEW = 100_000


class GivenLabels:
    """The labels beside the traces that matter: those of the questions asked; by document, those of a result."""

    def __init__(self) -> None:
        self._known = pl.DataFrame(schema={"question": pl.String, "document": pl.String, "gain": pl.Int8})
        self._fresh: list[pl.DataFrame] = []

    def add(self, table: TraceTable, labels: Labels | None) -> None:
        """Keep those of the table's questions."""
        if labels is None:
            return
        found = labels.of_questions(table) if labels.per_question else self._matching(table, labels)
        self._fresh.append(found.unique(_KEY, keep="first", maintain_order=True))
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


def label_lines(judged: JudgedLabels, given: GivenLabels) -> Iterator[bytes]:
    """Yield the lines: what was given first, then what the judge said."""
    beside = given.frame()
    said = judged.labels.frame.join(beside, on=_KEY, how="anti", maintain_order="left")
    for frame, judge in ((beside, None), (said, judged.judge)):
        for question, document, gain in frame.iter_rows():
            record = {"query_id": question, "doc_id": document, "grade": gain, "judge": judge}
            yield json_line(record, where=f"label of {document!r}")
