"""`evaluate()`: judgments and runs in, scores, comparisons and verdicts out.

`evaluate` reads its arguments into one `Inputs` record; `score_inputs` runs the retrievers, scores every run and
compares them.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import numpy as np
import polars as pl

from goldproof.errors import IdMismatchError, InputError
from goldproof.io import sha256_file, write_jsonl_ranking
from goldproof.jobs.evaluate.id_checks import check_ids, holds_judged, resolve_identical_ids
from goldproof.jobs.evaluate.inputs import (
    CorpusIds,
    GivenKernels,
    Inputs,
    Judgments,
    Run,
    as_clusters,
    as_ids,
    as_runs,
    question_fields,
    read_judged,
    run_content,
)
from goldproof.jobs.evaluate.options import Depth, IgnoreIdenticalIds, Metrics, NoRelevant, Runs, SkipBad, Split
from goldproof.jobs.evaluate.scoring import (
    ScoredRun,
    Scoring,
    cluster_remarks,
    completeness_remarks,
    exclusion_remarks,
    left_out_remarks,
    match_run,
    run_remarks,
    success_remarks,
)
from goldproof.metrics import Metric, parse_metrics
from goldproof.metrics.scoring import require_subject
from goldproof.options import Option, with_options
from goldproof.progress import OnProgress, ignore
from goldproof.records.keys import content_key
from goldproof.report import Note
from goldproof.report.result import in_order
from goldproof.retrieve.options import Filter, Fresh, K, Now, Timeout
from goldproof.study import (
    Attachment,
    Design,
    Panel,
    Provenance,
    Result,
    Study,
    encode_clusters,
    read_gates,
)
from goldproof.study.breakdown import choose_breakdown
from goldproof.study.options import Baseline, By, FailIf, Margin, Pairs, Primary, Seed, Test
from goldproof.study.study import check_primary

if TYPE_CHECKING:
    from goldproof.jobs.evaluate.labels import LabelSource
    from goldproof.jobs.evaluate.retrieval import GivenCorpus, GivenQuestions, RetrievedRuns

DEFAULT_METRICS = ("nDCG@10", "RR@10", "Hit@5", "P@5", "R@100")
KERNEL_METRICS = ("SetRecall@10", "SetSuccess@10")
UNANSWERABLE_METRICS = ("FalseSurface@5",)


def _open_retrievers(texts: list[str]) -> dict[str, object]:
    # Retrieval is loaded only where something is searched.
    from goldproof.retrieve import open_retrievers  # noqa: PLC0415

    return {**open_retrievers(texts)}


@with_options
def evaluate(
    judgments: object = None,
    rankings: object = None,
    *,
    metrics: Metrics = None,
    runs: Runs = None,
    retrievers: Annotated[
        Mapping[str, object] | None,
        Option(
            "A retriever to run and score: 'bm25', 'hybrid(bm25, dense(minilm))', a YAML file of several, "
            "module:object or a URL. Repeatable.",
            "NAME=SPEC",
            flag="--retriever",
            type=list[str],
            parse=_open_retrievers,
        ),
    ] = None,
    corpus: Annotated[
        "GivenCorpus | None",
        Option("What retrievers search (default: the dataset's documents).", "SPEC", type=str),
    ] = None,
    questions: Annotated[
        "GivenQuestions | None",
        Option("Texts of the questions (default: the dataset's).", "FILE", type=Path),
    ] = None,
    k: K = 100,
    filters: Filter = None,
    now: Now = None,
    timeout: Timeout = None,
    resume: bool = False,
    fresh: Fresh = False,
    spans: Annotated[
        str | Path | None,
        Option("Judgments as spans of source files, for any chunking of --corpus.", "FILE", type=Path),
    ] = None,
    baseline: Baseline = None,
    pairs: Pairs = None,
    primary: Primary = None,
    margin: Margin = None,
    test: Test = "auto",
    by: By = None,
    clusters: Annotated[
        Mapping[str, str] | str | Path | None,
        Option("Clusters of questions: CSV with columns id, cluster.", "FILE", type=Path),
    ] = None,
    kernels: GivenKernels | None = None,
    unanswerable: Iterable[str] = (),
    split: Split = None,
    exclude: Annotated[Iterable[str] | Path, Option("Question ids to leave out.", "FILE", type=Path)] = (),
    queries: Annotated[
        str, Option("Score every judged question, or only those also in the run.", "judged|both")
    ] = "judged",
    no_relevant: NoRelevant = "undefined",
    depth: Depth = None,
    unjudged: Annotated[
        str, Option("check: a verdict must also hold on judged documents alone; ignore: it need not.", "check|ignore")
    ] = "check",
    ignore_identical_ids: IgnoreIdenticalIds = None,
    skip_bad: SkipBad = False,
    seed: Seed = 0,
    fail_if: FailIf = (),
    on_progress: OnProgress = ignore,
) -> "EvaluationResult":
    """Score one run (`rankings`), several (`runs={name: run}`), or retrievers that are run first, against judgments.

    judgments: {question: {document: grade}}, a polars or pandas frame, `Judgment` records, a `Dataset`, or a path; or,
    in their place, spans: a file of spans of sources (`goldproof.corpus.gold_spans`), looked up in the corpus.
    rankings, runs: {question: {document: score}}, {question: [documents in order]}, a frame, `Ranking` records, a path.
    retrievers: {name: retriever}, each a text such as "hybrid(bm25, dense(minilm))", or any object that searches; they
    are asked for `k` documents. corpus: what they search, such as "folder:docs/" (default: the dataset's documents);
    questions: the texts, {id: text} or a file (default: the dataset's). filters, now: as for `goldproof.retrieve`.
    timeout: seconds that a retriever may take for a question, which else fails.
    resume: keep their answers on disk until `result.forget_progress()`, and go on from those of an interrupted run.
    metrics: names such as "nDCG@10, R@100"; by default a set that fits the judgments.
    baseline, pairs: which runs are compared (by default each with the first); primary, margin, test: how.
    by: a metadata field of the dataset's questions, "FILE#COLUMN" or {question: group}: the result of each group.
    clusters: {question: cluster}, the name of a metadata field of the dataset's questions, or a `Path` to a file.
    kernels: {question: [[documents that suffice together], ...]}; unanswerable: questions that nothing answers.
    exclude: questions to leave out, or a `Path` to a list. split: which qrels of a BEIR folder. skip_bad: leave out and
    count bad lines of runs. queries, no_relevant, depth, unjudged, ignore_identical_ids: see `Scoring`.
    fail_if: gates, such as "nDCG@10 worse"; a misspelt one is refused before a retriever is asked, and `result.gates`
    says which failed. on_progress: called while retrievers are run.

    Of several runs, one whose ids are not those that were judged is left out and named in `left_out` of the result; a
    single one raises `IdMismatchError`.
    """
    scoring = Scoring.named(queries, no_relevant, depth, unjudged=unjudged, ignore_identical_ids=ignore_identical_ids)
    given_runs = as_runs(rankings, runs, skip_bad=skip_bad, optional=bool(retrievers))
    names = (*given_runs.runs, *(retrievers or {}))
    design = Design.named(names, baseline=baseline, pairs=pairs, primary=primary, margin=margin, test=test, seed=seed)
    to_run = None
    if retrievers:
        from goldproof.jobs.evaluate.retrieval import Retrievers  # noqa: PLC0415 - as in `_open_retrievers`
        from goldproof.retrieve import Search  # noqa: PLC0415

        search = Search(k=k, filters=filters, now=now, timeout=timeout)
        asked = Retrievers(retrievers, corpus, questions=questions, search=search, resume=resume, fresh=fresh)
        to_run = asked.opened()
    judged = read_judged(
        judgments, spans=spans, split=split, retrievers=to_run, kernels=kernels, unanswerable=unanswerable
    )
    asked_for = list(metrics) if isinstance(metrics, Iterable) and not isinstance(metrics, str) else metrics
    chosen = metric_names(judged.judgments, asked_for)
    check_primary(design.primary, chosen)
    read_gates(fail_if, design, metrics=chosen, runs=names)
    inputs = Inputs(
        judged.judgments,
        given_runs.runs,
        metrics=chosen,
        scoring=scoring,
        design=design,
        clusters=as_clusters(clusters, judged.judgments),
        exclude=as_ids(exclude, option="exclude"),
        retrievers=to_run,
        files={
            **judged.files,
            **{f"run {name}": path for name, path in given_runs.files.items()},
            **{role: path for role, path in (("clusters", clusters), ("exclude", exclude)) if isinstance(path, Path)},
        },
        reading={
            **({"split": split, "skip_bad": skip_bad} if judged.files else {}),
            **({"judgments": judged.judgments.content()} if judged.files and (kernels or unanswerable) else {}),
        },
        remarks=(
            *judged.remarks,
            *given_runs.remarks,
            *success_remarks(judged.judgments, [asked_for, primary, fail_if]),
        ),
    )
    breakdown = choose_breakdown(by, fields=question_fields(judged.judgments))
    return score_inputs(inputs, on_progress=on_progress).broken_down(breakdown).gated(fail_if)


def metric_names(judgments: Judgments, metrics: str | Iterable[str] | None) -> list[str]:
    """Return the names of the metrics that were asked for, or of those that suit the judgments."""
    chosen = parse_metrics(default_metrics(judgments) if metrics is None else metrics)
    require_subject(chosen, "ranking")
    return [str(metric) for metric in chosen]


def default_metrics(judgments: Judgments) -> tuple[str, ...]:
    """Return the metrics that suit the judgments."""
    return (
        *DEFAULT_METRICS,
        *(KERNEL_METRICS if judgments.kernels else ()),
        *(UNANSWERABLE_METRICS if judgments.unanswerable else ()),
    )


def score_inputs(inputs: Inputs, *, on_progress: OnProgress = ignore) -> "EvaluationResult":
    """Run the retrievers, match every run with the judgments, score and compare them."""
    judgments, design = inputs.judgments, inputs.design
    retrieved = _retrieve(inputs, on_progress)
    runs = inputs.runs if retrieved is None else retrieved.joined_with(inputs.runs)
    metrics = {str(metric): metric for metric in parse_metrics(inputs.metrics)}
    identical_ids = resolve_identical_ids(inputs.scoring.ignore_identical_ids, judgments, runs)
    scoring = replace(inputs.scoring, ignore_identical_ids=identical_ids.ignore)
    corpus = _known_corpus(judgments, retrieved)
    scored, notes, left_out = _match_runs(judgments, runs, scoring, exclude=inputs.exclude, corpus=corpus)
    panel = _panel(scored, metrics, clusters=inputs.clusters)
    study = Study(
        panel,
        design=design.without_runs(left_out),
        extras=cache(lambda run, metric: scored[run].extras(metrics[metric])),
        judged_only=lambda run, metric: (
            None if scoring.unjudged == "ignore" else scored[run].judged_only_column(metrics[metric])
        ),
        foreign=lambda run, _metric: run in notes,
    )
    provenance = Provenance(
        "Evaluation",
        inputs=partial(_input_keys, inputs, runs, retrieved),
        settings=_settings(inputs, list(metrics), scoring, retrieved),
        seed=design.test.seed,
        facts={"runs": _run_facts(scored), "left_out": dict(left_out)},
    )
    labels = _label_source(judgments, retrieved)
    return EvaluationResult(
        study,
        provenance=provenance,
        retrieved=retrieved,
        left_out=left_out,
        labels=labels,
        remarks=(
            *(() if labels is None else [labels.remark]),
            *notes.values(),
            *left_out_remarks(left_out, design, compared=study.design),
            *(() if judgments.dataset is None else judgments.dataset.remarks),
            *inputs.remarks,
            *(() if retrieved is None else retrieved.remarks),
            *exclusion_remarks(judgments, inputs.exclude),
            *cluster_remarks(panel),
            *identical_ids.remarks,
            *run_remarks(scored, foreign=notes.keys()),
            *completeness_remarks(scored, metrics.values()),
        ),
        texts=judgments.texts,
    )


def _retrieve(inputs: Inputs, on_progress: OnProgress) -> "RetrievedRuns | None":
    if inputs.retrievers is None:
        return None
    from goldproof.jobs.evaluate.retrieval import retrieve_runs  # noqa: PLC0415 - as in `_open_retrievers`

    return retrieve_runs(inputs.retrievers, inputs.judgments, exclude=inputs.exclude, on_progress=on_progress)


def _label_source(judgments: Judgments, retrieved: "RetrievedRuns | None") -> "LabelSource | None":
    """Return which judge made the labels, where a card of `goldproof mine` says so."""
    if judgments.dataset is None or judgments.dataset.judge is None:
        return None
    from goldproof.jobs.evaluate.labels import label_source  # noqa: PLC0415 - only mined labels need judges

    runs = {} if retrieved is None else retrieved.runs
    return label_source(
        judgments.dataset.judge, {name: str(run.facts.get("pipeline", "")) for name, run in runs.items()}
    )


def _input_keys(inputs: Inputs, runs: Mapping[str, Run], retrieved: "RetrievedRuns | None") -> dict[str, str]:
    """Return the sha256 of every input: of its file, or of the content of an object.

    Retrievers that a text names are on the card themselves; of others their run is an input.
    """
    named = () if retrieved is None else retrieved.runs.keys() - retrieved.objects
    of_files = {role: sha256_file(path) for role, path in inputs.files.items()}
    judged = {} if any(role.startswith("judgments") for role in of_files) else {"judgments": inputs.judgments.content()}
    of_runs = {
        f"run {name}": run_content(run)
        for name, run in runs.items()
        if f"run {name}" not in of_files and name not in named
    }
    return {**judged, **of_files, **of_runs}


def _settings(
    inputs: Inputs, metrics: list[str], scoring: Scoring, retrieved: "RetrievedRuns | None"
) -> dict[str, object]:
    """Return the settings for the card."""
    clusters = inputs.clusters
    return {
        "metrics": metrics,
        "queries": scoring.queries,
        "no_relevant": scoring.no_relevant,
        "depth": scoring.depth,
        "unjudged": scoring.unjudged,
        "ignore_identical_ids": scoring.ignore_identical_ids,
        "clusters": None if clusters is None else content_key({str(q): str(c) for q, c in clusters.items()}),
        "excluded": sorted(inputs.exclude),
        **inputs.reading,
        **({} if retrieved is None else retrieved.settings()),
        **inputs.design.to_dict(),
    }


class _MatchedRuns(NamedTuple):
    """Runs matched with the judgments; notes: on runs that get no verdict; left_out: why the others are not scored."""

    scored: dict[str, ScoredRun]
    notes: dict[str, str]
    left_out: dict[str, str]


def _match_runs(
    judgments: Judgments, runs: Mapping[str, Run], rules: Scoring, *, exclude: frozenset[str], corpus: CorpusIds | None
) -> _MatchedRuns:
    """Match every run with the judgments; of several, leave out those that name other questions or documents."""
    matched = _MatchedRuns({}, {}, {})
    for name, run in runs.items():
        try:
            scored = match_run(judgments, run, rules, name=name, exclude=exclude)
            note = check_ids(run, judgments, name=name, judged_hit=scored.has_judged_hit, corpus=corpus)
        except IdMismatchError as error:
            matched.left_out[name] = str(error)
            continue
        matched.scored[name] = scored
        if note is not None:
            matched.notes[name] = note
    if not matched.scored and matched.left_out:
        raise IdMismatchError("\n".join(matched.left_out.values()))
    return matched


def _known_corpus(judgments: Judgments, retrieved: "RetrievedRuns | None") -> CorpusIds | None:
    """Return the ids of the judged corpus: the dataset's, else those of the searched corpus if it was judged."""
    if judgments.corpus is not None or retrieved is None:
        return judgments.corpus
    searched = [document.id for document in retrieved.corpus.documents]
    return (lambda: searched) if holds_judged(searched, judgments) else None


def _panel(
    scored: Mapping[str, ScoredRun], metrics: Mapping[str, Metric], *, clusters: Mapping[str, str] | None
) -> Panel:
    ids = next(iter(scored.values())).questions
    columns = {(name, metric): run.column(metrics[metric]) for name, run in scored.items() for metric in metrics}
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
        name: {
            "questions_judged": len(run.questions),
            "questions_missing": int(np.count_nonzero(run.matched.missing)),
            "questions_failed": int(np.count_nonzero(run.matched.failed)),
            "questions_not_judged": run.not_judged,
            "tied_share": run.matched.tied_share,
            "identical_ids_dropped": run.identical,
        }
        for name, run in scored.items()
    }


class EvaluationResult(Result):
    """Scores and comparisons of runs.

    retrieved: the runs of retrievers; None where every run was given. left_out: runs whose ids are not the judged ones,
    with the reason. labels: the judge that made the labels, where it is known.
    """

    def __init__(
        self,
        study: Study,
        *,
        provenance: Provenance,
        remarks: Sequence[str] = (),
        texts: Mapping[str, str] | None = None,
        retrieved: "RetrievedRuns | None" = None,
        left_out: Mapping[str, str] | None = None,
        labels: "LabelSource | None" = None,
    ) -> None:
        super().__init__(study, provenance=provenance, remarks=remarks, texts=texts, left_out=left_out)
        self.retrieved = retrieved
        self.labels = labels

    @property
    def conclusion(self) -> str:
        """Which run is better, by how much, and whether an automated score made the labels."""
        conclusion = super().conclusion
        return conclusion if self.labels is None else self.labels.qualified(conclusion)

    @property
    def notes(self) -> Sequence[Note]:
        """All notes; labels of an automated score limit the conclusion before anything else does."""
        notes = super().notes
        if self.labels is None or self.labels.score is None:
            return notes
        limit = self.labels.remark
        return in_order([Note(limit, "limits"), *(note for note in notes if note.text != limit)])

    @property
    def own_artefacts(self) -> Sequence[str]:
        """Return the names of run files."""
        return ("run.*.jsonl",)

    @property
    def attachments(self) -> Sequence[Attachment]:
        """Return the runs of retrievers as files, so that they can be scored again without retrieving."""
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
        """Delete the retrievers' answers that were kept to resume an interrupted run."""
        if self.retrieved is not None:
            self.retrieved.written()


def run_file_names(names: Iterable[str]) -> dict[str, str]:
    """Return a file name for each run: the run's name without the characters that a file name cannot hold."""
    files: dict[str, str] = {}
    for name in names:
        plain = re.sub(r"[^\w.+-]+", "_", name).strip("_") or "run"
        taken = {file.casefold() for file in files.values()}  # some file systems do not tell A from a
        numbered = (f"run.{plain}{f'-{number}' if number > 1 else ''}.jsonl" for number in count(1))
        files[name] = next(file for file in numbered if file.casefold() not in taken)
    return files
