"""What cannot be used at all gives one sentence and exit code 2: nothing hangs, nothing is guessed."""

from __future__ import annotations

import bz2
import json
import os
import sys
from typing import TYPE_CHECKING

import polars as pl
import pytest

from goldproof.cli.main import main
from goldproof.errors import FileFormatError
from goldproof.io import read_documents, read_ids, read_json, read_judgments, read_ranking, read_scores, sha256_file

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

RUN = "q1 Q0 d1 1 2.5 t\n"
LATIN = "\n  Save the file as UTF-8; if it is Latin-1: iconv -f LATIN1 -t UTF-8."
BINARY = "\n  Save the file as UTF-8 text; UTF-16 and binary files look like this."
CUT = "\n  Was it cut off, or never written?"
KINDS = (
    "\n  Say which with --kind: judgments, ranking, scores, dataset, traces, clusters, cases, questions, rulings, "
    "scenarios."
)
READABLE = (
    "\n  Readable: TREC qrels and runs, TSV or CSV with a header, JSONL, JSON ({query: {document: number}}), Parquet, "
    "retrieval_dataset.yaml, a BEIR folder; text may be gzipped."
)
NUMBERS = "grade (grade, relevance, rel, label, ...) or score (score, similarity, relevance_score, ...)"
BUNZIP = "\n  Unpack it: bunzip2 FILE."
BEYOND = "holds a number beyond double precision (column {}), which is not finite.\n  Fix the line."
FILES: dict[str, tuple[str, bytes, str]] = {
    "empty": ("x.run", b"", ": the file is empty." + CUT),
    "blank": ("x.run", b"\n \n", ": the file holds only blank lines." + CUT),
    "prose": (
        "x.txt",
        b"Dear all,\nplease find attached.\n",
        ": neither judgments nor a ranking nor scores nor questions can be recognised (found 'Dear all,')." + KINDS,
    ),
    "unknown keys": (
        "x.jsonl",
        b'{"a": 1}\n',
        ": neither judgments nor a ranking nor scores nor questions can be recognised (found a)." + KINDS,
    ),
    "UTF-16 with its mark": (
        "x.run",
        RUN.encode("utf-16"),
        ": starts with a UTF-16 byte-order mark, expected UTF-8.\n  Save the file as UTF-8.",
    ),
    "UTF-16 without": (
        "x.run",
        RUN.encode("utf-16-le"),
        f":1: holds a NUL byte, so it is not UTF-8 text.{BINARY}",
    ),
    "Latin-1 in the header": (
        "x.csv",
        "\nquery_id,doc_id,scoré\nq1,d1,1\n".encode("latin-1"),
        ":2: byte 21 of the line (0xE9) is not UTF-8." + LATIN,
    ),
    "a JSON list": (
        "x.json",
        b'[{"query_id": "q1", "doc_id": "d1", "score": 1}]',
        f": is one JSON document, expected one JSON object per line, or {{query: {{document: number}}}}.{READABLE}",
    ),
    "no number in a table": (
        "x.csv",
        b"query_id,doc_id\nq1,d1\n",
        (f":1: no column for {NUMBERS}; found query_id, doc_id.\n  Rename or add the column."),
    ),
    "no number in JSON": (
        "x.jsonl",
        b'{"query_id": "q1", "doc_id": "d1"}\n',
        (f": no key for {NUMBERS}; found query_id, doc_id.\n  Rename or add the key."),
    ),
    "no metric": (
        "x.csv",
        b"id,value\nq1,1\n",
        ":1: no column for metric (metric, measure, ...); found id, value.\n  Rename or add the column.",
    ),
    "no header": (
        "x.csv",
        b"q1,d1,0.5\nq1,d2,0.4\n",
        (
            ":1: is not a header (found q1, d1, 0.5), but the first line must name the columns."
            "\n  Put a line above it, such as: query_id, doc_id, score."
        ),
    ),
    "bzip2": ("x.run.bz2", bz2.compress(b"q Q0 d 1 1 t\n"), ": is packed with bzip2, expected text or gzip." + BUNZIP),
}


def validated(path: Path, capsys: pytest.CaptureFixture[str]) -> tuple[object, str, str]:
    with pytest.raises(SystemExit) as left:
        main(["validate", str(path)])
    captured = capsys.readouterr()
    return left.value.code, captured.out, captured.err


