"""`karat.tune_memory`: search on the development scenarios, then look at the hold-out once."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from karat.core.records import Card
from karat.io import OutputFolder
from karat.io.scenarios.opening import open_suites
from karat.io.scenarios.scenario import Suite
from karat.jobs.memory.function import DEFAULT_MEMORY
from karat.jobs.memory.panel import PASSED, facts_of_measures, panel_of
from karat.jobs.memory.plan import (
    chosen_design,
    chosen_rules,
    criteria_content,
    spec_list,
    suite_content,
)
from karat.jobs.memory.result import SystemRun
from karat.jobs.memory.self_check import SelfCheck
from karat.jobs.memory.tune_result import ARTEFACTS, TuneResult
from karat.jobs.memory.tuning import (
    Space,
    check_objective,
    compare_on_holdout,
    describe,
    open_holdout,
    read_space,
    split_suite,
    tune_suite,
)
from karat.jobs.memory.tuning.engine import canonical
from karat.jobs.memory.tuning.fitting import fitted
from karat.jobs.memory.tuning.report import BASELINE, TUNED
from karat.memory import open_memory
from karat.report import Heading, Table
from karat.study import Provenance, Study
from karat.version import __version__

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from os import PathLike

    from karat.jobs.memory.scored import ScoredQuery
    from karat.jobs.memory.tuning import Opening, Tuned, TuneWatcher

TRIALS = 60
SCHEMA = "karat.memory.tune"


def tune_memory(
    scenarios: object = "main",
    *,
    out: str | PathLike[str],
    baseline: str = DEFAULT_MEMORY,
    trials: int = TRIALS,
    objective: str = "f1_or_silence",
    space: str | PathLike[str] | Space | None = None,
    criteria: object = None,
    k: int | None = None,
    seed: int = 0,
    force: bool = False,
    fail_if: Sequence[str] = (),
    watcher: TuneWatcher | None = None,
) -> TuneResult:
    """Search for a better configuration of Karat's own memory, and compare it with the baseline on the hold-out.

    scenarios: files or a bundled suite with both splits. out: the folder of the search, which an interrupted one goes
    on in. baseline: the pipeline to beat, and the first trial. objective: what is maximised on development. space: a
    file of what may be chosen. criteria, k: as for `karat.run_memory`. fail_if: gates on the hold-out.
    """
    suite = scenarios if isinstance(scenarios, Suite) else open_suites(spec_list(scenarios))
    development, holdout = split_suite(suite)
    rules = chosen_rules(criteria, k=k)
    searched = _space(space)
    aim = check_objective(objective)
    settings = {
        "suite": suite.name,
        "rules": rules.to_dict(),
        "space": searched.to_dict(),
        "baseline": canonical(baseline),
        "trials": trials,
        "objective": aim,
        "gates": list(fail_if),
    }
    provenance = Provenance(
        "Tuned memory on the hold-out",
        inputs=lambda: {**suite_content(suite), **criteria_content(criteria)},
        settings=settings,
        seed=seed,
    )
    with OutputFolder(Path(out), card=_card(provenance), artefacts=ARTEFACTS, force=force) as folder:
        tuned = tune_suite(
            development,
            rules=rules,
            space=searched,
            baseline=baseline,
            trials=trials,
            seed=seed,
            folder=folder.path,
            objective=aim,
            watcher=watcher,
        )
        opening = open_holdout(folder.path, holdout, tuned=tuned)
        compared = compare_on_holdout(tuned, development=development, holdout=holdout, rules=rules)
        result = TuneResult(
            _study(compared.holdout, aim, seed=seed),
            runs=[
                SystemRun(name, open_memory(pipeline), compared.holdout[name])
                for name, pipeline in ((TUNED, tuned.winner.pipeline), (BASELINE, tuned.baseline.pipeline))
            ],
            rules=rules,
            check=SelfCheck(),
            provenance=provenance,
            # The same search gives the same report: when the hold-out was opened, the card says.
            remarks=[*suite.remarks, *tuned.remarks, f"The hold-out was opened after {opening.trials} trials."],
            tuned=tuned,
            compared=compared,
            opening=opening,
            development=development,
        ).gated(fail_if)
        for content in result.contents():
            content.write(folder / content.name)
        folder.finish(_card(provenance, tuned=tuned, opening=opening, queries=holdout.queries))
    return result


def search_table(
    scenarios: object = "main",
    *,
    space: str | PathLike[str] | Space | None = None,
    criteria: object = None,
    k: int | None = None,
) -> Table:
    """Return what a search would choose from; nothing is run."""
    suite = scenarios if isinstance(scenarios, Suite) else open_suites(spec_list(scenarios))
    development, holdout = split_suite(suite)
    chosen = fitted(_space(space), development, chosen_rules(criteria, k=k))
    note = (
        f"Searched on {len(development.scenarios)} development scenarios with {development.queries} queries; the "
        f"hold-out has {len(holdout.scenarios)} with {holdout.queries}."
    )
    headings = (Heading("choice", "left"), Heading("from", "left"))
    return Table(headings, describe(chosen), title="Search", notes=(note,))


def _space(given: str | PathLike[str] | Space | None) -> Space:
    if isinstance(given, Space):
        return given
    return Space() if given is None else read_space(Path(given))


def _study(rows: Mapping[str, Sequence[ScoredQuery]], objective: str, *, seed: int) -> Study:
    return Study(
        panel_of({name: rows[name] for name in (TUNED, BASELINE)}),
        design=chosen_design(
            (TUNED, BASELINE),
            metrics=None,
            baseline=BASELINE,
            pairs=None,
            primary=PASSED if objective == "pass_rate" else objective,
            margin=None,
            test="auto",
            seed=seed,
        ),
        unit="query",
        known=facts_of_measures(),
    )


def _card(
    provenance: Provenance, *, tuned: Tuned | None = None, opening: Opening | None = None, queries: int = 0
) -> Card:
    counts = {} if tuned is None else {"trials": len(tuned.trials), "failed": tuned.failed, "holdout_queries": queries}
    events = {}
    if opening is not None:
        events = {
            "hold-out opened": f"{opening.opened_at}, after {opening.trials} trials",
            "hold-out opened before": str(opening.opened_before),
        }
    return Card(
        schema=SCHEMA,
        schema_version=1,
        inputs=provenance.inputs(),
        settings=provenance.settings,
        seed=provenance.seed,
        versions={"karat": __version__},
        counts=counts,
        events=events,
    )
