"""What was done to the answers of a retriever, counted, and said in sentences for the report."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from threading import Lock
from typing import Literal

Count = Literal[
    "asked", "answers", "by place", "repeats", "repeated", "cut", "short", "dropped", "hits", "strangers", "missing"
]

_WHY_PLACES = "those that came were all the same, missing in part, or did not fall with the rank."
_BEST = "the best place was kept."
_ELSEWHERE = "are the ids of the corpus in another field? id_field names it."


@dataclass(slots=True)
class Tally:
    """Counts of one stage; several threads may add to it."""

    name: str
    counts: Counter[Count] = field(default_factory=Counter)
    _lock: Lock = field(default_factory=Lock)

    def add(self, counts: dict[Count, int]) -> None:
        """Add to the counts."""
        with self._lock:
            self.counts.update(counts)

    def remarks(self, *, more: str = "") -> tuple[str, ...]:
        """Return what the reader of a report should know; more: how to get k results where fewer came."""
        c, answers = self.counts, self.counts["answers"]
        said: list[tuple[object, str]] = [
            (c["by place"], f"for {c['by place']} of {answers} queries the scores are places: {_WHY_PLACES}"),
            (
                c["repeats"],
                f"{c['repeats']} results ({c['repeated']} of {answers} queries) repeated a document; {_BEST}",
            ),
            (c["short"] and more, f"for {c['short']} of {answers} queries fewer documents came than asked for; {more}"),
            (c["dropped"], f"{c['dropped']} results did not match the filters and were dropped."),
            (c["strangers"] == c["hits"] > 0, f"none of {c['hits']} results is in the corpus; {_ELSEWHERE}"),
            (c["missing"], f"{c['missing']} of {c['asked']} queries are not in the file: nothing is found for them."),
        ]
        return tuple(f"{self.name}: {sentence}" for count, sentence in said if count)
