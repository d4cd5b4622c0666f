"""Read traces as streams of tables, with labels beside them; the rules of scoring."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias, cast, get_args

import numpy as np

from goldproof.dedup import DEFAULT_RULES, Rules, explain_by_id, explain_marks, mark_by_id, mark_duplicates
from goldproof.errors import InputError, UnknownNameError, counted
from goldproof.io import read_traces, traces_from_frame, traces_from_records
from goldproof.io.diagnostics import SKIP_HINT, Diagnostics
from goldproof.io.text_files import file_stem
from goldproof.jobs.trace.rules_file import read_rules
from goldproof.records.traces import HIGHEST_GAIN, UNLABELLED

if TYPE_CHECKING:
    import numpy.typing as npt

    from goldproof.dedup import Decision, Marks
    from goldproof.io import Labels
    from goldproof.records.arrays import IntArray
    from goldproof.records.traces import ResultTable, TraceTable

Dedup = Literal["full", "id"]
GivenRules: TypeAlias = Rules | str | PathLike[str] | None
GOOD_GAIN = 2
SHOWN_ITERATIONS = 20
_KEPT_FINDINGS = 20


@dataclass(slots=True)
class TraceSource:
    """One system's traces, as the user gave them. diagnostics: on the file, once it is read."""

    traces: object
    skip_bad: bool = False
    diagnostics: Diagnostics | None = field(default=None, init=False)

    @property
    def path(self) -> Path | None:
        """The path, where the traces are a file."""
        return Path(self.traces) if isinstance(self.traces, str | PathLike) else None

    def tables(self) -> Iterator[TraceTable]:
        """Read the traces."""
        path = self.path
        if path is not None:
            keep = _KEPT_FINDINGS if self.skip_bad else None
            self.diagnostics = Diagnostics(path, keep=keep, hint=SKIP_HINT)
            return read_traces(path, self.diagnostics)
        if hasattr(self.traces, "collect_schema") or hasattr(self.traces, "columns"):
            return traces_from_frame(self.traces)
        if isinstance(self.traces, Iterable) and not isinstance(self.traces, Mapping | bytes):
            return traces_from_records(self.traces)
        raise InputError(
            f"traces: found {type(self.traces).__name__}; expected a path, conversations as dicts, or a frame with a "
            "row per result."
        )

    def for_reading_twice(self) -> TraceSource:
        """Return traces that can be read twice: an iterator becomes a list."""
        once = isinstance(self.traces, Iterator)
        return TraceSource(list(cast("Iterator[object]", self.traces)), self.skip_bad) if once else self

    def remarks(self, name: str) -> list[str]:
        """Note how many bad lines were skipped."""
        if self.diagnostics is None or not self.diagnostics.total:
            return []
        first = self.diagnostics.findings[0]
        where = "" if first.line is None else f"line {first.line}: "
        skipped = counted(self.diagnostics.total, "bad line or conversation", "bad lines or conversations")
        return [f"{name}: {skipped} skipped; the first: {where}{first.problem}"]


def as_sources(traces: object, systems: object, *, skip_bad: bool) -> dict[str, TraceSource]:
    """Name the systems: a file by its own name, anything else `system`."""
    if (traces is None) == (systems is None):
        raise InputError("give either one system's traces, or several as systems={name: traces}.")
    if systems is None:
        _refuse_several(traces)
        source = TraceSource(traces, skip_bad)
        return {"system" if source.path is None else file_stem(source.path): source}
    if not isinstance(systems, Mapping) or not systems:
        raise InputError(f"systems: found {type(systems).__name__}; expected {{name: traces}}, at least one.")
    sources = {str(name): TraceSource(traces, skip_bad) for name, traces in systems.items()}
    if len(sources) < len(systems):
        raise InputError(f"systems: two names are equal as text ({', '.join(map(repr, systems))}); rename one.")
    return sources


