from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from goldproof.io.record_files import read_records
from goldproof.text.tables import count_header_rows, is_value, table_of

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    "cell",
    ["7", "1,452.4", "$ 1,452.4", "$(89.7)", "(2.4)%", "5.6%", "−136", "-8.7", "—", "$—", "n/a", "N/A", "3-5", "$10.5B",
     "1.5x", "4.6 years", "4.65 years", "7 %", "$ 5 million", "__", ".5", "None", "2.5% - 3.1%",
     "$5.99 – $8.40", "3 to 5"],
)  # fmt: skip
def test_numbers_and_signs_for_nothing_are_values(cell: str) -> None:
    assert is_value(cell)


@pytest.mark.parametrize(
    "cell",
    ["", "2019", "2 0 1 8", "2018 (4)", "2017/2018", "2021-2022", "2021 to 2022", "FY19**", "53 WEEKS", "Q4 2019",
     "April 27, 2019", "€m", "$", "%", "(in millions)", "31,", "Less Than 1 Year", "1-3 Years", "Total"],
)  # fmt: skip
def test_periods_units_and_words_are_no_values(cell: str) -> None:
    assert not is_value(cell)


def test_a_table_without_rows_has_no_headings() -> None:
    assert count_header_rows([]) == 0


def test_the_first_row_is_always_a_heading() -> None:
    assert count_header_rows([["current assets", "$ 513"], ["goodwill", "$ 634"]]) == 1


def test_leading_rows_that_label_columns_are_headings() -> None:
    assert count_header_rows([["", "", "Years", ""], ["", "2019", "2018", "2017"], ["Other", "1", "2", "3"]]) == 2


def test_a_section_title_belongs_to_the_body() -> None:
    assert count_header_rows([["", "2019", "2018"], ["Assets", "", ""], ["Cash", "1", "2"]]) == 1
    assert count_header_rows([["", "2019", "2018"], ["", "Assets:", ""], ["Cash", "1", "2"]]) == 1


def test_a_title_above_the_headings_belongs_to_them() -> None:
    assert count_header_rows([["(in millions)", "", ""], ["Year ended", "2019", "2018"], ["Cash", "1", "2"]]) == 2


def test_a_labelled_row_is_a_heading_while_something_is_to_be_labelled() -> None:
    assert count_header_rows([["", "2019", "2018"], ["Revenue by country", "$M", "$M"], ["UK", "1", "2"]]) == 2
    assert count_header_rows([["Market", "Year ended", "Year ended"], ["($m)", "2019", "2018"], ["UK", "1", "2"]]) == 2
    # Everything has a label after the first row: the second is a row of words.
    assert count_header_rows([["Currency", "2019", "2018"], ["Rate", "low", "high"], ["USD", "1", "2"]]) == 1


def test_a_table_of_words_has_one_heading_and_those_below_it_without_a_label() -> None:
    assert count_header_rows([["Name", "Role"], ["Ann", "Chair"], ["Bob", "Member"]]) == 1
    assert count_header_rows([["", "Board"], ["", "Role"], ["Ann", "Chair"]]) == 2


@pytest.mark.realdata
def test_the_headings_of_the_tables_of_tat_qa(realdata: Path) -> None:
    records = [record for _, record in read_records(realdata / "tatqa" / "tatqa_dataset_dev.json")]
    tables = [table_of(record["table"]["table"]) for record in records]  # type: ignore[index]
    counts = [len(table.header) for table in tables]
    assert {number: counts.count(number) for number in sorted(set(counts))} == {1: 67, 2: 162, 3: 42, 4: 7}
    # Below the headings stands a row with values, or the title of a section.
    titles = [row for row in (table.rows[0] for table in tables) if not any(map(is_value, row[1:]))]
    assert [row for row in titles if sum(map(bool, row)) > 1] == []
    assert tables[1].columns == (
        "",
        "Fiscal 2019 (in millions)",
        "Fiscal 2018 (in millions)",
        "Fiscal 2017 (in millions)",
    )
    assert tables[2].columns[3:] == ("International September 30, 2019", "International September 30, 2018")
    assert tables[3].columns == ("Income statement expense", "2019 €m", "2018 €m", "2017 €m")
    assert tables[12].columns == ("", "Note", "2019 £m", "2018 £m")
