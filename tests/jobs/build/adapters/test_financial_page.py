from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldproof.jobs.build.adapters.financial import (
    lay_out,
    non_empty,
    page_name,
    read_rows,
    row_spans,
    table_shape,
    whole_number,
    whole_span,
)
from goldproof.text.tables import table_lines, table_of


def test_lines_stand_under_each_other_and_blocks_apart() -> None:
    page = lay_out([["a", "bc"], ["", " "], [], ["d"]])
    assert page.text == "a\nbc\n\nd"
    assert [[page.text[slice(*span)] for span in block] for block in page.spans] == [["a", "bc"], ["", ""], [], ["d"]]


@given(st.lists(st.lists(st.text("ab \n", max_size=4), max_size=4), max_size=4))
def test_every_line_of_a_block_that_has_text_stands_at_its_span(blocks: list[list[str]]) -> None:
    page = lay_out(blocks)
    for lines, spans in zip(blocks, page.spans, strict=True):
        wanted = lines if any(line.strip() for line in lines) else [""] * len(lines)
        assert [page.text[slice(*span)] for span in spans] == wanted


def test_the_rows_of_a_table_are_its_headings_and_its_body() -> None:
    table = table_of([["Year", "Sales"], ["2019", "7"], ["2020", "8"]], caption="Sales")
    page = lay_out([["Before."], table_lines(table)])
    rows = [page.text[slice(*span)] for span in row_spans(table, page.spans[1])]
    assert rows == ["| Year | Sales |", "| 2019 | 7 |", "| 2020 | 8 |"]
    assert page.text[slice(*whole_span(page.spans[1]))] == "\n".join(table_lines(table))


@pytest.mark.parametrize(
    "name", ["pdf/V/2008/page_17.pdf", "V/2008/page_17.pdf", " V/2008/page_17 ", "V/2008/page_017"]
)
def test_one_page_has_one_id(name: str) -> None:
    found = page_name(name)
    assert found is not None
    assert found == ("V", 2008, 17)
    assert found.document == "finqa:V/2008/page_17"


@pytest.mark.parametrize(
    "name", [None, 7, "", "annual_report.pdf", "raw/0123.pdf", "V/08/page_17.pdf", "a b/2008/page_1"]
)
def test_other_names_are_no_pages(name: object) -> None:
    assert page_name(name) is None


@pytest.mark.parametrize("value", [None, "", [], [[]], [["", None]], ["a"], [["a"], "b"], [[["a"]]], "[[", {"a": 1}])
def test_what_is_no_table_has_no_rows(value: object) -> None:
    assert read_rows(value) is None


def test_a_table_may_be_given_as_json_text() -> None:
    assert read_rows('[["Year", 2019], ["Sales"]]') == (("Year", 2019), ("Sales",))


@pytest.mark.parametrize(
    ("value", "expected"),
    [(2019, 2019), ("2019", 2019), (" 2019 ", 2019), ("2019.0", 2019), (2019.0, 2019), (2019.5, None), ("FY19", None),
     (True, None), (None, None), ([], None), (float("inf"), None)],
)  # fmt: skip
def test_whole_numbers_are_read_from_text_and_floats(value: object, expected: object) -> None:
    assert whole_number(value) == expected


def test_the_shape_is_that_of_the_largest_table() -> None:
    small, large = table_of([["a", "b", "c"]]), table_of([["", "2019"], ["x", "1"], ["y", "2"]])
    assert table_shape([small, large]) == {"table_rows": 3, "table_cols": 2, "n_tables": 2}
    assert table_shape([]) == {"table_rows": 0, "table_cols": 0, "n_tables": 0}


def test_what_says_nothing_is_not_known() -> None:
    assert non_empty({"a": None, "b": "", "c": 0, "d": False}) == {"c": 0, "d": False}
