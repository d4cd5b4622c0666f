"""The worked example of docs/concepts/traces.md, digit by digit."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

import goldproof

if TYPE_CHECKING:
    from pathlib import Path

    from goldproof import TraceResult

CODE = re.compile(r"```python\nimport goldproof\n\n(?P<code>conversation = .*?)\nresult = ", re.DOTALL)


@pytest.fixture(scope="module")
def page(repo: Path) -> str:
    return (repo / "docs" / "concepts" / "traces.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def result(page: str) -> TraceResult:
    found = CODE.search(page)
    assert found is not None
    names: dict[str, Any] = {}
    exec(found["code"], names)  # noqa: S102 - our own page
    return goldproof.score_traces([names["conversation"]])


def rows(page: str, *, start: str) -> list[list[str]]:
    """The cells of the table that follows a line."""
    table = page.split(start, 1)[1].lstrip("\n").split("\n\n", 1)[0]
    cells = [re.split(r"(?<!\\)\|", line)[1:-1] for line in table.splitlines()]
    return [[cell.strip() for cell in row] for row in cells][2:]


def test_every_number_of_the_table_of_metrics_is_what_is_computed(page: str, result: TraceResult) -> None:
    table = rows(page, start="With w(1) = 1, w(2) = 0.630930, w(3) = 0.5, w(4) = 0.430677:")
    assert len(table) == 9
    for name, *cells in table:
        column = result.iterations[name.strip("`")].to_list()
        for cell, value in zip(cells, column, strict=True):
            written = cell.rpartition("=")[2].strip()
            assert written == f"{value:.6f}".rstrip("0").rstrip(".") or written == f"{value:.6f}", name


def test_every_number_of_the_table_of_counts_is_what_is_computed(page: str, result: TraceResult) -> None:
    table = rows(page, start="host prefix and slash.")
    assert len(table) == 4
    for row, (_, _, *cells) in zip(result.iterations.to_dicts(), table, strict=True):
        written = [int(cell.rpartition("=")[2]) for cell in cells]
        assert written == [row[name] for name in ("R", "UR", "Dup", "GR", "G")]


def test_the_last_iteration_is_the_value_without_a_number(result: TraceResult) -> None:
    # CG = 5 + 4 + 0 + 2; DCG = 5*1 + 4*0.6309298 + 0 + 2*0.4306766 = 8.3850722
    assert result.mean("CG") == 11
    assert result.mean("DCG") == pytest.approx(8.3850722, abs=1e-7)
    assert result.mean("CG@4") == result.mean("CG")
    assert result.mean("IterationsForAllGoodResults") == 4


def test_one_of_seven_distinct_results_is_unjudged(result: TraceResult) -> None:
    # tides, boats, moon, fish, sun, news, bay: news has no label. With gain 4 it would add 4 at iteration 2.
    summary = result.study.summary("system", "CG")
    assert summary.extra["unjudged_share"] == pytest.approx(1 / 7)
    assert summary.extra["bounds"] == {"none_relevant": 11, "all_relevant": 15}
