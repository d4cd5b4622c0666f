"""What is legitimate is read: every format, odd blanks, line ends, byte-order marks, lying suffixes, odd ids."""

from __future__ import annotations

import gzip
from typing import TYPE_CHECKING

import numpy as np
import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from goldproof.errors import FileFormatError, InputError
from goldproof.io import (
    delimited,
    read_dataset,
    read_judgments,
    read_ranking,
    read_ranking_report,
    write_trec_run,
)
from goldproof.records.tables import RankingTable

if TYPE_CHECKING:
    from pathlib import Path

GRADES = {"q1": {"a": 2, "b": 0}, "q2": {"a": -1}}
SCORES = {"q1": {"a": 2.5, "b": 1.0}, "q2": {"a": 0.125}}

JUDGMENT_FILES: dict[str, tuple[str, str]] = {
    "TREC": ("x.qrels", "q1 0 a 2\nq1 0 b 0\nq2 0 a -1\n"),
    "tabs": ("x.qrels", "q1\t0\ta\t2\nq1\t0\tb\t0\nq2\t0\ta\t-1\n"),
    "mixed blanks": ("x.qrels", "q1   0\ta 2\nq1 \t 0 b 0 \n  q2 0 a -1"),
    "blanks among tabs": ("x.qrels", "q1\t0\ta\t2\nq1 0\tb\t0\nq2\t0\ta \t-1\n"),
    "tabs after blanks": ("x.qrels", "q1 0 a 2\nq1\t0\tb\t0\nq2 0 a -1\n"),
    "CRLF": ("x.qrels", "q1 0 a 2\r\nq1 0 b 0\r\nq2 0 a -1\r\n"),
    "CRLF at some lines": ("x.qrels", "q1 0 a 2\r\nq1 0 b 0\nq2 0 a -1\r\n"),
    "byte-order mark": ("x.qrels", "\ufeffq1 0 a 2\nq1 0 b 0\nq2 0 a -1\n"),
    "no newline at the end": ("x.qrels", "q1 0 a 2\nq1 0 b 0\nq2 0 a -1"),
    "blank lines": ("x.qrels", "\nq1 0 a 2\n\nq1 0 b 0\n \t\nq2 0 a -1\n\n\n"),
    "whole numbers with a point": ("x.qrels", "q1 0 a 2.0\nq1 0 b 0\nq2 0 a -1\n"),
    "signs": ("x.qrels", "q1 0 a +2\nq1 0 b -0\nq2 0 a -1\n"),
    "queries not together": ("x.qrels", "q1 0 a 2\nq2 0 a -1\nq1 0 b 0\n"),
    "vertical tab and form feed are blanks": ("x.qrels", "q1\v0 a 2\nq1 0\fb 0\nq2 0 a -1\n"),
    "BEIR": ("x.tsv", "query-id\tcorpus-id\tscore\nq1\ta\t2\nq1\tb\t0\nq2\ta\t-1\n"),
    "BEIR, header missing": ("x.tsv", "q1\ta\t2\nq1\tb\t0\nq2\ta\t-1\n"),
    "BEIR, four columns": ("x.tsv", "q1\t0\ta\t2\nq1\t0\tb\t0\nq2\t0\ta\t-1\n"),
    "TSV, four columns with a header": ("x.tsv", "qid\titer\tdocid\trel\nq1\t0\ta\t2\nq1\t0\tb\t0\nq2\t0\ta\t-1\n"),
    "blank-separated with a header": ("x.txt", "query-id corpus-id score\nq1 a 2\nq1 b 0\nq2 a -1\n"),
    "CSV": ("x.csv", "query_id,doc_id,grade\nq1,a,2\nq1,b,0\nq2,a,-1\n"),
    "CSV, other names and order": ("x.csv", "Relevance,DocID,Note,Query\n2,a,,q1\n0,b,x y,q1\n-1,a,,q2\n"),
    "CSV, blanks after commas": ("x.csv", "query_id, doc_id, grade\nq1, a, 2\nq1, b, 0\nq2, a, -1\n"),
    "CSV, quotes": ("x.csv", '"query_id","doc_id","grade"\n"q1","a","2"\nq1,"b",0\nq2,a,-1\n'),
    "CSV, line break in a note": ("x.csv", 'query_id,doc_id,grade,note\nq1,a,2,"x\ny"\nq1,b,0,\nq2,a,-1,\n'),
    "CSV, blank line before the header": ("x.csv", "\nquery_id,doc_id,grade\nq1,a,2\nq1,b,0\nq2,a,-1\n"),
    "CSV called qrels": ("x.qrels", "query_id,doc_id,grade\nq1,a,2\nq1,b,0\nq2,a,-1\n"),
    "TREC called csv": ("x.csv", "q1 0 a 2\nq1 0 b 0\nq2 0 a -1\n"),
    "JSONL": (
        "x.jsonl",
        (
            '{"query_id":"q1","doc_id":"a","grade":2}\n{"query_id":"q1","doc_id":"b","score":0}\n'
            '{"query_id":"q2","doc_id":"a","relevance":-1.0}\n'
        ),
    ),
    "JSONL called txt": (
        "x.txt",
        (
            '{"qid":"q1","docid":"a","rel":2,"by":"me"}\n\n{"query-id":"q1","corpus-id":"b","label":"0"}\r\n'
            '{"query_id":"q2","query":"what?","doc_id":"a","grade":-1}'
        ),
    ),
}

