"""The search space: what a file may say, and what is said of it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from goldproof.errors import FileFormatError
from goldproof.jobs.memory.tuning.space import Space, read_space, space_rows

if TYPE_CHECKING:
    from pathlib import Path

FULL = """\
embedders: [minilm, "my.module:embed"]
sources: [dense, hybrid]
fusion: [sum]
weight: [0.3, 0.7]
floor: [0.1, 0.5]
score_floor: [0.5, 4]
half_life: [5, 50]
filters_from_query: [role]
recency_from_query: false
expansion: []
reranking: [llm:small]
k: [2, 4]
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "space.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_file_says_everything_that_a_space_has(tmp_path: Path) -> None:
    assert read_space(written(tmp_path, FULL)) == Space(
        embedders=("minilm", "my.module:embed"),
        sources=("dense", "hybrid"),
        fusion=("sum",),
        weight=(0.3, 0.7),  # type: ignore[arg-type]
        floor=(0.1, 0.5),  # type: ignore[arg-type]
        score_floor=(0.5, 4.0),  # type: ignore[arg-type]
        half_life=(5, 50),  # type: ignore[arg-type]
        filters_from_query=("role",),
        recency_from_query=False,
        expansion=(),
        reranking=("llm:small",),
        k=(2, 4),
    )


@pytest.mark.parametrize("text", ["# nothing\n", "{}\n"])
def test_what_a_file_leaves_out_keeps_its_default(tmp_path: Path, text: str) -> None:
    assert read_space(written(tmp_path, text)) == Space()


@pytest.mark.parametrize("off", ["null", "false", "~"])
def test_a_range_can_be_switched_off(tmp_path: Path, off: str) -> None:
    assert read_space(written(tmp_path, f"floor: {off}\nhalf_life: {off}\n")) == Space(floor=None, half_life=None)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("flor: [0, 1]", "unknown key 'flor'; did you mean 'floor'?"),
        ("floor: [0.5, 0.1]", "floor is ['0.5', '0.1'], expected two numbers from -1 to 1, the lower one first"),
        ("floor: 0.3", "floor is '0.3', expected two numbers"),
        ("floor: [a, b]", "expected two numbers"),
        ("floor: [null, 1]", "floor is [None, '1'], expected two numbers"),
        ("floor: [0, 0.5, 1]", "expected two numbers"),
        ("ages: [a]", "unknown key 'ages'"),
        ("floor: [0.1, nan]", "expected two numbers"),
        ("score_floor: [0, inf]", "expected two numbers at least 0"),
        ("weight: [0, 2]", "expected two numbers from 0 to 1"),
        ("half_life: [0, 5]", "expected two numbers from 1 to"),
        ("k: [0, 5]", "expected two whole numbers above 0"),
        ("k: [1.5, 5]", "expected two whole numbers above 0"),
        ("k: null", "expected two whole numbers above 0"),
        ("embedders: []", "embedders is [], expected a list of at least one name."),
        ("sources: [bm52]", "sources: unknown name 'bm52'; did you mean 'bm25'?"),
        ("recency_from_query: maybe", "expected true or false"),
        ("- bm25", "expected keys such as floor"),
    ],
)
def test_a_wrong_file_is_refused_with_what_was_expected(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(FileFormatError) as caught:
        read_space(written(tmp_path, text))
    assert says in str(caught.value)
    assert str(caught.value).startswith(str(tmp_path / "space.yaml"))


def test_a_name_that_is_there_twice_counts_once(tmp_path: Path) -> None:
    assert read_space(written(tmp_path, "sources: [bm25, dense, bm25]")).sources == ("bm25", "dense")


def test_the_description_names_every_choice() -> None:
    assert space_rows(Space()) == (
        ("embedder", "minilm"),
        ("source", "bm25, dense, hybrid"),
        ("fusion", "rrf, sum"),
        ("weight of dense", "0.1 to 0.9"),
        ("floor of similarity", "0.05 to 0.6, or off"),
        ("floor of the score of bm25", "off"),
        ("decay", "half-life 2 to 200 turns, or off"),
        ("filters from the query", "role, turn, or off"),
        ("recency from the query", "on, or off"),
        ("expansion", "minilm, or off"),
        ("reranking", "off"),
        ("k", "1 to the k of the rules"),
    )


def test_without_hybrid_nothing_is_said_of_fusion() -> None:
    names = [name for name, _ in space_rows(Space(sources=("dense",), k=(1, 4)))]
    assert "fusion" not in names
    assert "weight of dense" not in names


def test_a_space_can_be_written_as_json() -> None:
    assert json.loads(json.dumps(Space(k=(1, 5)).to_dict()))["floor"] == [0.05, 0.6]
