"""The benchmark of conversational memory: scenarios, measures, failure analysis, tuning."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from goldproof.jobs.memory.benchmark import MemoryBenchmark
    from goldproof.jobs.memory.job import run_memory
    from goldproof.jobs.memory.result import MemoryResult
    from goldproof.jobs.memory.tuning.job import tune_memory
    from goldproof.jobs.memory.tuning.result import TuneResult
else:
    from goldproof.plugins import lazy_exports

    __getattr__, __dir__ = lazy_exports(
        __name__,
        {
            "benchmark": ("MemoryBenchmark",),
            "job": ("run_memory",),
            "result": ("MemoryResult",),
            "tuning.job": ("tune_memory",),
            "tuning.result": ("TuneResult",),
        },
    )

__all__ = [
    "MemoryBenchmark",
    "MemoryResult",
    "TuneResult",
    "run_memory",
    "tune_memory",
]
