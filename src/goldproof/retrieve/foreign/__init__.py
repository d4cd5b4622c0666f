"""Retrievers that are not ours: any object that searches, a service, a ready run."""

from goldproof.retrieve.foreign.http import Http
from goldproof.retrieve.foreign.langchain import LangChain
from goldproof.retrieve.foreign.llama_index import LlamaIndex
from goldproof.retrieve.foreign.own import Own
from goldproof.retrieve.foreign.run_file import RunFile

__all__ = ["Http", "LangChain", "LlamaIndex", "Own", "RunFile"]
