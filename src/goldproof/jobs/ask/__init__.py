"""Questions drafted from documents by a model, each with its answer and the quotes that hold it."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from goldproof.jobs.ask.job import draft_questions, run_asking
    from goldproof.jobs.ask.plan import open_asking
    from goldproof.jobs.ask.result import AskingResult
else:
    from goldproof.plugins import lazy_exports

    __getattr__, __dir__ = lazy_exports(
        __name__,
        {
            "job": ("draft_questions", "run_asking"),
            "plan": ("open_asking",),
            "result": ("AskingResult",),
        },
    )

__all__ = ["AskingResult", "draft_questions", "open_asking", "run_asking"]
