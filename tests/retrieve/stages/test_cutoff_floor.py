"""The floor: of the similarity where there is one, else of the score."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any, Literal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldproof.errors import InputError
from goldproof.retrieve.stage import stage_remarks
from goldproof.retrieve.stages.cutoff import Floor, Top
from goldproof.retrieve.stages.decay import Decay
from tests.retrieve.given import Given, GivenDense, ask, documents_of, names

SCORES = {"q": {"a": 7.0, "b": 3.0, "c": 2.9}}
COSINES = {"q": {"a": 0.9, "b": 0.3, "c": 0.29}}


def floored(floor: Floor, *, k: int = 10) -> list[str]:
    documents = documents_of("a", "b", "c", turn=[0, 10, 10])
    floor.index(documents)
    return names(floor.find(ask(k=k)), documents)


def test_without_a_similarity_the_floor_is_one_of_scores_and_includes_itself() -> None:
    assert floored(Floor(Given(SCORES), 3)) == ["a", "b"]


def test_with_a_similarity_the_floor_is_one_of_similarities() -> None:
    # Ages 10, 0, 0 and half-life 10: the scores are 0.45, 0.3, 0.29 and the similarities stay 0.9, 0.3, 0.29.
    assert floored(Floor(Decay(GivenDense(COSINES), half_life=10), 0.4)) == ["a"]


def test_of_score_floors_the_score_where_there_is_a_similarity_too() -> None:
    # Scores 0.45, 0.3, 0.29 as above.
    assert floored(Floor(Decay(GivenDense(COSINES), half_life=10), 0.44, of="score")) == ["a"]
    assert floored(Floor(Decay(GivenDense(COSINES), half_life=10), 0.46, of="score")) == []


def test_of_similarity_where_none_is_known_says_why() -> None:
    with pytest.raises(InputError, match="floor: of=similarity, but no stage before it has an embedder"):
        floored(Floor(Given(SCORES), 0.3, of="similarity"))


def test_an_unknown_similarity_is_dropped_and_counted() -> None:
    floor = Floor(GivenDense({"q": {"a": 0.9, "b": np.nan}}), -1)
    assert floored(floor) == ["a"]
    assert floor.unknown == 1
    assert floor.remarks == ("floor: 1 result had no similarity and was dropped.",)


def test_what_was_dropped_unseen_is_said_once_counted_from_all_threads() -> None:
    floor = Floor(GivenDense({"q": {"a": 0.9, "b": np.nan, "c": np.nan}}), -1)
    assert not floor.remarks
    floor.index(documents_of("a", "b", "c"))
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda _: floor.find(ask()), range(6)))
    # 2 unknown in each of 6 batches
    assert floor.remarks == ("floor: 12 results had no similarity and were dropped.",)
    assert stage_remarks(Top(floor, 5)) == list(floor.remarks)
    floor.index(documents_of("a", "b", "c"))
    assert not floor.remarks


def test_the_source_is_asked_for_k_and_no_more() -> None:
    source = Given(SCORES)
    assert floored(Floor(source, 2.95), k=3) == ["a", "b"]
    assert [request.k for request in source.asked] == [3]


@pytest.mark.parametrize("of", ["similarity", None])
def test_a_similarity_above_1_cannot_be_asked_for(of: Literal["similarity"] | None) -> None:
    with pytest.raises(InputError, match=r"floor: 1\.7 is above 1"):
        floored(Floor(GivenDense(COSINES), 1.7, of=of))


@pytest.mark.parametrize("least", [float("nan"), True, "0.3", None])
def test_a_floor_is_a_number(least: object) -> None:
    wrong: Any = least
    with pytest.raises(InputError, match=r"floor: (least is|nan cannot be used)"):
        Floor(Given(SCORES), wrong)


def test_a_floor_of_something_else_is_refused() -> None:
    of: Any = "rank"
    with pytest.raises(InputError, match="floor: of is rank, expected similarity, score or none"):
        Floor(Given(SCORES), 1, of=of)


def test_a_failed_query_stays_failed() -> None:
    floor = Floor(Given(SCORES, failed={"q": "no answer"}), 1)
    floor.index(documents_of("a", "b", "c"))
    assert floor.find(ask()).failed == {0: "no answer"}


@given(st.dictionaries(st.sampled_from("abcdef"), st.floats(-5, 5)), st.floats(-5, 5))
def test_what_passes_is_all_that_reaches_the_floor_in_its_order(scores: dict[str, float], least: float) -> None:
    documents = documents_of(*"abcdef")
    source = Given({"q": scores})
    floor = Floor(source, least)
    floor.index(documents)
    before = names(source.find(ask()), documents)
    assert names(floor.find(ask()), documents) == [name for name in before if scores[name] >= least]
