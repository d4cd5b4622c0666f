"""Ranks: score descending, then document id descending by code point, whatever the input looks like."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from goldproof.metrics import match
from goldproof.metrics.matching import dicts, order
from goldproof.metrics.matching.order import IdList, IdWords
from goldproof.records.tables import JudgmentTable, RankingTable

if TYPE_CHECKING:
    from goldproof.metrics.matching.match import Questions

# Long shared beginnings, line breaks, NULs, lone surrogates and many lengths: what could confuse comparing by words.
ids = st.text(alphabet=st.sampled_from("ab\n\x00\x7fé日\ud800\U0001f600"), max_size=4).flatmap(
    lambda tail: st.sampled_from(["", "aaaaaaa", "aaaaaaaa", "bbbbbbbbbbbbbbbbbbbbb", "é" * 6]).map(
        lambda head: head + tail
    )
)
scores = st.one_of(st.sampled_from([0.0, -0.0, 1.0, -1.5]), st.floats(-10, 10))
runs = st.dictionaries(st.sampled_from(["q1", "q2", "q3"]), st.dictionaries(ids, scores, max_size=25), max_size=3)


def expected(row: dict[str, float]) -> dict[str, int]:
    in_order = sorted(sorted(row, reverse=True), key=lambda document: -row[document])
    return {document: rank for rank, document in enumerate(in_order, start=1)}


@settings(max_examples=300, deadline=None)
@given(
    run=runs,
    cells=st.sampled_from([1, 8, 1 << 17]),
    pairs=st.sampled_from([0, 8]),
    distinct=st.sampled_from([0.0, 2.0]),  # ids are joined when a tie is met, or all in advance
)
def test_every_document_gets_the_rank_that_plain_sorting_gives(
    run: dict[str, dict[str, float]], cells: int, pairs: int, distinct: float
) -> None:
    # The grade is the expected rank, so that ranks and grades must come out equal.
    qrels = {question: expected(row) for question, row in run.items()}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(order, "CELLS", cells)
        patch.setattr(order, "PAIRS", pairs)
        patch.setattr(dicts, "DISTINCT", distinct)
        ranks = match(qrels, run).ranks
    assert ranks.rank.tolist() == ranks.grade.tolist()
    assert len(ranks.rank) == sum(map(len, run.values()))


texts = st.text(alphabet=st.sampled_from("abc\n\x00é日\U0001f600"), max_size=12)


@settings(max_examples=200, deadline=None)
@given(
    qrels=st.dictionaries(texts, st.dictionaries(texts, st.integers(-1, 3), max_size=6), max_size=5),
    run=st.dictionaries(texts, st.dictionaries(texts, scores, max_size=12), max_size=5),
    depth=st.one_of(st.none(), st.integers(1, 5)),
    kind=st.sampled_from(("judged", "both")),
)
def test_dicts_and_tables_give_the_same_ranks(
    qrels: dict[str, dict[str, int]], run: dict[str, dict[str, float]], depth: int | None, kind: Questions
) -> None:
    tables = (JudgmentTable.from_dict(qrels), RankingTable.from_dict(run))
    plain = match(qrels, run, depth=depth, questions=kind)
    others = [
        match(judged, ranked, depth=depth, questions=kind)
        for judged, ranked in ((tables[0], tables[1]), (qrels, tables[1]), (tables[0], run))
    ]
    for other in others:
        assert other.questions == plain.questions
        assert (other.extra, other.tied_share) == (plain.extra, plain.tied_share)
        for name in plain.ranks.__slots__:
            assert np.array_equal(getattr(other.ranks, name), getattr(plain.ranks, name)), name


@given(st.lists(ids, min_size=2, max_size=2))
def test_words_compare_like_utf_8_bytes(pair: list[str]) -> None:
    words = IdWords(IdList([pair], [0], 2, np.arange(2)))
    longest = max(len(one.encode("utf-8", "surrogatepass")) for one in pair)
    keys = [[int(words.take(np.array([i]), word)[0]) for word in range(longest // 7 + 1)] for i in range(2)]
    one, other = (text.encode("utf-8", "surrogatepass") for text in pair)
    assert (keys[0] < keys[1], keys[0] == keys[1]) == (one < other, one == other)


def test_rows_in_falling_order_rising_order_and_no_order_rank_alike() -> None:
    row = {f"d{i:03}": float(i) for i in range(300)}
    qrels = {"q": {"d299": 1, "d150": 2, "d000": 3}}
    # 300 documents, the highest score first: d299 -> 1, d150 -> 150, d000 -> 300
    for documents in (sorted(row), sorted(row, reverse=True), sorted(row, key=lambda d: hash(d) % 97)):
        ranks = match(qrels, {"q": {document: row[document] for document in documents}}).ranks
        assert list(zip(ranks.rank.tolist(), ranks.grade.tolist(), strict=True)) == [(1, 1), (150, 2), (300, 3)]


def test_the_tied_share_counts_rows_that_share_their_score() -> None:
    # q1: 2 of 3 rows share the score 1; q2: none of 2; 2 / 5
    run = {"q1": {"a": 1.0, "b": 1.0, "c": 2.0}, "q2": {"a": 1.0, "b": 2.0}}
    assert match({"q1": {"a": 1}, "q2": {"a": 1}}, run).tied_share == 0.4
    assert match({"q1": {}, "q2": {}}, {}).tied_share == 0.0
