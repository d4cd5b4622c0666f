"""The family of tests: how many comparisons a command makes, and what that does to each p-value.

Every (metric, pair) that is tested belongs to one family, corrected by Holm; Bonferroni stands beside it. With a
primary metric the primary's pairs are a family of their own, and every other metric is corrected over all tests: naming
a primary never makes another metric's result easier.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from goldproof.stats import bonferroni, holm

if TYPE_CHECKING:
    from collections.abc import Sequence


class Adjusted(NamedTuple):
    """p-values corrected for the size of the family, in the order given."""

    holm: list[float | None]
    bonferroni: list[float | None]


def adjust(p_values: Sequence[float | None], *, primary: Sequence[bool] | None = None) -> Adjusted:
    """Correct p-values; a test without one (None) is not in the family."""
    everything = Adjusted(list(holm(p_values)), list(bonferroni(p_values)))
    if primary is None:
        return everything
    chosen = [i for i, is_primary in enumerate(primary) if is_primary]
    alone = [p_values[i] for i in chosen]
    for i, by_holm, by_bonferroni in zip(chosen, holm(alone), bonferroni(alone), strict=True):
        everything.holm[i], everything.bonferroni[i] = by_holm, by_bonferroni
    return everything
