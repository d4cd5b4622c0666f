"""What stood before the first expected memory, and what stands in the wrong order of time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from karat.jobs.memory.analysis.came import items_of
from karat.jobs.memory.analysis.floors import similarities_of
from karat.jobs.memory.analysis.sequence import not_first, out_of_order
from tests.jobs.memory.analysis.situations import asking, hit, memory, scored

if TYPE_CHECKING:
    from karat.jobs.memory.analysis.floors import Verdict
    from karat.metrics.memory.outcome import Order

STORED = [memory("a", "Rent is 900.", turn=1), memory("b", "Rent is 950.", turn=5), memory("c", "Hello.", turn=9)]


def order_verdict(*came: str, order: Order | None) -> Verdict:
    row = scored(asking("rent?", {"a": 1, "b": 2}), STORED, hits=[hit(one) for one in came])
    return out_of_order(row.answered, items_of(row), order=order)


def first_remark(*came: tuple[str, float | None]) -> str:
    row = scored(asking("rent?", {"b": 2}), STORED, hits=[hit(*one) for one in came])
    items = items_of(row)
    return not_first(row.answered, items, similarities_of(items, {}))


def test_what_stood_before_the_first_expected_is_compared_by_age_and_similarity() -> None:
    assert first_remark(("a", 0.7), ("c", 0.5), ("b", 0.6)) == (
        'b (similarity 0.600) came at 3; before it stood a "Rent is 900." (similarity 0.700, older), '
        'c "Hello." (similarity 0.500, newer); the system\'s own similarities.'
    )


def test_without_similarities_only_the_age_is_compared() -> None:
    assert first_remark(("a", None), ("b", None)) == 'b came at 2; before it stood a "Rent is 900." (older).'


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
