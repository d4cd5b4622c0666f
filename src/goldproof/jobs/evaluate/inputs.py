"""The inputs of an evaluation: judgments and runs from dicts, frames, records, tables, datasets or paths."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, TypeVar, cast

import polars as pl

from goldproof.errors import InputError, counted
from goldproof.io import (
    corpus_ids,
    dataset_files,
    judgments_from_frame,
    ranking_from_frame,
    read_clusters,
    read_dataset,
    read_ids,
    read_ranking_report,
)
from goldproof.io.datasets.cranfield import is_cranfield
from goldproof.io.datasets.dataset import locate_dataset
from goldproof.io.storage.cards import labelling_judge
from goldproof.io.text_files import file_stem
from goldproof.records.entities import Dataset, Judgment, Ranking
from goldproof.records.keys import content_key
from goldproof.records.tables import JudgmentTable, RankingTable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from goldproof.io.datasets.qrels_and_runs import RankingReading
    from goldproof.jobs.evaluate.retrieval import Retrievers
    from goldproof.jobs.evaluate.scoring import Scoring
    from goldproof.study import Design

T = TypeVar("T")
Grades: TypeAlias = Mapping[str, Mapping[str, int]]
GivenKernels: TypeAlias = Mapping[str, Iterable[Iterable[str]]]
Kernels: TypeAlias = Mapping[str, tuple[tuple[str, ...], ...]]
Run: TypeAlias = RankingTable | Mapping[str, Mapping[str, float]]
CorpusIds: TypeAlias = Callable[[], Iterable[str]]
ONLY_RUN = "run"


@dataclass(frozen=True, slots=True, eq=False)
class Inputs:
    """An evaluation, read and checked: judgments, runs, retrievers to run, and how to score and compare them.

    metrics: names. clusters: question -> cluster. exclude: questions to leave out. files: those read, by their role.
    reading: how files were read, for the card. remarks: notes on what was read.
    """

    judgments: Judgments
    runs: Mapping[str, Run]
    metrics: Sequence[str]
    scoring: Scoring
    design: Design
    clusters: Mapping[str, str] | None = None
    exclude: frozenset[str] = frozenset()
    retrievers: Retrievers | None = None
    files: Mapping[str, Path] = field(default_factory=dict)
    reading: Mapping[str, object] = field(default_factory=dict)
    remarks: Sequence[str] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Judgments:
    """Grades (a table, or the dict that was given), kernels and unanswerable questions.

    A table of grades holds the same kernels and unanswerable questions itself. corpus: returns the ids of all documents
    that exist; None where they are not known.
    """

    grades: JudgmentTable | Grades
    kernels: Kernels
    unanswerable: frozenset[str]
    dataset: Dataset | None = None
    texts: Mapping[str, str] = field(default_factory=dict)
    corpus: CorpusIds | None = None

    @property
    def questions(self) -> frozenset[str]:
        """Every question with a grade, a kernel or a mark as unanswerable."""
        table = self.grades
        graded = table.questions.to_list() if isinstance(table, JudgmentTable) else table
        return frozenset(graded) | frozenset(self.kernels) | self.unanswerable

    @property
    def documents(self) -> set[str]:
        """The documents that are judged for any question, alone or in a kernel."""
        table = self.grades
        if isinstance(table, JudgmentTable):
            graded = set(table.documents.unique().to_list())
        else:
            graded = {document for documents in table.values() for document in documents}
        return graded.union(*(kernel for kernels in self.kernels.values() for kernel in kernels))

    def without(self, questions: frozenset[str]) -> Judgments:
        """Return the judgments without these questions."""
        if not questions:
            return self
        table = self.grades
        return replace(
            self,
            grades=table.without(questions) if isinstance(table, JudgmentTable) else _without(table, questions),
            kernels=_without(self.kernels, questions),
            unanswerable=self.unanswerable - questions,
        )

    def content(self) -> str:
        """Return the sha256 of grades, kernels and unanswerable questions; the same for every form they come in."""
        kernels = {question: [list(kernel) for kernel in sets] for question, sets in self.kernels.items()}
        return content_key(plain_rows(self.grades), kernels, sorted(self.unanswerable))


def as_judgments(
    judgments: object,
    *,
    kernels: GivenKernels | None = None,
    unanswerable: Iterable[str] = (),
    documents: bool = False,
    split: str | None = None,
) -> Judgments:
    """Accept judgments in any form; kernels and unanswerable are added to those they hold themselves.

    For the path of a dataset: documents: read the texts of documents too; split: which qrels to read.
    """
    sets = {question: _alternatives(question, some) for question, some in (kernels or {}).items()}
    lacking = as_ids(unanswerable, option="unanswerable")
    corpus: CorpusIds | None = None
    if isinstance(judgments, str | Path):
        corpus = folder_corpus(judgments)
        judgments = read_dataset(judgments, documents=documents, split=split)
    judgments = _of_ranx(judgments, "qrels")
    if isinstance(judgments, Mapping):
        return _checked(Judgments(cast("Grades", judgments), sets, lacking))
    dataset = judgments if isinstance(judgments, Dataset) else None
    table = _extended(_as_table(judgments), sets, lacking)
    texts = {} if dataset is None else {q.id: q.text for q in dataset.questions if q.text}
    known = Judgments(table, table.kernels, table.unanswerable, dataset=dataset, texts=texts, corpus=corpus)
    return _checked(known if corpus or not dataset else replace(known, corpus=_own_corpus(dataset, known)))


class JudgedInput(NamedTuple):
    """Judgments, the files they were read from by their role, and notes on them."""

    judgments: Judgments
    files: dict[str, Path]
    remarks: tuple[str, ...] = ()


def read_judged(
    judgments: object,
    *,
    spans: str | Path | None = None,
    split: str | None = None,
    retrievers: Retrievers | None = None,
    kernels: GivenKernels | None = None,
    unanswerable: Iterable[str] = (),
) -> JudgedInput:
    """Read judgments in any form, with the documents of a dataset where retrievers search them; or spans."""
    if (judgments is None) == (spans is None):
        raise InputError("give either judgments or spans.")
    if spans is not None:
        if kernels or unanswerable or split is not None:
            raise InputError("kernels, unanswerable and split have no effect with spans; leave them out.")
        return _read_spans(Path(spans), retrievers)
    own_texts = retrievers is not None and retrievers.corpus is None
    known = as_judgments(judgments, kernels=kernels, unanswerable=unanswerable, documents=own_texts, split=split)
    if not isinstance(judgments, str | Path):
        return JudgedInput(known, {})
    path = Path(judgments)
    if path.is_file() and path.name.startswith("cranqrel") and is_cranfield(path.parent):
        raise InputError(
            f"{path}: Cranfield's judgments have 1 as the best grade and number queries by position; give the folder, "
            f"which is read that way: --dataset {path.parent}."
        )
    files = {f"judgments {file.name}": file for file in dataset_files(path, split=split)}
    return JudgedInput(known, files, tuple(_coverage_remarks(path, known, own_texts=own_texts)))


def _read_spans(path: Path, retrievers: Retrievers | None) -> JudgedInput:
    """Look spans up in the documents that are searched."""
    from goldproof.corpus import Corpus, gold_for, read_gold_spans  # noqa: PLC0415 - only spans need a corpus

    if retrievers is None or not isinstance(retrievers.corpus, Corpus):
        raise InputError("--spans needs the documents that are searched; give --corpus and --retriever too.")
    reading = gold_for(retrievers.corpus, read_gold_spans(path), changed="report")
    judgments = as_judgments(Dataset(file_stem(path), reading.judgments, judge=labelling_judge(path)))
    return JudgedInput(judgments, {f"judgments {path.name}": path}, tuple(reading.remarks))


def _coverage_remarks(path: Path, judgments: Judgments, *, own_texts: bool) -> Iterator[str]:
    """Note questions without judgments, and a search limited to the documents of one file."""
    dataset = judgments.dataset
    if dataset is None:
        return
    judged = judgments.questions
    unjudged = [question.id for question in dataset.questions if question.id not in judged]
    if unjudged:
        without = counted(len(unjudged), "question has no judgments and is", "questions have no judgments and are")
        yield f"{without} not scored (the first: {unjudged[0]!r})."
    if own_texts and dataset.documents and locate_dataset(path).kind == "file":
        yield (
            f"only the {len(dataset.documents):,} documents listed in {path.name} were searched; "
            "to search the whole corpus, give it with --corpus."
        )


def as_clusters(clusters: object, judgments: Judgments) -> Mapping[str, str] | None:
    """Accept {question: cluster}, the name of a metadata field of the dataset's questions, or the path of a file."""
    if clusters is None or isinstance(clusters, Mapping):
        return clusters
    if isinstance(clusters, Path):
        return read_clusters(clusters)
    if not isinstance(clusters, str):
        raise InputError(
            f"clusters: found {type(clusters).__name__}; expected {{question: cluster}}, a field's name or a Path."
        )
    if judgments.dataset is None:
        raise InputError(
            f"clusters={clusters!r} names a metadata field, but the judgments come without questions; "
            "give {question: cluster}."
        )
    return judgments.dataset.clusters(clusters)


