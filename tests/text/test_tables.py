from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from goldproof.text.tables import cell_text, spread_headings, table_of

CELLS = st.text(st.sampled_from("ab1 2|\\\n(-)%é"), max_size=6)
GRIDS = st.lists(st.lists(CELLS, max_size=5), max_size=6)


def test_ragged_rows_are_padded_to_the_longest_and_never_cut() -> None:
    table = table_of([["Year"], ["2019", "1", "2"], ["2020", "3"]])
    assert table.header == (("Year", "", ""),)
    assert table.rows == (("2019", "1", "2"), ("2020", "3", ""))
    assert table.width == 3


def test_a_table_without_rows_has_no_columns() -> None:
    assert table_of([]).columns == ()
    assert table_of([[]]).columns == ()


def test_cells_of_any_type_become_text_without_blanks_around_it() -> None:
    assert [cell_text(value) for value in (None, 3, 2.5, " a\r\nb\rc ")] == ["", "3", "2.5", "a\nb\nc"]


def test_a_caption_is_one_line() -> None:
    assert table_of([["a"]], caption=" Sales\n by year ").caption == "Sales by year"


def test_empty_headings_are_kept() -> None:
    assert table_of([["", "2019"], ["Sales", "7"]]).columns == ("", "2019")


def test_a_heading_in_the_middle_of_its_span_is_carried_to_both_sides() -> None:
    table = table_of(
        [["", "", "Years Ended September 30,", ""], ["", "2019", "2018", "2017"], ["Other", "1", "2", "3"]]
    )
    assert table.columns == (
        "",
        "Years Ended September 30, 2019",
        "Years Ended September 30, 2018",
        "Years Ended September 30, 2017",
    )


def test_headings_at_the_left_end_of_their_spans_are_carried_to_the_right() -> None:
    header = (("", "Domestic", "", "Abroad", ""), ("", "2019", "2018", "2019", "2018"))
    assert spread_headings(header)[0] == ("", "Domestic", "Domestic", "Abroad", "Abroad")


def test_spans_of_a_row_are_placed_alike() -> None:
    # "Years" stands second in a span that begins at column 1: l = 1. The next heading is at 5, so it ends at
    # 5 - 1 - 1 = 3, and "Change" begins at 4 and goes on to the last column.
    header = (("", "", "Years", "", "", "Change", "", ""), ("", "2019", "2018", "2017", "19/18", "%", "18/17", "%"))
    assert spread_headings(header)[0][:4] == ("", "Years", "Years", "Years")
    # At the right end of spans of two: l = 1, so the first ends at 4 - 1 - 1 = 2.
    short = (("", "", "Fiscal year", "", "Growth"), ("", "2019", "2018", "Actual", "Comparable"))
    assert spread_headings(short)[0] == ("", "Fiscal year", "Fiscal year", "Growth", "Growth")


def test_a_heading_is_not_carried_over_a_column_of_another_kind() -> None:
    header = (("", "", "2019", "2018"), ("", "Note", "£m", "£m"))
    assert spread_headings(header)[0] == ("", "", "2019", "2018")
    header = (("", "", "December 31", ""), ("", "Useful life", "2019", "2018"))
    assert spread_headings(header)[0] == ("", "", "December 31", "December 31")


def test_a_unit_alone_in_its_row_holds_for_all_columns_but_percents() -> None:
    header = (("", "2019", "2018", "% Change"), ("", "", "(in millions)", ""))
    assert spread_headings(header)[1] == ("", "(in millions)", "(in millions)", "")


def test_a_single_row_of_headings_stays_as_it_is() -> None:
    header = (("", "", "(in millions)", ""),)
    assert spread_headings(header) == header


def test_a_heading_that_repeats_the_one_above_is_said_once() -> None:
    assert table_of([["", "Change"], ["", "Change"], ["Sales", "7%"]]).columns == ("", "Change")


@given(GRIDS)
def test_nothing_of_a_table_is_lost(rows: list[list[str]]) -> None:
    table = table_of(rows)
    assert len(table.header) + len(table.rows) == len(rows)
    for number, row in enumerate(rows):
        for column, cell in enumerate(row):
            if number < len(table.header):
                assert cell.strip() in table.columns[column]
            else:
                assert table.rows[number - len(table.header)][column] == cell.strip()


@given(GRIDS)
def test_headings_are_carried_into_empty_cells_only(rows: list[list[str]]) -> None:
    header = table_of(rows).header
    for before, after in zip(header, spread_headings(header), strict=True):
        assert all(new == old or not old for old, new in zip(before, after, strict=True))
        assert {cell for cell in after if cell} == {cell for cell in before if cell}
