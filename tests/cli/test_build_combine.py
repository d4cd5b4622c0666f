"""`goldproof combine`: parsed, called, printed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from goldproof.jobs.build.output.files import sample_line
from tests.jobs.build.samples import PLAIN, THREE, many, write_lines

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.cli.conftest import Done


@pytest.fixture
def one(tmp_path: Path) -> Path:
    return write_lines(tmp_path / "one.jsonl", *map(sample_line, THREE))


@pytest.fixture
def two(tmp_path: Path) -> Path:
    return write_lines(tmp_path / "two.jsonl", *map(sample_line, many(2)))


def test_a_table_of_phases_on_stdout_and_the_place_on_stderr(
    goldproof: Callable[..., Done], tmp_path: Path, one: Path, two: Path
) -> None:
    done = goldproof("combine", one, two, "--output", tmp_path / "all.jsonl", "--manifest", tmp_path / "all.csv")
    assert (done.code, done.err) == (0, f"written to {tmp_path / 'all.jsonl'}\n")
    assert done.out.splitlines() == [
        "Combined 5 questions from 2 benchmarks.",
        "",
        "doc type    one  two  all",
        "──────────  ───  ───  ───",
        "clean_text    2    0    2",
        "table         1    2    3",
        "all           3    2    5",
    ]
    assert (tmp_path / "all.csv").read_text().count("\n") == 6


def test_json_is_one_document(goldproof: Callable[..., Done], tmp_path: Path, one: Path, two: Path) -> None:
    done = goldproof("combine", one, two, "--output", tmp_path / "all.jsonl", "--beir", tmp_path / "beir", "--json")
    assert done.code == 0
    assert done.json["phases"] == {"one": 3, "two": 2}
    assert done.json["beir"] == str(tmp_path / "beir")
    remark = "no corpus file beside one.jsonl, two.jsonl: in the BEIR folder, documents that occur only there have no"
    assert done.err.splitlines()[1:] == [f"{remark} titles."]
    assert set(done.json["outputs"]) >= {"all.jsonl", "all_manifest.csv", "beir/queries.jsonl"}


def test_repeats_end_with_exit_code_2_and_nothing_written(
    goldproof: Callable[..., Done], tmp_path: Path, one: Path
) -> None:
    again = write_lines(tmp_path / "again.jsonl", sample_line(PLAIN))
    done = goldproof("combine", one, again, "--output", tmp_path / "all.jsonl")
    assert (done.code, done.out) == (2, "")
    assert f"{again}:1: id 'tatqa:a1' is also in {one}:1." in done.err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["again.jsonl", "one.jsonl"]


@pytest.mark.parametrize("value", ["0", "1.1", "none", "nan"])
def test_a_wrong_similarity_is_refused(
    goldproof: Callable[..., Done], tmp_path: Path, one: Path, two: Path, value: str
) -> None:
    done = goldproof("combine", one, two, "--output", tmp_path / "all.jsonl", "--near-duplicates", value)
    assert done.code == 2
    assert f"--near-duplicates is '{value}', expected off or a number" in done.err


def test_near_duplicates_can_be_allowed(goldproof: Callable[..., Done], tmp_path: Path, one: Path) -> None:
    line = sample_line(PLAIN).replace(b'"id":"tatqa:a1"', b'"id":"other"')
    near = write_lines(tmp_path / "near.jsonl", line)
    command = ("combine", one, near, "--output", tmp_path / "all.jsonl")
    assert goldproof(*command).code == 2
    assert goldproof(*command, "--near-duplicates", "off").code == 0
