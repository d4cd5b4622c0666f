"""Labels that people gave: one row for each question, document and annotator.

JSON lines (`query_id, doc_id, grade` or `label`, perhaps `annotator`; the aliases of `goldproof.io.columns`), a JSON
array, CSV and TSV with a header, Parquet, TREC qrels; text may be gzipped. A grade is a whole number; a label is yes or
no in one of the usual words. Negative grades mean "not judged" in qrels: such rows are left out and counted. A row
without an annotator is somebody else's than every other row; of an annotator who labels a pair twice the later row
counts.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from goldproof.io.columns import ALIASES, find_key, normal_name
from goldproof.io.complaints import Complaints
from goldproof.io.jsonl import BadRecordError, get_id
from goldproof.io.reading import judgment_rows
from goldproof.io.records import read_records
from goldproof.io.sniffing import sniff
from goldproof.io.values import BadValueError, parse_grade

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

Pair = tuple[str, str]
WORDS: Final[Mapping[str, bool]] = {
    **dict.fromkeys(("yes", "y", "true", "relevant", "positive", "answerable"), True),
    **dict.fromkeys(("no", "n", "false", "irrelevant", "not relevant", "negative", "unanswerable"), False),
}
_ANNOTATORS: Final = ("annotator", "annotator_id", "rater", "rater_id", "worker", "worker_id", "user", "judge", "by")


class Annotation(NamedTuple):
    """What one person said. value: a grade, or True or False. label: yes or no beside a grade, as it is written."""

    by: str
    value: int | bool
    line: int
    label: object = None

    @property
    def says_yes(self) -> bool | None:
        """What the label beside a grade says; None where there is none."""
        return _word(self.label)


@dataclass(frozen=True, slots=True)
class Annotations:
    """Everything that a file says. left_out: rows that say "not judged"; replaced: rows that a later one took over."""

    path: Path
    pairs: Mapping[Pair, tuple[Annotation, ...]]
    left_out: int = 0
    replaced: int = 0


def read_annotations(path: Path | str) -> Annotations:
    """Read a file of annotations; the first row that cannot be understood is an error that names it."""
    place = Path(path)
    pairs: dict[Pair, dict[str, Annotation]] = {}
    rows = left_out = 0
    for pair, annotation in _rows(place):
        rows += 1
        if not isinstance(annotation.value, bool) and annotation.value < 0:
            left_out += 1
            continue
        pairs.setdefault(pair, {})[annotation.by] = annotation
    if not pairs:
        raise Complaints(place).fatal("holds no annotation.", hint="Expected query_id, doc_id and grade or label.")
    kept = sum(len(given) for given in pairs.values())
    listed = {pair: tuple(given.values()) for pair, given in pairs.items()}
    return Annotations(place, listed, left_out, rows - left_out - kept)


def _rows(path: Path) -> Iterator[tuple[Pair, Annotation]]:
    complaints = Complaints(path)
    found = sniff(path)
    is_table = found.format in ("blanks", "csv", "tsv")
    if is_table and (found.format == "blanks" or not found.header):
        yield from _judgment_rows(path, complaints)
        return
    for number, record in read_records(path, complaints):
        try:
            pair = get_id(record, "query"), get_id(record, "document")
            value = _value(record)
            label = None if isinstance(value, bool) else _label(record)
            yield pair, Annotation(_annotator(record) or f"row {number}", value, number, label)
        except (BadRecordError, BadValueError) as error:
            complaints.add(f"{str(error).rstrip('.')}.", line=number)


def _judgment_rows(path: Path, complaints: Complaints) -> Iterator[tuple[Pair, Annotation]]:
    for part in judgment_rows(path, complaints).parts:
        rows = zip(part.questions, part.documents, part.values.tolist(), part.numbers, strict=True)
        for question, document, grade, number in rows:
            yield (question, document), Annotation(f"row {number}", int(grade), number)


def _value(record: dict[str, object]) -> int | bool:
    key = find_key(record, "grade")
    if key is None:
        raise BadRecordError(f"no key {' or '.join(ALIASES['grade'])} (found {', '.join(record)}).")
    word = _word(record[key])
    return parse_grade(record[key]) if word is None else word


def _label(record: dict[str, object]) -> object:
    return next((value for key, value in record.items() if normal_name(key) == "label"), None)


def _word(value: object) -> bool | None:
    """Return what a yes or no means, None where it is something else."""
    if isinstance(value, bool):
        return value
    return WORDS.get(" ".join(value.lower().replace("_", " ").split())) if isinstance(value, str) else None


def _annotator(record: dict[str, object]) -> str:
    by_name = {normal_name(key): value for key, value in record.items()}
    value = next((by_name[name] for name in _ANNOTATORS if by_name.get(name) is not None), "")
    return str(value).strip()
