"""Run a retriever over questions and write the run."""

from karat.jobs.retrieve.files import RetrievalFiles, retrieve_files
from karat.jobs.retrieve.result import RetrievalResult

__all__ = ["RetrievalFiles", "RetrievalResult", "retrieve_files"]
