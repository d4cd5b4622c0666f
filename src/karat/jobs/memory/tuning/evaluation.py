"""Running one configuration on scenarios: a memory over its pipeline, walked through them and scored."""

from __future__ import annotations

from typing import TYPE_CHECKING

from karat.core.errors import BudgetSpentError, KaratError, ModelDownError
from karat.core.wording import reason_of
from karat.jobs.memory.running import run_suite
from karat.jobs.memory.scoring import score_rows
from karat.jobs.memory.tuning.objective import mean_of
from karat.jobs.memory.tuning.trial import TrialRecord
from karat.memory import Memory
from karat.retrieve import open_retriever

if TYPE_CHECKING:
    from karat.io.scenarios.scenario import Suite
    from karat.jobs.memory.answered import Answered
    from karat.jobs.memory.rules import Rules
    from karat.jobs.memory.scored import ScoredQuery


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
    except KaratError as error:
        return TrialRecord(number, pipeline, None, reason=reason_of(error))
    rows = score_rows(answered, rules)
    failed = [row for row in rows if row.failed]
    if len(failed) == len(rows):
        return TrialRecord(number, pipeline, None, reason=failed[0].answered.error or "", failed_queries=len(failed))
    return TrialRecord(number, pipeline, mean_of(rows, objective), failed_queries=len(failed))


def _answered(pipeline: str, suite: Suite, rules: Rules) -> tuple[Answered, ...]:
    with Memory(open_retriever(pipeline)) as memory:
        return run_suite(suite, memory, k=rules.k)
