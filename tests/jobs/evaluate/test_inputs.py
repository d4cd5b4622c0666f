"""Runs in any form; several in place of one are answered with how to write them."""

from __future__ import annotations

from pathlib import Path

import pytest

import goldproof
from goldproof.errors import InputError

QRELS = {"q1": {"d1": 1}, "q2": {"d2": 1}}
RUN = {"q1": {"d1": 1.0}, "q2": {"d1": 1.0}}


@pytest.mark.parametrize(
    "given",
    [
        {"bm25": "bm25.trec"},
        {"bm25": Path("bm25.trec")},
        {"bm25": RUN},
        {"bm25": {"q1": ["d1"]}},
        ["runs/bm25.trec"],
        [Path("runs/bm25.trec")],
    ],
    ids=["path text", "path", "scores", "documents in order", "list of texts", "list of paths"],
)
def test_runs_by_name_as_the_second_argument_are_answered_with_runs(given: object) -> None:
    with pytest.raises(InputError, match=r"the second argument is one run.*write runs=\{'bm25': \.\.\.\}\.$"):
        goldproof.evaluate(QRELS, given)
    several = {**given, "dense": RUN} if isinstance(given, dict) else [*given, "dense.trec"]  # type: ignore[misc]
    with pytest.raises(InputError, match=r"write runs=\{'bm25': \.\.\., \.\.\.\}\.$"):
        goldproof.evaluate(QRELS, several)


@pytest.mark.parametrize("given", [RUN, {"q1": ["d1"], "q2": ["d1"]}, {"q1": {}, "q2": {"d2": 1.0}}])
def test_one_run_as_the_second_argument_is_scored(given: object) -> None:
    assert goldproof.evaluate(QRELS, given, metrics="RR@10").study.panel.runs == ("run",)


@pytest.mark.realdata
def test_cranfields_judgments_alone_are_refused_since_1_is_their_best_grade(realdata: Path) -> None:
    with pytest.raises(InputError, match=r"have 1 as the best grade .* is read that way: --dataset"):
        goldproof.evaluate(realdata / "cranfield" / "cranqrel", RUN)
