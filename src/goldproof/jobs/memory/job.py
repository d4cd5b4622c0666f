"""`run_memory()`: run memory systems through scenarios, score every query, and compare the systems."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from os import PathLike
from pathlib import Path
from typing import Annotated, Literal, NamedTuple

from goldproof.closeable import Closeable
from goldproof.embed import minilm
from goldproof.errors import InputError, UnknownNameError
from goldproof.io import OutputFolder, sha256_file
from goldproof.io.scenarios import open_suites, split_suite
from goldproof.io.scenarios.scenario import Suite
from goldproof.jobs.memory.criteria import Rules, default_rules, read_rules
from goldproof.jobs.memory.matching import TextMatcher
from goldproof.jobs.memory.options import Criteria, FailIf, HowMany
from goldproof.jobs.memory.records import ScoredQuery
from goldproof.jobs.memory.result import METRIC_ALIASES, QUERY_FIELDS, MemoryResult, SystemRun
from goldproof.jobs.memory.scenario_run import keep_scenarios, run_suite
from goldproof.jobs.memory.scoring import METRICS, SHOWN, facts_of_measures, open_grader, panel_of, score_rows
from goldproof.jobs.memory.self_check import SelfCheck, check_suite
from goldproof.jobs.memory.targets import trigger_names
from goldproof.jobs.memory.tuning.holdout import record_opening
from goldproof.judge import Judge
from goldproof.memory import Memory, MemorySystem, open_memories, open_memory
from goldproof.metrics.memory import ALIASES
from goldproof.options import Option, with_options
from goldproof.progress import OnProgress, ignore, under
from goldproof.records.keys import canonical_json, content_key
from goldproof.retrieve.options import Fresh, Timeout
from goldproof.study import Design, Procedure, Provenance, Study, choose_pairs, gate_texts, read_gates
from goldproof.study.breakdown import choose_breakdown
from goldproof.study.options import Baseline, By, Margin, Pairs, Primary, Seed, Test
from goldproof.study.study import ALL_METRICS

Split = Literal["development", "holdout", "all"]
SPLITS: tuple[Split, ...] = ("development", "holdout", "all")
DEFAULT_MEMORY = "dense(minilm) | top(5)"
FALLBACK_MEMORY = "bm25 | top(5)"
_FALLBACK_REMARK = (
    f"no memory named: {FALLBACK_MEMORY} was run, since the default {DEFAULT_MEMORY} needs the extra 'dense': "
    "pip install 'goldproof[dense]'"
)


@dataclass(frozen=True, slots=True, eq=False)
class MemoryPlan(Closeable):
    """A run that is checked and opened: scenarios, systems, rules, judges, and how the systems are compared.

    matcher: matches rewritten texts. judge: grades returned items, instead of the scenarios. inputs: what the card
    names, with its sha256. Close it after the run.
    """

    suite: Suite
    systems: Mapping[str, MemorySystem]
    rules: Rules
    design: Design
    matcher: TextMatcher
    judge: Judge | None = None
    split: Split = "all"
    self_check: bool = True
    resume: bool = False
    fresh: bool = False
    timeout: float | None = None
    remarks: tuple[str, ...] = ()
    inputs: Mapping[str, str] = field(default_factory=dict)

    @property
    def provenance(self) -> Provenance:
        """What the card of the run says."""
        return Provenance(
            "Memory benchmark",
            inputs=lambda: self.inputs,
            settings={
                "suite": self.suite.name,
                "split": self.split,
                "rules": self.rules.to_dict(),
                "systems": {
                    name: canonical_json(getattr(system, "facts", {})) for name, system in self.systems.items()
                },
                "judge": None if self.judge is None else self.judge.key,
                "match": self.matcher.judge_name,
                "background": sorted(self.design.background),
                **self.design.to_dict(),
                **({} if self.timeout is None else {"timeout": self.timeout}),
            },
            seed=self.design.test.seed,
        )

    def close(self) -> None:
        """Close the files of the judge that matches rewritten texts."""
        self.matcher.close()


@with_options
def run_memory(
    scenarios: Annotated[
        object,
        Option(
            "Scenario files (YAML), LoCoMo or LongMemEval files, or bundled suites: smoke (default), main.",
            "SCENARIOS...",
            flag="",
            type=list[str],
        ),
    ] = "smoke",
    memory: object = None,
    *,
    systems: Annotated[
        Mapping[str, object] | None,
        Option(
            "A memory system: a pipeline such as 'hybrid(bm25, dense(minilm)) | floor(0.3) | top(5)', a YAML file of "
            "one, module:object, or a URL. Repeatable: systems are compared.",
            "[NAME=]SPEC",
            flag="--memory",
            type=list[str],
            parse=open_memories,
        ),
    ] = None,
    split: Annotated[
        str | None, Option("Scenarios to run: development (default where there is a hold-out), holdout or all.", "NAME")
    ] = None,
    k: HowMany = None,
    criteria: Criteria = None,
    judge: Annotated[
        object,
        Option(
            "Have this judge grade what was returned, instead of the scenarios' labels (llm:MODEL, ...).",
            "SPEC",
            type=str,
        ),
    ] = None,
    match: Annotated[
        object, Option("Judge that matches rewritten memories to the stored ones.", "SPEC", type=str)
    ] = None,
    metrics: Annotated[
        str | Iterable[str] | None,
        Option("Measures in the tables; the first is tested between systems (default: passed).", "LIST", type=str),
    ] = None,
    baseline: Baseline = None,
    pairs: Pairs = None,
    primary: Primary = None,
    margin: Margin = None,
    test: Test = "auto",
    by: By = None,
    self_check: Annotated[
        bool,
        Option(
            "Also run trivial systems, to see whether the scenarios tell systems apart.",
            flag="--self-check/--no-self-check",
        ),
    ] = True,
    timeout: Timeout = None,
    resume: bool = False,
    fresh: Fresh = False,
    seed: Seed = 0,
    fail_if: FailIf = (),
    claimed: OutputFolder | None = None,
    on_progress: OnProgress = ignore,
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
    metrics: measures of the tables; systems are tested on the first, by default on whether a query passed.
    baseline, pairs, primary, margin, test, seed: how systems are compared, as in `goldproof.evaluate`.
    by: a field of the queries (kind, domain, scenario, split), "FILE#COLUMN" or {query: group}.
    self_check: whether trivial systems are run through the same scenarios.
    timeout: seconds that a memory or retriever of yours, or a service, may take for one call.
    resume: keep finished scenarios on disk until `result.forget()`, and go on from those of an interrupted run; for
      systems that a text names, since two objects of one class cannot be told apart. fresh: begin without them.
    fail_if: gates, such as "recall < 0.9" or the name of a trigger; a misspelt one is refused before anything is asked.
    claimed: the folder that the result will be saved to; refused now where it holds something else.
    on_progress: called with the queries asked of each system, and with what the judge has graded.
    """
    chosen = _choose_suite(scenarios, split=split)
    remarks = chosen.remarks
    if memory is None and systems is None:
        memory, fallback = default_memory()
        remarks = (*remarks, *fallback)
    opened = _open_systems(memory, systems, timeout=timeout)
    design = choose_design(
        tuple(opened),
        metrics=metrics,
        baseline=baseline,
        pairs=pairs,
        primary=primary,
        margin=margin,
        test=test,
        seed=seed,
    )
    with MemoryPlan(
        suite=chosen.suite,
        systems=opened,
        rules=choose_rules(criteria, k=k),
        design=design,
        matcher=TextMatcher(match),
        judge=None if judge is None else open_grader(judge),
        split=chosen.split,
        self_check=self_check,
        resume=resume,
        fresh=fresh,
        timeout=timeout,
        remarks=remarks,
        inputs=plan_inputs(chosen.suite, criteria),
    ) as plan:
        plan.matcher.check()
        choose_breakdown(by, fields=dict.fromkeys(QUERY_FIELDS, dict))  # a misspelt field is refused before the run
        check_gates(fail_if, design, rules=plan.rules, runs=tuple(opened))
        if claimed is not None:
            claimed.check(plan.provenance.card(gate_texts(fail_if)))
        result = run_plan(plan, on_progress=on_progress)
        return result.broken_down(choose_breakdown(by, fields=result.query_fields)).gated(fail_if)


