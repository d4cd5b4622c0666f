"""What the judge says: of each pair a value (a score, a grade, or yes and no as 1 and 0) and a verdict of its own.

    scores   a number for every pair; verdicts only where the file has them: a score alone has no cut-off
    grades   a grade for every pair; relevant from the line of the scale, unless the file says yes or no itself
    yes-no   verdicts alone

The finest of the three that every ruling has is used. Scores that are all whole numbers from 0 to 10 are grades: BEIR's
qrels call their grades so. A ruling without a usable label (unsupported, disputed, abstained, failed) is no 0: it is
left out and counted by its reason. Where one pair has several rulings the last counts, and their number is reported.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal

from goldproof.errors import InputError
from goldproof.jobs.calibrate.scale import guess_scale

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from goldproof.jobs.calibrate.label_file import Label, Pair
    from goldproof.jobs.calibrate.label_values import Said
    from goldproof.jobs.calibrate.scale import LabelScale

Kind = Literal["scores", "grades", "yes-no"]
_LONGEST = 10


@dataclass(frozen=True, slots=True)
class JudgeLabels:
    """Values and verdicts by pair. verdicts: empty where the judge has no cut-off of its own.

    without: pair -> why there is no ruling that counts. repeated: rulings that a later one on the same pair replaced.
    sets: rulings on several documents together, which are passed over. unseen: pair -> why it was never put before the
    judge, where that is known; nothing that the judge says, so no bound speaks of it. remarks: what was passed over in
    their file.
    """

    key: str
    kind: Kind
    values: Mapping[Pair, float]
    verdicts: Mapping[Pair, bool]
    scale: LabelScale | None = None
    without: Mapping[Pair, str] = field(default_factory=dict)
    repeated: int = 0
    sets: int = 0
    unseen: Mapping[Pair, str] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()


def judge_labels(labels: Iterable[Label], *, scale: LabelScale | None, where: str, sets: int = 0) -> JudgeLabels:
    """Take the rulings of one judge. where: how messages call them."""
    last: dict[Pair, Label] = {}
    repeated = 0
    judges: dict[str, int] = {}
    for label in labels:
        repeated += label.pair in last
        last[label.pair] = label
        judges[label.rater] = judges.get(label.rater, 0) + 1
    if len(judges) > 1:
        names = ", ".join(f"{name or 'unnamed'} ({n:,})" for name, n in sorted(judges.items()))
        raise InputError(f"{where}: holds rulings of {len(judges)} judges: {names}; keep those of one.")
    said = {pair: _as_grade(label.said) for pair, label in last.items() if not label.said.without}
    found = _of_one_kind(said, scale, where=where)
    return replace(
        found,
        key=next(iter(judges), "") or where,
        without={pair: label.said.without for pair, label in last.items() if label.said.without},
        repeated=repeated,
        sets=sets,
    )


def _as_grade(said: Said) -> Said:
    """Negative grades are 0, as in labels beside traces."""
    return said if said.grade is None or said.grade >= 0 else said._replace(grade=0)


def _of_one_kind(said: Mapping[Pair, Said], scale: LabelScale | None, *, where: str) -> JudgeLabels:
    scores = {pair: one.score for pair, one in said.items() if one.score is not None}
    whole = all(score == int(score) and 0 <= score <= _LONGEST for score in scores.values())
    if len(scores) == len(said) and scores and not whole:
        verdicts = {pair: one.verdict for pair, one in said.items() if one.verdict is not None}
        return JudgeLabels("", "scores", scores, verdicts if len(verdicts) == len(said) else {})
    grades = {
        pair: int(one.score) if one.grade is None and one.score is not None else one.grade for pair, one in said.items()
    }
    known = {pair: grade for pair, grade in grades.items() if grade is not None}
    chosen = _scale(max(known.values(), default=1), scale, where=where)
    verdicts = {
        pair: one.verdict if one.verdict is not None else known[pair] >= chosen.yes_from for pair, one in said.items()
    }
    if len(known) == len(said) and chosen.most > 1:
        return JudgeLabels("", "grades", {pair: float(grade) for pair, grade in known.items()}, verdicts, chosen)
    return JudgeLabels("", "yes-no", {pair: float(yes) for pair, yes in verdicts.items()}, verdicts, chosen)


def _scale(highest: int, said: LabelScale | None, *, where: str) -> LabelScale:
    scale = said or guess_scale(highest)
    if scale is None or highest > scale.most:
        ends = "10, the longest scale known" if scale is None else f"{scale.most}, the end of the scale {scale.name}"
        raise InputError(f"{where}: grade {highest} is above {ends}; say which scale it is: --judge-scale 0-N:FROM.")
    return scale
