"""Sections of code files, between their marks."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldproof.io.cases.case import BadCaseError
from goldproof.io.cases.code_files import section_of, without_marks


@pytest.mark.parametrize(
    "mark",
    [
        "# --8<-- [{}:x]",
        "    # --8<-- [{}:x]",
        "#--8<-- [{}:x]",
        "// --8<-- [{}:x]",
        "-- --8<-- [{}:x]",
        "<!-- --8<-- [{}:x] -->",
        "/* --8<-- [{}:x] */",
        "{{# --8<-- [{}:x] #}}",
        ";; -8<- [ {} : x ]",
        "% --8<-- [{}:x]",
        "REM --8<-- [{}:x]",
        "--8<-- [{}:x]",
        "\t# --8<-- [{}:x]\t",
    ],
)
def test_marks_stand_behind_any_sign_for_a_comment(mark: str) -> None:
    text = f"before\n{mark.format('start')}\ninside\n{mark.format('end')}\nafter\n"
    assert section_of(text, "x") == "inside"
    assert section_of(text.replace("\n", "\r\n"), "x") == "inside"
    assert without_marks(text) == "before\ninside\nafter"


@pytest.mark.parametrize(
    "line",
    ['x = "--8<-- [start:x]"', '"--8<-- [start:x]"', "see --8<-- [start:x]", "# --8<-- [start:]", "# 8<-- [start:x"],
)
def test_a_line_that_only_speaks_of_a_mark_is_none(line: str) -> None:
    assert without_marks(line) == line
    with pytest.raises(BadCaseError, match="is not there"):
        section_of(f"{line}\na\n# --8<-- [end:x]", "x")


def test_other_marks_inside_are_dropped_and_the_text_moves_to_the_left() -> None:
    text = """
    # --8<-- [start:outer]

    def f():
        # --8<-- [start:inner]
        return 1
        # --8<-- [end:inner]
    # --8<-- [end:outer]
"""
    assert section_of(text, "outer") == "def f():\n    return 1"
    assert section_of(text, "inner") == "return 1"


def test_sections_may_overlap() -> None:
    text = "# --8<-- [start:a]\n1\n# --8<-- [start:b]\n2\n# --8<-- [end:a]\n3\n# --8<-- [end:b]\n"
    assert section_of(text, "a") == "1\n2"
    assert section_of(text, "b") == "2\n3"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("a", "is not there; it has none"),
        ("# --8<-- [start:loops]\n# --8<-- [end:loops]", "is not there; it has 'loops'"),
        ("# --8<-- [start:Loop]\n# --8<-- [end:Loop]", "is not there; it has 'Loop'"),
        ("a\n# --8<-- [start:loop]\nb", "begins in line 2 there and has no end"),
        ("# --8<-- [end:loop]\na\n# --8<-- [start:loop]\nb", "begins in line 3 there and has no end"),
        ("# --8<-- [start:loop]\n# --8<-- [end:loop]\n\n# --8<-- [start:loop]\n# --8<-- [end:loop]", "lines 1 and 4"),
    ],
)
def test_a_section_that_is_not_whole_says_so(text: str, problem: str) -> None:
    with pytest.raises(BadCaseError, match=problem):
        section_of(text, "loop")


@given(st.lists(st.from_regex(r"[a-z]{1,3}", fullmatch=True)), st.integers(0, 8))
def test_what_stands_between_the_marks_comes_back_at_any_indentation(lines: list[str], indent: int) -> None:
    marked = ["# --8<-- [start:x]", *lines, "# --8<-- [end:x]"]
    text = "\n".join(" " * indent + line for line in marked)
    assert section_of(text, "x") == "\n".join(lines)
