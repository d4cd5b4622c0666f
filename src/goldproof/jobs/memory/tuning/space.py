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
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from goldproof.errors import UnknownNameError
from goldproof.io.diagnostics import Diagnostics
from goldproof.io.yaml_files import YamlSection, load_yaml, shown
from goldproof.jobs.memory.timeline import is_time, timeline_of
from goldproof.retrieve.stages.ages import TIME_FIELDS

if TYPE_CHECKING:
    from collections.abc import Callable

    from goldproof.errors import FileFormatError
    from goldproof.io.scenarios.scenario import Suite
    from goldproof.jobs.memory.criteria import Rules

SOURCES = ("bm25", "dense", "hybrid")
FUSIONS = ("rrf", "sum")
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


@dataclass(frozen=True, slots=True)
class Space:
    """The choices of a search; None switches a range off. k: fewest and most that are returned; None: by the rules.

    ages: what decay and recency count, "turn" or "age" (days).
    """

    embedders: tuple[str, ...] = ("minilm",)
    sources: tuple[str, ...] = SOURCES
    fusion: tuple[str, ...] = FUSIONS
    weight: Range | None = _WEIGHT
    floor: Range | None = _FLOOR
    score_floor: Range | None = None
    half_life: Range | None = _HALF_LIFE
    ages: str = "turn"
    filters_from_query: tuple[str, ...] = ("role", "turn")
    recency_from_query: bool = True
    expansion: tuple[str, ...] = ("minilm",)
    reranking: tuple[str, ...] = ()
    k: tuple[int, int] | None = None

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
    path = Path(path)
    diagnostics = Diagnostics(path)
    content = load_yaml(path, diagnostics)
    if content is None:
        return Space()
    if not isinstance(content, dict):
        raise diagnostics.error(f"found {shown(content)}, expected keys such as floor: [0.05, 0.6].", hint=_HINT)
    section = YamlSection(content, diagnostics=diagnostics, hint=_HINT)
    reader = _SpaceReader(section)
    return Space(
        **section.read(
            embedders=reader.some,
            sources=reader.among(SOURCES),
            fusion=reader.among(FUSIONS),
            weight=reader.within(0, 1),
            floor=reader.within(-1, 1),
            score_floor=reader.within(0, math.inf),
            half_life=reader.within(1, 1e6),
            filters_from_query=section.names,
            recency_from_query=section.flag,
            expansion=section.names,
            reranking=section.names,
            k=reader.counts,
        )
    )


class _SpaceReader:
    """Readers of the values that only a space has: lists of names, and ranges."""

    def __init__(self, section: YamlSection) -> None:
        self._section = section

    def some(self, key: str, value: object) -> tuple[str, ...]:
        """Read a list of at least one name, each once: a repeated one would be tried twice as often."""
        names = self._section.names(key, value)
        if not names:
            raise self._section.wrong(f"{key} is empty, expected at least one.")
        return tuple(dict.fromkeys(names))

    def among(self, known: tuple[str, ...]) -> Callable[[str, object], tuple[str, ...]]:
        """Return a reader of names that are all known."""

        def read(key: str, value: object) -> tuple[str, ...]:
            names = self.some(key, value)
            for name in names:
                if name not in known:
                    raise self._section.wrong(f"{key}: {UnknownNameError('name', name, known)}")
            return names

        return read

    def within(self, low: float, high: float) -> Callable[[str, object], Range | None]:
        """Return a reader of a range within bounds; null and false switch it off."""

        def read(key: str, value: object) -> Range | None:
            if value is None or value is False:
                return None
            pair = self._pair(value)
            if pair is None or not low <= pair.low <= pair.high <= high or math.isinf(pair.high):
                bounds = f"at least {low:g}" if math.isinf(high) else f"from {low:g} to {high:g}"
                raise self._wrong_range(key, value, f"two numbers {bounds}, the lower one first, or null for off")
            return pair

        return read

    def counts(self, key: str, value: object) -> tuple[int, int]:
        """Read the fewest and the most, whole numbers above 0."""
        pair = self._pair(value)
        if pair is None or not 1 <= pair.low <= pair.high or not all(end.is_integer() for end in pair):
            raise self._wrong_range(key, value, "two whole numbers above 0, the lower one first, such as [1, 5]")
        return int(pair.low), int(pair.high)

    def _pair(self, value: object) -> Range | None:
        if not isinstance(value, list) or len(value) != 2:
            return None
        try:
            low, high = map(float, value)
        except (TypeError, ValueError):
            return None
        return Range(low, high)

    def _wrong_range(self, key: str, value: object, expected: str) -> FileFormatError:
        return self._section.wrong(f"{key} is {shown(value)}, expected {expected}.")


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
