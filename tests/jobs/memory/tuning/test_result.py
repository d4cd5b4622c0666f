"""The winning configuration as a file that runs elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from goldproof.jobs.memory.scenario_run import run_suite
from goldproof.jobs.memory.tuning.result import winner_yaml
from goldproof.jobs.memory.tuning.trial import FinishedSearch, TrialRecord
from goldproof.memory import Memory, open_memory
from goldproof.retrieve import open_retriever
from tests.jobs.memory.tuning.made_suites import suite

if TYPE_CHECKING:
    from pathlib import Path

SUITE = suite("ash", "birch")
ADVICE = "Keep the baseline: it is\nbetter, a: # b."
BASELINE = TrialRecord(0, "dense(minilm)", 0.5)


def tuned(pipeline: str) -> FinishedSearch:
    winner = TrialRecord(1, pipeline, 0.61236)
    return FinishedSearch((BASELINE, winner), BASELINE, winner, "f1_or_silence")


def test_the_file_says_what_it_was_tuned_on() -> None:
    assert winner_yaml(tuned("bm25 | top(2)"), development=SUITE, seed=42, k=8, advice=ADVICE) == (
        "# Keep the baseline: it is better, a: # b.\n"
        "# Tuned on made (development: 2 scenarios, 8 queries), 2 trials, seed 42.\n"
        "# f1_or_silence on development: 0.6124 (baseline 0.5000).\n"
        "# It was chosen for that score, so the score is too high; the first line has the hold-out.\n"
        "# Asked for k = 8 memories: give --k 8 where that is not the default.\n"
        "# Baseline: dense(minilm)\n"
        "retrievers:\n"
        '  tuned: "bm25 | top(2)"\n'
    )


@pytest.mark.parametrize(
    "pipeline",
    [
        "hybrid(bm25, dense(minilm), weights=[0.3, 0.7]) | filter_from_query(role, turn) | floor(0.25) | top(2)",
        "dense(minilm) | decay(exp, half_life=20, missing=keep) | recent_from_query | top(3)",
        'bm25 | filter(topic="new # york: a ""b""") | top(2)',
        "bm25 | filter(topic='say \"ü\"')",
    ],
)
def test_the_file_reads_back_as_the_same_pipeline(tmp_path: Path, pipeline: str) -> None:
    canonical = str(open_retriever(pipeline))
    path = tmp_path / "memory.yaml"
    path.write_text(winner_yaml(tuned(canonical), development=SUITE, seed=1, k=5, advice=ADVICE), encoding="utf-8")
    assert str(open_retriever(path)) == canonical
    assert str(open_retriever(f"{path}#tuned")) == canonical


def test_a_memory_from_the_file_answers_as_the_winner_did(tmp_path: Path) -> None:
    pipeline = "hybrid(bm25, dense(minilm), weights=[0.3, 0.7]) | floor(0.25) | top(2)"
    path = tmp_path / "memory.yaml"
    path.write_text(winner_yaml(tuned(pipeline), development=SUITE, seed=1, k=5, advice=ADVICE), encoding="utf-8")
    with Memory(pipeline) as memory:
        expected = [row.hits for row in run_suite(SUITE, memory, k=5)]
    assert [row.hits for row in run_suite(SUITE, open_memory(str(path)), k=5)] == expected
    assert any(expected)
