"""Every fusion equals ranx on three runs with missing documents, and what must hold where ranx has no answer.

The expected numbers are those of ranx 0.3.21, computed once:

    fuse([Run(r) for r in RUNS], norm="min-max", method=...)    sum, mnz, max, med
    fuse([Run(r) for r in RUNS], norm=None, method=...)         rrf, isr, bordafuse
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, get_args

import pytest

from goldproof.errors import InputError
from goldproof.retrieve.ranking import RankingBatch
from goldproof.retrieve.stages.hybrid import Hybrid, RankMethod, ScoreMethod, fuse_ranks, fuse_scores
from tests.retrieve.given import Given, ask, documents_of, names, shown

if TYPE_CHECKING:
    from goldproof.retrieve.document_index import DocumentIndex

# fmt: off
RUNS = (
    {
        "q1": {"d5": 24.638, "d2": 2.824, "d3": 17.484, "d8": 27.291, "d0": 6.441, "d4": 2.578},
        "q2": {"d6": 1.773, "d1": 16.964, "d7": 28.423, "d0": 18.919, "d4": 17.49, "d3": 1.856},
        "q3": {"d6": 8.688, "d0": 4.328, "d1": 3.534, "d7": 9.254, "d4": 24.484, "d8": 5.422},
    },
    {
        "q1": {"d3": 0.129, "d5": 0.238, "d0": -0.007, "d4": 0.063, "d6": 0.554},
        "q2": {"d7": 0.589, "d8": 0.398, "d2": -0.512, "d6": 0.149, "d1": 0.05},
        "q3": {"d5": -0.764, "d7": -0.164, "d2": 0.514, "d4": -0.696, "d0": -0.022},
    },
    {
        "q1": {"d0": 0.573, "d1": 0.875, "d6": 0.314, "d4": 0.695},
        "q2": {"d7": 0.945, "d8": 0.474, "d0": 0.664, "d6": 0.061},
        "q3": {"d4": 0.386, "d7": 0.669, "d2": 0.023, "d5": 0.462},
    },
)
RANX = {
    "sum": {
        "q1": {"d5": 1.329367737, "d8": 1.0, "d6": 1.0, "d1": 1.0, "d3": 0.845588569, "d4": 0.803921569,
               "d0": 0.61799007, "d2": 0.009954275},
        "q2": {"d7": 3.0, "d0": 1.325503808, "d8": 1.293715914, "d1": 1.080463812, "d6": 0.600363306,
               "d4": 0.589756098, "d3": 0.003114447, "d2": 0.0},
        "q3": {"d7": 1.742514594, "d4": 1.615127642, "d2": 1.0, "d5": 0.679566563, "d0": 0.618494441,
               "d6": 0.24601432, "d8": 0.090119332, "d1": 0.0},
    },
    "mnz": {
        "q1": {"d5": 2.658735474, "d4": 2.411764706, "d6": 2.0, "d0": 1.853970209, "d3": 1.691177138,
               "d8": 1.0, "d1": 1.0, "d2": 0.009954275},
        "q2": {"d7": 9.0, "d0": 2.651007615, "d8": 2.587431829, "d1": 2.160927623, "d6": 1.801089918,
               "d4": 0.589756098, "d3": 0.003114447, "d2": 0.0},
        "q3": {"d7": 5.227543783, "d4": 4.845382927, "d2": 2.0, "d5": 1.359133127, "d0": 1.236988881,
               "d6": 0.24601432, "d8": 0.090119332, "d1": 0.0},
    },
    "max": {
        "q1": {"d8": 1.0, "d6": 1.0, "d1": 1.0, "d5": 0.892647594, "d4": 0.679144385, "d3": 0.603164326,
               "d0": 0.461675579, "d2": 0.009954275},
        "q2": {"d7": 1.0, "d8": 0.826521344, "d0": 0.682126697, "d6": 0.600363306, "d4": 0.589756098,
               "d1": 0.570018762, "d3": 0.003114447, "d2": 0.0},
        "q3": {"d4": 1.0, "d7": 1.0, "d2": 1.0, "d5": 0.679566563, "d0": 0.580594679, "d6": 0.24601432,
               "d8": 0.090119332, "d1": 0.0},
    },
    "med": {
        "q1": {"d8": 1.0, "d1": 1.0, "d5": 0.664683868, "d6": 0.5, "d3": 0.422794284, "d0": 0.15631449,
               "d4": 0.124777184, "d2": 0.009954275},
        "q2": {"d7": 1.0, "d0": 0.662751904, "d8": 0.646857957, "d4": 0.589756098, "d1": 0.540231906,
               "d3": 0.003114447, "d6": 0.0, "d2": 0.0},
        "q3": {"d4": 0.561919505, "d2": 0.5, "d7": 0.469483568, "d5": 0.339783282, "d0": 0.30924722,
               "d6": 0.24601432, "d8": 0.090119332, "d1": 0.0},
    },
    "rrf": {
        "q1": {"d4": 0.046905547, "d0": 0.046882631, "d5": 0.032258065, "d6": 0.032018443, "d3": 0.031746032,
               "d8": 0.016393443, "d1": 0.016393443, "d2": 0.015384615},
        "q2": {"d7": 0.049180328, "d6": 0.046649531, "d0": 0.032258065, "d8": 0.032002048, "d1": 0.03125,
               "d4": 0.015873016, "d3": 0.015384615, "d2": 0.015384615},
        "q3": {"d7": 0.048395491, "d4": 0.047891458, "d2": 0.032018443, "d0": 0.031513648, "d5": 0.031513648,
               "d6": 0.015873016, "d8": 0.015625, "d1": 0.015151515},
    },
    "isr": {
        "q1": {"d6": 2.125, "d4": 1.020833333, "d8": 1.0, "d5": 1.0, "d1": 1.0, "d0": 0.640833333,
               "d3": 0.444444444, "d2": 0.04},
        "q2": {"d7": 9.0, "d0": 1.0, "d8": 0.722222222, "d6": 0.604166667, "d1": 0.25, "d4": 0.111111111,
               "d3": 0.04, "d2": 0.04},
        "q3": {"d7": 4.083333333, "d4": 3.520833333, "d2": 2.125, "d0": 0.58, "d5": 0.58, "d6": 0.111111111,
               "d8": 0.0625, "d1": 0.027777778},
    },
    "borda": {
        "q1": {"d5": 16.5, "d0": 15.0, "d4": 15.0, "d3": 14.5, "d6": 14.5, "d8": 12.5, "d1": 11.5, "d2": 8.5},
        "q2": {"d7": 24.0, "d0": 16.0, "d8": 14.5, "d6": 14.0, "d1": 12.5, "d4": 10.5, "d3": 8.5, "d2": 8.0},
        "q3": {"d7": 21.0, "d4": 19.0, "d2": 14.5, "d0": 13.5, "d5": 12.5, "d6": 10.5, "d8": 9.5, "d1": 7.5},
    },
}
# fmt: on
IDS = tuple(f"d{i}" for i in range(9))
METHODS = (*get_args(RankMethod), *get_args(ScoreMethod))


def fused(
    method: str, *members: RankingBatch, documents: DocumentIndex, weights: tuple[float, ...] | None = None
) -> RankingBatch:
    by = weights or (1.0,) * len(members)
    for rank_method in get_args(RankMethod):
        if method == rank_method:
            return fuse_ranks(members, documents, weights=by, c=60, method=rank_method)
    score_method = next(name for name in get_args(ScoreMethod) if name == method)
    return fuse_scores(members, documents, weights=by, normalise="minmax", method=score_method)


def member(documents: DocumentIndex, *rankings: dict[str, float]) -> RankingBatch:
    return RankingBatch.of_lists([[(documents.position(d), s) for d, s in r.items()] for r in rankings], documents)


@pytest.mark.parametrize("method", METHODS)
def test_every_fusion_equals_ranx(method: str) -> None:
    documents = documents_of(*IDS)
    found = fused(method, *(member(documents, *run.values()) for run in RUNS), documents=documents)
    for query, expected in enumerate(RANX[method].values()):
        assert dict(shown(found, documents, query)) == pytest.approx(expected, abs=1e-6)


# Members: one a 8, b 4, c 0 (by minmax 1, 0.5, 0), other b 3, d 1 (1, 0). Candidates a, b, c, d.
@pytest.mark.parametrize(
    ("method", "expected"),
    [
        ("mnz", {"a": 1.0, "b": 3.0, "c": 0.0, "d": 0.0}),  # b: (0.5 + 1) * 2
        ("max", {"a": 1.0, "b": 1.0, "c": 0.0, "d": 0.0}),
        ("med", {"a": 1.0, "b": 0.75, "c": 0.0, "d": 0.0}),  # a: one score alone; b: the mean of two
        # one: a 4, b 3, c 2, and d (4 - 3 + 1) / 2 = 1; other: b 4, d 3, and a, c (4 - 2 + 1) / 2 = 1.5
        ("borda", {"a": 5.5, "b": 7.0, "c": 3.5, "d": 4.0}),
        ("isr", {"a": 1.0, "b": 2.5, "c": 0.111111, "d": 0.25}),  # b: (1/4 + 1) * 2; c: 1/9
    ],
)
def test_each_fusion_by_hand(method: str, expected: dict[str, float]) -> None:
    documents = documents_of("a", "b", "c", "d")
    one, other = member(documents, {"a": 8, "b": 4, "c": 0}), member(documents, {"b": 3, "d": 1})
    assert dict(shown(fused(method, one, other, documents=documents), documents)) == expected


@pytest.mark.parametrize("method", METHODS)
def test_a_member_without_results_for_a_query_leaves_the_order_of_the_others(method: str) -> None:
    documents = documents_of("a", "b", "c")
    one, nothing = member(documents, {"a": 3, "b": 2, "c": 1}), member(documents, {})
    assert names(fused(method, one, nothing, documents=documents), documents) == ["a", "b", "c"]


@pytest.mark.parametrize("method", METHODS)
def test_queries_without_any_result_stay_empty(method: str) -> None:
    documents = documents_of("a")
    found = fused(method, member(documents, {}, {"a": 1}), member(documents, {}, {}), documents=documents)
    assert [names(found, documents, query) for query in range(2)] == [[], ["a"]]


def test_the_only_document_of_a_member_counts_fully_where_ranx_gives_it_0() -> None:
    # ranx 0.3.21: fuse(runs, norm="min-max", method="mnz") is {"a": 0.0, "b": 0.0} here
    documents = documents_of("a", "b")
    found = fused("mnz", member(documents, {"a": 5, "b": 5}), member(documents, {"a": 5}), documents=documents)
    assert dict(shown(found, documents)) == {"a": 4.0, "b": 1.0}  # (1 + 1) * 2; 1 * 1


@pytest.mark.parametrize(
    ("method", "expected"),
    [
        ("mnz", {"a": 6.0, "b": 4.0}),  # a: 3 * 1 * 2; b: (0 + 2) * 2 with weights 3 and 2, scores 1, 0 and 0, 1
        ("isr", {"a": 7.0, "b": 5.5}),  # a: (3 + 2/4) * 2; b: (3/4 + 2) * 2
        ("borda", {"a": 8.0, "b": 7.0}),  # a: 3 * 2 + 2 * 1; b: 3 * 1 + 2 * 2
    ],
)
def test_weights_multiply_what_a_member_gives(method: str, expected: dict[str, float]) -> None:
    documents = documents_of("a", "b")
    one, other = member(documents, {"a": 2, "b": 1}), member(documents, {"b": 2, "a": 1})
    found = fused(method, one, other, documents=documents, weights=(3, 2))
    assert dict(shown(found, documents)) == expected


@pytest.mark.parametrize("method", ["mnz", "isr"])
def test_a_member_of_weight_0_does_not_count_among_those_that_returned_a_document(method: str) -> None:
    documents = documents_of("a", "b")
    one, silent = member(documents, {"a": 2, "b": 1}), member(documents, {"b": 1})
    assert shown(fused(method, one, silent, documents=documents, weights=(1, 0)), documents) == shown(
        fused(method, one, documents=documents), documents
    )


def test_a_query_with_negative_scores_fails_under_mnz_and_the_others_are_fused() -> None:
    hybrid = Hybrid(
        Given({"q": {"a": -1.0}, "r": {"a": 2.0}}), Given({"r": {"a": 1.0}}), method="mnz", normalise="none"
    )
    hybrid.index(documents_of("a"))
    found = hybrid.find(ask("q", "r"))
    assert found.failed == {0: "hybrid: mnz multiplies scores, so it needs scores of 0 or more; use normalise=minmax."}
    assert found.scores.tolist() == [6.0]  # (2 + 1) * 2


@pytest.mark.parametrize("method", ["max", "med"])
def test_maximum_and_median_take_no_weights(method: Literal["max", "med"]) -> None:
    with pytest.raises(InputError, match=f"method {method} takes no weights; leave them out, or use sum or mnz"):
        Hybrid(Given({}), Given({}), method=method, weights=[1, 2])


def test_mnz_refuses_scores_that_are_negative_by_design() -> None:
    with pytest.raises(InputError, match="zscore makes half of them negative; use normalise=minmax"):
        Hybrid(Given({}), Given({}), method="mnz", normalise="zscore")
