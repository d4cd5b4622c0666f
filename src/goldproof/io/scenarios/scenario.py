"""Records of memory scenarios: MemoryItem, Query, Scenario, Suite.

A scenario is one conversation: memories in the order in which they were stored, and queries asked at some moment of it.
Only memories before that moment are stored when a query is asked. The kinds of queries are those of the test matrix;
each has criteria of its own, and a query may bring its own instead.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from goldproof.metrics.memory import Criterion
    from goldproof.metrics.memory.outcome import Order

Split = Literal["development", "holdout"]
Moment = int | float | str | date
# What each kind asks for.
KINDS: Mapping[str, str] = MappingProxyType(
    {
        "exact": "what somebody said at a certain point: that memory first",
        "semantic": "everything on a topic",
        "temporal": "the last few on a topic, or of all",
        "cross_role": "what one role said on a topic",
        "negative": "something that was never said: nothing comes",
        "follow_up": "what a follow-up question refers to",
        "topic_switch": "an earlier topic, after others came between",
        "ocr": "what was read from an image earlier",
        "update": "a fact that changed: the newest comes first",
        "haystack": "one memory among very many",
        "paraphrase": "a memory asked for in other words",
        "kernel": "several memories that answer only together",
    }
)
MOST_GRADE = 2
USUAL_K = 5  # how many are asked for by default


@dataclass(frozen=True, slots=True)
class MemoryItem:
    """One stored memory; metadata: turn, timestamp, topic, type, ... as the scenario gives them."""

    id: str
    role: str
    content: str
    metadata: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Query:
    """One query of a scenario.

    expected: memory -> grade (2 answers, 1 is related), none for a negative query. unexpected: memories graded 0.
    kernels: sets of which any one, complete, suffices; where none is given, all of the highest grade are one.
    asked_at: a turn or a time; None: after everything. filters: what a user would pass. k: how many are asked for.
    least_k: at least so many are asked for, whatever the run says; only of adapters, files give k. criteria: instead of
    those of its kind. order: in which a temporal answer should come.
    """

    id: str
    text: str
    kind: str
    expected: Mapping[str, int] = field(default_factory=dict)
    unexpected: tuple[str, ...] = ()
    kernels: tuple[tuple[str, ...], ...] = ()
    asked_at: Moment | None = None
    filters: Mapping[str, object] | None = None
    k: int | None = None
    least_k: int | None = None
    criteria: tuple[Criterion, ...] = ()
    order: Order | None = None


@dataclass(frozen=True, slots=True)
class Scenario:
    """One conversation with its queries; domain: debate, chat, ocr, support, coding, ..."""

    id: str
    memories: tuple[MemoryItem, ...]
    queries: tuple[Query, ...]
    domain: str = ""
    split: Split = "development"


@dataclass(frozen=True, slots=True)
class Suite:
    """Scenarios that are run together.

    inputs: name of each file -> its sha256. remarks: what was left out on reading, in sentences.
    """

    name: str
    scenarios: tuple[Scenario, ...]
    inputs: Mapping[str, str] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()

    @property
    def queries(self) -> int:
        """Number of queries."""
        return sum(len(scenario.queries) for scenario in self.scenarios)
