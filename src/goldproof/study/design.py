"""What is compared, and how: fixed before the numbers are seen."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from goldproof.core.errors import InputError
from goldproof.metrics import parse_metrics
from goldproof.study.comparison import Procedure
from goldproof.study.pairs import choose_pairs

if TYPE_CHECKING:
    from collections.abc import Collection

    from goldproof.study.pairs import Pair


@dataclass(frozen=True, slots=True)
class Design:
    """What is compared, and how: fixed before the numbers are seen.

    described: metrics that are shown with intervals and differences but not tested, so that a curve of many points does
    not cost the tests their power.
    """

    pairs: tuple[Pair, ...] = ()
    primary: str | None = None
    margin: float | None = None
    test: Procedure = field(default_factory=Procedure)
    lower_is_better: frozenset[str] = frozenset()
    described: frozenset[str] = frozenset()

    @classmethod
    def named(
        cls,
        runs: tuple[str, ...],
        *,
        baseline: str | None,
        pairs: str | None,
        primary: str | None,
        margin: float | None,
        test: str,
        seed: object,
    ) -> Design:
        """Check names that a user gave, before any work is done."""
        if not isinstance(seed, int) or seed < 0:
            raise InputError(f"seed {seed!r} is not a whole number of 0 or more.")
        chosen = choose_pairs(runs, baseline=baseline, pairs=pairs)
        canonical = None if primary is None else str(parse_metrics(primary)[0])
        return cls(chosen, primary=canonical, margin=margin, test=Procedure.named(test, seed=seed))

    def without_runs(self, names: Collection[str]) -> Design:
        """Return the same without comparisons of these runs."""
        return replace(self, pairs=tuple(pair for pair in self.pairs if pair.a not in names and pair.b not in names))

    def to_dict(self) -> dict[str, object]:
        """Return the settings for a card."""
        return {
            "pairs": [str(pair) for pair in self.pairs],
            "primary": self.primary,
            "margin": self.margin,
            "test": self.test.name,
            "permutations": self.test.permutations,
            "lower_is_better": sorted(self.lower_is_better),
        }
