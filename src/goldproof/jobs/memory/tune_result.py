"""What tuning hands back: the winner against the baseline on the hold-out, and how much development flattered it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from goldproof.io import write_json, write_text
from goldproof.jobs.memory.result import FAILURES, MemoryResult
from goldproof.jobs.memory.results_file import RESULTS
from goldproof.jobs.memory.tuning import WINNER_FILE, winner_yaml
from goldproof.jobs.memory.tuning.holdout import HOLDOUT_FILE
from goldproof.jobs.memory.tuning.study_file import STUDY_FILE
from goldproof.report import Heading, Table
from goldproof.report.numbers import bracket, number, signed
from goldproof.study import Attachment
from goldproof.study.result import ARTEFACTS as COMMON

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from goldproof.io.scenarios.scenario import Suite
    from goldproof.jobs.memory.tuning import Estimate, HoldoutComparison, Opening, Tuned

TRIALS_FILE = "trials.json"
ARTEFACTS = (*COMMON, RESULTS, *FAILURES, WINNER_FILE, TRIALS_FILE, HOLDOUT_FILE, f"{STUDY_FILE}*")


class TuneResult(MemoryResult):
    """A memory result over the hold-out, with two runs (`tuned`, `baseline`), and the search behind it."""

    def __init__(
        self,
        *given: Any,  # noqa: ANN401 - as for a memory result
        tuned: Tuned,
        compared: HoldoutComparison,
        opening: Opening,
        development: Suite,
        **named: Any,  # noqa: ANN401
    ) -> None:
        super().__init__(*given, **named)
        self.tuned = tuned
        self.compared = compared
        self.opening = opening
        self._development = development

    @property
    def winner(self) -> str:
        """The winning pipeline."""
        return self.tuned.winner.pipeline

    def to_dict(self) -> dict[str, object]:
        """Return the search, the hold-out and the optimism, and the hold-out's results in the known shape."""
        return {
            "winner": self.winner,
            "baseline": self.tuned.baseline.pipeline,
            "objective": self.tuned.objective,
            "search": {
                "trials": len(self.tuned.trials),
                "distinct": self.tuned.distinct,
                "repeated": self.tuned.repeated,
                "failed": self.tuned.failed,
            },
            **self.compared.to_dict(),
            "holdout": {**self.opening.to_dict(), **self.results_dict()},
            "comparisons": [c.to_dict() | {"metric": c.metric, "pair": str(c.pair)} for c in self.study.comparisons],
        }

    @property
    def lead(self) -> Sequence[Table]:
        """The winner, the optimism, and what a memory result shows."""
        return [self._winner_table(), self._optimism_table(), *super().lead]

    def _winner_table(self) -> Table:
        tuned = self.tuned
        rows = tuple(
            (name, record.pipeline, number(record.value))
            for name, record in (("tuned", tuned.winner), ("baseline", tuned.baseline))
        )
        counted = (
            f"{len(tuned.trials)} trials, {tuned.distinct} distinct configurations, {tuned.failed} failed; the winner "
            f"is trial {tuned.winner.number}."
        )
        headings = (Heading("", "left"), Heading("pipeline", "left"), Heading(f"{tuned.objective} on development"))
        return Table(headings, rows, title="Tuning", notes=(counted,))

    def _optimism_table(self) -> Table:
        rows = tuple(
            (one.name, *(_shown(part) for part in (one.development, one.holdout)), _shown(one.difference, sign=True))
            for one in self.compared.optimism
        )
        names = ("development", "hold-out", "optimism")
        return Table(
            (Heading("", "left"), *(Heading(name) for name in names)),
            rows,
            title=f"{self.compared.objective}: development and hold-out",
            notes=("Optimism is development minus hold-out: how much the score flatters that was tuned on.",),
        )

    @property
    def own_artefacts(self) -> Sequence[str]:
        """What is written beside the common files."""
        return ARTEFACTS

    @property
    def attachments(self) -> Sequence[Attachment]:
        """The winning configuration, every trial, and what a memory result attaches."""
        yaml = winner_yaml(self.tuned, development=self._development, seed=self.provenance.seed, k=self.rules.k)
        return (
            Attachment(WINNER_FILE, partial(write_text, text=yaml)),
            Attachment(TRIALS_FILE, partial(write_json, value=self.tuned.to_dict())),
            *super().attachments,
        )


def _shown(estimate: Estimate, *, sign: bool = False) -> str:
    value = signed(estimate.value) if sign else number(estimate.value)
    return f"{value} {bracket(estimate.low, estimate.high, sign=sign)}"
