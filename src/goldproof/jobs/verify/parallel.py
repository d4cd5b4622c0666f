"""Audit cases in parallel; findings in the order of the cases, progress after each."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from threading import Lock
from typing import TYPE_CHECKING, TypeVar

from goldproof.llm.budget import spent_text
from goldproof.progress import OnProgress, Progress

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from goldproof.jobs.verify.bench import Bench
    from goldproof.jobs.verify.finding import CaseFinding, Verdict
    from goldproof.sandbox import Isolation

T = TypeVar("T")
_THREADS = 8  # more than sandboxes: a case whose agent waits for its model leaves its place to others


def in_parallel(
    audit: Callable[[T], CaseFinding],
    cases: Sequence[T],
    *,
    bench: Bench,
    on_progress: OnProgress,
    spent: Callable[[], Mapping[str, object]] = dict,
) -> list[CaseFinding]:
    """Audit all cases and return the findings in their order. What one of them raises ends all that did not begin."""
    verdicts: Counter[Verdict] = Counter()
    lock = Lock()

    def one(case: T) -> CaseFinding:
        finding = audit(case)
        with lock:
            verdicts[finding.verdict] += 1
            cost = [spent_text(facts)] if (facts := spent()) else []
            counts = [f"{n:,} {verdict}" for verdict, n in sorted(verdicts.items())]
            note = ", ".join([f"{bench.scripts:,} scripts run", *cost, *counts])
            on_progress(Progress(bench.library.label, verdicts.total(), len(cases), note=note))
        return finding

    with ThreadPoolExecutor(_THREADS, thread_name_prefix="goldproof-audit") as pool:
        futures = [pool.submit(one, case) for case in cases]
        try:
            wait(futures, return_when=FIRST_EXCEPTION)
        finally:
            for future in futures:
                future.cancel()
        return [future.result() for future in futures if not future.cancelled()]


def isolation_progress(library: str, isolation: Isolation) -> Progress:
    """Return how the scripts for a library are isolated, as a message that stays."""
    held = f": {len(isolation.held)} attacks tried, all held" if isolation.held and not isolation.broken else ""
    broken = f"; NOT HELD: {', '.join(isolation.broken)}" if isolation.broken else ""
    lines = [f"sandbox {isolation.level}{held}{broken}", *(f"  {note}" for note in isolation.notes)]
    return Progress(library, 0, note="\n".join(lines), lasting=True)
