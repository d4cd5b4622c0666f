"""The names of the language of pipelines, and the classes that they stand for.

A class says by `kind` where it may stand: a "source" searches by itself, a "step" changes what the stage before it
found, a "query step" changes the query for the stage after it. The parameters of its constructor are the parameters of
the language. `takes_stages` marks a class whose positional arguments are pipelines. Plug-ins are entry points of the
group `goldproof` named `retriever.NAME`; one without `kind` is a retriever of the user's (it has `search`).
"""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

from goldproof.plugins import Registry

Kind: TypeAlias = Literal["source", "step", "query step"]
# A class whose instances are stages, or, where it has no `kind`, anything that searches: a plug-in may be any object.
StageClass: TypeAlias = Any

STAGES: Registry[StageClass] = Registry("retriever")

BUILT_IN = {
    "bm25": "goldproof.retrieve.lexical.bm25:Bm25",
    "decay": "goldproof.retrieve.timing.decay:Decay",
    "dense": "goldproof.retrieve.vectors.dense:Dense",
    "expand": "goldproof.retrieve.expanding.expand:Expand",
    "filter": "goldproof.retrieve.filtering.filter:Filter",
    "filter_from_query": "goldproof.retrieve.filtering.from_query:FilterFromQuery",
    "floor": "goldproof.retrieve.filtering.floor:Floor",
    "http": "goldproof.retrieve.foreign.http:Http",
    "hybrid": "goldproof.retrieve.fusing.hybrid:Hybrid",
    "langchain": "goldproof.retrieve.foreign.langchain:LangChain",
    "llamaindex": "goldproof.retrieve.foreign.llama_index:LlamaIndex",
    "own": "goldproof.retrieve.foreign.own:Own",
    "recency": "goldproof.retrieve.timing.recency:Recency",
    "recent_from_query": "goldproof.retrieve.timing.recent_from_query:RecentFromQuery",
    "rerank": "goldproof.retrieve.reranking.rerank:Rerank",
    "run": "goldproof.retrieve.foreign.run_file:RunFile",
    "top": "goldproof.retrieve.filtering.top:Top",
}
for _name, _target in BUILT_IN.items():
    STAGES.register(_name, _target)