RANKING_FILES: dict[str, tuple[str, str]] = {
    "TREC": ("x.run", "q1 Q0 a 1 2.5 t\nq1 Q0 b 2 1 t\nq2 Q0 a 1 0.125 t\n"),
    "leading blanks in scores": ("x.run", "q1\tQ0\ta\t1\t  2.5\tt\nq1\tQ0\tb\t2\t  1\tt\nq2\tQ0\ta\t1\t  0.125\tt\n"),
    "exponents and bare points": ("x.run", "q1 Q0 a 1 25e-1 t\nq1 Q0 b 2 1. t\nq2 Q0 a 1 .125 t\n"),
    "ranks and tags are not read": ("x.run", "q1 x a zz 2.5 ?\nq1 y b - 1 ?\nq2 z a 9 0.125 ?\n"),
    "CSV": ("x.csv", "qid,docno,score,rank\nq1,a,2.5,1\nq1,b,1,2\nq2,a,0.125,1\n"),
    "JSONL, flat": (
        "x.jsonl",
        (
            '{"query_id":"q1","doc_id":"a","score":2.5}\n{"query_id":"q1","doc_id":"b","score":1}\n'
            '{"query_id":"q2","doc_id":"a","score":0.125}\n'
        ),
    ),
    "JSONL, nested": (
        "x.jsonl",
        (
            '{"query_id":"q1","results":[{"doc_id":"a","score":2.5},{"doc_id":"b","score":1}]}\n'
            '{"query_id":"q2","hits":[{"id":0,"docid":"a","score":0.125}]}\n'
        ),
    ),
}


def put(folder: Path, name: str, content: str) -> Path:
    path = folder / name
    path.write_bytes(content.encode())
    return path


@pytest.mark.parametrize("name", JUDGMENT_FILES)
def test_judgments_are_read_from(name: str, tmp_path: Path) -> None:
    assert read_judgments(put(tmp_path, *JUDGMENT_FILES[name])).to_dict() == GRADES


@pytest.mark.parametrize("name", RANKING_FILES)
def test_rankings_are_read_from(name: str, tmp_path: Path) -> None:
    assert read_ranking(put(tmp_path, *RANKING_FILES[name])).to_dict() == SCORES


@pytest.mark.parametrize("name", JUDGMENT_FILES)
def test_gzip_is_recognised_by_content(name: str, tmp_path: Path) -> None:
    file, content = JUDGMENT_FILES[name]
    (tmp_path / file).write_bytes(gzip.compress(content.encode()))
    assert read_judgments(tmp_path / file).to_dict() == GRADES


