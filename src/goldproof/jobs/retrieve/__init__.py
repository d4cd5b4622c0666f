"""Run a retriever over questions and write the run."""

from typing import TYPE_CHECKING

from goldproof.plugins import lazy_exports

if TYPE_CHECKING:
    from goldproof.jobs.retrieve.files import RetrievalFiles, retrieve_files
    from goldproof.jobs.retrieve.result import RetrievalResult

__all__ = ["RetrievalFiles", "RetrievalResult", "retrieve_files"]

__getattr__, __dir__ = lazy_exports(
    __name__,
    {
        "files": ("RetrievalFiles", "retrieve_files"),
        "result": ("RetrievalResult",),
    },
)
