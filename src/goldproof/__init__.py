"""Build retrieval benchmarks, find and verify the documents that answer a question, measure retrieval with statistics.

import goldproof

result = goldproof.evaluate(judgments, runs={"bm25": bm25, "hybrid": hybrid}, metrics="nDCG@10, R@100")
print(result)
"""

from typing import TYPE_CHECKING

__version__ = "0.1.0.dev0"

if TYPE_CHECKING:
    from goldproof.corpus import Corpus, open_corpus
    from goldproof.errors import GoldproofError
    from goldproof.io import read_dataset, read_judgments, read_ranking, read_scores
    from goldproof.jobs.ask import AskingResult, draft_questions
    from goldproof.jobs.build import BuildResult, build, combine
    from goldproof.jobs.calibrate import calibrate_judge
    from goldproof.jobs.evaluate import evaluate
    from goldproof.jobs.memory import MemoryBenchmark, MemoryResult, run_memory, tune_memory
    from goldproof.jobs.mine import MiningResult, mine
    from goldproof.jobs.trace import TraceResult, score_traces
    from goldproof.jobs.verify import AuditResult, ReplayResult, replay, verify
    from goldproof.memory import Memory, open_memory
    from goldproof.records.entities import Dataset, Document, Hit, Judgment, Question, Ranking
    from goldproof.retrieve import Pipeline, open_retriever
    from goldproof.study import Result, compare
else:
    from goldproof.plugins import lazy_exports

    __getattr__, __dir__ = lazy_exports(
        __name__,
        {
            "corpus": ("Corpus", "open_corpus"),
            "errors": ("GoldproofError",),
            "io": ("read_dataset", "read_judgments", "read_ranking", "read_scores"),
            "jobs.ask": ("AskingResult", "draft_questions"),
            "jobs.build": ("BuildResult", "build", "combine"),
            "jobs.calibrate": ("calibrate_judge",),
            "jobs.evaluate": ("evaluate",),
            "jobs.memory": ("MemoryBenchmark", "MemoryResult", "run_memory", "tune_memory"),
            "jobs.mine": ("MiningResult", "mine"),
            "jobs.trace": ("TraceResult", "score_traces"),
            "jobs.verify": ("AuditResult", "ReplayResult", "replay", "verify"),
            "memory": ("Memory", "open_memory"),
            "records.entities": ("Dataset", "Document", "Hit", "Judgment", "Question", "Ranking"),
            "retrieve": ("Pipeline", "open_retriever"),
            "study": ("Result", "compare"),
        },
    )

__all__ = [
    "AskingResult",
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
    "draft_questions",
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
