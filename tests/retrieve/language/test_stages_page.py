"""The page on pipelines tells of every stage and parameter, as they are."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
import yaml

from docs.stages_page import with_stage_table
from goldproof.retrieve.language import parse, read_pipelines
from goldproof.retrieve.stage import BUILT_IN

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="module")
def page(repo: Path) -> str:
    return (repo / "docs" / "reference" / "pipelines.md").read_text(encoding="utf-8")


def test_the_stages_on_the_page_are_those_of_the_code(page: str) -> None:
    assert with_stage_table(page) == page, "docs/reference/pipelines.md is stale: run make docs"


def test_every_built_in_stage_is_on_the_page(page: str) -> None:
    assert re.findall(r"^### (\w+)$", page.partition("## Every stage")[2], re.MULTILINE)[: len(BUILT_IN)] == list(
        BUILT_IN
    )


def test_the_yaml_of_the_page_is_read(page: str, tmp_path: Path) -> None:
    example = re.findall(r"```yaml\n(.*?)```", page, re.DOTALL)[0]
    (tmp_path / "p.yaml").write_text(example, encoding="utf-8")
    found = read_pipelines(tmp_path / "p.yaml")
    assert list(found) == list(yaml.safe_load(example)["retrievers"])
    assert found["fused"] == parse(
        "hybrid(bm25, dense(minilm), method=rrf) | floor(0.3) | decay(kind=exp, half_life=10) "
        '| filter(lang=[en, de], year=2019..2021, city="New York") | top(5)'
    )


def test_the_pipelines_of_the_page_are_read(page: str) -> None:
    prose = page.partition("## Every stage")[0]
    pipelines = [text for text in re.findall(r"`([^`\n]+)`", prose) if re.match(r"\w+\(.*\)$|[^:]* \| ", text)]
    assert len(pipelines) > 10
    for text in pipelines:
        assert parse(str(parse(text))) == parse(text)
