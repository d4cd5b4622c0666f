"""`run_memory()`, `open_plan()`, `run_plan()`: scenarios and memory systems in, scores and verdicts out."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

from goldproof.embed import minilm
from goldproof.errors import InputError, UnknownNameError
from goldproof.io.scenarios.scenario import Suite
from goldproof.io.scenarios.suites import open_suites, split_suite
from goldproof.io.storage.cards import sha256_file
from goldproof.jobs.memory.criteria import Rules, default_rules, read_rules
from goldproof.jobs.memory.matching import TextMatcher
from goldproof.jobs.memory.result import MemoryResult, SystemRun
from goldproof.jobs.memory.scenario_run import KeptScenarios, run_suite
from goldproof.jobs.memory.scoring import METRICS, TESTED, facts_of_measures, open_grader, panel_of, score_rows
from goldproof.jobs.memory.self_check import SelfCheck, check_suite
from goldproof.jobs.memory.tuning.holdout import record_opening
from goldproof.memory import Memory, open_memory
from goldproof.metrics.memory.measures import ALIASES
from goldproof.records.keys import canonical_json, content_key
from goldproof.study import Design, Procedure, Provenance, Study, choose_pairs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from goldproof.jobs.memory.records import ScoredQuery
    from goldproof.jobs.memory.scenario_run import RunWatcher
    from goldproof.judge import Judge
    from goldproof.memory.system import MemorySystem

Chosen = Literal["development", "holdout", "all"]
SPLITS: tuple[Chosen, ...] = ("development", "holdout", "all")


@dataclass(frozen=True, slots=True, eq=False)
class MemoryPlan:
    """Scenarios, systems, rules, and how the systems are compared.

    judge: grades returned items, instead of the scenarios. match: the spec of the judge of rewritten texts. inputs:
    what the card names, with its sha256.
    """

    suite: Suite
    systems: Mapping[str, MemorySystem]
    rules: Rules
    design: Design
    judge: Judge | None = None
    match: object = None
    split: str = "all"
    self_check: bool = True
    resume: bool = False
    fresh: bool = False
    remarks: tuple[str, ...] = ()
    inputs: Mapping[str, str] = field(default_factory=dict)


def chosen_suite(scenarios: object, *, split: str | None) -> tuple[Suite, str, tuple[str, ...]]:
    """Return the scenarios to run, of which split, and what is to be said about it.

    split: None takes the development scenarios where some are held out, else all.
    """
    chosen = next((one for one in SPLITS if one == (split or "development")), None)
    if chosen is None:
        raise UnknownNameError("split", str(split), SPLITS)
    suite = scenarios if isinstance(scenarios, Suite) else open_suites(spec_list(scenarios))
    held = len(held_out(suite).scenarios)
    if split is None and not held:
        return suite, "all", ()
    if chosen == "development" and held == len(suite.scenarios):
        raise InputError(
            f"{suite.name}: every scenario is held out; say so with --split holdout, which is written down."
        )
    kept = split_suite(suite, chosen)
    if not kept.scenarios:
        raise InputError(f"{suite.name}: no scenario is in the split {chosen!r}; name another with --split.")
    if split is None:
        return kept, chosen, (f"{held} hold-out scenarios were left out; run them with --split holdout, or all.",)
    opened = "The hold-out was opened: what is chosen after this is no longer tested by it."
    return kept, chosen, (opened,) if held_out(kept).scenarios else ()


def held_out(suite: Suite) -> Suite:
    """Return the scenarios that are held out."""
    return replace(suite, scenarios=tuple(one for one in suite.scenarios if one.split == "holdout"))


def chosen_rules(criteria: object, *, k: object) -> Rules:
    """Return the rules of a file, or the bundled ones; k in place of theirs where it is given."""
    if isinstance(criteria, Rules):
        rules = criteria
    elif criteria is None:
        rules = default_rules()
    elif isinstance(criteria, str | PathLike):
        rules = read_rules(Path(criteria))
    else:
        raise InputError(f"criteria: found {type(criteria).__name__}; expected a file.")
    if k is None:
        return rules
    if isinstance(k, bool) or not isinstance(k, int) or k < 1:
        raise InputError(f"k is {k!r}, expected a whole number above 0.")
    return replace(rules, k=k)


def chosen_design(
    runs: tuple[str, ...],
    *,
    metrics: str | Iterable[str] | None,
    baseline: str | None,
    pairs: str | None,
    primary: str | None,
    margin: float | None,
    test: str,
    seed: object,
) -> Design:
    """Return how systems are compared; measures that are not tested are described."""
    if isinstance(seed, bool) or not isinstance(seed, int) or seed < 0:
        raise InputError(f"seed {seed!r} is not a whole number of 0 or more.")
    named = TESTED if metrics is None else tuple(map(metric_name, _names(metrics)))
    first = None if primary is None else metric_name(primary)
    tested = tuple(dict.fromkeys([*named, *([] if first is None else [first])]))
    return Design(
        choose_pairs(runs, baseline=baseline, pairs=pairs),
        primary=first,
        margin=margin,
        test=Procedure.named(test, seed=seed),
        described=frozenset(METRICS) - frozenset(tested),
    )


def metric_name(name: str) -> str:
    """Return the measure that a name stands for."""
    found = ALIASES.get(name.strip().casefold(), name.strip())
    found = "passed" if found == "pass_rate" else found
    if found not in METRICS:
        raise UnknownNameError("measure", name, METRICS)
    return found


def suite_content(suite: Suite) -> Mapping[str, str]:
    """Return what decides the scenarios: the sha256 of their files, or of their content where they came as objects."""
    if suite.inputs:
        return {f"scenarios {name}": sha for name, sha in suite.inputs.items()}
    return {"scenarios": content_key([repr(scenario) for scenario in suite.scenarios])}


def criteria_content(criteria: object) -> Mapping[str, str]:
    """Return the sha256 of a user's file of criteria, where there is one."""
    if isinstance(criteria, str | PathLike):
        return {f"criteria {Path(criteria).name}": sha256_file(Path(criteria))}
    return {}


