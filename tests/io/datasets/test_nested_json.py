"""Runs and qrels as {query: {document: number}}: read in any layout, and what is wrong is named with its place."""

from __future__ import annotations

import gzip
import json
import tracemalloc
from typing import TYPE_CHECKING

import pytest

import goldproof
from goldproof.errors import FileFormatError
from goldproof.io import read_judgments, read_ranking, read_ranking_report
from goldproof.io.datasets.pair_labels import read_label_records
from goldproof.jobs.validate import validate_file

if TYPE_CHECKING:
    from pathlib import Path

RUN = {"q1": {"d1": 12.5, 'd"2': -3.0}, "q 2": {"ä{}": 1e-3}, "q3": {}}
QRELS = {"q1": {"d1": 2, "d2": 0}, "q2": {"d3": -1}}


@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize("packed", [False, True])
def test_a_run_is_read_in_any_layout(tmp_path: Path, indent: int | None, *, packed: bool) -> None:
    path = tmp_path / ("run.json.gz" if packed else "run.json")
    data = json.dumps(RUN, indent=indent).encode()
    path.write_bytes(gzip.compress(data) if packed else data)
    assert read_ranking(path).to_dict() == RUN


def test_the_file_that_ranx_writes(tmp_path: Path) -> None:
    # ranx 0.3.21: Run({"q1": {"d1": 9.0, "d2": 5.0}, "q2": {"d4": 1.0}}).save("run.json"), and Qrels likewise
    run, qrels = tmp_path / "run.json", tmp_path / "qrels.json"
    run.write_text(
        '{\n  "q1": {\n    "d1": 9.0,\n    "d2": 5.0\n  },\n  "q2": {\n    "d4": 1.0\n  }\n}', encoding="utf-8"
    )
    qrels.write_text('{\n  "q1": {\n    "d2": 1\n  },\n  "q2": {\n    "d4": 1\n  }\n}', encoding="utf-8")
    assert goldproof.evaluate(qrels, run, metrics="RR").mean("RR") == 0.75  # 1/2 and 1


def test_qrels_are_whole_grades(tmp_path: Path) -> None:
    path = tmp_path / "qrels.json"
    path.write_text(json.dumps(QRELS), encoding="utf-8")
    assert read_judgments(path).to_dict() == QRELS
    path.write_text('{"q1": {"d1": 0.5}}', encoding="utf-8")
    with pytest.raises(
        FileFormatError, match=r"qrels.json:1: query 'q1': document 'd1': grade 0.5 is not a whole number"
    ):
        read_judgments(path)


def test_a_query_without_judged_documents_is_left_out_and_counted(tmp_path: Path) -> None:
    path = tmp_path / "qrels.json"
    path.write_text('{"q1": {"d1": 1}, "q2": {}}', encoding="utf-8")
    assert list(read_judgments(path).questions) == ["q1"]
    assert validate_file(path).remarks == ("queries without any judged document, left out: 1.",)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('{"q1": {"a": "x"}}', ":1: query 'q1': document 'a': score 'x' is not a number."),
        ('{\n"q1": {\n"a": 1,\n"b": null}}', ":4: query 'q1': document 'b': score None is not a number."),
        ('{"q1": {"a": true}}', ":1: query 'q1': document 'a': score True is not a number."),
        ('{"q1": {"a": NaN}}', ":1: query 'q1': document 'a': score nan is not finite."),
        ('{"q1": {"a": -Infinity}}', ":1: query 'q1': document 'a': score -inf is not finite."),
        ('{"q1": {"a": 1e999}}', ":1: query 'q1': document 'a': score inf is not finite."),
        ('{"q0": {}, "q1": {"a": {"score": 1}}}', ":1: query 'q1': document 'a': score {'score': 1} is not a number."),
        ('{"q1": {"a": 1,\n"b": 2,\n"a": 3}}', ":3: query 'q1': document 'a' is listed twice."),
        ('{"q1": {"a": 1},\n"q1": {"b": 1}}', ":2: query 'q1' occurs twice (first at line 1)."),
        ('{"q1": {"": 1}}', ":1: query 'q1': a document id is empty."),
        ('{"": {"a": 1}}', ":1: a query id is empty."),
        ('{"q1": {"a": 1},\n"q2": ["a", "b"]}', ":2: query 'q2': is a list, expected a JSON object."),
        ('{"q1": {"a": 1}, "q2": 5\n}', """:1: found ', "q2": 5', expected the end of the object."""),
        (
            '{"q1": {"a": 1}, "q2": 5, "q3": {"a": 1}\n}',
            """:1: found ', "q2": 5, "q3":', expected a key and an object, such as "q1": {...}.""",
        ),
        (
            '{"q1": {"a": 1} "q2": {"a": 1}}',
            """:1: found '"q2":', expected a key and an object, such as "q1": {...}.""",
        ),
        ('{"q1": {"a": 1}, {"a": 1}}', """:1: found ',', expected a key and an object, such as "q1": {...}."""),
        ('{"q1": {"a": 1 "b": 2}}', ":1: query 'q1': is not JSON ("),
        ('{"q1": {"a": 1},\n"q2": {"a"', ":2: the JSON object is cut off: after 1 members the file ends"),
        ('{"q1": {"a": 1}}\n{"q2": {"a": 1}}', ":2: the JSON object ends after 1 elements, but the file goes on with"),
    ],
)
def test_what_is_wrong_is_named_with_its_line(tmp_path: Path, text: str, problem: str) -> None:
    path = tmp_path / "run.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(FileFormatError) as caught:
        read_ranking(path)
    assert problem in str(caught.value)


