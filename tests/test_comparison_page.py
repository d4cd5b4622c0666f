"""The figures of docs/concepts/comparison.md are what the retrievers give."""

from __future__ import annotations

import importlib.util
import re
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from pathlib import Path

ROW = re.compile(r"\| (?P<metric>[A-Za-z]*@?\d*) *\| (?P<run>[\w-]+) \| (?P<mean>\d\.\d+) \|")
# Another processor adds in another order, and one rank more or less moves a mean by this much at most.
CLOSE = 0.003

pytestmark = [pytest.mark.realdata, pytest.mark.slow]


def script(repo: Path) -> Any:  # noqa: ANN401 - a module that is no part of the package
    spec = importlib.util.spec_from_file_location("measure_retrievers", repo / "docs" / "measure_retrievers.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def printed(repo: Path, title: str) -> dict[tuple[str, str], float]:
    """Return (metric, run) -> mean, as the page has it."""
    page = (repo / "docs" / "concepts" / "comparison.md").read_text(encoding="utf-8")
    section = page.partition(f"\n## {title}\n")[2].partition("\n## ")[0]
    found, metric = {}, ""
    for row in ROW.finditer(section):
        metric = row["metric"] or metric
        found[metric, row["run"]] = float(row["mean"])
    return found


@pytest.mark.parametrize("names", [("bm25", "bm25-stem"), ("bm25", "dense", "hybrid")], ids=["words", "vectors"])
def test_the_page_shows_what_is_measured(repo: Path, realdata: Path, tmp_path: Path, names: tuple[str, ...]) -> None:
    module = script(repo)
    for collection in module.collections(realdata, tmp_path):
        if "dense" in names and collection.title != "HotpotQA":
            continue  # the smallest of the three: embedding all of them takes minutes
        expected = printed(repo, collection.title)
        result = module.measure(collection, names)
        metrics = collection.metrics.split(", ")
        assert len(expected) == len(metrics) * len(module.RETRIEVERS)
        for metric in metrics:
            for name in names:
                assert result.mean(metric, name) == pytest.approx(expected[metric, name], abs=CLOSE), (metric, name)
