"""What stood before the first expected memory, and what stands in the wrong order of time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldproof.jobs.memory.analysis.findings import returned_items
from goldproof.jobs.memory.analysis.returned import not_first, out_of_order, similarities_of
from tests.jobs.memory.analysis.situations import asking, hit, memory, scored

if TYPE_CHECKING:
    from goldproof.jobs.memory.analysis.returned import Observation
    from goldproof.metrics.memory.outcome import Order

STORED = [memory("a", "Rent is 900.", turn=1), memory("b", "Rent is 950.", turn=5), memory("c", "Hello.", turn=9)]


def order_verdict(*came: str, order: Order | None) -> Observation:
    row = scored(asking("rent?", {"a": 1, "b": 2}), STORED, hits=[hit(one) for one in came])
    return out_of_order(row.answered, returned_items(row), order=order)


def first_verdict(*came: tuple[str, float | None], kind: str = "update", **expected: int) -> Observation:
    row = scored(asking("rent?", expected or {"b": 2}, kind=kind), STORED, hits=[hit(*one) for one in came])
    items = returned_items(row)
    return not_first(row.answered, items, similarities_of(items, {}))


def first_remark(*came: tuple[str, float | None]) -> str:
    return first_verdict(*came).remark


def test_what_stood_before_the_first_expected_is_compared_by_age_and_similarity() -> None:
    assert first_remark(("a", 0.7), ("c", 0.5), ("b", 0.6)) == (
        'b (similarity 0.600) came at 3, after a "Rent is 900." (similarity 0.700, older), '
        'c "Hello." (similarity 0.500, newer); its own similarities.'
    )


def test_without_similarities_only_the_age_is_compared() -> None:
    assert first_remark(("a", None), ("b", None)) == 'b came at 2, after a "Rent is 900." (older).'


def test_one_expected_with_a_lower_grade_is_wrong_in_the_first_place_and_decay_may_mend_it() -> None:
    found = first_verdict(("a", 0.7), ("b", 0.6), a=1, b=2)
    assert found.remark == (
        'a "Rent is 900." came first, with grade 1; one of grade 2 should. b (similarity 0.600) came '
        'at 2, after a "Rent is 900." (grade 1, similarity 0.700, older); its own similarities.'
    )
    assert [(one.letter, one.because) for one in found.advice] == [
        ("F", "a came first and is older than the memories of grade 2")
    ]


def test_where_none_of_the_highest_grade_came_one_of_a_lower_grade_is_wrong_all_the_same() -> None:
    found = first_verdict(("a", None), ("c", None), a=1, b=2)
    assert found.remark == (
        'a "Rent is 900." came first, with grade 1; one of grade 2 should. Nothing of grade 2 came.'
    )
    assert [one.letter for one in found.advice] == ["F"]


def test_decay_is_not_advised_where_the_lower_grade_is_newer_or_nothing_new_is_asked_for() -> None:
    newer = first_verdict(("b", None), ("a", None), a=2, b=1)
    timeless = first_verdict(("a", None), ("b", None), kind="exact", a=1, b=2)
    assert newer.remark.startswith('b "Rent is 950." came first, with grade 1; one of grade 2 should')
    assert timeless.remark.startswith('a "Rent is 900." came first, with grade 1; one of grade 2 should')
    assert newer.advice == timeless.advice == ()


def test_of_equal_grades_any_may_come_first() -> None:
    assert first_verdict(("a", None), ("b", None), a=1, b=1) == ("", ())


def test_nothing_is_said_where_an_expected_one_is_first_or_none_came() -> None:
    assert first_remark(("b", 0.6), ("a", 0.7)) == ""
    assert first_remark(("a", 0.6)) == ""


def test_the_wrong_order_of_time_is_named() -> None:
    newest = order_verdict("a", "c", "b", order="newest")
    assert newest.remark == "Asked for newest first, but a before b."
    assert [one.letter for one in newest.advice] == ["F"]
    oldest = order_verdict("b", "a", order="oldest")
    assert oldest.remark == "Asked for oldest first, but b before a."
    assert oldest.advice == ()  # decay prefers the new


def test_the_right_order_or_none_asked_for_says_nothing() -> None:
    assert order_verdict("b", "c", "a", order="newest") == ("", ())
    assert order_verdict("a", "b", order="oldest") == ("", ())
    assert order_verdict("a", "b", order=None) == ("", ())
