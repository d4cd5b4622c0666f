"""Several names for one thing: the first that says something counts, in objects and in tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import polars as pl
import pytest

from goldproof.errors import FileFormatError, InputError
from goldproof.io import read_traces, traces_from_frame, traces_from_records
from goldproof.io.diagnostics import Diagnostics
from goldproof.jobs.validate import validate_file
from tests.io.traces.trace_samples import plain

if TYPE_CHECKING:
    from pathlib import Path

Record = dict[str, Any]


def results_of(*results: object) -> list[Record]:
    turn = {"iterations": [{"searches": [{"results": list(results)}]}]}
    (found,) = plain(traces_from_records([{"conversation_id": "c", "turns": [turn]}]))
    return found["iterations"][0][0]["results"]  # type: ignore[no-any-return]


def rows_of(frame: pl.DataFrame) -> list[Record]:
    levels = {"conversation": ["c"] * len(frame), "iteration": [1] * len(frame)}
    (found,) = plain(traces_from_frame(pl.DataFrame(levels).hstack(frame)))
    return found["iterations"][0][0]["results"]  # type: ignore[no-any-return]


@pytest.mark.parametrize("silent", [None, ""])
def test_a_name_that_says_nothing_does_not_hide_the_next(silent: object) -> None:
    results = [
        {"id": silent, "doc_id": "x", "gain": silent, "label": 3, "author": silent},
        {"id": "y", "doc_id": "z", "gain": 1, "label": 2},
        {"url": silent, "link": silent, "uri": "u"},
    ]
    wanted = [
        {"id": "x", "gain": 3},
        {"id": "y", "gain": 1, "fields": {"doc_id": "z", "label": 2}},
        {"url": "u"},
    ]
    assert [results_of(result) for result in results] == [[each] for each in wanted]
    assert results_of(*results) == wanted


@pytest.mark.parametrize("silent", [None, ""])
def test_the_same_goes_for_conversations_turns_and_searches(silent: object) -> None:
    search = {"query": silent, "query_text": "q", "results": None, "hits": ["a"]}
    turn = {"question_id": silent, "qid": 7, "question": silent, "question_text": "why?"}
    record = {"conversation_id": silent, "id": "c", "cluster": silent, "group": "g"}
    (found,) = plain(traces_from_records([{**record, "turns": [{**turn, "iterations": [{"searches": [search]}]}]}]))
    assert (found["id"], found["cluster"], found["question"], found["text"]) == ("c", "g", "7", "why?")
    assert found["iterations"] == [[{"query": "q", "failed": False, "results": [{"id": "a"}]}]]


def test_a_bad_value_under_the_next_name_is_told_by_that_name() -> None:
    with pytest.raises(InputError, match=r"gain 9 is not a whole number from 0 to 4 \(key 'label'\)"):
        results_of({"gain": None, "label": 9})
    assert results_of({"gain": 1, "label": 9}) == [{"gain": 1, "fields": {"label": 9}}]


def test_gaps_of_a_column_are_filled_from_its_other_names() -> None:
    frame = pl.DataFrame(
        {
            "id": [None, 8, None],
            "doc_id": ["x", "y", None],
            "pid": [None, None, 5],
            "gain": [3, None, None],
            "label": ["good", "2", ""],
            "description": [["a list"], None, None],
            "snippet": [None, "s", None],
        }
    )
    # 8 becomes text beside "x"; what filled a gap is no field.
    assert rows_of(frame) == [
        {"id": "x", "gain": 3, "fields": {"label": "good", "description": ["a list"]}},
        {"id": "8", "snippet": "s", "gain": 2, "fields": {"doc_id": "y"}},
        {"id": "5"},
    ]


def test_whole_numbers_stay_whole_numbers_where_all_names_hold_them() -> None:
    assert rows_of(pl.DataFrame({"id": [1, None], "pid": [7, 2]})) == [{"id": 1, "fields": {"pid": 7}}, {"id": 2}]


def test_a_cell_that_cannot_fill_a_gap_is_named() -> None:
    with pytest.raises(FileFormatError) as raised:
        rows_of(pl.DataFrame({"id": [1, 2], "gain": [1, None], "label": ["good", "bad"]}))
    assert str(raised.value).splitlines()[0] == (
        "traces: row 2: gain 'bad' is not a whole number from 0 to 4 (column 'label')."
    )


def test_columns_among_the_fields_are_the_results_own_where_it_has_none() -> None:
    given = {"id": 7, "url": "u", "title": "t", "snippet": "s", "type": "web", "gain": 3, "author": "ann"}
    own = {name: value for name, value in given.items() if name != "author"} | {"id": "7"}
    assert results_of({"fields": given}) == [{**own, "fields": {"author": "ann"}}]
    assert results_of({"fields": given}, {"id": "b"}, "c")[0] == {**own, "fields": {"author": "ann"}}
    assert results_of({"doc_id": "a", "text": "x", "gain": None, "fields": {"id": "b", "snippet": "y", "gain": 0}}) == [
        {"id": "a", "snippet": "x", "gain": 0, "fields": {"id": "b", "snippet": "y"}}
    ]


def test_a_struct_of_fields_in_a_table_means_the_same() -> None:
    fields = [{"id": 7, "url": "u", "gain": 3, "type": 1.5, "author": "ann"}, {"url": "v", "gain": None, "type": None}]
    frame = pl.DataFrame({"url": [None, "w"], "title": ["t", None], "fields": fields}, strict=False)
    assert rows_of(frame) == [
        {"id": "7", "url": "u", "title": "t", "gain": 3, "fields": {"type": 1.5, "author": "ann"}},
        {"url": "w", "fields": {"url": "v"}},
    ]


def test_a_field_that_cannot_be_a_column_stays_a_field_but_a_bad_gain_is_told() -> None:
    fields = {"id": 1.5, "type": 3, "title": ["t"], "snippet": None, "label": 4}
    assert results_of({"fields": fields}) == [{"fields": {"id": 1.5, "type": 3, "title": ["t"], "label": 4}}]
    with pytest.raises(InputError, match=r"result 1: gain 0.5 is not a whole number from 0 to 4 \(key 'gain'\)"):
        results_of({"id": "a", "fields": {"gain": 0.5}})


@pytest.mark.parametrize("header", [",conversation,iteration,id,gain", "conversation,,iteration,id,gain, "])
def test_columns_without_a_name_are_ignored(header: str, tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    cells = {"conversation": "c1", "iteration": "1", "id": "d1", "gain": "3"}
    path.write_text(f"{header}\n{','.join(cells.get(name, '0') for name in header.split(','))}\n")
    (found,) = plain(read_traces(path, Diagnostics(path)))
    assert found["iterations"][0][0]["results"] == [{"id": "d1", "gain": 3}]
    validation = validate_file(path)
    assert (validation.kind, validation.ok, validation.counts["labelled"]) == ("traces", True, 1)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("x.csv", "id,gain,note\nd1,3,n\nd2,-1,n\n"),
        ("x.tsv", "doc_id\tgrade\tnote\nd1\t3\tn\nd2\t-1\tn\n"),
        ("x.jsonl", '{"url":"d1","label":3,"note":1}\n{"url":"d2","label":-1,"note":1}\n'),
    ],
)
def test_labels_by_document_are_valid_and_counted(name: str, text: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text(text)
    found = validate_file(path)
    assert (found.kind, found.findings, found.unused) == ("judgments", (), ("note",))
    assert found.counts == {"labels_by_document": 2, "relevant": 1, "negative_grades": 1}


def test_labels_by_document_that_are_off_the_scale_are_a_finding(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text("id,gain\nd1,3\nd2,7\n")
    (finding,) = validate_file(path).findings
    assert (finding.line, finding.problem) == (3, "grade 7 of document 'd2' is above 4.")
