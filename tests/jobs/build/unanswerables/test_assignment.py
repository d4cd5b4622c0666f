"""Which proposals are used: cells exact, methods in their shares, one from each question."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from goldproof.jobs.build.recipe import DEFAULT_METHODS, METHODS
from goldproof.jobs.build.unanswerables.assignment import assign
from goldproof.jobs.build.unanswerables.proposal import Proposal


def _proposals(
    count: int, *, methods: str, doc_type: str = "table", kind: str = "lookup", start: int = 0
) -> list[Proposal]:
    """`count` questions, each with one proposal by every method, given by its first letter."""
    named = [method for method in METHODS if method[0] in methods]
    return [
        Proposal(f"pool:{doc_type}{n:03d}", doc_type, kind, method, f"{method} {n}?", (("x",),), ())
        for n in range(start, start + count)
        for method in named
    ]


def test_methods_get_their_shares_by_largest_remainder() -> None:
    # 10 * 30/30/20/20 percent = 3, 3, 2, 2
    found = assign(
        _proposals(40, methods="tenc"), wanted={("table", "*"): 10}, methods=DEFAULT_METHODS, borrow=False, seed=1
    )
    assert Counter(one.method for one in found.chosen) == {
        "temporal_shift": 3,
        "entity_swap": 3,
        "negation": 2,
        "cross_domain": 2,
    }
    assert found.reasons == ()


def test_one_question_gives_one_unanswerable_and_cells_are_exact() -> None:
    accepted = _proposals(20, methods="tenc") + _proposals(20, methods="tn", doc_type="text", kind="howto")
    wanted = {("table", "lookup"): 6, ("table", "*"): 2, ("text", "howto"): 4}
    found = assign(accepted, wanted=wanted, methods=DEFAULT_METHODS, borrow=False, seed=1)
    assert len({one.origin for one in found.chosen}) == len(found.chosen) == 12
    assert Counter(found.cells.values()) == wanted
    assert set(found.cells) == {one.origin for one in found.chosen}


def test_scarce_methods_are_served_where_they_are_possible() -> None:
    # Only 3 questions can be swapped, and they could be shifted as well: all 3 must be swapped, and others shifted.
    accepted = _proposals(3, methods="te") + _proposals(3, methods="t", start=10)
    half = {"temporal_shift": Fraction(1, 2), "entity_swap": Fraction(1, 2)}
    found = assign(accepted, wanted={("table", "*"): 6}, methods=half, borrow=False, seed=1)
    assert Counter(one.method for one in found.chosen) == {"temporal_shift": 3, "entity_swap": 3}


def test_a_method_that_cannot_fill_its_part_stays_short_and_says_why() -> None:
    accepted = _proposals(20, methods="t") + _proposals(1, methods="e", start=50)
    half = {"temporal_shift": Fraction(1, 2), "entity_swap": Fraction(1, 2)}
    found = assign(accepted, wanted={("table", "*"): 6}, methods=half, borrow=False, seed=1)
    assert len(found.chosen) == 4
    assert found.short_methods == {"entity_swap": 2}
    assert found.short_cells == {("table", "*"): 2}
    assert found.reasons == (
        "entity_swap: 1 of 3; only 1 questions of the pool have a checked proposal by it.",
        (
            "table/*: 4 of 6 unanswerables; 21 questions of it have a checked proposal, "
            "but by methods whose numbers are full."
        ),
    )


def test_with_borrow_the_others_take_the_places() -> None:
    accepted = _proposals(20, methods="t") + _proposals(1, methods="e", start=50)
    half = {"temporal_shift": Fraction(1, 2), "entity_swap": Fraction(1, 2)}
    found = assign(accepted, wanted={("table", "*"): 6}, methods=half, borrow=True, seed=1)
    assert len(found.chosen) == 6
    assert found.borrowed == {"temporal_shift": 2}
    assert found.short_cells == {}
    assert found.reasons[-1] == "temporal_shift gave 2 more than its 3, in place of methods that fell short."


def test_a_cell_without_questions_is_short_by_all_it_wants() -> None:
    found = assign(
        _proposals(9, methods="tenc"), wanted={("log", "*"): 2}, methods=DEFAULT_METHODS, borrow=True, seed=1
    )
    assert found.chosen == ()
    assert found.short_cells == {("log", "*"): 2}
    assert found.reasons[-1] == "log/*: 0 of 2 unanswerables; only 0 questions of it have a checked proposal."


def test_a_method_of_share_zero_is_never_used() -> None:
    only = {"temporal_shift": Fraction(1), "negation": Fraction(0)}
    found = assign(_proposals(5, methods="n"), wanted={("table", "*"): 2}, methods=only, borrow=True, seed=1)
    assert found.chosen == ()


def test_nothing_wanted_gives_nothing() -> None:
    assert assign(_proposals(5, methods="t"), wanted={}, methods=DEFAULT_METHODS, borrow=False, seed=1).chosen == ()


@given(
    groups=st.lists(st.tuples(st.integers(0, 6), st.sampled_from(["t", "e", "te", "nc", "tenc"])), max_size=5),
    want=st.integers(0, 12),
    borrow=st.booleans(),
    seed=st.integers(0, 3),
)
def test_limits_hold_and_order_does_not_matter(
    groups: list[tuple[int, str]], want: int, *, borrow: bool, seed: int
) -> None:
    accepted = [
        one
        for number, (count, methods) in enumerate(groups)
        for one in _proposals(count, methods=methods, start=100 * number)
    ]
    wanted = {("table", "*"): want}
    found = assign(accepted, wanted=wanted, methods=DEFAULT_METHODS, borrow=borrow, seed=seed)
    used = Counter(one.method for one in found.chosen)
    assert len(found.chosen) + sum(found.short_cells.values()) == want
    assert len({one.origin for one in found.chosen}) == len(found.chosen)
    if borrow:
        assert len(found.chosen) == min(want, len({one.origin for one in accepted}))
    else:
        assert all(used[method] <= found.targets[method] for method in used)
    random.Random(seed).shuffle(accepted)
    assert assign(accepted, wanted=wanted, methods=DEFAULT_METHODS, borrow=borrow, seed=seed) == found
