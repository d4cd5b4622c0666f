"""Notes and counts for a result: duplicates, labels, what was skipped, overruled or left unlabelled."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from goldproof.errors import counted
from goldproof.metrics import Metric
from goldproof.metrics.gain.iterations import COMPLETION
from goldproof.report.numbers import number, share

if TYPE_CHECKING:
    from collections.abc import Mapping

    from goldproof.io import Labels
    from goldproof.jobs.trace.judge_labels import JudgedLabels
    from goldproof.jobs.trace.scores import ScoredSystem, ScoredTraces

_NOTICES = {
    "ids_overruled": (
        "duplicate",
        "with a different id from the result repeated (--dedup id would count these as new)",
    ),
    "equal_id_snippet_differs": ("duplicate", "with the id of the result repeated, but a different snippet"),
    "equal_id_rejected": ("comparison", "of different results with equal ids (--dedup id would call these duplicates)"),
    "without_id": ("result", "without an id, which --dedup id never counts as duplicates"),
}


def label_remarks(traces: ScoredTraces, labels: Labels) -> list[str]:
    """Note negative grades of the labels beside the trace, and systems whose results they never match."""
    remarks = list(labels.remarks)
    if labels.negative:
        remarks.append(f"labels: {counted(labels.negative, 'negative grade')} counted as 0.")
    missed = [
        name for name, scores in traces.systems.items() if not scores.system.matched and scores.iterations.results.any()
    ]
    return remarks + [
        f"{name}: none of the {len(labels):,} given labels matches a result by id or URL; are the names the same?"
        + (" No verdict on gains." if traces.systems[name].is_foreign(Metric("CG")) else "")
        for name in missed
    ]


def judge_remarks(traces: ScoredTraces, judged: JudgedLabels) -> list[str]:
    """Note how many results the judge labelled, and why it left others."""
    unlabelled, grades = judged.unlabelled, judged.grades
    texts = f"{len(grades):,} of {counted(len(unlabelled.items), 'text')} labelled"
    lines = [f"judge {judged.judge}: {texts}, for {counted(unlabelled.groups, 'distinct result')} without a label."]
    if nameless := sum(key in grades for key in unlabelled.nameless):
        lines.append(
            f"judge: {counted(nameless, 'label is', 'labels are')} for results without id or URL and missing from "
            "labels.jsonl; the same judge gives them again from its cache."
        )
    for why, n in _left_unlabelled(judged).items():
        example = judged.examples.get(why, "").rstrip(".")
        lines.append(f"judge: {n:,} left unlabelled: {why}{f' (the first: {example})' if example else ''}.")
    if clashes := sum(scored.system.clashes for scored in traces.systems.values()):
        lines.append(
            f"judge: {counted(clashes, 'labelled result')} also occurred without a label, and the judge graded "
            "differently; the trace's label counts, with --qrels labels.jsonl the judge's."
        )
    if unanswered := sum(scored.system.unanswered for scored in traces.systems.values()):
        lines.append(
            f"judge: {counted(unanswered, 'conversation has', 'conversations have')} no labelled result, while others "
            "on the same question have: gains undefined; 0 with --qrels labels.jsonl, which judges the question."
        )
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
    """Note given clusters that match no conversation, and how many clusters of the traces are replaced."""
    unknown = sorted(clusters.keys() - set(traces.ids))
    own = {
        name: cluster
        for scores in traces.systems.values()
        for name, cluster in zip(scores.system.conversations, scores.system.clusters, strict=True)
        if cluster is not None
    }
    replaced = sum(clusters.get(name) != cluster for name, cluster in own.items())
    lines = []
    if unknown:
        ids = counted(len(unknown), "id matches", "ids match")
        lines.append(f"clusters: {ids} no conversation (the first: {unknown[0]!r}).")
    if replaced:
        lines.append(f"clusters: {counted(replaced, 'conversation')} had another cluster in the traces; replaced.")
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
    return remarks + _absent(traces) + _alone(traces) + _single_iterations(traces)


def _system_remarks(scores: ScoredSystem, labels: Labels | None) -> list[str]:
    system = scores.system
    results, duplicates = int(scores.iterations.results.sum()), int(scores.iterations.duplicates.sum())
    lines = []
    if duplicates:
        steps = ", ".join(f"{step} {n:,}" for step, n in sorted(system.steps.items(), key=lambda s: (-s[1], s[0])))
        lines.append(
            f"{duplicates:,} of {results:,} results are duplicates ({share(duplicates / results)}), found by: {steps}."
        )
    for key, (noun, which) in _NOTICES.items():
        if n := system.notices.get(key):
            lines.append(f"{counted(n, noun)} {which}.")
    lines += _gain_remarks(scores, labels)
    if not results and system.searches.sum():
        lines.append("no search returned any result; does the file leave them out?")
    if failed := int(system.failed_searches.sum()):
        lines.append(f"{failed:,} of {int(system.searches.sum()):,} searches failed and counted as empty.")
    if blank := int(np.count_nonzero((system.lengths == 0) & ~system.crashed)):
        none = counted(blank, "conversation has", "conversations have")
        lines.append(f"{none} no search in the last turn: every metric undefined.")
    return lines


def _given_pool_remarks(scores: ScoredSystem) -> list[str]:
    """Note a given pool of which the system found nothing: the names may differ."""
    scored = scores.own_column(Metric(COMPLETION)).scored
    pool, found = int(scores.completion.pool[scored].sum()), int(scores.completion.found[scored].sum())
    if not (scores.pool_given and pool) or found:
        return []
    return [f"found none of the {pool:,} results in the given pool; are the names the same?"]


def _gain_remarks(scores: ScoredSystem, labels: Labels | None) -> list[str]:
    system = scores.system
    blank = scores.undefined_gains & (system.lengths > 0)
    unlabelled = int(system.per_conversation(system.counts.unlabelled)[~blank].sum())
    unique = int(system.per_conversation(scores.iterations.unique)[~blank].sum())
    lines = []
    if blank.all() and len(blank):
        lines.append(
            f"no result has a label, so gains are undefined; counts and SRR need no labels.{_unjudged(labels)}"
        )
    elif blank.any():
        without = counted(int(blank.sum()), "conversation has", "conversations have")
        lines.append(f"{without} no labelled result: gains undefined, not in the means.{_unjudged(labels)}")
    if missed := int(scores.missed.sum()):
        scored = counted(int(np.count_nonzero(scores.own_column(Metric("CG")).scored)), "scored conversation")
        lines.append(f"{missed:,} of {scored} found none of the documents judged for the question: gains of 0.")
    if unlabelled:
        lines.append(
            f"{unlabelled:,} of {unique:,} distinct results in scored conversations have no label "
            f"({share(unlabelled / unique)}) and add no gain{_could_add(scores)}."
        )
    if conflicts := int(system.conflicts.sum()):
        torn = int(np.count_nonzero(system.conflicts))
        repeats = counted(conflicts, "duplicate has", "duplicates have")
        lines.append(
            f"{repeats} a different label from the result repeated (in {counted(torn, 'conversation')}); "
            "the first label counts."
        )
    if system.overruled:
        lines.append(f"{counted(system.overruled, 'label')} in the trace overruled by the given labels.")
    return lines


def _could_add(scores: ScoredSystem) -> str:
    """Say what the gain would be if all unlabelled results were as good as can be."""
    bounds = scores.extras(Metric("CG")).get("bounds")
    if not isinstance(bounds, dict) or None in bounds.values():
        return ""
    low, high = bounds.values()
    return f"; if all of them had the highest gain, CG would be {number(high, digits=2)}, not {number(low, digits=2)}"


def _unjudged(labels: Labels | None) -> str:
    """Return why the labels beside the trace do not make these gains 0."""
    if labels is None:
        return ""
    if labels.per_question:
        return " The labels judge none of their questions."
    return " The labels are by document only; labels by question would make the gain 0 where the question is judged."


def _absent(traces: ScoredTraces) -> list[str]:
    lines = []
    for name, scores in traces.systems.items():
        lacking = int(np.count_nonzero(scores.rows < 0))
        if lacking:
            lines.append(
                f"{name}: lacks {counted(lacking, 'conversation')} that another system has; not compared there."
            )
    return lines


def _single_iterations(traces: ScoredTraces) -> list[str]:
    """Note searches that cannot be told apart, since every conversation has them in one iteration."""
    searches = sum(int(scores.system.searches.sum()) for scores in traces.systems.values())
    iterations = sum(int(scores.system.lengths.sum()) for scores in traces.systems.values())
    if traces.longest != 1 or searches <= iterations:
        return []
    ways = "give each search an iteration of its own to see what it adds"
    return [f"All {searches:,} searches are in the first iteration of their conversation; {ways}."]


def _alone(traces: ScoredTraces) -> list[str]:
    alone = traces.clusters.null_count()
    if alone in (0, len(traces.clusters)):
        return []
    return [f"{alone:,} of {len(traces.ids):,} conversations have no cluster; each counts as a cluster of its own."]


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
