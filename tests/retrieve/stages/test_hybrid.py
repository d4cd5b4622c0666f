"""The hybrid: asks its members deep enough, fuses, and knows similarities where a member does."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from goldproof import retrieve
from goldproof.errors import InputError
from goldproof.records.entities import Document
from goldproof.retrieve.stages.cutoff import Floor, Top
from goldproof.retrieve.stages.hybrid import Hybrid
from tests.retrieve.given import Given, GivenDense, ask, documents_of, names, shown

WORDS = {"q": {"a": 9.0, "b": 5.0, "c": 1.0}}
COSINES = {"q": {"b": 0.8, "c": 0.7, "a": 0.2}}


def test_members_are_fused_by_reciprocal_rank_unless_said_otherwise() -> None:
    documents = documents_of("a", "b", "c")
    hybrid = Hybrid(Given(WORDS), GivenDense(COSINES))
    hybrid.index(documents)
    # of b 1/62 + 1/61 = 0.032522; a: 1/61 + 1/63 = 0.032266; c: 1/63 + 1/62 = 0.032002
    assert shown(hybrid.find(ask()), documents) == [("b", 0.032522), ("a", 0.032266), ("c", 0.032002)]


def test_by_method_sum_the_weights_decide() -> None:
    documents = documents_of("a", "b", "c")
    hybrid = Hybrid(Given(WORDS), GivenDense(COSINES), method="sum", weights=[3, 1])
    hybrid.index(documents)
    # words: a 1, b 0.5, c 0; cosines: b 1, c (0.7-0.2)/0.6 = 0.833333, a 0. a 3; b 1.5 + 1; c 0.833333
    assert shown(hybrid.find(ask()), documents) == [("a", 3.0), ("b", 2.5), ("c", 0.833333)]


@pytest.mark.parametrize(("k", "asked"), [(3, 100), (250, 250)])
def test_each_member_is_asked_for_depth_or_k(k: int, asked: int) -> None:
    one, other = Given(WORDS), Given(WORDS)
    hybrid = Hybrid(one, other)
    hybrid.index(documents_of("a", "b", "c"))
    hybrid.find(ask(k=k))
    assert [member.asked[0].k for member in (one, other)] == [asked, asked]


def test_at_most_k_come_back() -> None:
    documents = documents_of("a", "b", "c")
    hybrid = Hybrid(Given(WORDS), GivenDense(COSINES))
    hybrid.index(documents)
    assert names(hybrid.find(ask(k=2)), documents) == ["b", "a"]


def test_a_query_that_failed_in_one_member_failed_and_the_reason_names_it() -> None:
    documents = documents_of("a", "b", "c")
    rows = {"q": {"a": 1.0}, "r": {"b": 1.0}}
    hybrid = Hybrid(Given(rows), Given(rows, failed={"q": "timed out"}))
    hybrid.index(documents)
    found = hybrid.find(ask("q", "r"))
    assert found.failed == {0: "hybrid: member 2 (given): timed out"}
    assert [names(found, documents, i) for i in range(2)] == [[], ["b"]]


def test_every_row_has_the_similarity_of_the_dense_member() -> None:
    # a was not among the two that the dense member returned, and has its similarity all the same.
    documents = documents_of("a", "b", "c")
    hybrid = Hybrid(Given(WORDS), GivenDense(COSINES, returns=2))
    hybrid.index(documents)
    found = hybrid.find(ask())
    assert found.similarity is not None
    assert dict(zip(names(found, documents), found.similarity.tolist(), strict=True)) == COSINES["q"]


def test_without_an_embedder_there_is_no_similarity() -> None:
    hybrid = Hybrid(Given(WORDS), Given(WORDS))
    hybrid.index(documents_of("a", "b", "c"))
    found = hybrid.find(ask())
    assert found.similarity is None
    assert np.isnan(hybrid.similarities(("q",), found)).all()


def test_a_floor_after_a_hybrid_is_one_of_cosines() -> None:
    documents = documents_of("a", "b", "c")
    floor = Floor(Hybrid(Given(WORDS), GivenDense(COSINES)), 0.75)
    floor.index(documents)
    assert names(floor.find(ask()), documents) == ["b"]


@pytest.mark.parametrize("nested", ["hybrid", "step"])
def test_a_dense_member_is_found_inside_hybrids_and_under_steps(nested: str) -> None:
    documents = documents_of("a", "b", "c")
    dense = GivenDense(COSINES)
    inner = Hybrid(Given(WORDS), dense) if nested == "hybrid" else Top(Floor(dense, 0.1), 3)
    hybrid = Hybrid(Given(WORDS), inner)
    hybrid.index(documents)
    found = hybrid.find(ask())
    assert found.similarity is not None
    assert dict(zip(names(found, documents), found.similarity.tolist(), strict=True)) == COSINES["q"]


def test_a_member_that_is_named_twice_is_indexed_once() -> None:
    member = Given(WORDS)
    Hybrid(member, member).index(documents_of("a", "b", "c"))
    assert member.indexed == 1


def test_an_object_that_is_named_twice_gives_what_it_gives_alone() -> None:
    class Mine:
        def index(self, documents: list[Document]) -> None:
            self.ids = [document.id for document in documents]

        def search(self, query: str, k: int) -> list[str]:  # noqa: ARG002 - the shape of a retriever
            return self.ids[:k]

    mine = Mine()
    twice = retrieve.hybrid(mine, mine)
    twice.index([Document("a"), Document("b")])
    assert [hit.doc_id for hit in twice.search("q")] == ["a", "b"]


def test_scores_too_large_to_be_added_fail_their_query_only() -> None:
    rows = {"q": {"a": 1.7e308}, "r": {"a": 1.0}}
    hybrid = Hybrid(Given(rows), Given(rows), method="sum", normalise="none")
    hybrid.index(documents_of("a"))
    assert hybrid.find(ask("q", "r")).scores.tolist() == [math.inf, 2.0]  # `Pipeline.find` fails what is not finite


@pytest.mark.parametrize("ask_for", [{"k": 10**30}, {"depth": 10**30}])
def test_more_may_be_asked_for_than_any_array_holds(ask_for: dict[str, int]) -> None:
    pipeline = retrieve.hybrid("bm25", retrieve.dense(letters), depth=ask_for.get("depth", 100))
    pipeline.index([Document("a", "cat"), Document("b", "dog")])
    assert {hit.doc_id for hit in pipeline.search("cat", ask_for.get("k", 10))} == {"a", "b"}


def letters(texts: list[str]) -> list[list[float]]:
    return [[1.0 + text.count("a"), 1.0 + text.count("o")] for text in texts]


def test_no_query_gives_no_ranking() -> None:
    hybrid = Hybrid(Given(WORDS), GivenDense(COSINES))
    hybrid.index(documents_of("a"))
    request = ask()
    assert hybrid.find(type(request)((), 5)).queries == 0


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"weights": [1]}, "one for each of the 2 members"),
        ({"weights": [1, -1]}, "none below 0"),
        ({"weights": [0, 0]}, "one above 0"),
        ({"weights": [1e308, 1]}, "none above 1,000,000,000"),
        ({"weights": [1, True]}, "weights is [1, true], expected none or a list such as [0.7, 0.3]"),
        ({"weights": "12"}, 'weights is "12", expected none or a list'),
        ({"method": "mean"}, "method is mean, expected rrf, sum, mnz, max, med, borda or isr"),
        ({"normalise": "softmax"}, "normalise is softmax, expected minmax, zscore, max or none"),
        ({"c": -1}, "c is -1"),
        ({"depth": 0}, "depth is 0"),
    ],
)
def test_wrong_settings_are_refused_by_name(settings: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError, match="hybrid") as caught:
        Hybrid(Given(WORDS), Given(WORDS), **settings)
    assert said in str(caught.value)


def test_a_hybrid_of_nothing_is_refused() -> None:
    with pytest.raises(InputError, match="hybrid: has no members"):
        Hybrid()