@pytest.mark.parametrize("name", JUDGMENT_FILES)
def test_the_size_of_blocks_does_not_matter(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for size in (1, 7, 20):
        monkeypatch.setattr("goldproof.io.text_files.BLOCK_BYTES", size)
        assert read_judgments(put(tmp_path, *JUDGMENT_FILES[name])).to_dict() == GRADES


@pytest.mark.parametrize("dtype", [pl.String, pl.Categorical])
def test_parquet_is_read_whatever_its_name(dtype: type[pl.DataType], tmp_path: Path) -> None:
    frame = pl.DataFrame({"qid": ["q1", "q1", "q2"], "docid": ["a", "b", "a"], "label": [2, 0, -1], "extra": [1, 2, 3]})
    frame.with_columns(pl.col("qid").cast(dtype)).write_parquet(tmp_path / "x.dat")
    assert read_judgments(tmp_path / "x.dat").to_dict() == GRADES


def test_parquet_grades_may_be_whole_floats_and_ids_whole_numbers(tmp_path: Path) -> None:
    pl.DataFrame({"query_id": [7], "doc_id": [12], "relevance": [1.0]}).write_parquet(tmp_path / "x.parquet")
    assert read_judgments(tmp_path / "x.parquet").to_dict() == {"7": {"12": 1}}


def test_parquet_scores_may_be_whole_numbers(tmp_path: Path) -> None:
    pl.DataFrame({"query_id": ["q"], "doc_id": ["d"], "score": [3]}).write_parquet(tmp_path / "x.parquet")
    assert read_ranking(tmp_path / "x.parquet").to_dict() == {"q": {"d": 3.0}}


def test_ranked_ids_without_scores_get_descending_ones(tmp_path: Path) -> None:
    # three results: 3, 2, 1
    path = put(tmp_path, "x.jsonl", '{"query_id": "q1", "results": ["b", 7, "a"]}\n')
    assert read_ranking(path).to_dict() == {"q1": {"b": 3.0, "7": 2.0, "a": 1.0}}


def test_failed_and_empty_questions_are_kept_apart(tmp_path: Path) -> None:
    path = put(
        tmp_path,
        "x.jsonl",
        '{"query_id":"q1","results":[]}\n{"query_id":"q2","error":"timeout"}\n{"query_id":"q3","results":["a"],"error":null}\n',
    )
    ranking = read_ranking(path)
    assert ranking.to_dict() == {"q3": {"a": 1.0}, "q1": {}}
    assert ranking.failed == {"q2": "timeout"}


@pytest.mark.parametrize("word", ["null", "false"])
def test_an_error_of_null_or_false_is_no_error(word: str, tmp_path: Path) -> None:
    lines = (
        f'{{"query_id": "q1", "doc_id": "a", "score": 2, "error": {word}}}\n'
        f'{{"query_id": "q1", "doc_id": "b", "score": 1, "error": {word}}}\n'
        f'{{"query_id": "q2", "results": ["c"], "error": {word}}}\n'
        f'{{"query_id": "q3", "results": [], "error": {word}}}\n'
    )
    ranking = read_ranking(put(tmp_path, "x.jsonl", lines))
    assert ranking.to_dict() == {"q1": {"a": 2.0, "b": 1.0}, "q2": {"c": 1.0}, "q3": {}}
    assert ranking.failed == {}


@pytest.mark.parametrize(
    ("error", "reason"),
    [("true", "no reason given"), ("503", "503"), ('{"code": 1}', '{"code":1}'), ('" late "', " late ")],
)
def test_any_other_error_is_a_failure_with_its_reason(error: str, reason: str, tmp_path: Path) -> None:
    ranking = read_ranking(put(tmp_path, "x.jsonl", f'{{"query_id": "q1", "results": [], "error": {error}}}\n'))
    assert (ranking.to_dict(), ranking.failed) == ({}, {"q1": reason})


def test_a_bad_line_stops_both_readers_unless_they_are_told_to_skip(tmp_path: Path) -> None:
    path = put(tmp_path, "x.run", "q1 Q0 a 1 2.5 t\nq1 Q0 b 2 nan t\n")
    for read in (read_ranking, read_ranking_report):
        with pytest.raises(FileFormatError):
            read(path)
    assert read_ranking(path, skip_bad=True).to_dict() == {"q1": {"a": 2.5}}


def test_a_ranking_of_failures_only_is_a_ranking(tmp_path: Path) -> None:
    ranking = read_ranking(put(tmp_path, "x.jsonl", '{"query_id":"q2","error":"timeout"}\n'))
    assert (ranking.to_dict(), ranking.failed) == ({}, {"q2": "timeout"})


def test_skip_bad_leaves_bad_lines_out_and_counts_them(tmp_path: Path) -> None:
    text = "q1 Q0 a 1 2.5 t\nq1 Q0 b 2 nan t\nq1 Q0 c\nq1 Q0 a 4 0.5 t\nq2 Q0 a 1 1 t\n"
    path = put(tmp_path, "x.run", text)
    reading = read_ranking_report(path, skip_bad=True)
    assert reading.table.to_dict() == {"q1": {"a": 2.5}, "q2": {"a": 1.0}}
    assert reading.skipped == 3
    assert [f.line for f in reading.findings] == [2, 3, 4]
    assert read_ranking(path, skip_bad=True).to_dict() == reading.table.to_dict()


def test_skip_bad_does_not_accept_a_file_of_bad_lines_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    put(tmp_path, "x.run", "q1 Q0 a 1 x t\nq1 Q0 b 1 y t\n")
    with pytest.raises(FileFormatError) as raised:
        read_ranking("x.run", skip_bad=True)
    assert raised.value.problem == "every line is bad (2); the first: score 'x' is not a number (column 5 of 6)."


def test_no_break_space_belongs_to_an_id(tmp_path: Path) -> None:
    assert read_judgments(put(tmp_path, "x.qrels", "q\u00a01 0 a\u3000b 1\n")).to_dict() == {
        "q\u00a01": {"a\u3000b": 1}
    }


def test_ids_may_hold_blanks_where_the_format_allows(tmp_path: Path) -> None:
    path = put(tmp_path, "x.tsv", 'query\tdocument\tgrade\nhow to "x"\tmy doc\t1\n')
    assert read_judgments(path).to_dict() == {'how to "x"': {"my doc": 1}}


odd_ids = st.text(
    alphabet=st.characters(exclude_categories=["Cs"], exclude_characters=" \t\n\r\v\f\0\ufeff"), min_size=1, max_size=8
)
odd_queries = odd_ids.filter(lambda name: not name.startswith("#"))  # else the line is a comment
tables = st.dictionaries(
    odd_queries,
    st.dictionaries(odd_ids, st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=5),
    min_size=1,
)
pytestmark = pytest.mark.filterwarnings("error")
reuse_folder = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)


