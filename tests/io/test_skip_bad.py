"""--skip-bad leaves out what is bad and no more; a question of which nothing is left has failed, it is not a 0."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl
import pytest

from goldproof.errors import FileFormatError
from goldproof.io import read_judgments, read_ranking, read_ranking_report
from goldproof.jobs.validate import validate_file

if TYPE_CHECKING:
    from pathlib import Path

    from goldproof.io import RankingReading

GOOD = '{"query_id": "q9", "results": ["d1"]}\n'


def reading(folder: Path, text: str, name: str = "x.jsonl") -> RankingReading:
    (folder / name).write_text(text)
    return read_ranking_report(folder / name, skip_bad=True)


def test_of_a_list_only_the_bad_results_are_left_out(tmp_path: Path) -> None:
    first = '{"doc_id":"d2","score":3},{"doc_id":"d9","score":null}'
    then = '{"doc_id":"d2","score":2},null,{"doc_id":"d4","score":1}'
    found = reading(tmp_path, f'{{"query_id":"q1","results":[{first},{then}]}}\n')
    assert found.table.to_dict() == {"q1": {"d2": 3.0, "d4": 1.0}}
    assert found.table.failed == {}
    assert [(f.line, f.problem) for f in found.findings] == [
        (1, "result 2: score None is not a number (key 'score')."),
        (1, "result 3: document 'd2' is listed twice for query 'q1' (first as result 1)."),
        (1, "result 4: is null, expected an id, or an object with doc_id and score."),
    ]
    assert found.skipped == 3


def test_ids_keep_their_places_when_one_is_left_out(tmp_path: Path) -> None:
    # four results: 4, 3, 2, 1; the second is empty, the fourth a repeat
    found = reading(tmp_path, '{"query_id":"q1","results":["a","","b","a"]}\n')
    assert found.table.to_dict() == {"q1": {"a": 4.0, "b": 2.0}}
    assert found.skipped == 2


LOST = {
    "every result is bad": (
        '{"query_id":"q1","results":[{"doc_id":"d1"},{"doc_id":"d2"}]}',
        "result 1: no key 'score' (found doc_id).",
    ),
    "results is text": ('{"query_id":"q1","results":"d1"}', "key 'results' is text, expected a list."),
    "results is null": (
        '{"query_id":"q1","results":null}',
        (
            "key 'results' is null, expected a list: [] where nothing was returned; where the system failed, give the "
            "reason as 'error'."
        ),
    ),
    "flat": ('{"query_id":"q1","doc_id":"d1","score":"x"}', "score 'x' is not a number (key 'score')."),
    "ids and objects": (
        '{"query_id":"q1","results":["d1",{"doc_id":"d2","score":1},"d3"]}',
        "the results mix ids (2) and objects with scores (1), which cannot be ranked together.",
    ),
    "one result and a list": (
        '{"query_id":"q1","doc_id":"d1","score":1,"results":["d2"]}',
        "has both 'doc_id' and 'results', expected one result or a list of results.",
    ),
    "results and an error": (
        '{"query_id":"q1","results":["d2"],"error":"timeout"}',
        "has both an error ('timeout') and 'results': did the system fail or not?",
    ),
    "one result and an error": (
        '{"query_id":"q1","doc_id":"d2","score":1,"error":"timeout"}',
        "has both an error ('timeout') and 'doc_id': did the system fail or not?",
    ),
}


@pytest.mark.parametrize("name", LOST)
def test_a_bad_line_is_refused_or_its_question_has_failed(name: str, tmp_path: Path) -> None:
    line, problem = LOST[name]
    found = reading(tmp_path, f"{GOOD}{line}\n")
    assert found.table.to_dict() == {"q9": {"d1": 1.0}}
    assert found.table.failed == {"q1": f"left out as bad: line 2: {problem}"}
    assert found.findings[0].problem == problem
    with pytest.raises(FileFormatError) as raised:
        read_ranking(tmp_path / "x.jsonl")
    assert (raised.value.line, raised.value.problem) == (2, problem)


def test_an_empty_list_or_null_beside_an_error_is_a_failure(tmp_path: Path) -> None:
    (tmp_path / "x.jsonl").write_text(
        '{"query_id":"q1","results":[],"error":"x"}\n{"query_id":"q2","results":null,"doc_id":null,"error":"y"}\n'
    )
    assert read_ranking(tmp_path / "x.jsonl").failed == {"q1": "x", "q2": "y"}


def test_one_result_beside_null_results_is_one_result(tmp_path: Path) -> None:
    (tmp_path / "x.jsonl").write_text('{"query_id":"q1","doc_id":"d1","score":1,"results":null}\n')
    assert read_ranking(tmp_path / "x.jsonl").to_dict() == {"q1": {"d1": 1.0}}


def test_a_question_that_keeps_a_result_has_not_failed(tmp_path: Path) -> None:
    lines = '{"query_id":"q1","doc_id":"d1","score":"x"}\n{"query_id":"q1","doc_id":"d2","score":1}\n'
    found = reading(tmp_path, lines)
    assert (found.table.to_dict(), found.table.failed) == ({"q1": {"d2": 1.0}}, {})


LINES = {
    "x.run": ("q1 Q0 a 1 nan t\nq2 Q0 a 1 1 t\nq3 Q0 a\n", "line 1: score 'nan' is not finite (column 5 of 6)."),
    "x.csv": (
        "query_id,doc_id,score\nq1,a,x\nq2,a,1\nq3,a\n",
        "line 2: score 'x' is not a number ('score', column 3 of 3).",
    ),
}


@pytest.mark.parametrize("name", LINES)
def test_the_rule_holds_for_lines_of_columns(name: str, tmp_path: Path) -> None:
    text, problem = LINES[name]
    table = reading(tmp_path, text, name).table
    assert table.to_dict() == {"q2": {"a": 1.0}}
    assert set(table.failed) == {"q1", "q3"}
    assert table.failed["q1"] == f"left out as bad: {problem}"


def test_the_rule_holds_for_parquet(tmp_path: Path) -> None:
    frame = pl.DataFrame({"qid": ["q1", "q2", "q3"], "docid": ["a", "a", ""], "score": [None, 1.0, 1.0]})
    frame.write_parquet(tmp_path / "x.parquet")
    table = read_ranking(tmp_path / "x.parquet", skip_bad=True)
    assert table.to_dict() == {"q2": {"a": 1.0}}
    assert table.failed == {
        "q1": "left out as bad: row 1: score None is not a number (column 'score').",
        "q3": "left out as bad: row 3: the document id is empty.",
    }


def test_validate_counts_only_what_the_file_says_has_failed(tmp_path: Path) -> None:
    (tmp_path / "x.jsonl").write_text(GOOD + LOST["flat"][0] + '\n{"query_id":"q2","error":"x"}\n')
    found = validate_file(tmp_path / "x.jsonl")
    assert (found.counts["failed"], found.n_findings) == (1, 1)


def test_lines_that_an_open_quote_takes_in_are_never_left_out(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text('query_id,doc_id,score\nq1,a,1\nq2,"a,1\nq3,a,1\n')
    with pytest.raises(FileFormatError) as raised:
        read_ranking(tmp_path / "x.csv", skip_bad=True)
    assert raised.value.line == 3


@pytest.mark.parametrize("length", [70_000, 200_000])
def test_long_fields_are_read_in_every_format(length: int, tmp_path: Path) -> None:
    name = "x" * length
    files = {
        "x.run": f"q1 Q0 {name} 1 2 t\n",
        "x.csv": f'query_id,doc_id,score\nq1,"{name}",2\n',
        "long_header.csv": f'query_id,doc_id,score,"{name}"\nq1,{name},2,\n',
        "x.tsv": f"query_id\tdoc_id\tscore\nq1\t{name}\t2\n",
        "x.jsonl": f'{{"query_id": "q1", "doc_id": "{name}", "score": 2}}\n',
    }
    for file, text in files.items():
        (tmp_path / file).write_text(text)
        assert read_ranking(tmp_path / file).to_dict() == {"q1": {name: 2.0}}, file
        assert validate_file(tmp_path / file).ok, file


def test_long_and_many_names_of_columns_are_shortened_in_messages(tmp_path: Path) -> None:
    header = ["query_id", "doc_id", "x" * 500, *(f"c{i}" for i in range(90))]
    (tmp_path / "x.csv").write_text(",".join(header) + "\n" + ",".join("1" for _ in header) + "\n")
    with pytest.raises(FileFormatError) as raised:
        read_judgments(tmp_path / "x.csv")
    assert raised.value.problem == (
        "no column for grade (grade, relevance, rel, label, ...); found query_id, doc_id, "
        f"{'x' * 37}..., c0, c1, c2, c3, c4, c5, c6, ... (93 in all)."
    )
