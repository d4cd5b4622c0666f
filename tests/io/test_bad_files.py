"""Every kind of bad file gives one message: where, what was found, what was expected, what to do next."""

from __future__ import annotations

import gzip
import io
from typing import TYPE_CHECKING

import polars as pl
import pytest

from goldproof.errors import FileFormatError, InputError
from goldproof.io import read_dataset, read_judgments, read_ranking, read_scores

if TYPE_CHECKING:
    from pathlib import Path

SKIP_RESULT = "\n  Fix the result, or leave it out with --skip-bad, which counts and reports it."
SKIP = "\n  Fix the line, or leave it out with --skip-bad, which counts and reports it."
FIX = "\n  Fix the line."
AGGREGATE = (
    "\n  Give one grade per query and document: of several annotators, for example the median or the majority grade "
    "(docs/reference/formats.md has a recipe). --skip-bad does not apply to judgments."
)
CLOSE = '\n  Close the quote; a quote inside a quoted field is doubled ("").'
AGAIN = "\n  Was it cut off, or never written?"
RANKINGS = (
    "\n  Readable: TREC runs (query Q0 document rank score tag), TSV or CSV with a header (query_id, doc_id, score), "
    "JSONL, JSON ({query: {document: score}}), Parquet; text may be gzipped."
)
JUDGMENTS = (
    "\n  Readable: TREC qrels (query 0 document grade), TSV or CSV with a header (query_id, doc_id, grade), JSONL, "
    "JSON ({query: {document: grade}}), Parquet, retrieval_dataset.yaml, a BEIR folder; text may be gzipped."
)
GOOD = "q1 Q0 a 1 2.5 t\n"


def parquet(**columns: list[object] | pl.Series) -> bytes:
    stream = io.BytesIO()
    pl.DataFrame(columns).write_parquet(stream)
    return stream.getvalue()


