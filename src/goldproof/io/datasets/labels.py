"""Relevance labels by document or by question and document, and their look-up by id or URL.

By question and document: TREC qrels and every other file of judgments. By document: a table without a query column, or
judgments whose only query is `*`; such a table is read as judgments of the question `*`, with the same checks and
messages.

A question is the turn's question id, else the conversation's id; it is judged if it has at least one label. Labels by
document judge no question. A result is looked up by its id and, where that has no label, by its URL: in the normal form
in which duplicates are compared, so that a tracking parameter hides no label; of several documents with one normal form
the first counts. Gains are 0 to 4. Negative grades (TREC's -1 and -2: spam, broken pages) become 0 and are counted;
anything above 4 is on another scale and refused.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import polars as pl

from goldproof.dedup import DEFAULT_RULES
from goldproof.dedup.urls import normal_urls
from goldproof.errors import InputError
from goldproof.io.columns import check_columns, find_columns
from goldproof.io.datasets.dataset import read_dataset
from goldproof.io.datasets.qrels_and_runs import judgment_rows
from goldproof.io.diagnostics import Diagnostics
from goldproof.io.file_layout import sniff
from goldproof.io.json_files import read_objects
from goldproof.io.parquet import frame_rows, read_parquet_columns, read_parquet_frame, row_columns, to_polars
from goldproof.io.record_files import read_text_table
from goldproof.io.rows import RowCollector
from goldproof.io.values import GRADE, BadValueError, parse_grade
from goldproof.records.tables import JudgmentTable
from goldproof.records.traces import HIGHEST_GAIN, UNLABELLED

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy.typing as npt

    from goldproof.io.file_layout import Sniffed
    from goldproof.io.rows import RowBuffer, Rows
    from goldproof.records.arrays import BoolArray, FloatArray, IntArray
    from goldproof.records.traces import TraceTable


ANY_QUESTION = "*"
_SCALE_HINT = f"Gains are 0 to {HIGHEST_GAIN}: map your labels to that scale first."


class _RowPlace(NamedTuple):
    """Position of a row: the words before a problem, or its line."""

    text: str = ""
    line: int | None = None


class KnownLabel(NamedTuple):
    """Labels of each result: the document by its name there (null where it has none), and its gain."""

    documents: pl.Series
    gains: npt.NDArray[np.int8]


@dataclass(frozen=True, eq=False)
class Labels:
    """Gains of documents. frame: (question, document, gain), or (document, gain) where no question is told apart.

    negative: how many labels were below 0. remarks: what was skipped in their file.
    """

    frame: pl.DataFrame
    negative: int = 0
    remarks: tuple[str, ...] = ()

    def __len__(self) -> int:
        return self.frame.height

    @property
    def per_question(self) -> bool:
        """Whether gains are given for each question, rather than once for all."""
        return "question" in self.frame.columns

    def look_up(self, table: TraceTable) -> KnownLabel:
        """Find each result of a trace by its id, else by its URL."""
        wanted = self._questions(table)
        nothing = _nothing(pl.String, len(table.results))
        documents, gains = nothing, _nothing(pl.Int8, len(table.results))
        columns = table.results.columns
        if "id" in columns.columns:
            ids = columns["id"].cast(pl.String).alias("document")
            keys = ids.to_frame().hstack(wanted)
            gains = keys.join(self.frame, on=keys.columns, how="left", maintain_order="left")["gain"]
            documents = ids.zip_with(gains.is_not_null(), nothing)
        if "url" in columns.columns and gains.null_count():
            missing = columns["url"].zip_with(gains.is_null(), nothing)
            keys = _normal(missing).alias("url").to_frame().hstack(wanted)
            labelled = keys.join(self._by_url, on=keys.columns, how="left", maintain_order="left")
            documents = documents.zip_with(labelled["gain"].is_null(), labelled["document"])
            gains = gains.zip_with(labelled["gain"].is_null(), labelled["gain"])
        return KnownLabel(documents, gains.fill_null(UNLABELLED).to_numpy())

    @cached_property
    def _by_url(self) -> pl.DataFrame:
        """The labels by the normal form of the document's name, as if it were a URL."""
        named = self.frame.with_columns(_normal(self.frame["document"]).alias("url")).drop_nulls("url")
        return named.unique(
            [name for name in named.columns if name in ("question", "url")], keep="first", maintain_order=True
        )

    def judges(self, table: TraceTable) -> BoolArray:
        """Return which conversations of a trace ask a question that has a label, whatever they found."""
        if not self.per_question:
            return np.zeros(len(table.questions), dtype=np.bool_)
        judged: BoolArray = table.questions.is_in(self._judged).to_numpy()
        return judged

    def of_questions(self, table: TraceTable) -> pl.DataFrame:
        """Return the labels of the questions that a trace asks."""
        return self.frame.filter(self.frame["question"].is_in(table.questions.unique()))

    @cached_property
    def _judged(self) -> pl.Series:
        return self.frame["question"].unique()

    def gains_for(self, table: TraceTable) -> npt.NDArray[np.int8]:
        """Return the gain of each result of a trace, UNLABELLED where none is known."""
        return self.look_up(table).gains

    def _questions(self, table: TraceTable) -> list[pl.Series]:
        """Return the other keys of a label besides the document: the question of each result, or nothing."""
        if not self.per_question:
            return []
        codes = np.repeat(np.arange(len(table.questions)), np.diff(table.results_by_conversation))
        return [table.questions.gather(codes).alias("question")]


