"""Quantities are read as a person reads them, and what is no quantity is left alone."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldproof.text.numbers import find_quantities, parse_quantity
from goldproof.text.quantity import Quantity

if TYPE_CHECKING:
    from collections.abc import Callable

READ_WHOLE = [
    # text, value, unit, scale, decimals
    ("1452.4", "1452.4", "", "", 1),
    ("$ 1,452.4", "1452.4", "$", "", 1),
    ("12,34,567.8", "1234567.8", "", "", 1),
    ("1\u00a0234\u00a0567", "1234567", "", "", 0),
    ("1'234'567", "1234567", "", "", 0),
    ("1 234 567", "1234567", "", "", 0),
    ("1.234,56", "1234.56", "", "", 2),
    ("€ 3,50", "3.50", "€", "", 2),
    ("12,5 %", "12.5", "percent", "", 1),
    (".5%", "0.5", "percent", "", 1),
    ("$0.0", "0.0", "$", "", 1),
    ("$.25", "0.25", "$", "", 2),
    ("(2.4)", "-2.4", "", "", 1),
    ("$(2.4)", "-2.4", "$", "", 1),
    ("( 2.4 )", "-2.4", "", "", 1),
    ("($2.4 million)", "-2400000", "$", "million", 1),
    ("$ (2.4) million", "-2400000", "$", "million", 1),
    ("(5.3)%", "-5.3", "percent", "", 1),
    ("(5)", "-5", "", "", 0),
    ("(2019)", "2019", "", "", 0),
    ("−5.2", "-5.2", "", "", 1),
    ("–5.2", "-5.2", "", "", 1),
    ("- 5.2", "-5.2", "", "", 1),
    ("-$5", "-5", "$", "", 0),
    ("$-5", "-5", "$", "", 0),
    ("+5%", "5", "percent", "", 0),
    ("5.93% ( 5.93 % )", "5.93", "percent", "", 2),
    ("-119 ( 119 )", "-119", "", "", 0),
    ("$ -2.4 ( 2.4 ) million", "-2400000", "$", "million", 1),
    ("5 percentage points", "5", "percentage points", "", 0),
    ("25 bps", "25", "bps", "", 0),
    ("seven per cent", "7", "percent", "", 0),
    ("$10.5B", "10500000000", "$", "billion", 1),
    ("$25.7 million", "25700000", "$", "million", 1),
    ("£5 m", "5000000", "£", "million", 0),
    ("20k", "20000", "", "thousand", 0),
    ("$5MM", "5000000", "$", "million", 0),
    ("5 mn", "5000000", "", "million", 0),
    ("£100m", "100000000", "£", "million", 0),
    ("US$5.5bn", "5500000000", "US$", "billion", 1),
    ("$1.2T", "1200000000000", "$", "trillion", 1),
    ("3 lakh", "300000", "", "lakh", 0),
    ("Rs. 5 crore", "50000000", "Rs", "crore", 0),
    ("RMB77 million", "77000000", "RMB", "million", 0),
    ("approximately USD500 million", "500000000", "USD", "million", 0),
    ("about $1.18 trillion.", "1180000000000", "$", "trillion", 2),
    ("150 million", "150000000", "", "million", 0),
    ("500 euros", "500", "€", "", 0),
    ("2.5x", "2.5", "x", "", 1),
    ("1e6", "1000000", "", "", 0),
    ("2019", "2019", "", "", 0),
    ("twenty-five", "25", "", "", 0),
    ("two hundred and fifty thousand dollars", "250000", "$", "thousand", 0),
    ("A million", "1000000", "", "million", 0),
]


@pytest.mark.parametrize(("text", "value", "unit", "scale", "decimals"), READ_WHOLE, ids=[row[0] for row in READ_WHOLE])
def test_a_whole_text_is_read_as_one_quantity(text: str, value: str, unit: str, scale: str, decimals: int) -> None:
    quantity = parse_quantity(text)
    assert quantity is not None
    read = (quantity.value, quantity.unit, quantity.scale, quantity.decimals)
    assert read == (Decimal(value), unit, scale, decimals)


@pytest.mark.parametrize(
    "text",
    [
        "", " ", ".", "$", "abc", "v1.2.3", "0x1f", "BWV 1033", "12/31/06", "2019-12-31", "31.12.2006", "10:30", "5th",
        "twenty-first", "1990s", "192.168.100.200", "555-12-34", "COVID-19", "x_5", "1_000", "#5", "10-K", "401(k)",
        "$000", "£'000", "million", "6.8 inches", "2018-2019", "3D", "Note 12", "10 December", "two three",
        "1" * 50, "1,5", "100m",
    ],
)  # fmt: skip
def test_what_is_no_single_quantity_is_none(text: str) -> None:
    assert parse_quantity(text) is None


FOUND = [
    ("v1.2.3, 0x1f, 12/31/06, 10:30, 5th, 1990s and #5", []),
    ("the 10-K, the 401(k) plan and COVID-19", []),
    ("as in Note 12 and Section 4.2, IFRS 16", []),
    ("on December 31, 2019 and 10 December 1817", ["2019", "1817"]),
    ("$5-$10 and 5%-10%", ["5", "10", "5", "10"]),
    ("some (5-10 million) or five bn", ["5000000", "10000000", "5000000000"]),
    ("$5-10 million, 5–10%, $5-$10 bn", ["5000000", "10000000", "5", "10", "5000000000", "10000000000"]),
    ("2018–2019, 2018-19, mid-2019", ["2018", "2019", "2018", "2019"]),
    ("2018,2019", ["2018", "2019"]),
    ("of 1,000,00 or 12,00,5 or 2018,05", []),
    ("0,5 or 7,0,9", ["0", "5", "7", "0", "9"]),
    ("3,-5", ["3", "-5"]),
    ("rose by $3 million (5.9%)", ["3000000", "5.9"]),
    ("income(1) was 45 in (2019), see ( 2 )", ["45", "2019"]),
    ("| (5) | (5.9%) | 12 | (2019) |", ["-5", "-5.9", "12", "2019"]),
    ("a loss of (2,345) and (2.4)", ["-2345", "-2.4"]),
    ("tranche a-3 ( 5.93% ( 5.93 % ) ) due june 2022 is 114400 ;", ["5.93", "2022", "114400"]),
    ("$ 533.2 $ 412", ["533.2", "412"]),
    ("2019 €m | 2018 % | £'000", ["2019", "2018"]),
    ("$ 12 million , or $ .50 per share", ["12000000", "0.50"]),
    ("a five-year, 12-month and two-time plan", ["5", "12", "2"]),
    ("$1,200/month and 1,234(a)", ["1200", "1234"]),
    ("total 5_| 2019 |_next", ["5", "2019"]),
    ("one million and 2.5 hundred", ["1000000", "250"]),
    ("was 5.\n2,000 more", ["5", "2000"]),
]


@pytest.mark.parametrize(("text", "values"), FOUND, ids=[row[0] for row in FOUND])
def test_quantities_are_found_in_running_text(text: str, values: list[str]) -> None:
    assert [quantity.value for quantity in find_quantities(text)] == [Decimal(value) for value in values]


def test_a_span_covers_sign_currency_brackets_scale_and_second_printing() -> None:
    text = "was $ (2.4) million, then -119 ( 119 ), then 10.5B, then (2019)"
    assert [text[q.start : q.end] for q in find_quantities(text)] == [
        "$ (2.4) million",
        "-119 ( 119 )",
        "10.5B",
        "2019",
    ]


def test_a_unit_on_the_next_line_belongs_to_the_next_line() -> None:
    assert [q.unit for q in find_quantities("rose to 12\n% of sales")] == [""]
    assert [q.scale for q in find_quantities("rose to 12\nmillion-dollar deals")] == [""]


def test_looking_for_digits_leaves_out_other_figures_only() -> None:
    text = "1,234 and 2018-2345 and $ 23.4 million and 99 and twelve"
    found = find_quantities(text, digits=("234",), words=False)
    # A run that holds the digits somewhere is read whole: 2018 comes with 2345.
    assert [str(q.printed) for q in found] == ["1234", "2018", "2345", "23.4"]


def test_printed_is_the_number_without_its_scale() -> None:
    quantity = parse_quantity("$25.7 million")
    assert quantity is not None
    assert quantity.printed == Decimal("25.7")


SIGNS: dict[str, Callable[[str], str]] = {
    "": lambda text: text,
    "-": lambda text: f"-{text}",
    "\u2212": lambda text: f"\u2212{text}",
    "\u2013": lambda text: f"\u2013{text}",
    "( )": lambda text: f"( {text} )",
    "()": lambda text: f"({text})",
}


def grouped(digits: str, *, separator: str, indian: bool) -> str:
    head, tail = digits[:-3], digits[-3:]
    size = 2 if indian else 3
    groups: list[str] = []
    while head:
        groups.insert(0, head[-size:])
        head = head[:-size]
    return separator.join([*groups, tail])


@st.composite
def printed_numbers(draw: st.DrawFn) -> tuple[str, Decimal, str, str, int]:
    """A number printed in one of many ways, with what must be read from it."""
    whole = str(draw(st.integers(0, 10**15)))
    decimals = draw(st.text("0123456789", max_size=6))
    separator, indian = draw(st.sampled_from([("", False), (",", False), (",", True), ("\u00a0", False), ("'", False)]))
    number = grouped(whole, separator=separator, indian=indian) + (f".{decimals}" if decimals else "")
    sign = draw(st.sampled_from(sorted(SIGNS)))
    currency = draw(st.sampled_from(["", "$", "€", "US$", "RMB"]))
    scale, suffix, places = draw(
        st.sampled_from(
            [
                ("", "", 0),
                ("million", " million", 6),
                ("billion", "bn", 9),
                ("thousand", "K", 3),
                ("crore", " crore", 7),
            ]
        )
    )
    percent = "" if currency else draw(st.sampled_from(["", "%", " %", " percent", "%"]))
    value = Decimal(f"{whole}.{decimals}" if decimals else whole) * 10**places
    bare_year = not (separator and len(whole) > 3) and not decimals and not suffix and not percent and not currency
    negative = sign != "" and not (
        "(" in sign and bare_year and len(whole) == 4 and whole[:2] in {*map(str, range(10, 21))}
    )
    text = SIGNS[sign](f"{currency}{number}{suffix}{percent}")
    unit = currency or ("percent" if percent else "")
    return text, -value if negative else value, unit, scale, len(decimals)


@given(printed_numbers())
def test_a_number_printed_in_any_way_is_read_back_without_loss(printed: tuple[str, Decimal, str, str, int]) -> None:
    text, *expected = printed
    quantity = parse_quantity(text)
    assert quantity is not None, text
    assert [quantity.value, quantity.unit, quantity.scale, quantity.decimals] == expected
    assert quantity.value.as_tuple().exponent == {"": 0, "thousand": 3, "million": 6, "crore": 7, "billion": 9}[
        quantity.scale
    ] - (quantity.decimals)


@given(printed_numbers(), st.sampled_from(["was ", "| ", "of\n"]), st.sampled_from([" in", " |", ", and", "."]))
def test_a_number_in_running_text_has_the_value_it_has_alone(
    printed: tuple[str, Decimal, str, str, int], before: str, after: str
) -> None:
    text, value, *_ = printed
    found = find_quantities(before + text + after)
    # A small number in brackets may be a footnote mark, and what is negative alone may be an aside in prose.
    if found:
        assert [abs(quantity.value) for quantity in found] == [abs(value)]
    else:
        assert "(" in text
        assert abs(value) <= 20


PIECES = st.sampled_from(
    ["$", "€", "(", ")", "( ", " )", "-", "–", "−", ".", ",", "'", " ", "\n", "|", "%", " %", "1", "23", "456", "2019",
     "000", "million", " bn", "k", "e", "E+5", "x", "/", ":", "_", "a", "twenty", "-", "one", "hundred", " and ", "US$",
     "Rs.", "per cent", "Note ", "May ", "\u00a0", "\u0131", "\u017f", "K", "²", "٣", "bps", "first", "['", "']"]
)  # fmt: skip


@given(st.one_of(st.text(), st.lists(PIECES, max_size=14).map("".join)))
def test_no_text_is_too_odd(text: str) -> None:
    found = find_quantities(text)
    ends = [0, *(quantity.end for quantity in found)]
    for quantity, end in zip(found, ends, strict=False):
        assert end <= quantity.start < quantity.end <= len(text)
        assert quantity.value.is_finite()
    whole = parse_quantity(text)
    assert whole is None or 0 <= whole.start < whole.end <= len(text)


@given(st.lists(PIECES, max_size=14).map("".join))
def test_looking_for_the_digits_of_a_figure_finds_it(text: str) -> None:
    for quantity in find_quantities(text, words=False):
        digits = "".join(map(str, quantity.value.as_tuple().digits))[:3]
        assert quantity in find_quantities(text, digits=(digits,), words=False)


def test_quantities_are_values() -> None:
    assert parse_quantity("5%") == Quantity(Decimal(5), "percent", "", start=0, end=2, decimals=0)
