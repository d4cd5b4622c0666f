"""Code in a fence with its header, and back."""

from __future__ import annotations

import re

from hypothesis import assume, given
from hypothesis import strategies as st

from goldproof.text.code_blocks import Code, code_context, fenced_blocks, read_code_context
from goldproof.text.languages import _NAMES, comment_of

codes = st.text(st.sampled_from("ab`~#/-*\t \n\r{}\\>\"'\u2028é")) | st.text()
names = st.text(st.sampled_from("a./-*>\\ \n`{#}()")) | st.text()
languages = st.sampled_from(sorted({*_NAMES.values()}))


def test_the_header_is_a_comment_with_a_blank_line_before_the_code() -> None:
    context = code_context("def f():\n    ...", language="python", file_path="src/auth/login.py", repo="example/webapp")
    assert context.text == (
        "```python\n# File: src/auth/login.py\n# Repository: example/webapp\n\ndef f():\n    ...\n```"
    )


def test_the_comment_is_the_language_s_own() -> None:
    assert code_context("x", language="go", file_path="a.go").text == "```go\n// File: a.go\n\nx\n```"
    assert code_context("x", language="html", file_path="a.html").text == "```html\n<!-- File: a.html -->\n\nx\n```"
    assert code_context("x", language="css", repo="a/b").text == "```css\n/* Repository: a/b */\n\nx\n```"


def test_a_language_without_comments_has_its_header_above_the_fence() -> None:
    context = code_context("{}", language="json", file_path="a.json", repo="a/b")
    assert context.text == "File: a.json\nRepository: a/b\n\n```json\n{}\n```"
    assert context.text[context.start : context.end] == "{}"


def test_what_is_not_known_is_left_out() -> None:
    assert code_context("x", language="python").text == "```python\nx\n```"
    assert code_context("x", language="text", file_path=" ", repo="\n").text == "```text\nx\n```"


def test_indentation_tabs_line_ends_and_blank_lines_are_kept() -> None:
    code = "\n\n\tif a:\r\n\t\t  b()  \r\n\n\n"
    context = code_context(code, language="python", file_path="a.py")
    assert context.text == f"```python\n# File: a.py\n\n{code}\n```"


def test_the_fence_is_longer_than_any_run_of_backticks_inside() -> None:
    context = code_context("a\n`````\nb ```` c", language="markdown")
    assert context.text.startswith("``````markdown\n")
    assert context.text.endswith("\n``````")
    assert code_context("x", language="python", file_path="a````b.py").text.startswith("`````python")


def test_a_path_cannot_break_out_of_the_comment() -> None:
    assert "# File: a.py import os\n" in code_context("x", language="python", file_path="a.py\nimport os").text
    assert "/* File: a* /b.css */\n" in code_context("x", language="css", file_path="a*/b.css").text
    assert "<!-- File: a- ->b.md -->\n" in code_context("x", language="markdown", file_path="a-->b.md").text
    assert "// File: a\n\nx" in code_context("x", language="c", file_path="a\\").text


def test_reading_back_gives_all_parts() -> None:
    code = Code("  x = 1\n", "python", "a b.py", "o/n")
    context = code_context(code.code, language=code.language, file_path=code.file_path, repo=code.repo)
    assert read_code_context(context.text) == code
    assert read_code_context("File: a.json\n\n```json\n{}\n```") == Code("{}", "json", "a.json")
    assert read_code_context("no fence") is None


@given(codes, names, names, languages)
def test_nothing_of_the_code_is_lost(code: str, file_path: str, repo: str, language: str) -> None:
    context = code_context(code, language=language, file_path=file_path, repo=repo)
    assert context.text[context.start : context.end] == code
    comment = comment_of(language)
    opening = re.escape(comment.opening) if comment else ""
    headed = re.search(r"(?:File|Repository): ", context.text[: context.start]) is not None
    assume(headed or not re.match(rf"{opening} (?:File|Repository): ", code))
    read = read_code_context(context.text)
    assert read is not None
    assert (read.code, read.language) == (code, language)


@given(codes, names, languages)
def test_the_whole_is_one_fenced_block_for_a_reader_of_markdown(code: str, file_path: str, language: str) -> None:
    context = code_context(code, language=language, file_path=file_path)
    assume("\r" not in code.replace("\r\n", "") and not set(code) & set("\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029"))
    [block] = fenced_blocks(context.text)
    assert block.code.endswith(f"{code}\n")
    assert block.end == len(context.text)
