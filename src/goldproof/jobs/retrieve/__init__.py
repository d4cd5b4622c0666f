"""Run a retriever over questions and write the run."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from goldproof.jobs.retrieve.job import RetrievalFiles, RetrievalResult, retrieve_files
else:
    from goldproof.plugins import lazy_exports

    __getattr__, __dir__ = lazy_exports(
        __name__,
        {
            "job": ("RetrievalFiles", "RetrievalResult", "retrieve_files"),
        },
    )

__all__ = ["RetrievalFiles", "RetrievalResult", "retrieve_files"]