BAD_RANKINGS: dict[str, tuple[str, str | bytes, str]] = {
    "error is empty text": (
        "x.jsonl",
        '{"query_id": "q1", "results": ["a"], "error": ""}\n',
        "x.jsonl:1: key 'error' is \"\", expected the reason why the system failed, or null." + SKIP,
    ),
    "error is 0": (
        "x.jsonl",
        '{"query_id": "q1", "results": ["a"], "error": 0}\n',
        "x.jsonl:1: key 'error' is 0, expected the reason why the system failed, or null." + SKIP,
    ),
    "too few columns": (
        "x.run",
        GOOD + "q1 Q0 b 2 1.5\n",
        "x.run:2: found 5 columns, expected 6 (query Q0 document rank score tag)." + SKIP,
    ),
    "a bad score before fields that are ignored": (
        "x.run",
        GOOD + "q1 Q0 b 2 x t more\n",
        "x.run:2: score 'x' is not a number (column 5 of 6)." + SKIP,
    ),
    "a doubled blank does not make up for a missing column": (
        "x.run",
        GOOD + "q1 Q0  2 1.5 t\n",
        "x.run:2: found 5 columns, expected 6 (query Q0 document rank score tag)." + SKIP,
    ),
    "score is a word": (
        "x.run",
        GOOD + GOOD.replace("a", "b").replace("2.5", "n/a"),
        "x.run:2: score 'n/a' is not a number (column 5 of 6)." + SKIP,
    ),
    "score is NaN": (
        "x.run",
        GOOD + GOOD.replace("a", "b").replace("2.5", "nan"),
        "x.run:2: score 'nan' is not finite (column 5 of 6)." + SKIP,
    ),
    "score is infinite": (
        "x.run",
        GOOD + GOOD.replace("a", "b").replace("2.5", "-inf"),
        "x.run:2: score '-inf' is not finite (column 5 of 6)." + SKIP,
    ),
    "score is beyond double precision": (
        "x.run",
        GOOD.replace("2.5", "1e999"),
        "x.run:1: score '1e999' is not finite (column 5 of 6)." + SKIP,
    ),
    "score has an underscore, which only Python reads": (
        "x.run",
        GOOD.replace("2.5", "1_0"),
        "x.run:1: score '1_0' is not a number (column 5 of 6)." + SKIP,
    ),
    "document twice": (
        "x.run",
        GOOD + "q2 Q0 a 1 1.5 t\n" + GOOD,
        "x.run:3: document 'a' is listed twice for query 'q1' (first at line 1)." + SKIP,
    ),
    "empty": ("x.run", "", "x.run: the file is empty." + AGAIN),
    "only blank lines": ("x.run", "\n  \n\r\n", "x.run: the file holds only blank lines." + AGAIN),
    "empty gzip": ("x.run.gz", gzip.compress(b""), "x.run.gz: the file is empty." + AGAIN),
    "Latin-1": (
        "x.run",
        (GOOD + "q1 Q0 café 2 1.5 t\n").encode("latin-1"),
        (
            "x.run:2: byte 10 of the line (0xE9) is not UTF-8."
            "\n  Save the file as UTF-8; if it is Latin-1: iconv -f LATIN1 -t UTF-8."
        ),
    ),
    "UTF-16": (
        "x.run",
        GOOD.encode("utf-16"),
        "x.run: starts with a UTF-16 byte-order mark, expected UTF-8.\n  Save the file as UTF-8.",
    ),
    "UTF-32": (
        "x.run",
        GOOD.encode("utf-32"),
        "x.run: starts with a UTF-32 byte-order mark, expected UTF-8.\n  Save the file as UTF-8.",
    ),
    "UTF-16 without a mark": (
        "x.run",
        GOOD.encode("utf-16-le"),
        (
            "x.run:1: holds a NUL byte, so it is not UTF-8 text."
            "\n  Save the file as UTF-8 text; UTF-16 and binary files look like this."
        ),
    ),
    "a header on a TREC file": (
        "x.run",
        "qid iter docid rank score tag\n" + GOOD,
        "x.run:1: is a header (qid iter docid rank score tag), but a TREC file has none.\n  Delete the line.",
    ),
    "qrels given as a run": (
        "x.run",
        "q1 0 a 1\nq1 0 b 0\n",
        "x.run:1: is a TREC qrels file (4 columns), expected a run.\n  Give it as judgments (--qrels FILE).",
    ),
    "three columns without header": (
        "x.tsv",
        "q1\ta\t1\nq1\tb\t2\n",
        (
            "x.tsv:1: has 3 columns and no header, so the third may be a rank or a score."
            "\n  Put a line above it that names the columns, such as: query_id doc_id score, separated as the rest."
        ),
    ),
    "CSV without header": (
        "x.csv",
        "q1,a,1\nq1,b,2\n",
        (
            "x.csv:1: is not a header (found q1, a, 1), but the first line must name the columns."
            "\n  Put a line above it, such as: query_id, doc_id, score."
        ),
    ),
    "CSV lacks a column": (
        "x.csv",
        "query_id,doc_id,rank\nq1,a,1\n",
        (
            "x.csv:1: no column for score (score, similarity, relevance_score, ...); found query_id, doc_id, rank."
            "\n  Rename or add the column."
        ),
    ),
    "CSV has a column twice": (
        "x.csv",
        "query_id,doc_id,score,Score\nq1,a,1,1\n",
        "x.csv:1: column 'score' occurs twice.\n  Rename one of them.",
    ),
    "CSV line is short": (
        "x.csv",
        "query_id,doc_id,score,note\nq1,a,1,\nq1,b,2\n",
        "x.csv:3: found 3 columns, expected 4 (query_id doc_id score note)." + SKIP,
    ),
    "CSV id is empty": (
        "x.csv",
        "query_id,doc_id,score\nq1,,1\n",
        "x.csv:2: the document id is empty ('doc_id', column 2 of 3)." + SKIP,
    ),
    "CSV score is a word": (
        "x.csv",
        "query_id,doc_id,score\nq1,a,high\n",
        "x.csv:2: score 'high' is not a number ('score', column 3 of 3)." + SKIP,
    ),
    "CSV quote never ends": (
        "x.csv",
        'query_id,doc_id,score\nq1,"a,1\nq1,b,2\n',
        "x.csv:2: is not well-formed CSV (the quote opened here runs to line 3)." + CLOSE,
    ),
    "CSV quote ends two lines later": (
        "x.csv",
        'query_id,doc_id,score\nq1,"a,1\nq1,b,2\nq1,"c",2\n',
        "x.csv:2: is not well-formed CSV (the quote opened here runs to line 4)." + CLOSE,
    ),
    "CSV with a header only": ("x.csv", "query_id,doc_id,score\n", "x.csv: holds no rows." + AGAIN),
    "JSON line is not JSON": (
        "x.jsonl",
        '{"query_id": "q1", "doc_id": "a", "score": 1}\n{"query_id": "q1", \n',
        "x.jsonl:2: is not JSON (unexpected end of data, column 20)." + SKIP,
    ),
    "JSON line holds NaN": (
        "x.jsonl",
        '{"query_id": "q1", "doc_id": "a", "score": NaN}\n',
        "x.jsonl:1: is not JSON: NaN and Infinity are not JSON numbers." + SKIP,
    ),
    "JSON line is a list": (
        "x.jsonl",
        '{"query_id": "q1", "doc_id": "a", "score": 1}\n["q1", "b", 2]\n',
        "x.jsonl:2: is a list, expected a JSON object." + SKIP,
    ),
    "JSON key is missing": (
        "x.jsonl",
        '{"query_id": "q1", "score": 1}\n',
        "x.jsonl:1: no key 'doc_id' (found query_id, score)." + SKIP,
    ),
    "JSON id is null": (
        "x.jsonl",
        '{"query_id": null, "doc_id": "a", "score": 1}\n',
        "x.jsonl:1: key 'query_id' is null, expected text." + SKIP,
    ),
    "JSON score is true": (
        "x.jsonl",
        '{"query_id": "q1", "doc_id": "a", "score": true}\n',
        "x.jsonl:1: score True is not a number (key 'score')." + SKIP,
    ),
    "JSON result lacks its score": (
        "x.jsonl",
        '{"query_id": "q1", "results": [{"doc_id": "a", "score": 1}, {"doc_id": "b"}]}\n',
        "x.jsonl:1: result 2: no key 'score' (found doc_id)." + SKIP_RESULT,
    ),
    "JSON query ranked twice": (
        "x.jsonl",
        '{"query_id": "q1", "results": ["a"]}\n{"query_id": "q1", "error": "timeout"}\n',
        "x.jsonl:2: query 'q1' is ranked twice (first at line 1)." + SKIP,
    ),
    "JSON document twice in a list": (
        "x.jsonl",
        '{"query_id": "q1", "results": ["a", "b", "a"]}\n',
        "x.jsonl:1: result 3: document 'a' is listed twice for query 'q1' (first as result 1)." + SKIP_RESULT,
    ),
    "one JSON document": (
        "x.json",
        '[{"query_id": "q1"}]',
        "x.json: is one JSON document, expected one JSON object per line, or {query: {document: number}}." + RANKINGS,
    ),
    "prose": (
        "x.txt",
        "once upon a time there lived a king\n",
        "x.txt:1: score 'there' is not a number (column 5 of 6)." + SKIP,
    ),
    "two words": ("x.txt", "hello world\n", "x.txt: is not recognised (it begins 'hello world')." + RANKINGS),
    "not Parquet": (
        "x.parquet",
        GOOD,
        "x.parquet: is not a Parquet file (it does not start with PAR1).\n  Check its suffix.",
    ),
    "Parquet cut off": (
        "x.parquet",
        parquet(query_id=["q1"], doc_id=["a"], score=[1.0])[:40],
        "x.parquet: is not a readable Parquet file (",
    ),
    "Parquet lacks a column": (
        "x.parquet",
        parquet(query_id=["q1"], doc_id=["a"]),
        (
            "x.parquet: no column for score (score, similarity, relevance_score, ...); found query_id, doc_id."
            "\n  Rename or add the column."
        ),
    ),
    "Parquet holds NaN": (
        "x.parquet",
        parquet(query_id=["q1", "q1"], doc_id=["a", "b"], score=[1.0, float("nan")]),
        "x.parquet: row 2: score nan is not finite (column 'score')." + SKIP,
    ),
    "Parquet holds null": (
        "x.parquet",
        parquet(query_id=["q1", "q1"], doc_id=["a", None], score=[1.0, 2.0]),
        "x.parquet: row 2: column 'doc_id' is empty." + SKIP,
    ),
    "Parquet ids are not ids": (
        "x.parquet",
        parquet(query_id=[1.5], doc_id=["a"], score=[1.0]),
        "x.parquet: column 'query_id' holds Float64, expected text or whole numbers.",
    ),
    "Parquet document twice": (
        "x.parquet",
        parquet(query_id=["q1", "q1"], doc_id=["a", "a"], score=[1.0, 2.0]),
        "x.parquet: row 2: document 'a' is listed twice for query 'q1' (first at row 1)." + SKIP,
    ),
    "Parquet without rows": (
        "x.parquet",
        parquet(query_id=[], doc_id=[], score=[]),
        "x.parquet: holds no rows." + AGAIN,
    ),
    "gzip cut off": (
        "x.run.gz",
        gzip.compress(GOOD.encode() * 9)[:-12],
        "x.run.gz: the gzip data is cut off.\n  Copy or download the file again; it is incomplete.",
    ),
    "Parquet in gzip": (
        "x.parquet.gz",
        gzip.compress(parquet(query_id=["q1"], doc_id=["a"], score=[1.0])),
        "x.parquet.gz: is Parquet inside gzip.\n  Unpack it: gunzip FILE.",
    ),
}

