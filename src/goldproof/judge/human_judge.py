"""People's labels as judge; annotation files.

The scale is the shortest that holds all values (yes-no, 0-2, 0-4, 0-10), or the one that is given: a file may by chance
hold no 2. Several annotators of one pair are votes: majority or median, as for models (`goldproof.judge.votes`), and
disagreement is counted. A pair without annotation: abstained. Annotations are of single documents, so several together
are not judged, and there is no evidence: the annotation itself is the evidence.

A sheet of `goldproof mine --sheet` (`goldproof.io.datasets.sheet`) is on the scale 0-2 whatever it holds. An empty
grade means that the pair is not judged yet; such rows are counted.

Files: JSON lines (`query_id, doc_id, grade` or `label`, perhaps `annotator`; the aliases of `goldproof.io.columns`), a
JSON array, CSV and TSV with a header, Parquet, TREC qrels; text may be gzipped. A grade is a whole number; a label is
yes or no in one of the usual words. Negative grades mean "not judged" in qrels: such rows are left out and counted.
Rows without an annotator are taken to be of different people; where an annotator labels a pair twice the later row
counts.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from goldproof.errors import FileFormatError, InputError, counted
from goldproof.io import sha256_file
from goldproof.io.columns import ALIASES, find_key, normal_name
from goldproof.io.datasets.pair_labels import read_label_records, says_yes
from goldproof.io.datasets.sheet import is_sheet
from goldproof.io.diagnostics import Diagnostics
from goldproof.io.json_files import BadRecordError, get_id
from goldproof.io.text_files import check_file
from goldproof.io.values import BadValueError, parse_grade
from goldproof.judge.judge import GRADES_2, GRADES_4, GRADES_10, YES_NO, Ruling, Vote, scale_of
from goldproof.judge.votes import Opinion, ruling_of
from goldproof.llm import Estimate
from goldproof.plugins import check_options

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Mapping, Sequence

    from goldproof.io.datasets.pair_labels import Pair
    from goldproof.judge.judge import Scale
    from goldproof.records.entities import Document, Question

_ANNOTATORS: Final = ("annotator", "annotator_id", "rater", "rater_id", "worker", "worker_id", "user", "judge", "by")
_BY_LENGTH: Final = (YES_NO, GRADES_2, GRADES_4, GRADES_10)
_NO_SETS: Final = "annotations are of single documents; whether several suffice together they do not say."
_GRADES_HINT: Final = "Write 2 (answers the question), 1 (bears on it) or 0 into the grade column, or leave it empty."
_EXPECTED: Final = "Give the scale with #scale=0-10, or correct the value."


class Annotation(NamedTuple):
    """The label of one person. value: a grade, or True or False. label: yes or no beside a grade, as written."""

    by: str
    value: int | bool
    line: int | None
    label: object = None

    @property
    def says_yes(self) -> bool | None:
        """Whether the label beside a grade is a yes; None where there is none."""
        return says_yes(self.label)


@dataclass(frozen=True, slots=True)
class Annotations:
    """The annotations of a file. left_out: rows that say "not judged"; replaced: rows that a later one replaced.

    empty: rows without a grade. is_sheet: it is a sheet of `goldproof mine`, on the scale 0-2.
    """

    path: Path
    pairs: Mapping[Pair, tuple[Annotation, ...]]
    left_out: int = 0
    replaced: int = 0
    empty: int = 0
    is_sheet: bool = False


class HumanJudge:
    """Rules as the annotators did."""

    concurrency = 1

    def __init__(self, annotations: Annotations, *, scale: Scale | None = None) -> None:
        self._annotations = annotations
        self.scale = _scale(annotations, scale)
        digest = sha256_file(annotations.path)[:16]
        self.key = f"human:{annotations.path.name} (file {digest}) scale={self.scale.name}"

    @property
    def counts(self) -> dict[str, int]:
        """Pairs and annotations; contested: pairs on which annotators disagree; left out and replaced rows."""
        by_pair = self._annotations.pairs.values()
        return {
            "pairs": len(by_pair),
            "annotations": sum(map(len, by_pair)),
            "several": sum(len(annotations) > 1 for annotations in by_pair),
            "contested": sum(len({annotation.value for annotation in annotations}) > 1 for annotations in by_pair),
            "left_out": self._annotations.left_out,
            "replaced": self._annotations.replaced,
            "empty": self._annotations.empty,
        }

    @property
    def pairs(self) -> tuple[Pair, ...]:
        """The pairs that people judged, in the order of the file."""
        return tuple(self._annotations.pairs)

    def notes(self, questions: Container[str], documents: Container[str]) -> tuple[str, ...]:
        """Say how much is graded, and which ids are not among these questions and documents."""
        counts, name = self.counts, self._annotations.path.name
        rows = counts["annotations"] + counts["left_out"] + counts["replaced"] + counts["empty"]
        notes = [f"{name}: {counts['empty']:,} of {rows:,} rows have no grade yet."] if counts["empty"] else []
        unknown = {
            "questions": [question for question, _ in self.pairs if question not in questions],
            "documents": [document for _, document in self.pairs if document not in documents],
        }
        for kind, ids in unknown.items():
            distinct = dict.fromkeys(ids)
            if distinct:
                shown = f"{kind[:-1] if len(distinct) == 1 else kind} unknown here, such as {ids[0]!r}"
                rows_name = counted(len(ids), "graded row names", "graded rows name")
                notes.append(f"{name}: {rows_name} {len(distinct):,} {shown}: left out.")
        return tuple(notes)

    async def judge(self, question: Question, documents: Sequence[Document]) -> Ruling:
        """Look up the annotations of the pair."""
        if len(documents) != 1:
            return Ruling("abstained", reason=_NO_SETS)
        return self.ruling((question.id, documents[0].id))

    def ruling(self, pair: Pair) -> Ruling:
        """Return what the annotators of a pair say together."""
        annotations = self._annotations.pairs.get(pair)
        if annotations is None:
            return Ruling("abstained", reason="people have not graded this pair.")
        return ruling_of(list(map(self._opinion, annotations)), scale=self.scale)

    def estimate(self, question: Question, documents: Sequence[Document]) -> Estimate:  # noqa: ARG002 - it costs nothing
        """Return an empty estimate: no model is asked."""
        return Estimate()

    def why_not_sets(self, question: Question) -> str | None:
        """Return why not: people labelled single documents."""
        return f"question {question.id}: {_NO_SETS}"

    def _opinion(self, annotation: Annotation) -> Opinion:
        yes = annotation.value if isinstance(annotation.value, bool) else annotation.value >= self.scale.yes_from
        grade = None if self.scale is YES_NO else int(annotation.value)
        return Opinion(Vote(annotation.by, "yes" if yes else "no", grade))


def human_judge(rest: str, options: Mapping[str, str]) -> HumanJudge:
    """Return the judge over the file after the colon."""
    check_options(options, ("scale",), of="the human judge")
    if not rest:
        raise InputError("human: names no file; expected human:FILE, such as human:labels.jsonl.")
    return HumanJudge(read_annotations(rest), scale=scale_of(options))


def _scale(annotations: Annotations, chosen: Scale | None) -> Scale:
    """Return the scale of all values; yes or no beside grades, and grades beyond the scale, are errors."""
    every = [annotation for listed in annotations.pairs.values() for annotation in listed]
    words = [annotation for annotation in every if isinstance(annotation.value, bool)]
    grades = [annotation for annotation in every if not isinstance(annotation.value, bool)]
    highest = max(grades, key=lambda annotation: annotation.value, default=None)
    shortest = next((scale for scale in _BY_LENGTH if highest is None or highest.value <= scale.most), None)
    scale = chosen or (GRADES_2 if annotations.is_sheet and grades else shortest)
    if highest is not None and (scale is None or highest.value > scale.most):
        named = scale.name if scale else "0-10, the longest"
        raise FileFormatError(
            annotations.path, f"grade {highest.value} is not on the scale {named}.", line=highest.line, hint=_EXPECTED
        )
    if words and scale is not YES_NO:
        raise FileFormatError(
            annotations.path, "says yes or no, where other rows have grades.", line=words[0].line, hint=_EXPECTED
        )
    _refuse_contradictions(grades, scale or YES_NO, path=annotations.path)
    return scale or YES_NO


def _refuse_contradictions(grades: Sequence[Annotation], scale: Scale, *, path: Path) -> None:
    """Refuse a grade that contradicts the label beside it; a grade in between fits either."""
    for row in grades:
        yes = row.says_yes
        if yes is not None and ((row.value == 0) if yes else (row.value >= scale.yes_from)):
            conflict = f"grade {row.value} and label {row.label!r} contradict each other on the scale {scale.name}."
            raise FileFormatError(path, conflict, line=row.line, hint="Keep the one that is meant.")


def read_annotations(path: Path | str) -> Annotations:
    """Read a file of annotations; a row that cannot be read is an error with its line."""
    place = Path(path)
    pairs: dict[Pair, dict[str, Annotation]] = {}
    rows = left_out = empty = 0
    sheet = False
    for pair, annotation, is_row in _rows(place):
        rows += 1
        sheet = sheet or is_row
        if annotation is None:
            empty += 1
        elif not isinstance(annotation.value, bool) and annotation.value < 0:
            left_out += 1
        else:
            pairs.setdefault(pair, {})[annotation.by] = annotation
    if not pairs and empty:
        raise Diagnostics(place).error(f"has no grade yet in any of its {empty:,} rows.", hint=_GRADES_HINT)
    if not pairs:
        raise Diagnostics(place).error("holds no annotation.", hint="Expected query_id, doc_id and grade or label.")
    kept = sum(map(len, pairs.values()))
    listed = {pair: tuple(by_annotator.values()) for pair, by_annotator in pairs.items()}
    return Annotations(place, listed, left_out, rows - left_out - empty - kept, empty, is_sheet=sheet)


def _rows(path: Path) -> Iterator[tuple[Pair, Annotation | None, bool]]:
    """Yield each pair with its annotation, None where it has none yet, and whether it is a row of a sheet."""
    diagnostics = Diagnostics(check_file(path))
    for row, (number, _, record) in enumerate(read_label_records(path).records, start=2):
        sheet = is_sheet(record)
        pair = None
        try:
            pair = get_id(record, "query"), get_id(record, "document")
            value = _value(record)
            label = None if isinstance(value, bool) else _label(record)
            by = _annotator(record) or f"row {number}"
            yield pair, None if value is None else Annotation(by, value, number, label), sheet
        except (BadRecordError, BadValueError) as error:
            # A cell may hold several lines, so that the line of the file is not the row that people see.
            where = f" (row {row}: question {pair[0]!r}, document {pair[1]!r})" if sheet and pair else ""
            hint = _GRADES_HINT if sheet and pair else None
            diagnostics.report(f"{str(error).rstrip('.')}{where}.", line=number, hint=hint)


def _value(record: dict[str, object]) -> int | bool | None:
    """Return the grade or label; None where it is empty."""
    key = find_key(record, "grade")
    if key is None:
        raise BadRecordError(f"no key {' or '.join(ALIASES['grade'])} (found {', '.join(record)}).")
    value = _label(record) if _is_empty(record[key]) else record[key]
    if _is_empty(value):
        return None
    word = says_yes(value)
    return parse_grade(value) if word is None else word


def _is_empty(value: object) -> bool:
    return value is None or (isinstance(value, str) and not value.strip())


def _label(record: dict[str, object]) -> object:
    return next((value for key, value in record.items() if normal_name(key) == "label"), None)


def _annotator(record: dict[str, object]) -> str:
    by_name = {normal_name(key): value for key, value in record.items()}
    value = next((by_name[name] for name in _ANNOTATORS if by_name.get(name) is not None), "")
    return str(value).strip()
