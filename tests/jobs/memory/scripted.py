"""Memory systems that do as they are told, and short ways to write scenarios."""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldproof.io.scenarios.scenario import MemoryItem, Query, Scenario, Suite
from goldproof.records.entities import Hit

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


class Scripted:
    """Stores everything, and answers each query with the memories that the script names (by their content)."""

    title = "scripted"

    def __init__(self, script: Mapping[str, Sequence[str] | Exception], *, score: float = 0.5) -> None:
        self.script = script
        self.score = score
        self.contents: list[str] = []
        self.asked: list[tuple[str, int, object, object, int]] = []

    def clear(self) -> None:
        self.contents = []

    def add(self, role: str, content: str, metadata: Mapping[str, object]) -> list[str]:  # noqa: ARG002
        self.contents.append(content)
        return [f"id-{len(self.contents) - 1}"]

    def search(self, query: str, k: int, filters: object = None, now: object = None) -> list[Hit]:
        self.asked.append((query, k, filters, now, len(self.contents)))
        answer = self.script[query]
        if isinstance(answer, Exception):
            raise answer
        return [Hit(f"id-{self.contents.index(text)}", self.score, text) for text in answer]


def memories(*contents: str, role: str = "user") -> tuple[MemoryItem, ...]:
    """Memories m0, m1, ... at the turns 1, 2, ..."""
    return tuple(MemoryItem(f"m{place}", role, content, {"turn": place + 1}) for place, content in enumerate(contents))


def suite(*scenarios: Scenario) -> Suite:
    return Suite("test", scenarios)


def one_query(query: Query, *contents: str) -> Suite:
    """A suite of a single scenario with a single query."""
    return suite(Scenario("s", memories(*contents), (query,)))
