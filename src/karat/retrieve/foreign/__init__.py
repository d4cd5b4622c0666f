"""Retrievers that are not ours: any object that searches, a service, a ready run."""

from karat.retrieve.foreign.http import Http
from karat.retrieve.foreign.langchain import LangChain
from karat.retrieve.foreign.llama_index import LlamaIndex
from karat.retrieve.foreign.own import Own
from karat.retrieve.foreign.run_file import RunFile

__all__ = ["Http", "LangChain", "LlamaIndex", "Own", "RunFile"]
