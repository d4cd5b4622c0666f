"""`goldproof trace --explain`: one conversation in detail.

For every result its keys, what it was compared with, which step decided and why; then the counts per iteration, and how
each metric came about.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from goldproof.errors import UnknownNameError
from goldproof.io.datasets.labels import labels_from_object
from goldproof.jobs.trace.explained import ExplainedConversation, ExplainedResult
from goldproof.jobs.trace.marked_table import labelled_gains, mark_table
from goldproof.jobs.trace.pool import Pooling
from goldproof.jobs.trace.scored_traces import score_systems
from goldproof.jobs.trace.scoring import GOOD_GAIN, Scoring
from goldproof.jobs.trace.sources import as_sources
from goldproof.jobs.trace.system import gather
from goldproof.metrics import METRICS, Metric
from goldproof.metrics.gain.iterations import COMPLETION, FAMILIES
from goldproof.records.traces import UNLABELLED
from goldproof.study.panel import STATUS_NAMES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from goldproof.io.datasets.labels import Labels
    from goldproof.jobs.trace.marked_table import MarkedTable
    from goldproof.jobs.trace.scored_system import ScoredSystem
    from goldproof.jobs.trace.scoring import GivenRules
    from goldproof.jobs.trace.sources import TraceSource
    from goldproof.records.traces import TraceTable

_MISSED = "no result is labelled, but the labels judge this question: every result gains 0"


def explain_conversation(
    conversation: str,
    *,
    systems: Mapping[str, object],
    labels: object = None,
    threshold: int = GOOD_GAIN,
    dedup: str = "full",
    rules: GivenRules = None,
    near_duplicates: float | None = None,
    pool: object = "auto",
    skip_bad: bool = False,
) -> list[ExplainedConversation]:
    """Find a conversation in every system that has it, and lay it out; parameters as in `score_traces`."""
    scoring = Scoring.named(threshold=threshold, dedup=dedup, rules=rules, near_duplicates=near_duplicates)
    beside = None if labels is None else labels_from_object(labels)
    pooling = Pooling.named(pool, systems=len(systems))
    sources = as_sources(None, systems, skip_bad=skip_bad)
    tables = _find(sources, conversation)
    gathered = {
        name: gather([table], name=name, scoring=scoring, labels=beside, pooling=pooling)
        for name, table in tables.items()
    }
    labelled = any(one.system.counts.labelled for one in gathered.values())
    if not labelled and not all(one.system.counts.results.any() for one in gathered.values()):
        labelled = _any_label(sources, beside)  # a search without results has no gain, unless nobody labelled anything
    scored = score_systems(gathered, scoring=scoring, pooling=pooling, labelled_anywhere=labelled)
    return [
        _explained(name, mark_table(table, scoring=scoring, labels=beside), scored=scored.systems[name])
        for name, table in tables.items()
    ]


def _find(sources: Mapping[str, TraceSource], conversation: str) -> dict[str, TraceTable]:
    found: dict[str, TraceTable] = {}
    known: list[str] = []
    for name, source in sources.items():
        for table in source.tables():
            ids = table.conversations.to_list()
            if conversation in ids:
                found[name] = table.only(ids.index(conversation))
                break
            known += ids
    if not found:
        raise UnknownNameError("conversation", conversation, known)
    return found


def _any_label(sources: Mapping[str, TraceSource], labels: Labels | None) -> bool:
    """Whether any result has a label: asked for a conversation without results, whose gain is else unknown."""
    return any(
        bool((labelled_gains(table, labels).gains != UNLABELLED).any())
        for source in sources.values()
        for table in source.tables()
    )


def _explained(system: str, marked: MarkedTable, *, scored: ScoredSystem) -> ExplainedConversation:
    table = marked.table
    name = str(table.conversations[0])
    return ExplainedConversation(
        system=system,
        conversation=name,
        text=table.texts[0],
        error=table.failed.get(name),
        note=_MISSED if scored.missed[0] else None,
        results=_results(marked, scoring=scored.scoring),
        counts=_counts(marked, threshold=scored.scoring.threshold),
        metrics=_metrics(scored),
    )


def _results(marked: MarkedTable, *, scoring: Scoring) -> tuple[ExplainedResult, ...]:
    table = marked.table
    decisions = scoring.explain(table.results, table.results_by_conversation)
    rows = np.arange(len(table.results))
    search = (np.searchsorted(table.result_starts, rows, side="right") - 1).tolist()
    iteration = (np.searchsorted(table.search_starts, search, side="right") - 1).tolist()
    return tuple(
        ExplainedResult(
            number=row + 1,
            iteration=iteration[row] + 1,
            search=search[row] - int(table.search_starts[iteration[row]]) + 1,
            rank=row - int(table.result_starts[search[row]]) + 1,
            query=table.queries[search[row]],
            name=_name(table, row),
            label=_label(marked.gains[row]),
            group_label=_label(marked.labels[decisions[row].origin]),
            decision=decisions[row],
        )
        for row in rows.tolist()
    )


def _label(gain: int) -> int | None:
    return None if gain == UNLABELLED else int(gain)


def _name(table: TraceTable, row: int) -> str:
    """Return what a reader knows a result by."""
    columns = table.results.columns
    for column in ("title", "url", "id", "snippet"):
        if column in columns.columns and columns[column][row] is not None:
            return str(columns[column][row])
    held = (table.results.fields[row] if table.results.fields is not None else None) or {}
    return ", ".join(f"{name}: {value}" for name, value in sorted(held.items())) or "(nothing is known of it)"


def _counts(marked: MarkedTable, *, threshold: int) -> tuple[Mapping[str, int], ...]:
    counts = marked.counts.iterations(threshold=threshold)
    columns = {
        "i": counts.number,
        "R": counts.results,
        "UR": counts.unique,
        "GR": counts.good,
        "Dup": counts.duplicates,
        "G": counts.gain,
        "R@i": counts.counted(counts.results),
        "UR@i": counts.counted(counts.unique),
        "GR@i": counts.counted(counts.good),
        "DupR@i": counts.counted(counts.duplicates),
        "unlabelled": marked.counts.unlabelled,
    }
    rows = zip(*(values.tolist() for values in columns.values()), strict=True)
    return tuple(dict(zip(columns, row, strict=True)) for row in rows)


def _metrics(scored: ScoredSystem) -> dict[str, str]:
    """How each metric came about, or why there is none."""
    said = {}
    for family in (*FAMILIES, COMPLETION):
        column = scored.own_column(Metric(family))
        definition = METRICS.get(family)
        if not column.scored[0]:
            said[family] = f"{STATUS_NAMES[int(column.status[0])]}: {column.reasons[int(column.reason[0])]}"
        elif definition.kind == "completion":
            pool, _, completed = scored.completion
            said[family] = definition.explain(int(completed[0]), pool=int(pool[0]))
        else:
            said[family] = definition.explain(scored.iterations, k=None)
    return said