def question_fields(judgments: Judgments) -> dict[str, Callable[[], Mapping[str, str]]]:
    """Return the metadata fields of the dataset's questions, each with a function that reads its values."""
    dataset = judgments.dataset
    if dataset is None:
        return {}
    names = sorted({name for question in dataset.questions for name in question.metadata})
    if any(question.cluster is not None for question in dataset.questions):
        names = ["cluster", *names]
    return {name: partial(dataset.clusters, name) for name in names}


def folder_corpus(path: str | Path) -> CorpusIds | None:
    """Return a function that reads the document ids of a dataset folder; None where the folder has no corpus."""
    return None if corpus_ids(path) is None else lambda: corpus_ids(path) or ()


def _own_corpus(dataset: Dataset, judgments: Judgments) -> CorpusIds | None:
    """Return the documents of a dataset as its corpus, unless every one of them is judged."""
    documents = [document.id for document in dataset.documents]
    return (lambda: documents) if not judgments.documents.issuperset(documents) else None


def _as_table(judgments: object) -> JudgmentTable:
    if isinstance(judgments, Dataset):
        return judgments.judgments
    if isinstance(judgments, JudgmentTable):
        return judgments
    if is_frame(judgments):
        return judgments_from_frame(judgments, where="judgments")
    if isinstance(judgments, Iterable):
        return JudgmentTable.from_records(checked_records(judgments, Judgment, where="judgments"))
    raise InputError(
        f"judgments: found {type(judgments).__name__}; expected a dict, a frame, records, a dataset or a path."
    )


