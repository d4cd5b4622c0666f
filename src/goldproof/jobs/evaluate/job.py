"""`evaluate()`, `evaluate_files()`: judgments and runs in, scores, comparisons and verdicts out."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cache, partial
from itertools import count
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import polars as pl

from goldproof.errors import IdMismatchError, InputError
from goldproof.io import write_jsonl_ranking
from goldproof.jobs.evaluate.id_checks import check_ids, decide, holds_judged
from goldproof.jobs.evaluate.inputs import GivenRuns, Judgments, as_ids, as_judgments, as_runs, run_content
from goldproof.jobs.evaluate.scoring import (
    Scoring,
    cluster_remarks,
    completeness_remarks,
    exclusion_remarks,
    left_out_remarks,
    match_run,
    run_remarks,
    success_remarks,
)
from goldproof.metrics import parse_metrics
from goldproof.metrics.scoring import require_subject
from goldproof.records.keys import content_key
from goldproof.study import Attachment, Design, Panel, Provenance, Result, Study, encode_clusters

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from goldproof.jobs.evaluate.id_checks import CorpusIds
    from goldproof.jobs.evaluate.inputs import GivenKernels, Run
    from goldproof.jobs.evaluate.retrieval import GivenCorpus, GivenQuestions, RetrievedRuns
    from goldproof.jobs.evaluate.scoring import ScoredRun
    from goldproof.metrics import Metric


class EvaluationResult(Result):
    """A result over runs.

    retrieved: the runs that were made for it, None where all were given. left_out: runs whose ids are not those that
    were judged, with the reason.
    """

    def __init__(
        self,
        study: Study,
        *,
        provenance: Provenance,
        remarks: Sequence[str] = (),
        texts: Mapping[str, str] | None = None,
        retrieved: RetrievedRuns | None = None,
        left_out: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(study, provenance=provenance, remarks=remarks, texts=texts, left_out=left_out)
        self.retrieved = retrieved

    @property
    def own_artefacts(self) -> Sequence[str]:
        """Return the names of run files."""
        return ("run.*.jsonl",)

    @property
    def attachments(self) -> Sequence[Attachment]:
        """Return every run that was made, to be scored again without being made again."""
        rankings = {} if self.retrieved is None else self.retrieved.rankings
        files = run_file_names(rankings)
        return [
            Attachment(files[name], partial(write_jsonl_ranking, ranking=ranking)) for name, ranking in rankings.items()
        ]

    @property
    def run_facts(self) -> Mapping[str, object]:
        """Return the latency of each retriever."""
        return {} if self.retrieved is None else self.retrieved.clock()

    def forget_progress(self) -> None:
        """Throw away the answers that were kept for the case of an interruption."""
        if self.retrieved is not None:
            self.retrieved.written()


def run_file_names(names: Iterable[str]) -> dict[str, str]:
    """Return a file name for each run: its own name, without what a file name cannot hold."""
    files: dict[str, str] = {}
    for name in names:
        plain = re.sub(r"[^\w.+-]+", "_", name).strip("_") or "run"
        taken = {file.casefold() for file in files.values()}  # some file systems do not tell A from a
        numbered = (f"run.{plain}{f'-{number}' if number > 1 else ''}.jsonl" for number in count(1))
        files[name] = next(file for file in numbered if file.casefold() not in taken)
    return files


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


def evaluate(
    judgments: object,
    rankings: object = None,
    *,
    metrics: str | Iterable[str] | None = None,
    runs: Mapping[str, object] | None = None,
    retrievers: Mapping[str, object] | None = None,
    corpus: GivenCorpus | None = None,
    questions: GivenQuestions | None = None,
    k: int = 100,
    baseline: str | None = None,
    pairs: str | None = None,
    primary: str | None = None,
    margin: float | None = None,
    test: str = "auto",
    clusters: Mapping[str, str] | str | None = None,
    kernels: GivenKernels | None = None,
    unanswerable: Iterable[str] = (),
    exclude: Iterable[str] = (),
    queries: str = "judged",
    no_relevant: str = "undefined",
    depth: int | None = None,
    unjudged: str = "check",
    ignore_identical_ids: bool | None = None,
    seed: int = 0,
) -> EvaluationResult:
    """Score one run (`rankings`), several (`runs={name: run}`), or retrievers that are run first, against judgments.

    judgments: {question: {document: grade}}, a polars or pandas frame, `Judgment` records, a `Dataset`, or a path.
    rankings, runs: {question: {document: score}}, {question: [documents in order]}, a frame, `Ranking` records, a path.
    retrievers: {name: retriever}, each a text such as "hybrid(bm25, dense(minilm))", or any object that searches; they
    are asked for `k` documents. corpus: what they search, such as "folder:docs/" (default: the dataset's documents);
    questions: the texts, {id: text} or a file (default: the dataset's).
    metrics: names such as "nDCG@10, R@100"; by default a set that fits the judgments.
    baseline, pairs: which runs are compared (by default each with the first); primary, margin, test: how.
    clusters: {question: cluster}, or the name of a metadata field of the dataset's questions.
    kernels: {question: [[documents that suffice together], ...]}; unanswerable: questions that nothing answers.
    exclude: questions to leave out. queries, no_relevant, depth, unjudged, ignore_identical_ids: see `Scoring`.

    Of several runs, one whose ids are not those that were judged is left out and named in `left_out` of the result; a
    single one raises `IdMismatchError`.
    """
    known = as_judgments(
        judgments, kernels=kernels, unanswerable=unanswerable, documents=bool(retrievers) and corpus is None
    )
    nothing_given = rankings is None and runs is None and bool(retrievers)
    given, remarks = GivenRuns({}) if nothing_given else as_runs(rankings, runs)
    left_out = as_ids(exclude, what="exclude")
    # All that can be wrong is looked at before anything is asked.
    scoring = Scoring.named(queries, no_relevant, depth, unjudged=unjudged, ignore_identical_ids=ignore_identical_ids)
    asked_for = list(metrics) if isinstance(metrics, Iterable) and not isinstance(metrics, str) else metrics
    chosen = [str(metric) for metric in chosen_metrics(known, asked_for)]
    by_cluster = _clusters(clusters, known)
    names = (*given, *(retrievers or {}))
    design = Design.named(names, baseline=baseline, pairs=pairs, primary=primary, margin=margin, test=test, seed=seed)
    retrieved = None
    if retrievers:
        # What searches is loaded only where something is searched.
        from goldproof.jobs.evaluate.retrieval import Retrievers, retrieve_runs, with_retrieved  # noqa: PLC0415
        from goldproof.retrieve import Search  # noqa: PLC0415

        asked = Retrievers(retrievers, corpus=corpus, questions=questions, search=Search(k=k))
        retrieved = retrieve_runs(asked, known, exclude=left_out)
        given = with_retrieved(given, retrieved)
    return evaluate_runs(
        known,
        given,
        metrics=chosen,
        scoring=scoring,
        clusters=by_cluster,
        exclude=left_out,
        design=design,
        inputs=lambda: {
            "judgments": known.content(),
            **{f"run {name}": run_content(run) for name, run in given.items()},
        },
        remarks=(*remarks, *success_remarks(known, [asked_for, primary])),
        retrieved=retrieved,
    )


def _clusters(given: Mapping[str, str] | str | None, judgments: Judgments) -> Mapping[str, str] | None:
    if given is None or isinstance(given, Mapping):
        return given
    if not isinstance(given, str):
        raise InputError(f"clusters: found {type(given).__name__}; expected {{question: cluster}} or a field's name.")
    if judgments.dataset is None:
        raise InputError(
            f"clusters={given!r} names a metadata field, but there are no questions; give {{question: cluster}}."
        )
    return judgments.dataset.clusters(given)
