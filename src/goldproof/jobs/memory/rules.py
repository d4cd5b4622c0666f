"""When a query passes, when a run meets its targets, and when it must alarm: criteria per kind, targets, triggers.

A query is held to its own criteria where it brings some, else to those of its kind. A target (`overall`) and a trigger
are about the whole run: a measure means there its mean over the queries where it has a value. They may name two more:
`pass_rate`, the share of the queries that passed, and `unexpected_share`, the share of all returned items, over all
queries, that stand for no expected memory. A target is met when it holds; a trigger fires when it holds.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from goldproof.io.scenarios.scenario import Query
    from goldproof.metrics.memory.criterion import Criterion

# What only a whole run has, and what it is.
RUN_MEASURES: Mapping[str, str] = MappingProxyType(
    {
        "pass_rate": "the share of the queries that passed",
        "unexpected_share": "the share of the returned items that stand for no expected memory",
    }
)
LEVELS = ("critical", "major")


@dataclass(frozen=True, slots=True)
class Trigger:
    """What must not be: it fires when its criterion holds; level: critical or major."""

    level: str
    criterion: Criterion


@dataclass(frozen=True, slots=True)
class Rules:
    """The user's rules: how many memories are asked for, and what is good enough.

    k: where a query does not say. kinds: kind -> what each of its queries must be. overall: what the run must be.
    """

    k: int
    kinds: Mapping[str, tuple[Criterion, ...]]
    overall: tuple[Criterion, ...] = ()
    triggers: tuple[Trigger, ...] = ()

    def criteria_of(self, query: Query) -> tuple[Criterion, ...]:
        """Return what a query must be: its own criteria, else those of its kind."""
        return query.criteria or self.kinds.get(query.kind, ())

    def to_dict(self) -> dict[str, object]:
        """Return them as a rules file has them, for cards."""
        levels = dict.fromkeys((*LEVELS, *(trigger.level for trigger in self.triggers)))
        return {
            "k": self.k,
            "kinds": {kind: _written(criteria) for kind, criteria in self.kinds.items()},
            "overall": _written(self.overall),
            "triggers": {
                level: _written(tuple(one.criterion for one in self.triggers if one.level == level)) for level in levels
            },
        }


def _written(criteria: tuple[Criterion, ...]) -> list[str]:
    return [str(criterion) for criterion in criteria]