def _extended(table: JudgmentTable, kernels: Kernels, unanswerable: frozenset[str]) -> JudgmentTable:
    if not kernels and not unanswerable:
        return table
    return replace(table, kernels={**table.kernels, **kernels}, unanswerable=table.unanswerable | unanswerable)


def _alternatives(question: str, kernels: object) -> tuple[tuple[str, ...], ...]:
    sets = list(kernels) if isinstance(kernels, Iterable) and not isinstance(kernels, str) else [None]
    if not all(isinstance(kernel, Iterable) and not isinstance(kernel, str) for kernel in sets):
        raise InputError(
            f"kernels, question {question!r}: found {kernels!r}; expected a list of kernels, each a list of ids, "
            "such as [['a', 'b'], ['c']]."
        )
    return tuple(tuple(kernel) for kernel in sets if kernel is not None)


def _checked(judgments: Judgments) -> Judgments:
    """Refuse an unanswerable question that has a relevant document or a kernel."""
    relevant = _with_relevant(judgments.grades) if judgments.unanswerable else frozenset[str]()
    for question in sorted(judgments.unanswerable):
        answer = (
            "a kernel" if question in judgments.kernels else "a relevant document" if question in relevant else None
        )
        if answer:
            raise InputError(
                f"question {question!r} is marked unanswerable, but has {answer}; one of the two is wrong."
            )
    return judgments


