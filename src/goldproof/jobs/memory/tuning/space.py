"""The search space, its YAML file, and the part that fits the scenarios.

    embedders: [minilm]            # any that `dense(...)` takes
    sources: [bm25, dense, hybrid]
    fusion: [rrf, sum]             # of hybrid
    weight: [0.1, 0.9]             # of dense against bm25 in hybrid; null: equal
    floor: [0.05, 0.6]             # of the similarity, for dense and hybrid; null: none
    score_floor: null              # of the score of bm25 alone
    half_life: [2, 200]            # of decay, in turns (in days where queries are asked at times); null: no decay
    filters_from_query: [role, turn]
    recency_from_query: true
    expansion: [minilm]
    reranking: []                  # none unless named: models cost money
    k: [1, 5]                      # how many are returned; by default from 1 to the k of the rules

A key that is left out keeps its default. Floor, decay, filters, recency, expansion and reranking can always be off as
well. A score of BM25 grows with the number of memories, so a score floor tuned on short conversations is wrong for long
ones: there is none unless asked for.

A filter by a field that no memory has is not tried. Decay and recency count turns or days, by the moments at which
queries are asked, else by the metadata of the memories. Goldproof's memory numbers memories without a turn, so where
some scenarios ask by turns and others by times, turns are right for all.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Annotated, NamedTuple

from goldproof.errors import UnknownNameError
from goldproof.io.forms import Flag, Form, Names, Reads, read_form, read_names
from goldproof.jobs.memory.timeline import is_time, timeline_of
from goldproof.retrieve.stages.ages import TIME_FIELDS

if TYPE_CHECKING:
    from pathlib import Path

    from goldproof.io.scenarios.scenario import Suite
    from goldproof.jobs.memory.criteria import Rules

SOURCES = ("bm25", "dense", "hybrid")
FUSIONS = ("rrf", "sum")
_COUNTS = "two whole numbers above 0, the lower one first, such as [1, 5]"
_HINT = "Name only what differs from the default space, such as floor: [0.1, 0.5]."


class Range(NamedTuple):
    """An interval of numbers, both ends included."""

    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.low:g} to {self.high:g}"


_WEIGHT = Range(0.1, 0.9)
_FLOOR = Range(0.05, 0.6)
_HALF_LIFE = Range(2, 200)


def _pair(value: object) -> Range:
    low, high = map(float, value if isinstance(value, list | tuple) else ())
    if not low <= high < math.inf:
        raise ValueError
    return Range(low, high)


def _counts(value: object) -> tuple[int, int]:
    pair = _pair(value)
    if pair.low < 1 or not all(end.is_integer() for end in pair):
        raise ValueError
    return int(pair.low), int(pair.high)


def _within(low: float, high: float) -> Reads:
    """Return the annotation of a range within bounds; null and false switch it off."""

    def read(value: object) -> Range | None:
        pair = None if value is None or value is False else _pair(value)
        if pair is not None and not low <= pair.low <= pair.high <= high:
            raise ValueError
        return pair

    bounds = f"at least {low:g}" if math.isinf(high) else f"from {low:g} to {high:g}"
    return Reads(read, f"two numbers {bounds}, the lower one first, or null for off")


def _some(known: tuple[str, ...] = ()) -> Reads:
    """Return the annotation of a list of known names, each once: a repeated one would be tried twice as often."""

    def read(value: object) -> tuple[str, ...]:
        names = tuple(dict.fromkeys(read_names(value)))
        for name in names:
            if known and name not in known:
                raise UnknownNameError("name", name, known)
        if not names:
            raise ValueError
        return names

    return Reads(read, "a list of at least one name")


@dataclass(frozen=True, slots=True)
class Space(Form):
    """The choices of a search; None switches a range off. k: fewest and most that are returned; None: by the rules.

    ages: what decay and recency count, "turn" or "age" (days).
    """

    EXPECTED = "keys such as floor: [0.05, 0.6]"

    embedders: Annotated[tuple[str, ...], _some()] = ("minilm",)
    sources: Annotated[tuple[str, ...], _some(SOURCES)] = SOURCES
    fusion: Annotated[tuple[str, ...], _some(FUSIONS)] = FUSIONS
    weight: Annotated[Range | None, _within(0, 1)] = _WEIGHT
    floor: Annotated[Range | None, _within(-1, 1)] = _FLOOR
    score_floor: Annotated[Range | None, _within(0, math.inf)] = None
    half_life: Annotated[Range | None, _within(1, 1e6)] = _HALF_LIFE
    ages: str = field(default="turn", metadata={"key": None})
    filters_from_query: Names = ("role", "turn")
    recency_from_query: Flag = True
    expansion: Names = ("minilm",)
    reranking: Names = ()
    k: Annotated[tuple[int, int] | None, Reads(_counts, _COUNTS)] = None

    @classmethod
    def unfold(cls, value: object) -> object:
        """Return the mapping of a file; an empty one changes nothing."""
        return {} if value is None else value

    def to_dict(self) -> dict[str, object]:
        """Return plain data for JSON."""
        values = {name: getattr(self, name) for name in self.__slots__}
        return {name: list(value) if isinstance(value, tuple) else value for name, value in values.items()}


def space_rows(space: Space) -> tuple[tuple[str, str], ...]:
    """Return the space as rows of a table: a choice, and its values."""
    unit = "days" if space.ages == "age" else "turns"
    half_life = None if space.half_life is None else f"half-life {space.half_life} {unit}"
    rows = {
        "embedder": ", ".join(space.embedders),
        "source": ", ".join(space.sources),
        "fusion": ", ".join(space.fusion) if "hybrid" in space.sources else None,
        "weight of dense": str(space.weight or "equal") if "hybrid" in space.sources else None,
        "floor of similarity": _or_off(space.floor),
        "floor of the score of bm25": _or_off(space.score_floor),
        "decay": _or_off(half_life),
        "filters from the query": _or_off(", ".join(space.filters_from_query)),
        "recency from the query": _or_off("on" if space.recency_from_query else None),
        "expansion": _or_off(", ".join(space.expansion)),
        "reranking": _or_off(", ".join(space.reranking)),
        "k": "1 to the k of the rules" if space.k is None else str(Range(*space.k)),
    }
    return tuple((name, text) for name, text in rows.items() if text is not None)


def _or_off(value: object) -> str:
    return f"{value}, or off" if value else "off"


def read_space(path: Path | str) -> Space:
    """Read a space; an unknown key is refused, and one that is left out keeps its default."""
    return read_form(path, Space, hint=_HINT)


def fit_space(space: Space, development: Suite, rules: Rules) -> Space:
    """Return the space without choices that make no difference on the development scenarios."""
    for scenario in development.scenarios:
        timeline_of(scenario)  # a wrong moment is reported as an error of the scenario
    fields = filter_fields(development)
    return replace(
        space,
        ages=ages_of(development),
        filters_from_query=tuple(field for field in space.filters_from_query if field in fields),
        k=space.k or (1, rules.k),
    )


def left_out_remarks(space: Space, chosen: Space) -> tuple[str, ...]:
    """Return remarks on the part of a space that is not tried."""
    lacking = [field for field in space.filters_from_query if field not in chosen.filters_from_query]
    if not lacking:
        return ()
    return (f"No development memory has {', '.join(lacking)}, so filters by it were not tried.",)


def filter_fields(development: Suite) -> tuple[str, ...]:
    """Return the fields by which memories can be filtered: the role, and their metadata."""
    names = {name for scenario in development.scenarios for memory in scenario.memories for name in memory.metadata}
    return ("role", *sorted(names - {"role"}))


def ages_of(development: Suite) -> str:
    """Return the unit of ages: "turn", or "age" (days)."""
    moments = [query.asked_at for scenario in development.scenarios for query in scenario.queries]
    by_time = [is_time(moment) for moment in moments if moment is not None]
    fields = filter_fields(development)
    if by_time:
        return "age" if all(by_time) else "turn"
    only_times = "turn" not in fields and any(name in fields for name in TIME_FIELDS)
    return "age" if only_times else "turn"
