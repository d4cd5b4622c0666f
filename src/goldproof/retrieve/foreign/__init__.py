"""Retrievers that are not ours: any object that searches, a service, a ready run."""

from typing import TYPE_CHECKING

from goldproof.plugins import lazy_exports

if TYPE_CHECKING:
    from goldproof.retrieve.foreign.http import Http
    from goldproof.retrieve.foreign.langchain import LangChain
    from goldproof.retrieve.foreign.llama_index import LlamaIndex
    from goldproof.retrieve.foreign.own import Own
    from goldproof.retrieve.foreign.run_file import RunFile

__all__ = ["Http", "LangChain", "LlamaIndex", "Own", "RunFile"]

__getattr__, __dir__ = lazy_exports(
    __name__,
    {
        "http": ("Http",),
        "langchain": ("LangChain",),
        "llama_index": ("LlamaIndex",),
        "own": ("Own",),
        "run_file": ("RunFile",),
    },
)