def check_gates(fail_if: str | Sequence[str], design: Design, *, rules: Rules, runs: tuple[str, ...]) -> None:
    """Refuse a gate that cannot be read, or that nothing could trip, before anything is asked."""
    read_gates(fail_if, design, metrics=METRICS, runs=runs, aliases=METRIC_ALIASES, triggers=trigger_names(rules))


class _ChosenSuite(NamedTuple):
    """The scenarios to run, their split, and remarks on what was left out or opened."""

    suite: Suite
    split: Split
    remarks: tuple[str, ...] = ()


def _choose_suite(scenarios: object, *, split: str | None) -> _ChosenSuite:
    """Open the scenarios and take one split; None takes development where some are held out, else all."""
    chosen = next((name for name in SPLITS if name == (split or "development")), None)
    if chosen is None:
        raise UnknownNameError("split", str(split), SPLITS)
    suite = open_scenarios(scenarios)
    held = len(_holdout_of(suite).scenarios)
    if split is None and not held:
        return _ChosenSuite(suite, "all")
    if chosen == "development" and held == len(suite.scenarios):
        raise InputError(
            f"{suite.name}: every scenario is held out; say so with --split holdout, which is written down."
        )
    kept = split_suite(suite, chosen)
    if not kept.scenarios:
        raise InputError(f"{suite.name}: no scenario is in the split {chosen!r}; name another with --split.")
    if split is None:
        remark = f"{held} hold-out scenarios were left out; run them with --split holdout, or all."
        return _ChosenSuite(kept, chosen, (remark,))
    remark = "The hold-out was opened: what is chosen after this is no longer tested by it."
    return _ChosenSuite(kept, chosen, (remark,) if _holdout_of(kept).scenarios else ())


