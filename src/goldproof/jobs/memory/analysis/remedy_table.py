"""How many failed queries each remedy would address."""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldproof.jobs.memory.analysis.markdown import left_out_note
from goldproof.jobs.memory.analysis.remedy import REMEDIES
from goldproof.report import Heading, Table

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from goldproof.jobs.memory.analysis.diagnosis import Diagnosis

MOST_KEYS = 4
_HEADINGS = (Heading("remedy", align="left"), Heading("queries"), Heading("which", align="left"))


def remedy_table(diagnoses: Sequence[Diagnosis]) -> Table:
    """Return the remedies with the failed queries that point to them, and in the notes those that point to none."""
    rows = []
    for letter, title in REMEDIES.items():
        keys = [one.key for one in diagnoses if letter in one.letters]
        rows.append((f"{letter} {title}", str(len(keys)), _shortened(keys)))
    return Table(_HEADINGS, tuple(rows), title="Remedies", notes=tuple(_notes(diagnoses)))


def _notes(diagnoses: Sequence[Diagnosis]) -> Iterator[str]:
    yield "A query may point to several remedies; whether one helps is known once it is tried (goldproof memory tune)."
    none = [one.key for one in diagnoses if one.analysed and one.error is None and not one.remedies]
    if none:
        yield f"To none: {len(none)} ({_shortened(none)})."
    crashed = [one.key for one in diagnoses if one.error is not None]
    if crashed:
        yield f"Failed: {len(crashed)} ({_shortened(crashed)})."
    if note := left_out_note(diagnoses):
        yield note


def _shortened(keys: Sequence[str]) -> str:
    shown = ", ".join(keys[:MOST_KEYS])
    return f"{shown}, +{len(keys) - MOST_KEYS}" if len(keys) > MOST_KEYS else shown
