"""How many more pairs people would have to label, for intervals of a given half-width.

The formulas of `goldproof.stats.power_analysis`: they take what was seen so far for the truth. A plan, not a promise.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from goldproof.jobs.calibrate.shares import judged
from goldproof.stats import design_effect
from goldproof.stats.power_analysis import labels_for_corrected_mean, labels_for_share

if TYPE_CHECKING:
    import numpy as np

    from goldproof.jobs.calibrate.agreement import Agreement
    from goldproof.jobs.calibrate.aligned import Aligned
    from goldproof.jobs.calibrate.shares import Shares
    from goldproof.records.arrays import BoolArray

FEWEST = 2
_ALIKE = "Pairs of one question are alike: design effect"


@dataclass(frozen=True, slots=True)
class Need:
    """Labels for one figure. total: in all; None where there is no plan, and note says why."""

    name: str
    have: int
    total: int | None = None
    note: str = ""

    @property
    def more(self) -> int | None:
        """How many are lacking."""
        return None if self.total is None else max(0, self.total - self.have)

    def to_dict(self) -> dict[str, object]:
        """Return it for a file."""
        return {"have": self.have, "total": self.total, "more": self.more, "note": self.note or None}


def need_for_accuracy(
    pairs: Aligned, found: Agreement, *, right: np.ndarray | None, decided: BoolArray, width: float
) -> Need:
    """Plan for accuracy; right: whether each verdict was."""
    share = found.accuracy.value
    if share is None or right is None:
        return Need("accuracy", found.accuracy.n, note=found.accuracy.note)
    questions = [question for question, kept in zip(pairs.questions, decided.tolist(), strict=True) if kept]
    effect = max(1.0, design_effect(right, clusters=questions))
    total = labels_for_share(share, half_width=width, design_effect=effect)
    note = f"{_ALIKE} {effect:.2f}." if effect > 1 else ""
    return Need("accuracy", found.accuracy.n, total, note)


def need_for_share(pairs: Aligned, found: Shares, *, width: float) -> Need:
    """Plan for the corrected share of relevant pairs."""
    name = "corrected share of relevant pairs"
    if pairs.n < FEWEST:
        return Need(name, pairs.n, note="Fewer than two pairs have both labels.")
    if pairs.relevant.min() == pairs.relevant.max():
        return Need(name, pairs.n, note="All human labels are on the same side, so their variance is not known.")
    if found.total == pairs.n:
        return Need(name, pairs.n, note="Every pair that the judge ruled on has a human label already.")
    said, _ = judged(pairs)
    total = labels_for_corrected_mean(
        pairs.relevant, said, total=found.total, half_width=width, design_effect=found.design_effect
    )
    if total is None:
        return Need(name, pairs.n, note=f"Not even labels for all {found.total:,} judged pairs would be enough.")
    effect = found.design_effect
    return Need(name, pairs.n, total, f"{_ALIKE} {effect:.2f}." if effect > 1 else "")
