"""What was met on the way to a score, in sentences: nothing may be passed over in silence."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from karat.jobs.trace.frames import COMPLETION
from karat.metrics import Metric
from karat.report.numbers import share

if TYPE_CHECKING:
    from collections.abc import Mapping

    from karat.jobs.trace.scored_system import ScoredSystem
    from karat.jobs.trace.scored_traces import ScoredTraces

_NOTICES = {
    "ids_overruled": "duplicates have another id than the result they repeat (--dedup id would keep them apart)",
    "equal_id_snippet_differs": "duplicates have the id of the result they repeat, but another snippet",
    "equal_id_rejected": "comparisons of equal ids found different results (--dedup id would take them for the same)",
}


def trace_remarks(traces: ScoredTraces, *, pooled: bool) -> list[str]:
    """Say what each system lacks and what its numbers rest on; pooled: whether a pool of good results matters."""
    remarks = []
    for name, one in traces.systems.items():
        lines = _system_remarks(one) + (_pool_remarks(one) if pooled else [])
        remarks += [f"{name}: {line}" for line in lines]
    return remarks + _absent(traces) + _alone(traces)


def _system_remarks(one: ScoredSystem) -> list[str]:
    system = one.system
    results, duplicates = int(one.iterations.results.sum()), int(one.iterations.duplicates.sum())
    lines = []
    if duplicates:
        steps = ", ".join(f"{step} {n:,}" for step, n in sorted(system.steps.items(), key=lambda s: (-s[1], s[0])))
        lines.append(
            f"{duplicates:,} of {results:,} results are duplicates ({share(duplicates / results)}); by {steps}."
        )
    lines += [f"{system.notices[key]:,} {text}." for key, text in _NOTICES.items() if system.notices.get(key)]
    lines += _label_remarks(one)
    if not results and system.searches.sum():
        lines.append("no search returned anything; does the file leave the results out?")
    if failed := int(system.failed_searches.sum()):
        lines.append(
            f"{_counted(failed, 'search', 'searches')} of {int(system.searches.sum()):,} failed, counted empty."
        )
    if blank := int(np.count_nonzero((system.lengths == 0) & ~system.crashed)):
        lines.append(f"{_counted(blank, 'conversation')} without a search in the last turn: undefined.")
    return lines


def _pool_remarks(one: ScoredSystem) -> list[str]:
    scored = one.own_column(Metric(COMPLETION)).scored
    lacking, pooled = int(np.count_nonzero(one.completion.completed[scored] == 0)), int(np.count_nonzero(scored))
    if not lacking:
        return []
    never = f"{lacking:,} of {pooled:,} conversations with a pool of good results never complete it"
    return [f"{never}: their {COMPLETION} is 100."]


def _label_remarks(one: ScoredSystem) -> list[str]:
    system = one.system
    unlabelled, unique = int(system.counts.unlabelled.sum()), int(one.iterations.unique.sum())
    lines = []
    if unlabelled == unique and unique:
        lines.append("no result has a label, so gains are undefined; counts and SRR need none.")
    elif unlabelled:
        lines.append(
            f"{unlabelled:,} of {unique:,} distinct results have no label ({share(unlabelled / unique)}): they add no "
            "gain; the bounds say what they could add."
        )
    if conflicts := int(system.conflicts.sum()):
        torn = int(np.count_nonzero(system.conflicts))
        lines.append(
            f"{_counted(conflicts, 'duplicate')} in {_counted(torn, 'conversation')} with another label than the "
            "result repeated: the first label counts."
        )
    if system.overruled:
        lines.append(f"{_counted(system.overruled, 'label')} in the trace overruled by the labels beside it.")
    return lines


def _absent(traces: ScoredTraces) -> list[str]:
    lines = []
    for name, one in traces.systems.items():
        lacking = int(np.count_nonzero(one.rows < 0))
        if lacking:
            lines.append(
                f"{name}: lacks {_counted(lacking, 'conversation')} that another system has; not compared there."
            )
    return lines


def _alone(traces: ScoredTraces) -> list[str]:
    alone = traces.clusters.null_count()
    if alone in (0, len(traces.clusters)):
        return []
    return [f"{alone:,} of {len(traces.ids):,} conversations have no cluster, so each is one of its own."]


def _counted(n: int, noun: str, plural: str | None = None) -> str:
    return f"{n:,} {noun if n == 1 else plural or noun + 's'}"


def system_facts(traces: ScoredTraces) -> Mapping[str, object]:
    """Return the counts of each system for `summary.json`."""
    return {name: _facts(one, shown=traces.shown) for name, one in traces.systems.items()}


def _facts(one: ScoredSystem, *, shown: int) -> dict[str, object]:
    system, counts = one.system, one.iterations
    lengths = system.lengths
    results, unique = int(counts.results.sum()), int(counts.unique.sum())
    unlabelled = int(system.counts.unlabelled.sum())
    return {
        "conversations": len(lengths),
        "conversations_failed": len(system.failed),
        "conversations_without_search": int(np.count_nonzero((lengths == 0) & ~system.crashed)),
        "conversations_without_label": int(np.count_nonzero(one.undefined_gains & (lengths > 0))),
        "reach": [int(np.count_nonzero(lengths >= i)) for i in range(1, min(int(lengths.max(initial=0)), shown) + 1)],
        "iterations": int(lengths.sum()),
        "searches": int(system.searches.sum()),
        "searches_failed": int(system.failed_searches.sum()),
        "results": results,
        "unique": unique,
        "duplicates": results - unique,
        "redundancy": (results - unique) / results if results else None,
        "good": int(counts.good.sum()) if unlabelled < unique else None,
        "unlabelled": unlabelled,
        "unjudged_share": unlabelled / unique if unique else None,
        "label_conflicts": int(system.conflicts.sum()),
        "labels_overruled": system.overruled,
        "duplicates_by_step": dict(system.steps),
        "dedup_notices": dict(system.notices),
    }
