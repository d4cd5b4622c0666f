"""Run a retriever over questions and write the run."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from goldproof.jobs.retrieve.job import RetrievalFiles, RetrievalPlan, RetrievalResult, open_plan, run_plan
else:
    from goldproof.plugins import lazy_exports

    __getattr__, __dir__ = lazy_exports(
        __name__,
        {
            "job": ("RetrievalFiles", "RetrievalPlan", "RetrievalResult", "open_plan", "run_plan"),
        },
    )

__all__ = ["RetrievalFiles", "RetrievalPlan", "RetrievalResult", "open_plan", "run_plan"]
