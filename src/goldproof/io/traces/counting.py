"""How much is in a file of traces: what `goldproof validate` says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldproof.io.traces.json_lines import RESULTS_PER_BATCH
from goldproof.io.traces.reading import no_conversations, trace_tables

if TYPE_CHECKING:
    from pathlib import Path

    from goldproof.core.traces import TraceTable
    from goldproof.io.complaints import Complaints


def count_traces(path: Path, complaints: Complaints) -> dict[str, int]:
    """Read a file whole and count; failed are conversations, failed searches are counted apart."""
    totals = dict.fromkeys(_NAMES, 0)
    for table in trace_tables(path, complaints, results_per_batch=RESULTS_PER_BATCH):
        for name, count in zip(_NAMES, _counts(table), strict=True):
            totals[name] += count
    if not totals["conversations"] and not complaints.total:
        raise no_conversations(complaints)
    return totals


_NAMES = ("conversations", "iterations", "searches", "results", "labelled", "failed", "failed_searches")


def _counts(table: TraceTable) -> tuple[int, ...]:
    return (
        len(table.conversations),
        len(table.search_starts) - 1,
        len(table.queries),
        len(table.results),
        int((table.results.gains >= 0).sum()),
        len(table.failed),
        len(table.failed_searches),
    )
