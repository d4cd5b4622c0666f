"""From several votes to one ruling.

Yes and no: the label that more than half of the votes have; where none has, the judge abstains. Grades: the median of
those that count, the lower of two middle ones; but where more than half of the votes are unsupported, or disputed, so
is the ruling. Votes that failed are left out and counted in the reason; where all failed, so has the ruling.

agreement: the share of the votes that the ruling follows: equal labels, for grades equal grades. Where no label has
more than half, the share of the commonest. Evidence is what the followed votes have, each span once; what is missing,
and the reason, are those of the first of them that says one.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from karat.judge.ruling import Ruling

if TYPE_CHECKING:
    from collections.abc import Sequence

    from karat.judge.judge import Scale
    from karat.judge.opinions import Opinion


def ruling_of(opinions: Sequence[Opinion], *, scale: Scale) -> Ruling:
    """Return the ruling that the votes make; a single one is the ruling itself."""
    if len(opinions) == 1:
        one = opinions[0]
        return Ruling(one.vote.label, one.vote.grade, one.evidence, one.missing, one.vote.reason)
    cast = [opinion for opinion in opinions if opinion.vote.label != "failed"]
    if not cast:
        reason = f"all {len(opinions)} votes failed: {opinions[0].vote.reason}"
        return Ruling("failed", reason=reason, votes=tuple(each.vote for each in opinions))
    return _by_label(opinions, cast) if scale.name == "yes-no" else _by_grade(opinions, cast)


def _by_label(opinions: Sequence[Opinion], cast: Sequence[Opinion]) -> Ruling:
    label, count = _commonest(cast)
    if 2 * count <= len(cast):
        return _abstained(opinions, cast, share=count / len(cast))
    return _following(opinions, [each for each in cast if each.vote.label == label], share=count / len(cast))


def _by_grade(opinions: Sequence[Opinion], cast: Sequence[Opinion]) -> Ruling:
    label, count = _commonest(cast)
    if label not in ("yes", "no") and 2 * count > len(cast):
        return _by_label(opinions, cast)
    graded = sorted((each for each in cast if each.vote.grade is not None), key=lambda each: each.vote.grade or 0)
    if not graded:
        return _abstained(opinions, cast, share=count / len(cast))
    median = graded[(len(graded) - 1) // 2].vote.grade
    followed = [each for each in cast if each.vote.grade == median]
    return _following(opinions, followed, share=len(followed) / len(cast))


def _following(opinions: Sequence[Opinion], followed: Sequence[Opinion], *, share: float) -> Ruling:
    first = followed[0].vote
    reason = next((each.vote.reason for each in followed if each.vote.reason), "")
    return Ruling(
        first.label,
        first.grade,
        tuple(dict.fromkeys(evidence for each in followed for evidence in each.evidence)),
        next((each.missing for each in followed if each.missing), ""),
        _joined(reason, _failures(opinions)),
        tuple(each.vote for each in opinions),
        share,
    )


def _abstained(opinions: Sequence[Opinion], cast: Sequence[Opinion], *, share: float) -> Ruling:
    counts = Counter(each.vote.label for each in cast)
    said = ", ".join(f"{count} {label}" for label, count in sorted(counts.items()))
    reason = _joined(f"no label has more than half of the votes ({said}).", _failures(opinions))
    missing = next((each.missing for each in cast if each.missing), "")
    return Ruling("abstained", None, (), missing, reason, tuple(each.vote for each in opinions), share)


def _commonest(cast: Sequence[Opinion]) -> tuple[str, int]:
    return Counter(each.vote.label for each in cast).most_common(1)[0]


def _failures(opinions: Sequence[Opinion]) -> str:
    failed = [each.vote.reason for each in opinions if each.vote.label == "failed"]
    return f"({len(failed)} of {len(opinions)} votes failed: {failed[0]})" if failed else ""


def _joined(*parts: str) -> str:
    return " ".join(part for part in parts if part)
