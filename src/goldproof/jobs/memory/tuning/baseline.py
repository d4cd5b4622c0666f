"""The baseline of a search: a pipeline of Goldproof's own memory, or any other system.

A pipeline of Goldproof's own memory is the first trial of the search. Any other system (an object, a class, a service)
is scored beside it and is no trial: the search cannot return it. It is run on the development scenarios before anything
is written, so that a system that fails on all of them costs neither a search nor the hold-out. Where a text names it,
finished scenarios are kept until the result is written, and an interrupted search does not ask for them again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from goldproof.errors import InputError
from goldproof.jobs.memory.matching import TextMatcher
from goldproof.jobs.memory.scenario_run import keep_scenarios, run_suite
from goldproof.jobs.memory.scoring import score_rows
from goldproof.jobs.memory.tuning.trial import TrialRecord, mean_of
from goldproof.memory import Memory, open_memory

if TYPE_CHECKING:
    from collections.abc import Mapping

    from goldproof.io.scenarios.scenario import Suite
    from goldproof.jobs.memory.criteria import Rules
    from goldproof.jobs.memory.records import ScoredQuery
    from goldproof.jobs.memory.scenario_run import KeptScenarios
    from goldproof.memory import DescribedMemory


@dataclass(frozen=True, slots=True, eq=False)
class SystemBaseline:
    """A baseline that is no pipeline of ours; matcher: for texts it rewrote. kept: scenarios of an earlier search."""

    system: DescribedMemory
    matcher: TextMatcher
    kept: KeptScenarios | None = None

    @property
    def facts(self) -> Mapping[str, object]:
        """Its description in the study and in the card."""
        return {"memory": self.system.title, **self.system.facts}

    def score(self, suite: Suite, *, rules: Rules) -> tuple[ScoredQuery, ...]:
        """Return every query of a suite as the system answers it."""
        answered = run_suite(suite, self.system, k=rules.k, kept=self.kept)
        return score_rows(answered, rules, matcher=self.matcher)

    def close(self) -> None:
        """Close the file of kept scenarios; they stay for the next process."""
        if self.kept is not None:
            self.kept.close()

    def forget(self) -> None:
        """Delete the kept scenarios, once the result is written."""
        if self.kept is not None:
            self.kept.forget()


def open_baseline(spec: object, *, rules: Rules) -> str | SystemBaseline:
    """Return the text of a pipeline of ours, or any other system; InputError where it is neither."""
    try:
        system = open_memory(spec)
    except InputError as error:
        named = repr(spec) if isinstance(spec, str) else type(spec).__name__
        raise InputError(f"baseline {named}: {error}") from error
    if type(system) is Memory:  # what derives from it may search in another way
        return system.title
    kept = keep_scenarios("baseline of a search", system, k=rules.k) if isinstance(spec, str) else None
    return SystemBaseline(system, TextMatcher(), kept)


@dataclass(frozen=True, slots=True, eq=False)
class ScoredBaseline:
    """A system that is no pipeline of ours, scored on the development scenarios; record: its score, as of a trial."""

    baseline: SystemBaseline
    rows: tuple[ScoredQuery, ...]
    record: TrialRecord


def score_baseline(baseline: SystemBaseline, development: Suite, *, rules: Rules, objective: str) -> ScoredBaseline:
    """Score a system on the development scenarios; InputError where it fails on all queries."""
    rows = baseline.score(development, rules=rules)
    title = baseline.system.title
    unknown = [row for row in rows if row.outcome is None]
    if len(unknown) == len(rows):
        first = unknown[0]
        reason = first.answered.error or (first.undecided.reason if first.undecided else "")
        raise InputError(
            f"baseline {title!r} failed on all {len(rows)} development queries, so there is nothing to beat: {reason}\n"
            "  Nothing was searched, and the hold-out stays closed. Try it alone first: goldproof memory run."
        )
    failed = sum(row.failed for row in rows)
    return ScoredBaseline(baseline, rows, TrialRecord(None, title, mean_of(rows, objective), failed_queries=failed))
