"""Transcript of an agent's actions and results, as prompts repeat it: the latest in full, while it fits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

LONGEST_RESULT = 6_000
LONGEST_GIVEN = 6_000
LONGEST = 32_000
_CUT = "\n... (cut)"
_LEFT_OUT = "(left out here, to save room)"


@dataclass(frozen=True, slots=True)
class Turn:
    """One action and its result. head: the action in one line; given: the script or the text that came with it."""

    head: str
    given: str
    result: str


def written(turns: Sequence[Turn], *, longest: int = LONGEST) -> str:
    """Return the transcript, oldest first, in about `longest` characters: texts of old turns give way."""
    left, parts = longest, list[str]()
    for number in range(len(turns), 0, -1):
        turn = turns[number - 1]
        shown = list[str]()
        for text, most in ((turn.result, LONGEST_RESULT), (turn.given, LONGEST_GIVEN)):
            fitting = cut(text, longest=most)
            shown.append(fitting if len(fitting) <= left else _LEFT_OUT)
            left -= len(shown[-1])
        result, given = shown
        fenced = f"\n<script>\n{given.rstrip()}\n</script>" if given else ""
        parts.append(f"Step {number}: {turn.head}{fenced}\nResult: {result}")
    return "\n\n".join(reversed(parts))


def cut(text: str, *, longest: int) -> str:
    """Return a text, its end cut off where it is too long."""
    return text if len(text) <= longest else text[: longest - len(_CUT)] + _CUT
