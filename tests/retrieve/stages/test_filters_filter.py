"""The filter as a step: before the cut at k, and once more afterwards."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldproof.errors import InputError
from goldproof.retrieve.stage import Request
from goldproof.retrieve.stages.filters import Filter, matches, read_range
from tests.retrieve.given import Given, ask, documents_of, names

SCORES = {"q": {"a": 4.0, "b": 3.0, "c": 2.0, "d": 1.0}}
YEARS: list[object] = [2018, 2019, 2020, 2021]


def test_the_source_cuts_at_k_after_filtering() -> None:
    documents = documents_of(*"abcd", year=YEARS)
    step = Filter(Given(SCORES), year="2019..2020")
    step.index(documents)
    assert names(step.find(ask(k=2)), documents) == ["b", "c"]


def test_what_a_source_returns_against_the_filter_is_dropped() -> None:
    documents = documents_of(*"abcd", year=YEARS)
    step = Filter(Given({"q": {**SCORES["q"], "stranger": 9.0}}, obeys=False), year={"gte": 2020})
    step.index(documents)
    assert names(step.find(ask()), documents) == ["c", "d"]


def test_a_filter_narrows_what_the_request_allows_and_the_source_sees_both() -> None:
    documents = documents_of(*"abcd", year=YEARS, lang=["en", "en", "de", "en"])
    source = Given(SCORES)
    step = Filter(source, lang="en")
    step.index(documents)
    request = Request(("q",), 10, allowed=np.asarray([False, True, True, True]), filters={"year": {"gte": 2019}})
    assert names(step.find(request), documents) == ["b", "d"]
    assert source.asked[0].filters == {"year": {"gte": 2019}, "lang": "en"}


def test_two_filters_after_each_other_both_hold() -> None:
    documents = documents_of(*"abcd", year=YEARS)
    step = Filter(Filter(Given(SCORES), year="2019.."), year="..2020")
    step.index(documents)
    assert names(step.find(ask()), documents) == ["b", "c"]


def test_a_field_may_be_called_source() -> None:
    documents = documents_of(*"abcd", source=["x", "y", "x", "y"])
    step = Filter(Given(SCORES), source="y")
    step.index(documents)
    assert names(step.find(ask()), documents) == ["b", "d"]


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("2019..2021", {"gte": 2019, "lte": 2021}),
        ("2019..", {"gte": 2019}),
        ("..2021", {"lte": 2021}),
        ("0.5..1.5", {"gte": 0.5, "lte": 1.5}),
        ("-3..-1", {"gte": -3, "lte": -1}),
        ("2020-01-01..2020-12-31", {"gte": "2020-01-01", "lte": "2020-12-31"}),
        ("2020-01-01T10:00:00Z..", {"gte": "2020-01-01T10:00:00Z"}),
        ("apple..pear", {"gte": "apple", "lte": "pear"}),
        ("..", ".."),
        ("a...b", "a...b"),
        ("../docs", "../docs"),
        ("a/../b", "a/../b"),
        ("3.5", "3.5"),
        (["2019..2021"], ["2019..2021"]),
        (7, 7),
    ],
)
def test_a_range_is_one_word(word: object, expected: object) -> None:
    assert read_range(word) == expected


def test_wrong_filters_are_refused_when_the_step_is_made() -> None:
    with pytest.raises(InputError, match="filter: no field is given"):
        Filter(Given(SCORES))
    wrong: Any = {"above": 3}
    with pytest.raises(InputError, match="unknown operator of filter year 'above'"):
        Filter(Given(SCORES), year=wrong)


values = st.one_of(st.none(), st.integers(0, 3), st.sampled_from(["x", "y"]), st.lists(st.integers(0, 3), max_size=2))
conditions = st.one_of(
    st.integers(0, 3),
    st.sampled_from(["x", "y"]),
    st.lists(st.integers(0, 3), min_size=1, max_size=2),
    st.fixed_dictionaries({"gte": st.integers(0, 3)}, optional={"lt": st.integers(0, 3)}),
)


@given(st.lists(values, min_size=4, max_size=4), conditions, st.booleans(), st.integers(1, 5))
def test_a_document_that_does_not_match_is_never_returned(
    column: list[object], wanted: object, obeys: bool, k: int
) -> None:
    # One document of either kind, so that no filter is refused as senseless.
    documents = documents_of(*"abcdef", f=[*column, 1, "x"])
    step = Filter(Given({"q": {**SCORES["q"], "e": 0.5, "f": 0.4, "stranger": 9.0}}, obeys=obeys), f=wanted)
    step.index(documents)
    found = step.find(ask(k=k))
    right = [document.id for document in documents.corpus if matches({"f": wanted}, document.metadata)]
    assert set(names(found, documents)) <= set(right)
    if obeys:
        assert names(found, documents) == right[:k]
