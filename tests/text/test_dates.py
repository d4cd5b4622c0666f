"""Dates are found in their usual forms, and a coarser date agrees with a finer one that lies in it."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldproof.text.dates import Date, agree, find_dates, parse_date

WHOLE = [
    ("1817-12-10", ["1817-12-10"], "day"),
    ("2006/12/31", ["2006-12-31"], "day"),
    ("10 December 1817", ["1817-12-10"], "day"),
    ("December 10th, 1817", ["1817-12-10"], "day"),
    ("Dec. 10, 1817", ["1817-12-10"], "day"),
    ("december 31 , 2019", ["2019-12-31"], "day"),
    ("6th of June, 1944", ["1944-06-06"], "day"),
    ("Sept 5 2001", ["2001-09-05"], "day"),
    ("June 6", ["--06-06"], "day"),
    ("February 29", ["--02-29"], "day"),
    ("12/31/06", ["2006-12-31"], "day"),
    ("31/12/1999", ["1999-12-31"], "day"),
    ("03/04/66", ["1966-03-04", "1966-04-03"], "day"),  # month first or day first
    ("5/5/2006", ["2006-05-05"], "day"),
    ("3.4.2006", ["2006-04-03"], "day"),  # with points the day comes first
    ("April 1793", ["1793-04"], "month"),
    ("2019-12", ["2019-12"], "month"),
    ("Q3 2012", ["2012-Q3"], "quarter"),
    ("3Q12", ["2012-Q3"], "quarter"),
    ("2012Q3", ["2012-Q3"], "quarter"),
    ("third quarter of 2012", ["2012-Q3"], "quarter"),
    ("third quarter of fiscal 2012", ["FY2012-Q3"], "quarter"),
    ("FY 2018", ["FY2018"], "year"),
    ("FY18", ["FY2018"], "year"),
    ("fiscal year 2018", ["FY2018"], "year"),
    ("2018", ["2018"], "year"),
    (" 2018. ", ["2018"], "year"),
]


@pytest.mark.parametrize(("text", "normal", "precision"), WHOLE, ids=[row[0] for row in WHOLE])
def test_a_date_has_a_normal_form_and_a_precision(text: str, normal: list[str], precision: str) -> None:
    found = parse_date(text)
    assert found is not None
    assert [str(reading) for reading in found.readings] == normal
    assert {reading.precision for reading in found.readings} == {precision}


@pytest.mark.parametrize(
    "text",
    ["", "may 5", "march 3", "2,019", "2019.5", "1990s", "v2019", "$2019", "1.2.3", "13/13/2006", "99/99/99", "June",
     "first 12 months", "a 2019", "19th century", "12345", "0999"],
)  # fmt: skip
def test_what_is_no_date_is_none(text: str) -> None:
    assert parse_date(text) is None


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("born 10 December 1817, died in 1890", ["10 December 1817", "1890"]),
        ("from 2018-2019 and in mid-2019", ["2018", "2019", "2019"]),
        ("for 2018-19", ["2018"]),
        ("on February 30, 2019", ["2019"]),
        ("at 2019-12-31T10:00", ["2019-12-31"]),
        ("| $ 2019 | 2,019 | 2019 |", ["2019"]),
        ("it may 2019 times", ["may 2019"]),
    ],
)
def test_dates_are_found_in_running_text(text: str, found: list[str]) -> None:
    assert [text[date.start : date.end] for date in find_dates(text)] == found


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ("1817", "Dec. 10, 1817", True),
        ("December 1817", "10 December 1817", True),
        ("1818", "Dec. 10, 1817", False),
        ("10 December", "1817-12-10", True),
        ("10 December", "December 1817", False),
        ("03/04/2006", "3 April 2006", True),
        ("03/04/2006", "4 March 2006", True),
        ("03/04/2006", "5 March 2006", False),
        ("2012", "Q3 2012", True),
        ("Q2 2012", "Q3 2012", False),
        ("Q3 2012", "August 2012", False),  # whose quarters they are is not known
        ("FY 2018", "2018", True),
        ("FY 2018", "FY18", True),
        ("FY 2018", "May 2018", False),
    ],
)
def test_dates_agree_when_one_lies_in_the_other(a: str, b: str, expected: bool) -> None:
    first, second = parse_date(a), parse_date(b)
    assert first is not None
    assert second is not None
    assert agree(first, second) is expected
    assert agree(second, first) is expected


def test_a_date_holds_finer_ones_but_not_coarser_ones() -> None:
    assert Date(1817).holds(Date(1817, 12, 10))
    assert not Date(1817, 12, 10).holds(Date(1817))


@given(
    st.dates(date(1000, 1, 1), date(2099, 12, 31)), st.sampled_from(["%Y-%m-%d", "%d %B %Y", "%B %d, %Y", "%d.%m.%Y"])
)
def test_any_day_is_read_back(day: date, form: str) -> None:
    found = parse_date(day.strftime(form))
    assert found is not None
    assert found.readings == (Date(day.year, day.month, day.day),)


PIECES = st.sampled_from(
    ["1", "12", "31", "99", "2019", "1817", "/", "-", ".", ", ", " ", "'", "Q3", "3q", "FY", "fiscal ", "may", "Dec. ",
     "June ", "first quarter", "f\u0131rst quarter ", "\u017fept ", "th", " of ", "T", "²"]
)  # fmt: skip


@given(st.one_of(st.text(), st.lists(PIECES, max_size=10).map("".join)))
def test_no_text_is_too_odd(text: str) -> None:
    found = find_dates(text)
    ends = [0, *(one.end for one in found)]
    for one, end in zip(found, ends, strict=False):
        assert end <= one.start < one.end <= len(text)
        assert one.readings
        assert all(str(reading) for reading in one.readings)
    parse_date(text)
