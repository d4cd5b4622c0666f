"""Labels of (question, document) pairs from any file; scales.

Files are those of `goldproof.io.datasets.pair_labels`; `annotator` says whose a label is. Of `judgments.jsonl` of
`goldproof mine`, where `documents` is a list, only rulings on a single document count.

The label of a record:

    label   yes, no (also true, false, relevant, irrelevant, not relevant), a whole number (a grade), or one of
            unsupported, disputed, abstained, failed, unsure, skip, unjudged: no label, with that as the reason
    grade   also `relevance`, `rel`, `gain`: a whole number, or words as above
    score   also `similarity`, `relevance_score`: any finite number

A label that is a reason wins over any number beside it: a grade without evidence is worth nothing. A missing value or
an empty cell is `no label`.

Scales:

    yes-no  0, 1      relevant from 1
    0-2     0 to 2    relevant from 2
    0-4     0 to 4    relevant from 3
    0-10    0 to 10   relevant from 7

Any other is written `0-N:FROM`, such as `0-3:2`; `0-2:1` moves the line of a known one. Where no scale is given, the
shortest of the four that holds the highest label is taken, and the report says so: a sample without the best grades
would look like a shorter scale. A sheet that people graded (`goldproof.io.datasets.sheet`) is on 0-2.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from goldproof.errors import InputError
from goldproof.io.columns import normal_name
from goldproof.io.datasets.pair_labels import LabelRecord, read_label_records, says_yes
from goldproof.io.datasets.sheet import is_sheet
from goldproof.io.diagnostics import Diagnostics
from goldproof.io.json_files import BadRecordError, get_id
from goldproof.io.values import BadValueError, parse_grade, parse_score
from goldproof.judge import SCALES

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from goldproof.io.datasets.pair_labels import Pair

NO_LABEL = "no label"
_REASONS = ("unsupported", "disputed", "abstained", "failed", "unsure", "skip", "skipped", "unjudged")
_GRADES = ("grade", "relevance", "rel", "gain")
_SCORES = ("score", "similarity", "relevance_score")
_RATERS = ("annotator", "annotator_id", "rater", "assessor", "worker", "worker_id", "user", "judge")
_WRITTEN = re.compile(r"0-([1-9][0-9]{0,3})(?::([1-9][0-9]{0,3}))?")
_LONGEST = 10


class LabelValue(NamedTuple):
    """The label of a pair: grade, score or verdict. without: why there is none, else empty."""

    grade: int | None = None
    score: float | None = None
    verdict: bool | None = None
    without: str = ""


@dataclass(frozen=True, slots=True)
class Label:
    """A rater's label of a pair. rater: empty where unknown. where: `line 7`, for messages."""

    pair: Pair
    value: LabelValue
    rater: str = ""
    where: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class LabelFile:
    """All labels of a file, in its order. sets: rulings on several documents together, which are passed over.

    remarks: what else was passed over, such as comments. is_sheet: it is a sheet of `goldproof mine`, graded 0-2.
    """

    labels: tuple[Label, ...]
    sets: int = 0
    remarks: tuple[str, ...] = ()
    is_sheet: bool = False


@dataclass(frozen=True, slots=True)
class LabelScale:
    """Grades from 0 to `most`, relevant from `yes_from`. guessed: from the labels, since no scale was given."""

    most: int
    yes_from: int
    guessed: bool = False

    @property
    def name(self) -> str:
        """The scale as a user writes it."""
        known = next((s.name for s in SCALES.values() if (s.most, s.yes_from) == (self.most, self.yes_from)), None)
        return known or f"0-{self.most}:{self.yes_from}"

    @property
    def levels(self) -> int:
        """How many grades there are."""
        return self.most + 1


def read_label_file(path: Path) -> LabelFile:
    """Read a file of labels; a record that cannot be read is an error with its line."""
    content = read_label_records(path, runs=True)
    return replace(_labels(content.records, Diagnostics(path)), remarks=content.remarks)