BAD_JUDGMENTS: dict[str, tuple[str, str | bytes, str]] = {
    "grade is a fraction": (
        "x.qrels",
        "q1 0 a 1\nq1 0 b 0.5\n",
        "x.qrels:2: grade '0.5' is not a whole number (column 4 of 4)." + FIX,
    ),
    "grade is a word": (
        "x.qrels",
        "q1 0 a yes\n",
        "x.qrels:1: grade 'yes' is not a number (column 4 of 4)." + FIX,
    ),
    "grade is out of range": (
        "x.qrels",
        "q1 0 a 99999999999\n",
        "x.qrels:1: grade '99999999999' is out of range, beyond 2147483647 (column 4 of 4)." + FIX,
    ),
    "grade is the smallest number of 64 bits, whose absolute value is negative": (
        "x.qrels",
        "q1 0 a -9223372036854775808\n",
        "x.qrels:1: grade '-9223372036854775808' is out of range, beyond -2147483647 (column 4 of 4)." + FIX,
    ),
    "Parquet grade of 64 unsigned bits": (
        "x.parquet",
        parquet(query_id=["q1"], doc_id=["a"], grade=pl.Series([2**64 - 1], dtype=pl.UInt64)),
        "x.parquet: row 1: grade 18446744073709551615 is out of range, beyond 2147483647 (column 'grade')." + FIX,
    ),
    "five columns in one line": (
        "x.qrels",
        "q1 0 a 1 x\nq1 0 b 1\n",
        "x.qrels:1: found 5 columns, expected 4 (query 0 document grade)." + FIX,
    ),
    "a run given as judgments": (
        "x.qrels",
        GOOD,
        "x.qrels:1: is a TREC run (6 columns), expected judgments.\n  Give it as a run (--run NAME=FILE).",
    ),
    "document judged twice, the same way": (
        "x.qrels",
        "q1 0 a 1\nq1 0 a 1\n",
        "x.qrels:2: document 'a' is listed twice for query 'q1' (first at line 1)." + AGGREGATE,
    ),
    "documents judged by several annotators": (
        "x.qrels",
        "q1 0 a 1\nq1 0 b 1\nq1 0 b 2\nq1 0 a 1\nq1 0 a 2\n",
        "x.qrels:3: document 'b' is listed twice for query 'q1' (first at line 2)."
        " In all 2 pairs of query and document occur more than once." + AGGREGATE,
    ),
    "TSV grade": (
        "x.tsv",
        "query-id\tcorpus-id\tscore\nq1\ta\t0.25\n",
        "x.tsv:2: grade '0.25' is not a whole number ('score', column 3 of 3)." + FIX,
    ),
    "JSON grade": (
        "x.jsonl",
        '{"query_id": "q1", "doc_id": "a", "grade": 1.5}\n',
        "x.jsonl:1: grade 1.5 is not a whole number (key 'grade')." + FIX,
    ),
    "unknown": ("x.txt", "hello\n", "x.txt: is not recognised (it begins 'hello')." + JUDGMENTS),
}