@reuse_folder
@given(scores=tables)
def test_a_written_run_reads_back_exactly(scores: dict[str, dict[str, float]], tmp_path: Path) -> None:
    write_trec_run(tmp_path / "x.run", RankingTable.from_dict(scores))
    assert read_ranking(tmp_path / "x.run").to_dict() == scores


@reuse_folder
@given(
    grades=st.dictionaries(
        odd_queries, st.dictionaries(odd_ids, st.integers(-9, 9), min_size=1, max_size=5), min_size=1
    )
)
def test_qrels_of_any_ids_are_read_exactly(grades: dict[str, dict[str, int]], tmp_path: Path) -> None:
    lines = [f"{query} 0 {document} {grade}\n" for query, row in grades.items() for document, grade in row.items()]
    (tmp_path / "x.qrels").write_bytes("".join(lines).encode())
    assert read_judgments(tmp_path / "x.qrels").to_dict() == grades


fields = st.one_of(odd_ids, st.sampled_from(["1", "2.5", "nan", "-3", "1e3", "", "inf", "x", '"', "#", "1_0", "0x1"]))
blank = st.sampled_from([" ", " ", " ", "\t", "  ", " \t"])
raw_line = st.lists(fields, min_size=5, max_size=7).flatmap(
    lambda row: st.tuples(*([blank] * len(row))).map(lambda gaps: "".join(map("".join, zip(row, gaps, strict=True))))
)
good_line = st.builds(
    lambda q, d, s: f"{q} Q0 {d} 1 {s!r} t", odd_ids, odd_ids, st.floats(allow_nan=False, allow_infinity=False)
)
run_text = st.lists(st.one_of(good_line, raw_line), min_size=1, max_size=12).map("\n".join)


def outcome(path: Path) -> object:
    try:
        table, *rest = read_ranking_report(path, skip_bad=True)
    except FileFormatError as error:
        return str(error)
    return table.to_dict(), rest


