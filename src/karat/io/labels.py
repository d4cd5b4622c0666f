"""Labels beside a trace: gains by document, or by question and document.

By question and document: TREC qrels and every other file of judgments. By document: a table without a query column, or
judgments whose only query is `*`. A question is the turn's question id, else the conversation's id; a document is the
result's id, else its URL. Gains are 0 to 4. Negative grades (TREC's -1 and -2: spam, broken pages) become 0 and are
counted; anything above 4 is on another scale and refused.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from karat.core.errors import InputError
from karat.core.tables import JudgmentTable
from karat.core.traces import HIGHEST_GAIN, UNLABELLED
from karat.io.complaints import Complaints
from karat.io.label_rows import ANY_QUESTION, frame_labels, read_label_rows
from karat.io.values import BadValueError, parse_grade

if TYPE_CHECKING:
    import numpy.typing as npt

    from karat.core.traces import TraceTable


@dataclass(frozen=True, slots=True, eq=False)
class Labels:
    """Gains of documents. frame: (question, document, gain), or (document, gain) where no question is told apart.

    negative: how many labels were below 0.
    """

    frame: pl.DataFrame
    negative: int = 0

    def __len__(self) -> int:
        return self.frame.height

    @property
    def by_question(self) -> Mapping[str, Mapping[str, int]]:
        """Question -> document -> gain; empty where labels go by document alone."""
        found: dict[str, dict[str, int]] = {}
        if "question" in self.frame.columns:
            for question, document, gain in self.frame.iter_rows():
                found.setdefault(question, {})[document] = gain
        return found

    @property
    def by_document(self) -> Mapping[str, int]:
        """Document -> gain; empty where labels go by question and document."""
        return {} if "question" in self.frame.columns else dict(self.frame.iter_rows())

    def gains_for(self, table: TraceTable) -> npt.NDArray[np.int8]:
        """Return the gain of each result of a trace, UNLABELLED where none is known."""
        keys = {"document": document_names(table)}
        if "question" in self.frame.columns:
            codes = np.repeat(np.arange(len(table.questions)), np.diff(table.results_by_conversation))
            keys["question"] = table.questions.gather(codes)
        found = pl.DataFrame(keys).join(self.frame, on=list(keys), how="left", maintain_order="left")["gain"]
        gains: npt.NDArray[np.int8] = found.fill_null(UNLABELLED).to_numpy()
        return gains


def read_labels(path: Path | str) -> Labels:
    """Read labels from a file of judgments of any known format, a BEIR folder, or a table of documents and grades."""
    path = Path(path)
    return _labels(read_label_rows(path), path)


def labels_from_object(labels: object, *, what: str = "labels") -> Labels:
    """Take labels from Python: {document: gain}, {question: {document: gain}}, a frame, judgments, or a path.

    what: how messages call them.
    """
    if isinstance(labels, Labels):
        return labels
    if isinstance(labels, str | PathLike):
        return read_labels(Path(labels))
    if isinstance(labels, JudgmentTable):
        return _labels(labels, what)
    if isinstance(labels, Mapping):
        return _labels(_mapping_labels(labels, what), what)
    if isinstance(labels, pl.LazyFrame) or hasattr(labels, "columns"):
        return _labels(frame_labels(labels, Complaints(Path(what))), what)
    raise InputError(
        f"{what}: found a {type(labels).__name__}, expected {{document: gain}}, {{question: {{document: gain}}}}, a "
        "frame with the columns question_id, doc_id and gain, or a path."
    )


def _mapping_labels(labels: Mapping[Any, Any], what: str) -> JudgmentTable:
    nested = [isinstance(value, Mapping) for value in labels.values()]
    if any(nested) and not all(nested):
        either = "{document: gain} or {question: {document: gain}}"
        raise InputError(f"{what}: mix gains and mappings, expected {either}.")
    by_question = labels if any(nested) else {ANY_QUESTION: labels} if labels else {}
    return JudgmentTable.from_dict(
        {
            str(question): {str(document): _gain(document, gain, what) for document, gain in documents.items()}
            for question, documents in by_question.items()
        }
    )


def _gain(document: object, gain: object, what: str) -> int:
    if isinstance(gain, np.generic):
        gain = gain.item()
    try:
        return parse_grade(gain)
    except BadValueError as error:
        raise InputError(f"{what}: document {str(document)!r}: {error}.") from error


def _labels(table: JudgmentTable, where: Path | str) -> Labels:
    """Return the labels in judgments, after looking at their range and at what their questions are."""
    codes = np.repeat(np.arange(len(table.questions)), np.diff(table.starts))
    questions = table.questions.gather(codes).alias("question")
    _check_highest(table, questions, where)
    named = (table.questions != ANY_QUESTION).to_numpy()
    if named.any() and not named.all():
        raise InputError(
            f"{where}: has labels for any question ({ANY_QUESTION}) and labels for one question each, expected one or "
            f"the other; the first of the others is for {table.questions.filter(pl.Series(named))[0]!r}."
        )
    gains = pl.Series("gain", np.maximum(table.grades, 0).astype(np.int8))
    columns = [table.documents.alias("document"), gains]
    frame = pl.DataFrame([questions, *columns] if named.any() else columns)
    return Labels(frame, int((table.grades < 0).sum()))


def _check_highest(table: JudgmentTable, questions: pl.Series, where: Path | str) -> None:
    """Refuse a grade beyond the scale; files that have lines were looked at before, with the line at hand."""
    for row in np.flatnonzero(table.grades > HIGHEST_GAIN).tolist():
        whose = "" if questions[row] == ANY_QUESTION else f" of question {questions[row]!r}"
        raise InputError(
            f"{where}: document {table.documents[row]!r}{whose}: grade {table.grades[row]} is above {HIGHEST_GAIN}; "
            f"gains are 0 to {HIGHEST_GAIN}."
        )


def document_names(table: TraceTable) -> pl.Series:
    """Return by what name a label of each result is looked up: its id, else its URL."""
    columns = table.results.columns
    names = [columns[name].cast(pl.String) for name in ("id", "url") if name in columns.columns]
    if not names:
        return pl.Series([None], dtype=pl.String).new_from_index(0, len(table.results))
    first, *rest = names
    return first.zip_with(first.is_not_null(), rest[0]) if rest and first.null_count() else first
