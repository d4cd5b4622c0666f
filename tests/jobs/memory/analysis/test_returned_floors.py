"""Whether a floor separates what was expected from what was not, and what would have kept silence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from goldproof.jobs.memory.analysis.findings import ReturnedItem
from goldproof.jobs.memory.analysis.reference_ranks import Ranks
from goldproof.jobs.memory.analysis.returned import Similarities, floor_verdict, silence_verdict, similarities_of
from goldproof.jobs.memory.records import Matched
from tests.jobs.memory.analysis.situations import hit

if TYPE_CHECKING:
    from collections.abc import Sequence


def items(*given: tuple[int, float | None]) -> list[ReturnedItem]:
    """Return items of (grade, similarity), called m1, m2, ..."""
    return [
        ReturnedItem(place, Matched(hit(f"m{place}", similarity), (f"m{place}",), "id"), grade, role="user", content="")
        for place, (grade, similarity) in enumerate(given, start=1)
    ]


def own(came: Sequence[ReturnedItem]) -> Similarities | None:
    return similarities_of(came, {})


def test_any_floor_between_the_unexpected_and_the_expected_separates() -> None:
    came = items((2, 0.61), (0, 0.40), (1, 0.52))
    verdict = floor_verdict(came, own(came))
    assert verdict.remark == ""
    (advice,) = verdict.advice
    assert advice.letter == "E"
    assert advice.because == (
        "a floor above 0.400 up to 0.520 keeps what was expected and drops the rest (its own similarities)"
    )


def test_where_one_unexpected_is_as_similar_no_floor_separates_and_it_is_said_what_one_would_do() -> None:
    # 0.52 is the lowest expected; of 0.52, 0.45 and 0.40 two lie below it.
    came = items((2, 0.61), (0, 0.52), (1, 0.52), (0, 0.45), (0, 0.40))
    verdict = floor_verdict(came, own(came))
    assert verdict.advice == ()
    assert verdict.remark == (
        "No floor drops all unexpected items: one has 0.520, an expected one 0.520; a floor of 0.520 would drop "
        "2 of 3 (its own similarities)."
    )


def test_nothing_is_said_of_floors_where_all_was_expected_or_nothing_was() -> None:
    for came in (items((2, 0.61), (1, 0.2)), items((0, 0.3))):
        assert floor_verdict(came, own(came)) == ("", ())


def test_similarities_of_the_reference_stand_in_where_the_system_tells_not_all() -> None:
    came = items((2, 0.9), (0, None))
    found = similarities_of(came, {"m1": Ranks(1, 1, 0.5), "m2": Ranks(2, 2, 0.25)})
    whose = "cosines of minilm, since it returns no similarities; its own scale differs"
    assert found == Similarities((0.5, 0.25), whose)
    (advice,) = floor_verdict(came, found).advice
    assert advice.because.startswith("a floor above 0.250 up to 0.500 keeps")


def test_a_narrow_band_on_the_scale_of_the_reference_says_nothing() -> None:
    came = items((2, None), (0, None))
    near = similarities_of(came, {"m1": Ranks(1, 1, 0.5), "m2": Ranks(2, 2, 0.41)})  # 0.09 apart
    assert floor_verdict(came, near) == ("", ())


def test_the_floor_of_a_pipeline_that_searches_words_is_on_its_scores() -> None:
    came = items((2, None), (0, None))
    found = similarities_of(came, {"m1": Ranks(1, 1, 0.5), "m2": Ranks(2, 2, 0.25)}, kind="lexical")
    assert found == Similarities(tuple(item.match.hit.score for item in came), "its own scores: floor(N, of=score)")


def test_where_neither_knows_all_of_them_nothing_is_claimed() -> None:
    came = items((2, 0.9), (0, None))
    assert similarities_of(came, {"m1": Ranks(1, 1, 0.5)}) is None
    assert floor_verdict(came, None).advice == ()
    assert "It is unknown" in floor_verdict(came, None).remark
    assert silence_verdict(came, None).advice == ()
    assert "It is unknown" in silence_verdict(came, None).remark


def test_an_item_of_several_memories_has_the_highest_of_their_similarities() -> None:
    merged = ReturnedItem(1, Matched(hit("x"), ("a", "b"), "judge"), 2, role="", content="")
    found = similarities_of([merged], {"a": Ranks(1, 1, 0.2), "b": Ranks(2, 2, 0.7)})
    assert found is not None
    assert found.values == (0.7,)


def test_above_the_highest_similarity_nothing_would_have_come() -> None:
    came = items((0, 0.31), (0, 0.42))
    (advice,) = silence_verdict(came, own(came)).advice
    assert advice.because == "with a floor above 0.420 nothing would have come (its own similarities)"
    assert silence_verdict([], None) == ("", ())


@given(st.lists(st.tuples(st.sampled_from([0, 2]), st.floats(-1, 1)), min_size=1, max_size=8))
def test_a_floor_is_advised_exactly_where_one_exists(given_items: list[tuple[int, float | None]]) -> None:
    came = items(*given_items)
    wanted = [value for grade, value in given_items if grade and value is not None]
    unwanted = [value for grade, value in given_items if not grade and value is not None]
    some_floor = any(all(one >= f for one in wanted) and all(one < f for one in unwanted) for f in wanted)
    assert bool(floor_verdict(came, own(came)).advice) == (bool(unwanted) and some_floor)


def test_the_numbers_shown_are_rounded_to_the_safe_side() -> None:
    # 0.4204 shown as 0.420 would promise that 0.4203 keeps it out.
    came = items((0, 0.4204))
    (advice,) = silence_verdict(came, own(came)).advice
    assert "with a floor above 0.421 " in advice.because
    came = items((0, 0.4204), (2, 0.4399))
    (advice,) = floor_verdict(came, own(came)).advice
    assert advice.because.startswith("a floor above 0.421 up to 0.439 ")
    came = items((0, 0.4204), (2, 0.4206))  # no number of three digits lies between
    (advice,) = floor_verdict(came, own(came)).advice
    assert advice.because.startswith("a floor above 0.420400 up to 0.420600 ")
