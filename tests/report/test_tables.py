from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldproof.errors import InputError
from goldproof.report import Heading, Table, render
from goldproof.report.numbers import bracket, number, p_value, share, signed
from goldproof.report.tables import text_width

TABLE = Table(
    headings=(Heading("run", "left"), Heading("mean")),
    rows=(("bm25", "0.41"), ("a|b", "1.00")),
    title="Results",
    notes=("n = 2.",),
)


def test_text_has_columns_of_equal_width() -> None:
    assert render(TABLE) == "Results\nrun   mean\n────  ────\nbm25  0.41\na|b   1.00\nn = 2.\n"


def test_markdown_escapes_pipes() -> None:
    assert render(TABLE, "markdown") == (
        "### Results\n\n| run | mean |\n| --- | ---: |\n| bm25 | 0.41 |\n| a\\|b | 1.00 |\n\n- n = 2.\n"
    )


def test_latex_escapes_its_special_characters() -> None:
    table = Table((Heading("x_1 & 5%", "left"),), (("a\\b {c}",),))
    assert r"x\_1 \& 5\% \\" in render(table, "latex")
    assert r"a\textbackslash{}b \{c\} \\" in render(table, "latex")


def test_html_escapes_markup() -> None:
    assert "&lt;script&gt;" in render(Table((Heading("a"),), (("<script>",),)), "html")


@given(st.lists(st.tuples(st.text("ab,\"\n'", max_size=4), st.text(max_size=4)), max_size=4))
def test_csv_reads_back(rows: list[tuple[str, str]]) -> None:
    clean = [tuple(cell.replace("\r", "").replace("\0", "") for cell in row) for row in rows]
    text = render(Table((Heading("a"), Heading("b")), tuple((a, b) for a, b in clean)), "csv")
    assert list(csv.reader(io.StringIO(text, newline=""))) == [["a", "b"], *(list(row) for row in clean)]


def test_wide_characters_take_two_cells() -> None:
    table = Table((Heading("w", "left"), Heading("n")), (("日本", "1"), ("ab", "22")))
    assert render(table) == "w      n\n────  ──\n日本   1\nab    22\n"


def test_a_row_with_too_few_cells_is_refused() -> None:
    with pytest.raises(InputError, match="row 1 has 1 cells, expected 2"):
        Table((Heading("a"), Heading("b")), (("x",),))


def test_an_unknown_format_is_refused_with_the_known_ones() -> None:
    with pytest.raises(InputError, match="unknown format 'yaml'; known: csv, html, latex, markdown, table"):
        render(TABLE, "yaml")


def test_empty_columns_can_be_left_out() -> None:
    table = Table((Heading("a"), Heading("b")), (("1", ""), ("2", "")))
    assert [heading.name for heading in table.without_empty_columns().headings] == ["a"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (number(None), "–"),
        (number(0.12345), "0.1235"),
        (signed(0.5), "+0.5000"),
        (bracket(-0.1, 0.2, sign=True), "[-0.1000, +0.2000]"),
        (bracket(None, 0.2), "–"),
        (p_value(0.0001), "<0.001"),
        (p_value(0.04996), "0.04996"),
        (p_value(None), "–"),
        (share(0.0), "0.0%"),
        (share(0.0004), "<0.1%"),
        (share(0.9999), ">99.9%"),
        (share(1.0), "100.0%"),
    ],
)
def test_numbers_are_never_rounded_to_something_false(text: str, expected: str) -> None:
    assert text == expected


def test_wide_characters_and_line_breaks_stay_within_their_column() -> None:
    table = Table((Heading("run", "left"), Heading("n")), (("漢字" * 30, "1"), ("two\nlines", "2")))
    first, *_, last = render(table, width=40).splitlines()[2:]
    assert first.startswith("漢字" * 9)  # each of four columns: 36 of the 37 that are left beside n
    assert len(first) + len(first.strip("12 ")) <= 40
    assert last == "two lines" + " " * (37 - 9) + "  2"
    assert text_width(table) > 40


def test_html_in_names_is_escaped_in_markdown_and_a_p_value_is_not() -> None:
    table = Table((Heading("run", "left"), Heading("p")), (("<script>x</script>", "<0.001"),))
    assert render(table, "markdown").splitlines()[-1] == "| &lt;script>x&lt;/script> | <0.001 |"


def test_what_a_terminal_would_obey_is_replaced_in_text_and_kept_in_csv() -> None:
    table = Table((Heading("title", "left"),), (("\x1b]0;owned\x07 \u202e",),), notes=("\x1b[2J",))
    shown = render(table)
    assert not set("\x1b\x07\u202e") & set(shown)
    assert shown.count("�") == 4
    assert "\x1b]0;owned" in render(table, "csv")