def open_scenarios(scenarios: object) -> Suite:
    """Return a suite as it is; open a file, a bundled suite, or a list of them."""
    if isinstance(scenarios, Suite):
        return scenarios
    specs = [scenarios] if isinstance(scenarios, str | Path) else scenarios
    if isinstance(specs, list | tuple) and specs and all(isinstance(spec, str | Path) for spec in specs):
        return open_suites(specs)
    raise InputError(
        f"scenarios: found {type(scenarios).__name__}; expected a file, a bundled suite (smoke, main), or several."
    )


def _holdout_of(suite: Suite) -> Suite:
    return replace(suite, scenarios=tuple(scenario for scenario in suite.scenarios if scenario.split == "holdout"))


class DefaultMemory(NamedTuple):
    """The memory of a run that names none, and a remark where it is the fallback."""

    spec: str
    remarks: tuple[str, ...] = ()


def default_memory() -> DefaultMemory:
    """Return dense where it is installed, else bm25 with a remark."""
    return (
        DefaultMemory(DEFAULT_MEMORY) if minilm.is_installed() else DefaultMemory(FALLBACK_MEMORY, (_FALLBACK_REMARK,))
    )


def _open_systems(
    memory: object, systems: Mapping[str, object] | None, *, timeout: float | None
) -> dict[str, MemorySystem]:
    """Open one memory, named by its title, or several by their names."""
    if isinstance(memory, Mapping):
        systems = memory
    if systems is None:
        system = open_memory(memory, timeout=timeout)
        return {str(getattr(system, "title", type(system).__name__)): system}
    if not systems:
        raise InputError("systems: expected {name: memory}, at least one.")
    return {str(name): open_memory(spec, timeout=timeout) for name, spec in systems.items()}


def choose_rules(criteria: object, *, k: object) -> Rules:
    """Return the rules of a criteria file, or the bundled ones; k, where given, replaces theirs."""
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


def choose_design(
    runs: tuple[str, ...],
    *,
    metrics: str | Iterable[str] | None = None,
    baseline: str | None = None,
    pairs: str | None = None,
    primary: str | None = None,
    margin: float | None = None,
    test: str = "auto",
    seed: object = 0,
) -> Design:
    """Return how systems are compared: on the primary measure, by default the first; others are described."""
    if isinstance(seed, bool) or not isinstance(seed, int) or seed < 0:
        raise InputError(f"seed {seed!r} is not a whole number of 0 or more.")
    named = metrics.split(",") if isinstance(metrics, str) else metrics
    shown = SHOWN if named is None else tuple(_metric_name(name) for name in named if name.strip())
    first = next(iter(shown), None) if primary is None else primary if primary == ALL_METRICS else _metric_name(primary)
    return Design(
        choose_pairs(runs, baseline=baseline, pairs=pairs),
        primary=first,
        margin=margin,
        test=Procedure.named(test, seed=seed),
        background=frozenset(METRICS).difference((*shown, first)),
    )


def _metric_name(name: str) -> str:
    """Return the measure that a name or an alias stands for."""
    metric = ALIASES.get(name.strip().casefold(), name.strip())
    metric = "passed" if metric == "pass_rate" else metric
    if metric not in METRICS:
        raise UnknownNameError("measure", name, METRICS)
    return metric


def plan_inputs(suite: Suite, criteria: object) -> dict[str, str]:
    """Return the sha256 of the scenario files and of a criteria file, for the card.

    Scenarios that came as objects have one of their content.
    """
    if suite.inputs:
        inputs = {f"scenarios {name}": sha for name, sha in suite.inputs.items()}
    else:
        inputs = {"scenarios": content_key([repr(scenario) for scenario in suite.scenarios])}
    if isinstance(criteria, str | PathLike):
        inputs[f"criteria {Path(criteria).name}"] = sha256_file(Path(criteria))
    return inputs


