"""Answers of parts of a request come back in the places of their queries."""

from __future__ import annotations

import numpy as np

from goldproof.retrieve.ranking import RankingBatch, RankingPart, merged, strictly_falling, subrequest
from goldproof.retrieve.stage import Request
from tests.retrieve.given import documents_of, names

DOCUMENTS = documents_of(*"abc")


def found(*rankings: list[tuple[int, float]], failed: dict[int, str] | None = None) -> RankingBatch:
    return RankingBatch.of_lists(rankings, DOCUMENTS, failed=failed)


def test_every_query_gets_its_own_answer_and_its_own_failure() -> None:
    first = found([(0, 2.0), (1, 1.0)], [], failed={1: "broken"})
    second = found([(2, 5.0)], [])
    joined = merged([RankingPart([3, 1], first), RankingPart([0, 2], second)], 4)
    assert [names(joined, DOCUMENTS, i) for i in range(4)] == [["c"], [], [], ["a", "b"]]
    assert joined.scores.tolist() == [5.0, 2.0, 1.0]
    assert joined.failed == {1: "broken"}
    assert joined.similarity is None


def test_a_part_without_similarities_has_unknown_ones_beside_one_that_has_some() -> None:
    one = found([(0, 2.0)])
    other = RankingBatch(one.starts, one.documents, one.scores, similarity=np.asarray([0.5]))
    joined = merged([RankingPart([1], one), RankingPart([0], other)], 2)
    assert joined.similarity is not None
    assert np.array_equal(joined.similarity, [0.5, np.nan], equal_nan=True)


def test_no_parts_are_no_answers() -> None:
    assert merged([], 0).queries == 0


def test_some_queries_are_asked_with_their_ids_and_all_of_them_as_they_were() -> None:
    request = Request(("x", "y", "z"), 5, ids=("1", "2", "3"), now=7)
    some = subrequest(request, [2, 0])
    assert (some.queries, some.ids, some.k, some.now) == (("z", "x"), ("3", "1"), 5, 7)
    assert subrequest(Request(("x", "y"), 5), [1]).ids == ()
    assert subrequest(request, [0, 1, 2]) is request


def test_scores_fall_by_a_millionth_where_they_would_not() -> None:
    # 5, 5 -> 5 - 5e-6; 9 is above, so a millionth below that again: 4.999995 - 4.999995e-6; 1 falls by itself
    assert np.allclose(strictly_falling([5, 5, 9, 1]), [5, 4.999995, 4.999990000005, 1], rtol=0, atol=1e-12)
    assert np.allclose(strictly_falling([0, 0]), [0, -1e-6], rtol=0, atol=1e-15)
    assert strictly_falling([]) == []
