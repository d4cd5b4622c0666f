"""Fenced code blocks in prose."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from goldproof.text.code_blocks import fenced_blocks, without_fenced_blocks, without_html_comments

markdown = st.lists(st.sampled_from(["```", "````", "~~~", "```python", "text", "  ```", "> ```", "", "a `b` c"])).map(
    "\n".join
)


def test_a_block_has_its_info_and_its_code() -> None:
    text = "before\n```python title=x\nx = 1\n\ny\n```\nafter\n"
    [block] = fenced_blocks(text)
    assert (block.info, block.code) == ("python title=x", "x = 1\n\ny\n")
    assert text[block.start : block.end] == "```python title=x\nx = 1\n\ny\n```\n"
    assert without_fenced_blocks(text) == "before\n\nafter\n"


def test_only_a_fence_of_the_same_kind_and_at_least_the_same_length_closes() -> None:
    [block] = fenced_blocks("````\n```\n~~~~\n````")
    assert block.code == "```\n~~~~\n"


def test_a_fence_that_is_never_closed_runs_to_the_end() -> None:
    [block] = fenced_blocks("a\n```js\nx\ny")
    assert (block.code, block.end) == ("x\ny", 11)


def test_indented_and_quoted_fences_count_and_inline_code_does_not() -> None:
    assert [block.code for block in fenced_blocks("1. so:\n   ```\n   x\n   ```\n> ```\n> y\n> ```\n")] == [
        "   x\n",
        "> y\n",
    ]
    assert fenced_blocks("```not a fence``` but code\n") == ()


def test_line_ends_of_windows_are_kept_in_the_code() -> None:
    [block] = fenced_blocks("```\r\nx\r\n```\r\n")
    assert block.code == "x\r\n"


def test_the_info_can_stand_in_for_the_block() -> None:
    assert without_fenced_blocks("see\n```1:2:a.py\ncode\n```\nend", keep_info=True) == "see\n1:2:a.py\nend"


@given(markdown)
def test_blocks_are_in_order_and_nothing_outside_them_is_lost(text: str) -> None:
    blocks = fenced_blocks(text)
    edges = [0, *(edge for block in blocks for edge in (block.start, block.end)), len(text)]
    assert edges == sorted(edges)
    outside = "".join(text[start:end] for start, end in zip(edges[::2], edges[1::2], strict=True))
    assert without_fenced_blocks(text).replace("\n", "") == outside.replace("\n", "")


def test_the_own_code_of_a_block_is_what_it_would_be_at_the_margin() -> None:
    listed, quoted = fenced_blocks("1. so:\n   ```\n   if x:\n       y\n z\n   ```\n> > ```\n> > y\n> z\n> > ```\n")
    assert listed.own_code == "if x:\n    y\nz\n"
    assert quoted.own_code == "y\nz\n"
    [plain] = fenced_blocks("```\n  x\n```")
    assert plain.own_code == plain.code == "  x\n"


def test_html_comments_go_with_the_fences_in_them_and_stay_in_code() -> None:
    assert without_html_comments("a <!-- x --> b <!--\n```\ny\n```\n--> c\n") == "a  b  c\n"
    assert without_html_comments("a\n<!-- open\n```\ny") == "a\n"
    code = "```html\n<!-- x -->\n```\nand `<!-- y -->`\n"
    assert without_html_comments(code) == code


@given(markdown)
def test_a_text_without_a_comment_is_left_as_it_is(text: str) -> None:
    assert without_html_comments(text) == text
