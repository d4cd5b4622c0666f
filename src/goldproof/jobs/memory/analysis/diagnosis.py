"""What is found out about one query that did not pass. Every sentence says on what it rests."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from goldproof.jobs.memory.analysis.remedy import Advice

Code = Literal["filtered", "below the floor", "outranked", "not returned", "lost in rewriting"]


@dataclass(frozen=True, slots=True)
class MissedCriterion:
    """A criterion that does not hold, and the value; None where the measure is undefined for this query."""

    criterion: str
    value: float | None


@dataclass(frozen=True, slots=True)
class ExpectedFinding:
    """One expected memory.

    place: where it came, from 1; None where it did not. code: why not, or why too late; None where it came in time.
    own_rank: its rank where Goldproof's own memory is searched deeper. lexical, dense: its rank among what is stored
    (and passes the query's filters) by the two reference rankings; None where they do not find it. similarity: that of
    the dense one. wording: what the two ranks side by side say.
    """

    memory: str
    grade: int
    role: str
    content: str
    place: int | None = None
    code: Code | None = None
    reason: str = ""
    own_rank: int | None = None
    lexical: int | None = None
    dense: int | None = None
    similarity: float | None = None
    wording: str = ""

    def to_dict(self) -> dict[str, object]:
        """Return plain data for JSON."""
        return {
            "memory": self.memory,
            "grade": self.grade,
            "role": self.role,
            "content": self.content,
            "came_at": self.place,
            "code": self.code,
            "reason": self.reason,
            "own_rank": self.own_rank,
            "lexical_rank": self.lexical,
            "dense_rank": self.dense,
            "dense_similarity": self.similarity,
            "wording": self.wording,
        }


@dataclass(frozen=True, slots=True)
class Intruder:
    """One item that came and was not expected.

    memories: those that it stands for. similarity: as the system tells it; reference: by the reference embedder. marks:
    what is odd about it.
    """

    place: int
    id: str
    memories: tuple[str, ...]
    role: str
    content: str
    similarity: float | None = None
    reference: float | None = None
    marks: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, object]:
        """Return plain data for JSON."""
        return {
            "came_at": self.place,
            "id": self.id,
            "memories": list(self.memories),
            "role": self.role,
            "content": self.content,
            "similarity": self.similarity,
            "dense_similarity": self.reference,
            "marks": list(self.marks),
        }


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """One query that did not pass.

    error: why, where the system failed on it; nothing else is known then. analysed: False where more queries failed
    than are analysed. pool: how many memories were stored. came: how many items were returned. unexpected: how many of
    them were not expected; intruders are the first of these. no_dense: why there are no dense ranks, where there are
    none.
    """

    key: str
    scenario: str
    query: str
    kind: str
    k: int
    pool: int
    came: int
    unexpected: int = 0
    error: str | None = None
    analysed: bool = True
    missed: tuple[MissedCriterion, ...] = ()
    expected: tuple[ExpectedFinding, ...] = ()
    intruders: tuple[Intruder, ...] = ()
    remarks: tuple[str, ...] = ()
    remedies: tuple[Advice, ...] = ()
    no_dense: str = ""

    @property
    def letters(self) -> tuple[str, ...]:
        """The remedies that address it, each once."""
        return tuple(dict.fromkeys(advice.letter for advice in self.remedies))

    def to_dict(self) -> dict[str, object]:
        """Return plain data for JSON."""
        return {
            "key": self.key,
            "scenario": self.scenario,
            "query": self.query,
            "kind": self.kind,
            "k": self.k,
            "pool": self.pool,
            "came": self.came,
            "unexpected": self.unexpected,
            "error": self.error,
            "analysed": self.analysed,
            "missed": [{"criterion": one.criterion, "value": one.value} for one in self.missed],
            "expected": [one.to_dict() for one in self.expected],
            "intruders": [one.to_dict() for one in self.intruders],
            "remarks": list(self.remarks),
            "remedies": [one.to_dict() for one in self.remedies],
            "no_dense": self.no_dense or None,
        }
