"""From several votes to one ruling.

Yes and no: the label that more than half of the votes have. Grades: the median, where more than half of the votes have
one, the lower of two middle ones; but where more than half of the votes are unsupported, or disputed, so is the ruling.
Where there is no such majority the judge abstains, and where all votes failed, so has the ruling. Half is of the votes
that were asked for: one yes beside two that failed is no majority.

agreement: the share of the votes asked for that the ruling follows: equal labels, for grades equal grades. Where it
follows none, the share of the commonest label. Evidence is what the followed votes have, each span once; what is
missing, and the reason, are those of the first of them that says one.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from goldproof.core.wording import joined
from goldproof.judge.ruling import Ruling

if TYPE_CHECKING:
    from collections.abc import Sequence

    from goldproof.judge.judge import Scale
    from goldproof.judge.opinions import Opinion


def ruling_of(opinions: Sequence[Opinion], *, scale: Scale) -> Ruling:
    """Return the ruling that the votes make; a single one is the ruling itself."""
    if len(opinions) == 1:
        one = opinions[0]
        return Ruling(one.vote.label, one.vote.grade, one.evidence, one.missing, one.vote.reason)
    if all(opinion.vote.label == "failed" for opinion in opinions):
        reason = f"all {len(opinions)} votes failed: {opinions[0].vote.reason}"
        return Ruling("failed", reason=reason, votes=tuple(each.vote for each in opinions))
    return _by_label(opinions) if scale.name == "yes-no" else _by_grade(opinions)


def _by_label(opinions: Sequence[Opinion]) -> Ruling:
    label, count = _commonest(opinions)
    if 2 * count <= len(opinions):
        return _abstained(opinions, "no label has more than half of the votes")
    return _following(opinions, [each for each in opinions if each.vote.label == label])


def _by_grade(opinions: Sequence[Opinion]) -> Ruling:
    label, count = _commonest(opinions)
    if label not in ("yes", "no") and 2 * count > len(opinions):
        return _by_label(opinions)
    grades = sorted(each.vote.grade for each in opinions if each.vote.grade is not None)
    if 2 * len(grades) <= len(opinions):
        return _abstained(opinions, "no more than half of the votes have a grade")
    median = grades[(len(grades) - 1) // 2]
    return _following(opinions, [each for each in opinions if each.vote.grade == median])


def _following(opinions: Sequence[Opinion], followed: Sequence[Opinion]) -> Ruling:
    first = followed[0].vote
    reason = next((each.vote.reason for each in followed if each.vote.reason), "")
    return Ruling(
        first.label,
        first.grade,
        tuple(dict.fromkeys(evidence for each in followed for evidence in each.evidence)),
        next((each.missing for each in followed if each.missing), ""),
        joined(reason, _failures(opinions)),
        tuple(each.vote for each in opinions),
        len(followed) / len(opinions),
    )


def _abstained(opinions: Sequence[Opinion], why: str) -> Ruling:
    cast = [each for each in opinions if each.vote.label != "failed"]
    counts = Counter(each.vote.label for each in cast)
    said = ", ".join(f"{count} {label}" for label, count in sorted(counts.items()))
    reason = joined(f"{why} ({said}).", _failures(opinions))
    missing = next((each.missing for each in cast if each.missing), "")
    share = _commonest(opinions)[1] / len(opinions)
    return Ruling("abstained", None, (), missing, reason, tuple(each.vote for each in opinions), share)


def _commonest(opinions: Sequence[Opinion]) -> tuple[str, int]:
    """Return the label that most votes have, with their number; failed ones have none."""
    counts = Counter(each.vote.label for each in opinions if each.vote.label != "failed")
    return counts.most_common(1)[0]


def _failures(opinions: Sequence[Opinion]) -> str:
    failed = [each.vote.reason for each in opinions if each.vote.label == "failed"]
    return f"({len(failed)} of {len(opinions)} votes failed: {failed[0]})" if failed else ""
