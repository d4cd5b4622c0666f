"""Progress lines on stderr, shown only on a terminal."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from collections.abc import Mapping

    from goldproof.jobs.memory.tuning.trial import TrialRecord
    from goldproof.jobs.mine import MiningProgress
    from goldproof.jobs.verify import AuditProgress
    from goldproof.retrieve import Progress
    from goldproof.sandbox import Isolation


class ProgressLine:
    """A line on stderr that is rewritten, if that is a terminal, and cleared at the end."""

    _PAUSE = 0.1  # seconds; a line per question would cost more than a fast search

    def __init__(self) -> None:
        self._watched = sys.stderr.isatty()
        self._width = 0
        self._last = 0.0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Clear the line, so that an error does not begin in the middle of it."""
        if self._width:
            self._write("")

    def _write(self, line: str) -> None:
        if self._watched:
            sys.stderr.write(f"\r{line.ljust(self._width)}" + ("" if line else "\r"))
            sys.stderr.flush()
            self._width = len(line)

    def _due(self, *, always: bool = False) -> bool:
        """Whether the last line is old enough to be rewritten."""
        if not always and time.monotonic() - self._last < self._PAUSE:
            return False
        self._last = time.monotonic()
        return True


class ReadingProgress(ProgressLine):
    """Shows how many conversations of a file of traces have been read."""

    def __call__(self, name: str, conversations: int, results: int) -> None:
        """Rewrite the line."""
        self._write(f"{name}: {conversations:,} conversations, {results:,} results read")


class RecordProgress(ProgressLine):
    """Shows how many records of a source have been read."""

    def __call__(self, name: str, records: int) -> None:
        """Rewrite the line."""
        self._write(f"{name}: {records:,} records read")


class RetrievalProgress(ProgressLine):
    """Shows how far a retriever is: documents embedded, then questions asked, with a bar."""

    _WIDTH = 24

    def __init__(self, name: str) -> None:
        super().__init__()
        self._name = name

    def embedding(self, done: int, total: int, cached: int) -> None:
        """Rewrite the line while documents are embedded."""
        self._show(done, total, f"documents embedded, {cached:,} from the cache")

    def asking(self, progress: Progress) -> None:
        """Rewrite the line while questions are asked; the last one clears it."""
        resumed = f", {progress.resumed:,} from an earlier run" if progress.resumed else ""
        self._show(progress.done, progress.all, f"questions, {progress.failed:,} failed{resumed}")
        if progress.done == progress.all:
            self._write("")

    def _show(self, done: int, total: int, step: str) -> None:
        if self._due(always=done >= total):
            filled = self._WIDTH * done // max(total, 1)
            self._write(f"{self._name}: [{'#' * filled}{'.' * (self._WIDTH - filled)}] {done:,} of {total:,} {step}")


class JudgingProgress(ProgressLine):
    """Shows how far a judge is; the last ruling clears the line."""

    def __call__(self, done: int, total: int) -> None:
        """Rewrite the line."""
        if done == total:
            self._write("")
        elif self._due():
            self._write(f"judge: {done:,} of {total:,} judged")


class MiningProgressLine(ProgressLine):
    """Shows how far mining is: candidates judged, answers from the cache, failures, and what was spent."""

    def mining(self, progress: MiningProgress) -> None:
        """Rewrite the line; the last question clears it."""
        if progress.questions == progress.all_questions:
            self._write("")
        elif self._due():
            self._write(
                f"mining: {progress.questions:,} of {progress.all_questions:,} questions, {progress.labelled:,} of "
                f"{progress.pairs:,} candidates judged, {progress.failed:,} failed, {progress.spent['calls']:,} calls, "
                f"{progress.spent['cached']:,} cached, {_cost(progress.spent)}"
            )


class AuditProgressLine(ProgressLine):
    """Shows how far an audit is; the isolation of scripts is printed once for each library, terminal or not."""

    def opening(self, library: str) -> None:
        """Show which library is being made ready; an environment of wheels may take a while."""
        self._write(f"making {library} ready")

    def isolated(self, library: str, isolation: Isolation) -> None:
        """Print how far the sandbox can be trusted."""
        self._write("")
        held = f": {len(isolation.held)} attacks tried, all held" if isolation.held and not isolation.broken else ""
        broken = f"; NOT HELD: {', '.join(isolation.broken)}" if isolation.broken else ""
        sys.stderr.write(f"{library}: sandbox {isolation.level}{held}{broken}\n")
        for note in isolation.notes:
            sys.stderr.write(f"  {note}\n")

    def auditing(self, progress: AuditProgress) -> None:
        """Rewrite the line; the last case clears it."""
        if progress.done == progress.cases:
            self._write("")
        elif self._due():
            verdicts = ", ".join(f"{n:,} {verdict}" for verdict, n in sorted(progress.verdicts.items()))
            cost = f", {progress.spent['calls']:,} calls, {_cost(progress.spent)}" if progress.spent else ""
            self._write(
                f"{progress.library}: {progress.done:,} of {progress.cases:,} cases, {progress.proofs:,} scripts run, "
                f"{verdicts}{cost}"
            )


def _cost(spent: Mapping[str, object]) -> str:
    cost = spent["cost"]
    if not isinstance(cost, int | float):
        return "cost unknown"
    return f"{'at least ' if spent.get('cost_unknown_calls') else ''}${cost:.4f}"


class MemoryProgressLine(ProgressLine):
    """Shows how far a memory system is, or how far tuning is."""

    def asked(self, done: int, total: int, *, failed: int) -> None:
        """Rewrite the line after each scenario; the last one clears it."""
        self._write("" if done == total else f"memory: {done:,} of {total:,} queries, {failed:,} failed")

    def tried(self, done: int, total: int, *, best: TrialRecord, failed: int) -> None:
        """Rewrite the line after each trial; the last one clears it."""
        best_so_far = f"best {best.value or 0.0:.4f} ({best.pipeline})"
        self._write("" if done == total else f"tuning: {done:,} of {total:,} trials, {failed:,} failed, {best_so_far}")
