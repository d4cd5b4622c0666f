"""Turns, times and durations as people write them."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldproof.retrieve.stages.times import DAY, Span, parse_date, parse_duration, parse_time, parse_turn

# 2024-05-01 is day 19844 since 1970: 54 years * 365 = 19710, 13 leap days (1972..2020), 31 + 29 + 31 + 30 = 121.
MAY = 19844 * DAY


@pytest.mark.parametrize(
    ("value", "expected"),
    [(3, 3.0), (2.5, 2.5), ("7", 7.0), (" 7 ", 7.0), ("-1", -1.0), ("seven", None), (True, None), (None, None)],
)
def test_a_turn_is_a_number(value: object, expected: float | None) -> None:
    assert parse_turn(value) == expected


@pytest.mark.parametrize("value", [float("nan"), float("inf"), "nan", "inf", [1], "", 10**400, -(10**400)])
def test_what_is_no_finite_number_is_no_turn(value: object) -> None:
    assert parse_turn(value) is None


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("2024-05-01", MAY),
        ("2024-05", MAY),
        ("2024-05-01T09:30:00", MAY + 34200),
        ("2024-05-01 09:30", MAY + 34200),
        ("2024-05-01T09:30:00Z", MAY + 34200),
        ("2024-05-01T09:30:00+01:00", MAY + 30600),
        ("2024-05-01T00:00:00.250", MAY + 0.25),
        (date(2024, 5, 1), MAY),
        (datetime(2024, 5, 1, 9, 30), MAY + 34200),  # noqa: DTZ001 - without a zone is UTC
        (datetime(2024, 5, 1, 9, 30, tzinfo=timezone(timedelta(hours=1))), MAY + 30600),
        (0, 0.0),
        (MAY, MAY),
        (str(int(MAY)), MAY),
        (MAY * 1e3, MAY),
        (MAY * 1e6, MAY),
        (MAY * 1e9, MAY),
    ],
)
def test_a_time_is_a_date_or_seconds_since_1970(value: object, expected: float) -> None:
    assert parse_time(value) == pytest.approx(expected, abs=1e-3)


@pytest.mark.parametrize(
    "value", ["yesterday", "2024-02-30", "01.05.2024", "2024-05-01x", "", True, None, ["2024-05-01"], 10**400]
)
def test_what_is_no_time_is_none(value: object) -> None:
    assert parse_time(value) is None


def test_a_date_stands_for_its_day_or_month() -> None:
    assert parse_date("2024-05-01") == Span(MAY, MAY + DAY)
    assert parse_date("2024-05") == Span(MAY, MAY + 31 * DAY)
    assert parse_date("2024-05-01T00:00:00") == Span(MAY, MAY)
    assert parse_date(date(2024, 5, 1)) == Span(MAY, MAY + DAY)
    assert parse_date(datetime(2024, 5, 1, tzinfo=UTC)) == Span(MAY, MAY)
    assert parse_date("2024") is None
    assert parse_date(2024) is None
    assert parse_date("9999-12") is None


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("45s", 45),
        ("30m", 1800),
        ("12h", 43200),
        ("7d", 604800),
        ("2w", 1209600),
        ("1.5 d", 129600),
        ("7D", 604800),
        (2, 172800),
        ("2", 172800),
        (timedelta(hours=1), 3600),
    ],
)
def test_a_duration_has_a_unit_or_counts_days(value: object, expected: float) -> None:
    assert parse_duration(value) == expected


@pytest.mark.parametrize("value", ["7y", "d", "seven days", True, None, "7d12h"])
def test_what_is_no_duration_is_none(value: object) -> None:
    assert parse_duration(value) is None


@given(st.datetimes(min_value=datetime(1900, 1, 1), max_value=datetime(2100, 1, 1)))  # noqa: DTZ001
def test_a_time_means_the_same_written_and_as_an_object(moment: datetime) -> None:
    assert parse_time(moment.isoformat()) == parse_time(moment) == moment.replace(tzinfo=UTC).timestamp()


@given(st.text(max_size=20))
def test_no_text_breaks_the_parsers(text: str) -> None:
    for parse in (parse_turn, parse_time, parse_duration):
        found = parse(text)
        assert found is None or isinstance(found, float)
