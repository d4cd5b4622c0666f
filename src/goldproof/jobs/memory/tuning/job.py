"""`tune_memory()`: search on the development scenarios, then compare winner and baseline once on the hold-out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import version
from importlib.util import find_spec
from os import PathLike
from pathlib import Path
from typing import Annotated

from goldproof import __version__
from goldproof.errors import InputError, MissingExtraError
from goldproof.io import OutputFolder
from goldproof.io.scenarios.scenario import Suite
from goldproof.jobs.memory.criteria import Rules
from goldproof.jobs.memory.job import (
    DEFAULT_MEMORY,
    check_gates,
    choose_design,
    choose_rules,
    open_scenarios,
    plan_inputs,
    run_remarks,
)
from goldproof.jobs.memory.options import Criteria, FailIf, HowMany
from goldproof.jobs.memory.records import ScoredQuery
from goldproof.jobs.memory.result import SystemRun
from goldproof.jobs.memory.scoring import PASSED, facts_of_measures, panel_of
from goldproof.jobs.memory.self_check import SelfCheck
from goldproof.jobs.memory.tuning.baseline import ScoredBaseline, SystemBaseline, open_baseline, score_baseline
from goldproof.jobs.memory.tuning.comparison import BASELINE, TUNED, compare_on_holdout
from goldproof.jobs.memory.tuning.holdout import Opening, both_splits, check_still_closed, open_holdout
from goldproof.jobs.memory.tuning.result import ARTEFACTS, TuneResult
from goldproof.jobs.memory.tuning.search import check_search, tune_suite
from goldproof.jobs.memory.tuning.space import Space, fit_space, read_space, space_rows
from goldproof.jobs.memory.tuning.study_file import STUDY_FILE, check_file
from goldproof.jobs.memory.tuning.trial import DEFAULT, FinishedSearch, try_configuration
from goldproof.memory import open_memory
from goldproof.options import Option, with_options
from goldproof.progress import OnProgress, ignore
from goldproof.records.entities import Card
from goldproof.report import Heading, Table
from goldproof.report.result import RUN_FACTS
from goldproof.study import Design, Provenance, Study, gate_texts
from goldproof.study.options import Seed

TRIALS = 60
SCHEMA = "goldproof.memory.tune"


@with_options
def tune_memory(
    scenarios: Annotated[
        object,
        Option(
            "Scenario files with a development and a hold-out split, or a bundled suite: main (default).",
            "SCENARIOS...",
            flag="",
            type=list[str],
        ),
    ] = "main",
    *,
    out: str | PathLike[str],
    baseline: Annotated[
        object,
        Option(
            "The memory to beat, as in 'goldproof memory run --memory'.",
            "SPEC",
            type=str,
        ),
    ] = DEFAULT_MEMORY,
    trials: Annotated[int, Option("Configurations to try.", "N", minimum=1)] = TRIALS,
    objective: Annotated[str, Option("Measure to maximise on the development scenarios.", "MEASURE")] = "f1_or_silence",
    space: Annotated[
        str | PathLike[str] | Space | None,
        Option("Search space as YAML (default: everything).", "FILE", type=Path),
    ] = None,
    criteria: Criteria = None,
    k: HowMany = None,
    seed: Seed = 0,
    force: bool = False,
    fail_if: FailIf = (),
    on_progress: OnProgress = ignore,
) -> TuneResult:
    """Search for a better configuration of Goldproof's own memory, and compare it with the baseline on the hold-out.

    scenarios: files or a bundled suite with both splits. out: the folder of the search; an interrupted search resumes
    there. baseline: the memory to beat, whatever `goldproof.run_memory` takes as one; a pipeline is the first trial,
    and anything else is scored beside the search. objective: the measure maximised on development. space: a file of
    what may be chosen. criteria, k: as for `goldproof.run_memory`. fail_if: gates on the hold-out. on_progress: called
    after each trial.

    `result.advice` says whether to switch to the tuned configuration; so do the first line of the report and the file
    `memory.yaml`.
    """
    if find_spec("optuna") is None:
        raise MissingExtraError("tuning", "tune")
    rules = choose_rules(criteria, k=k)
    suite = open_scenarios(scenarios)
    development, holdout = both_splits(suite)
    measure = check_search(development, trials=trials, seed=seed, objective=objective)
    check_gates(fail_if, _design(measure, seed=seed), rules=rules, runs=(TUNED, BASELINE))
    plan = SearchPlan(
        suite,
        development,
        holdout,
        rules=rules,
        space=_open_space(space),
        baseline=open_baseline(baseline, rules=rules),
        trials=trials,
        objective=measure,
        seed=seed,
        gates=gate_texts(fail_if),
        inputs=plan_inputs(suite, criteria),
    )
    if not force:  # a folder that is refused stays as it is
        check_still_closed(Path(out), trials=trials)
        check_file(Path(out) / STUDY_FILE)
    try:
        scored = _try_baseline(plan)
        with OutputFolder(Path(out), card=_card(plan), artefacts=(*ARTEFACTS, RUN_FACTS), force=force) as folder:
            tuned = _search(plan, scored or str(plan.baseline), folder=folder.path, on_progress=on_progress)
            opening = open_holdout(folder.path, plan.holdout, tuned=tuned)
            result = _result(plan, tuned, opening, scored=scored)
            result.save(folder)
    finally:
        if isinstance(plan.baseline, SystemBaseline):
            plan.baseline.close()
    if isinstance(plan.baseline, SystemBaseline):
        plan.baseline.forget()
    return result


@dataclass(frozen=True, slots=True, eq=False)
class SearchPlan:
    """A search whose inputs are all checked, so that no mistake in them can waste it or open the hold-out."""

    suite: Suite
    development: Suite
    holdout: Suite
    rules: Rules
    space: Space
    baseline: str | SystemBaseline
    trials: int
    objective: str
    seed: int
    gates: tuple[str, ...]
    inputs: Mapping[str, str]

    @property
    def settings(self) -> dict[str, object]:
        """The settings in the card; gates are not among them, since they only look at the result."""
        return {
            "suite": self.suite.name,
            "rules": self.rules.to_dict(),
            "space": self.space.to_dict(),
            "baseline": self.baseline.facts if isinstance(self.baseline, SystemBaseline) else self.baseline,
            "trials": self.trials,
            "objective": self.objective,
        }


def _try_baseline(plan: SearchPlan) -> ScoredBaseline | None:
    """Run the baseline before anything is written, so that a mistake in it leaves no folder behind.

    A pipeline is tried on one scenario and not scored, since it is the first trial; another system is scored.
    """
    if isinstance(plan.baseline, SystemBaseline):
        return score_baseline(plan.baseline, plan.development, rules=plan.rules, objective=plan.objective)
    first_scenario = replace(plan.development, scenarios=plan.development.scenarios[:1])
    trial = try_configuration(0, plan.baseline, suite=first_scenario, rules=plan.rules, objective=DEFAULT)
    if trial.value is None:
        raise InputError(f"baseline {plan.baseline!r} cannot be run: {trial.reason}")
    return None


def _search(
    plan: SearchPlan, baseline: str | ScoredBaseline, *, folder: Path, on_progress: OnProgress
) -> FinishedSearch:
    return tune_suite(
        plan.development,
        rules=plan.rules,
        space=plan.space,
        baseline=baseline,
        trials=plan.trials,
        seed=plan.seed,
        folder=folder,
        objective=plan.objective,
        on_progress=on_progress,
    )


def _result(plan: SearchPlan, tuned: FinishedSearch, opening: Opening, *, scored: ScoredBaseline | None) -> TuneResult:
    """Run baseline and winner on the hold-out, which is open by now."""
    compared = compare_on_holdout(
        tuned, development=plan.development, holdout=plan.holdout, rules=plan.rules, scored=scored
    )
    baseline = open_memory(tuned.baseline.pipeline) if scored is None else scored.baseline.system
    runs = [
        SystemRun(TUNED, open_memory(tuned.winner.pipeline), compared.holdout[TUNED]),
        SystemRun(BASELINE, baseline, compared.holdout[BASELINE]),
    ]
    return TuneResult(
        _study(compared.holdout, plan.objective, seed=plan.seed),
        runs=runs,
        rules=plan.rules,
        check=SelfCheck(skipped="trivial systems are tried by goldproof memory run."),
        provenance=Provenance(
            "Tuned memory on the hold-out", inputs=lambda: plan.inputs, settings=plan.settings, seed=plan.seed
        ),
        # When the hold-out was opened is in the card, so that the same search gives the same report.
        remarks=[
            *plan.suite.remarks,
            *tuned.remarks,
            *([] if scored is None else run_remarks(runs[1:], scored.baseline.matcher)),
            f"The hold-out was opened after {opening.trials} trials.",
        ],
        tuned=tuned,
        compared=compared,
        opening=opening,
        development=plan.development,
        card=_card(plan, tuned=tuned, opening=opening),
    ).gated(plan.gates)


def search_table(
    scenarios: object = "main",
    *,
    space: str | PathLike[str] | Space | None = None,
    criteria: object = None,
    k: int | None = None,
) -> Table:
    """Return the search space as a table; nothing is run."""
    development, holdout = both_splits(open_scenarios(scenarios))
    chosen = fit_space(_open_space(space), development, choose_rules(criteria, k=k))
    note = (
        f"Searched on {len(development.scenarios)} development scenarios with {development.queries} queries; the "
        f"hold-out has {len(holdout.scenarios)} with {holdout.queries}."
    )
    headings = (Heading("choice", "left"), Heading("from", "left"))
    return Table(headings, space_rows(chosen), title="Search", notes=(note,))


def _open_space(space: str | PathLike[str] | Space | None) -> Space:
    if isinstance(space, Space):
        return space
    return Space() if space is None else read_space(Path(space))


def _study(rows: Mapping[str, Sequence[ScoredQuery]], objective: str, *, seed: int) -> Study:
    return Study(
        panel_of({name: rows[name] for name in (TUNED, BASELINE)}),
        design=_design(objective, seed=seed),
        unit="query",
        known=facts_of_measures(),
    )


def _design(objective: str, *, seed: int) -> Design:
    """Return how tuned and baseline are compared: the objective decides."""
    primary = PASSED if objective == "pass_rate" else objective
    return choose_design((TUNED, BASELINE), baseline=BASELINE, primary=primary, seed=seed)


def _card(plan: SearchPlan, *, tuned: FinishedSearch | None = None, opening: Opening | None = None) -> Card:
    counts, events = {}, {}
    if tuned is not None:
        counts = {"trials": len(tuned.trials), "failed": tuned.failed, "holdout_queries": plan.holdout.queries}
    if opening is not None:
        events = {
            "hold-out opened": f"{opening.opened_at}, after {opening.trials} trials",
            "hold-out opened before": str(opening.opened_before),
        }
    return Card(
        schema=SCHEMA,
        schema_version=1,
        inputs=plan.inputs,
        settings=plan.settings,
        seed=plan.seed,
        versions={"goldproof": __version__, "optuna": version("optuna")},
        counts=counts,
        events=events,
    )
