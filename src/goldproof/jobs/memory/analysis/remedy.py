"""The remedies that a failed query may point to, with the letters under which they are known.

A piece of advice names one remedy and what it rests on. Whether it helps is not known before it was tried: `goldproof
memory tune` tries them.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

REMEDIES: Mapping[str, str] = MappingProxyType(
    {
        "A": "another embedding model",
        "B": "another k, or a metadata filter",
        "C": "query expansion",
        "D": "re-ranking",
        "E": "another similarity floor",
        "F": "time decay",
        "G": "hybrid search",
    }
)


@dataclass(frozen=True, slots=True)
class Advice:
    """One remedy (a letter of REMEDIES) and what it rests on; memory: the expected one that it is for, if any."""

    letter: str
    because: str
    memory: str = ""

    def to_dict(self) -> dict[str, object]:
        """Return plain data for JSON."""
        return {
            "remedy": self.letter,
            "title": REMEDIES[self.letter],
            "memory": self.memory or None,
            "because": self.because,
        }


def gathered(advice: Iterable[Advice]) -> tuple[Advice, ...]:
    """Return each piece of advice once, in the order of the letters."""
    return tuple(sorted(dict.fromkeys(advice), key=lambda one: one.letter))


def together(advice: Iterable[Advice]) -> list[str]:
    """Return what one remedy rests on, in sentences; memories for which it is the same stand together."""
    memories: dict[str, list[str]] = {}
    for one in advice:
        memories.setdefault(one.because, []).extend([one.memory] if one.memory else [])
    return [f"{', '.join(names)}: {because}." if names else f"{because}." for because, names in memories.items()]
