"""Fusing rankings: hand-computed values, and what must hold for any rankings."""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING, get_args

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldproof.retrieve.ranking import RankingBatch
from goldproof.retrieve.stages.hybrid import Normalise, fuse_ranks, fuse_scores, normalised
from tests.retrieve.given import documents_of, names, shown

if TYPE_CHECKING:
    from goldproof.retrieve.document_index import DocumentIndex

NORMALISATIONS: tuple[Normalise, ...] = get_args(Normalise)
IDS = ("a", "b", "c", "d", "e", "f")
Ranking = dict[str, float]


def found(documents: DocumentIndex, *rankings: Ranking) -> RankingBatch:
    return RankingBatch.of_lists([[(documents.position(d), s) for d, s in r.items()] for r in rankings], documents)


# Scores with two decimals: far enough apart that normalising keeps them apart.
scores = st.integers(-400, 400).map(lambda n: n / 100)
rankings = st.dictionaries(st.sampled_from(IDS), scores, max_size=6)


def test_reciprocal_ranks_are_summed_with_c_60() -> None:
    documents = documents_of(*IDS)
    one, other = found(documents, {"a": 9, "b": 5, "c": 1}), found(documents, {"b": 0.9, "d": 0.8})
    # of b 1/62 + 1/61 = 0.032522; a: 1/61 = 0.016393; d: 1/62 = 0.016129; c: 1/63 = 0.015873
    fused = fuse_ranks([one, other], documents, weights=(1, 1), c=60, method="rrf")
    assert shown(fused, documents) == [("b", 0.032522), ("a", 0.016393), ("d", 0.016129), ("c", 0.015873)]


def test_weights_and_c_enter_the_reciprocal_rank() -> None:
    documents = documents_of(*IDS)
    one, other = found(documents, {"a": 9, "b": 5}), found(documents, {"b": 1, "a": 0.5})
    # c = 0, weights 1 and 3. a: 1/1 + 3/2 = 2.5; b: 1/2 + 3/1 = 3.5
    assert shown(fuse_ranks([one, other], documents, weights=(1, 3), c=0, method="rrf"), documents) == [
        ("b", 3.5),
        ("a", 2.5),
    ]


def test_equal_fused_scores_stand_by_id_descending() -> None:
    documents = documents_of(*IDS)
    fused = fuse_ranks(
        [found(documents, {"a": 1}), found(documents, {"b": 1})], documents, weights=(1, 1), c=60, method="rrf"
    )
    assert names(fused, documents) == ["b", "a"]


def test_the_weighted_sum_takes_the_part_between_lowest_and_highest() -> None:
    documents = documents_of(*IDS)
    one, other = found(documents, {"a": 10, "b": 4, "c": 2}), found(documents, {"b": 0.9, "d": 0.5})
    # one: a 1, b (4-2)/8 = 0.25, c 0. other: b 1, d 0. Weights 0.7 and 0.3:
    # a 0.7; b 0.175 + 0.3 = 0.475; c 0; d 0 -> d before c by id
    fused = fuse_scores([one, other], documents, weights=(0.7, 0.3), normalise="minmax", method="sum")
    assert shown(fused, documents) == [("a", 0.7), ("b", 0.475), ("d", 0.0), ("c", 0.0)]


@pytest.mark.parametrize(
    ("how", "expected"),
    [
        # scores 6, 3, 0: mean 3, population deviation sqrt((9 + 0 + 9) / 3) = 2.449490; 3 / 2.449490 = 1.224745
        ("zscore", [1.224745, 0.0, -1.224745]),
        ("minmax", [1.0, 0.5, 0.0]),
        ("max", [1.0, 0.5, 0.0]),
        ("none", [6.0, 3.0, 0.0]),
    ],
)
def test_scores_are_normalised_within_a_query(how: Normalise, expected: list[float]) -> None:
    documents = documents_of(*IDS)
    both = found(documents, {"a": 6, "b": 3, "c": 0}, {"a": 100})
    assert normalised(both, how).tolist()[:3] == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize(("how", "expected"), [("minmax", 1.0), ("zscore", 0.0), ("max", 1.0), ("none", 0.1)])
