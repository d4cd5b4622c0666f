"""Recency: the newest first, whatever the query."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldproof.errors import InputError
from goldproof.retrieve.stage import Request
from goldproof.retrieve.stages.decay import Recency, recency_scores
from goldproof.retrieve.stages.filters import Filter
from goldproof.retrieve.stages.hybrid import Hybrid
from tests.retrieve.given import Given, ask, documents_of, names, shown


def test_the_newest_come_first_with_halves_as_scores() -> None:
    documents = documents_of("a", "b", "c", "d", turn=[5, 10, 0, 10])
    recency = Recency(half_life=5)
    recency.index(documents)
    # ages 5, 0, 10, 0: 0.5, 1, 0.25, 1; of the two newest by id
    expected = [("d", 1.0), ("b", 1.0), ("a", 0.5), ("c", 0.25)]
    found = recency.find(ask("what", "else"))
    assert [shown(found, documents, i) for i in range(2)] == [expected, expected]


def test_at_most_k_of_those_allowed_come_back() -> None:
    documents = documents_of("a", "b", "c", turn=[1, 2, 3])
    recency = Recency()
    recency.index(documents)
    request = Request(("q", "r"), 1, allowed=np.asarray([True, True, False]))
    assert [names(recency.find(request), documents, i) for i in range(2)] == [["b"], ["b"]]


def test_nothing_allowed_gives_empty_rankings() -> None:
    recency = Recency()
    recency.index(documents_of("a", turn=[1]))
    assert recency.find(Request(("q", "r"), 5, allowed=np.asarray([False]))).starts.tolist() == [0, 0, 0]


def test_by_age_and_now_dates_count() -> None:
    documents = documents_of("a", "b", date=["2024-05-01", "2024-05-03"])
    recency = Recency(by="age", half_life="1d", now="2024-05-04")
    recency.index(documents)
    # 3 days and 1 day
    assert shown(recency.find(ask()), documents) == [("b", 0.5), ("a", 0.125)]


def test_the_order_survives_ages_whose_score_would_vanish() -> None:
    # 0.5^(5000) is 0 in a float; the older of two old documents must still be last, though its id is higher.
    documents = documents_of("a", "b", "c", turn=[6000, 5000, 100_000])
    recency = Recency(half_life=1)
    recency.index(documents)
    assert names(recency.find(ask()), documents) == ["c", "a", "b"]


def test_documents_newer_than_now_are_counted_for_the_report() -> None:
    recency = Recency(now=1)
    recency.index(documents_of("a", "b", "c", turn=[1, 2, 3]))
    recency.find(ask())
    assert recency.remarks == ("recency: 2 documents are newer than now and count as age 0.",)


def test_a_document_without_a_turn_is_refused_or_comes_last() -> None:
    documents = documents_of("a", "b", "c", turn=[1, None, 2])
    with pytest.raises(InputError, match="recency: document 'b' has no field 'turn'"):
        Recency().index(documents)
    lenient = Recency(missing="keep")
    lenient.index(documents)
    assert shown(lenient.find(ask()), documents)[-1] == ("b", 0.0)


def test_it_can_be_a_member_of_a_hybrid_and_be_filtered() -> None:
    documents = documents_of("a", "b", "c", turn=[1, 2, 3])
    hybrid = Hybrid(Given({"q": {"a": 2.0, "b": 1.0}}), Filter(Recency(), turn="..2"))
    hybrid.index(documents)
    # a: 1/61 + 1/62, b: 1/62 + 1/61: equal, so by id
    assert names(hybrid.find(ask()), documents) == ["b", "a"]


def test_an_empty_corpus_has_no_newest() -> None:
    recency = Recency()
    recency.index(documents_of())
    assert recency.find(ask()).starts.tolist() == [0, 0]


@given(st.lists(st.integers(0, 10**7), min_size=2, max_size=20), st.sampled_from([0.5, 10.0, 1000.0]))
def test_an_older_document_scores_less(ages: list[int], half_life: float) -> None:
    ordered = np.unique(np.asarray(ages, dtype=np.float64))
    scores = recency_scores(ordered, half_life)
    assert (np.diff(scores) < 0).all()
    assert ((scores > 0) & (scores <= 1)).all()
