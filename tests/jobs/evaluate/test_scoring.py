"""What a result says of metrics that may mean something else."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from goldproof import evaluate
from goldproof.jobs.evaluate import explain_question

if TYPE_CHECKING:
    from pathlib import Path

KERNELS = {"q": [["a", "b"]]}


@pytest.mark.parametrize("asked", ["Success@5", ["Success@5", "nDCG@10"], "R@5, Success(rel=2)@5"])
def test_success_hints_at_set_success_where_there_are_kernels(asked: str | list[str]) -> None:
    result = evaluate({"q": {"a": 2, "b": 1}}, {"q": {"a": 1.0}}, metrics=asked, kernels=KERNELS)
    assert result.remarks == (
        (
            "Success@5 is read as Hit@5: one relevant document is enough. 1 question has kernels; "
            "SetSuccess@5 asks for every document of one kernel."
        ),
    )


def test_no_hint_without_kernels_or_where_success_was_not_typed() -> None:
    judged, run = {"q": {"a": 2, "b": 1}}, {"q": {"a": 1.0}}
    assert evaluate(judged, run, metrics="Success@5").remarks == ()
    assert evaluate(judged, run, metrics="Hit@5, SetSuccess@5", kernels=KERNELS).remarks == ()


def test_a_gate_and_the_primary_metric_hint_too(tmp_path: Path) -> None:
    folder = tmp_path / "x"
    (folder / "qrels").mkdir(parents=True)
    (folder / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\na\tb\t1\n")
    (folder / "kernels.jsonl").write_text('{"query_id": "a", "kernels": [["b"]]}\n')
    (tmp_path / "r.run").write_text("a Q0 b 2 8 t\n")
    runs = {"run": tmp_path / "r.run"}
    gated = evaluate(folder, runs=runs, metrics="Hit@5", fail_if=["Success@5 < 0.9"])
    assert [remark for remark in gated.remarks if "SetSuccess@5" in remark]
    assert [r for r in explain_question(folder, "a", runs=runs, metrics="Success@5").remarks if "SetSuccess@5" in r]
    assert not [r for r in explain_question(folder, "a", runs=runs, metrics="Hit@5").remarks if "SetSuccess@5" in r]
