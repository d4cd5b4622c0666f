"""What is written as YAML is read back as it was, by both of PyYAML's readers and by ours."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from goldproof.errors import FileFormatError, InputError
from goldproof.io.diagnostics import Diagnostics
from goldproof.io.yaml_files import line_of, load_yaml, yaml_text, yaml_value

if TYPE_CHECKING:
    from pathlib import Path

LOADERS = (yaml.SafeLoader, getattr(yaml, "CSafeLoader", yaml.SafeLoader))
ODD_CHARACTERS = (
    "\t\n\r\x00\x07\x1b\x7f\x80\x85\x9f\xa0\u2028\u2029\ufeff\ufffe\uffff\ud7ff\ue000\U0001f600\U0010ffff"
    "\"'\\#:-?{}[]%&*!|>@` "
)
TEXTS = st.text(st.characters(codec="utf-8")) | st.text(st.sampled_from(ODD_CHARACTERS))
NUMBERS = st.integers() | st.floats(allow_nan=False, allow_infinity=False)
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=12,
)


@given(VALUES)
def test_any_json_value_is_read_back_as_it_was(value: object) -> None:
    line = yaml_value(value)
    assert "\n" not in line
    for loader in LOADERS:
        found = yaml.load(f"- a: {line}\n  b: 1\n", Loader=loader)  # noqa: S506 - safe loaders
        assert found == [{"a": value, "b": 1}]
        assert repr(found[0]["a"]) == repr(value)  # True is not 1, and 1.0 is not 1


@pytest.mark.parametrize(
    "text",
    ["", "No", "yes", "null", "~", "01", "1e5", "2026-01-24", "1:30", "<<", "=", " x", "x ", "\tx", "- x", "a: b",
     "# x", "%TAG", "---", "...", "a\u0085b", "a\u2028b\u2029", "\ufeffx", "{x}", "\\", '"', "😀", "é\u0301"],
)  # fmt: skip
def test_text_that_looks_like_something_else_stays_text(text: str) -> None:
    for loader in LOADERS:
        assert yaml.load(f"{yaml_text('key')}: {yaml_text(text)}", Loader=loader) == {"key": text}  # noqa: S506


def test_a_key_of_more_than_1024_characters_is_a_key() -> None:
    value = {"k" * 3000: 1, "short": 2}
    for loader in LOADERS:
        assert yaml.load(yaml_value(value), Loader=loader) == value  # noqa: S506


def test_numbers_have_the_form_that_yaml_1_1_knows() -> None:
    # PyYAML reads 1e-05 and 1e+16 as text: a float needs a point there.
    assert [yaml_value(x) for x in (1e-5, 1e16, 0.5, -2.0, 7)] == ["1.0e-05", "1.0e+16", "0.5", "-2.0", "7"]


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        (float("nan"), "nan is not a finite number"),
        ({"a": [float("inf")]}, "inf is not a finite number"),
        ({1: 2}, "the key 1 is not text"),
        ({"a": {"b"}}, "a set cannot be written as YAML"),
        ("\ud800", "half of a surrogate pair"),
    ],
)
def test_what_neither_json_nor_utf8_can_hold_is_refused(value: object, problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        yaml_value(value)


@given(st.lists(TEXTS, min_size=1, max_size=6))
def test_our_own_reader_reads_the_same_text(tmp_path_factory: pytest.TempPathFactory, texts: list[str]) -> None:
    path = tmp_path_factory.getbasetemp() / "texts.yaml"
    path.write_bytes(f"pairs: {yaml_value(texts)}\n".encode())
    found = load_yaml(path, Diagnostics(path))
    assert isinstance(found, dict)
    assert found == {"pairs": texts}


def test_mappings_lists_and_keys_know_their_lines_and_nothing_of_it_is_in_their_values(tmp_path: Path) -> None:
    path = tmp_path / "lined.yaml"
    path.write_text("# a comment\nfirst: 1\nsecond:\n  - {a: 1,\n     b: 2}\n")
    found = load_yaml(path, Diagnostics(path))
    assert found == {"first": "1", "second": [{"a": "1", "b": "2"}]}
    assert isinstance(found, dict)
    (inner,) = found["second"]
    assert [line_of(found), line_of(found, "second"), line_of(found["second"]), line_of(inner, "b")] == [2, 3, 4, 5]
    assert line_of("1") is line_of(found, "third") is line_of({}) is None


def test_keys_are_text_as_they_are_written(tmp_path: Path) -> None:
    path = tmp_path / "keys.yaml"
    path.write_text("{true: true, null: null, 01: 01, '': x}")
    assert load_yaml(path, Diagnostics(path)) == {"true": True, "null": None, "01": "01", "": "x"}
    path.write_text("? [a, b]\n: c\n")
    with pytest.raises(FileFormatError, match=r"keys.yaml:1: is not YAML \(found a key that is not text\)"):
        load_yaml(path, Diagnostics(path))
