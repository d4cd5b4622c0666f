"""The names of the language of pipelines, and the classes that they stand for.

A class says by `kind` where it may stand: a "source" searches by itself, a "step" changes what the stage before it
found, a "query step" changes the query for the stage after it. The parameters of its constructor are the parameters of
the language. `takes_stages` marks a class whose positional arguments are pipelines. Plug-ins are entry points of the
group `karat` named `retriever.NAME`; one without `kind` is a retriever of the user's (it has `search`).
"""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

from karat.core.registry import Registry

Kind: TypeAlias = Literal["source", "step", "query step"]
# A class whose instances are stages, or, where it has no `kind`, anything that searches: a plug-in may be any object.
StageClass: TypeAlias = Any

STAGES: Registry[StageClass] = Registry("retriever")

BUILT_IN = {
    "bm25": "karat.retrieve.lexical.bm25:Bm25",
    "decay": "karat.retrieve.timing.decay:Decay",
    "dense": "karat.retrieve.vectors.dense:Dense",
    "expand": "karat.retrieve.expanding.expand:Expand",
    "filter": "karat.retrieve.filtering.filter:Filter",
    "filter_from_query": "karat.retrieve.filtering.from_query:FilterFromQuery",
    "floor": "karat.retrieve.filtering.floor:Floor",
    "http": "karat.retrieve.foreign.http:Http",
    "hybrid": "karat.retrieve.fusing.hybrid:Hybrid",
    "langchain": "karat.retrieve.foreign.langchain:LangChain",
    "llamaindex": "karat.retrieve.foreign.llama_index:LlamaIndex",
    "own": "karat.retrieve.foreign.own:Own",
    "recency": "karat.retrieve.timing.recency:Recency",
    "recent_from_query": "karat.retrieve.timing.recent_from_query:RecentFromQuery",
    "rerank": "karat.retrieve.reranking.rerank:Rerank",
    "run": "karat.retrieve.foreign.run_file:RunFile",
    "top": "karat.retrieve.filtering.top:Top",
}
for _name, _target in BUILT_IN.items():
    STAGES.register(_name, _target)
