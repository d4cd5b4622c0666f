"""Outcome of sampling: chosen candidates, and each quota, loan and share in a sentence."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from goldproof.jobs.build.recipe import Borrow
    from goldproof.jobs.build.records import Candidate

ANY_TYPE = "*"
TOLERANCE = Fraction(5, 100)


@dataclass(frozen=True, slots=True)
class CellOutcome:
    """Outcome of one quota: samples wanted, available in the pool, and chosen.

    question_type: `*` where the quota is for the whole doc_type. borrowed: lender -> how many of its samples stand in
    for missing ones; they are not in `filled`.
    """

    doc_type: str
    question_type: str
    wanted: int
    available: int
    filled: int
    borrowed: Mapping[str, int] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """`doc_type/question_type`, or `doc_type` alone."""
        return self.doc_type if self.question_type == ANY_TYPE else f"{self.doc_type}/{self.question_type}"

    @property
    def shortfall(self) -> int:
        """How many places stay empty."""
        return self.wanted - self.filled - sum(self.borrowed.values())

    def sentence(self) -> str:
        """Say how the quota was met: "table/policy: 3 of 5 answerable: the pool holds 3"."""
        text = f"{self.name}: {self.filled} of {self.wanted} answerable"
        if self.filled < self.wanted:
            text += f": the pool holds {self.available}"
        for lender, count in self.borrowed.items():
            text += f", {count} borrowed from {lender}"
        return f"{text}, {self.shortfall} missing" if self.borrowed and self.shortfall else text


@dataclass(frozen=True, slots=True)
class BorrowOutcome:
    """Outcome of a borrow rule: places that were free, samples the lender had left, samples taken."""

    rule: Borrow
    free: int
    left: int
    taken: int

    def sentence(self) -> str:
        """Say what was borrowed and what limited it."""
        limit = "" if self.rule.at_most is None else f", at most {self.rule.at_most} allowed"
        supply = f"{self.free} free, {self.left} left to lend{limit}"
        return f"{self.rule.short} from {self.rule.lender}: {self.taken} borrowed ({supply})"


@dataclass(frozen=True, slots=True)
class DifficultyOutcome:
    """How often a difficulty occurs among the `total` samples of a doc_type, unanswerables and borrowed ones included.

    target: the share wanted, None where the recipe wants none. available: how many the pool holds that a quota or a
    borrow rule could use; unanswerables are made, and not among them.
    """

    doc_type: str
    difficulty: str
    target: Fraction | None
    actual: int
    total: int
    available: int

    @property
    def share(self) -> Fraction | None:
        """The actual share; None where the doc_type has no sample."""
        return Fraction(self.actual, self.total) if self.total else None

    @property
    def on_target(self) -> bool:
        """Whether the share is within 5 points of its target; nothing is off where there is no target or no sample."""
        return self.target is None or self.share is None or abs(self.share - self.target) <= TOLERANCE

    def sentence(self) -> str:
        """Say the share: "table: D3 is 12 of 100 (12%), wanted 33%: the quotas allow no closer, the pool holds 9"."""
        share = "" if self.share is None else f" ({_percent(self.share)})"
        text = f"{self.doc_type}: {self.difficulty} is {self.actual} of {self.total}{share}"
        if self.target is not None:
            text += f", wanted {_percent(self.target)}"
        return text if self.on_target else f"{text}: the quotas allow no closer, the pool holds {self.available}"


@dataclass(frozen=True, slots=True)
class Selection:
    """The chosen candidates, smallest order first, and the outcome of each quota, loan and share.

    strata: doc_type -> value -> how many were chosen, for doc_types that have strata; values of which none was chosen
    are counted as 0, and "" stands for candidates without a value.
    """

    chosen: tuple[Candidate, ...]
    cells: tuple[CellOutcome, ...]
    borrowed: tuple[BorrowOutcome, ...]
    difficulty: tuple[DifficultyOutcome, ...]
    strata: Mapping[str, Mapping[str, int]]

    @property
    def shortfall(self) -> int:
        """How many places stay empty."""
        return sum(cell.shortfall for cell in self.cells)

    def shortfalls(self) -> tuple[str, ...]:
        """Say each quota that its own samples could not fill."""
        return tuple(cell.sentence() for cell in self.cells if cell.filled < cell.wanted)

    def off_target(self) -> tuple[str, ...]:
        """Say each difficulty share that is more than 5 points from its target."""
        return tuple(outcome.sentence() for outcome in self.difficulty if not outcome.on_target)

    def spread(self, fields: Mapping[str, str]) -> tuple[str, ...]:
        """Say over how many values of its field each doc_type is spread; fields: doc_type -> field."""
        return tuple(
            _spread(doc_type, fields[doc_type], counts)
            for doc_type, counts in self.strata.items()
            if doc_type in fields
        )


def _spread(doc_type: str, field: str, counts: Mapping[str, int]) -> str:
    """Say how evenly: "table: 57 of 90 values of company_name, 1 to 2 samples each"."""
    used = [count for value, count in counts.items() if value and count]
    values = sum(1 for value in counts if value)
    each = f", {min(used)} to {max(used)} answerable samples each" if used else ""
    without = f"; {counts['']} samples have none" if counts.get("") else ""
    return f"{doc_type}: {len(used)} of {values} values of {field}{each}{without}"


def _percent(share: Fraction) -> str:
    return f"{float(100 * share):.3g}%"
