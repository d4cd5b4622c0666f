"""Score runs against judgments: from Python, and from files."""

from goldproof.jobs.evaluate.explain import explain_question
from goldproof.jobs.evaluate.files import EvaluationFiles, evaluate_files
from goldproof.jobs.evaluate.job import EvaluationResult, evaluate
from goldproof.jobs.evaluate.scoring import Scoring

__all__ = [
    "EvaluationFiles",
    "EvaluationResult",
    "Scoring",
    "evaluate",
    "evaluate_files",
    "explain_question",
]
