"""Running one configuration on scenarios: a memory over its pipeline, walked through them and scored."""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldproof.errors import BudgetSpentError, GoldproofError, ModelDownError, reason_of
from goldproof.jobs.memory.running import run_suite
from goldproof.jobs.memory.scoring import score_rows
from goldproof.jobs.memory.tuning.objective import mean_of
from goldproof.jobs.memory.tuning.trial import TrialRecord
from goldproof.memory import Memory
from goldproof.retrieve import open_retriever

if TYPE_CHECKING:
    from goldproof.io.scenarios.scenario import Suite
    from goldproof.jobs.memory.answered import Answered
    from goldproof.jobs.memory.rules import Rules
    from goldproof.jobs.memory.scored import ScoredQuery


def score_configuration(pipeline: str, suite: Suite, *, rules: Rules) -> tuple[ScoredQuery, ...]:
    """Return every query of a suite as a configuration answers it."""
    return score_rows(_answered(pipeline, suite, rules), rules)


def try_configuration(number: int, pipeline: str, *, suite: Suite, rules: Rules, objective: str) -> TrialRecord:
    """Return what a configuration is worth; what keeps it from being run fails the trial, with the reason.

    What the user's code raises while it runs fails queries, and what scoring raises is a fault of ours. A configuration
    on which every query fails has no value either: 0 would say that it answered.
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
