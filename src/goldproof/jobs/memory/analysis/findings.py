"""Records of a diagnosis: findings, remedies and advice, returned items and stored memories.

A piece of advice names one remedy and its evidence. Whether it helps is not known until it is tried, as `goldproof
memory tune` does.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal

from goldproof.errors import InputError, shortened
from goldproof.memory.memory import turn_or_time
from goldproof.memory.memory_file import checked_entry
from goldproof.records.entities import Document
from goldproof.retrieve.stages.filters import matches

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from goldproof.io.scenarios.scenario import MemoryItem
    from goldproof.jobs.memory.records import Answered, Matched, ScoredQuery
    from goldproof.retrieve import Filters
    from goldproof.retrieve.retriever import Now

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
    own_rank: its rank where Goldproof's own memory is searched deeper. lexical, dense: its rank among the stored
    memories that pass the query's filters, by the two reference rankings; None where they do not find it. similarity:
    that of the dense one. wording: what the two ranks together say.
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
    """One returned item that was not expected.

    memories: those that it stands for. similarity: by the system; reference: by the reference embedder. marks: what is
    odd about it.
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

    def title_of(self, letter: str) -> str:
        """Return what this query's advice on one remedy says to try, such as `a larger k or a filter on role`."""
        return " or ".join(dict.fromkeys(advice.title for advice in self.remedies if advice.letter == letter))

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
            "missed": [{"criterion": missed.criterion, "value": missed.value} for missed in self.missed],
            "expected": [finding.to_dict() for finding in self.expected],
            "intruders": [intruder.to_dict() for intruder in self.intruders],
            "remarks": list(self.remarks),
            "remedies": [advice.to_dict() for advice in self.remedies],
            "no_dense": self.no_dense or None,
        }


# Known words that fit any system; A is given only to one that is known to use embeddings.
REMEDIES: Mapping[str, str] = MappingProxyType(
    {
        "A": "another embedding model",
        "B": "a larger k or a filter",
        "C": "query expansion",
        "D": "re-ranking",
        "E": "a relevance floor",
        "F": "newer memories first",
        "G": "hybrid search",
        "H": "stopword removal",
    }
)


@dataclass(frozen=True, slots=True)
class Advice:
    """One remedy (a letter of REMEDIES) and its evidence.

    memory: the expected one that it is for, if any. choice: what the evidence supports, where the title of the remedy
    has more than that ("a filter on role" of "a larger k or a filter").
    """

    letter: str
    because: str
    memory: str = ""
    choice: str = ""

    @property
    def title(self) -> str:
        """What to try, in a few words."""
        return self.choice or REMEDIES[self.letter]

    def to_dict(self) -> dict[str, object]:
        """Return plain data for JSON."""
        return {
            "remedy": self.letter,
            "title": self.title,
            "memory": self.memory or None,
            "because": self.because,
        }


def unique_advice(advice: Iterable[Advice]) -> tuple[Advice, ...]:
    """Return each piece of advice once, in the order of the letters."""
    return tuple(sorted(dict.fromkeys(advice), key=lambda piece: piece.letter))


def grounds_of(advice: Iterable[Advice]) -> list[str]:
    """Return the evidence for one remedy, in sentences; memories with the same evidence share one."""
    memories: dict[str, list[str]] = {}
    for piece in advice:
        memories.setdefault(piece.because, []).extend([piece.memory] if piece.memory else [])
    return [f"{', '.join(names)}: {because}." if names else f"{because}." for because, names in memories.items()]


PoolKey = tuple[str, tuple[str, ...]]


def pool_key(row: Answered) -> PoolKey:
    """Return the identity of a query's pool: its scenario and the ids of its memories."""
    return row.scenario.id, tuple(memory.id for memory in row.pool)


def fields_of(memory: MemoryItem) -> dict[str, object]:
    """Return the metadata of a memory, with its role as one more field."""
    return {**memory.metadata, "role": memory.role}


def documents_of(pool: tuple[MemoryItem, ...]) -> list[Document]:
    """Return the memories as documents, in their order, as Goldproof's own memory makes them: ties fall alike."""
    entries = [
        checked_entry(number, memory.role, content=memory.content, metadata=memory.metadata)
        for number, memory in enumerate(pool, start=1)
    ]
    return [Document(entry.id, entry.content, metadata=entry.fields) for entry in entries]


def memories_by_id(row: Answered) -> Mapping[str, MemoryItem]:
    """Return the stored memories by id."""
    return {memory.id: memory for memory in row.pool}


def satisfies(filters: Filters | None, memory: MemoryItem) -> bool:
    """Whether a memory satisfies filters; filters that cannot be read count as satisfied."""
    try:
        return not filters or matches(filters, fields_of(memory))
    except InputError:
        return True


def now_of(row: Answered) -> Now | None:
    """Return the moment of a query in the form that Goldproof's own memory hands to its stages."""
    asked = row.query.asked_at
    return turn_or_time(asked if asked is None or isinstance(asked, str | int | float) else asked.isoformat())


LONGEST = 60
LONGEST_NAMED = 30
MOST_NAMED = 3


@dataclass(frozen=True, slots=True)
class ReturnedItem:
    """One returned item; place: from 1. grade: the highest of the expected memories it stands for, 0 where none."""

    place: int
    match: Matched
    grade: int
    role: str
    content: str

    @property
    def name(self) -> str:
        """The memories that it stands for, else its own id."""
        return " + ".join(self.match.memories) or self.match.hit.doc_id

    @property
    def named(self) -> str:
        """Its name and its shortened content."""
        return f'{self.name} "{shortened(self.content, longest=LONGEST_NAMED)}"'


def returned_items(row: ScoredQuery) -> tuple[ReturnedItem, ...]:
    """Return the items of a query with their grades, in their order."""
    stored, expected = memories_by_id(row.answered), row.answered.query.expected
    items = []
    for place, match in enumerate(row.matches, start=1):
        sources = [stored[memory] for memory in match.memories if memory in stored]
        roles = tuple(dict.fromkeys(memory.role for memory in sources))
        text = match.hit.text or " / ".join(memory.content for memory in sources)
        grade = max((expected.get(memory, 0) for memory in match.memories), default=0)
        items.append(ReturnedItem(place, match, grade, role=", ".join(roles), content=one_line(text)))
    return tuple(items)


def place_of(memory: str, items: Sequence[ReturnedItem]) -> int | None:
    """Return the place at which a memory came, the first where there are several."""
    return next((item.place for item in items if memory in item.match.memories), None)


def named_items(items: Sequence[ReturnedItem]) -> str:
    """List items by name and content; of many, the first few."""
    named = ", ".join(item.named for item in items[:MOST_NAMED])
    return f"{named} and {len(items) - MOST_NAMED} more" if len(items) > MOST_NAMED else named


def one_line(text: str) -> str:
    """Return a text on one line, shortened."""
    return shortened(" ".join(text.split()), longest=LONGEST)
