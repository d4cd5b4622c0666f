"""Labels of (question, document) pairs by people or judges, from any file, as records; yes and no in words.

    records      JSON lines or array, CSV or TSV with a header, Parquet: as they are; a sheet that people graded
                 (`goldproof.io.datasets.sheet`) with its ids as they were
    TREC         a line of qrels is `query_id`, `doc_id`, `grade`; one of a run has a `score` instead
    a dataset    a BEIR folder, `retrieval_dataset.yaml`: its judgments, like qrels

What the label of a record is, whose it is and whether it counts is up to the reader that asked.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from goldproof.io.datasets.dataset import read_dataset
from goldproof.io.datasets.nested_json import holds_nested
from goldproof.io.datasets.qrels_and_runs import judgment_rows, ranking_rows
from goldproof.io.datasets.sheet import from_cell
from goldproof.io.diagnostics import Diagnostics
from goldproof.io.file_layout import sniff
from goldproof.io.record_files import read_records

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from goldproof.io.json_files import JsonObject
    from goldproof.io.rows import RowBuffer
    from goldproof.records.tables import JudgmentTable

Pair = tuple[str, str]
_WORDS: Final[Mapping[str, bool]] = {
    **dict.fromkeys(("yes", "y", "true", "relevant", "positive", "answerable"), True),
    **dict.fromkeys(("no", "n", "false", "irrelevant", "not relevant", "negative", "unanswerable"), False),
}
_RUN_WIDTH = 6


class LabelRecord(NamedTuple):
    """The label of one pair. place: `line 7`, for messages; empty in a dataset, whose labels have no number."""

    number: int | None
    place: str
    record: JsonObject


class LabelRecords(NamedTuple):
    """The labels of a file, in its order. remarks: on what was skipped."""

    records: Iterable[LabelRecord]
    remarks: tuple[str, ...] = ()


def read_label_records(path: Path, *, runs: bool = False) -> LabelRecords:
    """Read a file of labels. runs: whether the scores of a TREC run are labels; else it is refused."""
    layout = None if path.is_dir() else sniff(path)
    if layout is None or layout.format == "yaml":
        dataset = read_dataset(path)
        return LabelRecords(_of_judgments(dataset.judgments), dataset.remarks)
    if layout.format in ("jsonl", "json", "parquet") and not holds_nested(path, layout):
        return LabelRecords(LabelRecord(at, f"record {at}", record) for at, record in read_records(path))
    if layout.format in ("csv", "tsv") and layout.header:
        return LabelRecords(
            LabelRecord(at, f"record {at}", {name: _from_cell(value) for name, value in record.items()})
            for at, record in read_records(path)
        )
    diagnostics = Diagnostics(path).of_part(path)  # so that remarks name the file
    scored = runs and layout.format == "blanks" and layout.width == _RUN_WIDTH and not layout.header
    rows = (ranking_rows if scored else judgment_rows)(path, diagnostics, sniffed=layout)
    return LabelRecords(_of_rows(rows, "score" if scored else "grade"), diagnostics.remarks)


def _of_judgments(table: JudgmentTable) -> Iterator[LabelRecord]:
    for position, question in enumerate(table.questions.to_list()):
        rows = slice(*table.starts[position : position + 2].tolist())
        for document, grade in zip(table.documents[rows].to_list(), table.grades[rows].tolist(), strict=True):
            yield LabelRecord(None, "", {"query_id": question, "doc_id": document, "grade": grade})


def _of_rows(rows: RowBuffer, key: str) -> Iterator[LabelRecord]:
    for part in rows.parts:
        columns = (part.questions.to_list(), part.documents.to_list(), part.values.tolist(), part.numbers)
        for question, document, value, number in zip(*columns, strict=True):
            record = {"query_id": question, "doc_id": document, key: value}
            yield LabelRecord(number, f"{part.unit} {number}", record)


def _from_cell(value: object) -> object:
    return from_cell(value) if isinstance(value, str) else value


def says_yes(value: object) -> bool | None:
    """Return whether a label in words is a yes; None where it is neither yes nor no."""
    if isinstance(value, bool):
        return value
    return _WORDS.get(" ".join(value.casefold().replace("_", " ").split())) if isinstance(value, str) else None
