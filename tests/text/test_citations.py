"""Files and lines cited in prose."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldproof.text.citations import Citation, LineRange, citations, full_path


def cited(text: str) -> dict[str, list[tuple[int, int]]]:
    return {each.path: [(lines.first, lines.last) for lines in each.lines] for each in citations(text)}


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("In `src/app.py` (lines 144-148), `x` is documented.", [(144, 148)]),
        ("defined in `src/app.py` at line 172), set to False", [(172, 172)]),
        ("(`src/app.py`, lines 62-136)", [(62, 136)]),
        ("as in `src/app.py` lines 127-128 and 147-148.", [(127, 128), (147, 148)]),
        ("see `src/app.py` (line 23, 27-29)", [(23, 23), (27, 29)]),
        ("lines 659, 677, and 680 in `src/app.py`", [(659, 659), (677, 677), (680, 680)]),
        ("(lines 88-89 of the file `src/app.py`)", [(88, 89)]),
        ("Line 7 of src/app.py does it.", [(7, 7)]),
        ("see `src/app.py:271-273`.", [(271, 273)]),
        ("see `./src/app.py:298`", [(298, 298)]),
        ("(src/app.py: line 583-590)", [(583, 590)]),
        ("src/app.py#L10-L20", [(10, 20)]),
        ("the code:\n```84:94:src/app.py\nx = 1\n```\n", [(84, 94)]),
        ("In `src/app.py`, `resolve` (line 159) raises", [(159, 159)]),
        ("`src/app.py` lines 10\u201312", [(10, 12)]),
        ("`src/app.py` is the file. Later, at line 12, it goes on.", []),
        ("`src/app.py` (lines 9-3)", []),
        ("`src/app.py` (line 0)", []),
        ("It stands in `src/app.py`.", []),
    ],
)
def test_lines_belong_to_the_path_they_are_said_of(text: str, lines: list[tuple[int, int]]) -> None:
    assert cited(text) == {"src/app.py": lines}


def test_lines_in_a_second_file_are_not_given_to_the_first() -> None:
    text = "`a/x.py` calls `run()` (lines 3-4 in `b/y.py`), which `b/z.py` (line 5) lacks."
    assert cited(text) == {"a/x.py": [], "b/y.py": [(3, 4)], "b/z.py": [(5, 5)]}


def test_lines_far_behind_a_path_are_not_given_to_it() -> None:
    assert cited(f"`a/x.py` {'and so on ' * 9}(line 3)") == {"a/x.py": [(3, 3)]}
    assert cited(f"`a/x.py` {'and so on ' * 10}(line 3)") == {"a/x.py": []}


def test_each_file_is_listed_once_with_each_range_once() -> None:
    assert cited("`a/x.py:3`, `a/x.py` (line 3) and `a/x.py` (line 4)") == {"a/x.py": [(3, 3), (4, 4)]}


@pytest.mark.parametrize(
    "text",
    [
        "read/write and and/or, text/html, application/json",
        "https://github.com/o/n/blob/main/src/app.py",
        "/etc/app.conf and ~/app.toml and ../../up/app.py",
        "`app.json.ensure_ascii = True`",
        "```python\nopen('data/x.csv')\n```",
        "version 2.0/3.1",
        "Call `run.py()`",
    ],
)
def test_what_is_no_relative_file_is_not_cited(text: str) -> None:
    assert citations(text) == ()


def test_bare_names_and_files_without_code_are_cited_too() -> None:
    assert list(cited("`app.py`, `docs/a.rst`, `tests/ca.crt`, deploy/Dockerfile.")) == [
        "app.py",
        "docs/a.rst",
        "tests/ca.crt",
        "deploy/Dockerfile",
    ]


def test_a_full_path_is_the_only_known_one_that_ends_with_what_is_cited() -> None:
    known = ["src/a/app.py", "src/b/app.py", "src/b/my_run.py", "run.py"]
    assert full_path("b/app.py", known=known) == "src/b/app.py"
    assert full_path("app.py", known=known) is None
    assert full_path("run.py", known=known) == "run.py"
    assert full_path("gone.py", known=known) is None
    assert full_path("app.py", known=["app.py", "src/app.py"]) == "app.py"


@given(st.text())
def test_any_text_is_taken_without_an_error(text: str) -> None:
    assert len({each.path for each in citations(text)}) == len(citations(text))


@given(st.integers(1, 9999), st.integers(0, 99), st.sampled_from(["a/b.py", "x/y-z/w.go", "docs/a_b.md"]))
def test_a_citation_is_read_back(first: int, more: int, path: str) -> None:
    lines = LineRange(first, first + more)
    assert citations(f"It is in `{path}` (lines {first}-{first + more}).") == (Citation(path, (lines,)),)
