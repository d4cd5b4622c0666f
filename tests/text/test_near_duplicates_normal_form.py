"""The normal form of text."""

from __future__ import annotations

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldproof.text.near_duplicates import normal_text, normal_texts, stripped_texts


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("  Two\n\twords ", "two words"),
        ("<b>Bold</b>ly <EM class='x'>so</EM>, <strong>yes</strong> <mark>it</mark>", "boldly so, yes it"),
        ("a < b and <br> stay", "a < b and <br> stay"),
        ("\ufb01ne\u00a0Pr\u00e9s", "fine pr\u00e9s"),  # a ligature, a no-break blank
        ("Pre\u0301s", "pr\u00e9s"),  # an accent of its own
        ("\uff21\uff22\u3000日本", "ab 日本"),  # wide letters, a wide blank
        ("<b></b>", None),
        (" \n ", None),
        ("", None),
    ],
)
def test_what_a_reader_would_not_call_a_difference_is_taken_out(text: str, expected: str | None) -> None:
    assert normal_text(text) == expected
    assert normal_texts(pl.Series([text])).to_list() == [expected]


def test_rows_keep_their_places() -> None:
    texts = pl.Series("any", ["A", None, "É  b", "", "<b>x</b>"])
    assert normal_texts(texts).to_list() == ["a", None, "é b", None, "x"]
    assert normal_texts(pl.Series([None, None], dtype=pl.String)).to_list() == [None, None]


def test_a_column_is_not_changed() -> None:
    texts = pl.Series(["É", ""])
    normal_texts(texts)
    assert texts.to_list() == ["É", ""]


@given(st.text(st.characters(max_codepoint=0x17F, exclude_categories=["Cc"]), max_size=40))
def test_a_column_and_a_single_text_agree_on_latin_text(text: str) -> None:
    assert normal_texts(pl.Series([text])).to_list() == [normal_text(text)]


def test_a_stripped_column_keeps_case_and_loses_empty_text() -> None:
    column = pl.Series(["  Ab c\t", "", " ", None, "x"])
    assert stripped_texts(column).to_list() == ["Ab c", None, None, None, "x"]
    assert stripped_texts(pl.Series([None], dtype=pl.String)).to_list() == [None]
    assert column[0] == "  Ab c\t"
