"""Small suites for tests of tuning: conversations on three topics, and one question each that nothing answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldproof.io.scenarios.scenario import MemoryItem, Query, Scenario, Suite
from goldproof.jobs.memory.criteria import Rules
from goldproof.metrics.memory.criterion import parse_criterion

if TYPE_CHECKING:
    from goldproof.io.scenarios.scenario import Split

RULES = Rules(k=3, kinds={kind: (parse_criterion("precision > 0.5"),) for kind in ("semantic", "negative")})
_SAID = (
    ("user", "The solar panels on the roof need cleaning."),
    ("assistant", "Panels on a roof last for thirty years of sunlight."),
    ("user", "My guitar lost a string before the concert."),
    ("assistant", "A guitar string costs little; buy it before the concert."),
    ("user", "The train to Lyon leaves at nine with our luggage."),
)
_ASKED: tuple[tuple[str, dict[str, int]], ...] = (
    ("panels on the roof", {"0": 2, "1": 2}),
    ("the guitar and the concert", {"2": 2, "3": 2}),
    ("when does the train leave", {"4": 2}),
    ("the Ottoman postal reform", {}),
)


def scenario(name: str, *, split: Split = "development") -> Scenario:
    """One conversation; its name stands in every memory, so that no two are the same."""
    memories = tuple(
        MemoryItem(str(turn), role, f"{content} ({name})", {"turn": turn}) for turn, (role, content) in enumerate(_SAID)
    )
    queries = tuple(
        Query(f"q{i}", text, "semantic" if expected else "negative", expected)
        for i, (text, expected) in enumerate(_ASKED)
    )
    return Scenario(name, memories, queries, split=split)


def suite(*names: str, split: Split = "development") -> Suite:
    """Conversations of these names."""
    return Suite("made", tuple(scenario(name, split=split) for name in names))
