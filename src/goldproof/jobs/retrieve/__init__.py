"""Run a retriever over questions and write the run."""

from goldproof.jobs.retrieve.files import RetrievalFiles, retrieve_files
from goldproof.jobs.retrieve.result import RetrievalResult

__all__ = ["RetrievalFiles", "RetrievalResult", "retrieve_files"]
