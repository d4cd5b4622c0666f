"""Cutting sources: every character that is not blank is in a chunk, and chunks are spans of the source."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldproof.errors import InputError, UnknownNameError
from goldproof.text.chunk_boundaries import LineNumbers, slug
from goldproof.text.chunks import Chunk, Cutting, cut_source

WORDS = st.sampled_from(
    [
        *("alpha", "beta.", "gamma!", "délta", "x" * 90, "。", "\u2028", "\x0c", "|", "- item", "1. one"),
        *("# One", "## Two", "### `f(x)` {#own}", "Title\n=====", "Sub\n---", "```python", "```", "~~~", "---", "+++"),
        *("def f():", "    return 1", "class A:", "    def m(self):", "        pass", "@wrap", "import os", "# note"),
        *("function g() {", "}", "  inner();", "", " ", "\t"),
    ]
)
ENDS = st.sampled_from(["\n", "\n", "\n\n", "\r\n", "\r\n\r\n", "\r", " ", "\n   \n"])
SOURCES = st.lists(st.tuples(WORDS, ENDS), max_size=60).map(lambda parts: "".join(a + b for a, b in parts))
LANGUAGES = st.sampled_from(["markdown", "rst", "python", "javascript", "text"])
CUTTINGS = st.builds(
    lambda size, share, by: Cutting(size, int(size * share), by),
    st.integers(50, 400),
    st.sampled_from([0.0, 0.1, 0.5]),
    st.sampled_from(["auto", "headings", "symbols", "size", "file"]),
)


def texts(source: str, language: str = "markdown", **how: object) -> list[str]:
    return [source[c.start : c.end] for c in cut_source(source, language, cutting=Cutting(**how))]  # type: ignore[arg-type]


def names(source: str, language: str = "markdown", **how: object) -> list[str]:
    return [c.name for c in cut_source(source, language, cutting=Cutting(**how))]  # type: ignore[arg-type]


@given(source=SOURCES, language=LANGUAGES, cutting=CUTTINGS)
def test_chunks_hold_every_character_that_is_not_blank_and_none_is_too_long(
    source: str, language: str, cutting: Cutting
) -> None:
    chunks = cut_source(source, language, cutting=cutting)
    held = {at for c in chunks for at in range(c.start, c.end)}
    assert all(at in held for at, sign in enumerate(source) if not sign.isspace())
    assert all(source[c.start : c.end].strip() and not source[c.end - 1].isspace() for c in chunks)
    assert cutting.by == "file" or all(c.end - c.start <= cutting.size for c in chunks)
    assert [c.start for c in chunks] == sorted(c.start for c in chunks)


@given(source=SOURCES, language=LANGUAGES, cutting=CUTTINGS)
def test_without_overlap_no_character_is_in_two_chunks(source: str, language: str, cutting: Cutting) -> None:
    chunks = cut_source(source, language, cutting=Cutting(cutting.size, 0, cutting.by))
    assert all(left.end <= right.start for left, right in pairwise(chunks))


@given(source=SOURCES, cutting=CUTTINGS)
def test_parts_overlap_by_no_more_than_they_may(source: str, cutting: Cutting) -> None:
    chunks = cut_source(source, "text", cutting=cutting)
    for left, right in pairwise(chunks):
        assert left.end - right.start <= cutting.overlap
        assert left.start < right.start
        assert left.end < right.end


def test_a_section_is_a_heading_with_what_stands_below_it() -> None:
    source = "Hello.\n\n# One\ntext\n## Two\nmore\n# Three\n"
    assert texts(source) == ["Hello.", "# One\ntext", "## Two\nmore", "# Three"]
    assert [c.path for c in cut_source(source, "markdown")] == [(), ("One",), ("One", "Two"), ("Three",)]


def test_underlined_headings_are_headings_and_rules_and_tables_are_not() -> None:
    source = "Top\n===\n\na\n\n---\n\nSub\n---\nb\n\n- item\n---\n| h |\n---\n"
    assert names(source) == ["top", "sub"]


def test_a_heading_in_a_fence_is_code() -> None:
    assert names("# Real\n\n```sh\n# no heading\n```\n\n~~~\nNeither\n=====\n~~~\n## After\n") == ["real", "after"]


def test_front_matter_is_a_piece_of_its_own_and_its_lines_are_no_headings() -> None:
    source = "---\ntitle: x\n# comment\n---\n\nIntro\n\n# Head\n"
    assert [(c.kind, c.name) for c in cut_source(source, "markdown")] == [
        ("front matter", "front-matter"),
        ("text", ""),
        ("section", "head"),
    ]


@pytest.mark.parametrize(
    ("heading", "name"),
    [
        ("# Hello, World!", "hello-world"),
        ("# `goldproof.build` options #", "goldproofbuild-options"),
        ("# [Linked](x.md) text", "linked-text"),
        ("# Named {#own-id}", "own-id"),
        ("# !!!", "section"),
        ("# Überschrift", "überschrift"),
    ],
)
def test_a_heading_names_its_section_as_an_anchor(heading: str, name: str) -> None:
    assert names(heading + "\n") == [name]


def test_rst_titles_have_their_levels_by_the_order_of_their_underlines() -> None:
    source = "=====\nTitle\n=====\n\nintro\n\nFirst\n-----\na\n\nDeep\n~~~~\nb\n\nSecond\n------\nc\n"
    found = cut_source(source, "rst")
    assert [c.path for c in found] == [
        ("Title",),
        ("Title", "First"),
        ("Title", "First", "Deep"),
        ("Title", "Second"),
    ]
    assert source[found[0].start : found[0].end] == "=====\nTitle\n=====\n\nintro"


PROGRAM = '''"""Doc."""
import os

LIMIT = 3

# Says hello.
@wrap
def hello(name):
    def inner():
        pass
    return name

class Server(Base):
    """Serves."""

    port = 1

    def start(self):
        pass

    @property
    def state(self):
        return 1

    class Inner:
        def go(self): ...

DEFAULT = Server()

if __name__ == "__main__":
    hello("x")
'''


def test_python_is_cut_by_functions_class_headers_and_methods() -> None:
    found = [(c.name, c.kind) for c in cut_source(PROGRAM, "python")]
    assert found == [
        ("", "module"),
        ("hello", "function"),
        ("Server", "class"),
        ("Server.start", "method"),
        ("Server.state", "method"),
        ("Server.Inner", "class"),
        ("Server.Inner.go", "method"),
        ("DEFAULT", "module"),
    ]
    by_name = dict(zip(names(PROGRAM, "python"), texts(PROGRAM, "python"), strict=True))
    assert by_name["hello"].startswith("# Says hello.\n@wrap\ndef hello")
    assert by_name["Server.state"].startswith("    @property\n    def state")
    assert by_name["Server"] == 'class Server(Base):\n    """Serves."""\n\n    port = 1'


def test_statements_between_definitions_are_named_after_the_first_name_that_they_assign() -> None:
    between = ("import os\n", "print(1)\nb = a = 2\n", "x.y = 3\n", "t: int = 1; s = 2\n")
    text = "".join(part + f"\ndef {name}(): pass\n\n" for part, name in zip(between, "fghi", strict=True))
    assert [c.name for c in cut_source(text, "python")] == ["", "f", "b", "g", "x-y-3", "h", "t", "i"]


def test_python_that_does_not_parse_is_cut_at_its_blocks() -> None:
    source = "def good():\n    pass\n\ndef bad(:\n    pass\n"
    assert [(c.name, c.kind) for c in cut_source(source, "python")] == [("good", "function"), ("bad", "function")]


def test_windows_line_ends_do_not_move_python_symbols() -> None:
    source = PROGRAM.replace("\n", "\r\n")
    assert [t.replace("\r\n", "\n") for t in texts(source, "python")] == texts(PROGRAM, "python")


def test_other_code_is_cut_before_what_begins_at_the_margin() -> None:
    source = (
        "import x from 'y';\n\n// Adds.\nfunction add(a, b) {\n  return a;\n\n  // more\n}\n\n"
        "class Point {\n  x() { return 1; }\n}\n"
    )
    assert names(source, "javascript") == ["add", "Point"]
    assert texts(source, "javascript")[1] == "class Point {\n  x() { return 1; }\n}"


def test_short_paragraphs_join_the_next_one_and_long_ones_end_a_piece() -> None:
    long = "word " * 20
    source = f"Title\n\n{long}\n\n{long}\n\nEnd.\n"
    assert texts(source, "text", size=200) == [f"Title\n\n{long.strip()}", long.strip(), "End."]


def test_a_change_above_moves_no_other_paragraph() -> None:
    body = "\n\n".join(f"Paragraph {n} " + "goes on and on " * 12 for n in range(8))
    before, after = (set(names(top + body, "text")) for top in ("", "Quite a new beginning. " * 15 + "\n\n"))
    assert before <= after


def test_long_pieces_are_cut_at_paragraphs_then_sentences_then_words() -> None:
    sentence = "This is a sentence of text. "
    assert texts("# H\n\n" + sentence * 2 + "\n\n" + sentence * 2, size=70)[0].endswith("text.")
    assert all(part.endswith(".") for part in texts(sentence * 10, "text", size=70))
    assert all(len(part) <= 60 and not part.startswith("o") for part in texts("word " * 40, "text", size=60))
    assert [len(part) for part in texts("x" * 130, "text", size=60)] == [60, 60, 10]


def test_a_fenced_block_that_fits_is_not_cut() -> None:
    code = "```\n" + "a line of code\n\n" * 6 + "```"
    parts = texts("# H\n\n" + "Some words here. " * 6 + "\n\n" + code + "\n", size=150)
    assert code in parts


def test_parts_repeat_the_last_words_of_the_part_before() -> None:
    # 60 characters end after "eleven"; of the 20 before "twelve", "nine ten eleven " are whole words.
    source = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen"
    first, second = texts(source, "text", size=60, overlap=20)
    assert first == "one two three four five six seven eight nine ten eleven"
    assert second == "nine ten eleven twelve thirteen fourteen"


def test_by_file_gives_the_whole_file_whatever_its_length() -> None:
    assert [len(t) for t in texts("# A\n" + "x " * 5000, size=100, by="file")] == [10003]


def test_headings_and_symbols_alone_leave_other_files_to_the_size() -> None:
    assert cut_source("def f():\n    pass\n", "python", cutting=Cutting(by="headings")) == (Chunk(0, 17, "window"),)
    assert cut_source("# A\n# B\n", "markdown", cutting=Cutting(by="symbols")) == (Chunk(0, 7, "window"),)


@pytest.mark.parametrize(("how", "said"), [({"size": 10}, "size=10"), ({"size": 100, "overlap": 51}, "overlap=51")])
def test_sizes_that_make_no_sense_are_refused(how: dict[str, int], said: str) -> None:
    with pytest.raises(InputError, match=said):
        Cutting(how["size"], how.get("overlap", 0))


def test_an_unknown_way_of_cutting_suggests_a_near_one() -> None:
    with pytest.raises(UnknownNameError, match="'headings'"):
        Cutting(by="heading")  # type: ignore[arg-type]


def test_lines_are_counted_as_editors_count_them() -> None:
    line_of = LineNumbers("a\r\nb\rc\n\u2028d")
    assert [line_of(at) for at in (0, 3, 5, 7, 8)] == [1, 2, 3, 4, 4]


def test_a_line_too_long_for_a_heading_is_none_and_hides_none() -> None:
    assert names("# " + "x" * 1200 + "\n# Real\n" + "y" * 1200 + "\n---\n# Next #\n") == ["", "real", "next"]


def test_a_slug_has_no_blank() -> None:
    assert slug("  Two  words\tmore ") == "two-words-more"
