"""Notes and counts on what was skipped, overruled or unlabelled."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from goldproof.metrics import Metric
from goldproof.metrics.gain.iterations import COMPLETION
from goldproof.report.numbers import share

if TYPE_CHECKING:
    from collections.abc import Mapping

    from goldproof.io.datasets.labels import Labels
    from goldproof.jobs.trace.scores import ScoredSystem, ScoredTraces

_NOTICES = {
    "ids_overruled": "duplicates with another id than the result they repeat (dedup by id would keep them apart)",
    "equal_id_snippet_differs": "duplicates with the id of the result they repeat, but another snippet",
    "equal_id_rejected": "comparisons of equal ids with different results (dedup by id would take them for the same)",
    "without_id": "results without an id: never duplicates, since ids alone are compared",
}


def trace_remarks(traces: ScoredTraces, *, labels: Labels | None, pooled: bool) -> list[str]:
    """Say what each system lacks and what its numbers rest on.

    labels: beside the trace. pooled: whether a pool of good results matters.
    """
    remarks = []
    for name, one in traces.systems.items():
        lines = _system_remarks(one, labels) + (_pool_remarks(one) if pooled else [])
        remarks += [f"{name}: {line}" for line in lines]
    return remarks + _absent(traces) + _alone(traces)


def _system_remarks(one: ScoredSystem, labels: Labels | None) -> list[str]:
    system = one.system
    results, duplicates = int(one.iterations.results.sum()), int(one.iterations.duplicates.sum())
    lines = []
    if duplicates:
        steps = ", ".join(f"{step} {n:,}" for step, n in sorted(system.steps.items(), key=lambda s: (-s[1], s[0])))
        lines.append(
            f"{duplicates:,} of {results:,} results are duplicates ({share(duplicates / results)}); by {steps}."
        )
    lines += [f"{text}: {system.notices[key]:,}." for key, text in _NOTICES.items() if system.notices.get(key)]
    lines += _label_remarks(one, labels)
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
    """Say where names of a given pool may not be those of the trace."""
    scored = one.own_column(Metric(COMPLETION)).scored
    pool, found = int(one.completion.pool[scored].sum()), int(one.completion.found[scored].sum())
    if not (one.pool_given and pool) or found:
        return []
    return [f"none of the {pool:,} pooled results is among its results; are the names the same?"]


def _label_remarks(one: ScoredSystem, labels: Labels | None) -> list[str]:
    system = one.system
    blank = one.undefined_gains & (system.lengths > 0)
    unlabelled = int(system.per_conversation(system.counts.unlabelled)[~blank].sum())
    unique = int(system.per_conversation(one.iterations.unique)[~blank].sum())
    lines = []
    if blank.all() and len(blank):
        lines.append(f"no result has a label, so gains are undefined; counts and SRR need none.{_unjudged(labels)}")
    elif blank.any():
        without = f"{_counted(int(blank.sum()), 'conversation')} without any label"
        lines.append(f"{without}: gains undefined, not in the means.{_unjudged(labels)}")
    if missed := int(one.missed.sum()):
        scored = _counted(int(np.count_nonzero(one.own_column(Metric("CG")).scored)), "scored conversation")
        lines.append(f"{missed:,} of {scored} found none of the documents judged for the question: gains of 0.")
    if unlabelled:
        lines.append(
            f"{unlabelled:,} of {unique:,} distinct results in scored conversations have no label "
            f"({share(unlabelled / unique)}): they add no gain; the bounds say what they could add."
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


def _unjudged(labels: Labels | None) -> str:
    """Say why labels beside the trace do not make a miss a 0."""
    if labels is None:
        return ""
    if labels.per_question:
        return " The labels judge none of their questions."
    return " The labels name documents only, so no question is judged; labels by question would make a miss a 0."


def label_remarks(traces: ScoredTraces, *, labels: int) -> list[str]:
    """Say where labels beside the trace found nothing to label. labels: how many there are."""
    missed = [name for name, one in traces.systems.items() if not one.system.matched and one.iterations.results.any()]
    looked = "looked up by id, else URL; are the names the same?"
    return [
        f"{name}: no label beside the trace, of {labels:,}, matches a result ({looked})"
        + (": no verdict on gains." if traces.systems[name].is_foreign(Metric("CG")) else "")
        for name in missed
    ]


def cluster_remarks(traces: ScoredTraces, given: Mapping[str, str]) -> list[str]:
    """Say which given clusters have no conversation, and how many clusters of the traces they replace."""
    unknown = sorted(given.keys() - set(traces.ids))
    own = {
        name: cluster
        for one in traces.systems.values()
        for name, cluster in zip(one.system.conversations, one.system.clusters, strict=True)
        if cluster is not None
    }
    replaced = sum(given.get(name) != cluster for name, cluster in own.items())
    lines = (
        [f"clusters: {_counted(len(unknown), 'id')} of no conversation (the first: {unknown[0]!r})."] if unknown else []
    )
    if replaced:
        lines.append(
            f"clusters: those given replace the clusters of {_counted(replaced, 'conversation')} in the traces."
        )
    return lines


def pool_remarks(traces: ScoredTraces) -> list[str]:
    """Say where a given pool knows none of the questions."""
    missed = [name for name, one in traces.systems.items() if not one.completion.pool.any()]
    return [f"{name}: the pool has no good document for any of its questions; are the ids the same?" for name in missed]


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
        "conversations_missed": int(np.count_nonzero(one.missed)),
        "reach": [int(np.count_nonzero(lengths >= i)) for i in range(1, min(int(lengths.max(initial=0)), shown) + 1)],
        "iterations": int(lengths.sum()),
        "searches": int(system.searches.sum()),
        "searches_failed": int(system.failed_searches.sum()),
        "results": results,
        "unique": unique,
        "duplicates": results - unique,
        "redundancy": (results - unique) / results if results else None,
        "good": int(counts.good.sum()) if unlabelled < unique or one.missed.any() else None,
        "unlabelled": unlabelled,
        "unjudged_share": unlabelled / unique if unique else None,
        "label_conflicts": int(system.conflicts.sum()),
        "labels_overruled": system.overruled,
        "duplicates_by_step": dict(system.steps),
        "dedup_notices": dict(system.notices),
    }