def test_bad_scores_are_left_out_and_a_query_without_any_other_has_failed(tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    path.write_text('{"q1": {"a": "x", "b": 2}, "q2": {"a": NaN}}', encoding="utf-8")
    report = read_ranking_report(path, skip_bad=True)
    assert report.table.to_dict() == {"q1": {"b": 2.0}}
    assert report.skipped == 2
    assert report.table.failed == {"q2": "left out as bad: line 1: document 'a': score nan is not finite."}


def test_json_lines_whose_first_value_is_an_object_stay_json_lines(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    path.write_text('{"metadata": {"n": 1}, "query_id": "q1", "results": ["a"]}\n', encoding="utf-8")
    assert read_ranking(path).to_dict() == {"q1": {"a": 1.0}}


def test_validate_tells_grades_from_scores(tmp_path: Path) -> None:
    path = tmp_path / "file.json"
    path.write_text('{"q0": {}, "q1": {"a": 1, "b": 0}}', encoding="utf-8")
    assert validate_file(path).kind == "judgments"
    assert validate_file(path, kind="ranking").counts["results"] == 2
    path.write_text('{"q1": {"a": 1, "b": 0.5}}', encoding="utf-8")
    assert validate_file(path).kind == "ranking"


def test_people_s_labels_may_be_qrels_of_ranx(tmp_path: Path) -> None:
    path = tmp_path / "qrels.json"
    path.write_text(json.dumps({"q1": {"d1": 1}}), encoding="utf-8")
    assert [label.record for label in read_label_records(path).records] == [
        {"query_id": "q1", "doc_id": "d1", "grade": 1}
    ]


def test_a_large_file_is_read_query_by_query(tmp_path: Path) -> None:
    # 20,000 queries of 20 documents; the text of the file, 7 MB, is never in memory as a whole with its parsed form
    path = tmp_path / "run.json"
    documents = {f"document-{i}": i / 7 for i in range(20)}
    path.write_text(json.dumps({f"q{i}": documents for i in range(20_000)}, indent=1), encoding="utf-8")
    tracemalloc.start()
    from goldproof.io.diagnostics import Diagnostics
    from goldproof.io.json_stream import object_members
    from goldproof.io.text_files import read_chunks

    count = sum(1 for _ in object_members(read_chunks(path, size=1 << 18), Diagnostics(path)))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert count == 20_000
    assert path.stat().st_size > 8_000_000
    assert peak < 6_000_000


class Qrels:
    """The shape of ranx's Qrels and, by its subclass, Run."""

    def __init__(self, rows: dict[str, dict[str, int]]) -> None:
        self.qrels = rows

    def to_dict(self) -> dict[str, dict[str, int]]:
        return self.qrels


class Run:
    def __init__(self, rows: dict[str, dict[str, float]]) -> None:
        self.run = rows

    def to_dict(self) -> dict[str, dict[str, float]]:
        return self.run


def test_objects_of_ranx_are_taken_by_their_dict() -> None:
    result = goldproof.evaluate(Qrels({"q1": {"b": 1}}), Run({"q1": {"a": 2.0, "b": 1.0}}), metrics="RR")
    assert result.mean("RR") == 0.5
