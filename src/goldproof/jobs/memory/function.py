"""`goldproof.run_memory`: scenarios and memory systems in; tests, measures, intervals and comparisons out."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

from goldproof.embed import minilm
from goldproof.errors import InputError
from goldproof.jobs.memory.grading import open_grader
from goldproof.jobs.memory.kept import KeptScenarios
from goldproof.jobs.memory.panel import facts_of_measures, panel_of
from goldproof.jobs.memory.plan import (
    MemoryPlan,
    chosen_design,
    chosen_rules,
    chosen_suite,
    criteria_content,
    held_out,
    suite_content,
)
from goldproof.jobs.memory.result import MemoryResult, SystemRun
from goldproof.jobs.memory.rewritten import TextMatcher
from goldproof.jobs.memory.running import run_suite
from goldproof.jobs.memory.scoring import score_rows
from goldproof.jobs.memory.self_check import SelfCheck, check_suite
from goldproof.jobs.memory.tuning.ledger import record_opening
from goldproof.memory import Memory, open_memory
from goldproof.records.keys import canonical_json
from goldproof.study import Provenance, Study

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from goldproof.jobs.memory.running import RunWatcher
    from goldproof.jobs.memory.scored import ScoredQuery
    from goldproof.memory.system import MemorySystem

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
