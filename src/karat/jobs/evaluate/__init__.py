"""Score runs against judgments: from Python, and from files."""

from karat.jobs.evaluate.evaluate import evaluate
from karat.jobs.evaluate.explain import explain_question
from karat.jobs.evaluate.files import EvaluationFiles, evaluate_files
from karat.jobs.evaluate.result import EvaluationResult
from karat.jobs.evaluate.scoring import Scoring

__all__ = [
    "EvaluationFiles",
    "EvaluationResult",
    "Scoring",
    "evaluate",
    "evaluate_files",
    "explain_question",
]
