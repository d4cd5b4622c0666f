"""The memories that were stored when a query was asked, as a pipeline sees them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldproof.errors import InputError
from goldproof.memory.memory import told
from goldproof.memory.memory_file import checked_entry
from goldproof.records.entities import Document
from goldproof.retrieve.stages.filters import matches

if TYPE_CHECKING:
    from collections.abc import Mapping

    from goldproof.io.scenarios.scenario import MemoryItem
    from goldproof.jobs.memory.answered import Answered
    from goldproof.retrieve.retriever import Filters, Now

PoolKey = tuple[str, tuple[str, ...]]


def pool_key(row: Answered) -> PoolKey:
    """Return what tells one pool from another."""
    return row.scenario.id, tuple(memory.id for memory in row.pool)


def fields_of(memory: MemoryItem) -> dict[str, object]:
    """Return the metadata of a memory with its role, which is a field as well."""
    return {**memory.metadata, "role": memory.role}


def documents_of(pool: tuple[MemoryItem, ...]) -> list[Document]:
    """Return the memories as documents, in their order, as Goldproof's own memory makes them: ties fall alike."""
    entries = [
        checked_entry(number, memory.role, content=memory.content, metadata=memory.metadata)
        for number, memory in enumerate(pool, start=1)
    ]
    return [Document(entry.id, entry.content, metadata=entry.fields) for entry in entries]


def memories_of(row: Answered) -> Mapping[str, MemoryItem]:
    """Return the stored memories by id."""
    return {memory.id: memory for memory in row.pool}


def passes(filters: Filters | None, memory: MemoryItem) -> bool:
    """Say whether a memory satisfies filters; filters that make no sense keep nothing out as far as we know."""
    try:
        return not filters or matches(filters, fields_of(memory))
    except InputError:
        return True


def now_of(row: Answered) -> Now | None:
    """Return the moment of a query as Goldproof's own memory tells it to its stages."""
    asked = row.query.asked_at
    return told(asked if asked is None or isinstance(asked, str | int | float) else asked.isoformat())