def test_scores_that_are_all_equal_need_no_division(how: Normalise, expected: float) -> None:
    documents = documents_of(*IDS)
    assert normalised(found(documents, {"a": 0.1, "b": 0.1, "c": 0.1}), how).tolist() == [expected] * 3


def test_scores_that_are_all_0_stay_0_by_their_maximum() -> None:
    documents = documents_of(*IDS)
    assert normalised(found(documents, {"a": 0.0, "b": 0.0}), "max").tolist() == [0.0, 0.0]


def test_being_absent_never_beats_being_last() -> None:
    # By z-score the last of the first member has -1.22; 0 for those absent would lift d above b and c.
    documents = documents_of(*IDS)
    one, other = found(documents, {"a": 6, "b": 3, "c": 0}), found(documents, {"a": 1, "b": 1, "c": 1, "d": 1})
    assert names(fuse_scores([one, other], documents, weights=(1, 1), normalise="zscore", method="sum"), documents) == [
        "a",
        "b",
        "d",
        "c",
    ]


def test_a_query_without_rows_has_none_and_the_next_keeps_its_own() -> None:
    documents = documents_of(*IDS)
    one, other = found(documents, {}, {"a": 1}, {}), found(documents, {}, {}, {"b": 2})
    for fused in (
        fuse_ranks([one, other], documents, weights=(1, 1), c=60, method="rrf"),
        fuse_scores([one, other], documents, weights=(1, 1), normalise="minmax", method="sum"),
    ):
        assert [names(fused, documents, q) for q in range(3)] == [[], ["a"], ["b"]]


def test_rankings_without_any_row_can_be_fused() -> None:
    documents = documents_of(*IDS)
    for how in NORMALISATIONS:
        assert (
            fuse_scores([found(documents, {}, {})] * 2, documents, weights=(1, 1), normalise=how, method="sum").queries
            == 2
        )


@given(rankings)
def test_a_list_fused_with_itself_keeps_its_order(ranking: Ranking) -> None:
    documents = documents_of(*IDS)
    one = found(documents, ranking)
    assert names(fuse_ranks([one, one, one], documents, weights=(1, 1, 1), c=60, method="rrf"), documents) == names(
        one, documents
    )
    for how in NORMALISATIONS:
        assert names(
            fuse_scores([one, one], documents, weights=(1, 1), normalise=how, method="sum"), documents
        ) == names(one, documents)


@given(st.lists(rankings, min_size=3, max_size=3), st.lists(st.sampled_from([0.1, 0.3, 1, 7]), min_size=3, max_size=3))
def test_the_order_of_members_does_not_change_a_bit(three: list[Ranking], weights: list[float]) -> None:
    documents = documents_of(*IDS)
    members = [found(documents, ranking) for ranking in three]
    results = set()
    for order in itertools.permutations(range(3)):
        permuted, by = [members[i] for i in order], [weights[i] for i in order]
        for fused in (
            fuse_ranks(permuted, documents, weights=by, c=60, method="rrf"),
            fuse_scores(permuted, documents, weights=by, normalise="minmax", method="sum"),
        ):
            results.add((tuple(fused.documents.tolist()), tuple(fused.scores.tolist())))
    assert len(results) <= 2


@given(st.lists(st.permutations(IDS), min_size=2, max_size=4))
def test_a_document_ranked_higher_by_every_member_stays_higher(orders: list[list[str]]) -> None:
    documents = documents_of(*IDS)
    members = [found(documents, {name: float(-rank) for rank, name in enumerate(order)}) for order in orders]
    fusions = [fuse_ranks(members, documents, weights=[1] * len(members), c=60, method="rrf")]
    fusions += [
        fuse_scores(members, documents, weights=[1] * len(members), normalise=how, method="sum")
        for how in NORMALISATIONS
    ]
    for fused in fusions:
        order = names(fused, documents)
        for high, low in itertools.permutations(IDS, 2):
            if all(one.index(high) < one.index(low) for one in orders):
                assert order.index(high) < order.index(low)