def _with_relevant(table: JudgmentTable | Grades) -> frozenset[str]:
    grades = table.to_dict() if isinstance(table, JudgmentTable) else table
    return frozenset(question for question, rows in grades.items() if any(grade > 0 for grade in rows.values()))


def _without(table: Mapping[str, T], questions: frozenset[str]) -> dict[str, T]:
    return {question: value for question, value in table.items() if question not in questions}


class NamedRuns(NamedTuple):
    """Runs by name, the files of those that were read, and notes on lines of them that were skipped."""

    runs: dict[str, Run]
    files: dict[str, Path]
    remarks: tuple[str, ...] = ()


def as_runs(rankings: object, runs: object, *, skip_bad: bool = False, optional: bool = False) -> NamedRuns:
    """Accept one run, or several by name; none where that is optional. skip_bad: count bad lines of files."""
    if optional and rankings is None and not runs:
        return NamedRuns({}, {})
    if (rankings is None) == (runs is None):
        raise InputError("give one run as the second argument, or several as runs={name: run}.")
    if runs is None:
        _refuse_several(rankings)
    given = {ONLY_RUN: rankings} if runs is None else runs
    if not isinstance(given, Mapping):
        raise InputError(f"runs: found {type(runs).__name__}; expected {{name: run}}.")
    if not given:
        raise InputError("runs is empty; expected {name: run}.")
    named = NamedRuns({}, {})
    remarks: list[str] = []
    for name, run in ((str(name), run) for name, run in given.items()):
        if isinstance(run, str | Path):
            report = read_ranking_report(run, skip_bad=skip_bad)
            named.runs[name], named.files[name] = report.table, Path(run)
            remarks += [f"{name}: {remark}" for remark in (*report.remarks, *_skipped_remarks(report))]
        else:
            named.runs[name] = _as_run(run, name=name)
    return named._replace(remarks=tuple(remarks))


def _refuse_several(rankings: object) -> None:
    """Refuse several runs, or runs by name, in place of one: `evaluate(qrels, {"bm25": path})`."""
    if isinstance(rankings, Mapping):
        names = [*map(str, rankings)] if _is_run(next(iter(rankings.values()), None)) else []
    elif isinstance(rankings, list | tuple):
        names = [file_stem(run) for run in rankings if isinstance(run, str | Path)]
    else:
        return
    if names:
        shown = f"{{{names[0]!r}: ...{', ...' if len(names) > 1 else ''}}}"
        raise InputError(f"the second argument is one run, found runs by name or path; write runs={shown}.")


def _is_run(value: object) -> bool:
    """Whether a value is a whole run, rather than the results of one question."""
    if isinstance(value, Mapping):
        return any(isinstance(results, Mapping | list | tuple) for results in value.values())
    return isinstance(value, str | Path | RankingTable) or is_frame(value)


def _skipped_remarks(report: RankingReading) -> list[str]:
    if not report.skipped:
        return []
    first = report.findings[0]
    where = "" if first.line is None else f"line {first.line}: "
    skipped = counted(report.skipped, "bad line or result", "bad lines or results")
    return [f"{skipped} skipped; the first: {where}{first.problem}"]


def _of_ranx(value: object, attribute: str) -> object:
    """Return the dict of a ranx Run or Qrels, known by its attribute; anything else as it is."""
    to_dict = getattr(value, "to_dict", None)
    return to_dict() if callable(to_dict) and hasattr(value, attribute) and not is_frame(value) else value


