from __future__ import annotations

from itertools import permutations
from typing import TYPE_CHECKING

import pytest

from goldproof.judge import GRADES_4, YES_NO, Evidence, Vote
from goldproof.judge.votes import Opinion, ruling_of

if TYPE_CHECKING:
    from goldproof.judge import Label

SPAN = Evidence("d", 0, 3, "abc")
OTHER = Evidence("d", 5, 8, "fgh")


def opinion(label: Label, grade: int | None = None, **more: object) -> Opinion:
    return Opinion(Vote("m", label, grade, reason=f"said {label}"), **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("labels", "label", "agreement"),
    [
        (["yes", "yes", "no"], "yes", 2 / 3),
        (["yes", "no"], "abstained", 1 / 2),
        (["yes", "unsupported", "no"], "abstained", 1 / 3),
        (["yes", "yes", "no", "unsupported", "disputed"], "abstained", 2 / 5),
        (["unsupported", "unsupported", "yes"], "unsupported", 2 / 3),
        (["disputed", "disputed"], "disputed", 1),
        (["yes", "failed", "failed"], "abstained", 1 / 3),
        (["yes", "failed"], "abstained", 1 / 2),
        (["yes", "yes", "failed"], "yes", 2 / 3),
        (["yes", "no", "failed"], "abstained", 1 / 3),
        (["unsupported", "unsupported", "failed", "failed"], "abstained", 2 / 4),
        (["failed", "failed"], "failed", None),
    ],
)
def test_more_than_half_of_the_votes_asked_for_decide(
    labels: list[Label], label: Label, agreement: float | None
) -> None:
    for order in permutations(labels):
        ruling = ruling_of([opinion(each) for each in order], scale=YES_NO)
        assert (ruling.label, ruling.agreement) == (label, agreement)
        assert len(ruling.votes) == len(labels)


def test_the_reason_counts_failures_and_names_how_votes_are_split() -> None:
    split = ruling_of([opinion("yes"), opinion("no"), opinion("failed")], scale=YES_NO)
    assert split.reason == "no label has more than half of the votes (1 no, 1 yes). (1 of 3 votes failed: said failed)"
    assert ruling_of([opinion("failed")] * 2, scale=YES_NO).reason == "all 2 votes failed: said failed"


@pytest.mark.parametrize(
    ("grades", "grade", "agreement"),
    [
        ([4, 3, 1], 3, 1 / 3),
        ([4, 4, 0], 4, 2 / 3),
        ([3, 2], 2, 1 / 2),
        ([0, 1, 3, 4], 1, 1 / 4),
        ([2, 2], 2, 1),
    ],
)
def test_grades_make_their_median_the_lower_one_on_a_tie(grades: list[int], grade: int, agreement: float) -> None:
    opinions = [opinion("yes" if each >= 3 else "no", each) for each in grades]
    for order in permutations(opinions):
        ruling = ruling_of(order, scale=GRADES_4)
        assert (ruling.grade, ruling.agreement) == (grade, agreement)
        assert ruling.label == ("yes" if grade >= 3 else "no")


@pytest.mark.parametrize(
    ("grades", "grade", "agreement"),
    [
        ([4, None, None], None, 1 / 3),
        ([4, None], None, 1 / 2),
        ([4, 1, None], 1, 1 / 3),
        ([4, 4, None], 4, 2 / 3),
        ([4, 4, None, None], None, 2 / 4),
        ([None, None], None, None),
    ],
)
def test_a_median_needs_grades_of_more_than_half_of_the_votes_asked_for(
    grades: list[int | None], grade: int | None, agreement: float | None
) -> None:
    opinions = [opinion("failed") if each is None else opinion("yes" if each >= 3 else "no", each) for each in grades]
    for order in permutations(opinions):
        ruling = ruling_of(order, scale=GRADES_4)
        assert (ruling.grade, ruling.agreement) == (grade, agreement)
        if grade is None:
            assert ruling.label == ("failed" if agreement is None else "abstained")


def test_unsupported_grades_do_not_count_but_a_majority_of_them_decides() -> None:
    few = ruling_of([opinion("unsupported"), opinion("no", 1), opinion("yes", 4)], scale=GRADES_4)
    assert (few.label, few.grade, few.agreement) == ("no", 1, 1 / 3)
    most = ruling_of([opinion("unsupported"), opinion("unsupported"), opinion("yes", 4)], scale=GRADES_4)
    assert (most.label, most.grade) == ("unsupported", None)
    none = ruling_of([opinion("unsupported"), opinion("disputed")], scale=GRADES_4)
    assert (none.label, none.grade) == ("abstained", None)
    mixed = [opinion("unsupported"), opinion("disputed"), opinion("failed"), opinion("yes", 4)]
    lone = ruling_of(mixed, scale=GRADES_4)
    assert (lone.label, lone.grade, lone.agreement) == ("abstained", None, 1 / 4)
    assert lone.reason.startswith("no more than half of the votes have a grade (1 disputed, 1 unsupported, 1 yes).")


def test_evidence_and_what_is_missing_are_those_of_the_votes_that_are_followed() -> None:
    votes = [
        opinion("no", missing="other"),
        opinion("yes", evidence=(SPAN,)),
        opinion("yes", evidence=(OTHER, SPAN)),
    ]
    ruling = ruling_of(votes, scale=YES_NO)
    assert (ruling.evidence, ruling.missing, ruling.reason) == ((SPAN, OTHER), "", "said yes")


def test_a_single_vote_is_the_ruling() -> None:
    ruling = ruling_of([opinion("yes", evidence=(SPAN,))], scale=YES_NO)
    assert (ruling.label, ruling.evidence, ruling.votes, ruling.agreement) == ("yes", (SPAN,), (), None)
