"""The adapter of the documentation, against objects of mem0's shape: they rewrite, update and drop what was said."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from goldproof.memory import MemoryHit, open_memory

if TYPE_CHECKING:
    from pathlib import Path
    from types import ModuleType


class Scripted:
    """Answers add with events in turn, and search with what is left; as mem0's Memory is called."""

    def __init__(self, *events: list[dict[str, Any]]) -> None:
        self.events = list(events)
        self.calls: list[tuple[str, Any, dict[str, Any]]] = []
        self.found: list[dict[str, Any]] = []

    def add(self, messages: object, *, user_id: str | None = None, metadata: dict[str, Any] | None = None) -> object:
        self.calls.append(("add", messages, {"user_id": user_id, "metadata": metadata}))
        return {"results": self.events.pop(0)}

    def search(
        self, query: str, *, user_id: str | None = None, limit: int = 100, filters: dict[str, Any] | None = None
    ) -> object:
        self.calls.append(("search", query, {"user_id": user_id, "limit": limit, "filters": filters}))
        return {"results": self.found[:limit]}

    def delete_all(self, *, user_id: str | None = None) -> object:
        self.calls.append(("delete_all", None, {"user_id": user_id}))
        return {"message": "Memories deleted successfully!"}


@pytest.fixture(scope="module")
def example(request: pytest.FixtureRequest) -> ModuleType:
    repo: Path = request.getfixturevalue("repo")
    spec = importlib.util.spec_from_file_location("mem0_memory", repo / "examples" / "mem0_memory.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["mem0_memory"] = module
    spec.loader.exec_module(module)
    return module


def test_only_what_was_stored_or_changed_has_an_id(example: ModuleType) -> None:
    store = Scripted(
        [{"id": "1", "memory": "Lives in Lyon", "event": "ADD"}, {"id": "2", "memory": "Likes tea", "event": "ADD"}],
        [],
        [{"id": "1", "memory": "Lives in Porto", "event": "UPDATE", "previous_memory": "Lives in Lyon"}],
        [{"id": "2", "memory": "Likes tea", "event": "DELETE"}],
        [{"id": "1", "memory": "Lives in Porto", "event": "NONE"}, {"id": "3", "memory": "x", "event": "NOOP"}],
        [{"id": "4", "memory": "Has a dog"}],
    )
    memory = open_memory(example.Mem0Memory(store))
    memory.clear()
    assert [list(memory.add("user", f"message {i}", {"turn": i})) for i in range(6)] == [
        ["1", "2"],
        [],
        ["1"],
        [],
        [],
        ["4"],
    ]
    assert store.calls[0] == ("delete_all", None, {"user_id": "goldproof"})
    assert store.calls[1] == (
        "add",
        [{"role": "user", "content": "message 0"}],
        {"user_id": "goldproof", "metadata": {"turn": 0, "role": "user"}},
    )


def test_what_is_found_has_the_rewritten_text_and_filters_are_passed(example: ModuleType) -> None:
    store = Scripted([{"id": "1", "memory": "Lives in Porto", "event": "ADD"}])
    store.found = [{"id": "1", "memory": "Lives in Porto", "score": 0.8}, {"id": "9", "memory": "Old", "score": 0.2}]
    memory = open_memory(example.Mem0Memory(store, user_id="anna"))
    memory.add("user", "I live in Porto now.", {})
    assert memory.search("where?", 1) == [MemoryHit("1", 0.8, "Lives in Porto", 0.8)]
    assert len(memory.search("where?", 5, {"role": "user"})) == 2
    assert [call[2] for call in store.calls[1:]] == [
        {"user_id": "anna", "limit": 1, "filters": None},
        {"user_id": "anna", "limit": 5, "filters": {"role": "user"}},
    ]
    assert memory.remarks == ()


def test_a_store_that_keeps_and_finds_nothing_is_a_memory_too(example: ModuleType) -> None:
    memory = open_memory(example.Mem0Memory(Scripted([])))
    assert list(memory.add("user", "hm", {})) == []
    assert memory.search("anything", 5) == []


def test_a_bare_object_of_mem0s_shape_is_refused_with_the_way_to_the_adapter() -> None:
    with pytest.raises(
        Exception, match=r"add takes a list of messages, as mem0's does; wrap the object, as examples/mem0"
    ):
        open_memory(Scripted())


def test_the_adapter_has_about_twenty_lines(repo: Path) -> None:
    lines = (repo / "examples" / "mem0_memory.py").read_text().splitlines()
    start, end = (
        next(i for i, line in enumerate(lines) if line.startswith(f"class {name}")) for name in ("Mem0", "Fac")
    )
    assert sum(bool(line.strip()) for line in lines[start:end]) <= 22


def test_the_stand_in_updates_deletes_and_leaves_alone(example: ModuleType) -> None:
    memory = open_memory(example.Mem0Memory(example.Facts()))
    memory.clear()
    said = ["I live in Lyon. I like tea.", "I live in Porto.", "I live in Porto.", "I no longer like tea.", "Hm."]
    assert [list(memory.add("user", one, {})) for one in said] == [["fact-1", "fact-2"], ["fact-1"], [], [], []]
    assert [hit.text for hit in memory.search("live like", 5)] == ["User: live in Porto"]
    memory.clear()
    assert memory.search("live like", 5) == []


def test_the_example_runs_and_prints_what_it_found(repo: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, str(repo / "examples" / "mem0_memory.py")],
        capture_output=True, text=True, cwd=tmp_path, check=True,
    )  # fmt: skip
    assert done.stdout.splitlines()[-1].endswith("fact-1  User: live in Porto")
