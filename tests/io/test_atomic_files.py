"""Files are written whole or not at all, with the same bytes for the same content."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from goldproof.errors import FileFormatError, InputError
from goldproof.io import (
    card_key,
    json_text,
    read_card,
    read_json,
    read_ranking,
    replace_file,
    sha256_file,
    write_card,
    write_json,
    write_jsonl_ranking,
    write_text,
    write_trec_run,
)
from goldproof.records.entities import Card
from goldproof.records.tables import RankingTable

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

CARD = Card(
    schema="goldproof.eval",
    schema_version=1,
    inputs={"qrels": "ab" * 32},
    settings={"metrics": ["AP", "P@5"], "margin": 0.01},
    seed=7,
    versions={"goldproof": "0.1"},
    counts={"questions": 3},
)


def test_a_failure_leaves_the_old_file_and_no_other(tmp_path: Path) -> None:
    def pieces() -> Iterator[bytes]:
        yield b"half"
        raise ZeroDivisionError

    write_text(tmp_path / "x", "old")
    with pytest.raises(ZeroDivisionError):
        replace_file(tmp_path / "x", pieces())
    assert [(p.name, p.read_text()) for p in tmp_path.iterdir()] == [("x", "old")]


def test_writing_replaces_and_leaves_nothing_else(tmp_path: Path) -> None:
    write_text(tmp_path / "x", "old")
    write_text(tmp_path / "x", "new\r\n")
    assert [(p.name, p.read_bytes()) for p in tmp_path.iterdir()] == [("x", b"new\r\n")]


def test_a_folder_that_is_missing_is_said_so(tmp_path: Path) -> None:
    with pytest.raises(InputError) as raised:
        write_text(tmp_path / "none" / "x", "y")
    assert str(raised.value) == f"{tmp_path}/none/x: cannot be written: No such file or directory."


def test_json_has_twelve_digits_given_order_and_a_newline() -> None:
    # 1/3 = 0.333333333333 to 12 digits; 0.1 + 0.2 = 0.30000000000000004 prints as 0.3
    value = {"b": 1 / 3, "a": [0.1 + 0.2, np.float64(2.0), np.int64(3), -0.0, None, True], "ü": "é"}
    assert json.loads(json_text(value)) == {"b": 0.333333333333, "a": [0.3, 2.0, 3, 0.0, None, True], "ü": "é"}
    assert json_text({"b": 1 / 3, "a": (-0.0,)}) == '{\n  "b": 0.333333333333,\n  "a": [\n    0.0\n  ]\n}\n'
    assert json_text({"b": 1, "a": 2}, sort_keys=True) == '{\n  "a": 2,\n  "b": 1\n}\n'
    assert json_text({"x": {"c", "a"}, "y": np.arange(2)}) == (
        '{\n  "x": [\n    "a",\n    "c"\n  ],\n  "y": [\n    0,\n    1\n  ]\n}\n'
    )


@pytest.mark.parametrize("bad", [float("nan"), float("inf"), np.float64("-inf")])
def test_json_refuses_what_it_cannot_hold(bad: float) -> None:
    with pytest.raises(InputError) as raised:
        json_text({"runs": [{"mean": bad}]})
    assert str(raised.value) == (f"$.runs[0].mean is {bad}, which JSON cannot hold; write null and the reason instead.")


def test_json_refuses_other_types() -> None:
    with pytest.raises(InputError) as raised:
        json_text({"x": object()})
    assert str(raised.value) == "$.x is a object, which JSON cannot hold."


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_json_floats_keep_twelve_digits(value: float) -> None:
    assert json.loads(json_text([value]))[0] == pytest.approx(value, rel=1e-11, abs=0)


def test_read_json_names_the_line(tmp_path: Path) -> None:
    write_json(tmp_path / "x.json", {"a": 1})
    assert read_json(tmp_path / "x.json") == {"a": 1}
    write_text(tmp_path / "x.json", '{\n"a": }\n')
    with pytest.raises(FileFormatError) as raised:
        read_json(tmp_path / "x.json")
    assert raised.value.line == 2


def test_a_card_reads_back(tmp_path: Path) -> None:
    write_card(tmp_path / "card.json", CARD)
    assert read_card(tmp_path / "card.json") == CARD
    assert card_key(read_card(tmp_path / "card.json")) == card_key(CARD)


def test_the_key_of_a_card_is_what_it_was_made_from() -> None:
    same = Card(
        "goldproof.eval", 1, CARD.inputs, {"margin": 0.01, "metrics": ("AP", "P@5")}, seed=7, counts={"questions": 9}
    )
    other = Card("goldproof.eval", 1, CARD.inputs, CARD.settings, seed=8)
    assert card_key(same) == card_key(CARD)
    assert card_key(other) != card_key(CARD)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("[]", "is not a card: expected a JSON object."),
        ('{"schema": "x"}', "is not a card: no key 'schema_version'."),
        (
            '{"schema": 3, "schema_version": 1, "inputs": {}, "settings": {}}',
            "is not a card: schema 3 is not str.",
        ),
    ],
)
def test_what_is_not_a_card_is_refused(text: str, problem: str, tmp_path: Path) -> None:
    write_text(tmp_path / "card.json", text)
    with pytest.raises(FileFormatError) as raised:
        read_card(tmp_path / "card.json")
    assert raised.value.problem == problem


def test_hashes_are_of_the_bytes_on_disk(tmp_path: Path) -> None:
    write_text(tmp_path / "x", "x")
    assert sha256_file(tmp_path / "x") == hashlib.sha256(b"x").hexdigest()


def test_a_run_is_written_best_first_with_ties_by_document_descending(tmp_path: Path) -> None:
    write_trec_run(tmp_path / "x", RankingTable.from_dict({"q": {"a": 0.1, "b": 2, "c": 0.1}}), tag="mine")
    assert (tmp_path / "x").read_text() == "q Q0 b 1 2.0 mine\nq Q0 c 2 0.1 mine\nq Q0 a 3 0.1 mine\n"


@pytest.mark.parametrize("name", ["a b", "a\tb", "a\nb", "", "a\x0bb"])
def test_ids_with_blanks_cannot_be_written_to_trec(name: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as raised:
        write_trec_run(tmp_path / "x", RankingTable.from_dict({"q": {name: 1.0}}))
    assert str(raised.value) == (
        f"{tmp_path}/x: document id {name!r} cannot be written to a TREC file, whose columns are separated by blanks; "
        "rename it, or write JSONL or Parquet."
    )
    with pytest.raises(InputError, match="query id"):
        write_trec_run(tmp_path / "x", RankingTable.from_dict({name: {"d": 1.0}}))
    assert not (tmp_path / "x").exists()


def test_failed_questions_cannot_be_written_to_trec(tmp_path: Path) -> None:
    with pytest.raises(InputError) as raised:
        write_trec_run(tmp_path / "x", RankingTable.from_dict({}, failed={"q": "timeout"}))
    assert str(raised.value) == (
        f"{tmp_path}/x: 1 failed queries (first: 'q') cannot be written: a TREC run cannot say that a query failed; "
        "leave them out of the ranking first."
    )


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=50)
@given(values=st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1))
def test_scores_read_back_to_the_last_bit(values: list[float], tmp_path: Path) -> None:
    scores = {f"d{i}": value for i, value in enumerate(values)}
    write_trec_run(tmp_path / "x", RankingTable.from_dict({"q": scores}))
    back = read_ranking(tmp_path / "x").to_dict()["q"]
    assert {d: v.hex() for d, v in back.items()} == {d: v.hex() for d, v in scores.items()}


def test_a_run_in_json_lines_reads_back_with_its_failures(tmp_path: Path) -> None:
    ranking = RankingTable.from_dict({"q 1": {"d 1": 0.1, "d2": -3.5}, "q2": {}}, failed={"q3": "Timeout: 10 s"})
    write_jsonl_ranking(tmp_path / "run.jsonl", ranking)
    back = read_ranking(tmp_path / "run.jsonl")
    assert back.to_dict() == {"q 1": {"d 1": 0.1, "d2": -3.5}, "q2": {}}
    assert back.failed == {"q3": "Timeout: 10 s"}


def test_a_json_line_with_as_many_words_as_a_trec_line_is_still_json(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    path.write_text('{"query_id": "q1", "error": "Timeout: 10 s"}\n', encoding="utf-8")
    assert read_ranking(path).failed == {"q1": "Timeout: 10 s"}
