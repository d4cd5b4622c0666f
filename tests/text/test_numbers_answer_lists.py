"""Lists that datasets write as text are opened; other text is one value."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldproof.text.numbers import answer_values


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("['$533 million']", ("$533 million",)),
        ("['2019', '2018']", ("2019", "2018")),
        ('["it\'s", "b"]', ("it's", "b")),
        ("['it\\'s']", ("it's",)),
        ("['RMB\\xa077 million']", ("RMB\u00a077 million",)),
        ("['a' 'b']", ("a", "b")),  # numpy's form
        ("[1, 2.5, None]", ("1", "2.5", "None")),
        ("[]", ()),
        (" ['a'] ", ("a",)),
        ("[see note", ("[see note",)),
        ("[a] and [b]", ("[a] and [b]",)),
        ("['a', [1]]", ("['a', [1]]",)),
        ("plain, text", ("plain, text",)),
        ("", ("",)),
    ],
)
def test_a_list_written_as_text_is_opened(text: str, values: tuple[str, ...]) -> None:
    assert answer_values(text) == values


@given(st.lists(st.text(), max_size=4))
def test_what_python_prints_is_read_back(values: list[str]) -> None:
    printable = [value for value in values if value.isprintable() or value.isascii()]
    assert answer_values(repr(printable)) == tuple(printable)


@given(st.text("[]'\", \\ax0"))
def test_no_text_is_too_odd(text: str) -> None:
    assert all(isinstance(value, str) for value in answer_values(text))