@pytest.mark.parametrize("name", FILES)
def test_validate_says_in_one_sentence_why_a_file_is_unusable(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, data, problem = FILES[name]
    (tmp_path / file).write_bytes(data)
    assert validated(tmp_path / file, capsys) == (2, "", f"goldproof: {tmp_path / file}{problem}\n")


@pytest.mark.skipif(sys.platform == "win32", reason="no such files there")
@pytest.mark.parametrize("read", [read_judgments, read_ranking, read_scores, read_ids, read_json, sha256_file])
def test_pipes_and_devices_are_refused_by_every_reader(read: Callable[[str], object], tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path, what in ((str(tmp_path / "pipe"), "a pipe"), ("/dev/null", "a device or socket")):
        with pytest.raises(FileFormatError) as raised:
            read(path)
        assert str(raised.value) == f"{path}: is {what}, expected a file.\n  Save the data to a file first."


@pytest.mark.skipif(sys.platform == "win32", reason="no such files there")
def test_a_pipe_is_refused_by_validate_and_as_a_corpus(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    os.mkfifo(tmp_path / "pipe")
    said = f"{tmp_path / 'pipe'}: is a pipe, expected a file.\n  Save the data to a file first."
    assert validated(tmp_path / "pipe", capsys) == (2, "", f"goldproof: {said}\n")
    with pytest.raises(FileFormatError) as raised:
        next(read_documents(tmp_path / "pipe"))
    assert str(raised.value) == said


@pytest.mark.parametrize("name", ["a" * 300, "a\0b", "file/beneath"])
def test_impossible_names_are_refused(name: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text(RUN)
    with pytest.raises(FileFormatError) as raised:
        read_ranking(tmp_path / name)
    assert raised.value.problem.startswith(("cannot be read: ", "no such file."))


def test_lists_of_ids_and_json_name_the_byte_that_is_not_utf8(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_bytes('[\n"a",\n"é"]'.encode("latin-1"))
    for read in (read_ids, read_json):
        with pytest.raises(FileFormatError) as raised:
            read(tmp_path / "x.json")
        assert str(raised.value) == f"{tmp_path}/x.json:3: byte 2 of the line (0xE9) is not UTF-8." + LATIN


HUGE_SCORES = {
    "x.run": "q1 Q0 d1 1 {} t\n",
    "x.csv": "query_id,doc_id,score\nq1,d1,{}\n",
    "x.tsv": "query_id\tdoc_id\tscore\nq1\td1\t{}\n",
    "x.jsonl": '{{"query_id": "q1", "doc_id": "d1", "score": {}}}\n',
    "y.jsonl": '{{"query_id": "q1", "results": [{{"doc_id": "d1", "score": "{}"}}]}}\n',
}


@pytest.mark.parametrize("number", ["1e400", "-1e400", "1" + "0" * 400])
@pytest.mark.parametrize("name", HUGE_SCORES)
def test_scores_beyond_double_precision_are_not_finite(name: str, number: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(HUGE_SCORES[name].format(number))
    with pytest.raises(FileFormatError, match="not finite"):
        read_ranking(tmp_path / name)


@pytest.mark.parametrize("name", ["s.csv", "s.jsonl"])
def test_values_beyond_double_precision_are_not_finite(name: str, tmp_path: Path) -> None:
    (tmp_path / "s.csv").write_text("id,metric,value\nq1,AP,1e400\n")
    (tmp_path / "s.jsonl").write_text('{"id": "q1", "metric": "AP", "value": 1e400}\n')
    with pytest.raises(FileFormatError, match="not finite"):
        read_scores(tmp_path / name)


def grade_files(folder: Path, grade: int) -> list[Path]:
    (folder / "x.qrels").write_text(f"q 0 d {grade}\n")
    (folder / "slow.qrels").write_text(f"q  0 d {grade}\n")
    (folder / "x.csv").write_text(f"query_id,doc_id,grade\nq,d,{grade}\n")
    (folder / "x.jsonl").write_text(f'{{"query_id": "q", "doc_id": "d", "grade": {grade}}}\n')
    (folder / "text.jsonl").write_text(f'{{"query_id": "q", "doc_id": "d", "grade": "{grade}"}}\n')
    pl.DataFrame({"query_id": ["q"], "doc_id": ["d"], "grade": [grade]}).write_parquet(folder / "x.parquet")
    side = "positive_ctxs" if grade > 0 else "negative_ctxs"
    (folder / "x.yaml").write_text(f"pairs:\n  - id: q\n    {side}: [{{fqn: d, grade: {grade}}}]\n")
    return sorted(folder.iterdir())


@pytest.mark.parametrize("grade", [2**31 - 1, 1 - 2**31])
def test_grades_below_2_to_the_31_are_read_in_every_format(grade: int, tmp_path: Path) -> None:
    for path in grade_files(tmp_path, grade):
        assert read_judgments(path).to_dict() == {"q": {"d": grade}}, path.name


@pytest.mark.parametrize("grade", [2**31, -(2**31), 2**62, -(2**62)])
def test_grades_of_2_to_the_31_are_refused_in_every_format(grade: int, tmp_path: Path) -> None:
    bound = 2**31 - 1 if grade > 0 else 1 - 2**31
    for path in grade_files(tmp_path, grade):
        with pytest.raises(FileFormatError) as raised:
            read_judgments(path)
        assert f"is out of range, beyond {bound}" in raised.value.problem, path.name


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
def test_links_that_lead_nowhere_are_called_so(tmp_path: Path) -> None:
    (tmp_path / "gone").symlink_to("nowhere.run")
    (tmp_path / "circle").symlink_to("circle")
    said = {"gone": "is a link to nowhere.run, which does not exist.", "circle": "is a link that leads back to itself."}
    for name, problem in said.items():
        with pytest.raises(FileFormatError) as raised:
            read_ranking(tmp_path / name)
        assert str(raised.value) == f"{tmp_path / name}: {problem}\n  Fix the link, or give the file itself."


NO_LINE_IS_JSON = {
    "Latin-1": (
        '{"query_id": "é", "results": []}\n'.encode("latin-1"),
        "byte 15 of the line (0xE9) is not UTF-8." + LATIN,
    ),
    "NaN": (
        b'{"query_id": "q1", "doc_id": "d1", "score": NaN}\n',
        "is not JSON: NaN and Infinity are not JSON numbers.\n  Fix the line.",
    ),
    "1e400": (b'{"query_id": "q", "doc_id": "d", "score": 1e400}\n', BEYOND.format(43)),
}


@pytest.mark.parametrize("name", NO_LINE_IS_JSON)
def test_validate_lists_the_lines_of_a_file_of_which_none_can_be_read(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    content, problem = NO_LINE_IS_JSON[name]
    (tmp_path / "x.jsonl").write_bytes(content)
    code, out, err = validated(tmp_path / "x.jsonl", capsys)
    assert (code, err) == (2, "")
    assert out == f"{tmp_path}/x.jsonl: not recognised: 1 problem\n  line 1: {problem}\n"


def test_validate_goes_on_after_a_file_that_cannot_be_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.txt").write_text("hello\n")
    (tmp_path / "c.run").write_text(RUN)
    files = [str(tmp_path / name) for name in ("a.txt", "b.run", "c.run")]
    with pytest.raises(SystemExit) as left:
        main(["validate", *files])
    said = capsys.readouterr()
    assert left.value.code == 2
    assert said.out.startswith(f"{files[2]}: ranking (1 queries, ")
    assert [line for line in said.err.splitlines() if line.startswith("goldproof: ")] == [
        (
            f"goldproof: {files[0]}: neither judgments nor a ranking nor scores nor questions can be recognised "
            "(found 'hello')."
        ),
        f"goldproof: {files[1]}: no such file.",
    ]


def test_validate_says_the_same_in_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "c.run").write_text(RUN)
    with pytest.raises(SystemExit) as left:
        main(["validate", "--json", str(tmp_path / "b.csv"), str(tmp_path / "c.run")])
    missing, good = json.loads(capsys.readouterr().out)["files"]
    assert left.value.code == 2
    assert missing == {
        "path": str(tmp_path / "b.csv"),
        "kind": None,
        "counts": {},
        "findings": [{"line": None, "problem": "no such file.", "hint": ""}],
        "n_findings": 1,
        "unused": [],
        "remarks": [],
        "ok": False,
    }
    assert (good["kind"], good["ok"], set(good)) == ("ranking", True, set(missing))


def test_a_wrong_kind_is_said_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(["validate", "--kind", "cluster", str(tmp_path / "a"), str(tmp_path / "b")])
    assert left.value.code == 2
    assert capsys.readouterr().err == "goldproof: unknown kind of file 'cluster'; did you mean 'clusters'?\n"
