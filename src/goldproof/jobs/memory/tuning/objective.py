"""What tuning maximises: the mean of a measure over the development queries.

Only measures that are defined or not by the query alone, whatever comes, can be one: a mean that leaves queries out
where nothing came could be raised by failing them. Those that a silent memory wins (`false_surface`, `tokens`) are none
either. `pass_rate` is the share of the queries that pass their criteria. A query on which the memory failed counts 0;
one of which a judge could not tell what came has no value.
"""

from __future__ import annotations

from math import fsum
from typing import TYPE_CHECKING

from goldproof.errors import InputError, UnknownNameError
from goldproof.jobs.memory.targets import PASS_RATE
from goldproof.metrics.memory.measures import ALIASES, NAMES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from goldproof.io.scenarios.scenario import Suite
    from goldproof.jobs.memory.scored import ScoredQuery

DEFAULT = "f1_or_silence"
OBJECTIVES = (DEFAULT, "relevance_score", "precision", "recall", "f1", "Hit@1", "set_success", PASS_RATE)
_OF_EVERY_QUERY = (DEFAULT, "precision", PASS_RATE)


def check_objective(name: str) -> str:
    """Return the objective's own name; an error says what is wrong with it."""
    known = PASS_RATE if name == "passed" else ALIASES.get(name.casefold(), name)
    if known in OBJECTIVES:
        return known
    if known in NAMES:
        raise InputError(
            f"objective {name!r}: a memory could win by returning nothing, or by failing; choose one of "
            f"{', '.join(OBJECTIVES)}."
        )
    raise UnknownNameError("objective", name, OBJECTIVES)


def check_defined(objective: str, suite: Suite) -> None:
    """Refuse an objective that has no value for any query."""
    queries = [query for scenario in suite.scenarios for query in scenario.queries]
    if objective not in _OF_EVERY_QUERY and not any(query.expected for query in queries):
        raise InputError(
            f"objective {objective!r} has no value here: every development query is a negative one; choose {DEFAULT}."
        )


def mean_of(rows: Sequence[ScoredQuery], objective: str) -> float:
    """Return the mean over the queries for which the objective is defined."""
    values = [found for row in rows if (found := value_of(row, objective)) is not None]
    return fsum(values) / len(values) if values else 0.0


def value_of(row: ScoredQuery, objective: str) -> float | None:
    """Return what a query adds to the mean; None where the objective is not defined for it."""
    if row.undecided is not None and (row.outcome is None or objective == PASS_RATE):
        return None
    if objective == PASS_RATE:
        return float(row.passed)
    if row.failed:
        is_defined = objective in _OF_EVERY_QUERY or row.answered.query.expected
        return 0.0 if is_defined else None
    return row.values[objective].value