def label_records(records: Iterable[Mapping[str, object]], *, name: str) -> LabelFile:
    """Take labels from Python: records as in a file. name: how messages call them."""
    numbered = (LabelRecord(n, f"record {n}", dict(record)) for n, record in enumerate(records, start=1))
    return _labels(numbered, Diagnostics(Path(name), hint="Fix the record."))


def _labels(records: Iterable[LabelRecord], diagnostics: Diagnostics) -> LabelFile:
    labels: list[Label] = []
    sets = 0
    sheet = False
    for number, place, record in records:
        sheet = sheet or is_sheet(record)
        try:
            document = _document(record)
            if document is None:
                sets += 1
                continue
            pair = (get_id(record, "query"), document)
            labels.append(Label(pair, label_value(record), rater=_rater(record), where=place, reason=_reason(record)))
        except BadRecordError as error:
            diagnostics.report(str(error), line=number)
    graded = any(label.value.grade is not None for label in labels)
    return LabelFile(tuple(labels), sets, is_sheet=sheet and graded)


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


def label_value(record: Mapping[str, object]) -> LabelValue:
    """Read the label of a record; BadRecordError where it cannot be read."""
    cells = {normal_name(key): value for key, value in record.items()}
    if "judge_grade" in cells:  # a mined file, where `grade` is that of the qrels
        cells["grade"] = cells["judge_grade"]
    words = [_words(cells.get(name), name) for name in ("label", *_GRADES)]
    without = next((word.without for word in words if word.without), "")
    if without:
        return LabelValue(without=without)
    grade = next((word.grade for word in reversed(words) if word.grade is not None), None)
    verdict = next((word.verdict for word in words if word.verdict is not None), None)
    scores = (_score(cells.get(name), name) for name in _SCORES)
    score = next((score for score in scores if score is not None), None)
    if grade is None and verdict is None and score is None:
        if not any(name in cells for name in ("label", *_GRADES, *_SCORES)):
            raise BadRecordError(f"no key 'grade', 'label' or 'score' (found {', '.join(map(repr, record))}).")
        return LabelValue(without=NO_LABEL)
    return LabelValue(grade, score, verdict)


def _words(value: object, name: str) -> LabelValue:
    """Read a label in words, or a grade."""
    if value is None or value == "":
        return LabelValue()
    verdict = says_yes(value)
    if verdict is not None:
        return LabelValue(verdict=verdict)
    text = value.strip().casefold() if isinstance(value, str) else ""
    if text in _REASONS:
        return LabelValue(without=text)
    try:
        return LabelValue(grade=parse_grade(value))
    except BadValueError as error:
        hint = "" if not text else "; expected yes, no, a whole number, or why there is no label, such as abstained"
        raise BadRecordError(f"{error} (key {name!r}){hint}.") from error


def _score(value: object, name: str) -> float | None:
    if value is None or value == "":
        return None
    try:
        return parse_score(value)
    except BadValueError as error:
        raise BadRecordError(f"{error} (key {name!r}).") from error


def parse_scale(text: str, *, option: str) -> LabelScale:
    """Read a scale as a user writes it."""
    known = SCALES.get(text)  # type: ignore[call-overload]  # any text may be asked for
    if known is not None:
        return LabelScale(known.most, known.yes_from)
    written = _WRITTEN.fullmatch(text)
    if written is None or (written[2] is None and f"0-{written[1]}" not in SCALES):
        raise InputError(
            f"{option} {text!r}: expected yes-no, 0-2, 0-4, 0-10, or 0-N:FROM (relevant from FROM), such as 0-3:2."
        )
    most, yes_from = int(written[1]), int(written[2])
    if yes_from > most:
        raise InputError(f"{option} {text!r}: nothing is relevant from {yes_from} on a scale that ends at {most}.")
    return LabelScale(most, yes_from)


def guess_scale(highest: float) -> LabelScale | None:
    """Return the shortest known scale that holds the highest label; None where none does."""
    fitting = [scale for scale in SCALES.values() if scale.most >= highest]
    if not fitting or highest > _LONGEST:
        return None
    shortest = min(fitting, key=lambda scale: scale.most)
    return LabelScale(shortest.most, shortest.yes_from, guessed=True)
