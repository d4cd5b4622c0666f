"""The command line on NIST's own files gives NIST's own numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.cli.conftest import Done

NAMES = {
    "map": "AP",
    "Rprec": "Rprec",
    "bpref": "Bpref",
    "recip_rank": "RR",
    "P_5": "P@5",
    "P_1000": "P@1000",
    "recall_100": "R@100",
    "ndcg": "nDCG",
    "ndcg_cut_10": "nDCG@10",
    "map_cut_20": "AP@20",
    "success_10": "Hit@10",
    "set_P": "P",
    "set_recall": "R",
}


@pytest.mark.realdata
def test_goldproof_eval_prints_trec_evals_means(goldproof: Callable[..., Done], realdata: Path) -> None:
    folder = realdata / "trec_eval"
    reference = {
        name: float(value)
        for name, question, value in (line.split() for line in (folder / "out.test.a").read_text().splitlines())
        if question == "all" and name in NAMES
    }
    assert set(reference) == set(NAMES)
    args = ["--qrels", folder / "qrels.test", "--run", folder / "results.test", "--metrics", ",".join(NAMES.values())]
    found = goldproof("eval", *args, "--json").json["metrics"]
    for name, value in reference.items():
        assert round(found[NAMES[name]]["runs"]["results.test"]["mean"], 4) == pytest.approx(value, abs=5.1e-5), name
