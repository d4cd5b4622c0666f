"""Labels of pairs of a question and a document, from whatever file they are in, several of one pair among them.

records      JSON lines or array, CSV or TSV with a header, Parquet: `query_id`, `doc_id` and a label
             (`goldproof.jobs.calibrate.label_values`); `annotator` says whose it is. `judgments.jsonl` of `goldproof
             mine` is one: `documents` is a list there, and only rulings on a single document count
TREC         qrels (a grade) and runs (a score)
a dataset    a BEIR folder, `retrieval_dataset.yaml`: the grades of its judgments
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from goldproof.io.datasets.dataset import read_dataset
from goldproof.io.datasets.qrels_and_runs import judgment_rows, ranking_rows
from goldproof.io.diagnostics import Diagnostics
from goldproof.io.json_files import BadRecordError, get_id
from goldproof.io.record_files import read_records
from goldproof.io.sniffing import sniff
from goldproof.jobs.calibrate.label_values import Said, said_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from goldproof.io.rows import RowBuffer
    from goldproof.records.tables import JudgmentTable

Pair = tuple[str, str]
_RATERS = ("annotator", "annotator_id", "rater", "assessor", "worker", "worker_id", "user", "judge")
_RUN_WIDTH = 6


@dataclass(frozen=True, slots=True)
class Label:
    """What somebody says of a pair. rater: who, empty where nobody says. where: `line 7`, for messages."""

    pair: Pair
    said: Said
    rater: str = ""
    where: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class LabelFile:
    """All labels of a file, in its order. sets: rulings on several documents together, which are passed over.

    remarks: what else was passed over, such as comments.
    """

    labels: tuple[Label, ...]
    sets: int = 0
    remarks: tuple[str, ...] = ()


def read_label_file(path: Path) -> LabelFile:
    """Read labels; a record that cannot be read stops with its line."""
    if path.is_dir():
        return _judged(path)
    found = sniff(path)
    if found.format == "yaml":
        return _judged(path)
    if found.format in ("jsonl", "json", "parquet") or (found.format in ("csv", "tsv") and found.header):
        complaints = Diagnostics(path)
        return _labels(read_records(path, complaints), complaints)
    complaints = Diagnostics(path).of_part(path)  # so that remarks name the file
    scored = found.format == "blanks" and found.width == _RUN_WIDTH and not found.header
    rows = (ranking_rows if scored else judgment_rows)(path, complaints, sniffed=found)
    return LabelFile(tuple(_rows(rows, scored=scored)), remarks=complaints.remarks)


def _judged(path: Path) -> LabelFile:
    dataset = read_dataset(path)
    return LabelFile(tuple(_graded(dataset.judgments)), remarks=dataset.remarks)


def _graded(table: JudgmentTable) -> Iterator[Label]:
    for position, question in enumerate(table.questions.to_list()):
        rows = slice(*table.starts[position : position + 2].tolist())
        for document, grade in zip(table.documents[rows].to_list(), table.grades[rows].tolist(), strict=True):
            yield Label((question, document), Said(grade=grade))


def _rows(rows: RowBuffer, *, scored: bool) -> Iterator[Label]:
    for part in rows.parts:
        columns = (part.questions.to_list(), part.documents.to_list(), part.values.tolist(), part.numbers)
        for question, document, value, number in zip(*columns, strict=True):
            said = Said(score=value) if scored else Said(grade=int(value))
            yield Label((question, document), said, where=f"{part.unit} {number}")


def label_records(records: Iterable[Mapping[str, object]], *, what: str) -> LabelFile:
    """Take labels from Python: records as in a file. what: how messages call them."""
    numbered = enumerate((dict(record) for record in records), start=1)
    return _labels(numbered, Diagnostics(Path(what), hint="Fix the record."))


def _labels(numbered: Iterable[tuple[int, dict[str, object]]], complaints: Diagnostics) -> LabelFile:
    labels: list[Label] = []
    sets = 0
    for number, record in numbered:
        try:
            document = _document(record)
            if document is None:
                sets += 1
                continue
            pair = (get_id(record, "query"), document)
            labels.append(
                Label(pair, said_of(record), rater=_rater(record), where=f"record {number}", reason=_reason(record))
            )
        except BadRecordError as error:
            complaints.add(str(error), line=number)
    return LabelFile(tuple(labels), sets)


def _document(record: dict[str, object]) -> str | None:
    """Return the id of the document; None where the ruling is on several, or on none."""
    several = record.get("documents")
    if not isinstance(several, list):
        return get_id(record, "document")
    return str(several[0]) if len(several) == 1 else None


def _rater(record: Mapping[str, object]) -> str:
    return next((str(record[key]) for key in _RATERS if record.get(key) not in (None, "")), "")


def _reason(record: Mapping[str, object]) -> str:
    reason = record.get("reason")
    return reason if isinstance(reason, str) else ""
