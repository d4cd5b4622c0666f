from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldproof.report import Chart, Line, Panel
from goldproof.report.chart_style import COLOURS, MOST_TICKS, clean, column_width, look, shortened, ticks, wrapped
from goldproof.report.line_chart import alone, band_rows, count_rows, point_rows, series_names, shifts, x_values

AT_X = {"a": 0.0, "b": 0.0}


def test_a_gap_breaks_a_line_into_stretches() -> None:
    panel = Panel("y", (Line("a", (1, 2, 3, 4), (0.1, 0.2, None, 0.4)),))
    assert [(row["x"], row["stretch"]) for row in point_rows(panel, AT_X)] == [(1, 0), (2, 0), (4, 1)]


def test_a_band_breaks_where_either_end_or_the_value_is_missing() -> None:
    line = Line("a", (1, 2, 3, 4, 5), (1, 1, None, 1, 1), (0, 0, 0, None, 0), (2, 2, 2, 2, 2))
    assert [(row["x"], row["stretch"]) for row in band_rows(Panel("y", (line,)), AT_X)] == [(1, 0), (2, 0), (5, 1)]


def test_an_interval_without_neighbours_stands_alone() -> None:
    line = Line("a", (1, 2, 3, 4), (1, 1, None, 1), (0, 0, None, 0.5), (2, 2, None, 2))
    rows = band_rows(Panel("y", (line,)), AT_X)
    assert [(row["x"], row["low"], row["high"]) for row in alone(rows)] == [(4, 0.5, 2)]


def test_intervals_are_cut_at_the_bounds_of_the_panel() -> None:
    line = Line("a", (1, 2), (0.1, 0.9), (-0.1, 0.7), (0.3, 1.1))
    rows = band_rows(Panel("y", (line,), (0.0, 1.0)), AT_X)
    assert [(row["low"], row["high"]) for row in rows] == [(0.0, 0.3), (0.7, 1.0)]
    free = band_rows(Panel("y", (line,)), AT_X)
    assert [(row["low"], row["high"]) for row in free] == [(-0.1, 0.3), (0.7, 1.1)]


def test_a_series_keeps_its_number_in_a_panel_that_lacks_another() -> None:
    a, b = Line("a", (1,), (1,)), Line("b", (1,), (1,))
    chart = Chart("t", "x", (Panel("top", (a, b)), Panel("bottom", (b,))))
    assert series_names(chart) == ("a", "b")
    assert [row["series"] for row in point_rows(chart.panels[1], AT_X)] == [1]


def test_counts_stand_at_the_ticks_with_a_dash_where_a_line_ends() -> None:
    panel = Panel("y", (Line("a", (1, 2), (1, 2), n=(1200, 7)), Line("b", (1,), (1,))))
    rows = count_rows(panel, ("a", "b"), ticks=(1, 2, 3))
    assert [(row["series"], row["x"], row["text"]) for row in rows] == [(0, 1, "1,200"), (0, 2, "7"), (0, 3, "–")]


def test_series_stand_side_by_side_only_where_there_is_one_x() -> None:
    one = Chart("t", "x", (Panel("y", (Line("a", (1,), (1,)), Line("b", (1,), (1,)))),))
    assert shifts(one) == {"a": pytest.approx(-0.03), "b": pytest.approx(0.03)}
    two = Chart("t", "x", (Panel("y", (Line("a", (1, 2), (1, 2)), Line("b", (1,), (1,)))),))
    assert shifts(two) == {"a": 0, "b": 0}


@given(st.integers(1, 300))
def test_series_side_by_side_stay_within_the_axis(count: int) -> None:
    chart = Chart("t", "x", (Panel("y", tuple(Line(str(i), (1,), (1,)) for i in range(count))),))
    # With one x the axis runs from x - 0.5 to x + 0.5.
    assert max(map(abs, shifts(chart).values())) < 0.5


def test_a_chart_without_an_x_has_the_x_1() -> None:
    assert x_values(Chart("t", "x", (Panel("y", ()),))) == (1,)


@pytest.mark.parametrize(
    ("first", "last", "expected"),
    [
        (1, 1, (1,)),
        (1, 5, (1, 2, 3, 4, 5)),
        (1, 15, tuple(range(1, 16))),
        (1, 20, (1, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20)),
        (1, 47, (1, 5, 10, 15, 20, 25, 30, 35, 40, 47)),
        (1, 100, (1, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100)),
    ],
)
def test_ticks_are_both_ends_and_round_numbers(first: int, last: int, expected: tuple[int, ...]) -> None:
    assert ticks(first, last) == expected


@given(st.integers(0, 1000), st.integers(0, 10**6))
def test_ticks_rise_from_end_to_end_and_are_few(first: int, more: int) -> None:
    found = ticks(first, first + more)
    assert found[0] == first
    assert found[-1] == first + more
    assert list(found) == sorted(set(found))
    assert len(found) <= MOST_TICKS


def test_no_two_of_280_series_look_alike() -> None:
    assert len({look(i) for i in range(280)}) == 280


def test_the_first_seven_differ_in_colour_and_the_first_eight_in_dash_and_shape() -> None:
    assert len({look(i).colour for i in range(7)}) == len(COLOURS) == 7
    assert len({(look(i).dash, look(i).shape) for i in range(8)}) == 8


def test_what_xml_cannot_hold_is_replaced() -> None:
    assert clean("a\0b\x1b[1m\ud800\ufffe é 日 🎈") == "a�b�[1m�� é 日 🎈"


def test_a_long_text_is_broken_between_words() -> None:
    assert wrapped("one two three", letters=8) == ["one two", "three"]
    assert wrapped("", letters=8) == [""]


def test_a_name_too_long_loses_its_middle_and_no_character_is_cut_in_two() -> None:
    assert shortened("abcdefgh", letters=8) == "abcdefgh"
    assert shortened("runs/system-a.jsonl", letters=10) == "runs/…jsonl"
    # Four bytes each: five hold one whole character at either end.
    assert shortened("🎈" * 5, letters=10) == "🎈…🎈"


def test_a_column_of_the_legend_is_never_wider_than_the_chart() -> None:
    assert column_width(("a" * 500,), most=660) == 660
    assert column_width(("a", "abc"), most=660) < 100