def spec_list(scenarios: object) -> Sequence[str | Path]:
    """Return the files and suites that scenarios were named by."""
    if isinstance(scenarios, str | Path):
        return [scenarios]
    if isinstance(scenarios, list | tuple) and scenarios and all(isinstance(one, str | Path) for one in scenarios):
        return scenarios
    raise InputError(
        f"scenarios: found {type(scenarios).__name__}; expected a file, a bundled suite (smoke, main), or several."
    )


def _names(metrics: str | Iterable[str]) -> list[str]:
    return [name for name in (metrics.split(",") if isinstance(metrics, str) else metrics) if name.strip()]


DEFAULT_MEMORY = "dense(minilm) | top(5)"
FALLBACK_MEMORY = "bm25 | top(5)"
_FALLBACK_REMARK = (
    f"no memory named: {FALLBACK_MEMORY} was run, since the default {DEFAULT_MEMORY} needs the extra 'dense': "
    "pip install 'goldproof[dense]'"
)


def run_memory(
    scenarios: object = "smoke",
    memory: object = None,
    *,
    systems: Mapping[str, object] | None = None,
    split: str | None = None,
    k: int | None = None,
    criteria: object = None,
    judge: object = None,
    match: object = None,
    metrics: str | Iterable[str] | None = None,
    baseline: str | None = None,
    pairs: str | None = None,
    primary: str | None = None,
    margin: float | None = None,
    test: str = "auto",
    self_check: bool = True,
    resume: bool = False,
    fresh: bool = False,
    seed: int = 0,
    check: Callable[[Provenance], None] | None = None,
    watcher: RunWatcher | None = None,
) -> MemoryResult:
    """Run one memory system, or several (`systems={name: memory}`), through scenarios.

    scenarios: files (YAML, LoCoMo, LongMemEval), a bundled suite (`smoke`, `main`), or a `Suite`.
    memory: a pipeline such as "hybrid(bm25, dense(minilm)) | floor(0.3) | top(5)", a YAML file of one,
      "module:object", a URL, or an object that remembers; several as {name: memory}. By default
      "dense(minilm) | top(5)", or, with a remark, "bm25 | top(5)" where the extra `dense` is not installed.
    split: development, holdout or all; by default development where the files have a hold-out.
    k: how many memories are asked for; criteria: a file of criteria; where not given, the bundled defaults.
    judge: a spec or a judge that grades what came, instead of the scenarios' own grades.
    match: a spec or a judge that matches what a system rewrote; the similarity of embeddings by default.
    metrics: measures on which systems are tested; the others are described.
    baseline, pairs, primary, margin, test, seed: how systems are compared, as in `goldproof.evaluate`.
    self_check: whether trivial systems are run through the same scenarios.
    check: called with what the card will say, before anything is run; may refuse.
    resume: keep finished scenarios on disk until `result.forget()`, and go on from those of an interrupted run; for
      systems that a text names, since two objects of one class cannot be told apart. fresh: begin without them.
    """
    suite, chosen, remarks = chosen_suite(scenarios, split=split)
    if memory is None and systems is None:
        memory, fallback = default_memory()
        remarks = (*remarks, *fallback)
    opened = _opened(memory, systems)
    plan = MemoryPlan(
        suite=suite,
        systems=opened,
        rules=chosen_rules(criteria, k=k),
        design=chosen_design(
            tuple(opened),
            metrics=metrics,
            baseline=baseline,
            pairs=pairs,
            primary=primary,
            margin=margin,
            test=test,
            seed=seed,
        ),
        judge=None if judge is None else open_grader(judge),
        match=match,
        split=chosen,
        self_check=self_check,
        resume=resume,
        fresh=fresh,
        remarks=remarks,
        inputs={**suite_content(suite), **criteria_content(criteria)},
    )
    return run_plan(plan, check=check, watcher=watcher)


