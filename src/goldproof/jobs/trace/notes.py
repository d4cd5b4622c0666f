"""Notes and counts for a result: duplicates, labels, what was skipped, overruled or left unlabelled."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from goldproof.errors import counted
from goldproof.metrics import Metric
from goldproof.metrics.gain.iterations import COMPLETION
from goldproof.report.numbers import share

if TYPE_CHECKING:
    from collections.abc import Mapping

    from goldproof.io import Labels
    from goldproof.jobs.trace.judge_labels import JudgedLabels
    from goldproof.jobs.trace.scores import ScoredSystem, ScoredTraces

_NOTICES = {
    "ids_overruled": "duplicates with another id than the result they repeat (dedup by id would keep them apart)",
    "equal_id_snippet_differs": "duplicates with the id of the result they repeat, but another snippet",
    "equal_id_rejected": "comparisons of equal ids with different results (dedup by id would take them for the same)",
    "without_id": "results without an id: never duplicates, since ids alone are compared",
}


def label_remarks(traces: ScoredTraces, labels: Labels) -> list[str]:
    """Note negative grades of the labels beside the trace, and systems in which they match no result."""
    remarks = list(labels.remarks)
    if labels.negative:
        remarks.append(f"labels: {counted(labels.negative, 'negative grade')} counted as 0.")
    missed = [
        name for name, scores in traces.systems.items() if not scores.system.matched and scores.iterations.results.any()
    ]
    looked = "looked up by id, else URL; are the names the same?"
    return remarks + [
        f"{name}: no label beside the trace, of {len(labels):,}, matches a result ({looked})"
        + (": no verdict on gains." if traces.systems[name].is_foreign(Metric("CG")) else "")
        for name in missed
    ]


def judge_remarks(traces: ScoredTraces, judged: JudgedLabels) -> list[str]:
    """Note what the judge labelled, and what it left."""
    unlabelled, grades = judged.unlabelled, judged.grades
    known = f"{unlabelled.groups:,} distinct results without a label, {len(unlabelled.items):,} different ones judged"
    lines = [f"judge {judged.judge}: {known}, {len(grades):,} labelled."]
    if nameless := sum(key in grades for key in unlabelled.nameless):
        again = "to repeat them ask the same judge again, whose answers are kept"
        lines.append(
            f"judge: {nameless:,} labels are for results without id and URL, which labels.jsonl cannot name; {again}."
        )
    for why, n in _left_unlabelled(judged).items():
        example = judged.examples.get(why, "").rstrip(".")
        lines.append(f"judge: {n:,} left unlabelled: {why}{f' (the first: {example})' if example else ''}.")
    if clashes := sum(scored.system.clashes for scored in traces.systems.values()):
        clash = f"judge: {clashes:,} labelled results were also met without their label, and judged otherwise"
        lines.append(f"{clash}: their own label counts; with --qrels labels.jsonl the judge's would.")
    if unanswered := sum(scored.system.unanswered for scored in traces.systems.values()):
        left = (
            f"judge: {counted(unanswered, 'conversation')} without any label, though others of the question have some"
        )
        lines.append(f"{left}: gains undefined; with --qrels labels.jsonl, which judges the question, they are 0.")
    return lines


def judge_facts(judged: JudgedLabels) -> dict[str, object]:
    """Return the judge and its counts for `summary.json`."""
    return {
        "key": judged.judge,
        "results_without_label": judged.unlabelled.groups,
        "judged": len(judged.unlabelled.items),
        "labelled": len(judged.grades),
        "left_unlabelled": _left_unlabelled(judged),
    }


def _left_unlabelled(judged: JudgedLabels) -> dict[str, int]:
    return {why: n for why, n in {**judged.unlabelled.left, **judged.failures}.items() if n}


def cluster_remarks(traces: ScoredTraces, clusters: Mapping[str, str]) -> list[str]:
    """Note given clusters of no conversation, and how many clusters of the traces the given ones replace."""
    unknown = sorted(clusters.keys() - set(traces.ids))
    own = {
        name: cluster
        for scores in traces.systems.values()
        for name, cluster in zip(scores.system.conversations, scores.system.clusters, strict=True)
        if cluster is not None
    }
    replaced = sum(clusters.get(name) != cluster for name, cluster in own.items())
    lines = (
        [f"clusters: {counted(len(unknown), 'id')} of no conversation (the first: {unknown[0]!r})."] if unknown else []
    )
    if replaced:
        lines.append(
            f"clusters: those given replace the clusters of {counted(replaced, 'conversation')} in the traces."
        )
    return lines


def pool_remarks(traces: ScoredTraces) -> list[str]:
    """Note systems for which a given pool has none of the questions."""
    missed = [name for name, scores in traces.systems.items() if not scores.completion.pool.any()]
    return [f"{name}: the pool has no good document for any of its questions; are the ids the same?" for name in missed]


def trace_remarks(traces: ScoredTraces, *, labels: Labels | None, pooled: bool) -> list[str]:
    """Note duplicates, labels, failures and gaps of each system.

    labels: beside the trace. pooled: whether a metric uses the pool of good results.
    """
    remarks = []
    for name, scores in traces.systems.items():
        lines = _system_remarks(scores, labels) + (_given_pool_remarks(scores) if pooled else [])
        remarks += [f"{name}: {line}" for line in lines]
    return remarks + _absent(traces) + _alone(traces)


def _system_remarks(scores: ScoredSystem, labels: Labels | None) -> list[str]:
    system = scores.system
    results, duplicates = int(scores.iterations.results.sum()), int(scores.iterations.duplicates.sum())
    lines = []
    if duplicates:
        steps = ", ".join(f"{step} {n:,}" for step, n in sorted(system.steps.items(), key=lambda s: (-s[1], s[0])))
        lines.append(
            f"{duplicates:,} of {results:,} results are duplicates ({share(duplicates / results)}); by {steps}."
        )
    lines += [f"{text}: {system.notices[key]:,}." for key, text in _NOTICES.items() if system.notices.get(key)]
    lines += _gain_remarks(scores, labels)
    if not results and system.searches.sum():
        lines.append("no search returned anything; does the file leave the results out?")
    if failed := int(system.failed_searches.sum()):
        lines.append(
            f"{counted(failed, 'search', 'searches')} of {int(system.searches.sum()):,} failed, counted empty."
        )
    if blank := int(np.count_nonzero((system.lengths == 0) & ~system.crashed)):
        lines.append(f"{counted(blank, 'conversation')} without a search in the last turn: undefined.")
    return lines


def _given_pool_remarks(scores: ScoredSystem) -> list[str]:
    """Note a given pool of which nothing was found, since its names may be others."""
    scored = scores.own_column(Metric(COMPLETION)).scored
    pool, found = int(scores.completion.pool[scored].sum()), int(scores.completion.found[scored].sum())
    if not (scores.pool_given and pool) or found:
        return []
    return [f"none of the {pool:,} pooled results is among its results; are the names the same?"]


def _gain_remarks(scores: ScoredSystem, labels: Labels | None) -> list[str]:
    system = scores.system
    blank = scores.undefined_gains & (system.lengths > 0)
    unlabelled = int(system.per_conversation(system.counts.unlabelled)[~blank].sum())
    unique = int(system.per_conversation(scores.iterations.unique)[~blank].sum())
    lines = []
    if blank.all() and len(blank):
        lines.append(f"no result has a label, so gains are undefined; counts and SRR need none.{_unjudged(labels)}")
    elif blank.any():
        without = f"{counted(int(blank.sum()), 'conversation')} without any label"
        lines.append(f"{without}: gains undefined, not in the means.{_unjudged(labels)}")
    if missed := int(scores.missed.sum()):
        scored = counted(int(np.count_nonzero(scores.own_column(Metric("CG")).scored)), "scored conversation")
        lines.append(f"{missed:,} of {scored} found none of the documents judged for the question: gains of 0.")
    if unlabelled:
        lines.append(
            f"{unlabelled:,} of {unique:,} distinct results in scored conversations have no label "
            f"({share(unlabelled / unique)}): they add no gain; the bounds say what they could add."
        )
    if conflicts := int(system.conflicts.sum()):
        torn = int(np.count_nonzero(system.conflicts))
        lines.append(
            f"{counted(conflicts, 'duplicate')} in {counted(torn, 'conversation')} with another label than the "
            "result repeated: the first label counts."
        )
    if system.overruled:
        lines.append(f"{counted(system.overruled, 'label')} in the trace overruled by the labels beside it.")
    return lines


def _unjudged(labels: Labels | None) -> str:
    """Return why labels beside the trace do not make a miss a 0."""
    if labels is None:
        return ""
    if labels.per_question:
        return " The labels judge none of their questions."
    return " The labels name documents only, so no question is judged; labels by question would make a miss a 0."


def _absent(traces: ScoredTraces) -> list[str]:
    lines = []
    for name, scores in traces.systems.items():
        lacking = int(np.count_nonzero(scores.rows < 0))
        if lacking:
            lines.append(
                f"{name}: lacks {counted(lacking, 'conversation')} that another system has; not compared there."
            )
    return lines


def _alone(traces: ScoredTraces) -> list[str]:
    alone = traces.clusters.null_count()
    if alone in (0, len(traces.clusters)):
        return []
    return [f"{alone:,} of {len(traces.ids):,} conversations have no cluster, so each is one of its own."]


def system_facts(traces: ScoredTraces) -> Mapping[str, object]:
    """Return the counts of each system for `summary.json`."""
    return {name: _facts(scores, shown=traces.shown) for name, scores in traces.systems.items()}


def _facts(scores: ScoredSystem, *, shown: int) -> dict[str, object]:
    system, counts = scores.system, scores.iterations
    lengths = system.lengths
    results, unique = int(counts.results.sum()), int(counts.unique.sum())
    unlabelled = int(system.counts.unlabelled.sum())
    return {
        "conversations": len(lengths),
        "conversations_failed": len(system.failed),
        "conversations_without_search": int(np.count_nonzero((lengths == 0) & ~system.crashed)),
        "conversations_without_label": int(np.count_nonzero(scores.undefined_gains & (lengths > 0))),
        "conversations_missed": int(np.count_nonzero(scores.missed)),
        "reach": [int(np.count_nonzero(lengths >= i)) for i in range(1, min(int(lengths.max(initial=0)), shown) + 1)],
        "iterations": int(lengths.sum()),
        "searches": int(system.searches.sum()),
        "searches_failed": int(system.failed_searches.sum()),
        "results": results,
        "unique": unique,
        "duplicates": results - unique,
        "redundancy": (results - unique) / results if results else None,
        "good": int(counts.good.sum()) if unlabelled < unique or scores.missed.any() else None,
        "unlabelled": unlabelled,
        "unjudged_share": unlabelled / unique if unique else None,
        "label_conflicts": int(system.conflicts.sum()),
        "labels_overruled": system.overruled,
        "duplicates_by_step": dict(system.steps),
        "dedup_notices": dict(system.notices),
    }
