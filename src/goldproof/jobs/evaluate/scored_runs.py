"""Runs in matching form against judgments: scored, laid out as a study, with remarks on all that was passed over."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import polars as pl

from goldproof.errors import IdMismatchError, InputError
from goldproof.jobs.evaluate.id_check import check_ids, holds_judged
from goldproof.jobs.evaluate.identical_ids import decide
from goldproof.jobs.evaluate.remarks import (
    cluster_remarks,
    completeness_remarks,
    exclusion_remarks,
    left_out_remarks,
    run_remarks,
)
from goldproof.jobs.evaluate.result import EvaluationResult
from goldproof.jobs.evaluate.scoring import match_run
from goldproof.metrics import parse_metrics
from goldproof.metrics.scoring import require_subject
from goldproof.records.keys import content_key
from goldproof.study import Panel, Provenance, Study, encode_clusters

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from goldproof.jobs.evaluate.id_check import CorpusIds
    from goldproof.jobs.evaluate.judgments import Judgments
    from goldproof.jobs.evaluate.retrieving import RetrievedRuns
    from goldproof.jobs.evaluate.runs import Run
    from goldproof.jobs.evaluate.scoring import ScoredRun, Scoring
    from goldproof.metrics import Metric
    from goldproof.study import Design

DEFAULT_METRICS = ("nDCG@10", "RR@10", "Hit@5", "P@5", "R@100")
KERNEL_METRICS = ("SetRecall@10", "SetSuccess@10")
UNANSWERABLE_METRICS = ("FalseSurface@5",)


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
    reading: Mapping[str, object] | None = None,
    remarks: Sequence[str] = (),
    retrieved: RetrievedRuns | None = None,
) -> EvaluationResult:
    """Score runs that are already in matching form.

    inputs: gives the sha256 of each input, when asked. reading: how they were read, for the card. retrieved: the runs
    among them that were made for this.
    """
    by_name = {str(metric): metric for metric in chosen_metrics(judgments, metrics)}
    decision = decide(scoring.ignore_identical_ids, judgments, runs)
    scoring = replace(scoring, ignore_identical_ids=decision.ignore)
    matched = _match_runs(judgments, runs, scoring, exclude=exclude, corpus=_known_corpus(judgments, retrieved))
    scored = matched.scored
    panel = _panel(scored, by_name, clusters=clusters)
    study = Study(
        panel,
        design=design.without_runs(matched.left_out),
        extras=cache(lambda run, metric: scored[run].extras(by_name[metric])),
        judged_only=lambda run, metric: (
            None if scoring.unjudged == "ignore" else scored[run].judged_only_column(by_name[metric])
        ),
        foreign=lambda run, _metric: run in matched.notes,
    )
    settings = {
        "metrics": list(by_name),
        "queries": scoring.queries,
        "no_relevant": scoring.no_relevant,
        "depth": scoring.depth,
        "unjudged": scoring.unjudged,
        "ignore_identical_ids": scoring.ignore_identical_ids,
        "clusters": None if clusters is None else content_key({str(q): str(c) for q, c in clusters.items()}),
        "excluded": sorted(exclude),
        **(reading or {}),
        **({} if retrieved is None else retrieved.settings()),
        **design.to_dict(),
    }
    provenance = Provenance(
        "Evaluation",
        inputs=inputs,
        settings=settings,
        seed=design.test.seed,
        facts={"runs": _run_facts(scored), "left_out": dict(matched.left_out)},
    )
    made = () if retrieved is None else retrieved.remarks
    read = () if judgments.dataset is None else judgments.dataset.remarks
    return EvaluationResult(
        study,
        provenance=provenance,
        retrieved=retrieved,
        left_out=matched.left_out,
        remarks=(
            *matched.notes.values(),
            *left_out_remarks(matched.left_out, design, compared=study.design),
            *read,
            *remarks,
            *made,
            *exclusion_remarks(judgments, exclude),
            *cluster_remarks(panel),
            *decision.remarks,
            *run_remarks(scored, foreign=matched.notes.keys()),
            *completeness_remarks(scored, by_name.values()),
        ),
        texts=judgments.texts,
    )


class _MatchedRuns(NamedTuple):
    """Runs ready to be scored; notes: on runs that get no verdict; left_out: why the others are not scored."""

    scored: dict[str, ScoredRun]
    notes: dict[str, str]
    left_out: dict[str, str]


def _match_runs(
    judgments: Judgments, runs: Mapping[str, Run], rules: Scoring, *, exclude: frozenset[str], corpus: CorpusIds | None
) -> _MatchedRuns:
    """Match every run with the judgments; of several, leave out those that name other questions or documents."""
    found = _MatchedRuns({}, {}, {})
    for name, run in runs.items():
        try:
            one = match_run(judgments, run, rules, name=name, exclude=exclude)
            note = check_ids(run, judgments, name=name, judged_hit=one.has_judged_hit, corpus=corpus)
        except IdMismatchError as error:
            found.left_out[name] = str(error)
            continue
        found.scored[name] = one
        if note is not None:
            found.notes[name] = note
    if not found.scored and found.left_out:
        raise IdMismatchError("\n".join(found.left_out.values()))
    return found


def _known_corpus(judgments: Judgments, retrieved: RetrievedRuns | None) -> CorpusIds | None:
    """Return what gives the ids of the judged corpus: the dataset's own, or what was searched if it was judged."""
    if judgments.corpus is not None or retrieved is None:
        return judgments.corpus
    searched = [document.id for document in retrieved.corpus.documents]
    return (lambda: searched) if holds_judged(searched, judgments) else None


def chosen_metrics(judgments: Judgments, metrics: str | Iterable[str] | None) -> Sequence[Metric]:
    """Return the metrics that were asked for, or those that suit what is judged."""
    chosen = parse_metrics(default_metrics(judgments) if metrics is None else metrics)
    require_subject(chosen, "ranking")
    return chosen


def default_metrics(judgments: Judgments) -> tuple[str, ...]:
    """Return the metrics that suit what is judged."""
    return (
        *DEFAULT_METRICS,
        *(KERNEL_METRICS if judgments.kernels else ()),
        *(UNANSWERABLE_METRICS if judgments.unanswerable else ()),
    )


def _panel(
    scored: Mapping[str, ScoredRun], metrics: Mapping[str, Metric], *, clusters: Mapping[str, str] | None
) -> Panel:
    ids = next(iter(scored.values())).questions
    columns = {(run, name): one.column(metric) for run, one in scored.items() for name, metric in metrics.items()}
    names = None if clusters is None else _cluster_names(ids, clusters)
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


def _cluster_names(ids: list[str], clusters: Mapping[str, str]) -> pl.Series:
    return pl.Series("cluster", [str(clusters[i]) if i in clusters else None for i in ids], dtype=pl.String)


def _run_facts(scored: Mapping[str, ScoredRun]) -> dict[str, dict[str, object]]:
    return {
        run: {
            "questions_judged": len(one.questions),
            "questions_missing": int(np.count_nonzero(one.matched.missing)),
            "questions_failed": int(np.count_nonzero(one.matched.failed)),
            "questions_not_judged": one.not_judged,
            "tied_share": one.matched.tied_share,
            "identical_ids_dropped": one.identical,
        }
        for run, one in scored.items()
    }