@settings(reuse_folder, max_examples=300)
@given(text=run_text)
def test_the_fast_reader_says_what_the_slow_one_says(text: str, tmp_path: Path) -> None:
    path = put(tmp_path, "x.run", text)
    fast = outcome(path)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(delimited, "fast_rows", lambda *_: None)
        assert outcome(path) == fast


@settings(reuse_folder, max_examples=200)
@given(
    rows=st.lists(
        st.tuples(*[st.text(alphabet='ab,"\n \t1', max_size=3)] * 2, st.sampled_from(["1", "-2", "x", "", "1.0"])),
        min_size=1,
        max_size=8,
    ),
    quoted=st.booleans(),
)
def test_csv_fast_and_slow_agree(rows: list[tuple[str, str, str]], quoted: bool, tmp_path: Path) -> None:
    def cell(text: str) -> str:
        return '"' + text.replace('"', '""') + '"' if quoted else text.replace('"', "")

    text = "query_id,doc_id,score\n" + "".join(",".join(map(cell, row)) + "\n" for row in rows)
    path = put(tmp_path, "x.csv", text)
    fast = outcome(path)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(delimited, "fast_rows", lambda *_: None)
        assert outcome(path) == fast


def test_regular_files_do_take_the_fast_way(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Without this, every test above would pass with a fast reader that always gives up.
    monkeypatch.setattr(delimited, "_add_slow_rows", None)
    for file in (RANKING_FILES["TREC"], RANKING_FILES["leading blanks in scores"], RANKING_FILES["CSV"]):
        assert read_ranking(put(tmp_path, *file)).to_dict() == SCORES
    for name in ("CRLF", "BEIR", "tabs", "byte-order mark", "no newline at the end", "CSV, other names and order"):
        assert read_judgments(put(tmp_path, *JUDGMENT_FILES[name])).to_dict() == GRADES


def test_duplicates_are_found_among_many_rows_out_of_order(tmp_path: Path) -> None:
    rng = np.random.default_rng(7)
    pairs = [(f"q{q}", f"d{d}") for q in range(50) for d in range(40)]
    order = rng.permutation(len(pairs)).tolist()
    lines = [f"{pairs[i][0]} Q0 {pairs[i][1]} 1 1 t" for i in order]
    assert len(read_ranking(put(tmp_path, "x.run", "\n".join(lines))).documents) == 2000
    again = [*lines, lines[123], lines[5]]
    _, skipped, findings, _ = read_ranking_report(put(tmp_path, "y.run", "\n".join(again)), skip_bad=True)
    query, document = pairs[order[123]]
    assert skipped == 2
    assert findings[0].line == 2001
    assert findings[0].problem == f"document {document!r} is listed twice for query {query!r} (first at line 124)."


COMMENTED_JUDGMENTS = {
    "before the rows": "# query 0 document grade\nq1 0 a 2\nq1 0 b 0\nq2 0 a -1\n",
    "as wide as a row, ending in a number": "q1 0 a 2\n# judged hand 2\nq1 0 b 0\nq2 0 a -1\n",
    "without a blank after the #": "q1 0 a 2\nq1 0 b 0\n#q2 0 b 1\nq2 0 a -1\n",
    "at the end, without a line end": "q1 0 a 2\nq1 0 b 0\nq2 0 a -1\n#",
    "after blanks": "q1 0 a 2\n  # a b 1\nq1 0 b 0\nq2 0 a -1\n",
    "with tabs": "#query\t0\tdocument\tgrade\nq1\t0\ta\t2\nq1\t0\tb\t0\nq2\t0\ta\t-1\n",
    "in three columns": "# made by hand\nq1\ta\t2\nq1\tb\t0\nq2\ta\t-1\n",
    "with a byte-order mark": "\ufeff# judged by hand\nq1 0 a 2\nq1 0 b 0\nq2 0 a -1\n",
    "that names columns": "# columns: qid, docid, grade\nq1 0 a 2\nq1 0 b 0\nq2 0 a -1\n",
}


@pytest.mark.parametrize("name", COMMENTED_JUDGMENTS)
@pytest.mark.parametrize("size", [1, 20, 8 << 20])
def test_a_line_that_begins_with_a_hash_is_a_comment_in_trec_judgments(
    name: str, size: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("goldproof.io.text_files.BLOCK_BYTES", size)
    path = put(tmp_path, "x.qrels", COMMENTED_JUDGMENTS[name])
    dataset = read_dataset(path)
    line = 1 + COMMENTED_JUDGMENTS[name].split("#")[0].count("\n")
    assert dataset.judgments.to_dict() == GRADES
    assert dataset.remarks == (f"{path}: 1 line that begins with # is skipped as a comment: line {line}.",)


def test_comments_of_a_run_are_skipped_and_counted(tmp_path: Path) -> None:
    text = "# bm25\n# run of today 9 9 9\nq1 Q0 a 1 2.5 t\nq1 Q0 b 2 1 t\n#q1 Q0 c 3 0.5 t\nq2 Q0 a 1 0.125 t\n"
    reading = read_ranking_report(put(tmp_path, "x.run", text))
    assert reading.table.to_dict() == SCORES
    assert reading.skipped == 0
    assert reading.remarks == ("3 lines that begin with # are skipped as comments; the first is line 1.",)


def test_a_hash_elsewhere_belongs_to_the_id(tmp_path: Path) -> None:
    path = put(tmp_path, "x.qrels", "q#1 0 #a 1\nq1 0 b# 1\n")
    dataset = read_dataset(path)
    assert dataset.judgments.to_dict() == {"q#1": {"#a": 1}, "q1": {"b#": 1}}
    assert dataset.remarks == ()


def test_a_table_with_a_header_has_no_comments(tmp_path: Path) -> None:
    path = put(tmp_path, "x.tsv", "query_id\tdoc_id\tgrade\n#1\ta\t1\n")
    assert read_judgments(path).to_dict() == {"#1": {"a": 1}}


def test_a_file_of_comments_alone_holds_no_judgments(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match="is not recognised"):
        read_judgments(put(tmp_path, "x.qrels", "# nothing\n# here either\n"))


@pytest.mark.parametrize(
    "text",
    [
        "q1 Q0 a 1 2.5 t more\nq1 Q0 b 2 1 t\nq2 Q0 a 1 0.125 t and more\n",
        "q1 Q0 a 1 2.5 t x y z\nq1 Q0 b 2 1 t\nq2 Q0 a 1 0.125 t x\n",
        "q1\tQ0\ta\t1\t2.5\tt\tx\nq1\tQ0\tb\t2\t1\tt\nq2\tQ0\ta\t1\t0.125\tt\tx\n",
    ],
)
def test_fields_after_the_tag_of_a_run_are_ignored_and_counted(text: str, tmp_path: Path) -> None:
    reading = read_ranking_report(put(tmp_path, "x.run", text))
    assert reading.table.to_dict() == SCORES
    assert reading.remarks == ("2 lines have fields after the tag, which are ignored; the first is line 1.",)


def test_fields_after_the_grade_of_judgments_are_refused(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match="found 5 columns, expected 4"):
        read_judgments(put(tmp_path, "x.qrels", "q1 0 a 1\nq1 0 b 1\nq1 0 c 1 x\n"))


def test_a_query_id_that_would_read_back_as_a_comment_is_not_written(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="query id '#1' cannot be written to a TREC file"):
        write_trec_run(tmp_path / "x", RankingTable.from_dict({"#1": {"a": 1.0}}))


@pytest.mark.parametrize("skip_bad", [False, True])
def test_two_runs_in_one_file_are_named_by_their_tags(tmp_path: Path, skip_bad: bool) -> None:
    path = tmp_path / "both.trec"
    path.write_text("# made by hand\n1 Q0 a 1 2.0 bm25\n1 Q0 b 2 1.0 bm25\n1 Q0 a 1 0.9 dense\n1 Q0 c 2 0.8 dense\n")
    with pytest.raises(FileFormatError, match=r"holds two runs \(tags bm25, dense\)") as raised:
        read_ranking(path, skip_bad=skip_bad)
    assert "Split it by its last column" in str(raised.value)
    assert "--skip-bad" not in str(raised.value)


def test_a_document_twice_in_one_run_is_still_a_bad_line(tmp_path: Path) -> None:
    path = tmp_path / "one.trec"
    path.write_text("1 Q0 a 1 2.0 bm25\n1 Q0 a 2 1.0 bm25\n")
    with pytest.raises(FileFormatError, match="'a' is listed twice for query '1'"):
        read_ranking(path)
