"""What an agent did and what came of it, as it is shown to the agent again: the latest first of all, while it fits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

LONGEST_RESULT = 6_000
LONGEST = 24_000
CUT = "\n... (cut)"
LEFT_OUT = "(result left out; ask again if you need it)"


@dataclass(frozen=True, slots=True)
class Turn:
    """One action and its result."""

    action: str
    argument: str
    result: str


def written(turns: Sequence[Turn], *, longest: int = LONGEST) -> str:
    """Return the transcript, oldest first, in about `longest` characters: results of old turns give way."""
    left, parts = longest, list[str]()
    for number in range(len(turns), 0, -1):
        turn = turns[number - 1]
        result = _cut(turn.result)
        shown = result if len(result) <= left else LEFT_OUT
        left -= len(shown)
        parts.append(f"Step {number}: {turn.action} {_cut(turn.argument, longest=200)}\n{shown}")
    return "\n\n".join(reversed(parts))


def _cut(text: str, *, longest: int = LONGEST_RESULT) -> str:
    return text if len(text) <= longest else text[: longest - len(CUT)] + CUT
