"""`score_traces()`: search traces of agents in, gains per iteration and comparisons out."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from goldproof.errors import InputError
from goldproof.io import dataset_files, labels_from_object, read_clusters, sha256_file
from goldproof.jobs.trace.inputs import GOOD_GAIN, SHOWN_ITERATIONS, GivenRules, Scoring, as_sources
from goldproof.jobs.trace.notes import (
    cluster_remarks,
    judge_facts,
    judge_remarks,
    label_remarks,
    pool_remarks,
    system_facts,
    trace_remarks,
)
from goldproof.jobs.trace.pool import Pooling, pool_completions
from goldproof.jobs.trace.result import NO_PLOT, JudgedRun, TraceResult, gate_metrics
from goldproof.jobs.trace.scores import score_systems
from goldproof.jobs.trace.system_counts import count_system
from goldproof.jobs.trace.unlabelled import find_unlabelled
from goldproof.metrics import parse_metrics
from goldproof.metrics.gain.iterations import COMPLETION, FAMILIES
from goldproof.metrics.names import LARGEST
from goldproof.metrics.scoring import require_subject
from goldproof.options import Option, with_options
from goldproof.progress import OnProgress, ignore
from goldproof.records.keys import content_key
from goldproof.report import charts_available
from goldproof.study import Design, Provenance, gate_texts, read_gates
from goldproof.study.breakdown import choose_breakdown, cluster_field
from goldproof.study.options import Baseline, By, FailIf, Margin, Pairs, Primary, Seed, Test
from goldproof.study.study import ALL_METRICS

if TYPE_CHECKING:
    from goldproof.io import Labels
    from goldproof.jobs.trace.inputs import TraceSource
    from goldproof.jobs.trace.system_counts import System
    from goldproof.metrics import Metric

DEFAULT_METRICS = (*FAMILIES, COMPLETION)
PRIMARY = "CG"


@with_options
def score_traces(
    traces: Annotated[
        object, Option("Traces: JSON lines, Parquet, CSV or a span export.", "[NAME=]FILE", flag="", type=str)
    ] = None,
    *,
    systems: Annotated[
        Mapping[str, object] | None,
        Option("Another system's traces. Repeatable.", "NAME=FILE", flag="--system", type=list[str]),
    ] = None,
    labels: Annotated[
        object, Option("Labels by document, or by question and document.", "FILE", flag="--qrels", type=Path)
    ] = None,
    judge: Annotated[
        object, Option("Grade results without a label, from 0 to 4: llm:MODEL or module:object.", "SPEC", type=str)
    ] = None,
    metrics: Annotated[
        str | Iterable[str] | None,
        Option("Metrics to score (default: all ten, of which the screen shows three; --wide).", "LIST", type=str),
    ] = None,
    threshold: Annotated[int, Option("Lowest gain that counts as a good result.", "GAIN")] = GOOD_GAIN,
    dedup: Annotated[
        str, Option("Find repeated results by comparing them in full, or by id alone.", "full|id")
    ] = "full",
    rules: Annotated[GivenRules, Option("Your own deduplication rules (YAML).", "FILE", type=Path)] = None,
    near_duplicates: Annotated[
        float | None, Option("Treat snippets at least this similar (0 to 1) as the same.", "X")
    ] = None,
    carry: Annotated[bool, Option("Carry a conversation's last value on to later iterations.")] = False,
    pool: Annotated[
        object, Option("Good results that IterationsForAllGoodResults waits for.", "own|systems|FILE", type=str)
    ] = "auto",
    up_to: Annotated[int, Option("Iterations to summarise one by one.", "N")] = SHOWN_ITERATIONS,
    clusters: Annotated[
        Mapping[str, str] | str | PathLike[str] | None,
        Option("Clusters of conversations: CSV with columns id, cluster.", "FILE", type=Path),
    ] = None,
    baseline: Baseline = None,
    pairs: Pairs = None,
    primary: Primary = None,
    margin: Margin = None,
    test: Test = "auto",
    by: By = None,
    skip_bad: Annotated[bool, Option("Skip and count malformed lines of traces.")] = False,
    seed: Seed = 0,
    fail_if: FailIf = (),
    on_progress: OnProgress = ignore,
) -> TraceResult:
    """Score one system's search traces, or several (`systems={name: traces}`).

    traces: a path (JSON lines, Parquet, CSV, span export), conversations as dicts, or a frame with a row per result.
    labels: beside the trace: a path, {document: gain} or {question: {document: gain}}; they win over labels inside.
    judge: a spec or a judge that grades from 0 to 4, such as "llm:openai:gpt-5": labels results that have no label.
    metrics: names such as "CG, SRR@3"; by default all ten at the last iteration. Systems are tested on CG, or on the
      first named; the others, and all of them at every iteration, are described with intervals.
    threshold: the lowest gain that is good. dedup: "full" or "id". rules: a file or `Rules` for the full
      deduplication; near_duplicates: the similarity from which snippets count as equal.
    carry: keep the last value beyond a conversation's last iteration.
    pool: the good results that IterationsForAllGoodResults waits for: "own", "systems" (all that any compared system
      found), or labels in any of their forms; "auto" is "own" for one system and "systems" for several.
    up_to: how many iterations are summarised one by one. clusters: {conversation: cluster}, or a file.
    baseline, pairs, primary, margin, test, seed: how systems are compared, as in `goldproof.evaluate`.
    by: "cluster", "FILE#COLUMN" of a table with the conversations' ids, or {conversation: group}.
    fail_if: gates, as there.
    on_progress: called with the results that the judge has graded, and with the conversations read of each system.
    """
    chosen = trace_metrics(metrics, primary=primary)
    scoring = Scoring.named(threshold=threshold, dedup=dedup, rules=rules, near_duplicates=near_duplicates, carry=carry)
    _check_up_to(up_to)
    _check_flags(skip_bad=skip_bad)
    sources = as_sources(traces, systems, skip_bad=skip_bad)
    design = Design.named(
        tuple(sources), baseline=baseline, pairs=pairs, primary=primary, margin=margin, test=test, seed=seed
    )
    names = [str(metric) for metric in chosen]
    if design.primary is None and PRIMARY in names:
        design = replace(design, primary=PRIMARY)
    gated = [str(metric) for metric in gate_metrics(gate_texts(fail_if))]
    read_gates(fail_if, design, metrics=[*names, *gated], runs=tuple(sources))
    choose_breakdown(by, fields={"cluster": dict})  # a misspelt field is refused before traces are read
    beside = None if labels is None else labels_from_object(labels)
    pooling = Pooling.named(pool, systems=len(sources))
    named_clusters = _clusters(clusters)
    judging = None
    if judge is not None:
        sources = {name: source.for_reading_twice() for name, source in sources.items()}
        judging = _label_by_judge(judge, sources, labels=beside, scoring=scoring, on_progress=on_progress)
    judged = None if judging is None else judging.labels
    counted = {
        name: count_system(
            source.tables(),
            name=name,
            scoring=scoring,
            labels=beside,
            pooling=pooling,
            judged=judged,
            on_progress=on_progress,
        )
        for name, source in sources.items()
    }
    scored = score_systems(
        {name: counts.system for name, counts in counted.items()},
        completions=pool_completions(counted, pooling=pooling, scoring=scoring),
        scoring=scoring,
        pooling=pooling,
        shown=up_to,
        clusters=named_clusters,
    )
    provenance = Provenance(
        "Search traces",
        inputs=lambda: {
            **{f"system {name}": _content(source, counted[name].system) for name, source in sources.items()},
            **_beside("labels", labels, beside),
            **_beside("pool", pool, pooling.given),
        },
        settings={
            "metrics": names,
            "threshold": threshold,
            "dedup": dedup,
            "rules": content_key(repr(scoring.rules)),
            "carry": carry,
            "pool": pooling.name,
            "up_to": up_to,
            "clusters": None if named_clusters is None else content_key(dict(named_clusters)),
            "skip_bad": skip_bad,
            **({} if judged is None else {"judge": judged.judge}),
            **design.to_dict(),
        },
        seed=design.test.seed,
        facts={"runs": system_facts(scored), **({} if judged is None else {"judge": judge_facts(judged)})},
    )
    remarks = (
        *(remark for name, source in sources.items() for remark in source.remarks(name)),
        *([] if beside is None else label_remarks(scored, beside)),
        *([] if judged is None else judge_remarks(scored, judged)),
        *([] if pooling.given is None else pool_remarks(scored)),
        *([] if named_clusters is None else cluster_remarks(scored, named_clusters)),
        *trace_remarks(scored, labels=beside, pooled=COMPLETION in names),
        *([] if charts_available() else [NO_PLOT]),
    )
    result = TraceResult(
        scored,
        metrics=chosen,
        design=design,
        provenance=provenance,
        named=metrics is not None,
        judging=judging,
        remarks=remarks,
    )
    return result.broken_down(choose_breakdown(by, fields=cluster_field(result.study.panel))).gated(fail_if)


def _label_by_judge(
    spec: object,
    sources: Mapping[str, "TraceSource"],
    *,
    labels: "Labels | None",
    scoring: Scoring,
    on_progress: OnProgress,
) -> JudgedRun:
    """Read all traces for results without a label, and have the judge label them."""
    # Judges are loaded only where one is asked.
    from goldproof.jobs.trace.judge_labels import label_results, open_grading_judge  # noqa: PLC0415
    from goldproof.llm import current_access  # noqa: PLC0415

    access = current_access()
    judge = open_grading_judge(spec, access=access)
    unlabelled = find_unlabelled(sources.values(), labels=labels, scoring=scoring)
    return JudgedRun(label_results(judge, unlabelled, on_progress=on_progress), access)


def trace_metrics(metrics: str | Iterable[str] | None, *, primary: str | None) -> "tuple[Metric, ...]":
    """Return the metrics by their names, the primary one among them; refuse those of rankings."""
    named = parse_metrics(DEFAULT_METRICS if metrics is None else metrics)
    chosen = tuple(dict.fromkeys([*named, *(() if primary in (None, ALL_METRICS) else parse_metrics(primary))]))
    require_subject(chosen, "trace")
    return chosen


def _check_up_to(up_to: object) -> None:
    if not isinstance(up_to, int) or isinstance(up_to, bool) or not 1 <= up_to <= LARGEST:
        raise InputError(f"up_to {up_to!r} is not a whole number from 1 to {LARGEST:,}.")


def _check_flags(**flags: object) -> None:
    for name, value in flags.items():
        if not isinstance(value, bool):
            raise InputError(f"{name} is {value!r}; expected True or False.")


def _clusters(clusters: object) -> Mapping[str, str] | None:
    if clusters is None:
        return None
    if isinstance(clusters, str | PathLike):
        return read_clusters(Path(clusters))
    if not isinstance(clusters, Mapping):
        raise InputError(f"clusters: found {type(clusters).__name__}; expected {{conversation: cluster}} or a file.")
    return {str(conversation): str(cluster) for conversation, cluster in clusters.items()}


def _content(source: "TraceSource", system: "System") -> str:
    """Return the sha256 of a file, or of what is kept of traces that were given as objects."""
    return system.content_key() if source.path is None else sha256_file(source.path)


def _beside(role: str, source: object, labels: "Labels | None") -> dict[str, str]:
    """Return the sha256 of labels: of their files, or of their content."""
    if labels is None:
        return {}
    if isinstance(source, str | PathLike):
        return {f"{role} {path.name}": sha256_file(path) for path in dataset_files(Path(source))}
    return {role: content_key(labels.frame.rows())}