class DefaultMemory(NamedTuple):
    """The memory that is run where none is named, and what is to be said about it."""

    spec: str
    remarks: tuple[str, ...] = ()


def default_memory() -> DefaultMemory:
    """Return the memory for a run that names none: dense where it is installed, else bm25, which is said."""
    return (
        DefaultMemory(DEFAULT_MEMORY) if minilm.is_installed() else DefaultMemory(FALLBACK_MEMORY, (_FALLBACK_REMARK,))
    )


def run_plan(
    plan: MemoryPlan,
    *,
    check: Callable[[Provenance], None] | None = None,
    watcher: RunWatcher | None = None,
) -> MemoryResult:
    """Run every system of a plan."""
    with closing(TextMatcher(plan.match)) as matcher:
        return _run(plan, matcher, check=check, watcher=watcher)


def _run(
    plan: MemoryPlan,
    matcher: TextMatcher,
    *,
    check: Callable[[Provenance], None] | None,
    watcher: RunWatcher | None,
) -> MemoryResult:
    matcher.check()
    provenance = _provenance(plan, matcher)
    if check is not None:
        check(provenance)
    _write_down_opening(plan)
    runs = []
    for name, system in plan.systems.items():
        kept = _kept(plan, name)
        try:
            rows = run_suite(plan.suite, system, k=plan.rules.k, kept=kept, watcher=watcher)
        finally:
            if kept is not None:
                kept.close()
            if isinstance(system, Memory):
                system.pipeline.close()
        scored = score_rows(rows, plan.rules, matcher=matcher, judge=plan.judge)
        runs.append(SystemRun(name, system, scored, kept))
    first = runs[0].rows
    checked = check_suite(plan.suite, rules=plan.rules, rows=first) if plan.self_check else SelfCheck()
    study = Study(
        panel_of({run.name: run.rows for run in runs}),
        design=plan.design,
        unit="query",
        known=facts_of_measures(),
    )
    return MemoryResult(
        study,
        runs=runs,
        rules=plan.rules,
        check=checked,
        provenance=provenance,
        remarks=[*plan.suite.remarks, *plan.remarks, *run_remarks(runs, matcher), *checked.remarks()],
    )