def read_labels(path: Path | str) -> Labels:
    """Read labels from a file of judgments of any known format, a BEIR folder, or a table of documents and grades."""
    path = Path(path)
    diagnostics = Diagnostics(path).of_part(path)  # so that remarks name the file
    return replace(_labels(read_label_rows(path, diagnostics), path), remarks=diagnostics.remarks)


def labels_from_object(labels: object, *, what: str = "labels") -> Labels:
    """Return labels from Python: {document: gain}, {question: {document: gain}}, a frame, judgments, or a path.

    what: how messages call them.
    """
    if isinstance(labels, Labels):
        return labels
    if isinstance(labels, str | PathLike):
        return read_labels(Path(labels))
    diagnostics = Diagnostics(Path(what))
    if isinstance(labels, JudgmentTable):
        return _labels(checked(labels, diagnostics), what)
    if isinstance(labels, Mapping):
        return _labels(checked(_mapping_labels(labels, what), diagnostics), what)
    if isinstance(labels, pl.LazyFrame) or hasattr(labels, "columns"):
        return _labels(frame_labels(labels, diagnostics), what)
    raise InputError(
        f"{what}: found a {type(labels).__name__}, expected {{document: gain}}, {{question: {{document: gain}}}}, a "
        "frame with the columns question_id, doc_id and gain, or a path."
    )


def _mapping_labels(labels: Mapping[Any, Any], what: str) -> JudgmentTable:
    nested = [isinstance(value, Mapping) for value in labels.values()]
    if any(nested) and not all(nested):
        either = "{document: gain} or {question: {document: gain}}"
        raise InputError(f"{what}: gains and mappings are mixed, expected {either}.")
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
    """Return the labels in judgments, after checking their questions."""
    named = (table.questions != ANY_QUESTION).to_numpy()
    if named.any() and not named.all():
        raise InputError(
            f"{where}: mixes labels for any question ({ANY_QUESTION}) with labels by question (the first: "
            f"{table.questions.filter(pl.Series(named))[0]!r}), expected one or the other."
        )
    codes = np.repeat(np.arange(len(table.questions)), np.diff(table.starts))
    questions = [table.questions.gather(codes).alias("question")] if named.any() else []
    gains = pl.Series("gain", np.maximum(table.grades, 0).astype(np.int8))
    documents = table.documents.str.strip_chars().alias("document")
    frame = pl.DataFrame([*questions, documents, gains])
    if not documents.equals(table.documents):
        _check_distinct(frame.drop("gain"), where)
    return Labels(frame, int((table.grades < 0).sum()))


def _check_distinct(keys: pl.DataFrame, where: Path | str) -> None:
    """Refuse documents that differ in blanks only."""
    twice = keys.is_duplicated()
    if twice.any():
        name = keys.filter(twice)["document"][0]
        raise InputError(f"{where}: document {name!r} occurs twice, with and without blanks around it.")


def _normal(urls: pl.Series) -> pl.Series:
    """Return URLs in normal form, null where there is none."""
    place, params = normal_urls(urls, harmless=DEFAULT_RULES.harmless_parameters)
    return (
        pl.DataFrame({"place": place, "params": params.fill_null("")})
        .select(pl.concat_str("place", "params", separator="?"))
        .to_series()
    )


def _nothing(dtype: type[pl.DataType], length: int) -> pl.Series:
    return pl.Series("document", [None], dtype=dtype).new_from_index(0, length)


