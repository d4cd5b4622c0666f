"""The scale that labels are on: from 0 to `most`, of which those from `yes_from` count as relevant.

    yes-no  0, 1      relevant from 1
    0-2     0 to 2    relevant from 2
    0-4     0 to 4    relevant from 3
    0-10    0 to 10   relevant from 7

Any other is written `0-N:FROM`, such as `0-3:2`; `0-2:1` moves the line of a known one. Where nobody says which scale
labels are on, it is the shortest of the four that holds the highest label found, and the report says so: a sample
without the best grades would look like a shorter scale.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from goldproof.errors import InputError
from goldproof.judge.judge import SCALES

_WRITTEN = re.compile(r"0-([1-9][0-9]{0,3})(?::([1-9][0-9]{0,3}))?")
_LONGEST = 10


@dataclass(frozen=True, slots=True)
class LabelScale:
    """What labels can be. guessed: from the labels themselves, since nobody said."""

    most: int
    yes_from: int
    guessed: bool = False

    @property
    def name(self) -> str:
        """How it is written."""
        known = next((s.name for s in SCALES.values() if (s.most, s.yes_from) == (self.most, self.yes_from)), None)
        return known or f"0-{self.most}:{self.yes_from}"

    @property
    def levels(self) -> int:
        """How many labels there are."""
        return self.most + 1


def parse_scale(text: str, *, option: str) -> LabelScale:
    """Read a scale as a user writes it."""
    known = SCALES.get(text)  # type: ignore[call-overload]  # any text may be asked for
    if known is not None:
        return LabelScale(known.most, known.yes_from)
    written = _WRITTEN.fullmatch(text)
    if written is None or (written[2] is None and f"0-{written[1]}" not in SCALES):
        raise InputError(
            f"{option} {text!r}: expected yes-no, 0-2, 0-4, 0-10, or 0-N:FROM (relevant from FROM), such as 0-3:2."
        )
    most, yes_from = int(written[1]), int(written[2])
    if yes_from > most:
        raise InputError(f"{option} {text!r}: nothing is relevant from {yes_from} on a scale that ends at {most}.")
    return LabelScale(most, yes_from)


def guess_scale(highest: float) -> LabelScale | None:
    """Return the shortest known scale that holds the highest label; None where none does."""
    fitting = [scale for scale in SCALES.values() if scale.most >= highest]
    if not fitting or highest > _LONGEST:
        return None
    shortest = min(fitting, key=lambda scale: scale.most)
    return LabelScale(shortest.most, shortest.yes_from, guessed=True)