@given(st.lists(st.tuples(rankings, rankings), min_size=1, max_size=5))
def test_a_query_is_fused_alike_alone_and_in_a_batch(queries: list[tuple[Ranking, Ranking]]) -> None:
    documents = documents_of(*IDS)
    for how in NORMALISATIONS:
        batch = fuse_scores(
            [found(documents, *(q[m] for q in queries)) for m in range(2)],
            documents,
            weights=(0.3, 0.7),
            normalise=how,
            method="sum",
        )
        for i, pair in enumerate(queries):
            alone = fuse_scores(
                [found(documents, one) for one in pair], documents, weights=(0.3, 0.7), normalise=how, method="sum"
            )
            rows = slice(batch.starts[i], batch.starts[i + 1])
            assert batch.documents[rows].tolist() == alone.documents.tolist()
            assert batch.scores[rows].tolist() == alone.scores.tolist()


@given(rankings, st.sampled_from(NORMALISATIONS))
def test_normalising_gives_numbers_in_the_same_order(ranking: Ranking, how: Normalise) -> None:
    values = normalised(found(documents_of(*IDS), ranking), how)
    assert np.isfinite(values).all()
    assert (np.diff(values) <= 0).all()
    if how == "minmax":
        assert all(0 <= value <= 1 for value in values)
    if how == "zscore" and len(values):
        assert math.fsum(values) == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("how", ["minmax", "zscore", "max"])
def test_scores_as_large_as_a_float_can_be_are_normalised(how: Normalise) -> None:
    documents = documents_of(*IDS)
    huge = normalised(found(documents, {"a": 1.7e308, "b": 0.0, "c": -1.7e308}, {"a": 4.0, "b": 2.0}), how)
    # minmax 1, 0.5, 0; max 1, 0, -1; zscore: mean 0, sd = s * sqrt(2/3), so +-sqrt(3/2), which is 1.224745
    expected = {"minmax": [1, 0.5, 0, 1, 0], "max": [1, 0, -1, 1, 0.5], "zscore": [1.224745, 0, -1.224745, 1, -1]}
    assert huge.tolist() == pytest.approx(expected[how], abs=1e-6)


@given(rankings, st.sampled_from(NORMALISATIONS[:3]), st.integers(-900, 900))
def test_a_power_of_2_in_all_scores_changes_no_digit(ranking: Ranking, how: Normalise, power: int) -> None:
    documents = documents_of(*IDS)
    scaled = {name: math.ldexp(score, power) for name, score in ranking.items()}
    assert normalised(found(documents, scaled), how).tolist() == normalised(found(documents, ranking), how).tolist()


# docs/reference/pipelines.md, "Formulas": a and b by one member, c alone by the other, which returns one document.
@pytest.mark.parametrize(
    ("how", "expected"),
    [
        ("minmax", {"a": 1.0, "b": 0.0, "c": 1.0}),  # c: one document gets 1; who lacks a document adds 0
        (
            "zscore",
            {"a": 1.0, "b": -1.0, "c": -1.0},
        ),  # (4 - 3) / 1 and (2 - 3) / 1; c: 0 of its own, -1 for being absent
        ("max", {"a": 1.0, "b": 0.5, "c": 1.0}),
        ("none", {"a": 4.0, "b": 2.0, "c": 7.0}),
    ],
)
def test_what_a_member_adds_for_one_document_and_for_one_that_it_lacks(
    how: Normalise, expected: dict[str, float]
) -> None:
    documents = documents_of(*IDS)
    fused = fuse_scores(
        [found(documents, {"a": 4, "b": 2}), found(documents, {"c": 7})],
        documents,
        weights=(1, 1),
        normalise=how,
        method="sum",
    )
    assert dict(shown(fused, documents)) == expected
