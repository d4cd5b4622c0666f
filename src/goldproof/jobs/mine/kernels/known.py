"""All that is known of a question once everybody has ruled."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from goldproof.jobs.mine.kernels.outcome import KernelOutcome

if TYPE_CHECKING:
    from collections.abc import Mapping

    from goldproof.judge.judge import Ruling, Scale


@dataclass(frozen=True, slots=True)
class Known:
    """alone: rulings on single documents. outcome: None where kernels were not looked for. scale: the judge's."""

    alone: Mapping[str, Ruling]
    outcome: KernelOutcome | None
    scale: Scale | None = None

    @property
    def found(self) -> KernelOutcome:
        """What the search for kernels found; nothing where there was none."""
        return self.outcome or KernelOutcome()

    def bears_on_it(self, document: str) -> bool:
        """Return whether a document was ruled a no with a grade that says it is not irrelevant."""
        ruling, least = self.alone.get(document), None if self.scale is None else self.scale.partial_from
        if ruling is None or least is None or ruling.grade is None or ruling.sufficient is not False:
            return False
        return ruling.grade >= least

    def bearing(self) -> int:
        """Return how many such documents there are."""
        return sum(self.bears_on_it(document) for document in self.alone)

    def positives(self) -> int:
        """Return how many documents are ruled sufficient alone."""
        return sum(ruling.sufficient is True for ruling in self.alone.values())

    def looked_at(self) -> int:
        """Return how many documents some judge saw, alone or with others."""
        return len({*self.alone, *(one for asked in self.found.rulings for one in asked.documents)})

    def unruled(self) -> int:
        """Return how many rulings came without an outcome, each counted once."""
        sets = sum(len(one.documents) > 1 and one.ruling.sufficient is None for one in self.found.rulings)
        return sets + sum(ruling.sufficient is None for ruling in self.alone.values())
