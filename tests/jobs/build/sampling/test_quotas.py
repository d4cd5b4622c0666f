"""Sampling: quotas first, then difficulty, then strata, then the order of the pool."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations, product
from typing import TYPE_CHECKING

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from goldproof.errors import InputError
from goldproof.jobs.build.recipe import Borrow
from goldproof.jobs.build.records import Candidate
from goldproof.jobs.build.sampling.apportionment import order_number
from goldproof.jobs.build.sampling.quotas import Cell, fill_quotas

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from random import Random

    from goldproof.jobs.build.sampling.selection import Selection

THIRDS = dict.fromkeys(("D1", "D2", "D3"), Fraction(1, 3))
LEVELS = ("D1", "D2", "D3")


def candidate(number: int, cell: str = "table/numeric", level: str = "D1", stratum: str = "") -> Candidate:
    doc_type, question_type = cell.split("/")
    name = f"made:{number}"
    return Candidate(name, doc_type, question_type, level, stratum, order_number(42, name))


def pool_of(*parts: tuple[int, str, str, str]) -> list[Candidate]:
    kinds = [part[1:] for part in parts for _ in range(part[0])]
    return [candidate(number, *kind) for number, kind in enumerate(kinds)]


def select(
    pool: Iterable[Candidate],
    places: Mapping[Cell, int],
    *,
    taken: Mapping[tuple[str, str], int] | None = None,
    difficulty: Mapping[str, Fraction] | None = None,
    borrow: Sequence[Borrow] = (),
) -> Selection:
    return fill_quotas(pool, places=places, taken=taken or {}, difficulty=difficulty, borrow=borrow)


def levels_of(selection: Selection, doc_type: str = "table") -> dict[str, int]:
    return {outcome.difficulty: outcome.actual for outcome in selection.difficulty if outcome.doc_type == doc_type}


# Quotas


def test_quotas_are_filled_exactly() -> None:
    pool = pool_of((60, "table/numeric", "D1", ""), (60, "table/lookup", "D2", ""), (60, "text/howto", "D1", ""))
    chosen = select(pool, {("table", "numeric"): 50, ("table", "lookup"): 25, ("text", "*"): 20}).chosen
    counts = Counter((c.doc_type, c.question_type) for c in chosen)
    assert counts == {("table", "numeric"): 50, ("table", "lookup"): 25, ("text", "howto"): 20}


def test_a_shortfall_is_exact_and_said_in_one_sentence() -> None:
    pool = pool_of((3, "table/policy", "D1", ""), (9, "table/numeric", "D1", ""))
    selection = select(pool, {("table", "policy"): 5, ("table", "numeric"): 9, ("text", "*"): 2})
    numeric, policy, text = selection.cells
    assert (policy.wanted, policy.available, policy.filled, policy.shortfall) == (5, 3, 3, 2)
    assert (numeric.shortfall, text.shortfall, selection.shortfall) == (0, 2, 4)
    assert selection.shortfalls() == (
        "table/policy: 3 of 5 answerable: the pool holds 3",
        "text: 0 of 2 answerable: the pool holds 0",
    )
    assert numeric.sentence() == "table/numeric: 9 of 9 answerable"


def test_what_no_quota_wants_is_left_out() -> None:
    pool = pool_of((3, "table/policy", "D1", ""), (3, "log/lookup", "D1", ""))
    assert select(pool, {("table", "numeric"): 3}).chosen == ()
    assert select([], {}).chosen == ()
    assert select(pool, {("table", "policy"): 0}).chosen == ()


def test_the_smaller_order_wins() -> None:
    pool = pool_of((30, "table/numeric", "D1", ""))
    chosen = select(pool, {("table", "*"): 7}).chosen
    assert list(chosen) == sorted(pool, key=lambda c: c.order)[:7]


def test_an_id_that_is_given_twice_counts_once() -> None:
    pool = pool_of((3, "table/numeric", "D1", ""))
    selection = select([*pool, *pool], {("table", "*"): 5})
    assert len(selection.chosen) == 3
    assert selection.cells[0].available == 3


def test_a_doc_type_has_places_for_its_types_or_for_any() -> None:
    with pytest.raises(InputError, match="table has places for 'policy' and for any type, expected one or the other"):
        select([], {("table", "*"): 3, ("table", "policy"): 1})
    with pytest.raises(InputError, match="table/policy has -1 places, expected 0 or more"):
        select([], {("table", "policy"): -1})


# Difficulty


def test_what_was_taken_counts_towards_the_shares() -> None:
    # 30 in all, 10 of each wanted; 6 unanswerables are D3, so 4 more of D3, and 10 of D1 and of D2
    pool = pool_of(*((50, "table/numeric", level, "") for level in LEVELS))
    selection = select(pool, {("table", "*"): 24}, taken={("table", "D3"): 6}, difficulty=THIRDS)
    assert levels_of(selection) == {"D1": 10, "D2": 10, "D3": 10}
    assert Counter(c.difficulty for c in selection.chosen) == {"D1": 10, "D2": 10, "D3": 4}
    assert [outcome.total for outcome in selection.difficulty] == [30, 30, 30]
    assert selection.off_target() == ()


def test_one_type_gives_up_a_difficulty_that_another_type_needs() -> None:
    # policy has D1 only, numeric has all: 10 + 20 places, 10 of each wanted, so every D1 comes from policy
    pool = pool_of((10, "table/policy", "D1", ""), *((20, "table/numeric", level, "") for level in LEVELS))
    selection = select(pool, {("table", "policy"): 10, ("table", "numeric"): 20}, difficulty=THIRDS)
    assert levels_of(selection) == {"D1": 10, "D2": 10, "D3": 10}
    assert Counter(c.difficulty for c in selection.chosen if c.question_type == "numeric") == {"D2": 10, "D3": 10}


def test_where_there_is_a_choice_every_type_has_its_part_of_each_difficulty() -> None:
    # 60 + 30 places, shares of 1/3: 20 of each in numeric, 10 of each in lookup
    kinds = product(("table/numeric", "table/lookup"), LEVELS)
    pool = pool_of(*((100, cell, level, "") for cell, level in kinds))
    selection = select(pool, {("table", "numeric"): 60, ("table", "lookup"): 30}, difficulty=THIRDS)
    counts = Counter((c.question_type, c.difficulty) for c in selection.chosen)
    assert {counts["numeric", level] for level in LEVELS} == {20}
    assert {counts["lookup", level] for level in LEVELS} == {10}


def test_what_is_missing_of_a_difficulty_is_made_up_evenly_by_the_others() -> None:
    # 30 places, 10 of each wanted, 4 of D3 there: the other 6 are shared, 3 more of D1 and 3 more of D2
    pool = pool_of((50, "table/a", "D1", ""), (50, "table/a", "D2", ""), (4, "table/a", "D3", ""))
    selection = select(pool, {("table", "*"): 30}, difficulty=THIRDS)
    assert levels_of(selection) == {"D1": 13, "D2": 13, "D3": 4}
    # 13/30 is 43.3%, ten points over 33.3%; 4/30 is 13.3%
    assert selection.off_target() == (
        "table: D1 is 13 of 30 (43.3%), wanted 33.3%: the quotas allow no closer, the pool holds 50",
        "table: D2 is 13 of 30 (43.3%), wanted 33.3%: the quotas allow no closer, the pool holds 50",
        "table: D3 is 4 of 30 (13.3%), wanted 33.3%: the quotas allow no closer, the pool holds 4",
    )


def test_a_difficulty_without_a_share_is_taken_last() -> None:
    pool = pool_of((5, "table/a", "D1", ""), (50, "table/a", "D3", ""))
    selection = select(pool, {("table", "*"): 8}, difficulty={"D1": Fraction(1)})
    assert levels_of(selection) == {"D1": 5, "D3": 3}


def test_without_shares_what_comes_is_taken_and_counted() -> None:
    pool = pool_of((5, "table/a", "D1", ""), (5, "table/a", "D3", ""))
    selection = select(pool, {("table", "*"): 10}, taken={("table", "D3"): 2})
    assert levels_of(selection) == {"D1": 5, "D3": 7}
    assert [outcome.target for outcome in selection.difficulty] == [None, None]
    assert selection.off_target() == ()
    assert selection.difficulty[1].sentence() == "table: D3 is 7 of 12 (58.3%)"


# Strata


def test_strata_are_even_whatever_their_size() -> None:
    pool = pool_of((500, "code/a", "D1", "big"), (8, "code/a", "D1", "small"), (2, "code/a", "D1", "tiny"))
    selection = select(pool, {("code", "*"): 20})
    # tiny has 2, small has 8: 20 - 2 = 18 are shared by two, but small ends at 8, so big takes 10
    assert selection.strata == {"code": {"big": 10, "small": 8, "tiny": 2}}


def test_difficulty_comes_before_strata() -> None:
    # half of each wanted: every D2 is in the repository "one"
    pool = pool_of((9, "code/a", "D1", "one"), (9, "code/a", "D2", "one"), (9, "code/a", "D1", "two"))
    selection = select(pool, {("code", "*"): 8}, difficulty={"D1": Fraction(1, 2), "D2": Fraction(1, 2)})
    assert levels_of(selection, "code") == {"D1": 4, "D2": 4}
    assert selection.strata == {"code": {"one": 4, "two": 4}}


def test_doc_types_without_strata_report_none_and_a_missing_value_is_one_stratum() -> None:
    pool = pool_of((9, "code/a", "D1", "one"), (9, "code/a", "D1", ""), (9, "text/a", "D1", ""))
    selection = select(pool, {("code", "*"): 4, ("text", "*"): 4})
    assert selection.strata == {"code": {"": 2, "one": 2}}


# Borrowing


def test_a_rule_lends_what_is_left_and_reports_it() -> None:
    pool = pool_of((3, "table/policy", "D1", ""), (12, "table/lookup", "D1", ""))
    places = {("table", "policy"): 5, ("table", "lookup"): 10}
    selection = select(pool, places, borrow=[Borrow("table/policy", "table/lookup")])
    _, policy = selection.cells
    assert (policy.filled, policy.borrowed, policy.shortfall) == (3, {"table/lookup": 2}, 0)
    assert policy.sentence() == "table/policy: 3 of 5 answerable: the pool holds 3, 2 borrowed from table/lookup"
    assert Counter(c.question_type for c in selection.chosen) == {"policy": 3, "lookup": 12}
    said = "table/policy from table/lookup: 2 borrowed (2 free, 2 left to lend)"
    assert [outcome.sentence() for outcome in selection.borrowed] == [said]


def test_rules_apply_in_their_order_and_within_their_limits() -> None:
    pool = pool_of((1, "table/policy", "D1", ""), (30, "text/a", "D1", ""), (30, "log/a", "D1", ""))
    rules = [Borrow("table", "text", 3), Borrow("table", "log", 2), Borrow("table", "text")]
    selection = select(pool, {("table", "policy"): 10, ("text", "*"): 28}, borrow=rules)
    # 9 free: text has 2 left and lends both, log lends 2 of 30, text has nothing more; 5 stay empty
    assert [(outcome.free, outcome.left, outcome.taken) for outcome in selection.borrowed] == [
        (9, 2, 2),
        (7, 30, 2),
        (5, 0, 0),
    ]
    policy = selection.cells[0]
    assert policy.borrowed == {"text": 2, "log": 2}
    said = "table/policy: 1 of 10 answerable: the pool holds 1, 2 borrowed from text, 2 borrowed from log, 5 missing"
    assert policy.sentence() == said
    assert selection.shortfall == 5


def test_nothing_is_borrowed_without_a_rule_or_without_need() -> None:
    pool = pool_of((3, "table/policy", "D1", ""), (30, "text/a", "D1", ""))
    assert len(select(pool, {("table", "*"): 5}).chosen) == 3
    full = select(pool, {("table", "*"): 3}, borrow=[Borrow("table", "text")])
    assert len(full.chosen) == 3
    assert full.cells[0].borrowed == {}


def test_a_loan_to_a_doc_type_fills_its_cells_by_name() -> None:
    pool = pool_of((3, "text/a", "D1", ""))
    selection = select(pool, {("table", "x"): 2, ("table", "b"): 2}, borrow=[Borrow("table", "text")])
    assert [(cell.name, cell.borrowed) for cell in selection.cells] == [
        ("table/b", {"text": 2}),
        ("table/x", {"text": 1}),
    ]


def test_what_is_lent_keeps_the_shares_and_strata_of_the_lender() -> None:
    # text has 6 places and lends 6: 12 in all, 4 of each difficulty, 6 of each stratum
    kinds = product(LEVELS, ("one", "two"))
    pool = pool_of(*((20, "text/a", level, stratum) for level, stratum in kinds))
    rules = [Borrow("table", "text", 6)]
    selection = select(pool, {("text", "*"): 6, ("table", "*"): 9}, difficulty=THIRDS, borrow=rules)
    assert levels_of(selection, "text") == {"D1": 4, "D2": 4, "D3": 4}
    assert selection.strata["text"] == {"one": 6, "two": 6}


# For every pool

CELLS = ("table/a", "table/b", "text/a", "text/c")
PLACES: list[Cell] = [("table", "a"), ("table", "b"), ("text", "*")]
kinds = st.tuples(st.sampled_from(CELLS), st.sampled_from(LEVELS), st.sampled_from(("", "s", "t", "u")))
pools = st.lists(kinds, max_size=60).map(lambda found: [candidate(n, *kind) for n, kind in enumerate(found)])
places_of_pools = st.fixed_dictionaries({cell: st.integers(0, 15) for cell in PLACES})
shares_or_none = st.none() | st.just(THIRDS)
rules = st.lists(
    st.builds(
        Borrow,
        st.sampled_from(("table", "table/a", "text")),
        st.sampled_from(("text", "table/b", "text/c", "table")),
        st.none() | st.integers(0, 5),
    ),
    max_size=3,
)


@given(pools, places_of_pools, shares_or_none)
def test_quotas_are_exact_or_take_all_there_is(
    pool: list[Candidate], places: dict[Cell, int], shares: dict[str, Fraction] | None
) -> None:
    selection = select(pool, places, difficulty=shares)
    there = Counter((c.doc_type, "*" if c.doc_type == "text" else c.question_type) for c in pool)
    chosen = Counter((c.doc_type, "*" if c.doc_type == "text" else c.question_type) for c in selection.chosen)
    assert all(chosen[cell] == min(n, there[cell]) for cell, n in places.items())
    assert {(c.doc_type, c.question_type): c.filled for c in selection.cells} == {cell: chosen[cell] for cell in places}


@given(pools, places_of_pools, shares_or_none, rules, st.randoms(use_true_random=False))
def test_nothing_depends_on_the_order_of_the_input(
    pool: list[Candidate],
    places: dict[Cell, int],
    shares: dict[str, Fraction] | None,
    borrow: list[Borrow],
    random: Random,
) -> None:
    selection = select(pool, places, difficulty=shares, borrow=borrow)
    shuffled = random.sample(pool, len(pool))
    assert select(shuffled, dict(reversed(places.items())), difficulty=shares, borrow=borrow) == selection


@given(pools, places_of_pools, shares_or_none, rules)
def test_nobody_is_chosen_twice_and_no_place_is_filled_twice(
    pool: list[Candidate], places: dict[Cell, int], shares: dict[str, Fraction] | None, borrow: list[Borrow]
) -> None:
    selection = select(pool, places, difficulty=shares, borrow=borrow)
    ids = [c.id for c in selection.chosen]
    assert len(ids) == len(set(ids)) == sum(places.values()) - selection.shortfall
    assert all(cell.shortfall >= 0 for cell in selection.cells)
    assert all(outcome.taken <= min(outcome.free, outcome.left) for outcome in selection.borrowed)
    assert [c.order for c in selection.chosen] == sorted(c.order for c in selection.chosen)
    assert sum(outcome.actual for outcome in selection.difficulty) == len(ids)
    assert sum(outcome.taken for outcome in selection.borrowed) == sum(
        sum(cell.borrowed.values()) for cell in selection.cells
    )


@given(pools, places_of_pools, shares_or_none, rules, kinds)
def test_a_larger_pool_never_fills_less(
    pool: list[Candidate],
    places: dict[Cell, int],
    shares: dict[str, Fraction] | None,
    borrow: list[Borrow],
    kind: tuple[str, str, str],
) -> None:
    fewer = select(pool, places, difficulty=shares, borrow=borrow)
    more = select([*pool, candidate(len(pool), *kind)], places, difficulty=shares, borrow=borrow)
    assert more.shortfall <= fewer.shortfall
    assert all(a.filled >= b.filled for a, b in zip(more.cells, fewer.cells, strict=True))


@given(pools, places_of_pools)
def test_strata_differ_by_one_at_most_where_the_pool_has_more_of_the_smaller(
    pool: list[Candidate], places: dict[Cell, int]
) -> None:
    selection = select(pool, {("text", "*"): places["text", "*"]})
    there = Counter(c.stratum for c in pool if c.doc_type == "text")
    counts = Counter(c.stratum for c in selection.chosen)
    for small, large in product(there, repeat=2):
        assert counts[large] - counts[small] <= 1 or counts[small] == there[small]


small_kinds = st.tuples(st.sampled_from(("table/a", "table/b")), st.sampled_from(LEVELS), st.sampled_from("stu"))
small_pools = st.lists(small_kinds, max_size=9).map(lambda found: [candidate(n, *kind) for n, kind in enumerate(found)])
some_shares = st.tuples(st.integers(0, 5), st.integers(0, 5), st.integers(1, 5)).map(
    lambda parts: {level: Fraction(part, sum(parts)) for level, part in zip(LEVELS, parts, strict=True)}
)
some_taken = st.dictionaries(st.tuples(st.just("table"), st.sampled_from(LEVELS)), st.integers(0, 3))
few_places = st.fixed_dictionaries({("table", "a"): st.integers(0, 4), ("table", "b"): st.integers(0, 4)})


def every_choice(pool: list[Candidate], places: dict[Cell, int]) -> Iterator[tuple[Candidate, ...]]:
    """Every selection that fills the quotas as far as the pool goes."""
    parts = [[c for c in pool if c.question_type == cell[1]] for cell in places]
    sizes = [min(n, len(part)) for n, part in zip(places.values(), parts, strict=True)]
    for chosen in product(*(combinations(part, n) for part, n in zip(parts, sizes, strict=True))):
        yield tuple(c for part in chosen for c in part)


@settings(max_examples=150)
@given(small_pools, few_places, some_taken, some_shares)
def test_no_selection_that_fills_the_quotas_is_closer_to_the_shares(
    pool: list[Candidate],
    places: dict[Cell, int],
    taken: dict[tuple[str, str], int],
    shares: dict[str, Fraction],
) -> None:
    def deviations(chosen: Iterable[Candidate]) -> tuple[Fraction, Fraction, Fraction]:
        counts = Counter({level: n for (_, level), n in taken.items()}) + Counter(c.difficulty for c in chosen)
        off = [abs(counts[level] - shares[level] * counts.total()) for level in LEVELS]
        return max(off), sum(off, Fraction(0)), sum((x * x for x in off), Fraction(0))

    ours = deviations(select(pool, places, taken=taken, difficulty=shares).chosen)
    every = [deviations(chosen) for chosen in every_choice(pool, places)]
    # the largest, the sum and the sum of squares: no selection is better by any of them
    assert ours == tuple(min(off) for off in zip(*every, strict=True))


@settings(max_examples=150)
@given(small_pools, few_places, some_shares)
def test_no_selection_with_the_same_types_and_difficulties_is_more_even_over_strata(
    pool: list[Candidate], places: dict[Cell, int], shares: dict[str, Fraction]
) -> None:
    def kinds_of(chosen: Iterable[Candidate]) -> Counter[tuple[str, str]]:
        return Counter((c.question_type, c.difficulty) for c in chosen)

    def squares(chosen: Iterable[Candidate]) -> int:
        return sum(n * n for n in Counter(c.stratum for c in chosen).values())

    ours = select(pool, places, difficulty=shares).chosen
    assume(ours)
    alike = [chosen for chosen in every_choice(pool, places) if kinds_of(chosen) == kinds_of(ours)]
    assert squares(ours) == min(squares(chosen) for chosen in alike)
