"""Lexical and dense rank side by side: what they say, and what they point to."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from goldproof.jobs.memory.analysis.reference_ranks import MissingMemory, Ranks, wording_of

if TYPE_CHECKING:
    from goldproof.jobs.memory.analysis.deeper_search import SystemKind


def situation(
    lexical: int | None,
    dense: int | None,
    kind: SystemKind = "unknown",
    *,
    own_rank: int | None = None,
    besides: str = "",
    reranked: bool = False,
    no_dense: str = "",
) -> MissingMemory:
    return MissingMemory(
        "m",
        Ranks(lexical, dense),
        k=5,
        ranked=40,
        kind=kind,
        own_rank=own_rank,
        besides=besides,
        reranked=reranked,
        no_dense=no_dense,
    )


def letters(one: MissingMemory) -> str:
    return "".join(advice.letter for advice in wording_of(one).advice)


def test_words_that_find_what_meaning_does_not_point_to_hybrid_search() -> None:
    assert letters(situation(2, 30)) == "G"
    assert letters(situation(2, 30, "dense", own_rank=30)) == "G"
    assert wording_of(situation(2, 30)).sentence == (
        "BM25 rank 2, minilm rank 30 of 40: words find it, embeddings do not."
    )


def test_a_system_that_searches_words_alone_is_not_told_to_add_them() -> None:
    assert letters(situation(2, 30, "lexical", own_rank=30)) == ""


def test_a_hybrid_is_told_of_its_weights() -> None:
    (advice,) = wording_of(situation(2, 30, "hybrid", own_rank=12)).advice
    assert (advice.letter, advice.because) == ("G", "give the lexical part of the hybrid more weight")
    (advice,) = wording_of(situation(30, 2, "hybrid", own_rank=12)).advice
    assert (advice.letter, advice.because) == ("G", "give the dense part of the hybrid more weight")


def test_embeddings_that_find_what_words_do_not_point_to_hybrid_search_or_to_another_embedder_where_there_is_one() -> (
    None
):
    assert letters(situation(None, 1, "lexical")) == "G"
    assert letters(situation(None, 1)) == "G"
    assert letters(situation(None, 1, "dense", own_rank=20)) == "A"  # an embedder that the system does not have
    assert wording_of(situation(None, 1)).sentence == (
        "No BM25 rank (no content word in common), minilm rank 1 of 40: worded differently, embeddings find it."
    )


def test_where_neither_finds_it_other_words_or_another_embedder_may() -> None:
    assert letters(situation(None, 30, "dense", own_rank=30)) == "CA"
    assert letters(situation(20, 30, "hybrid", own_rank=25)) == "CA"
    assert "neither finds it" in wording_of(situation(None, 30)).sentence


@pytest.mark.parametrize(("rank", "expected"), [(5, ""), (6, "BD"), (10, "BD"), (11, "CA")])
def test_near_is_beyond_k_and_within_2k(rank: int, expected: str) -> None:
    assert letters(situation(None, 30, "dense", own_rank=rank)) == expected


def test_near_by_the_own_rank_is_sure_and_by_the_reference_is_not() -> None:
    own = wording_of(situation(7, 8, "hybrid", own_rank=6, besides=", with top(3) raised as well,")).advice
    assert [one.because for one in own] == [
        "its rank is 6; k = 6, with top(3) raised as well, would bring it",
        "its rank is 6; a reranker that reads 10 would see it",
    ]
    reference = wording_of(situation(7, 8)).advice
    assert [one.because for one in reference] == [
        "the better of BM25 and minilm ranks it 7; k = 7 may bring it",
        "the better of BM25 and minilm ranks it 7; re-ranking the first 10 may bring it",
    ]


def test_where_both_find_it_the_wording_is_not_to_blame() -> None:
    found = wording_of(situation(1, 2))
    assert found.advice == ()
    assert found.sentence.endswith("words and embeddings both find it.")


def test_nothing_is_advised_where_the_system_itself_ranks_it_within_k() -> None:
    assert letters(situation(None, 30, "dense", own_rank=3)) == ""
    assert letters(situation(None, 30, "dense", own_rank=30)) == "CA"


@pytest.mark.parametrize("kind", ["lexical", "unknown"])
@pytest.mark.parametrize("ranks", [(None, 1), (None, 30), (30, 30), (2, 30), (None, None)])
def test_a_system_without_embeddings_is_never_told_to_take_others(
    kind: SystemKind, ranks: tuple[int | None, int | None]
) -> None:
    assert "A" not in letters(situation(*ranks, kind))


def test_a_system_of_the_users_is_told_what_to_add_if_it_has_it_not() -> None:
    assert [one.because for one in wording_of(situation(None, 1)).advice] == [
        "minilm ranks it 1; search by embeddings too, if it does not yet"
    ]
    assert [one.because for one in wording_of(situation(2, 30)).advice] == [
        "BM25 ranks it 2; match words too, if it does not yet"
    ]
    (known,) = wording_of(situation(None, 1, "lexical")).advice
    assert known.because == "minilm ranks it 1; search by embeddings too"


def test_a_larger_k_is_not_advised_where_fewer_than_k_came() -> None:
    assert letters(situation(7, 8)) == "BD"
    assert letters(replace(situation(7, 8), too_few=True)) == ""


def test_a_reranker_says_the_rest_itself() -> None:
    assert letters(situation(7, 8, "dense", own_rank=7, reranked=True)) == ""


def test_without_the_extra_nothing_is_said_of_meaning() -> None:
    why = "the embedder minilm needs the extra 'dense'"
    found = wording_of(situation(None, None, no_dense=why))
    assert [one.letter for one in found.advice] == ["C"]
    assert found.sentence == (
        f"No BM25 rank (no content word in common), minilm rank unknown ({why}): words do not find it."
    )
    assert letters(situation(2, None, no_dense=why)) == "G"
    assert "words find it" in wording_of(situation(2, None, no_dense=why)).sentence
