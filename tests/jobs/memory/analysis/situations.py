"""Scored queries made by hand, and by Goldproof's own memory, for the tests of the analysis."""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldproof.io.scenarios.scenario import MemoryItem, Query, Scenario, Suite
from goldproof.jobs.memory.records import Answered, CriterionResult, Matched, ScoredQuery, Stored
from goldproof.jobs.memory.scenario_run import run_suite
from goldproof.jobs.memory.scoring import outcome_of
from goldproof.memory.system import MemoryHit
from goldproof.metrics.memory import measure
from goldproof.metrics.memory.criterion import parse_criterion

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from goldproof.memory.memory import Memory


def memory(memory_id: str, content: str, role: str = "user", **metadata: object) -> MemoryItem:
    return MemoryItem(memory_id, role, content, metadata)


def hit(memory_id: str, similarity: float | None = None, text: str | None = None) -> MemoryHit:
    return MemoryHit(memory_id, 1.0, text, similarity)


def scored(
    query: Query,
    memories: Sequence[MemoryItem],
    *,
    hits: Sequence[MemoryHit] = (),
    criteria: Sequence[str] = ("recall > 0.9",),
    k: int = 5,
    error: str | None = None,
    scenario: str = "s",
) -> ScoredQuery:
    """Return a query of a foreign system; a hit stands for the memory of its id, or for none where there is no such."""
    ids = {one.id: (one.id,) for one in memories}
    of = Scenario(scenario, tuple(memories), (query,))
    row = Answered(of, query, tuple(memories), Stored(ids), k, hits=tuple(hits), error=error)
    if error is not None:
        return ScoredQuery(row)
    return by_criteria(row, criteria)


def by_criteria(row: Answered, criteria: Sequence[str]) -> ScoredQuery:
    """Match by id and try the criteria."""
    matches = tuple(_matched(one, row) for one in row.hits)
    outcome = outcome_of(row, matches)
    values = measure(outcome)
    tried = []
    for criterion in map(parse_criterion, criteria):
        value = values[criterion.measure].value
        tried.append(CriterionResult(criterion, value, None if value is None else criterion.holds(value)))
    decided = [one.holds for one in tried if one.holds is not None]
    return ScoredQuery(row, matches, outcome, values, tuple(tried), passed=bool(decided) and all(decided))


def asked_of(
    system: Memory,
    query: Query,
    memories: Sequence[MemoryItem],
    *,
    criteria: Sequence[str] = ("recall > 0.9",),
    k: int = 5,
) -> ScoredQuery:
    """Return what Goldproof's own memory makes of a query."""
    suite = Suite("suite", (Scenario("s", tuple(memories), (query,)),))
    (row,) = run_suite(suite, system, k=k)
    return by_criteria(row, criteria)


def asking(text: str, expected: Mapping[str, int] | None = None, **further: object) -> Query:
    return Query("q", text, **{"kind": "semantic", "expected": expected or {}, **further})  # type: ignore[arg-type]


def _matched(found: MemoryHit, row: Answered) -> Matched:
    sources = row.stored.sources.get(found.doc_id, ())
    grades = [row.query.expected.get(source, 0) / 2 for source in sources]
    return Matched(found, sources, "id" if sources else "none", max(grades, default=0.0))
