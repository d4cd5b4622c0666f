"""Retrievers that are not ours: objects of the user's, search services, run files."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from goldproof.retrieve.external.http import Http
    from goldproof.retrieve.external.run_file import RunFile
    from goldproof.retrieve.external.user_retriever import LangChain, LlamaIndex, UserRetriever
else:
    from goldproof.plugins import lazy_exports

    __getattr__, __dir__ = lazy_exports(
        __name__,
        {
            "http": ("Http",),
            "run_file": ("RunFile",),
            "user_retriever": ("LangChain", "LlamaIndex", "UserRetriever"),
        },
    )

__all__ = ["Http", "LangChain", "LlamaIndex", "RunFile", "UserRetriever"]
