"""Values of fields, as they are compared."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldproof.dedup import DEFAULT_RULES
from goldproof.dedup.items import FieldReader
from goldproof.dedup.values import Kind, canonical, instant

MAIL = next(one for one in DEFAULT_RULES.types if one.name == "mail")


@pytest.mark.parametrize(
    "value",
    [
        "2026-03-01T09:30:00Z",
        "2026-03-01t09:30z",
        "2026-03-01 10:30:00+01:00",
        "2026-03-01T10:30:00.000+0100",
        "2026-03-01T04:00:00-05:30",
        1_772_357_400,
        1_772_357_400.0,
        "1772357400",
        1_772_357_400_000,
        "1772357400000",
        1_772_357_400_000_000,
        1_772_357_400_000_000_000,
    ],
)
def test_one_moment_written_in_many_ways_is_one_value(value: object) -> None:
    # date -u -d 2026-03-01T09:30:00Z +%s = 1772357400
    assert instant(value) == 1_772_357_400_000_000
    assert canonical(value, Kind.TIME) == "@1772357400000000"


@given(
    st.datetimes(min_value=datetime(1600, 1, 1), max_value=datetime(2400, 1, 1)),  # noqa: DTZ001 - the zone is added
    st.integers(-14 * 60, 14 * 60),
)
def test_an_instant_is_that_of_the_standard_library(moment: datetime, minutes: int) -> None:
    zoned = moment.replace(tzinfo=timezone(timedelta(minutes=minutes)))
    expected = (zoned - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(microseconds=1)
    assert instant(zoned.isoformat()) == expected


@pytest.mark.parametrize(
    "value",
    ["2026-03-01T09:30:00", "2026-03-01", "yesterday", "2026-13-01T00:00:00Z", "12", 12, 0, True, float("nan"), 1e300],
)
def test_what_has_no_zone_or_makes_no_sense_is_no_instant(value: object) -> None:
    assert instant(value) is None


def test_a_time_that_is_no_instant_is_compared_as_text() -> None:
    assert canonical("Monday  MORNING", Kind.TIME) == "monday morning"


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("Anna Berg <Anna@X.org>", "anna@x.org"),
        ("mailto:ANNA@x.org", "anna@x.org"),
        ("anna@x.org; Bo <bo@x.org>", ("anna@x.org", "bo@x.org")),
        (["Bo <bo@x.org>", "ANNA@x.org", "bo@x.org"], ("anna@x.org", "bo@x.org")),
        ({"emailAddress": {"name": "Anna", "address": "Anna@x.org"}}, "anna@x.org"),
        ('"Berg, Anna" <anna@x.org>', "anna@x.org"),
        ("Anna  Berg", "anna berg"),
    ],
)
def test_addresses_are_bare_and_in_lower_case(value: object, expected: object) -> None:
    assert canonical(value, Kind.ADDRESS) == expected


@pytest.mark.parametrize(
    ("a", "b"), [(42, "42"), (42.0, 42), (["b", "A", "a"], ["a", "b"]), (["x"], "X"), (True, "true")]
)
def test_values_that_mean_the_same_are_equal(a: object, b: object) -> None:
    assert canonical(a, Kind.TEXT) == canonical(b, Kind.TEXT)


@pytest.mark.parametrize("value", [None, "", "  ", [], [None, ""], {}, {"a": None}])
def test_nothing_is_no_value(value: object) -> None:
    assert canonical(value, Kind.TEXT) is None


def test_ids_keep_their_case() -> None:
    assert canonical(" AAMkAd= ", Kind.EXACT) == "AAMkAd="


def test_values_nested_absurdly_deep_are_cut_off() -> None:
    value: object = "x"
    for _ in range(5000):
        value = [value]
    assert canonical(value, Kind.TEXT) is None


def test_names_of_fields_are_those_of_the_rules() -> None:
    found = FieldReader(DEFAULT_RULES).read(
        {"From": "A@x.org", "sentAt": 1_772_357_400, "Message-ID": "M1", "Own Field": 1}, MAIL
    )
    assert found == {"sender": "a@x.org", "sent": "@1772357400000000", "message_id": "M1", "ownfield": "1"}


@given(st.permutations([("from", "b@x.org"), ("sender", "a@x.org"), ("From Address", "c@x.org"), ("to", None)]))
def test_a_field_given_under_several_names_does_not_depend_on_their_order(fields: list[tuple[str, object]]) -> None:
    found = FieldReader(DEFAULT_RULES).read(dict(fields), MAIL)
    assert found == {"sender": "a@x.org", "from": "b@x.org", "from address": "c@x.org"}
