"""Score runs against judgments: Python objects or files."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from goldproof.jobs.evaluate.explain import explain_question
    from goldproof.jobs.evaluate.job import EvaluationResult, evaluate
    from goldproof.jobs.evaluate.losses import explain_losses
    from goldproof.jobs.evaluate.scoring import Scoring
else:
    from goldproof.plugins import lazy_exports

    __getattr__, __dir__ = lazy_exports(
        __name__,
        {
            "explain": ("explain_question",),
            "job": ("EvaluationResult", "evaluate"),
            "losses": ("explain_losses",),
            "scoring": ("Scoring",),
        },
    )

__all__ = ["EvaluationResult", "Scoring", "evaluate", "explain_losses", "explain_question"]
