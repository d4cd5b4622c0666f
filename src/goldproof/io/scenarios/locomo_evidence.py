"""LoCoMo's evidence: which turns answer a question, as people typed them.

`D8:6; D9:17` is two, `D30:05` is `D30:5`, `D:11:26` is `D11:26`. What still names no turn of the conversation (`D`) is
lost.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

_BETWEEN = re.compile(r"[;,\s]+")
_TURN = re.compile(r"[Dd]:?0*(\d+):0*(\d+)")


class Evidence(NamedTuple):
    """Turns that are named, how many of the names were mended, and the names that lead nowhere."""

    turns: tuple[str, ...]
    mended: int
    lost: tuple[str, ...]


def read_evidence(given: Iterable[object], known: Collection[str]) -> Evidence:
    """Read the evidence of one question. known: ids of the conversation's turns."""
    turns: dict[str, None] = {}
    mended, lost = 0, []
    for entry in given:
        for name in filter(None, _BETWEEN.split(str(entry))):
            turn = name if name in known else _mend(name)
            if turn not in known:
                lost.append(name)
                continue
            mended += name != turn or name != entry
            turns[turn] = None
    return Evidence(tuple(turns), mended, tuple(lost))


def _mend(name: str) -> str:
    found = _TURN.fullmatch(name)
    return f"D{found[1]}:{found[2]}" if found else name