def write(folder: Path, name: str, content: str | bytes) -> None:
    (folder / name).write_bytes(content.encode() if isinstance(content, str) else content)


@pytest.mark.parametrize("name", BAD_RANKINGS)
def test_bad_ranking_is_refused_with_one_message(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, content, message = BAD_RANKINGS[name]
    monkeypatch.chdir(tmp_path)
    write(tmp_path, file, content)
    with pytest.raises(FileFormatError) as raised:
        read_ranking(file)
    # The reason inside the brackets is polars' own, so only the part before it is ours to hold.
    shown = str(raised.value).split("(")[0] + "(" if message.endswith("(") else str(raised.value)
    assert shown == message


@pytest.mark.parametrize("name", BAD_JUDGMENTS)
def test_bad_judgments_are_refused_with_one_message(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, content, message = BAD_JUDGMENTS[name]
    monkeypatch.chdir(tmp_path)
    write(tmp_path, file, content)
    with pytest.raises(FileFormatError) as raised:
        read_judgments(file)
    assert str(raised.value) == message


def test_missing_file_suggests_near_names(tmp_path: Path) -> None:
    (tmp_path / "bm25.run").write_text(GOOD)
    with pytest.raises(FileFormatError) as raised:
        read_ranking(tmp_path / "bm52.run")
    assert str(raised.value) == f"{tmp_path}/bm52.run: no such file.\n  Did you mean bm25.run?"


def test_missing_file_in_a_missing_folder_says_so(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError) as raised:
        read_ranking(tmp_path / "runs" / "bm25.run")
    assert str(raised.value) == (
        f"{tmp_path}/runs/bm25.run: no such file.\n  The folder {tmp_path}/runs does not exist either."
    )


def test_folder_in_place_of_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "data" / "qrels").mkdir(parents=True)
    with pytest.raises(FileFormatError) as raised:
        read_ranking(tmp_path / "data")
    assert str(raised.value) == (
        f"{tmp_path}/data: is a folder, expected a file."
        "\n  It looks like a BEIR folder: give it as a dataset (--dataset)."
    )


def test_file_in_place_of_a_folder_is_refused_where_a_split_is_asked_for(tmp_path: Path) -> None:
    (tmp_path / "x.qrels").write_text("q1 0 a 1\n")
    with pytest.raises(InputError) as raised:
        read_dataset(tmp_path / "x.qrels", split="dev")
    assert str(raised.value) == (
        f"{tmp_path}/x.qrels: a single file has no splits; leave --split dev out, or give a BEIR folder."
    )


def test_folder_without_qrels_says_what_it_holds(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("x")
    with pytest.raises(FileFormatError) as raised:
        read_dataset(tmp_path)
    assert str(raised.value) == (
        f"{tmp_path}: holds no qrels/<split>.tsv, so it is not a BEIR folder."
        "\n  Found: notes.txt. Expected: qrels/test.tsv, queries.jsonl, perhaps corpus.jsonl and kernels.jsonl."
    )


def test_damaged_gzip_is_refused(tmp_path: Path) -> None:
    packed = bytearray(gzip.compress(GOOD.encode() * 50))
    packed[20] ^= 0xFF
    (tmp_path / "x.run.gz").write_bytes(packed)
    with pytest.raises(FileFormatError, match="the gzip data is damaged"):
        read_ranking(tmp_path / "x.run.gz")


def test_line_numbers_hold_in_later_blocks_and_in_gzip(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("goldproof.io.text_files.BLOCK_BYTES", 64)
    lines = [f"q{i} Q0 a 1 2.5 t\n" for i in range(100)]
    lines[77] = "q77 Q0 a 1 x t\n"
    (tmp_path / "x.run.gz").write_bytes(gzip.compress("".join(lines).encode()))
    with pytest.raises(FileFormatError) as raised:
        read_ranking(tmp_path / "x.run.gz")
    assert (raised.value.line, raised.value.problem) == (78, "score 'x' is not a number (column 5 of 6).")


def test_scores_name_the_line_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path, "s.csv", "id,metric,value\nq1,AP,0.5\nq2,AP,\n")
    with pytest.raises(FileFormatError) as raised:
        read_scores("s.csv")
    assert str(raised.value) == (
        "s.csv:3: value is empty, expected a number, or 'undefined' or 'failed' in a status column." + FIX
    )
