"""Score runs against judgments: from Python objects and from files."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from goldproof.jobs.evaluate.explain import explain_question
    from goldproof.jobs.evaluate.files import EvaluationFiles, evaluate_files
    from goldproof.jobs.evaluate.job import EvaluationResult, evaluate
    from goldproof.jobs.evaluate.scoring import Scoring
else:
    from goldproof.plugins import lazy_exports

    __getattr__, __dir__ = lazy_exports(
        __name__,
        {
            "explain": ("explain_question",),
            "files": ("EvaluationFiles", "evaluate_files"),
            "job": ("EvaluationResult", "evaluate"),
            "scoring": ("Scoring",),
        },
    )

__all__ = ["EvaluationFiles", "EvaluationResult", "Scoring", "evaluate", "evaluate_files", "explain_question"]
