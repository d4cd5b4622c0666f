from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from goldproof.text.tables import TextTable, find_tables, table_lines, table_markdown, table_of

if TYPE_CHECKING:
    from pathlib import Path

CELLS = st.text(st.sampled_from("ab1 |\\\n<br>-:/é\u2028\x0c"), max_size=6) | st.sampled_from(
    ["<br>", "\\<br/>", "---", ":-:", "\\---", "\\|", "a\\", "Table: x", "0", "1"]
)
GRIDS = st.integers(1, 4).flatmap(
    lambda width: st.lists(st.lists(CELLS, min_size=width, max_size=width), min_size=1, max_size=5)
)


def test_headings_and_rows_read_as_the_design_has_them() -> None:
    markdown = table_markdown(table_of([["Year", "Revenue"], ["2020", "$10B"]]))
    assert markdown == "| Year | Revenue |\n| --- | --- |\n| 2020 | $10B |"


def test_a_caption_stands_above_the_table() -> None:
    assert table_lines(table_of([["a"]], caption="Sales"))[:3] == ("Table: Sales", "", "| a |")


def test_a_table_without_cells_is_empty() -> None:
    assert table_markdown(table_of([])) == ""
    assert table_markdown(table_of([[]])) == ""


def test_pipes_are_escaped_and_line_breaks_written_as_tags() -> None:
    assert table_lines(table_of([["a|b", "c\nd"]]))[0] == r"| a\|b | c<br>d |"


def test_what_looks_like_an_escape_is_escaped_itself() -> None:
    assert table_lines(table_of([["<br>", r"a\|"]]))[0] == r"| \<br> | a\\\| |"


def test_several_tables_are_found_where_they_stand() -> None:
    text = "Before.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nBetween.\n\nTable: Second\n\na | b\n:-- | --:\n3 | 4\nAfter."
    first, second = find_tables(text)
    assert first.table == TextTable((("a", "b"),), (("1", "2"),))
    assert text[first.start : first.end] == "| a | b |\n|---|---|\n| 1 | 2 |"
    assert second.table == TextTable((("a", "b"),), (("3", "4"),), "Second")
    assert text[second.start : second.end] == "Table: Second\n\na | b\n:-- | --:\n3 | 4"


@pytest.mark.parametrize("text", ["", "a | b", "a\n---", "|---|", "no pipe\n|---|", r"a \| b" + "\n|---|"])
def test_text_without_a_table_has_none(text: str) -> None:
    assert find_tables(text) == ()


def test_ragged_rows_are_kept_whole() -> None:
    (found,) = find_tables("| a | b |\n|---|\n| 1 |\n| 1 | 2 | 3")
    assert found.table == TextTable((("a", "b", ""),), (("1", "", ""), ("1", "2", "3")))


def test_line_ends_of_windows_are_no_part_of_a_cell() -> None:
    (found,) = find_tables("| a |\r\n|---|\r\n| 1 |\r\n")
    assert found.table == TextTable((("a",),), (("1",),))


def test_the_index_column_of_pandas_is_dropped() -> None:
    (found,) = find_tables("|    | a   |\n|---:|:----|\n|  0 | x   |\n|  1 | y   |")
    assert found.table == TextTable((("a",),), (("x",), ("y",)))


@pytest.mark.parametrize(
    "text",
    [
        "| n | a |\n|---:|:--|\n| 0 | x |",  # the column has a heading
        "|   | a |\n|---|---|\n| 0 | x |",  # it is not aligned right
        "|   | a |\n|---:|:--|\n| 1 | x |",  # it does not count from 0
    ],
)
def test_a_column_that_only_resembles_an_index_is_kept(text: str) -> None:
    assert find_tables(text)[0].table.width == 2


def test_a_second_delimiter_row_makes_headings_of_the_rows_above_it() -> None:
    (found,) = find_tables("| | Year |\n|---|---|\n| | 2019 |\n|---|---|\n| Sales | 7 |")
    assert found.table.header == (("", "Year"), ("", "2019"))
    assert found.table.rows == (("Sales", "7"),)


def test_after_values_a_second_delimiter_row_begins_a_new_table() -> None:
    first, second = find_tables("| a | b |\n|---|---|\n| x | 7 |\n| c | d |\n|---|---|\n| y | 8 |")
    assert first.table == TextTable((("a", "b"),), (("x", "7"),))
    assert second.table == TextTable((("c", "d"),), (("y", "8"),))


@given(GRIDS, st.sampled_from(["", "Sales by year"]))
@example([["---", "---"], ["---", "---"]], "")
@example([["", "a"], ["0", "x"], ["1", "y"]], "")
def test_what_is_written_reads_back_the_same(rows: list[list[str]], caption: str) -> None:
    table = table_of(rows, caption=caption)
    markdown = table_markdown(table)
    (found,) = find_tables(f"Before.\n\n{markdown}\n\nAfter.")
    assert found.table == table.flat()
    assert (found.start, found.end) == (9, 9 + len(markdown))


@given(GRIDS)
def test_every_row_is_one_line(rows: list[list[str]]) -> None:
    table = table_of(rows)
    assert len(table_markdown(table).split("\n")) == len(table.rows) + 2


@given(st.text(st.sampled_from("a1 |-:\n\\<br>\r"), max_size=60))
def test_any_text_can_be_searched(text: str) -> None:
    for found in find_tables(text):
        assert 0 <= found.start < found.end <= len(text)
        assert {len(row) for row in found.table.header + found.table.rows} == {found.table.width}


@pytest.mark.realdata
def test_the_tables_of_t2_ragbench(realdata: Path) -> None:
    finqa = pl.read_parquet(realdata / "t2_ragbench" / "FinQA_dev.parquet")["table"].unique(maintain_order=True)
    found = [find_tables(text) for text in finqa]
    assert [len(tables) for tables in found] == [1] * 299
    assert found[0][0].table.columns[0] == "company"
    assert found[0][0].table.rows[5] == ("diners club", "29", "30", "0.2", "7")
    contexts = pl.read_parquet(realdata / "t2_ragbench" / "TAT-DQA_dev.parquet")["context"].unique(maintain_order=True)
    counts = [len(find_tables(text)) for text in contexts]
    assert (len(counts), sum(counts), counts.count(0), max(counts)) == (274, 614, 2, 9)
    for text in (*finqa, *contexts):
        for table in find_tables(text):
            assert find_tables(table_markdown(table.table))[0].table == table.table.flat()
