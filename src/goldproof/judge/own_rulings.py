"""What a judge of the user's may return, and the ruling that it means.

    True, False                 yes, no
    a whole number              a grade, where the judge has a scale of grades; else 1 is yes and 0 is no
    a label                     "yes", "no", "unsupported", "disputed", "abstained", "failed", in any case
    a dict                      label or grade, and quotes, missing, reason; quotes are checked as a model's are
    a Ruling                    itself

Anything else, None among it, is a mistake: the ruling is `failed`, and its reason says what was returned. A grade that
says the answer is there makes a yes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final, cast, get_args

from goldproof.core.wording import joined, kind_of, shown
from goldproof.judge.opinions import find_quotes, quote_problem
from goldproof.judge.ruling import Label, Ruling

if TYPE_CHECKING:
    from goldproof.judge.judge import Scale
    from goldproof.judge.opinions import Matter

_EXPECTED: Final = "expected True or False, a grade, a label, a dict or a Ruling"
_KEYS: Final = ("label", "grade", "quotes", "missing", "reason")
_LABELS: Final = get_args(Label)


def own_ruling(returned: object, matter: Matter) -> Ruling:
    """Return the ruling that a returned value means."""
    value = _plain(returned)
    if isinstance(value, Ruling):
        return _checked(value, matter.scale)
    if isinstance(value, Mapping):
        return _of_record(value, matter)
    if isinstance(value, bool | int | str):
        return _of_value(value, matter.scale)
    return _failed(f"the judge returned {kind_of(returned)}; {_EXPECTED}.")


def _plain(returned: object) -> object:
    """Return a number of numpy's as Python's own."""
    item = getattr(returned, "item", None)
    return item() if callable(item) and getattr(returned, "ndim", 1) == 0 else returned


def _of_value(value: bool | int | str, scale: Scale) -> Ruling:  # noqa: FBT001 - it is what a judge returned
    if isinstance(value, bool):
        return Ruling("yes" if value else "no")
    if isinstance(value, int):
        return _of_grade(value, scale)
    label = value.strip().lower()
    if label not in _LABELS:
        return _failed(f"the judge returned {shown(value)}; expected one of {', '.join(_LABELS)}.")
    return Ruling(cast("Label", label))


def _of_grade(grade: int, scale: Scale) -> Ruling:
    if not 0 <= grade <= scale.most:
        hint = ' Say which scale it is: scale = "0-4" on the judge, or #scale=0-4 after its name.'
        return _failed(f"grade {grade} is not on the scale {scale.name}.{hint}")
    label: Label = "yes" if grade >= scale.yes_from else "no"
    return Ruling(label, None if scale.name == "yes-no" else grade)


def _of_record(record: Mapping[object, object], matter: Matter) -> Ruling:
    unknown = [key for key in record if key not in _KEYS]
    if unknown:
        return _failed(f"the judge returned a dict with the key {shown(unknown[0])}; known: {', '.join(_KEYS)}.")
    value = record.get("grade") if record.get("grade") is not None else record.get("label")
    if not isinstance(value, bool | int | str):
        return _failed(f"the judge returned a dict without label or grade; {_EXPECTED}.")
    said = _of_value(value, matter.scale)
    quotes = record.get("quotes") or ()
    listed = [quotes] if isinstance(quotes, str) else [str(each) for each in cast("list[object]", quotes)]
    found, lost = find_quotes(listed, matter)
    reason, missing = str(record.get("reason") or said.reason), str(record.get("missing") or "")
    problem = quote_problem(listed, lost, question=matter.question) if said.label == "yes" else ""
    if problem:
        return Ruling("unsupported", reason=joined(problem, reason))
    return Ruling(said.label, said.grade, found, missing, reason)


def _checked(ruling: Ruling, scale: Scale) -> Ruling:
    if ruling.label not in _LABELS:
        return _failed(f"the judge returned a ruling {shown(ruling.label)}; expected one of {', '.join(_LABELS)}.")
    if ruling.grade is not None and not 0 <= ruling.grade <= scale.most:
        return _of_grade(ruling.grade, scale)
    return ruling


def _failed(reason: str) -> Ruling:
    return Ruling("failed", reason=reason)
