"""One human label per pair; one value and verdict per pair of the judge.

People: the label of a pair is the median of its annotators' (for yes and no the majority), the lower of the middle two
where their number is even. Where the middle two disagree on whether the pair is relevant at all, the annotators are
tied: the pair has no human label, and is counted. Where an annotator labels a pair twice the later label counts, and
their number is reported. Unsigned labels are taken to be of different people.

How far the annotators agree among themselves is Krippendorff's alpha (ordinal; for yes and no nominal), over the pairs
with two labels or more. No judge can be expected to agree with them better than they do with each other.

Yes and no are no grades: which grades they would be on a longer scale is unknown, so beside grades they are refused.

The judge:

    scores   a number for every pair; verdicts only where the file has them: a score alone has no cut-off
    grades   a grade for every pair; relevant from the line of the scale, unless the file says yes or no itself
    yes-no   verdicts alone

The finest of the three that every ruling has is used. Scores that are all whole numbers from 0 to 10 are grades: BEIR's
qrels call their grades so. A ruling without a usable label (unsupported, disputed, abstained, failed) is no 0: it is
left out and counted by its reason. Where one pair has several rulings the last counts, and their number is reported.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from itertools import combinations, zip_longest
from typing import TYPE_CHECKING, Literal

from goldproof.errors import InputError
from goldproof.jobs.calibrate.label_file import guess_scale
from goldproof.stats import fleiss_kappa, gwet_ac1, krippendorff_alpha

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from goldproof.io.datasets.pair_labels import Pair
    from goldproof.jobs.calibrate.label_file import Label, LabelScale, LabelValue
    from goldproof.stats import Effect

Kind = Literal["scores", "grades", "yes-no"]
TIED = "annotators tied"
_ONE_WAY = "grade all pairs, or say yes or no of all and leave out --human-scale."
_LONGEST = 10


@dataclass(frozen=True, slots=True)
class Annotators:
    """Agreement of annotators on the pairs with two labels or more. exact: share of equal pairs of labels.

    fleiss, ac1: of grades as categories without order; they weigh a miss by one grade as any other.
    """

    pairs: int
    most: int
    exact: float
    alpha: Effect
    fleiss: Effect
    ac1: Effect


@dataclass(frozen=True, slots=True)
class HumanLabels:
    """People's grades by pair. without: pair -> why it has no label.

    revised: labels that a later one of the same person replaced. negative: labels below 0, taken as 0. remarks: on
    skipped parts of their file.
    """

    grades: Mapping[Pair, int]
    scale: LabelScale
    labels: int
    without: Mapping[Pair, str] = field(default_factory=dict)
    annotators: Annotators | None = None
    revised: int = 0
    negative: int = 0
    remarks: tuple[str, ...] = ()

    def relevant(self, pair: Pair) -> bool:
        """Whether people call the pair relevant."""
        return self.grades[pair] >= self.scale.yes_from


@dataclass(frozen=True, slots=True)
class JudgeLabels:
    """The judge's values and verdicts by pair. verdicts: empty where the judge has no cut-off of its own.

    without: pair -> why there is no ruling that counts. repeated: rulings that a later one on the same pair replaced.
    sets: rulings on several documents together, which are skipped. unseen: pair -> why it was never shown to the judge,
    where that is known; it is no ruling, so the bounds leave it out. remarks: on skipped parts of their file.
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


def human_labels(labels: Iterable[Label], *, scale: LabelScale | None, where: str, seed: int = 0) -> HumanLabels:
    """Reduce the labels to one per pair. where: how messages call the labels."""
    by_pair: dict[Pair, dict[str, int]] = {}
    without: dict[Pair, str] = {}
    revised = negative = number = 0
    in_words = ""
    both: list[Label] = []
    for label in labels:
        both += [label] if label.value.grade is not None and label.value.verdict is not None else []
        in_words = in_words or _in_words(label)
        grade = _grade(label, where=where)
        if grade is None:
            without.setdefault(label.pair, label.value.without)
            continue
        negative += grade < 0
        number += 1
        votes = by_pair.setdefault(label.pair, {})
        rater = label.rater or f"#{len(votes)}"
        revised += rater in votes
        votes[rater] = max(grade, 0)
    highest = max((grade for votes in by_pair.values() for grade in votes.values()), default=1)
    chosen = _fitting_scale(highest, scale, where=where, name="label", option="--human-scale")
    if in_words and chosen.most > 1:
        raise InputError(f"{where}: {in_words} says yes or no, where labels are on the scale {chosen.name}; {_ONE_WAY}")
    _refuse_contradictions(both, chosen, where=where)
    medians = {pair: _median(list(votes.values()), chosen) for pair, votes in by_pair.items()}
    tied = {pair: TIED for pair, grade in medians.items() if grade is None}
    return HumanLabels(
        grades={pair: grade for pair, grade in medians.items() if grade is not None},
        scale=chosen,
        labels=number,
        without={pair: why for pair, why in without.items() if pair not in by_pair} | tied,
        annotators=_annotators([list(votes.values()) for votes in by_pair.values()], chosen, seed=seed),
        revised=revised,
        negative=negative,
    )


