"""The figures of docs/concepts/mining-quality.md are what mining gives."""

from __future__ import annotations

import importlib.util
import re
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from pathlib import Path

NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")
# Another processor may break a tie of bm25 otherwise: by a question of 100 or two, and by what follows from it.
CLOSE_SHARE, CLOSE_COUNT = 0.021, 0.03

pytestmark = [pytest.mark.realdata, pytest.mark.slow]


def script(repo: Path) -> Any:  # noqa: ANN401 - a module that is no part of the package
    spec = importlib.util.spec_from_file_location("measure_mining", repo / "docs" / "measure_mining.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def printed(repo: Path, title: str) -> list[list[list[str]]]:
    """Return the tables of one dataset as the page has them: rows of cells, the headings first."""
    page = (repo / "docs" / "concepts" / "mining-quality.md").read_text(encoding="utf-8")
    section = page.partition(f"\n## {title}\n")[2].partition("\n## ")[0]
    blocks = [block.splitlines() for block in section.split("\n\n") if block.startswith("|")]
    return [[[cell.strip() for cell in line.strip("|").split("|")] for line in block] for block in blocks]


def numbers(cells: list[str] | tuple[str, ...]) -> list[float]:
    return [float(found.replace(",", "")) for cell in cells for found in NUMBER.findall(cell)]


def assert_close(shown: list[float], measured: list[float]) -> None:
    assert len(shown) == len(measured)
    for one, other in zip(shown, measured, strict=True):
        within = CLOSE_SHARE if max(one, other) <= 1 else CLOSE_COUNT * max(one, other) + 0.5
        assert one == pytest.approx(other, abs=within), (shown, measured)


@pytest.mark.parametrize("title", ["HotpotQA", "MuSiQue"])
def test_the_page_shows_what_is_measured(repo: Path, realdata: Path, title: str) -> None:
    module = script(repo)
    collection = next(one for one in module.collections(realdata) if one.title == title)
    shown = {tuple(table[0]): table[2:] for table in printed(repo, title)}
    tables = [*module.kernel_tables(collection), module.candidate_table(collection, ("random", "bm25"))]
    if collection.has_sub_questions:
        tables.append(module.parts_table(collection))
    for table in tables:
        rows = shown[tuple(heading.name for heading in table.headings)]
        words = sum(heading.align == "left" for heading in table.headings)
        for row in table.rows:
            same = [one for one in rows if one[:words] == list(row[:words])]
            assert len(same) == 1, row
            assert_close(numbers(same[0]), numbers(row))


def test_every_kernel_of_the_gold_judge_is_the_gold_one(repo: Path, realdata: Path) -> None:
    module = script(repo)
    collection = module.collections(realdata)[0]
    found = module.kernels(collection, module.Way(quotes=True))
    assert all(set(outcome.kernels) <= {tuple(sorted(gold.documents))} for gold, outcome, _ in found)
    assert sum(bool(outcome.kernels) for _, outcome, _ in found) > 80
