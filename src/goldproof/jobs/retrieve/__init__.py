"""Run a retriever over questions and write the run."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from goldproof.jobs.retrieve.job import RetrievalResult, retrieve_questions
else:
    from goldproof.plugins import lazy_exports

    __getattr__, __dir__ = lazy_exports(__name__, {"job": ("RetrievalResult", "retrieve_questions")})

__all__ = ["RetrievalResult", "retrieve_questions"]
