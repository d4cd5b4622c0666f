"""A trial's choices as pipeline text.

    expand(minilm) | hybrid(bm25, dense(minilm), weights=[0.3, 0.7]) | filter_from_query(role, turn) | floor(0.25)
        | decay(exp, half_life=20, missing=keep) | recent_from_query | rerank(NAME, keep=3) | top(3)

The floor comes before the stages that reorder, so that a memory below it does not take the place of another. The text
is the canonical one, as a pipeline prints it; equal choices are equal texts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldproof.retrieve.language import parse
from goldproof.retrieve.language.expression import literal

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from optuna.trial import BaseTrial

    from goldproof.jobs.memory.tuning.space import Range, Space

OFF = "off"
EQUAL = 0.5
_STEP = 0.05
_DIGITS = 4


def configuration(trial: BaseTrial, space: Space) -> str:
    """Return the pipeline of a trial, which suggests a value for every choice that matters."""
    source = _chosen(trial, "source", space.sources)
    expansion = _chosen(trial, "expansion", (OFF, *space.expansion))
    k = _k(trial, space)
    parts = [
        "" if expansion == OFF else f"expand({literal(expansion)})",
        _source(trial, space, source),
        *_before_order(trial, space, source),
        _decay(trial, space),
        _recency(trial, space),
        _rerank(trial, space, k=k),
        f"top({k})",
    ]
    return str(parse(" | ".join(filter(None, parts))))


def rounded(choices: Mapping[str, object]) -> dict[str, str | int | float]:
    """Return the choices with numbers as in the pipeline text: 0.35 and not 0.35000000000000003."""
    return {name: _plain(value) for name, value in choices.items()}


def _plain(value: object) -> str | int | float:
    if isinstance(value, float):
        return round(value, _DIGITS)
    return value if isinstance(value, int) else str(value)


def _source(trial: BaseTrial, space: Space, source: str) -> str:
    if source == "bm25":
        return "bm25"
    dense = f"dense({literal(_chosen(trial, 'embedder', space.embedders))})"
    if source == "dense":
        return dense
    method = _chosen(trial, "fusion", space.fusion)
    weight = EQUAL if space.weight is None else _number(trial, "weight", space.weight)
    named = ["bm25", dense]
    named += [] if method == "rrf" else [f"method={method}"]
    named += [] if weight == EQUAL else [f"weights=[{round(1 - weight, _DIGITS)!r}, {weight!r}]"]
    return f"hybrid({', '.join(named)})"


def _before_order(trial: BaseTrial, space: Space, source: str) -> Iterator[str]:
    """Yield the stages that only remove memories."""
    if space.filters_from_query and _is_on(trial, "filters"):
        fields = [str(literal(field)) for field in space.filters_from_query]
        # Every memory has a role and a turn; of other fields a young conversation may have none yet.
        missing = [] if set(space.filters_from_query) <= {"role", "turn"} else ["missing=keep"]
        yield f"filter_from_query({', '.join(fields + missing)})"
    floor, name = (space.score_floor, "score_floor") if source == "bm25" else (space.floor, "floor")
    if floor is not None and _is_on(trial, f"has_{name}"):
        least = _number(trial, name, floor)
        yield f"floor({least!r}, of=score)" if source == "bm25" else f"floor({least!r})"


def _decay(trial: BaseTrial, space: Space) -> str:
    if space.half_life is None or not _is_on(trial, "decay"):
        return ""
    low, high = (int(end) for end in space.half_life)
    half_life = trial.suggest_int("half_life", low, high, log=True)
    by_age = space.ages == "age"
    return f"decay(exp, half_life={half_life}{'d, by=age' if by_age else ''}, missing=keep)"


def _recency(trial: BaseTrial, space: Space) -> str:
    if not space.recency_from_query or not _is_on(trial, "recency"):
        return ""
    return "recent_from_query(by=age, missing=keep)" if space.ages == "age" else "recent_from_query"


def _rerank(trial: BaseTrial, space: Space, *, k: int) -> str:
    reranker = _chosen(trial, "reranking", (OFF, *space.reranking))
    return "" if reranker == OFF else f"rerank({literal(reranker)}, keep={k})"


def _k(trial: BaseTrial, space: Space) -> int:
    low, high = space.k or (1, 5)
    return low if low == high else trial.suggest_int("k", low, high)


def _chosen(trial: BaseTrial, name: str, choices: tuple[str, ...]) -> str:
    """Return one of the choices; a single one is no parameter of the trial."""
    return choices[0] if len(choices) == 1 else str(trial.suggest_categorical(name, choices))


def _is_on(trial: BaseTrial, name: str) -> bool:
    return trial.suggest_categorical(name, (OFF, "on")) == "on"


def _number(trial: BaseTrial, name: str, bounds: Range) -> float:
    """Return a number on a grid of 0.05: finer differences are noise, and texts stay short."""
    if bounds.low == bounds.high:
        return bounds.low
    high = bounds.low + _STEP * int((bounds.high - bounds.low) / _STEP + 1e-9)
    if high <= bounds.low:
        return round(trial.suggest_float(name, bounds.low, bounds.high), _DIGITS)
    return round(trial.suggest_float(name, bounds.low, round(high, _DIGITS), step=_STEP), _DIGITS)
