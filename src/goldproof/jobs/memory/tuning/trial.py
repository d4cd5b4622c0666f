"""Run and record one trial of a search; its objective.

An objective is a measure that the query alone decides to be defined or not: a mean that leaves out queries for which
nothing was returned could be raised by failing them. Measures that a silent memory wins (`false_surface`, `tokens`) are
no objectives either. `pass_rate` is the share of the queries that pass their criteria. A query on which the memory
failed counts 0; one whose items a judge could not match has no value.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import fsum
from typing import TYPE_CHECKING

from goldproof.errors import BudgetSpentError, GoldproofError, InputError, ModelDownError, UnknownNameError, reason_of
from goldproof.jobs.memory.scenario_run import run_suite
from goldproof.jobs.memory.scoring import score_rows
from goldproof.jobs.memory.targets import PASS_RATE
from goldproof.memory import Memory
from goldproof.metrics.memory import ALIASES, NAMES
from goldproof.retrieve import open_retriever

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from goldproof.io.scenarios.scenario import Suite
    from goldproof.jobs.memory.criteria import Rules
    from goldproof.jobs.memory.records import Answered, ScoredQuery


DEFAULT = "f1_or_silence"
OBJECTIVES = (DEFAULT, "relevance_score", "precision", "recall", "f1", "Hit@1", "set_success", PASS_RATE)
_OF_EVERY_QUERY = (DEFAULT, "precision", PASS_RATE)


@dataclass(frozen=True, slots=True)
class TrialRecord:
    """One configuration that was tried.

    number: from 0, the baseline where it is a pipeline; None: a baseline that is no trial. value: the objective on
    development; None where the trial failed, with its reason. repeats: the earlier trial of the same configuration,
    whose value this one has. failed_queries: how many queries failed; they count 0. choices: by name.
    """

    number: int | None
    pipeline: str
    value: float | None
    reason: str = ""
    repeats: int | None = None
    failed_queries: int = 0
    choices: Mapping[str, str | int | float] = field(default_factory=dict)

    def to_dict(self) -> dict[str, object]:
        """Return plain data."""
        return {
            "trial": self.number,
            "pipeline": self.pipeline,
            "value": self.value,
            "reason": self.reason or None,
            "repeats": self.repeats,
            "failed_queries": self.failed_queries,
            "choices": dict(self.choices),
        }


@dataclass(frozen=True, slots=True)
class FinishedSearch:
    """A finished search.

    trials: in their order, a baseline that is a pipeline first; one that was lost when a process ended, and run again,
    is there once. baseline: the first trial, or another system, which is no trial.
    """

    trials: tuple[TrialRecord, ...]
    baseline: TrialRecord
    winner: TrialRecord
    objective: str
    remarks: tuple[str, ...] = ()

    @property
    def failed(self) -> int:
        """How many trials have no value."""
        return sum(record.value is None for record in self.trials)

    @property
    def repeated(self) -> int:
        """How many trials chose a configuration that had been tried before."""
        return sum(record.repeats is not None for record in self.trials)

    @property
    def distinct(self) -> int:
        """How many configurations were run, the baseline among them."""
        return len({record.pipeline for record in self.trials})

    def to_dict(self) -> dict[str, object]:
        """Return plain data: the counts, the baseline, the winner and every trial."""
        return {
            "objective": self.objective,
            "counts": {"trials": len(self.trials), "failed": self.failed, "repeated": self.repeated},
            "baseline": self.baseline.to_dict(),
            "winner": self.winner.to_dict(),
            "trials": [record.to_dict() for record in self.trials],
        }


def best_of(records: Iterable[TrialRecord]) -> TrialRecord | None:
    """Return the record of the highest value; of equals the shorter pipeline, then the earlier one."""
    scored = [record for record in records if record.value is not None]
    return min(scored, key=_rank) if scored else None


def _rank(record: TrialRecord) -> tuple[float, int, int]:
    value = float(f"{record.value or 0.0:.12g}")  # values that differ in the last bits are equal
    return -value, len(record.pipeline), record.number or 0


def check_objective(name: str) -> str:
    """Return the objective by its own name, not an alias; refuse what is none."""
    known = PASS_RATE if name == "passed" else ALIASES.get(name.casefold(), name)
    if known in OBJECTIVES:
        return known
    if known in NAMES:
        raise InputError(
            f"objective {name!r}: a memory could win by returning nothing, or by failing; choose one of "
            f"{', '.join(OBJECTIVES)}."
        )
    raise UnknownNameError("objective", name, OBJECTIVES)


def check_defined(objective: str, suite: Suite) -> None:
    """Refuse an objective that has no value for any query."""
    queries = [query for scenario in suite.scenarios for query in scenario.queries]
    if objective not in _OF_EVERY_QUERY and not any(query.expected for query in queries):
        raise InputError(
            f"objective {objective!r} has no value here: every development query is a negative one; choose {DEFAULT}."
        )


def mean_of(rows: Sequence[ScoredQuery], objective: str) -> float:
    """Return the mean over the queries for which the objective is defined."""
    values = [value for row in rows if (value := value_of(row, objective)) is not None]
    return fsum(values) / len(values) if values else 0.0


def value_of(row: ScoredQuery, objective: str) -> float | None:
    """Return the objective of one query; None where it is not defined."""
    if row.undecided is not None and (row.outcome is None or objective == PASS_RATE):
        return None
    if objective == PASS_RATE:
        return float(row.passed)
    if row.failed:
        is_defined = objective in _OF_EVERY_QUERY or row.answered.query.expected
        return 0.0 if is_defined else None
    return row.values[objective].value


def score_configuration(pipeline: str, suite: Suite, *, rules: Rules) -> tuple[ScoredQuery, ...]:
    """Run a configuration through a suite, and return every query scored."""
    return score_rows(_answered(pipeline, suite, rules), rules)


def try_configuration(number: int, pipeline: str, *, suite: Suite, rules: Rules, objective: str) -> TrialRecord:
    """Run one trial; a configuration that cannot be run fails it, with the reason.

    Errors of the user's code fail single queries, and errors of scoring are ours and are raised. A configuration on
    which every query fails has no value either: 0 would say that it answered.
    """
    try:
        answered = _answered(pipeline, suite, rules)
    except (BudgetSpentError, ModelDownError):
        raise
    except GoldproofError as error:
        return TrialRecord(number, pipeline, None, reason=reason_of(error))
    rows = score_rows(answered, rules)
    failed = [row for row in rows if row.failed]
    if len(failed) == len(rows):
        return TrialRecord(number, pipeline, None, reason=failed[0].answered.error or "", failed_queries=len(failed))
    return TrialRecord(number, pipeline, mean_of(rows, objective), failed_queries=len(failed))


def _answered(pipeline: str, suite: Suite, rules: Rules) -> tuple[Answered, ...]:
    with Memory(open_retriever(pipeline)) as memory:
        return run_suite(suite, memory, k=rules.k)
