"""A moment told in both ways that ages can be counted: as a turn of a conversation, and as a time.

Who asks a pipeline often knows one of them only, and stages count by one of them only. Where a stage counts by what is
not told here, it counts from what it would without any: its own `now`, else the newest document.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime


@dataclass(frozen=True, slots=True)
class Now:
    """A moment; None where it is not known as a turn, or as a time."""

    turn: float | None = None
    time: float | str | datetime | None = None
