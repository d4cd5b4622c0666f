"""Karat: ground truth for retrieval that you can prove, retrieval numbers that you can defend.

import karat

result = karat.evaluate(judgments, runs={"bm25": bm25, "hybrid": hybrid}, metrics="nDCG@10, R@100")
print(result)
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from karat.version import __version__

if TYPE_CHECKING:
    from karat.core.dataset import Dataset
    from karat.core.errors import KaratError
    from karat.core.records import Document, Hit, Judgment, Question, Ranking
    from karat.corpus import Corpus, open_corpus
    from karat.io import read_dataset, read_judgments, read_ranking, read_scores
    from karat.jobs.build import BuildResult, build, combine
    from karat.jobs.calibrate import calibrate_judge
    from karat.jobs.evaluate import evaluate
    from karat.jobs.memory import MemoryBenchmark, MemoryResult, run_memory, tune_memory
    from karat.jobs.mine import MiningResult, mine
    from karat.jobs.trace import TraceResult, score_traces
    from karat.jobs.verify import AuditResult, ReplayResult, replay, verify
    from karat.memory import Memory, open_memory
    from karat.retrieve import Pipeline, open_retriever
    from karat.study import Result, compare

__all__ = [
    "AuditResult",
    "BuildResult",
    "Corpus",
    "Dataset",
    "Document",
    "Hit",
    "Judgment",
    "KaratError",
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

# Importing karat must stay cheap: each name is fetched from its home when first used.
_HOMES = {
    "AuditResult": "karat.jobs.verify:AuditResult",
    "BuildResult": "karat.jobs.build:BuildResult",
    "Corpus": "karat.corpus:Corpus",
    "Dataset": "karat.core.dataset:Dataset",
    "Document": "karat.core.records:Document",
    "Hit": "karat.core.records:Hit",
    "Judgment": "karat.core.records:Judgment",
    "KaratError": "karat.core.errors:KaratError",
    "Memory": "karat.memory:Memory",
    "MemoryBenchmark": "karat.jobs.memory:MemoryBenchmark",
    "MemoryResult": "karat.jobs.memory:MemoryResult",
    "MiningResult": "karat.jobs.mine:MiningResult",
    "Pipeline": "karat.retrieve:Pipeline",
    "Question": "karat.core.records:Question",
    "Ranking": "karat.core.records:Ranking",
    "ReplayResult": "karat.jobs.verify:ReplayResult",
    "Result": "karat.study:Result",
    "TraceResult": "karat.jobs.trace:TraceResult",
    "build": "karat.jobs.build:build",
    "calibrate_judge": "karat.jobs.calibrate:calibrate_judge",
    "combine": "karat.jobs.build:combine",
    "compare": "karat.study:compare",
    "evaluate": "karat.jobs.evaluate:evaluate",
    "mine": "karat.jobs.mine:mine",
    "open_corpus": "karat.corpus:open_corpus",
    "open_memory": "karat.memory:open_memory",
    "open_retriever": "karat.retrieve:open_retriever",
    "read_dataset": "karat.io:read_dataset",
    "read_judgments": "karat.io:read_judgments",
    "read_ranking": "karat.io:read_ranking",
    "read_scores": "karat.io:read_scores",
    "replay": "karat.jobs.verify:replay",
    "run_memory": "karat.jobs.memory:run_memory",
    "score_traces": "karat.jobs.trace:score_traces",
    "tune_memory": "karat.jobs.memory:tune_memory",
    "verify": "karat.jobs.verify:verify",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'karat' has no attribute {name!r}")
    module, _, attribute = _HOMES[name].partition(":")
    return getattr(import_module(module), attribute)


def __dir__() -> list[str]:
    return sorted(__all__)