def _as_run(run: object, *, name: str) -> Run:
    run = _of_ranx(run, "run")
    if isinstance(run, RankingTable):
        return run
    if isinstance(run, Mapping):
        return _scored(cast("Mapping[str, object]", run), name=name)
    if is_frame(run):
        return ranking_from_frame(run, where=f"run {name!r}")
    if isinstance(run, Iterable):
        return RankingTable.from_records(checked_records(run, Ranking, where=f"run {name!r}"))
    raise InputError(f"run {name!r}: found {type(run).__name__}; expected a dict, a frame, records or a path.")


def _scored(run: Mapping[str, object], *, name: str) -> Mapping[str, Mapping[str, float]]:
    """Return the run with scores; {question: [documents in order]} gets them by position, the first the highest."""
    kinds = set(map(type, run.values()))  # few, where the questions may be many
    if not any(issubclass(kind, list | tuple) for kind in kinds):
        return cast("Mapping[str, Mapping[str, float]]", run)
    return {
        question: _by_position(documents, run=name, question=question)
        if isinstance(documents, list | tuple)
        else cast("Mapping[str, float]", documents)
        for question, documents in run.items()
    }


def _by_position(documents: list[str] | tuple[str, ...], *, run: str, question: str) -> dict[str, float]:
    scores = {document: float(len(documents) - i) for i, document in enumerate(documents)}
    if len(scores) < len(documents):
        raise InputError(f"run {run!r}, question {question!r}: a document is listed twice; keep its best rank.")
    return scores


def run_questions(run: Run) -> frozenset[str]:
    """Return the questions of a run, failed ones included."""
    if isinstance(run, RankingTable):
        return frozenset(run.questions.to_list()) | frozenset(run.failed)
    return frozenset(run)


def run_content(run: Run) -> str:
    """Return the sha256 of a run; the same for every form it comes in."""
    return content_key(plain_rows(run), dict(run.failed) if isinstance(run, RankingTable) else {})


def question_grades(judgments: JudgmentTable, question: str) -> dict[str, int] | None:
    """Return the grades of one question by document, or None where the table lacks the question."""
    rows = question_rows(judgments, question)
    if rows is None:
        return None
    return dict(zip(judgments.documents[rows].to_list(), judgments.grades[rows].tolist(), strict=True))


def question_rows(table: JudgmentTable | RankingTable, question: str) -> slice | None:
    """Return the rows of one question, or None where the table lacks the question."""
    places = (table.questions == question).arg_true()
    return slice(int(table.starts[places[0]]), int(table.starts[places[0] + 1])) if len(places) else None


def is_frame(value: object) -> bool:
    """Whether an object looks like a polars or pandas frame."""
    # A lazy frame is asked first: looking at its columns makes it warn.
    return isinstance(value, pl.LazyFrame) or (hasattr(value, "columns") and hasattr(value, "shape"))


def as_ids(ids: Iterable[str] | Path, *, option: str) -> frozenset[str]:
    """Accept a collection of question ids, or the path of a list; no text, whose characters would be taken for ids."""
    if isinstance(ids, Path):
        return read_ids(ids)
    if isinstance(ids, str):
        raise InputError(f"{option}: found the text {ids!r}; expected a list of question ids.")
    return frozenset(ids)


def checked_records(items: Iterable[object], kind: type[T], *, where: str) -> list[T]:
    """Return the records as a list; refuse any of another kind."""
    records = []
    for item in items:
        if not isinstance(item, kind):
            raise InputError(f"{where}: found a {type(item).__name__} among the records; expected {kind.__name__}.")
        records.append(item)
    return records


def plain_rows(
    table: JudgmentTable | RankingTable | Mapping[str, Mapping[str, float]],
) -> dict[str, dict[str, float]]:
    """Return {question: {document: number}} with every number a float, so that equal content has an equal key."""
    rows: Mapping[str, Mapping[str, float]]
    rows = table.to_dict() if isinstance(table, JudgmentTable | RankingTable) else table
    return {question: {d: float(value) for d, value in documents.items()} for question, documents in rows.items()}
