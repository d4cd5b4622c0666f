"""Audit cases in parallel; findings in the order of the cases, progress after each."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from threading import Lock
from typing import TYPE_CHECKING, TypeVar

from goldproof.jobs.verify.watching import AuditProgress

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from goldproof.jobs.verify.bench import Bench
    from goldproof.jobs.verify.finding import CaseFinding, Verdict
    from goldproof.jobs.verify.watching import AuditWatcher

T = TypeVar("T")
_THREADS = 8  # more than sandboxes: a case whose agent waits for its model leaves its place to others


def in_parallel(
    audit: Callable[[T], CaseFinding],
    cases: Sequence[T],
    *,
    bench: Bench,
    watcher: AuditWatcher,
    spent: Callable[[], Mapping[str, object]] = dict,
) -> list[CaseFinding]:
    """Audit all cases and return the findings in their order. What one of them raises ends all that did not begin."""
    verdicts: Counter[Verdict] = Counter()
    lock = Lock()

    def one(case: T) -> CaseFinding:
        finding = audit(case)
        with lock:
            verdicts[finding.verdict] += 1
            done = verdicts.total()
            watcher.auditing(
                AuditProgress(bench.library.label, done, len(cases), bench.scripts, dict(verdicts), spent())
            )
        return finding

    with ThreadPoolExecutor(_THREADS, thread_name_prefix="goldproof-audit") as pool:
        futures = [pool.submit(one, case) for case in cases]
        try:
            wait(futures, return_when=FIRST_EXCEPTION)
        finally:
            for future in futures:
                future.cancel()
        return [future.result() for future in futures if not future.cancelled()]
