"""The sheet that people grade: what a spreadsheet sees, and that ids come back as they were."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldproof.errors import ConflictError
from goldproof.io.datasets.pair_labels import read_label_records
from goldproof.io.datasets.sheet import COLUMNS, LONGEST, SheetRow, as_cell, from_cell, write_sheet

if TYPE_CHECKING:
    from pathlib import Path

ROWS = (
    SheetRow("q1", "a.md#x", "What is it?", "A", 'Two\nlines, a comma; a semicolon and a "quote".'),
    SheetRow("=1+1", "-d", "@SUM(A1)", "+title", '=HYPERLINK("http://example.org")'),
)


def cells(path: Path) -> list[list[str]]:
    """Read the file as a spreadsheet does."""
    return list(csv.reader(io.StringIO(path.read_bytes().decode("utf-8-sig"), newline="")))


def test_a_spreadsheet_sees_the_columns_texts_as_they_are_and_empty_grades(tmp_path: Path) -> None:
    write_sheet(tmp_path / "s.csv", ROWS)
    assert (tmp_path / "s.csv").read_bytes().startswith(b"\xef\xbb\xbf")
    header, first, _ = cells(tmp_path / "s.csv")
    assert header == list(COLUMNS) == ["query_id", "doc_id", "question", "title", "text", "grade"]
    assert first == [*ROWS[0], ""]


def test_no_cell_begins_as_a_formula_does(tmp_path: Path) -> None:
    write_sheet(
        tmp_path / "s.csv",
        [*ROWS, SheetRow("q", "d", "\t=1", "\r=1", " \n-2+3"), SheetRow("q", "e", "\uff1d1", "", "")],
    )
    assert not any(
        cell.lstrip()[:1] in tuple("=+-@\uff1d") and cell for row in cells(tmp_path / "s.csv") for cell in row
    )


@pytest.mark.parametrize(
    "name",
    ["007", "1-2", "3e5", "12345678901234567890", "MARCH1", "sept2", "TRUE", "=a", "-1", "'x", "'007", "''=a", " a ",
     "1.0", "10", "0", "a.md#b", "", "qbd480ffe8440", "Mario"],
)  # fmt: skip
def test_ids_come_back_and_only_those_in_danger_are_marked(name: str) -> None:
    safe = {"'x", "10", "0", "a.md#b", "", "qbd480ffe8440", "Mario"}
    assert as_cell(name) == (name if name in safe else f"'{name}")
    assert from_cell(as_cell(name)) == name


@given(st.text())
def test_every_id_comes_back(name: str) -> None:
    assert from_cell(as_cell(name)) == name


def test_ids_are_read_back_from_a_file_that_a_spreadsheet_saved_with_semicolons(tmp_path: Path) -> None:
    write_sheet(tmp_path / "s.csv", ROWS)
    header, *rows = cells(tmp_path / "s.csv")
    with (tmp_path / "saved.csv").open("w", encoding="utf-8-sig", newline="") as stream:
        writer = csv.writer(stream, delimiter=";")
        writer.writerow(["note", *reversed(header)])
        writer.writerows(["n", "2", *reversed(row[:-1])] for row in rows)
    read = [record for _, _, record in read_label_records(tmp_path / "saved.csv").records]
    assert [(record["query_id"], record["doc_id"], record["grade"]) for record in read] == [
        ("q1", "a.md#x", "2"),
        ("=1+1", "-d", "2"),
    ]


def test_a_text_that_no_cell_holds_is_cut_and_says_so(tmp_path: Path) -> None:
    write_sheet(tmp_path / "s.csv", [SheetRow("q", "d", "?", "t\x00\x07", "\U0001f600" * LONGEST)])
    _, row = cells(tmp_path / "s.csv")
    # an emoji takes two UTF-16 units, so that half of the 32,000 fit
    assert row[4] == "\U0001f600" * 16_000 + "\n[cut here: 16,000 of 32,000 characters]"
    assert len(row[4].encode("utf-16-le")) // 2 < 32_767
    assert row[3] == "t\ufffd\ufffd"


def test_grades_and_other_files_are_replaced_by_force_alone(tmp_path: Path) -> None:
    path = tmp_path / "s.csv"
    write_sheet(path, ROWS)
    write_sheet(path, ROWS)  # nobody has graded anything yet
    text = path.read_text(encoding="utf-8-sig").replace(',""\n', ',"1"\n')
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ConflictError, match="people have filled in 2 grades there"):
        write_sheet(path, ROWS)
    assert path.read_text() == text
    write_sheet(path, ROWS, force=True)
    for content in ("question\nWhat is it?\n", "", "not a table"):
        path.write_text(content)
        with pytest.raises(ConflictError, match="is there already, and is no sheet"):
            write_sheet(path, ROWS)
        assert path.read_text() == content
