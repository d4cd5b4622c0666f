"""`explain_conversation()`: one conversation in detail.

Every result with its label, its keys, the results it was compared with, which step decided and why; then the counts per
iteration, and how each metric came about.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from goldproof.errors import UnknownNameError
from goldproof.io import labels_from_object
from goldproof.jobs.trace.inputs import GOOD_GAIN, Scoring, as_sources, labelled_gains
from goldproof.jobs.trace.pool import Pooling, pool_completions
from goldproof.jobs.trace.scores import score_systems
from goldproof.jobs.trace.system_counts import count_system, mark_table
from goldproof.metrics import METRICS, Metric
from goldproof.metrics.gain.iterations import COMPLETION, FAMILIES
from goldproof.records.traces import UNLABELLED
from goldproof.report import Heading, Table
from goldproof.report.numbers import NOTHING
from goldproof.study.panel import STATUS_NAMES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from goldproof.dedup import Decision
    from goldproof.io import Labels
    from goldproof.jobs.trace.inputs import GivenRules, TraceSource
    from goldproof.jobs.trace.scores import ScoredSystem
    from goldproof.jobs.trace.system_counts import MarkedTable
    from goldproof.records.traces import TraceTable

_SHOWN_TEXT = 60
_MISSED = "no result is labelled, but the labels judge this question: every result gains 0"


@dataclass(frozen=True, slots=True)
class ExplainedResult:
    """One result: its place in the conversation, its labels, and the decision whether it is a duplicate.

    number: among all results of the conversation, from 1; the rows of the decision are one less. label: its own.
    group_label: of its group, which counts.
    """

    number: int
    iteration: int
    search: int
    rank: int
    query: str | None
    name: str
    label: int | None
    group_label: int | None
    decision: Decision

    @property
    def repeats(self) -> int | None:
        """The number of the result that this one duplicates."""
        return self.decision.origin + 1 if self.decision.duplicate else None

    def to_dict(self) -> dict[str, object]:
        """Return plain data for JSON."""
        return {
            **{name: getattr(self, name) for name in ("number", "iteration", "search", "rank", "query", "name")},
            "label": self.label,
            "group_label": self.group_label,
            "keys": [{"key": key.name, "value": key.value} for key in self.decision.keys],
            "compared_with": [
                {"number": trial.candidate + 1, "proposed_by": trial.key, **trial.verdict._asdict()}
                for trial in self.decision.trials
            ],
            "duplicate_of": self.repeats,
            "step": self.decision.step or None,
            "why": self.decision.why,
        }


@dataclass(frozen=True, slots=True)
class ExplainedConversation:
    """One system's conversation.

    note: on its gains, where the results do not explain them. counts: per iteration, R, UR, GR, Dup and G.
    metrics: name -> how it came about.
    """

    system: str
    conversation: str
    text: str | None
    error: str | None
    note: str | None
    results: tuple[ExplainedResult, ...]
    counts: tuple[Mapping[str, int], ...]
    metrics: Mapping[str, str]

    def to_dict(self) -> dict[str, object]:
        """Return plain data for JSON."""
        return {
            "system": self.system,
            "conversation_id": self.conversation,
            "question": self.text,
            "error": self.error,
            "note": self.note,
            "results": [result.to_dict() for result in self.results],
            "iterations": [dict(row) for row in self.counts],
            "metrics": dict(self.metrics),
        }

    def results_table(self) -> Table:
        """Every result with its label, and whether it is new or a duplicate."""
        rows = [
            (
                *(str(number) for number in (result.number, result.iteration, result.search, result.rank)),
                _short(result.query or NOTHING, most=30),
                _short(result.name),
                NOTHING if result.label is None else str(result.label),
                "new" if result.repeats is None else f"duplicate of {result.repeats}",
                result.decision.step or NOTHING,
                result.decision.why,
            )
            for result in self.results
        ]
        numbers = (Heading(name) for name in ("#", "i", "search", "rank"))
        words = (Heading(name, "left") for name in ("outcome", "step", "why"))
        names = (Heading("query", "left"), Heading("result", "left"), Heading("gain"))
        return Table((*numbers, *names, *words), tuple(rows))

    def comparisons_table(self) -> Table:
        """Every comparison that was made."""
        rows = [
            (str(result.number), str(trial.candidate + 1), trial.key, step, "same" if same else "different", why)
            for result in self.results
            for trial in result.decision.trials
            for same, step, why in (trial.verdict,)
        ]
        words = (Heading(name, "left") for name in ("proposed by", "step", "verdict", "why"))
        return Table((Heading("#"), Heading("compared with"), *words), tuple(rows), title="Comparisons")

    def keys_table(self) -> Table:
        """The keys of every result."""
        rows = [
            (str(result.number), key.name, _short(key.value)) for result in self.results for key in result.decision.keys
        ]
        return Table((Heading("#"), Heading("key", "left"), Heading("value", "left")), tuple(rows), title="Keys")

    def counts_table(self) -> Table:
        """The counts of each iteration."""
        names = tuple(self.counts[0]) if self.counts else ("i",)
        rows = tuple(tuple(str(value) for value in row.values()) for row in self.counts)
        return Table(tuple(Heading(name) for name in names), rows, title="Iterations")

    def metrics_table(self) -> Table:
        """How each metric came about."""
        headings = (Heading("metric", "left"), Heading("how it came about, at the last iteration", "left"))
        return Table(headings, tuple(self.metrics.items()), title="Metrics")


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
    """Explain a conversation of every system that has it; parameters as in `score_traces`."""
    scoring = Scoring.named(threshold=threshold, dedup=dedup, rules=rules, near_duplicates=near_duplicates)
    beside = None if labels is None else labels_from_object(labels)
    pooling = Pooling.named(pool, systems=len(systems))
    sources = as_sources(None, systems, skip_bad=skip_bad)
    tables = _find(sources, conversation)
    counted = {
        name: count_system([table], name=name, scoring=scoring, labels=beside, pooling=pooling)
        for name, table in tables.items()
    }
    counted_systems = {name: counts.system for name, counts in counted.items()}
    labelled = any(system.counts.labelled for system in counted_systems.values())
    if not labelled and not all(system.counts.results.any() for system in counted_systems.values()):
        labelled = _any_label(sources, beside)  # a search without results gains 0, unless no result has a label at all
    scored = score_systems(
        counted_systems,
        completions=pool_completions(counted, pooling=pooling, scoring=scoring),
        scoring=scoring,
        pooling=pooling,
        labelled_anywhere=labelled,
    )
    return [
        _explained(name, mark_table(table, scoring=scoring, labels=beside), scored=scored.systems[name])
        for name, table in tables.items()
    ]


def _find(sources: Mapping[str, TraceSource], conversation: str) -> dict[str, TraceTable]:
    tables: dict[str, TraceTable] = {}
    known: list[str] = []
    for name, source in sources.items():
        for table in source.tables():
            ids = table.conversations.to_list()
            if conversation in ids:
                tables[name] = table.only(ids.index(conversation))
                break
            known += ids
    if not tables:
        raise UnknownNameError("conversation", conversation, known)
    return tables


def _any_label(sources: Mapping[str, TraceSource], labels: Labels | None) -> bool:
    """Whether any result of any conversation has a label."""
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
    """Return the title of a result, else its URL, id, snippet or fields."""
    columns = table.results.columns
    for column in ("title", "url", "id", "snippet"):
        if column in columns.columns and columns[column][row] is not None:
            return str(columns[column][row])
    held = (table.results.fields[row] if table.results.fields is not None else None) or {}
    return ", ".join(f"{name}: {value}" for name, value in sorted(held.items())) or "(no title, URL, id or text)"


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
    """Return how each metric came about, or why it has no value."""
    explained = {}
    for family in (*FAMILIES, COMPLETION):
        column = scored.own_column(Metric(family))
        definition = METRICS.get(family)
        if not column.scored[0]:
            explained[family] = f"{STATUS_NAMES[int(column.status[0])]}: {column.reasons[int(column.reason[0])]}"
        elif definition.kind == "completion":
            pool, _, completed = scored.completion
            explained[family] = definition.explain(int(completed[0]), pool=int(pool[0]))
        else:
            explained[family] = definition.explain(scored.iterations, k=None)
    return explained


def _short(text: str, *, most: int = _SHOWN_TEXT) -> str:
    line = " ".join(text.split())
    return line if len(line) <= most else line[: most - 1] + "…"
