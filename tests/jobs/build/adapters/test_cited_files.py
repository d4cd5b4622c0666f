"""Which file a citation means, and where its lines stand."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from goldproof.jobs.build.adapters.cited_files import KnownPaths, cited_document, line_spans, resolve
from goldproof.text.citations import Citation, LineRange, citations


def meant(text: str, *known: str, complete: bool = False) -> tuple[list[str], list[str]]:
    files = resolve(citations(text), KnownPaths(known, complete=complete))
    return list(files.lines), list(files.unresolved)


def test_a_bare_name_is_the_one_file_of_the_same_answer() -> None:
    assert meant("`src/a/run.py` and lines 3-4 of `run.py`") == (["src/a/run.py"], [])
    assert meant("`src/a/run.py`, `src/b/run.py`, `run.py`") == (["src/a/run.py", "src/b/run.py"], ["run.py"])


def test_lines_of_both_spellings_are_put_together() -> None:
    files = resolve(citations("`src/run.py` (line 1), then `run.py` (line 9)"), KnownPaths())
    assert files.lines == {"src/run.py": (LineRange(1, 1), LineRange(9, 9))}


def test_a_bare_name_that_only_other_answers_explain_stays_unknown() -> None:
    # There may be a second app.py that nobody cites with its folders.
    assert meant("`app.py`", "src/a/app.py") == ([], ["app.py"])


def test_a_shortened_path_is_the_longer_one_that_is_cited_elsewhere() -> None:
    assert meant("`a/app.py`", "src/a/app.py", "a/app.py") == (["src/a/app.py"], [])
    assert meant("`a/app.py`", "src/a/app.py", "lib/a/app.py") == ([], ["a/app.py"])


def test_a_shortened_path_stands_where_its_first_folder_otherwise_stands() -> None:
    known = ["src/_lib/a.py", "src/_lib/b.py", "src/_lib/c.py"]
    assert meant("`_lib/d.py`", *known) == (["src/_lib/d.py"], [])
    assert meant("`_lib/d.py`", *known[:2]) == (["_lib/d.py"], [])
    assert meant("`_lib/d.py`", *known, "old/_lib/a.py") == (["_lib/d.py"], [])
    assert meant("`_lib/d.py`", *known, "_lib/x.py", "_lib/y.py", "_lib/z.py") == (["_lib/d.py"], [])


def test_a_file_of_the_root_needs_lines_to_be_told_from_any_other_of_that_name() -> None:
    assert meant("`CHANGES.rst` (lines 3-4) and `pyproject.toml:7`") == (["CHANGES.rst", "pyproject.toml"], [])
    assert meant("a `README.md` is written") == ([], ["README.md"])


def test_in_a_checkout_only_what_exists_is_meant() -> None:
    tree = ["src/a/app.py", "src/b/app.py", "src/b/one.py", "setup.py"]
    text = "`src/a/app.py`, `b/app.py`, `one.py`, `setup.py`, `src/gone.py`, `none.py`"
    assert meant(text, *tree, complete=True) == (
        ["src/a/app.py", "src/b/app.py", "src/b/one.py", "setup.py"],
        ["src/gone.py", "none.py"],
    )
    assert meant("`app.py`", *tree, complete=True) == ([], ["app.py"])


def test_spans_of_lines_leave_out_the_last_line_end() -> None:
    # "ab\n" is 0-3, "\n" is 3-4, "cde\n" is 4-8
    spans = line_spans("ab\n\ncde\n", [LineRange(1, 1), LineRange(1, 3), LineRange(2, 2), LineRange(3, 4)])
    assert spans == [(0, 2), (0, 7), (3, 3)]
    assert line_spans("", [LineRange(1, 1)]) == []


def test_a_document_holds_the_file_and_evidence_points_into_it() -> None:
    found = cited_document("d", path="a/x.go", repo="o/n", code="one\ntwo\nthree", lines=[LineRange(2, 3)])
    assert found.document.text == "```go\n// File: a/x.go\n// Repository: o/n\n\none\ntwo\nthree\n```"
    [evidence] = found.evidence
    assert found.document.text[evidence.start : evidence.end] == "two\nthree"


@given(st.lists(st.text(st.sampled_from("ab\r"), max_size=3)), st.integers(1, 6), st.integers(0, 6))
def test_a_span_holds_exactly_its_lines(lines: list[str], first: int, more: int) -> None:
    code = "".join(f"{line}\n" for line in lines)
    spans = line_spans(code, [LineRange(first, first + more)])
    assert [code[start:end] for start, end in spans] == (
        ["\n".join(lines[first - 1 : first + more])] if first + more <= len(lines) else []
    )


@given(st.lists(st.builds(Citation, st.sampled_from(["a.py", "b/a.py", "c/b/a.py", "d/a.py", "e.py"])), unique=True))
def test_every_citation_is_either_meant_or_unresolved(cited: list[Citation]) -> None:
    files = resolve(cited, KnownPaths())
    assert all(path.endswith(tuple(each.path for each in cited)) for path in files.lines)
    assert set(files.unresolved) <= {each.path for each in cited}
    assert bool(files.lines or files.unresolved) == bool(cited)
