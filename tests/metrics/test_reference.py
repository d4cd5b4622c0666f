"""The reference page says what the code says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docs.metrics_page import metrics_page
from goldproof.metrics import METRICS

if TYPE_CHECKING:
    from pathlib import Path


def test_the_page_in_docs_is_the_one_the_definitions_give(repo: Path) -> None:
    assert (repo / "docs" / "reference" / "metrics.md").read_text(encoding="utf-8") == metrics_page()


def test_metrics_of_traces_stand_in_a_part_of_their_own() -> None:
    rankings, traces = metrics_page().split("## Search traces: all metrics\n")
    for family in METRICS:
        here, there = (traces, rankings) if METRICS.get(family).subject == "trace" else (rankings, traces)
        assert f"### {family}\n" in here
        assert f"### {family}\n" not in there


def test_every_metric_has_a_section_a_formula_and_a_defined_example() -> None:
    page = metrics_page()
    assert "is undefined:" not in page
    for family in METRICS:
        section = page.split(f"### {family}\n", 1)[1].split("\n### ", 1)[0]
        assert f"\n    {family}" in section.split("Example:")[0]
        assert f"\n    {family}" in section.split("Example:")[1]
