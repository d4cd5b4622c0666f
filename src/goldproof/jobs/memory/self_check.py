"""Run trivial memories through the scenarios, to see whether one of them could pass.

Four systems without any skill are tried: they return everything, nothing, the newest k, or all memories that share a
word with the query. A scenario whose every query one of them passes says little, and is named. So is a query whose pool
is no larger than k, where recall cannot tell returning everything from remembering, and one whose criteria even the
best answer of k memories cannot meet.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from goldproof.errors import counted, shortened
from goldproof.jobs.memory.scenario_run import run_suite
from goldproof.jobs.memory.scoring import outcome_of, score_rows
from goldproof.memory.baselines import Everything, KeywordMatch, NewestK, Nothing
from goldproof.metrics.memory.best_answer import beyond_reach
from goldproof.report import Note
from goldproof.report.numbers import share

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from goldproof.io.scenarios.scenario import Suite
    from goldproof.jobs.memory.criteria import Rules
    from goldproof.jobs.memory.records import ScoredQuery
    from goldproof.memory import MemorySystem
    from goldproof.memory.baselines import TrivialMemory

TRIVIAL: Mapping[str, type[TrivialMemory]] = {
    "return everything": Everything,
    "return nothing": Nothing,
    "return the newest k": NewestK,
    "match keywords": KeywordMatch,
}
# Largest load (pairs of query and memory; characters of memories), so that the check stays a small part of a run.
MOST_PAIRS = 1_500_000
MOST_CHARACTERS = 20_000_000
_SHOWN = 5


@dataclass(frozen=True, slots=True)
class SelfCheck:
    """Scores of the trivial systems, and queries that say little.

    pass_rates: system -> share of queries passed. by_kind: system -> kind -> share. scenarios: system -> those whose
    every query it passes. small_pools: queries whose pool is no larger than k. beyond_reach: query -> its criteria that
    no answer of k memories can meet. skipped: why the systems were not run, if so.
    """

    pass_rates: Mapping[str, float] = field(default_factory=dict)
    by_kind: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    scenarios: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    small_pools: tuple[str, ...] = ()
    beyond_reach: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    skipped: str = ""

    def remarks(self) -> tuple[str, ...]:
        """Return the warnings."""
        remarks = [f"self-check: {self.skipped}"] if self.skipped else []
        if self.small_pools:
            queries = counted(len(self.small_pools), "query")
            remarks.append(
                f"self-check: in {queries} k is at least the number of stored memories, so returning everything has "
                f"full recall: {_listed(self.small_pools)}."
            )
        if self.beyond_reach:
            queries = counted(len(self.beyond_reach), "query")
            remarks.append(
                f"self-check: {queries} cannot pass: even the best answer of k memories misses a criterion: "
                f"{_listed(tuple(self.beyond_reach))}."
            )
        easy = "; ".join(f"{system}: {_listed(names)}" for system, names in self.scenarios.items() if names)
        if easy:
            remarks.append(f"self-check: trivial memories pass whole scenarios, which prove little ({easy}).")
        return tuple(remarks)

    def yardstick(self, rows: Sequence[ScoredQuery], *, system: MemorySystem) -> tuple[Note, ...]:
        """Say how many queries the best trivial memory passes beside a system; no note where none was tried.

        It limits the conclusion where that is as many as the system passes. rows: the queries of the system.
        """
        others = {name: rate for name, rate in self.pass_rates.items() if not isinstance(system, TRIVIAL[name])}
        decided = [row for row in rows if row.undecided is None]
        if not others or not decided or all(row.failed for row in rows):
            return ()
        best = max(others, key=others.__getitem__)
        own, other = _rate(decided), others[best]
        passed = f"{round(other * len(rows)):,} of {len(rows):,} ({share(other)})"
        if other < own:
            return (Note(f"Trivial memories pass at most {passed}, by `{TRIVIAL[best].title}`."),)
        than = "as many as" if other == own else "more than"
        return (Note(f"The trivial memory `{TRIVIAL[best].title}` passes {passed}, {than} this one.", "limits"),)

    def to_dict(self) -> dict[str, object]:
        """Return plain data."""
        return {
            "trivial_systems": {
                system: {
                    "pass_rate": rate,
                    "by_kind": dict(self.by_kind[system]),
                    "scenarios_passed": list(self.scenarios[system]),
                }
                for system, rate in self.pass_rates.items()
            },
            "k_reaches_pool": list(self.small_pools),
            "beyond_reach": {query: list(criteria) for query, criteria in self.beyond_reach.items()},
            "skipped": self.skipped or None,
        }


def check_suite(suite: Suite, *, rules: Rules, rows: Sequence[ScoredQuery]) -> SelfCheck:
    """Run the trivial systems. rows: a real run of the same suite, for what was stored when each query was asked."""
    small = tuple(row.key for row in rows if row.answered.query.expected and len(row.answered.pool) <= row.answered.k)
    beyond = _beyond_reach(rows, rules)
    too_much = _too_much(suite, rows)
    if too_much:
        return SelfCheck(small_pools=small, beyond_reach=beyond, skipped=f"trivial systems were not tried: {too_much}.")
    scored = {name: score_rows(run_suite(suite, make(), k=rules.k), rules) for name, make in TRIVIAL.items()}
    return SelfCheck(
        pass_rates={name: _rate(queries) for name, queries in scored.items()},
        by_kind={name: pass_rates_by_kind(queries) for name, queries in scored.items()},
        scenarios={name: _passed_scenarios(queries) for name, queries in scored.items()},
        small_pools=small,
        beyond_reach=beyond,
    )


def _too_much(suite: Suite, rows: Sequence[ScoredQuery]) -> str:
    """Return why the load is too large to be run through four more systems; empty where it is not."""
    pairs = sum(len(row.answered.pool) for row in rows)
    if pairs > MOST_PAIRS:
        return f"{pairs:,} pairs of query and memory are more than {MOST_PAIRS:,}"
    characters = sum(len(memory.content) for scenario in suite.scenarios for memory in scenario.memories)
    if characters > MOST_CHARACTERS:
        return f"{characters:,} characters of memories are more than {MOST_CHARACTERS:,}"
    return ""


def _beyond_reach(rows: Sequence[ScoredQuery], rules: Rules) -> dict[str, tuple[str, ...]]:
    """Return the criteria of each query that not even the best answer of k memories meets."""
    unreachable = {}
    for row in rows:
        answered = row.answered
        missed = beyond_reach(outcome_of(answered, ()), rules.criteria_of(answered.query), k=answered.k)
        if missed:
            unreachable[row.key] = tuple(map(str, missed))
    return unreachable


def pass_rates_by_kind(rows: Sequence[ScoredQuery]) -> dict[str, float]:
    """Return the share of queries passed, by kind, in the order in which kinds first occur."""
    kinds: dict[str, list[ScoredQuery]] = defaultdict(list)
    for row in rows:
        kinds[row.answered.query.kind].append(row)
    return {kind: _rate(queries) for kind, queries in kinds.items()}


def _rate(rows: Sequence[ScoredQuery]) -> float:
    """Return the share passed; all are decided, since trivial systems return stored texts, which need no judge."""
    return sum(row.passed for row in rows) / len(rows) if rows else 0.0


def _passed_scenarios(rows: Sequence[ScoredQuery]) -> tuple[str, ...]:
    """Return the scenarios whose every query passed."""
    scenarios: dict[str, bool] = {}
    for row in rows:
        name = row.answered.scenario.id
        scenarios[name] = scenarios.get(name, True) and row.passed
    return tuple(name for name, passed in scenarios.items() if passed)


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return ", ".join(shortened(name, longest=60) for name in names[:_SHOWN]) + more
