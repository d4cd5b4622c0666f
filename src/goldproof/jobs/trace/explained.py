"""One conversation laid out: every result with its keys and comparisons, counts per iteration, metrics in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from goldproof.report import Heading, Table
from goldproof.report.numbers import NOTHING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from goldproof.dedup import Decision

_SHOWN_TEXT = 60


@dataclass(frozen=True, slots=True)
class ExplainedResult:
    """One result: where it stood, what it is, and what became of it.

    number: of all results of the conversation, from 1; the rows of the decision are one less. label: its own.
    group_label: the one that counts.
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
        """The number of the result of which this one is a duplicate."""
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

    note: what its gains rest on, where the results do not show it. counts: per iteration, R, UR, GR, Dup and G.
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
        """Every result with its label and what became of it."""
        rows = [
            (
                *(str(number) for number in (one.number, one.iteration, one.search, one.rank)),
                _short(one.query or NOTHING, most=30),
                _short(one.name),
                NOTHING if one.label is None else str(one.label),
                "new" if one.repeats is None else f"duplicate of {one.repeats}",
                one.decision.step or NOTHING,
                one.decision.why,
            )
            for one in self.results
        ]
        numbers = (Heading(name) for name in ("#", "i", "search", "rank"))
        words = (Heading(name, "left") for name in ("outcome", "step", "why"))
        names = (Heading("query", "left"), Heading("result", "left"), Heading("gain"))
        return Table((*numbers, *names, *words), tuple(rows))

    def comparisons_table(self) -> Table:
        """Every comparison that was made."""
        rows = [
            (str(one.number), str(trial.candidate + 1), trial.key, step, "same" if same else "different", why)
            for one in self.results
            for trial in one.decision.trials
            for same, step, why in (trial.verdict,)
        ]
        words = (Heading(name, "left") for name in ("proposed by", "step", "verdict", "why"))
        return Table((Heading("#"), Heading("compared with"), *words), tuple(rows), title="Comparisons")

    def keys_table(self) -> Table:
        """The keys of every result."""
        rows = [(str(one.number), key.name, _short(key.value)) for one in self.results for key in one.decision.keys]
        return Table((Heading("#"), Heading("key", "left"), Heading("value", "left")), tuple(rows), title="Keys")

    def counts_table(self) -> Table:
        """What each iteration brought."""
        names = tuple(self.counts[0]) if self.counts else ("i",)
        rows = tuple(tuple(str(value) for value in row.values()) for row in self.counts)
        return Table(tuple(Heading(name) for name in names), rows, title="Iterations")

    def metrics_table(self) -> Table:
        """How each metric came about."""
        headings = (Heading("metric", "left"), Heading("how it came about, at the last iteration", "left"))
        return Table(headings, tuple(self.metrics.items()), title="Metrics")


def _short(text: str, *, most: int = _SHOWN_TEXT) -> str:
    line = " ".join(text.split())
    return line if len(line) <= most else line[: most - 1] + "…"
