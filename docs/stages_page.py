"""The reference of all stages, written from their own constructors and docstrings, for the page on pipelines.

What a parameter means stands in the docstring of its class as `name: meaning.`; what stands there for several classes
alike, or goes without saying in the code, is said here.
"""

from __future__ import annotations

import inspect
import re
from inspect import Parameter
from typing import Any

from goldproof.retrieve.language.arguments import expected, hint_of
from goldproof.retrieve.language.builder import signature_of
from goldproof.retrieve.language.expression import literal
from goldproof.retrieve.stage import STAGES

BEGIN, END = "<!-- stages: generated -->", "<!-- end of stages -->"
_PLACES = {
    "source": "Retriever",
    "step": "Step",
    "query step": "Step, before its retriever",
}
STAGE_ORDER = (
    *("bm25", "dense", "hybrid", "recency", "own", "http", "run", "langchain", "llamaindex"),
    *("floor", "filter", "filter_from_query", "decay", "recent_from_query", "rerank", "top", "expand"),
)
_SUMMARIES = {
    "bm25": "Finds documents that share words with the query, by BM25.",
    "dense": "Finds documents whose embeddings are near that of the query, by their cosine.",
    "hybrid": "Asks several pipelines and fuses their rankings into one.",
    "recency": "Returns the newest documents, whatever the query.",
    "own": "Searches with an object of your own.",
    "http": "Asks a search service.",
    "run": "Replays a run that was made before.",
    "langchain": "Searches with a retriever or vector store of LangChain.",
    "llamaindex": "Searches with a retriever of LlamaIndex.",
    "floor": "Drops documents that lie below a value.",
    "filter": "Keeps documents whose metadata matches.",
    "filter_from_query": "Keeps documents whose metadata the query mentions, where it mentions any.",
    "decay": "Lets scores count less with age.",
    "recent_from_query": "Puts the newest documents first where the query asks for the latest.",
    "rerank": "Lets a model or a function order the first documents anew.",
    "top": "Keeps the first k.",
    "expand": "Adds words to the query.",
}
_MEANINGS = {
    "bm25.k1": "how soon further occurrences of a word stop counting",
    "bm25.b": "how much long documents are held back, from 0 to 1",
    "bm25.method": "the variant of the formula",
    "bm25.tokens": "`code` also splits names such as `snake_case`, `CamelCase` and `dotted.paths`; or `words`",
    "bm25.backend": "what computes the scores; `auto` takes numba where it is installed and worth loading",
    "hybrid.members": "the pipelines that are asked",
    "hybrid.method": "`rrf` adds 1 / (c + rank), `sum` adds scores, made comparable first",
    "hybrid.c": "of `rrf`: the higher, the less the first ranks stand out",
    "hybrid.normalise": "of `sum`: how scores are made comparable",
    "hybrid.depth": "how many documents each member is asked for, if that is more than k",
    "decay.depth": "how many documents are looked at, if that is more than k",
    "decay.kind": "`exp` halves every half-life, `linear` loses the same each time, down to 0",
    "decay.rate": "of `linear`: what is lost per turn or day; 0.1 unless given",
    "by": "how age is counted: in turns of a conversation, or in days",
    "field": "the metadata field that holds the turn or the date, if not a usual one",
    "half_life": "the age at which half is left: turns, days, or a duration such as `12h`; 10 unless given",
    "now": "what ages are counted from; the newest document unless given here or with the search",
    "missing": "what happens to a document without a turn or date: an error, or it is kept",
    "floor.least": "the least that is kept",
    "floor.of": "the similarity (cosine) or the score; unless given the similarity where there is one, else the score",
    "filter.fields": "`field=value`, `field=[a, b]` (any of them) or `field=2019..2021`; all fields must match",
    "top.k": "how many documents are returned at most",
    "expand.terms": "how many words are added to a query at most",
    "http.url": "the address that is asked",
    "run.path": "the file of the run",
    "target": "`module:object`, or in Python the object",
    "concurrency": "how many queries may be asked at once",
    "timeout": "seconds for one query; unless given here or with the search, it may take any time",
}


def stage_table() -> str:
    """Return every built-in stage with its parameters, defaults and meaning, as markdown."""
    return "\n\n".join(_section(name) for name in STAGE_ORDER)


def with_stage_table(page: str) -> str:
    """Return a page with the part between the two marks written anew."""
    before, _, rest = page.partition(BEGIN)
    return f"{before}{BEGIN}\n\n{stage_table()}\n\n{END}{rest.partition(END)[2]}"


def meaning(stage: str, parameter: str) -> str:
    """Return what a parameter means; empty where nobody said."""
    said = _MEANINGS.get(f"{stage}.{parameter}") or _documented(STAGES.get(stage), parameter)
    return (said or _MEANINGS.get(parameter, "")).replace("|", r"\|")


def _section(name: str) -> str:
    stage = STAGES.get(name)
    head = f"### {name}\n\n*{_PLACES[stage.kind]}.* {_SUMMARIES[name]}\n\n```text\n{signature_of(name)}\n```\n"
    rows = [_row(name, parameter) for parameter in signature_of(name).parameters]
    return "\n".join([head, "| parameter | takes | default | meaning |", "| --- | --- | --- | --- |", *rows])


def _row(stage: str, parameter: Parameter) -> str:
    marks: dict[object, str] = {Parameter.VAR_POSITIONAL: "*", Parameter.VAR_KEYWORD: "**"}
    name = f"`{marks.get(parameter.kind, '')}{parameter.name}`"
    takes = _takes(STAGES.get(stage), parameter)
    return f"| {name} | {takes} | {_default(parameter)} | {meaning(stage, parameter.name)} |"


def _documented(stage: Any, name: str) -> str:  # noqa: ANN401 - a class of any kind
    details = " ".join((inspect.getdoc(stage) or "").split("\n\n")[1:]).replace("\n", " ")
    others = "|".join(re.findall(r"(?:^|(?<=[.;] ))(\w+): ", details))
    found = re.search(rf"(?:^|(?<=[.;] )){name}: (.*?)\.?(?=$| (?:{others}): )", details)
    return found[1] if found else ""


def _takes(stage: Any, parameter: Parameter) -> str:  # noqa: ANN401 - a class of any kind
    if parameter.kind is Parameter.VAR_POSITIONAL and getattr(stage, "takes_stages", False):
        return "pipelines"
    return expected(hint_of(parameter.annotation, module=stage.__module__)).replace("|", r"\|")


def _default(parameter: Parameter) -> str:
    if parameter.kind in (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD):
        return "-"
    if parameter.default is Parameter.empty:
        return "required"
    default = parameter.default
    return f"`{literal(default) if isinstance(default, str) else str(default).lower()}`"
