"""What two phases have in common: the same id, or nearly the same question.

An id is refused wherever it stands twice. A question is compared with those of earlier phases only: what its own phase
holds twice was decided when that phase was built.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from goldproof.jobs.build.questions.repeats import QuestionIndex, exact_share

if TYPE_CHECKING:
    from goldproof.jobs.build.phases.phase import PhaseSample

LISTED = 10
_SHOWN = 80
_ADVICE = "Leave them out of one of the files; goldproof build --exclude FILE does."
_ALIKE = "Questions that are only alike are allowed with --near-duplicates off."


class Place(NamedTuple):
    """Where a sample stands: the phase, its file and the line."""

    phase: str
    file: str
    line: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


@dataclass(slots=True)
class PhaseRepeats:
    """Gathers what is repeated; the first few are told, all are counted. threshold: None compares ids only.

    Samples come phase by phase.
    """

    threshold: float | None
    listed: list[str] = field(default_factory=list)
    total: int = 0
    alike: int = 0
    _places: dict[str, Place] = field(default_factory=dict)
    _indexes: dict[str, QuestionIndex] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.threshold is not None:
            exact_share(self.threshold)  # refused now, and not after much reading

    def add(self, found: PhaseSample) -> None:
        """Look at the next sample."""
        name, place = found.sample.id, Place(found.phase.name, str(found.phase.path), found.line)
        earlier = self._places.setdefault(name, place)
        if earlier is not place:
            self._tell(f"{place}: id {name!r} is also in {earlier}.")
            return
        alike = self._near(name, found.sample.question, phase=place.phase)
        if alike is not None:
            self.alike += 1
            self._tell(
                f"{place}: the question of {name!r} nearly repeats that of {alike!r} in {self._places[alike]}: "
                f"{_short(found.sample.question)}"
            )

    def message(self) -> str:
        """Say what is repeated, and what can be done about it."""
        count = "1 sample repeats" if self.total == 1 else f"{self.total:,} samples repeat"
        more = self.total - len(self.listed)
        lines = [f"{count} another; nothing was written.", *self.listed]
        lines += [f"... and {more:,} more."] if more else []
        return "\n  ".join([*lines, _ADVICE, *([_ALIKE] if self.alike else [])])

    def _tell(self, sentence: str) -> None:
        self.total += 1
        if len(self.listed) < LISTED:
            self.listed.append(sentence)

    def _near(self, name: str, question: str, *, phase: str) -> str | None:
        """Return the id of a near-duplicate of an earlier phase, and remember the question for later ones."""
        if self.threshold is None:
            return None
        if phase not in self._indexes:
            self._indexes[phase] = QuestionIndex(self.threshold)
        found = (index.find(question) for earlier, index in self._indexes.items() if earlier != phase)
        alike = next((one for one in found if one is not None), None)
        self._indexes[phase].keep(name, question)
        return alike


def _short(text: str) -> str:
    return repr(text if len(text) <= _SHOWN else f"{text[:_SHOWN]}...")
