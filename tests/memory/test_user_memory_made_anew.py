"""Memories that cannot be cleared: a class or a factory makes a new one for each conversation."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache, partial
from types import SimpleNamespace
from typing import TYPE_CHECKING, ClassVar

import pytest

import goldproof
from goldproof.errors import GoldproofError, InputError
from goldproof.io.scenarios.scenario import Query, Scenario
from goldproof.memory import open_memory
from tests.jobs.memory.scripted import memories, suite

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


class Notes:
    """The least that is a memory: add(text) and search(query)."""

    def __init__(self) -> None:
        self.texts: list[str] = []

    def add(self, text: str) -> None:
        self.texts.append(text)

    def search(self, query: str) -> list[str]:
        return [text for text in self.texts if set(query.split()) & set(text.split())]


def make_notes() -> Notes:
    return Notes()


@dataclass
class DataNotes:
    """A dataclass, with an optional setting."""

    limit: int = 10
    texts: list[str] = field(default_factory=list)

    def add(self, content: str, metadata: dict[str, object] | None = None) -> int:
        assert metadata is not None
        self.texts.append(content)
        return len(self.texts)

    def search(self, query: str, limit: int | None = None) -> list[dict[str, object]]:
        texts = [text for text in self.texts if set(query.split()) & set(text.split())]
        return [{"content": text, "score": 1.0} for text in texts][: limit or self.limit]


class AsyncNotes:
    """Its methods must be awaited; so must close()."""

    closed: ClassVar[list[str]] = []

    def __init__(self) -> None:
        self.texts: list[str] = []

    async def add(self, message: str) -> None:
        self.texts.append(message)

    async def search(self, query: str, top_k: int = 3) -> list[str]:
        return [text for text in self.texts if set(query.split()) & set(text.split())][:top_k]

    async def close(self) -> None:
        AsyncNotes.closed.append(" ".join(self.texts))


class Chain:
    """Returns documents with page_content and metadata, as LangChain's stores do; and their scores beside them."""

    def __init__(self) -> None:
        self.documents: list[SimpleNamespace] = []

    def add(self, text: str, metadata: dict[str, object]) -> list[str]:
        self.documents.append(SimpleNamespace(page_content=text, metadata=metadata, id=None))
        return []

    def search(self, query: str, k: int = 4, **_kwargs: object) -> list[tuple[SimpleNamespace, float]]:
        found = [one for one in self.documents if set(query.split()) & set(one.page_content.split())]
        return [(document, 0.5) for document in found][:k]


@pytest.mark.parametrize("make", [Notes, DataNotes, AsyncNotes, Chain, partial(DataNotes, limit=5), make_notes])
def test_a_class_without_clear_gets_a_new_instance_for_each_conversation(make: Callable[[], object]) -> None:
    memory = open_memory(make)
    memory.clear()
    memory.add("user", "red car", {})
    assert [hit.text for hit in memory.search("car", 5)] == ["red car"]
    memory.clear()
    memory.add("user", "blue car", {})
    assert [hit.text for hit in memory.search("car", 5)] == ["blue car"]


def test_the_least_of_a_memory_runs_through_scenarios() -> None:
    scenarios = suite(
        Scenario("s1", memories("the red car"), (Query("q", "car", "exact", {"m0": 2}),)),
        Scenario("s2", memories("the blue car"), (Query("q", "car", "exact", {"m0": 2}),)),
    )
    result = goldproof.run_memory(scenarios, Notes, self_check=False)
    assert [[hit.text for hit in row.answered.hits] for row in next(iter(result.runs.values())).rows] == [
        ["the red car"],
        ["the blue car"],
    ]


def test_a_class_is_named_by_module_and_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "least_of_a_memory.py").write_text(
        "class Box:\n"
        "    def __init__(self): self.texts = []\n"
        "    def add(self, text): self.texts.append(text)\n"
        "    def search(self, query): return self.texts\n"
        "box = Box()\n",
        encoding="utf-8",
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    memory = open_memory("least_of_a_memory:Box")
    for text in ("a", "b"):
        memory.clear()
        memory.add("user", text, {})
        assert [hit.text for hit in memory.search("q", 5)] == [text]
    with pytest.raises(InputError, match=r"give its class \(least_of_a_memory:Box\) or a function that makes one"):
        open_memory("least_of_a_memory:box")


def test_one_that_was_never_used_is_not_made_again() -> None:
    made: list[Notes] = []

    def make() -> Notes:
        made.append(Notes())
        return made[-1]

    memory = open_memory(make)
    memory.clear()
    memory.clear()
    assert len(made) == 1


def test_the_one_before_is_closed() -> None:
    AsyncNotes.closed.clear()
    memory = open_memory(AsyncNotes)
    memory.add("user", "red", {})
    memory.clear()
    assert AsyncNotes.closed == ["red"]


def test_a_factory_that_makes_the_same_object_again_fails_the_conversation() -> None:
    memory = open_memory(cache(make_notes))
    memory.add("user", "red", {})
    with pytest.raises(GoldproofError, match="it was made anew and is the same object"):
        memory.clear()


def test_a_class_that_can_be_cleared_is_made_once() -> None:
    class Clearing(Notes):
        made = 0

        def __init__(self) -> None:
            super().__init__()
            Clearing.made += 1

        def clear(self) -> None:
            self.texts = []

    memory = open_memory(Clearing)
    for text in ("a", "b"):
        memory.clear()
        memory.add("user", text, {})
    assert Clearing.made == 1
    assert [hit.text for hit in memory.search("b", 5)] == ["b"]


def test_a_class_that_cannot_be_made_again_fails_with_the_reason() -> None:
    class Once(Notes):
        made = 0

        def __init__(self) -> None:
            super().__init__()
            Once.made += 1
            if Once.made > 1:
                raise RuntimeError("the folder is locked")

    memory = open_memory(Once)
    memory.add("user", "red", {})
    with pytest.raises(GoldproofError, match="making it failed with RuntimeError: the folder is locked"):
        memory.clear()


def test_of_a_search_without_k_the_first_k_count_and_that_is_remarked() -> None:
    memory = open_memory(Notes)
    for number in range(4):
        memory.add("user", f"car {number}", {})
    # Three of four: 4 - 1; place i of 3 scores 3 - i + 1.
    assert [(hit.text, hit.score) for hit in memory.search("car", 3)] == [
        ("car 0", 3.0),
        ("car 1", 2.0),
        ("car 2", 1.0),
    ]
    assert len(memory.search("3", 3)) == 1
    assert memory.remarks[-1].endswith(
        ": search() takes no k; for 1 of 2 queries it returned more than k (set by the scenario, else by --k); the "
        "first k count."
    )
