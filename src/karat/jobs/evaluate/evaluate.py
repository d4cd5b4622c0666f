"""`karat.evaluate`: judgments and runs in, a result that prints as its table out."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from karat.core.errors import InputError
from karat.jobs.evaluate.inputs import Judgments, as_judgments, as_run, content_of
from karat.jobs.evaluate.scoring import Scoring, match_run
from karat.metrics import parse_metrics
from karat.report.numbers import share
from karat.study import Design, Panel, Procedure, Provenance, Result, Study, choose_pairs, encode_clusters

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from karat.jobs.evaluate.inputs import Kernels, Run
    from karat.jobs.evaluate.scoring import ScoredRun
    from karat.metrics import Metric

DEFAULT_METRICS = ("nDCG@10", "RR@10", "Hit@5", "P@5", "R@100")
KERNEL_METRICS = ("SetRecall@10", "SetSuccess@10")
UNANSWERABLE_METRICS = ("FalseSurface@5",)
ONLY_RUN = "run"


def evaluate(
    judgments: object,
    rankings: object = None,
    *,
    metrics: str | Iterable[str] | None = None,
    runs: Mapping[str, object] | None = None,
    baseline: str | None = None,
    pairs: str | None = None,
    primary: str | None = None,
    margin: float | None = None,
    test: str = "auto",
    clusters: Mapping[str, str] | str | None = None,
    kernels: Kernels | None = None,
    unanswerable: Iterable[str] = (),
    exclude: Iterable[str] = (),
    queries: str = "judged",
    no_relevant: str = "undefined",
    depth: int | None = None,
    seed: int = 0,
) -> Result:
    """Score one run (`rankings`) or several (`runs={name: run}`) against judgments.

    judgments: {question: {document: grade}}, a polars or pandas frame, `Judgment` records, a `Dataset`, or a path.
    rankings, runs: {question: {document: score}}, {question: [documents in order]}, a frame, `Ranking` records, a path.
    metrics: names such as "nDCG@10, R@100"; by default a set that fits the judgments.
    baseline, pairs: which runs are compared (by default each with the first); primary, margin, test: how.
    clusters: {question: cluster}, or the name of a metadata field of the dataset's questions.
    kernels: {question: [[documents that suffice together], ...]}; unanswerable: questions that nothing answers.
    exclude: questions to leave out. queries, no_relevant, depth: see `Scoring`.
    """
    known = as_judgments(judgments, kernels=kernels, unanswerable=unanswerable)
    given = _named_runs(rankings, runs)
    return evaluate_runs(
        known,
        given,
        metrics=metrics,
        scoring=Scoring.named(queries, no_relevant, depth),
        clusters=_clusters(clusters, known),
        exclude=frozenset(exclude),
        design=make_design(
            tuple(given), baseline=baseline, pairs=pairs, primary=primary, margin=margin, test=test, seed=seed
        ),
        inputs=lambda: {
            "judgments": content_of(known),
            **{f"run {name}": content_of(run) for name, run in given.items()},
        },
    )


def evaluate_runs(
    judgments: Judgments,
    runs: Mapping[str, Run],
    *,
    metrics: str | Iterable[str] | None,
    scoring: Scoring,
    clusters: Mapping[str, str] | None,
    exclude: frozenset[str],
    design: Design,
    inputs: Callable[[], Mapping[str, str]],
    remarks: Sequence[str] = (),
) -> Result:
    """Score runs that are already in matching form."""
    chosen = parse_metrics(default_metrics(judgments) if metrics is None else metrics)
    if not chosen:
        raise InputError("no metric is asked for; name some, such as nDCG@10 (see 'karat metrics').")
    by_name = {str(metric): metric for metric in chosen}
    scored = {name: match_run(judgments, run, scoring, exclude=exclude) for name, run in runs.items()}
    panel = _panel(scored, by_name, clusters=clusters)
    study = Study(panel, design=design, extras=cache(lambda run, metric: scored[run].extras(by_name[metric])))
    settings = {
        "metrics": list(by_name),
        "queries": scoring.queries,
        "no_relevant": scoring.no_relevant,
        "depth": scoring.depth,
        "clustered": clusters is not None,
        "excluded": sorted(exclude),
        **design.to_dict(),
    }
    provenance = Provenance(
        "Evaluation", inputs=inputs, settings=settings, seed=design.test.seed, facts={"runs": _run_facts(scored)}
    )
    return Result(study, provenance=provenance, remarks=(*remarks, *_remarks(scored)), texts=judgments.texts)


def default_metrics(judgments: Judgments) -> tuple[str, ...]:
    """Return the metrics that suit what is judged."""
    return (
        *DEFAULT_METRICS,
        *(KERNEL_METRICS if judgments.has_kernels else ()),
        *(UNANSWERABLE_METRICS if judgments.has_unanswerable else ()),
    )


def _named_runs(rankings: object, runs: Mapping[str, object] | None) -> dict[str, Run]:
    if (rankings is None) == (runs is None):
        raise InputError("give one run as the second argument, or several as runs={name: run}.")
    if runs is None:
        return {ONLY_RUN: as_run(rankings, name=ONLY_RUN)}
    if not runs:
        raise InputError("runs is empty; expected {name: run}.")
    return {name: as_run(run, name=name) for name, run in runs.items()}


def make_design(
    runs: tuple[str, ...],
    *,
    baseline: str | None,
    pairs: str | None,
    primary: str | None,
    margin: float | None,
    test: str,
    seed: int,
) -> Design:
    """Fix what is compared and how; every name is checked before any work is done."""
    chosen = choose_pairs(runs, baseline=baseline, pairs=pairs)
    canonical = None if primary is None else str(parse_metrics(primary)[0])
    return Design(chosen, primary=canonical, margin=margin, test=Procedure.named(test, seed=seed))


def _clusters(given: Mapping[str, str] | str | None, judgments: Judgments) -> Mapping[str, str] | None:
    if given is None or not isinstance(given, str):
        return given
    if judgments.dataset is None:
        raise InputError(
            f"clusters={given!r} names a metadata field, but there are no questions; give {{question: cluster}}."
        )
    return judgments.dataset.clusters(given)


def _panel(
    scored: Mapping[str, ScoredRun], metrics: Mapping[str, Metric], *, clusters: Mapping[str, str] | None
) -> Panel:
    ids = next(iter(scored.values())).questions
    columns = {(run, name): one.column(metric) for run, one in scored.items() for name, metric in metrics.items()}
    names = None if clusters is None else pl.Series("cluster", [clusters.get(i) for i in ids], dtype=pl.String)
    if names is not None and len(ids) and names.null_count() == len(ids):
        raise InputError("none of the judged questions has a cluster; are the ids the same?")
    return Panel(
        ids=pl.Series("id", ids, dtype=pl.String),
        runs=tuple(scored),
        metrics=tuple(metrics),
        columns=columns,
        clusters=None if names is None else encode_clusters(names),
        cluster_names=names,
    )


def _run_facts(scored: Mapping[str, ScoredRun]) -> dict[str, dict[str, object]]:
    return {
        run: {
            "questions_judged": len(one.questions),
            "questions_missing": int(np.count_nonzero(one.matched.missing)),
            "questions_failed": int(np.count_nonzero(one.matched.failed)),
            "questions_not_judged": one.not_judged,
            "tied_share": one.matched.tied_share,
        }
        for run, one in scored.items()
    }


def _remarks(scored: Mapping[str, ScoredRun]) -> list[str]:
    remarks = []
    for run, one in scored.items():
        missing, extra = int(np.count_nonzero(one.matched.missing)), one.not_judged
        if missing:
            rule = "left out (queries both)" if one.rules.queries == "both" else "counted 0"
            remarks.append(f"{run}: {missing} judged question{'s' * (missing != 1)} missing from the run, {rule}.")
        if extra:
            remarks.append(f"{run}: {extra} question{'s' * (extra != 1)} of the run not judged, ignored.")
        if one.matched.tied_share:
            remarks.append(
                f"{run}: {share(one.matched.tied_share)} of results share their score; ordered by document id."
            )
    return remarks
