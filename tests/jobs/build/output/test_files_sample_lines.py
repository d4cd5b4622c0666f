"""Samples as JSON lines: the same bytes for the same sample, read back whole, and refused with a reason."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldproof.errors import FileFormatError, InputError
from goldproof.io.datasets.id_lists import ListedId, read_listed
from goldproof.io.diagnostics import Diagnostics
from goldproof.jobs.build.output.files import manifest_lines, read_samples, sample_line
from tests.jobs.build.samples import HOPPED, PLAIN, THREE, samples, write_lines

if TYPE_CHECKING:
    from goldproof.jobs.build.records import Sample

KEYS = [
    *("id", "question", "ground_truth", "contexts", "answerable", "doc_type", "question_type", "difficulty"),
    *("source_dataset", "metadata", "original_id", "context_ids", "gold_documents", "kernels", "evidence"),
]
FOREIGN = {
    "id": "p1",
    "question": "Who?",
    "ground_truth": "Ada",
    "contexts": ["Ada did."],
    "doc_type": "clean_text",
    "question_type": "entity",
    "difficulty": "D1",
    "source_dataset": "elsewhere",
}


def refusal(tmp_path: Path, **changes: object) -> str:
    line = orjson.dumps({**FOREIGN, **changes})
    path = write_lines(tmp_path / "b.jsonl", sample_line(PLAIN), line)
    with pytest.raises(FileFormatError) as raised:
        list(read_samples(path))
    assert str(raised.value).startswith(f"{path}:2: ")
    return raised.value.problem


def test_a_line_has_the_keys_in_their_order_and_ends_with_a_line_feed() -> None:
    line = sample_line(PLAIN)
    assert list(orjson.loads(line)) == KEYS
    assert line.endswith(b"}\n")
    assert line.count(b"\n") == 1


def test_metadata_keys_keep_their_order() -> None:
    assert list(orjson.loads(sample_line(replace(PLAIN, metadata={"z": 1, "a": 2})))["metadata"]) == ["z", "a"]


@given(st.lists(samples(), min_size=1, max_size=4))
def test_what_was_written_is_read_back_and_written_alike(written: list[Sample]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "b.jsonl")
        path.write_bytes(b"".join(map(sample_line, written)))
        read = list(read_samples(path))
    assert [at.sample for at in read] == written
    assert [at.line for at in read] == list(range(1, len(written) + 1))
    assert [sample_line(at.sample) for at in read] == [sample_line(one) for one in written]


@pytest.mark.parametrize("value", [float("nan"), float("inf"), [1.0, float("-inf")], {"deep": float("nan")}])
def test_a_number_that_json_cannot_hold_is_refused_and_not_written_as_null(value: object) -> None:
    with pytest.raises(InputError, match=r"sample 'tatqa:a1': metadata\.x.* is not a finite number"):
        sample_line(replace(PLAIN, metadata={"x": value}))


@pytest.mark.parametrize("value", [{1, 2}, {1: "a"}, 2**64, "\ud800"])
def test_other_values_that_json_cannot_hold_are_refused(value: object) -> None:
    with pytest.raises(InputError, match="sample 'tatqa:a1': cannot be written as JSON"):
        sample_line(replace(PLAIN, metadata={"x": value}))


def test_a_file_from_elsewhere_may_lack_our_fields(tmp_path: Path) -> None:
    (at,) = read_samples(write_lines(tmp_path / "f.jsonl", orjson.dumps(FOREIGN)))
    sample = at.sample
    assert sample.answerable is True
    assert (sample.original_id, sample.context_ids, sample.gold_documents) == ("", (), ())
    assert (sample.kernels, sample.evidence, sample.metadata) == ((), (), {})


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"id": ""}, "key 'id' is empty."),
        ({"id": None}, "key 'id' is null, expected text."),
        ({"question": 3}, "key 'question' is a number, expected text."),
        ({"question": "  "}, "key 'question' is empty."),
        ({"ground_truth": ["x"]}, "key 'ground_truth' is a list, expected text."),
        ({"contexts": "one"}, "key 'contexts' is text, expected a list of texts."),
        ({"contexts": ["a", None]}, "item 2 of 'contexts' is null, expected text."),
        ({"answerable": "yes"}, "answerable is 'yes', expected true or false."),
        ({"metadata": []}, "key 'metadata' is a list, expected an object."),
        ({"context_ids": ["a", "b"]}, "there are 2 context_ids for 1 contexts, expected as many."),
        ({"kernels": [[]]}, "kernel 1 is not a list of document ids."),
        ({"kernels": [["a", "a"]]}, "kernel 1 names a document twice."),
        ({"evidence": {}}, "key 'evidence' is an object, expected a list of spans."),
        (
            {"evidence": [{"document": "d", "start": 4, "end": 2}]},
            "span 1 of 'evidence' runs from 4 to 2, expected 0 <= start <= end.",
        ),
    ],
)
def test_a_bad_line_is_named_with_what_was_found_and_expected(
    tmp_path: Path, changes: dict[str, object], problem: str
) -> None:
    assert refusal(tmp_path, **changes) == problem


@pytest.mark.parametrize("start", [True, 1.0, "1", None])
def test_a_place_in_a_text_is_a_whole_number(tmp_path: Path, start: object) -> None:
    assert "whole numbers" in refusal(tmp_path, evidence=[{"document": "d", "start": start, "end": 2}])


@pytest.mark.parametrize("key", list(FOREIGN))
def test_a_missing_key_is_named(tmp_path: Path, key: str) -> None:
    record = {k: v for k, v in FOREIGN.items() if k != key}
    path = write_lines(tmp_path / "f.jsonl", orjson.dumps(record))
    with pytest.raises(FileFormatError, match=f":1: no key '{key}', expected"):
        list(read_samples(path))


def test_bad_lines_can_be_counted_instead(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "b.jsonl", "[]", sample_line(PLAIN), "{", b"\xff")
    diagnostics = Diagnostics(path, keep=2)
    assert [at.line for at in read_samples(path, diagnostics)] == [2]
    assert diagnostics.total == 3


def test_a_benchmark_excludes_its_ids_and_questions(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "b.jsonl", *map(sample_line, THREE))
    assert list(read_listed(path)) == [ListedId(s.id, s.question) for s in THREE]


def test_a_manifest_excludes_its_ids(tmp_path: Path) -> None:
    odd = replace(HOPPED, original_id='say "a, b"')
    path = tmp_path / "m.csv"
    path.write_bytes(b"".join(manifest_lines([PLAIN, odd])))
    assert list(read_listed(path)) == [ListedId(PLAIN.id, None), ListedId(HOPPED.id, None)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("a:1\n\nb:2\n", [("a:1", None), ("b:2", None)]),
        ("Who was it, then?\nb:2\n", [("Who was it, then?", "Who was it, then?"), ("b:2", None)]),
        ('["b", "a"]', [("b", None), ("a", None)]),
        ('[{"id": "a", "question": "Who?"}]', [("a", "Who?")]),
        ("_id\ttext\na\tWho?\n", [("a", "Who?")]),
        ("id\na\nb\n", [("a", None), ("b", None)]),
        ("id\tquestion\na\tWho?\nb\t\n", [("a", "Who?"), ("b", None)]),
        ('{"_id": "a", "text": "Who?"}\n', [("a", "Who?")]),
        ('{"id": 7}\n', [("7", None)]),
        ('{"question": "Who was it?"}\n', [("Who was it?", "Who was it?")]),
    ],
)
def test_other_lists_of_ids_or_questions_exclude_as_well(
    tmp_path: Path, text: str, expected: list[tuple[str, str | None]]
) -> None:
    path = tmp_path / "list"
    path.write_text(text)
    assert [tuple(one) for one in read_listed(path)] == expected


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('{"name": "a"}\n', "no key 'id' and no 'question' (found name)."),
        ('{"id": "a", "question": 4}\n', "key 'question' is a number, expected the text of a question."),
        ("id,question\na\n", "found 1 column, expected 2 (id, question)."),
        ("id,question\n,Who?\n", "key 'id' is empty."),
    ],
)
def test_a_list_that_names_nothing_is_refused(tmp_path: Path, text: str, problem: str) -> None:
    path = tmp_path / "list"
    path.write_text(text)
    with pytest.raises(FileFormatError) as raised:
        list(read_listed(path))
    assert raised.value.problem == problem
