"""`goldproof validate`: what a file is, how much is in it, everything that is wrong with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl
import pytest

from goldproof.errors import InputError, UnknownNameError
from goldproof.io import Diagnostic
from goldproof.jobs.validate import validate_file

if TYPE_CHECKING:
    from pathlib import Path

FIX = "Fix the line."


def put(folder: Path, name: str, text: str) -> Path:
    (folder / name).parent.mkdir(exist_ok=True)
    (folder / name).write_text(text)
    return folder / name


def test_all_findings_are_reported_in_the_order_of_lines(tmp_path: Path) -> None:
    path = put(tmp_path, "x.run", "1 Q0 a 1 2 t\n1 Q0 b 2\n1 Q0 a 2 1 t\n2 Q0 a 1 nan t\n")
    found = validate_file(path)
    assert (found.kind, found.ok, found.n_findings) == ("ranking", False, 3)
    assert found.findings == (
        Diagnostic(2, "found 4 columns, expected 6 (query Q0 document rank score tag).", FIX),
        Diagnostic(3, "document 'a' is listed twice for query '1' (first at line 1).", FIX),
        Diagnostic(4, "score 'nan' is not finite (column 5 of 6).", FIX),
    )
    assert found.counts == {"queries": 1, "results": 1, "shortest": 1, "longest": 1, "failed": 0}


def test_findings_beyond_the_limit_are_counted(tmp_path: Path) -> None:
    path = put(tmp_path, "x.run", "1 Q0 a 1 2 t\n" + "1 Q0 b 2 x t\n" * 30)
    found = validate_file(path, limit=5)
    assert (len(found.findings), found.n_findings) == (5, 30)


GOOD = {
    "qrels": (
        "x.qrels",
        "1 0 a 1\n1 0 b -1\n2 0 a 0\n",
        "judgments",
        {"queries": 2, "judgments": 3, "relevant": 1, "negative_grades": 1, "queries_without_relevant": 1},
        (),
    ),
    "BEIR qrels": (
        "x.tsv",
        "query-id\tcorpus-id\tscore\n1\ta\t1\n",
        "judgments",
        {"queries": 1, "judgments": 1, "relevant": 1, "negative_grades": 0, "queries_without_relevant": 0},
        (),
    ),
    "CSV run": (
        "x.csv",
        "query_id,doc_id,score,rank,note\n1,a,1.5,1,\n1,b,1,2,\n2,a,1,1,\n",
        "ranking",
        {"queries": 2, "results": 3, "shortest": 1, "longest": 2, "failed": 0},
        ("rank", "note"),
    ),
    "JSONL run": (
        "x.jsonl",
        '{"query_id":"1","results":["a"]}\n{"query_id":"2","error":"x"}\n{"query_id":"3","results":[]}\n',
        "ranking",
        {"queries": 2, "results": 1, "shortest": 0, "longest": 1, "failed": 1},
        (),
    ),
    "JSONL run of failures": (
        "x.jsonl",
        '{"query_id":"1","error":"x","host":"h"}\n',
        "ranking",
        {"queries": 0, "results": 0, "shortest": 0, "longest": 0, "failed": 1},
        ("host",),
    ),
    "CSV run with a column called error": (
        "x.csv",
        "query_id,doc_id,score,error\n1,a,1.5,\n",
        "ranking",
        {"queries": 1, "results": 1, "shortest": 1, "longest": 1, "failed": 0},
        ("error",),
    ),
    "clusters": ("x.csv", "id,cluster,note\nq1,a,\nq2,a,\nq3,b,\n", "clusters", {"ids": 3, "clusters": 2}, ("note",)),
    "scores": (
        "x.csv",
        "id,metric,value,status,who\nq1,AP,1,,me\nq2,AP,,failed,me\n",
        "scores",
        {"rows": 2, "runs": 1, "ids": 2, "metrics": 1, "scored": 1, "undefined": 0, "failed": 1},
        ("who",),
    ),
    "YAML": (
        "x.yaml",
        "pairs:\n  - id: a\n    positive_ctxs: [{fqn: x}]\n    kernels: [[x]]\n",
        "dataset",
        {
            "questions": 1,
            "queries": 1,
            "judgments": 1,
            "relevant": 1,
            "negative_grades": 0,
            "queries_without_relevant": 0,
            "kernels": 1,
            "judged_queries_without_text": 0,
        },
        (),
    ),
}


@pytest.mark.parametrize("name", GOOD)
def test_kinds_are_recognised_counted_and_unused_columns_listed(name: str, tmp_path: Path) -> None:
    file, text, kind, counts, unused = GOOD[name]
    found = validate_file(put(tmp_path, file, text))
    assert (found.kind, found.counts, found.unused, found.findings) == (kind, counts, unused, ())
    assert found.ok


def test_bad_clusters_are_listed(tmp_path: Path) -> None:
    found = validate_file(put(tmp_path, "x.csv", "id,cluster\nq1,a\nq1,b\n,c\nq2,\n"), kind="clusters")
    assert [(f.line, f.problem) for f in found.findings] == [
        (3, "id 'q1' is in cluster 'b', but was in 'a' before."),
        (4, "the id is empty."),
        (5, "the cluster is empty."),
    ]
    assert found.counts == {"ids": 1, "clusters": 1}


def test_parquet_is_recognised_by_its_columns(tmp_path: Path) -> None:
    pl.DataFrame({"qid": ["q"], "docid": ["d"], "rel": [1], "x": [0]}).write_parquet(tmp_path / "x.parquet")
    found = validate_file(tmp_path / "x.parquet")
    assert (found.kind, found.unused) == ("judgments", ("x",))


def test_a_folder_is_checked_in_all_its_parts(tmp_path: Path) -> None:
    put(tmp_path, "qrels/test.tsv", "q1\td1\t1\nq1\td1\t1\nq2\td9\tx\nq2\td7\t1\n")
    put(tmp_path, "queries.jsonl", '{"_id": "q1", "text": "?"}\n{"text": "?"}\n')
    put(tmp_path, "kernels.jsonl", '{"query_id": "q1", "kernels": [[]]}\n')
    put(tmp_path, "corpus.jsonl", '{"_id": "d1", "text": "x"}\n{"_id": "d2", "text": 3}\n')
    found = validate_file(tmp_path)
    assert found.kind == "dataset"
    assert {f.problem.removeprefix(f"{tmp_path}/") for f in found.findings} == {
        "qrels/test.tsv: document 'd1' is listed twice for query 'q1' (first at line 1).",
        "qrels/test.tsv: grade 'x' is not a number (column 3 of 3).",
        "queries.jsonl: no key '_id'.",
        "kernels.jsonl: kernel 1 is not a list of document ids.",
        "corpus.jsonl: key 'text' is not text.",
    }
    assert found.counts == {
        "questions": 1,
        "queries": 2,
        "judgments": 2,
        "relevant": 2,
        "negative_grades": 0,
        "queries_without_relevant": 0,
        "judged_queries_without_text": 1,
        "documents": 1,
        "judged_documents_without_text": 1,
    }


def test_what_stops_the_reader_is_a_finding_too(tmp_path: Path) -> None:
    found = validate_file(put(tmp_path, "x.csv", "query_id,doc_id\n1,a\n"), kind="judgments")
    assert [(f.line, f.problem) for f in found.findings] == [
        (1, "no column for grade (grade, relevance, rel, label, ...); found query_id, doc_id.")
    ]


def test_an_unrecognised_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError) as raised:
        validate_file(put(tmp_path, "x.txt", "hello\n"))
    assert str(raised.value) == (
        f"{tmp_path}/x.txt: neither judgments nor a ranking nor scores nor questions can be recognised (found 'hello')."
        "\n  Say which with --kind: judgments, ranking, scores, dataset, traces, clusters, cases, questions, rulings, "
        "scenarios."
    )


def test_the_kind_can_be_given(tmp_path: Path) -> None:
    path = put(tmp_path, "x.csv", "query_id,doc_id,score\n1,a,1\n")
    assert [validate_file(path).kind, validate_file(path, kind="judgments").kind] == ["ranking", "judgments"]
    with pytest.raises(UnknownNameError) as raised:
        validate_file(path, kind="judgements")
    assert str(raised.value) == "unknown kind of file 'judgements'; did you mean 'judgments'?"


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("q1 Q0 d1 1 2.0", "found 5 columns, expected 6"),
        ("q1 0 d1 1 x", "found 5 columns, expected 4"),
    ],
)
def test_a_trec_line_with_the_wrong_number_of_columns_is_named(tmp_path: Path, line: str, problem: str) -> None:
    path = tmp_path / "file.txt"
    path.write_text(f"{line}\n")
    found = validate_file(path)
    assert found.findings[0].line == 1
    assert problem in found.findings[0].problem


def test_a_second_header_is_called_one(tmp_path: Path) -> None:
    path = tmp_path / "qrels.tsv"
    path.write_text("query-id\tcorpus-id\tscore\nq1\td1\t1\nquery-id\tcorpus-id\tscore\nq2\td1\t1\n")
    (finding,) = validate_file(path).findings
    assert finding.line == 3
    assert finding.problem == "is a header (query-id corpus-id score) in the middle of the file."


def test_a_judged_document_that_is_only_named_counts_as_without_text(tmp_path: Path) -> None:
    (tmp_path / "qrels").mkdir()
    (tmp_path / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\nq1\td1\t1\nq1\td2\t1\n", encoding="utf-8")
    (tmp_path / "queries.jsonl").write_text('{"_id": "q1", "text": "where?"}\n', encoding="utf-8")
    lines = ('{"_id": "d1", "text": "here"}', '{"_id": "d2", "title": "src/app.py", "text": ""}')
    (tmp_path / "corpus.jsonl").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    found = validate_file(tmp_path)
    assert found.ok
    assert (found.counts["documents"], found.counts["judged_documents_without_text"]) == (2, 1)


def test_the_first_hundred_findings_are_kept_and_all_where_asked(tmp_path: Path) -> None:
    path = put(tmp_path, "x.qrels", "1 0 a 1\n" + "".join(f"1 0 b{i} x\n" for i in range(250)))
    found, whole = validate_file(path), validate_file(path, limit=None)
    assert (len(found.findings), found.n_findings) == (100, 250)
    assert (len(whole.findings), whole.n_findings) == (250, 250)
    assert whole.findings[249] == Diagnostic(251, "grade 'x' is not a number (column 4 of 4).", FIX)


# Of every kind: a file in which nothing, or nearly nothing, is right, and the lines of all that is wrong.
ALL_BAD = {
    "cases, none of known kind": ("x.yaml", None, "- {foo: 1}\n- {foo: 2}\n- {foo: 3}\n", [1, 2, 3]),
    "cases that are plain questions": ("x.jsonl", "cases", '{"foo": 1}\n' * 3, [1, 2, 3]),
    "labels by document": ("x.csv", None, "doc,grade\na,99\n,1\nb,x\nc,7\n", [2, 3, 4, 5]),
    "JSON lines of which none is JSON": ("x.jsonl", None, "{a\n{b\n{c\n", [1, 2, 3]),
    "JSON lines of which none is JSON, of a kind": ("x.jsonl", "ranking", "{a\n{b\n{c\n", [1, 2, 3]),
    "judgments": ("x.qrels", None, "1 0 a x\n1 0 b x\n1 0 c x\n", [1, 2, 3]),
    "ranking": ("x.run", None, "1 Q0 a 1 x t\n1 Q0 b 1 x t\n1 Q0 c 1\n", [1, 2, 3]),
    "scores": ("x.csv", None, "id,metric,value\nq1,AP,x\nq2,AP,y\n", [2, 3]),
    "clusters": ("x.csv", None, "id,cluster\nq1,\n,b\n", [2, 3]),
    "traces": ("x.jsonl", None, '{"turns": 1}\n{"turns": 2}\n', [1, 2]),
    "spans": (
        "x.jsonl",
        None,
        '{"resourceSpans": [1]}\n{"resourceSpans": 2}\n{"resourceSpans": {}}\n',
        [1, 2, 3],
    ),
    "rulings": (
        "x.jsonl",
        None,
        '{"query_id": "q", "documents": [], "label": "x", "judge": "j"}\n{"query_id": "q", "documents": 1}\n',
        [1, 2],
    ),
    "dataset": ("x.yaml", "dataset", "pairs:\n  - {query: a}\n  - {id: b, query: c}\n", [2, 3]),
    "scenarios": ("x.yaml", None, "scenarios:\n  - {domain: a}\n  - {domain: b}\n", [2, 3]),
}


@pytest.mark.parametrize("name", ALL_BAD)
def test_everything_that_is_wrong_is_listed_with_its_line(name: str, tmp_path: Path) -> None:
    file, kind, text, lines = ALL_BAD[name]
    found = validate_file(put(tmp_path, file, text), kind=kind)
    assert [finding.line for finding in found.findings] == lines
    assert found.n_findings == len(lines)


def test_comments_and_fields_after_the_tag_are_no_problems(tmp_path: Path) -> None:
    found = validate_file(put(tmp_path, "x.run", "# my run\n1 Q0 a 1 2 t more\n"))
    assert found.ok
    assert found.remarks == (
        "1 line that begins with # is skipped as a comment: line 1.",
        "1 line has fields after the tag, which are ignored: line 2.",
    )


def test_comments_of_a_folder_name_their_file(tmp_path: Path) -> None:
    qrels = put(tmp_path, "qrels/test.tsv", "# by hand\nq1\ta\t1\n")
    assert validate_file(tmp_path).remarks == (f"{qrels}: 1 line that begins with # is skipped as a comment: line 1.",)


def test_questions_are_recognised_and_counted(tmp_path: Path) -> None:
    alone = validate_file(put(tmp_path, "q.csv", "question\nWhat is it?\nWho, then?\n"))
    assert (alone.kind, alone.ok) == ("questions", False)  # the comma of line 3 makes two columns
    assert [finding.line for finding in alone.findings] == [3]
    answered = validate_file(put(tmp_path, "a.jsonl", '{"question": "Who?", "answer": "me"}\n{"question": "When?"}\n'))
    assert (answered.kind, answered.counts) == ("questions", {"questions": 2, "with_answer": 1})
    # beside documents a question is the query of a table that lacks its values
    with pytest.raises(InputError, match="no column for grade"):
        validate_file(put(tmp_path, "x.csv", "question,doc_id,note\n1,a,b\n"))
