"""One typed Python function per stage.

    hybrid(bm25(), dense("minilm")) | floor(0.3) | decay("exp", half_life=10) | top(5)

A function makes the same expression as the text form, so the pipeline prints as text; arguments that have their default
are left out. Retrievers of the user's may stand wherever one of ours may: `hybrid(my_retriever, bm25())`.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from datetime import date
from numbers import Integral, Real
from typing import TYPE_CHECKING, Literal

from goldproof.retrieve.language import Step, expression_of
from goldproof.retrieve.language.expression import List as ListOf
from goldproof.retrieve.language.expression import Number, Object, Word, call, literal, range_word
from goldproof.retrieve.pipeline import Pipeline
from goldproof.retrieve.stages.expand import LEAST

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from goldproof.embed import Embedder
    from goldproof.llm import TextModel
    from goldproof.retrieve.language.expression import Expression
    from goldproof.retrieve.retriever import Moment


def bm25(
    *,
    k1: float = 1.5,
    b: float = 0.75,
    method: Literal["lucene", "robertson", "atire", "bm25l", "bm25+"] = "lucene",
    tokens: Literal["code", "words"] = "code",
    stem: str | None = None,
    stopwords: str | Sequence[str] = "english",
    backend: Literal["auto", "numba", "numpy"] = "auto",
) -> Pipeline:
    """Search by words: BM25."""
    named = _named(bm25, k1=k1, b=b, method=method, tokens=tokens, stem=stem, stopwords=stopwords, backend=backend)
    return Pipeline(call("bm25", (), named))


def dense(
    embedder: str | Embedder | Callable[..., object] = "minilm",
    *,
    search: Literal["exact", "usearch"] = "exact",
    code: bool = False,
) -> Pipeline:
    """Search by the similarity of embeddings."""
    return Pipeline(call("dense", (as_argument(embedder),), _named(dense, search=search, code=code)))


def hybrid(
    *members: object,
    method: Literal["rrf", "sum"] = "rrf",
    weights: Sequence[float] | None = None,
    c: float = 60,
    normalise: Literal["minmax", "zscore", "max", "none"] = "minmax",
    depth: int = 100,
) -> Pipeline:
    """Search with several retrievers and fuse their rankings; members are pipelines, texts or retrievers."""
    named = _named(hybrid, method=method, weights=weights, c=c, normalise=normalise, depth=depth)
    return Pipeline(call("hybrid", tuple(map(expression_of, members)), named))


def recency(
    *,
    by: Literal["turn", "age"] = "turn",
    field: str | None = None,
    half_life: float | str | None = None,
    now: Moment | None = None,
    missing: Literal["error", "keep"] = "error",
) -> Pipeline:
    """Return the newest documents, whatever the query."""
    named = _named(recency, by=by, field=field, half_life=half_life, now=now, missing=missing)
    return Pipeline(call("recency", (), named))


def http(
    url: str, *, timeout: float | None = None, retries: int = 2, concurrency: int = 4, header_env: str | None = None
) -> Pipeline:
    """Ask a search service."""
    named = _named(http, timeout=timeout, retries=retries, concurrency=concurrency, header_env=header_env)
    return Pipeline(call("http", (as_argument(url),), named))


def run_file(path: Path | str) -> Pipeline:
    """Replay a run that was made before."""
    return Pipeline(call("run", (as_argument(str(path)),)))


def own(target: object, *, id_field: str | None = None, concurrency: int = 1, timeout: float | None = None) -> Pipeline:
    """Search with an object of the user's, or `module:object`."""
    named = _named(own, id_field=id_field, concurrency=concurrency, timeout=timeout)
    return Pipeline(call("own", (as_argument(target),), named))


def floor(least: float, *, of: Literal["similarity", "score"] | None = None) -> Step:
    """Drop documents below a similarity or score."""
    return Step(call("floor", (as_argument(least),), _named(floor, of=of)))


def filter_by(**fields: object) -> Step:
    """Keep documents whose metadata matches: a value, a list of values, a range {"gte": 2019, "lte": 2021}."""
    return Step(call("filter", (), _arguments(fields)))


def filter_from_query(*fields: str, pronouns: bool = True, missing: Literal["error", "keep"] = "error") -> Step:
    """Keep documents whose metadata the query mentions: "what did the opponent say in turn 3"."""
    named = _named(filter_from_query, pronouns=pronouns, missing=missing)
    return Step(call("filter_from_query", tuple(map(as_argument, fields)), named))


def recent_from_query(
    *,
    by: Literal["turn", "age"] = "turn",
    field: str | None = None,
    depth: int = 20,
    current: bool = True,
    missing: Literal["error", "keep"] = "error",
) -> Step:
    """Put the newest first where the query asks for the latest: "your last two arguments"."""
    named = _named(recent_from_query, by=by, field=field, depth=depth, current=current, missing=missing)
    return Step(call("recent_from_query", (), named))


def decay(
    kind: Literal["exp", "linear"] = "exp",
    *,
    half_life: float | str | None = None,
    rate: float | None = None,
    by: Literal["turn", "age"] = "turn",
    field: str | None = None,
    now: Moment | None = None,
    missing: Literal["error", "keep"] = "error",
    depth: int = 100,
) -> Step:
    """Let scores count less with age."""
    named = _named(decay, half_life=half_life, rate=rate, by=by, field=field, now=now, missing=missing, depth=depth)
    return Step(call("decay", (as_argument(kind),), named))


def top(k: int) -> Step:
    """Keep the first k."""
    return Step(call("top", (as_argument(k),)))


def rerank(by: object, *, depth: int = 10, keep: int = 3) -> Step:
    """Let a model or function order the first documents anew."""
    return Step(call("rerank", (as_argument(by),), _named(rerank, depth=depth, keep=keep)))


def expand(
    by: str | Embedder | TextModel | Mapping[str, Sequence[str]] = "minilm", *, terms: int = 5, least: float = LEAST
) -> Step:
    """Add words to the query; placed before the retriever: `expand("minilm") | bm25()`."""
    return Step(call("expand", (as_argument(by),), _named(expand, terms=terms, least=least)))


def as_argument(value: object) -> Expression:
    """Return the expression of a Python value as an argument."""
    if value is None or isinstance(value, bool):
        return Word(str(value).lower())
    if isinstance(value, Integral | Real):
        return Number(int(value) if isinstance(value, Integral) else float(value))
    if isinstance(value, str | date):
        return literal(value if isinstance(value, str) else value.isoformat())
    if isinstance(value, list | tuple):
        return ListOf(tuple(as_argument(item) for item in value))
    return (range_word(value) if isinstance(value, Mapping) else None) or Object(value)


def _arguments(values: dict[str, object]) -> tuple[tuple[str, Expression], ...]:
    return tuple((name, as_argument(value)) for name, value in values.items())


def _named(function: Callable[..., object], **values: object) -> tuple[tuple[str, Expression], ...]:
    """Return the arguments that differ from the function's own defaults."""
    parameters = inspect.signature(function).parameters
    return _arguments({name: value for name, value in values.items() if not _same(value, parameters[name].default)})


def _same(value: object, default: object) -> bool:
    return value is default or (isinstance(value, str | int | float) and value == default)
