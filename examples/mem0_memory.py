"""Measure a memory that rewrites what it stores: an adapter for objects shaped like mem0's `Memory`.

Run: python examples/mem0_memory.py

`Mem0Memory` is all that is needed; give it a real store: `Mem0Memory(mem0.Memory())`. On the command line name a
function of your own that returns the adapter: --memory mypackage.memory:make. Here it wraps a stand-in, so that the
example needs no model and no network.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from goldproof.memory import open_memory

if TYPE_CHECKING:
    from collections.abc import Mapping


class Mem0Memory:
    """clear, add and search over an object with mem0's delete_all, add and search."""

    def __init__(self, store: Any, user_id: str = "goldproof") -> None:  # noqa: ANN401 - mem0's, or of its shape
        self.store, self.user = store, user_id

    def clear(self) -> None:
        self.store.delete_all(user_id=self.user)

    def add(self, role: str, content: str, metadata: Mapping[str, object]) -> list[str]:
        """Return the ids of what was stored or changed: none where the store saw nothing worth keeping."""
        messages = [{"role": role, "content": content}]
        answer = self.store.add(messages, user_id=self.user, metadata={**metadata, "role": role})
        return [one["id"] for one in answer["results"] if one.get("event") in (None, "ADD", "UPDATE")]

    def search(self, query: str, k: int, filters: Mapping[str, object] | None = None) -> list[dict[str, object]]:
        """Return memories as they were rewritten; what was not stored word for word is matched by its text."""
        named = {"filters": dict(filters)} if filters else {}
        answer = self.store.search(query, user_id=self.user, limit=k, **named)
        return [{"id": one["id"], "score": one.get("score"), "text": one["memory"]} for one in answer["results"]]


class Facts:
    """A stand-in of mem0's shape: keeps one fact a subject ("I live in", "I like"), and rewrites it."""

    def __init__(self) -> None:
        self.facts: dict[str, dict[str, Any]] = {}
        self.made = 0

    def add(
        self, messages: list[dict[str, str]], *, user_id: str, metadata: Mapping[str, object]
    ) -> dict[str, list[dict[str, str]]]:
        found = re.findall(r"\bI (no longer )?(\w+ ?(?:in|to|at|on)?) (.+?)[.!,]", messages[0]["content"])
        results = []
        for over, verb, rest in found:
            key, text = f"{user_id}: {verb.strip()}", f"User: {verb.strip()} {rest}"
            results.append(self._forget(key) if over else self._keep(key, text, metadata=metadata))
        return {"results": results}

    def _forget(self, key: str) -> dict[str, str]:
        known = self.facts.pop(key, {"id": "", "memory": ""})
        return {"id": known["id"], "memory": known["memory"], "event": "DELETE" if known["id"] else "NONE"}

    def _keep(self, key: str, text: str, *, metadata: Mapping[str, object]) -> dict[str, str]:
        known = self.facts.get(key)
        self.made += known is None
        name = str(known["id"]) if known else f"fact-{self.made}"
        event = "ADD" if known is None else "NONE" if known["memory"] == text else "UPDATE"
        self.facts[key] = {"id": name, "memory": text, "metadata": dict(metadata)}
        return {"id": name, "memory": text, "event": event}

    def search(
        self, query: str, *, user_id: str, limit: int, filters: Mapping[str, object] | None = None
    ) -> dict[str, list[dict[str, Any]]]:
        wanted = set(re.findall(r"\w+", query.lower()))
        hits = []
        for key, fact in self.facts.items():
            words = set(re.findall(r"\w+", fact["memory"].lower()))
            allowed = all(fact["metadata"].get(name) == value for name, value in (filters or {}).items())
            if key.startswith(f"{user_id}: ") and allowed and wanted & words:
                hits.append({**fact, "score": len(wanted & words) / len(wanted | words)})
        return {"results": sorted(hits, key=lambda hit: -hit["score"])[:limit]}

    def delete_all(self, *, user_id: str) -> None:
        self.facts = {key: fact for key, fact in self.facts.items() if not key.startswith(f"{user_id}: ")}


def main() -> None:
    """Tell the stand-in a few things, and ask."""
    memory = open_memory(Mem0Memory(Facts()))
    memory.clear()
    for turn, said in enumerate(
        (
            "Hi! I live in Lyon. I like tea.",
            "Nice weather today.",
            "I live in Porto, since May.",
            "I no longer like tea.",
        ),
        start=1,
    ):
        print(f"turn {turn}: stored or changed {list(memory.add('user', said, {'turn': turn}))}")
    for hit in memory.search("Where do I live now?", 5):
        print(f"{hit.score:.2f}  {hit.doc_id}  {hit.text}")


if __name__ == "__main__":
    main()
