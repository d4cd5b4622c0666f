"""What `eval` names on the command line, read into the same inputs."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from goldproof.errors import InputError
from goldproof.io import dataset_files, read_clusters, read_dataset, read_ids, read_ranking_report, sha256_file
from goldproof.io.datasets.dataset import locate_dataset
from goldproof.io.text_files import file_stem
from goldproof.jobs.evaluate.inputs import as_judgments, folder_corpus
from goldproof.jobs.evaluate.job import chosen_metrics, evaluate_runs
from goldproof.jobs.evaluate.scoring import Scoring, success_remarks
from goldproof.records.entities import Dataset
from goldproof.study import Design
from goldproof.study.gates import parse_gate

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from goldproof.jobs.evaluate.inputs import Judgments, Run
    from goldproof.jobs.evaluate.job import EvaluationResult
    from goldproof.jobs.evaluate.retrieval import Retrievers
    from goldproof.records.tables import RankingTable


@dataclass(frozen=True, slots=True)
class EvaluationFiles:
    """What is read.

    judgments: a BEIR folder, a `retrieval_dataset.yaml`, or a file of judgments. cluster_field: of its questions.
    spans: the judgments are spans of sources (`goldproof.corpus.gold_spans`), to be found in the corpus of the
    retrievers.
    retrievers: those that are run first.
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
        """Return every file or folder that was named."""
        questions = None if self.retrievers is None else self.retrievers.questions
        given = (self.judgments, *self.runs.values(), self.clusters, self.exclude, questions)
        return [path for path in given if isinstance(path, Path)]

    def all_inputs(self) -> dict[str, str]:
        """Return the sha256 of every file that was read, by the role it has."""
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
) -> EvaluationResult:
    """Read, score and compare; see `goldproof.evaluate` for what the options mean.

    gates: expressions that will be tried on the result; they are only read here, so that a misspelt one is found before
    a retriever is asked anything.
    """
    scoring = Scoring.named(queries, no_relevant, depth, unjudged=unjudged, ignore_identical_ids=ignore_identical_ids)
    names = (*files.runs, *(() if files.retrievers is None else files.retrievers.pipelines))
    design = Design.named(names, baseline=baseline, pairs=pairs, primary=primary, margin=margin, test=test, seed=seed)
    retrievers = None if files.retrievers is None else files.retrievers.opened()
    dataset, moved = _read_judged(files, retrievers)
    judgments = as_judgments(dataset)
    if not files.spans:
        judgments = replace(judgments, corpus=judgments.corpus or folder_corpus(files.judgments))
    exclude: frozenset[str] = frozenset() if files.exclude is None else read_ids(files.exclude)
    given, remarks = _read_runs(files)
    chosen = [str(metric) for metric in chosen_metrics(judgments, metrics)]
    for gate in gates:
        parse_gate(gate, metrics=chosen, runs=names)
    clusters = _read_clusters(files, dataset)
    runs: dict[str, Run] = dict(given)
    retrieved = None
    if retrievers is not None:
        from goldproof.jobs.evaluate.retrieval import retrieve_runs, with_retrieved  # noqa: PLC0415 - as in `evaluate`

        retrieved = retrieve_runs(retrievers, judgments, exclude=exclude)
        runs = with_retrieved(runs, retrieved)
    return evaluate_runs(
        judgments,
        runs,
        metrics=chosen,
        scoring=scoring,
        clusters=clusters,
        exclude=exclude,
        design=design,
        inputs=files.all_inputs,
        reading={"split": files.split, "skip_bad": files.skip_bad},
        remarks=[
            *moved,
            *remarks,
            *_passed_over(files, dataset, judgments),
            *success_remarks(judgments, [metrics, primary, gates]),
        ],
        retrieved=retrieved,
    )


def _read_judged(files: EvaluationFiles, retrievers: Retrievers | None) -> tuple[Dataset, Sequence[str]]:
    """Return the dataset, with its documents where they are what is searched, and what is to be said about it."""
    if not files.spans:
        own_texts = retrievers is not None and retrievers.corpus is None
        return read_dataset(files.judgments, split=files.split, documents=own_texts), ()
    from goldproof.corpus import Corpus, gold_for, read_gold_spans  # noqa: PLC0415 - as in `evaluate`

    if retrievers is None or not isinstance(retrievers.corpus, Corpus):
        raise InputError("--spans are looked up in the documents that are searched; give --corpus and --retriever.")
    reading = gold_for(retrievers.corpus, read_gold_spans(files.judgments), changed="report")
    return Dataset(file_stem(files.judgments), reading.judgments), reading.remarks


def _passed_over(files: EvaluationFiles, dataset: Dataset, judgments: Judgments) -> Iterator[str]:
    """Say which questions nobody judged, and where less is searched than one may think."""
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
