"""Test a memory of your own: what should come back, what should not, and how it compares with Goldproof's.

Run: python examples/test_memory.py
"""

import goldproof

DEBATE = [
    ("moderator", "Welcome to the debate on trams in the old town.", {"turn": 0}),
    ("proponent", "A tram carries four times as many people as a lane of cars.", {"turn": 1}),
    ("opponent", "Laying the rails closes the market street for three years.", {"turn": 2}),
    ("proponent", "A tram lasts forty years, a bus twelve.", {"turn": 3}),
    ("opponent", "Two shops in five would not survive the building site.", {"turn": 4}),
    ("moderator", "Let us turn to the question of noise.", {"turn": 5}),
]


class LastWords:
    """A memory that returns whatever shares words with the query, the newest first."""

    def clear(self) -> None:
        self.stored: list[str] = []

    def add_interaction(self, role: str, content: str, metadata: dict[str, object]) -> int:  # noqa: ARG002
        self.stored.append(f"{role}: {content}".lower())
        return len(self.stored) - 1

    def search_memories(self, query: str, top_k: int = 5) -> list[dict[str, object]]:
        words = [word for word in query.lower().strip("?").split() if len(word) > 3]
        found = [place for place, text in enumerate(self.stored) if any(word in text for word in words)]
        return [{"id": place, "score": 0.5} for place in reversed(found)][:top_k]


for memory in (LastWords(), "dense(minilm) | floor(0.3) | top(3)"):
    benchmark = (
        goldproof.MemoryBenchmark(memory)
        .add_case("turn 1", DEBATE, "How many people does a tram carry?", expected=[1])
        .add_case("the shops", DEBATE, "What happens to local businesses meanwhile?", expected=[4, 2], k=3)
        .add_case("never said", DEBATE, "What was said about parking fees?", expected=[])
    )
    print(benchmark.run(), end="\n\n")
