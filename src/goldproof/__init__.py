"""Goldproof: ground truth for retrieval that you can prove, retrieval numbers that you can defend.

import goldproof

result = goldproof.evaluate(judgments, runs={"bm25": bm25, "hybrid": hybrid}, metrics="nDCG@10, R@100")
print(result)
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from goldproof.version import __version__

if TYPE_CHECKING:
    from goldproof.core.dataset import Dataset
    from goldproof.core.errors import GoldproofError
    from goldproof.core.records import Document, Hit, Judgment, Question, Ranking
    from goldproof.corpus import Corpus, open_corpus
    from goldproof.io import read_dataset, read_judgments, read_ranking, read_scores
    from goldproof.jobs.build import BuildResult, build, combine
    from goldproof.jobs.calibrate import calibrate_judge
    from goldproof.jobs.evaluate import evaluate
    from goldproof.jobs.memory import MemoryBenchmark, MemoryResult, run_memory, tune_memory
    from goldproof.jobs.mine import MiningResult, mine
    from goldproof.jobs.trace import TraceResult, score_traces
    from goldproof.jobs.verify import AuditResult, ReplayResult, replay, verify
    from goldproof.memory import Memory, open_memory
    from goldproof.retrieve import Pipeline, open_retriever
    from goldproof.study import Result, compare

__all__ = [
    "AuditResult",
    "BuildResult",
    "Corpus",
    "Dataset",
    "Document",
    "GoldproofError",
    "Hit",
    "Judgment",
    "Memory",
    "MemoryBenchmark",
    "MemoryResult",
    "MiningResult",
    "Pipeline",
    "Question",
    "Ranking",
    "ReplayResult",
    "Result",
    "TraceResult",
    "__version__",
    "build",
    "calibrate_judge",
    "combine",
    "compare",
    "evaluate",
    "mine",
    "open_corpus",
    "open_memory",
    "open_retriever",
    "read_dataset",
    "read_judgments",
    "read_ranking",
    "read_scores",
    "replay",
    "run_memory",
    "score_traces",
    "tune_memory",
    "verify",
]

# Importing goldproof must stay cheap: each name is fetched from its home when first used.
_HOMES = {
    "AuditResult": "goldproof.jobs.verify:AuditResult",
    "BuildResult": "goldproof.jobs.build:BuildResult",
    "Corpus": "goldproof.corpus:Corpus",
    "Dataset": "goldproof.core.dataset:Dataset",
    "Document": "goldproof.core.records:Document",
    "Hit": "goldproof.core.records:Hit",
    "Judgment": "goldproof.core.records:Judgment",
    "GoldproofError": "goldproof.core.errors:GoldproofError",
    "Memory": "goldproof.memory:Memory",
    "MemoryBenchmark": "goldproof.jobs.memory:MemoryBenchmark",
    "MemoryResult": "goldproof.jobs.memory:MemoryResult",
    "MiningResult": "goldproof.jobs.mine:MiningResult",
    "Pipeline": "goldproof.retrieve:Pipeline",
    "Question": "goldproof.core.records:Question",
    "Ranking": "goldproof.core.records:Ranking",
    "ReplayResult": "goldproof.jobs.verify:ReplayResult",
    "Result": "goldproof.study:Result",
    "TraceResult": "goldproof.jobs.trace:TraceResult",
    "build": "goldproof.jobs.build:build",
    "calibrate_judge": "goldproof.jobs.calibrate:calibrate_judge",
    "combine": "goldproof.jobs.build:combine",
    "compare": "goldproof.study:compare",
    "evaluate": "goldproof.jobs.evaluate:evaluate",
    "mine": "goldproof.jobs.mine:mine",
    "open_corpus": "goldproof.corpus:open_corpus",
    "open_memory": "goldproof.memory:open_memory",
    "open_retriever": "goldproof.retrieve:open_retriever",
    "read_dataset": "goldproof.io:read_dataset",
    "read_judgments": "goldproof.io:read_judgments",
    "read_ranking": "goldproof.io:read_ranking",
    "read_scores": "goldproof.io:read_scores",
    "replay": "goldproof.jobs.verify:replay",
    "run_memory": "goldproof.jobs.memory:run_memory",
    "score_traces": "goldproof.jobs.trace:score_traces",
    "tune_memory": "goldproof.jobs.memory:tune_memory",
    "verify": "goldproof.jobs.verify:verify",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'goldproof' has no attribute {name!r}")
    module, _, attribute = _HOMES[name].partition(":")
    return getattr(import_module(module), attribute)


def __dir__() -> list[str]:
    return sorted(__all__)