def _kept(plan: MemoryPlan, name: str) -> KeptScenarios | None:
    """Return what an interrupted run would go on from; nothing where nobody asked, or nothing can be kept."""
    if not plan.resume:
        return None
    try:
        return KeptScenarios(name, plan.systems[name], k=plan.rules.k, fresh=plan.fresh)
    except (InputError, OSError):  # no folder for caches: the run itself needs none
        return None


def _write_down_opening(plan: MemoryPlan) -> None:
    """Say in the ledger that a hold-out is looked at; how often it was, tuning tells."""
    opened = held_out(plan.suite)
    if opened.scenarios:
        record_opening(opened, opened_at=datetime.now(UTC).isoformat(timespec="seconds"), by="goldproof memory run")


def _opened(memory: object, systems: Mapping[str, object] | None) -> dict[str, MemorySystem]:
    if isinstance(memory, Mapping):
        systems = memory
    if systems is None:
        system = open_memory(memory)
        return {_title(system): system}
    if not systems:
        raise InputError("systems: expected {name: memory}, at least one.")
    return {str(name): open_memory(one) for name, one in systems.items()}


def _title(system: MemorySystem) -> str:
    return str(getattr(system, "title", type(system).__name__))


def _provenance(plan: MemoryPlan, matcher: TextMatcher) -> Provenance:
    return Provenance(
        "Memory benchmark",
        inputs=lambda: plan.inputs,
        settings={
            "suite": plan.suite.name,
            "split": plan.split,
            "rules": plan.rules.to_dict(),
            "systems": {name: canonical_json(getattr(system, "facts", {})) for name, system in plan.systems.items()},
            "judge": None if plan.judge is None else plan.judge.key,
            "match": matcher.judge_name,
            "described": sorted(plan.design.described),
            **plan.design.to_dict(),
        },
        seed=plan.design.test.seed,
    )


def run_remarks(runs: Sequence[SystemRun], matcher: TextMatcher) -> list[str]:
    """Return what is to be said of how systems answered, and of what judges could not tell."""
    found = []
    for run in runs:
        found += list(getattr(run.system, "remarks", ()))
        found += _matching_remarks(run.name, run.rows)
        found += _grading_remarks(run.name, run.rows)
    found += [f"matching: {n} rulings cannot be used: {reason}" for reason, n in matcher.failures.items()]
    return found


def _grading_remarks(name: str, rows: tuple[ScoredQuery, ...]) -> list[str]:
    """Say how many of a judge's grades cannot be used, and what has no value because of it."""
    items = [match for row in rows if row.answered.query.expected for match in row.matches]
    unusable = [match.ungraded for match in items if match.ungraded is not None]
    if not unusable:
        return []
    scores = [row.values["relevance_score"] for row in rows if any(match.ungraded for match in row.matches)]
    without = [one for one in scores if one.value is None]
    failed = sum(one.failed for one in without)
    counts = f"undefined for {len(without) - failed} queries and failed for {failed}"
    said = f"the judge gave no usable grade for {len(unusable)} of {len(items)} returned items"
    return [f"{name}: {said}, so relevance_score is {counts}. The first reason: {unusable[0].reason}"]


def _matching_remarks(name: str, rows: tuple[ScoredQuery, ...]) -> list[str]:
    items = [match for row in rows for match in row.matches]
    hows = {how: sum(match.how == how for match in items) for how in ("text", "judge", "none")}
    more = sum(len(row.matches) > row.answered.k for row in rows)
    found = []
    if hows["judge"] or hows["none"]:
        found.append(
            f"{name}: of {len(items)} returned items {hows['text']} were matched by their text and {hows['judge']} by "
            f"the judge, since the system rewrote them; {hows['none']} stand for no memory that was stored."
        )
    if more:
        found.append(f"{name}: more than k memories came for {more} queries; all of them count.")
    return found
