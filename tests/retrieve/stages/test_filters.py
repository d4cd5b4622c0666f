"""Filters on metadata: what matches, and what is refused."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldproof.errors import InputError, UnknownNameError
from goldproof.records.entities import Document
from goldproof.retrieve.document_index import DocumentIndex
from goldproof.retrieve.stages.filters import filter_mask, matches
from tests.retrieve.given import documents_of


@pytest.mark.parametrize(
    ("wanted", "value", "expected"),
    [
        ("en", "en", True),
        ("en", "EN", False),
        ("en", "en ", False),
        (1, 1.0, True),
        (1, True, False),
        (True, 1, False),
        (True, True, True),
        (1, "1", False),
        ("1", 1, False),
        (["de", "en"], "en", True),
        (["de", "fr"], "en", False),
        (["de", 3], 3, True),
        ("en", ["de", "en"], True),
        (["x", "en"], ["de", "en"], True),
        ("en", ["de"], False),
        ("en", [], False),
        ("en", None, False),
        ("en", {"en": 1}, False),
    ],
)
def test_a_value_is_equal_or_one_of_several(wanted: object, value: object, expected: bool) -> None:
    assert matches({"f": wanted}, {"f": value}) is expected


@pytest.mark.parametrize(
    ("wanted", "value", "expected"),
    [
        ({"gte": 2}, 2, True),
        ({"gt": 2}, 2, False),
        ({"gt": 2}, 2.5, True),
        ({"lte": 2}, 2.0, True),
        ({"lt": 2}, 2, False),
        ({"gte": 1, "lt": 3}, 2, True),
        ({"gte": 1, "lt": 3}, 3, False),
        ({"gte": 9}, 10, True),
        ({"gte": "9"}, "10", False),  # text: "1" comes before "9"
        ({"gte": "b", "lte": "d"}, "c", True),
        ({"gte": 1}, True, False),
        ({"gte": 1}, "2", False),
        ({"gte": 2, "lte": 3}, [1, 5], False),  # one item must satisfy both
        ({"gte": 2, "lte": 3}, [1, 3], True),
    ],
)
def test_a_range_has_ends(wanted: object, value: object, expected: bool) -> None:
    assert matches({"f": wanted}, {"f": value}) is expected


@pytest.mark.parametrize(
    ("wanted", "value", "expected"),
    [
        ("2024-05-01", "2024-05-01T15:00:00", True),
        ("2024-05-01T00:00:00", "2024-05-01T15:00:00", False),
        ("2024-05", "2024-05-31", True),
        ("2024-05", "2024-06-01", False),
        ("2024-05-01T12:00:00Z", "2024-05-01T14:00:00+02:00", True),
        ({"lte": "2024-05-01"}, "2024-05-01T23:59:59", True),
        ({"lte": "2024-05-01"}, "2024-05-02", False),
        ({"lt": "2024-05-01"}, "2024-05-01", False),
        ({"gt": "2024-05-01"}, "2024-05-01T23:59:59", False),
        ({"gt": "2024-05-01"}, "2024-05-02", True),
        ({"gt": "2024-05-01T09:00:00"}, "2024-05-01T09:00:00", False),
        ({"gte": "2024-05-01T10:00:00+02:00"}, "2024-05-01T08:00:00Z", True),
        ({"gte": 2019, "lte": 2021}, "2021-12-31", True),
        ({"gte": 2019, "lte": 2021}, "2022-01-01", False),
        ({"gte": 2019}, "2019", False),  # text of a year is text
        ({"gte": date(2024, 5, 1)}, "2024-05-01", True),
        ({"lt": datetime(2024, 5, 1, tzinfo=UTC)}, date(2024, 4, 30), True),
        ("2024-05-01", date(2024, 5, 1), True),
        ("2024-13-01", "2024-13-01", True),  # no date, equal text
    ],
)
def test_dates_compare_as_dates_and_stand_for_their_whole_day_or_month(
    wanted: object, value: object, expected: bool
) -> None:
    assert matches({"f": wanted}, {"f": value}) is expected


def test_all_filters_must_hold() -> None:
    metadata = {"lang": "en", "year": 2020}
    assert matches({"lang": "en", "year": {"gte": 2019}}, metadata)
    assert not matches({"lang": "en", "year": {"gte": 2021}}, metadata)
    assert matches({}, metadata)


def test_a_missing_field_never_matches() -> None:
    assert not matches({"year": {"lte": 3000}}, {"lang": "en"})
    assert not matches({"year": 2020}, {"year": None})


def test_a_field_inside_a_field_is_named_with_a_dot() -> None:
    assert matches({"meta.year": 2020}, {"meta": {"year": 2020}})
    assert matches({"meta.year": 2020}, {"meta.year": 2020})
    assert not matches({"meta.year": 2020}, {"meta": 2020})


def test_the_mask_says_which_documents_match() -> None:
    documents = documents_of("a", "b", "c", lang=["en", "de", None], year=[2019, 2020, 2021])
    assert filter_mask(documents, {"lang": ["en", "de"], "year": {"gte": 2020}}).tolist() == [False, True, False]
    assert filter_mask(documents, {}).tolist() == [True, True, True]


def test_id_and_title_are_fields_unless_the_metadata_has_them() -> None:
    documents = DocumentIndex([Document("a", title="T"), Document("b", title="U", metadata={"id": "a", "title": "T"})])
    assert filter_mask(documents, {"id": "a"}).tolist() == [True, True]
    assert filter_mask(documents, {"title": "T"}).tolist() == [True, True]
    assert filter_mask(documents, {"title": "U"}).tolist() == [False, False]


def test_an_unknown_document_is_not_in_the_mask() -> None:
    documents = documents_of("a", lang=["en"])
    documents.position("stranger", "text")
    assert filter_mask(documents, {"lang": "en"}).tolist() == [True]


def test_a_field_that_no_document_has_is_misspelt() -> None:
    documents = documents_of("a", "b", language=["en", None])
    with pytest.raises(UnknownNameError, match="unknown field of a filter 'langage'; did you mean 'language'"):
        filter_mask(documents, {"langage": "en"})


def test_a_nested_field_is_among_those_suggested() -> None:
    documents = DocumentIndex([Document("a", metadata={"meta": {"year": 2020}})])
    with pytest.raises(UnknownNameError, match=r"did you mean 'meta\.year'"):
        filter_mask(documents, {"meta.yaer": 2020})


@pytest.mark.parametrize("wanted", [2019, {"gte": 2019}, [2019, 2020]])
def test_a_value_of_a_kind_that_the_field_never_holds_is_refused(wanted: object) -> None:
    with pytest.raises(InputError, match=r"year is compared with 2019 \(int\), but .* such as '2019' \(str\)"):
        filter_mask(documents_of("a", year=["2019"]), {"year": wanted})


def test_of_several_values_one_of_the_right_kind_is_enough() -> None:
    assert filter_mask(documents_of("a", year=["2019"]), {"year": ["2019", 2019.0]}).tolist() == [True]


def test_a_corpus_without_documents_has_no_misspelt_field() -> None:
    assert filter_mask(DocumentIndex(), {"anything": 1}).tolist() == []


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        ({"ge": 1}, "unknown operator of filter f 'ge'; did you mean 'gte'"),
        ({}, "empty range"),
        ([], "empty list"),
        (None, "compared with None"),
        ([["a"]], r"compared with \['a'\]"),
        ({"gte": [1]}, r"compared with \[1\]"),
        ({"gte": True}, "have no order"),
    ],
)
def test_what_is_no_filter_is_refused(wanted: object, said: str) -> None:
    with pytest.raises(InputError, match=said):
        matches({"f": wanted}, {"f": 1})


scalars = st.one_of(st.booleans(), st.integers(-3, 3), st.sampled_from([0.5, 1.0]), st.sampled_from("abc"))


@given(scalars, scalars)
def test_equal_means_neither_above_nor_below(wanted: object, value: object) -> None:
    if isinstance(wanted, bool):
        assert matches({"f": wanted}, {"f": value}) == (value is wanted)
        return
    within = matches({"f": {"gte": wanted, "lte": wanted}}, {"f": value})
    assert matches({"f": wanted}, {"f": value}) == within
    ways = [matches({"f": {operator: wanted}}, {"f": value}) for operator in ("lt", "gt")]
    assert sum((within, *ways)) == (not isinstance(value, bool) and isinstance(wanted, str) == isinstance(value, str))
