"""How far mining is, for whoever watches."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping

    from goldproof.judge import Ruling
    from goldproof.llm.budget import Budget


@dataclass(frozen=True, slots=True)
class MiningProgress:
    """How far it is.

    labelled: candidates that are judged, of `pairs`; failed: of them, without a ruling. spent: what models cost so far,
    as `Budget.facts` says it; rulings on sets are among the calls.
    """

    questions: int
    all_questions: int
    labelled: int
    pairs: int
    failed: int
    spent: Mapping[str, object]


class MiningWatcher(Protocol):
    """Somebody who wants to know how far it is."""

    def mining(self, progress: MiningProgress) -> None:
        """A candidate is judged, or a question is done."""


class Tally:
    """Counts what is done and tells a watcher."""

    def __init__(self, watcher: MiningWatcher | None, *, questions: int, pairs: int, budget: Budget) -> None:
        self._watcher = watcher
        self._questions, self._pairs = questions, pairs
        self._budget = budget
        self._done = self._labelled = self._failed = 0

    def ruled(self, ruling: Ruling) -> None:
        """Count a ruling on a candidate."""
        self._labelled += 1
        self._failed += ruling.label == "failed"
        self._tell()

    def finished(self) -> None:
        """Count a question."""
        self._done += 1
        self._tell()

    def _tell(self) -> None:
        if self._watcher is not None:
            self._watcher.mining(
                MiningProgress(
                    questions=self._done,
                    all_questions=self._questions,
                    labelled=self._labelled,
                    pairs=self._pairs,
                    failed=self._failed,
                    spent=self._budget.facts(),
                )
            )