def read_label_rows(path: Path, diagnostics: Diagnostics | None = None) -> JudgmentTable:
    """Read labels as judgments; by document alone they are judgments of one question, `*`."""
    diagnostics = diagnostics or Diagnostics(path)
    sniffed = None if path.is_dir() else sniff(path)
    if sniffed is None or sniffed.format == "yaml":
        dataset = read_dataset(path)
        for remark in dataset.remarks:
            diagnostics.remark(remark)
        return checked(dataset.judgments, diagnostics)
    header = _header(path, sniffed, diagnostics)
    alone = header is not None and is_by_document(header)
    rows = _document_rows(path, sniffed, diagnostics) if alone else judgment_rows(path, diagnostics, sniffed=sniffed)
    _check_rows(rows, diagnostics)
    return rows.judgments(diagnostics)


def frame_labels(frame: object, diagnostics: Diagnostics) -> JudgmentTable:
    """Return labels from a frame."""
    table = to_polars(frame, diagnostics)
    if is_by_document(table.columns):
        rows = _frame_rows(table, diagnostics)
    else:
        rows = frame_rows(table.select(row_columns(table.columns, GRADE, diagnostics)), GRADE, diagnostics)
    _check_rows(rows, diagnostics)
    return rows.judgments(diagnostics)


def _header(path: Path, sniffed: Sniffed, diagnostics: Diagnostics) -> Sequence[str] | None:
    """Return the names of columns or keys, or None where the file has none."""
    if sniffed.format == "parquet":
        return read_parquet_columns(path, diagnostics)
    if sniffed.format == "jsonl":
        first = next(read_objects(path, diagnostics), None)
        return None if first is None else list(first.record)
    return read_text_table(path, diagnostics, sniffed=sniffed).header if sniffed.header else None


def is_by_document(header: Sequence[str]) -> bool:
    """Return whether a table names documents and grades, but no question."""
    columns = find_columns(header, needed=("query", "labelled", "grade"))
    return columns.missing == ("query",)


def _document_rows(path: Path, sniffed: Sniffed, diagnostics: Diagnostics) -> RowBuffer:
    if sniffed.format == "parquet":
        return _frame_rows(read_parquet_frame(path, read_parquet_columns(path, diagnostics), diagnostics), diagnostics)
    table = read_text_table(path, diagnostics, sniffed=sniffed)
    columns = find_columns(table.header, needed=("labelled", "grade"))
    check_columns(columns, table.header, diagnostics=diagnostics, line=table.header_line)
    collected = RowCollector(GRADE)
    for row in table.rows:
        document = row.fields[columns.position["labelled"]]
        if not isinstance(document, str | int) or isinstance(document, bool) or document == "":
            problem = "the document is empty or not text."
            diagnostics.report(problem, line=row.line, hint="Give the id of a document.")
            continue
        try:
            grade = GRADE.parse(row.fields[columns.position["grade"]])
            collected.add(ANY_QUESTION, str(document), grade, line=row.line or 0)
        except BadValueError as error:
            diagnostics.report(f"{error} (column {table.header[columns.position['grade']]!r}).", line=row.line)
    return collected.buffer()


def _frame_rows(frame: pl.DataFrame, diagnostics: Diagnostics) -> RowBuffer:
    columns = find_columns(frame.columns, needed=("labelled", "grade"))
    check_columns(columns, frame.columns, diagnostics=diagnostics, line=None)
    names = [frame.columns[columns.position[role]] for role in ("labelled", "grade")]
    return frame_rows(frame.select(pl.lit(ANY_QUESTION).alias("*"), *names), GRADE, diagnostics)


def checked(table: JudgmentTable, diagnostics: Diagnostics) -> JudgmentTable:
    """Return judgments that have no lines, after checking their range."""

    def place(row: int) -> _RowPlace:
        question = table.questions[int(np.searchsorted(table.starts, row, side="right")) - 1]
        return _RowPlace("" if question == ANY_QUESTION else f"question {question!r}: ")

    _check_scale(table.documents, table.grades, diagnostics=diagnostics, place=place)
    return table


def _check_rows(rows: RowBuffer, diagnostics: Diagnostics) -> None:
    for part in rows.parts:

        def place(row: int, part: Rows = part) -> _RowPlace:
            number = part.numbers[row]
            return _RowPlace(f"row {number}: ") if part.unit == "row" else _RowPlace(line=number)

        _check_scale(part.documents, part.values, diagnostics=diagnostics, place=place)


def _check_scale(
    documents: pl.Series, grades: IntArray | FloatArray, *, diagnostics: Diagnostics, place: Callable[[int], _RowPlace]
) -> None:
    """Report grades beyond the scale."""
    for row in np.flatnonzero(grades > HIGHEST_GAIN).tolist():
        where = place(row)
        problem = f"{where.text}grade {grades[row]:g} of document {documents[row]!r} is above {HIGHEST_GAIN}."
        diagnostics.report(problem, line=where.line, hint=_SCALE_HINT)