def _refuse_several(traces: object) -> None:
    """Refuse several systems in place of one: `score_traces({"old": path, "new": path})`."""
    names: list[str] = []
    if isinstance(traces, Mapping) and "turns" not in traces:
        names = [str(name) for name in traces]
    elif isinstance(traces, list | tuple):
        names = [file_stem(each) for each in traces if isinstance(each, str | Path)]
    if names:
        shown = f"{{{names[0]!r}: ...{', ...' if len(names) > 1 else ''}}}"
        raise InputError(f"the first argument is one system's traces; write several as systems={shown}.")


class LabelledGains(NamedTuple):
    """The label of each result.

    matched: results with a label beside the trace. overruled: those of them with a different label inside the trace.
    """

    gains: npt.NDArray[np.int8]
    matched: int
    overruled: int


def labelled_gains(table: TraceTable, labels: Labels | None) -> LabelledGains:
    """Return the labels of a table's results: beside the trace where there is one, else inside."""
    inside = table.results.gains
    if labels is None:
        return LabelledGains(inside, 0, 0)
    beside = labels.gains_for(table)
    known = beside != UNLABELLED
    overruled = int(np.count_nonzero(known & (inside != UNLABELLED) & (inside != beside)))
    return LabelledGains(np.where(known, beside, inside), int(np.count_nonzero(known)), overruled)


@dataclass(frozen=True, slots=True)
class Scoring:
    """How results become gains.

    threshold: the lowest gain that is good. dedup: `full` compares results in two phases by `rules`, `id` trusts ids.
    carry: beyond its last iteration a conversation keeps its last value, instead of being undefined there.
    """

    threshold: int = GOOD_GAIN
    dedup: Dedup = "full"
    rules: Rules = DEFAULT_RULES
    carry: bool = False

    @classmethod
    def named(
        cls,
        *,
        threshold: object,
        dedup: object,
        rules: GivenRules,
        near_duplicates: object = None,
        carry: object = False,
    ) -> Scoring:
        """Return the rules a user gave; refuse wrong ones."""
        if not isinstance(threshold, int) or isinstance(threshold, bool) or not 1 <= threshold <= HIGHEST_GAIN:
            raise InputError(f"threshold {threshold!r} is not a whole number from 1 to {HIGHEST_GAIN}.")
        if dedup not in get_args(Dedup):
            raise UnknownNameError("value of dedup", str(dedup), get_args(Dedup))
        if not isinstance(carry, bool):
            raise InputError(f"carry is {carry!r}; expected True or False.")
        if dedup == "id" and (rules is not None or near_duplicates is not None):
            raise InputError("dedup 'id' compares ids only: rules and near_duplicates have no effect; leave them out.")
        return cls(threshold, cast("Dedup", dedup), _rules(rules, near_duplicates=near_duplicates), carry=carry)

    def mark(self, results: ResultTable, starts: IntArray) -> Marks:
        """Mark the duplicates among the results of each conversation."""
        if self.dedup == "id":
            return mark_by_id(results, starts)
        return mark_duplicates(results, starts, rules=self.rules)

    def explain(self, results: ResultTable, starts: IntArray) -> list[Decision]:
        """Return the decision on every result: new or duplicate, and why."""
        return (
            explain_by_id(results, starts) if self.dedup == "id" else explain_marks(results, starts, rules=self.rules)
        )


def _rules(rules: GivenRules, *, near_duplicates: object) -> Rules:
    if rules is not None and not isinstance(rules, Rules | str | PathLike):
        raise InputError(f"rules: found {type(rules).__name__}; expected a file or goldproof.dedup.Rules.")
    if near_duplicates is not None and (
        isinstance(near_duplicates, bool) or not isinstance(near_duplicates, int | float)
    ):
        raise InputError(f"near_duplicates {near_duplicates!r} is not a number above 0 and at most 1.")
    rules = read_rules(Path(rules)) if isinstance(rules, str | PathLike) else rules or DEFAULT_RULES
    return rules if near_duplicates is None else replace(rules, near_duplicates=near_duplicates)