def _in_words(label: Label) -> str:
    """Return the place of a label that says yes or no and nothing else; empty for any other."""
    return f"{label.where}:" if label.value.grade is None and label.value.verdict is not None else ""


def _refuse_contradictions(both: Iterable[Label], scale: LabelScale, *, where: str) -> None:
    """Refuse a grade that contradicts the yes or no beside it; a grade in between fits either."""
    for label in both:
        grade, verdict = label.value.grade or 0, label.value.verdict
        if (grade <= 0) if verdict else (grade >= scale.yes_from):
            conflict = f"grade {grade} and the label '{'yes' if verdict else 'no'}' contradict each other"
            raise InputError(
                f"{where}: {label.where}: {conflict} on the scale {scale.name}; keep the one that is meant."
            )


def _grade(label: Label, *, where: str) -> int | None:
    value = label.value
    if value.grade is not None:
        return value.grade
    if value.verdict is not None:
        return int(value.verdict)
    if value.score is None:
        return None
    if value.score != int(value.score):
        raise InputError(f"{where}: {label.where}: {value.score:g} is no whole number; people's labels are grades.")
    return int(value.score)


def _median(votes: Sequence[int], scale: LabelScale) -> int | None:
    """Return the lower median; None where the middle two disagree on relevance."""
    ordered = sorted(votes)
    low, high = ordered[(len(ordered) - 1) // 2], ordered[len(ordered) // 2]
    return low if (low >= scale.yes_from) == (high >= scale.yes_from) else None


def _annotators(votes: Sequence[Sequence[int]], scale: LabelScale, *, seed: int) -> Annotators | None:
    shared = [own for own in votes if len(own) > 1]
    if not shared:
        return None
    equal = Counter(a == b for own in shared for a, b in combinations(own, 2))
    ratings = list(zip_longest(*shared))
    return Annotators(
        pairs=len(shared),
        most=max(map(len, shared)),
        exact=equal[True] / equal.total(),
        alpha=krippendorff_alpha(ratings, level="nominal" if scale.most == 1 else "ordinal", seed=seed),
        fleiss=fleiss_kappa(ratings, seed=seed),
        ac1=gwet_ac1(ratings, categories=range(scale.levels), seed=seed),
    )


def judge_labels(labels: Iterable[Label], *, scale: LabelScale | None, where: str, sets: int = 0) -> JudgeLabels:
    """Reduce the rulings of one judge to a value and verdict per pair. where: how messages call them."""
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
    values = {pair: _not_negative(label.value) for pair, label in last.items() if not label.value.without}
    return replace(
        _of_one_kind(values, scale, where=where),
        key=next(iter(judges), "") or where,
        without={pair: label.value.without for pair, label in last.items() if label.value.without},
        repeated=repeated,
        sets=sets,
    )


def _not_negative(value: LabelValue) -> LabelValue:
    """Return the label with a negative grade as 0, as in labels beside traces."""
    return value if value.grade is None or value.grade >= 0 else value._replace(grade=0)


def _of_one_kind(values: Mapping[Pair, LabelValue], scale: LabelScale | None, *, where: str) -> JudgeLabels:
    """Return scores, grades or verdicts: the finest that every ruling has."""
    scores = {pair: value.score for pair, value in values.items() if value.score is not None}
    whole = all(score == int(score) and 0 <= score <= _LONGEST for score in scores.values())
    if len(scores) == len(values) and scores and not whole:
        verdicts = {pair: value.verdict for pair, value in values.items() if value.verdict is not None}
        return JudgeLabels("", "scores", scores, verdicts if len(verdicts) == len(values) else {})
    grades = {
        pair: int(value.score) if value.grade is None and value.score is not None else value.grade
        for pair, value in values.items()
    }
    known = {pair: grade for pair, grade in grades.items() if grade is not None}
    highest = max(known.values(), default=1)
    chosen = _fitting_scale(highest, scale, where=where, name="grade", option="--judge-scale")
    verdicts = {
        pair: value.verdict if value.verdict is not None else known[pair] >= chosen.yes_from
        for pair, value in values.items()
    }
    if len(known) == len(values) and chosen.most > 1:
        return JudgeLabels("", "grades", {pair: float(grade) for pair, grade in known.items()}, verdicts, chosen)
    return JudgeLabels("", "yes-no", {pair: float(yes) for pair, yes in verdicts.items()}, verdicts, chosen)


def _fitting_scale(highest: int, given: LabelScale | None, *, where: str, name: str, option: str) -> LabelScale:
    """Return the scale given, else the guessed one; refuse a label above its end. name: how messages call a label."""
    scale = given or guess_scale(highest)
    if scale is None or highest > scale.most:
        ends = "10, the longest scale known" if scale is None else f"{scale.most}, the end of the scale {scale.name}"
        raise InputError(f"{where}: {name} {highest} is above {ends}; say which scale it is: {option} 0-N:FROM.")
    return scale
