"""The elements of an array, cut from pieces of any size, are what a JSON parser finds in the whole."""

from __future__ import annotations

import json
from pathlib import Path

import orjson
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from goldproof.errors import FileFormatError
from goldproof.io.diagnostics import Diagnostics
from goldproof.io.json_stream import array_elements, outline

FILE = Path("data.json")
texts = st.text(alphabet=st.one_of(st.sampled_from('\\"[]{},: \n'), st.characters(codec="utf-8")), max_size=8)
scalars = st.one_of(
    st.none(), st.booleans(), st.integers(-(2**53), 2**53), st.floats(allow_nan=False, allow_infinity=False), texts
)
values = st.recursive(
    scalars, lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(texts, inner, max_size=4))
)
layouts = st.sampled_from([{}, {"indent": 2}, {"separators": (",", ":")}, {"ensure_ascii": False, "indent": 0}])


def pieces(text: bytes, size: int) -> list[bytes]:
    return [text[start : start + size] for start in range(0, len(text), size)]


def elements(text: bytes, *, size: int = 1 << 16, keep: int | None = None) -> list[object]:
    found = array_elements(pieces(text.lstrip()[1:], size), Diagnostics(FILE, keep=keep))
    return [orjson.loads(element.text) for element in found]


@given(st.lists(values, max_size=6), layouts, st.integers(1, 40))
@example([{"a": '\\"'}, {"b": "\\\\"}, "\\", ["]"]], {}, 1)
@example([[], {}, [], 1, "a,b", {}, 2], {}, 3)
def test_the_elements_are_those_of_the_whole_array_in_pieces_of_any_size(
    array: list[object], layout: dict[str, object], size: int
) -> None:
    text = json.dumps(array, **layout).encode()  # type: ignore[arg-type]
    assert elements(text, size=size) == orjson.loads(text)


@given(st.lists(st.dictionaries(texts, values, max_size=3), min_size=1, max_size=4), st.integers(1, 20))
def test_numbers_count_from_one_and_lines_are_where_the_elements_begin(array: list[object], size: int) -> None:
    text = json.dumps(array, indent=1).encode()
    for number, found in enumerate(array_elements(pieces(text[1:], size), Diagnostics(FILE)), start=1):
        assert found.number == number
        line = text.split(b"\n")[found.line - 1]
        assert line.strip().startswith(b"{")


@given(st.lists(st.dictionaries(texts, values, max_size=3), min_size=1, max_size=4), st.data())
def test_an_array_that_is_cut_off_anywhere_says_so(array: list[object], data: st.DataObject) -> None:
    text = json.dumps(array).encode()
    cut = data.draw(st.integers(1, len(text) - 1))
    with pytest.raises(FileFormatError, match=r"cut off: the file ends after [0-9]+ elements"):
        elements(text[:cut], size=7, keep=0)


def test_an_array_that_is_cut_off_tells_how_far_it_could_be_read() -> None:
    with pytest.raises(FileFormatError) as caught:
        elements(b'[{"a": 1},\n {"a": 2},\n {"a": ')
    assert str(caught.value) == (
        "data.json:3: the JSON array is cut off: the file ends after 2 elements without a closing bracket.\n"
        "  Copy or download the file again; it is incomplete."
    )


def test_what_stands_after_the_array_is_refused() -> None:
    with pytest.raises(FileFormatError, match=r"data.json:2: the JSON array ends after 1 elements, but .* '\[2\]'"):
        elements(b"[1]\n[2]\n")
    assert elements(b"[1]\n \n", size=1) == [1]


def test_a_missing_comma_is_a_complaint_and_the_elements_around_it_are_kept() -> None:
    with pytest.raises(FileFormatError, match=r"data.json:1: no comma after element 1 of the array\."):
        elements(b'[{"a": 1}\n{"a": 2}]')
    assert elements(b'[{"a": 1} {"a": 2}]', keep=1) == [{"a": 1}, {"a": 2}]


def test_words_between_elements_are_a_complaint() -> None:
    with pytest.raises(FileFormatError, match=r"data.json:1: no comma after element 1 of the array, but 'and,'\."):
        elements(b'[{"a": 1} and, {"a": 2}]')


def test_megabytes_without_an_object_are_no_array_of_records() -> None:
    with pytest.raises(FileFormatError, match="holds no object in 16 MB, expected an array of objects"):
        elements(b"[" + b"1," * (9 << 20) + b"1]")


@given(st.dictionaries(texts, values, max_size=5), layouts, st.integers(1, 30))
def test_the_outline_finds_the_only_list_of_an_object_if_it_holds_objects(
    record: dict[str, object], layout: dict[str, object], size: int
) -> None:
    text = json.dumps(record, **layout).encode()  # type: ignore[arg-type]
    found = outline(pieces(text, size))
    assert (found.closed, found.goes_on) == (True, False)
    lists = [value for value in record.values() if isinstance(value, list)]
    first = next((item for item in lists[0] if isinstance(item, dict | list)), None) if len(lists) == 1 else None
    assert (found.records is not None) == isinstance(first, dict)
    if found.records is not None:
        rest = pieces(text[found.records.offset + 1 :], size)
        inner = array_elements(rest, Diagnostics(FILE), line=found.records.line, whole=False)
        assert [orjson.loads(element.text) for element in inner] == lists[0]


@pytest.mark.parametrize(
    ("text", "closed", "goes_on"), [(b'{"a": 1}\n{"a": 2}', True, True), (b'{"a": [', False, False)]
)
def test_the_outline_tells_lines_and_cut_off_objects_apart(text: bytes, closed: bool, goes_on: bool) -> None:
    found = outline([text])
    assert (found.closed, found.goes_on, found.records) == (closed, goes_on, None)