def run_plan(plan: MemoryPlan, *, on_progress: OnProgress = ignore) -> MemoryResult:
    """Run every system of a plan through its scenarios, score the queries, and try trivial systems beside them."""
    provenance = plan.provenance  # what systems say of themselves before they are asked
    _record_holdout(plan)
    runs = [_run_system(plan, name, on_progress=under(name, on_progress)) for name in plan.systems]
    self_check = check_suite(plan.suite, rules=plan.rules, rows=runs[0].rows) if plan.self_check else SelfCheck()
    study = Study(
        panel_of({run.name: run.rows for run in runs}), design=plan.design, unit="query", known=facts_of_measures()
    )
    return MemoryResult(
        study,
        runs=runs,
        rules=plan.rules,
        check=self_check,
        provenance=provenance,
        remarks=[*plan.suite.remarks, *plan.remarks, *run_remarks(runs, plan.matcher), *self_check.remarks()],
    )


def _record_holdout(plan: MemoryPlan) -> None:
    """Write into the ledger that a hold-out is looked at; tuning says how often it was."""
    holdout = _holdout_of(plan.suite)
    if holdout.scenarios:
        record_opening(holdout, opened_at=datetime.now(UTC).isoformat(timespec="seconds"), by="goldproof memory run")


def _run_system(plan: MemoryPlan, name: str, *, on_progress: OnProgress) -> SystemRun:
    """Ask one system every query and score what it returned; with `resume`, finished scenarios are kept."""
    system = plan.systems[name]
    kept = keep_scenarios(name, system, k=plan.rules.k, fresh=plan.fresh) if plan.resume else None
    try:
        rows = run_suite(plan.suite, system, k=plan.rules.k, kept=kept, on_progress=on_progress)
    finally:
        if kept is not None:
            kept.close()
        if isinstance(system, Memory):
            system.pipeline.close()
    scored = score_rows(rows, plan.rules, matcher=plan.matcher, judge=plan.judge, on_progress=on_progress)
    return SystemRun(name, system, scored, kept)


def run_remarks(runs: Sequence[SystemRun], matcher: TextMatcher) -> list[str]:
    """Return remarks on how systems answered and on rulings that cannot be used."""
    remarks = []
    for run in runs:
        remarks += _failure_remarks(run.name, run.rows)
        remarks += list(getattr(run.system, "remarks", ()))
        remarks += _matching_remarks(run.name, run.rows)
        remarks += _grading_remarks(run.name, run.rows)
    remarks += [f"matching: {n} rulings cannot be used: {reason}" for reason, n in matcher.failures.items()]
    return remarks


def _failure_remarks(name: str, rows: tuple[ScoredQuery, ...]) -> list[str]:
    """Say how many queries failed, and why the first did."""
    failed = [row for row in rows if row.failed]
    if not failed:
        return []
    first = f"the first, {failed[0].key!r}: {failed[0].answered.error}"
    return [f"{name}: {len(failed):,} of {len(rows):,} queries failed; {first}"]


def _matching_remarks(name: str, rows: tuple[ScoredQuery, ...]) -> list[str]:
    """Say how rewritten items were matched, and for how many queries more than k came."""
    items = [match for row in rows for match in row.matches]
    hows = {how: sum(match.how == how for match in items) for how in ("text", "judge", "none")}
    more = sum(len(row.matches) > row.answered.k for row in rows)
    remarks = []
    if hows["judge"] or hows["none"]:
        remarks.append(
            f"{name}: of {len(items)} returned items {hows['text']} were matched by their text and {hows['judge']} by "
            f"the judge, since the system rewrote them; {hows['none']} stand for no memory that was stored."
        )
    if more:
        remarks.append(f"{name}: more than k memories came for {more} queries; all of them count.")
    return remarks


def _grading_remarks(name: str, rows: tuple[ScoredQuery, ...]) -> list[str]:
    """Say how many of a judge's grades cannot be used, and what has no value because of it."""
    items = [match for row in rows if row.answered.query.expected for match in row.matches]
    unusable = [match.ungraded for match in items if match.ungraded is not None]
    if not unusable:
        return []
    scores = [row.values["relevance_score"] for row in rows if any(match.ungraded for match in row.matches)]
    missing = [score for score in scores if score.value is None]
    failed = sum(score.failed for score in missing)
    counts = f"undefined for {len(missing) - failed} queries and failed for {failed}"
    share = f"the judge gave no usable grade for {len(unusable)} of {len(items)} returned items"
    return [f"{name}: {share}, so relevance_score is {counts}. The first reason: {unusable[0].reason}"]
