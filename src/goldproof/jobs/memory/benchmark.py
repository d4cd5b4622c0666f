"""`MemoryBenchmark`: memory test cases written in Python."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Self

from goldproof.errors import InputError, kind_of
from goldproof.io.scenarios.scenario import MOST_GRADE, MemoryItem, Query, Scenario, Suite
from goldproof.jobs.memory.job import run_memory
from goldproof.memory import open_memory
from goldproof.metrics.memory import Criterion
from goldproof.progress import OnProgress, ignore

if TYPE_CHECKING:
    from goldproof.io.scenarios.scenario import Moment
    from goldproof.jobs.memory.result import MemoryResult

THRESHOLD = 0.85
_EXPECTED_MEMORY = "expected (role, content, metadata), (role, content), a mapping with role and content, or a text"


class MemoryBenchmark:
    """Cases for one memory system.

    system: whatever `goldproof.run_memory` takes: an object that remembers, a pipeline, module:object, a URL.
    """

    def __init__(self, system: object, *, k: int | None = None, criteria: object = None) -> None:
        self._system = open_memory(system)
        self._k = k
        self._criteria = criteria
        self._scenarios: dict[str, Scenario] = {}

    def add_case(
        self,
        name: str,
        memories: Sequence[object],
        query: str,
        expected: Sequence[int] | Mapping[int, int],
        threshold: float = THRESHOLD,
        *,
        asked_at: Moment | None = None,
        filters: Mapping[str, object] | None = None,
        k: int | None = None,
    ) -> Self:
        """Add one case, and return the benchmark.

        memories: (role, content, metadata) each, in the order in which they are stored. expected: places in that list,
        from 0, or {place: grade} with grades 2 and 1; none where nothing should come. threshold: the least
        `relevance_score` with which the case passes; a case that expects nothing passes if nothing comes.
        """
        if not str(name).strip():
            raise InputError(f"the case's name is {name!r}, expected some text.")
        if name in self._scenarios:
            raise InputError(f"case {name!r} is there already; give each case a name of its own.")
        items = tuple(_memory(name, place, memory) for place, memory in enumerate(_checked_list(name, memories)))
        graded = _expected(name, expected, len(items))
        _check(name, query, threshold, k)
        criterion = Criterion("relevance_score", ">=", threshold) if graded else Criterion("false_surface", "=", 0.0)
        asked = Query(name, query, "case", graded, asked_at=asked_at, filters=filters, k=k, criteria=(criterion,))
        self._scenarios[name] = Scenario(name, items, (asked,))
        return self

    def run(
        self,
        *,
        judge: object = None,
        match: object = None,
        self_check: bool = True,
        on_progress: OnProgress = ignore,
    ) -> MemoryResult:
        """Run all cases. judge, match, on_progress: as for `goldproof.run_memory`."""
        if not self._scenarios:
            raise InputError("the benchmark has no case; add one with add_case(name, memories, query, expected).")
        suite = Suite("cases", tuple(self._scenarios.values()))
        return run_memory(
            suite,
            self._system,
            k=self._k,
            criteria=self._criteria,
            judge=judge,
            match=match,
            self_check=self_check,
            on_progress=on_progress,
        )


def _checked_list(name: str, memories: object) -> Sequence[object]:
    if isinstance(memories, str) or not isinstance(memories, Sequence):
        raise InputError(
            f"case {name!r}: memories are {kind_of(memories)}, expected a list of (role, content, metadata)."
        )
    if not memories:
        raise InputError(f"case {name!r}: memories are empty, expected at least one.")
    return memories


def _memory(name: str, place: int, memory: object) -> MemoryItem:
    role, content, metadata = _parts(memory)
    if not isinstance(role, str) or not isinstance(content, str) or not content.strip():
        raise InputError(f"case {name!r}, memory {place}: is {memory!r}; {_EXPECTED_MEMORY}.")
    if not isinstance(metadata, Mapping):
        raise InputError(f"case {name!r}, memory {place}: its metadata is {kind_of(metadata)}, expected a mapping.")
    return MemoryItem(str(place), role, content, dict(metadata))


def _parts(memory: object) -> tuple[object, object, object]:
    """Return role, content and metadata of a memory in any of the forms."""
    if isinstance(memory, MemoryItem):
        return memory.role, memory.content, memory.metadata
    if isinstance(memory, str):
        return "user", memory, {}
    if isinstance(memory, Mapping):
        return memory.get("role", "user"), memory.get("content"), memory.get("metadata") or {}
    if isinstance(memory, tuple | list) and len(memory) in (2, 3):
        role, content, *rest = memory
        return role, content, (rest[0] if rest else None) or {}
    return None, None, None


def _expected(name: str, expected: object, memories: int) -> dict[str, int]:
    """Return the grades of the expected memories by id; memories: how many there are."""
    if isinstance(expected, Mapping):
        graded = dict(expected)
    elif isinstance(expected, Sequence) and not isinstance(expected, str):
        graded = dict.fromkeys(expected, MOST_GRADE)
    else:
        raise InputError(f"case {name!r}: expected is {kind_of(expected)}, expected places such as [1] or {{1: 2}}.")
    for place, grade in graded.items():
        if isinstance(place, bool) or not isinstance(place, int) or not 0 <= place < memories:
            raise InputError(f"case {name!r}: expects memory {place!r}; expected a place from 0 to {memories - 1}.")
        if isinstance(grade, bool) or not isinstance(grade, int) or not 0 <= grade <= MOST_GRADE:
            raise InputError(f"case {name!r}: memory {place} has grade {grade!r}; expected 0, 1 or 2.")
    return {str(place): grade for place, grade in graded.items() if grade}


def _check(name: str, query: object, threshold: object, k: object) -> None:
    if not isinstance(query, str) or not query.strip():
        raise InputError(f"case {name!r}: the query is {query!r}, expected some text.")
    if isinstance(threshold, bool) or not isinstance(threshold, int | float) or not 0 <= threshold <= 1:
        raise InputError(f"case {name!r}: threshold is {threshold!r}, expected a number from 0 to 1.")
    if k is not None and (isinstance(k, bool) or not isinstance(k, int) or k < 1):
        raise InputError(f"case {name!r}: k is {k!r}, expected a whole number above 0.")
