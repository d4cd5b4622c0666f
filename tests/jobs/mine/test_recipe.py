"""Recipes for mining as people write them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from goldproof.errors import InputError
from goldproof.jobs.mine import CandidateSettings, Recipe, bundled_mines, read_mine, recipe_of
from goldproof.jobs.mine.recipe import is_recipe

if TYPE_CHECKING:
    from pathlib import Path

WHOLE = """\
cases: [cases.yaml, more/fixes.yaml]
corpus: jsonl:corpus.jsonl#size=10
judge: human:labels.jsonl
random: 7
hard: 0
dense: 2
embedder: minilm
discover: google:gemini-3-pro-preview
extend: runs/bm25.trec
depth: 3
kernels: true
no_context: false
seed: 9
"""


def test_every_option_of_the_command_has_its_name_in_the_file(tmp_path: Path) -> None:
    (tmp_path / "corpus.jsonl").touch()
    (tmp_path / "recipe.yaml").write_text(WHOLE)
    assert read_mine(tmp_path / "recipe.yaml") == Recipe(
        cases=(tmp_path / "cases.yaml", tmp_path / "more" / "fixes.yaml"),
        corpus=f"jsonl:{tmp_path / 'corpus.jsonl'}#size=10",  # stands in the recipe's folder
        judge="human:labels.jsonl",  # does not
        candidate_settings=CandidateSettings(
            random=7,
            hard=0,
            dense=2,
            discover="google:gemini-3-pro-preview",
            runs=(tmp_path / "runs" / "bm25.trec",),
            depth=3,
        ),
        kernels=True,
        no_context=False,
        seed=9,
    )


def test_what_is_said_besides_a_recipe_takes_its_place() -> None:
    base = Recipe(corpus="folder:a", candidate_settings=CandidateSettings(random=1, hard=2))
    changed = recipe_of(base, random=9, corpus=None, kernels=True)
    assert changed == Recipe(corpus="folder:a", candidate_settings=CandidateSettings(random=9, hard=2), kernels=True)


def test_bundled_recipes_are_found_by_name() -> None:
    assert "example" in bundled_mines()
    assert read_mine("example").judge == "answer"
    assert all(path.exists() for path in read_mine("example").cases)


def test_a_recipe_is_told_from_a_file_of_cases(tmp_path: Path) -> None:
    (tmp_path / "recipe.yaml").write_text("cases: [a.yaml]\ncorpus: folder:b\n")
    (tmp_path / "cases.yaml").write_text("benchmarks: []\n")
    assert is_recipe(tmp_path / "recipe.yaml")
    assert not is_recipe(tmp_path / "cases.yaml")
    assert is_recipe("example")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("cases: [a.yaml]\n", "no key 'corpus'"),
        ("corpus: folder:b\n", "no key 'cases'"),
        ("cases: [a.yaml]\ncorpus: folder:b\nrandm: 3\n", "did you mean 'random'"),
        ("cases: [a.yaml]\ncorpus: folder:b\nrandom: many\n", "whole number"),
        ("cases: [a.yaml]\ncorpus: folder:b\nkernels: maybe\n", "true or false"),
        ("cases: {a: b}\ncorpus: folder:b\n", "list of names"),
        ("benchmarks: []\n", "--cases"),
        ("- a\n", "expected a recipe with keys such as cases: and corpus:"),
        ("cases: [a.yaml]\ncorpus: folder:b\nruns: [a.trec]\n", "unknown key 'runs'"),
    ],
)
def test_a_recipe_that_cannot_be_read_says_where_and_what(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "recipe.yaml").write_text(text)
    with pytest.raises(InputError, match=r"recipe\.yaml") as refused:
        read_mine(tmp_path / "recipe.yaml")
    assert said in str(refused.value)


@pytest.mark.parametrize("value", [-1, True, 1.5])
def test_numbers_of_documents_are_whole(value: object) -> None:
    with pytest.raises(InputError, match="whole number"):
        CandidateSettings(random=value)  # type: ignore[arg-type]
