"""The loop over trials of a search.

Trial 0 is the baseline itself where that is a pipeline, so that the winner is never worse on development; another
system is scored beforehand, and is no trial. Each further trial asks a sampler for a configuration (TPE, seeded by the
seed and the trial's number); one that was tried before is not run again, and has the same value. Of equal values the
shorter configuration wins, then the earlier one. The search is given the development suite alone, never the hold-out.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from goldproof.errors import InputError
from goldproof.jobs.memory.tuning.baseline import ScoredBaseline
from goldproof.jobs.memory.tuning.configuration import rounded
from goldproof.jobs.memory.tuning.holdout import check_still_closed, content_of
from goldproof.jobs.memory.tuning.space import fit_space, left_out_remarks
from goldproof.jobs.memory.tuning.study_file import open_study
from goldproof.jobs.memory.tuning.trial import (
    FinishedSearch,
    TrialRecord,
    best_of,
    check_defined,
    check_objective,
    try_configuration,
)
from goldproof.progress import OnProgress, Progress, ignore
from goldproof.retrieve import open_retriever

if TYPE_CHECKING:
    from pathlib import Path

    from goldproof.io.scenarios.scenario import Suite
    from goldproof.jobs.memory.criteria import Rules
    from goldproof.jobs.memory.tuning.space import Space
    from goldproof.jobs.memory.tuning.study_file import StudyFile

FEW_QUERIES = 10


def tune_suite(
    development: Suite,
    *,
    rules: Rules,
    space: Space,
    baseline: str | ScoredBaseline,
    trials: int,
    seed: int,
    folder: Path,
    objective: str = "f1_or_silence",
    on_progress: OnProgress = ignore,
) -> FinishedSearch:
    """Try `trials` configurations, a baseline that is a pipeline being the first, and return them with the best.

    The study is a file in the folder; where it has trials already, the search goes on from there. on_progress: called
    after each trial, with the best one so far as the note.
    """
    objective = check_search(development, trials=trials, seed=seed, objective=objective)
    first = canonical(baseline) if isinstance(baseline, str) else None
    chosen = fit_space(space, development, rules)
    settings = {
        "scenarios": content_of(development),
        "rules": rules.to_dict(),
        "space": chosen.to_dict(),
        "baseline": baseline.baseline.facts if isinstance(baseline, ScoredBaseline) else first,
        "seed": seed,
        "objective": objective,
    }
    check_still_closed(folder, trials=trials)
    folder.mkdir(parents=True, exist_ok=True)
    with open_study(folder, settings) as study:
        search = _Search(study, space=chosen, seed=seed, suite=development, rules=rules, objective=objective)
        search.run(first, trials=trials, on_progress=on_progress)
        remarks = (*_few_queries(development), *left_out_remarks(space, chosen))
        records = search.records[:trials]
        record = records[0] if isinstance(baseline, str) else baseline.record
        return _finished(records, baseline=record, objective=objective, remarks=remarks)


def canonical(pipeline: str) -> str:
    """Return a pipeline's text in canonical form; InputError where it is none."""
    try:
        return str(open_retriever(pipeline))
    except InputError as error:
        raise InputError(f"baseline {pipeline!r}: {error}") from error


class _Search:
    """Runs trials one after the other, and keeps their records."""

    def __init__(
        self, study: StudyFile, *, space: Space, seed: int, suite: Suite, rules: Rules, objective: str
    ) -> None:
        self._study = study
        self._space = space
        self._seed = seed
        self._suite = suite
        self._rules = rules
        self._objective = objective
        self.records = study.records()
        self._tried: dict[str, TrialRecord] = {}
        for record in self.records:
            self._tried.setdefault(record.pipeline, record)

    def run(self, baseline: str | None, *, trials: int, on_progress: OnProgress) -> None:
        """Run the trials that are not done yet; baseline: the pipeline of the first, if it is one."""
        if not self.records and baseline is not None:
            self._run_baseline(baseline)
            on_progress(self._progress(trials))
        while len(self.records) < trials:
            self._run_next()
            on_progress(self._progress(trials))

    def _run_baseline(self, baseline: str) -> None:
        record = self._try(0, baseline)
        if record.value is None:
            raise InputError(f"baseline {baseline!r} cannot be run: {record.reason}")
        self._study.add_baseline(record)
        self._keep(record)

    def _run_next(self) -> None:
        number = len(self.records)
        trial, pipeline = self._study.ask(number, space=self._space, seed=self._seed)
        known = self._tried.get(pipeline)
        record = self._try(number, pipeline) if known is None else replace(known, number=number, repeats=known.number)
        record = replace(record, choices=rounded(trial.params))
        self._study.tell(trial, record)
        self._keep(record)

    def _try(self, number: int, pipeline: str) -> TrialRecord:
        return try_configuration(number, pipeline, suite=self._suite, rules=self._rules, objective=self._objective)

    def _progress(self, trials: int) -> Progress:
        best = best_of(self.records)
        note = "" if best is None else f"best {best.value:.4f} ({best.pipeline})"
        return Progress("trials", len(self.records), trials, sum(r.value is None for r in self.records), note=note)

    def _keep(self, record: TrialRecord) -> None:
        self.records.append(record)
        self._tried.setdefault(record.pipeline, record)


def _finished(
    records: list[TrialRecord], *, baseline: TrialRecord, objective: str, remarks: tuple[str, ...]
) -> FinishedSearch:
    winner = best_of(records)
    if winner is None:  # a baseline that is a pipeline cannot be here: one that cannot be run was refused
        raise InputError(
            f"none of {len(records)} configurations could be run, so the hold-out stays closed; the first: "
            f"{records[0].reason}"
        )
    return FinishedSearch(tuple(records), baseline, winner, objective, remarks=remarks)


def _few_queries(suite: Suite) -> tuple[str, ...]:
    remark = f"The development split has {suite.queries} queries: with so few, the search mostly learns their noise."
    return (remark,) if suite.queries < FEW_QUERIES else ()


def check_search(development: Suite, *, trials: object, seed: object, objective: str) -> str:
    """Refuse a search that cannot be made; return the objective by its own name, not an alias."""
    if isinstance(trials, bool) or not isinstance(trials, int) or trials < 1:
        raise InputError(f"trials is {trials!r}, expected a whole number of at least 1; the first is the baseline.")
    if isinstance(seed, bool) or not isinstance(seed, int) or seed < 0:
        raise InputError(f"seed {seed!r} is not a whole number of 0 or more.")
    if not development.queries:
        raise InputError(
            f"{development.name}: the development split has no queries, so there is nothing to tune on; "
            "mark scenarios with split: development."
        )
    objective = check_objective(objective)
    check_defined(objective, development)
    return objective
