"""`goldproof.evaluate`: judgments and runs in, a result that prints as its table out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from goldproof.errors import InputError
from goldproof.jobs.evaluate.forms import as_ids
from goldproof.jobs.evaluate.judgments import Judgments, as_judgments
from goldproof.jobs.evaluate.remarks import success_remarks
from goldproof.jobs.evaluate.runs import GivenRuns, as_runs, run_content
from goldproof.jobs.evaluate.scored_runs import chosen_metrics, evaluate_runs
from goldproof.jobs.evaluate.scoring import Scoring
from goldproof.study import Design

if TYPE_CHECKING:
    from goldproof.jobs.evaluate.judgments import GivenKernels
    from goldproof.jobs.evaluate.result import EvaluationResult
    from goldproof.jobs.evaluate.retrieving import GivenCorpus, GivenQuestions


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
        from goldproof.jobs.evaluate.retrieving import Retrievers, retrieve_runs, with_retrieved  # noqa: PLC0415
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
