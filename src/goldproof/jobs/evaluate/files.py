"""`evaluate_files()`: read the files named on the command line, and score them as `evaluate` does."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from goldproof.errors import InputError
from goldproof.io import dataset_files, read_clusters, read_dataset, read_ids, read_ranking_report, sha256_file
from goldproof.io.datasets.dataset import locate_dataset
from goldproof.io.text_files import file_stem
from goldproof.jobs.evaluate.inputs import Inputs, as_judgments, folder_corpus
from goldproof.jobs.evaluate.job import metric_names, score_inputs
from goldproof.jobs.evaluate.scoring import Scoring, success_remarks
from goldproof.progress import OnProgress, ignore
from goldproof.records.entities import Dataset
from goldproof.study import Design, parse_gate

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from goldproof.jobs.evaluate.inputs import Judgments
    from goldproof.jobs.evaluate.job import EvaluationResult
    from goldproof.jobs.evaluate.retrieval import Retrievers
    from goldproof.records.tables import RankingTable


@dataclass(frozen=True, slots=True)
class EvaluationFiles:
    """The files and retrievers to score.

    judgments: a BEIR folder, a `retrieval_dataset.yaml`, or a file of judgments. cluster_field: a metadata field of its
    questions. spans: the judgments are spans of sources (`goldproof.corpus.gold_spans`), to be found in the corpus of
    the retrievers. retrievers: run before they are scored.
    """

    judgments: Path
    runs: Mapping[str, Path]
    spans: bool = False
    split: str | None = None
    cluster_field: str | None = None
    clusters: Path | None = None
    exclude: Path | None = None
    skip_bad: bool = False
    retrievers: Retrievers | None = None

    def paths(self) -> list[Path]:
        """Return every file or folder that is read."""
        questions = None if self.retrievers is None else self.retrievers.questions
        paths = (self.judgments, *self.runs.values(), self.clusters, self.exclude, questions)
        return [path for path in paths if isinstance(path, Path)]

    def all_inputs(self) -> dict[str, str]:
        """Return the sha256 of every file by its role."""
        judged = [self.judgments] if self.spans else dataset_files(self.judgments, split=self.split)
        named = {f"judgments {p.name}": p for p in judged}
        named |= {f"run {name}": path for name, path in self.runs.items()}
        named |= {role: path for role, path in (("clusters", self.clusters), ("exclude", self.exclude)) if path}
        return {role: sha256_file(path) for role, path in named.items()}


def evaluate_files(
    files: EvaluationFiles,
    *,
    metrics: str | None = None,
    baseline: str | None = None,
    pairs: str | None = None,
    primary: str | None = None,
    margin: float | None = None,
    test: str = "auto",
    queries: str = "judged",
    no_relevant: str = "undefined",
    depth: int | None = None,
    unjudged: str = "check",
    ignore_identical_ids: bool | None = None,
    seed: int = 0,
    gates: Sequence[str] = (),
    on_progress: OnProgress = ignore,
) -> EvaluationResult:
    """Read, score and compare; see `goldproof.evaluate` for what the options mean.

    gates: expressions that the caller will check on the result. They are only parsed here, so that a misspelt one is
    refused before a retriever is asked.
    """
    scoring = Scoring.named(queries, no_relevant, depth, unjudged=unjudged, ignore_identical_ids=ignore_identical_ids)
    names = (*files.runs, *(() if files.retrievers is None else files.retrievers.pipelines))
    design = Design.named(names, baseline=baseline, pairs=pairs, primary=primary, margin=margin, test=test, seed=seed)
    retrievers = None if files.retrievers is None else files.retrievers.opened()
    dataset, span_remarks = _read_judged(files, retrievers)
    judgments = as_judgments(dataset)
    if not files.spans:
        judgments = replace(judgments, corpus=judgments.corpus or folder_corpus(files.judgments))
    exclude: frozenset[str] = frozenset() if files.exclude is None else read_ids(files.exclude)
    runs, run_remarks = _read_runs(files)
    chosen = metric_names(judgments, metrics)
    for gate in gates:
        parse_gate(gate, metrics=chosen, runs=names)
    return score_inputs(
        Inputs(
            judgments,
            runs,
            metrics=chosen,
            scoring=scoring,
            design=design,
            clusters=_read_clusters(files, dataset),
            exclude=exclude,
            retrievers=retrievers,
            files=files.all_inputs,
            reading={"split": files.split, "skip_bad": files.skip_bad},
            remarks=[
                *span_remarks,
                *run_remarks,
                *_coverage_remarks(files, dataset, judgments),
                *success_remarks(judgments, [metrics, primary, gates]),
            ],
        ),
        on_progress=on_progress,
    )


def _read_judged(files: EvaluationFiles, retrievers: Retrievers | None) -> tuple[Dataset, Sequence[str]]:
    """Return the dataset, with its documents where retrievers search them, and notes on spans."""
    if not files.spans:
        own_texts = retrievers is not None and retrievers.corpus is None
        return read_dataset(files.judgments, split=files.split, documents=own_texts), ()
    from goldproof.corpus import Corpus, gold_for, read_gold_spans  # noqa: PLC0415 - as in `evaluate`

    if retrievers is None or not isinstance(retrievers.corpus, Corpus):
        raise InputError("--spans are looked up in the documents that are searched; give --corpus and --retriever.")
    reading = gold_for(retrievers.corpus, read_gold_spans(files.judgments), changed="report")
    return Dataset(file_stem(files.judgments), reading.judgments), reading.remarks


def _coverage_remarks(files: EvaluationFiles, dataset: Dataset, judgments: Judgments) -> Iterator[str]:
    """Note questions without judgments, and a corpus of no more than the documents that a file lists."""
    unjudged = [question.id for question in dataset.questions if question.id not in judgments.questions]
    if unjudged:
        yield f"{len(unjudged):,} questions of the dataset are not judged, so not scored; the first: {unjudged[0]!r}."
    own_texts = files.retrievers is not None and files.retrievers.corpus is None
    if own_texts and dataset.documents and locate_dataset(files.judgments).kind == "file":
        yield (
            f"only the {len(dataset.documents):,} documents that {files.judgments.name} lists are searched; "
            "name the whole corpus with --corpus."
        )


def _read_runs(files: EvaluationFiles) -> tuple[dict[str, RankingTable], list[str]]:
    runs, remarks = {}, []
    for name, path in files.runs.items():
        report = read_ranking_report(path, skip_bad=files.skip_bad)
        runs[name] = report.table
        remarks += [f"{name}: {remark}" for remark in report.remarks]
        if report.skipped:
            first = report.findings[0]
            where = "" if first.line is None else f"line {first.line}: "
            remarks.append(
                f"{name}: {report.skipped} left out as bad (lines or results); the first: {where}{first.problem}"
            )
    return runs, remarks


def _read_clusters(files: EvaluationFiles, dataset: Dataset) -> dict[str, str] | None:
    if files.cluster_field and files.clusters:
        raise InputError("give either --cluster FIELD or --clusters FILE.")
    if files.cluster_field:
        return dataset.clusters(files.cluster_field)
    return None if files.clusters is None else read_clusters(files.clusters)
