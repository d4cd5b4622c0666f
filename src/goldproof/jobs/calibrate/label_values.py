"""What one record says of a pair: a grade, a score, a yes or no, or why there is none of them.

    label   yes, no (also true, false, relevant, irrelevant, not relevant), a whole number (a grade), or one of
            unsupported, disputed, abstained, failed, unsure, skip, unjudged: no label, with that as the reason
    grade   also `relevance`, `rel`, `gain`: a whole number, or words as above
    score   also `similarity`, `relevance_score`: any finite number

A label that is a reason wins over any number beside it: a grade that came without evidence is worth nothing. Nothing,
or an empty cell, is `no label`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from goldproof.io.columns import normal_name
from goldproof.io.json_files import BadRecordError
from goldproof.io.values import BadValueError, parse_grade, parse_score

if TYPE_CHECKING:
    from collections.abc import Mapping

NO_LABEL = "no label"
_YES = ("yes", "true", "relevant", "positive")
_NO = ("no", "false", "irrelevant", "not relevant", "negative")
_REASONS = ("unsupported", "disputed", "abstained", "failed", "unsure", "skip", "skipped", "unjudged")
_GRADES = ("grade", "relevance", "rel", "gain")
_SCORES = ("score", "similarity", "relevance_score")


class Said(NamedTuple):
    """What is said of a pair. without: why nothing is, else empty."""

    grade: int | None = None
    score: float | None = None
    verdict: bool | None = None
    without: str = ""


def said_of(record: Mapping[str, object]) -> Said:
    """Read a record; what cannot be read is a BadRecordError."""
    cells = {normal_name(key): value for key, value in record.items()}
    if "judge_grade" in cells:  # of a mined file, where `grade` is that of the qrels
        cells["grade"] = cells["judge_grade"]
    words = [_words(cells.get(name), name) for name in ("label", *_GRADES)]
    without = next((said.without for said in words if said.without), "")
    if without:
        return Said(without=without)
    grade = next((said.grade for said in reversed(words) if said.grade is not None), None)
    verdict = next((said.verdict for said in words if said.verdict is not None), None)
    score = next((found for name in _SCORES if (found := _score(cells.get(name), name)) is not None), None)
    if grade is None and verdict is None and score is None:
        if not any(name in cells for name in ("label", *_GRADES, *_SCORES)):
            raise BadRecordError(f"no key 'grade', 'label' or 'score' (found {', '.join(map(repr, record))}).")
        return Said(without=NO_LABEL)
    return Said(grade, score, verdict)


def _words(value: object, name: str) -> Said:
    """Read a label in words, or a grade."""
    if value is None or value == "":
        return Said()
    if isinstance(value, bool):
        return Said(verdict=value)
    text = value.strip().casefold().replace("_", " ") if isinstance(value, str) else ""
    if text in _YES or text in _NO:
        return Said(verdict=text in _YES)
    if text in _REASONS:
        return Said(without=text)
    try:
        return Said(grade=parse_grade(value))
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
