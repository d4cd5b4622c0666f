"""Judgments and runs in any form: dicts, frames, records, tables, datasets, paths."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple, TypeAlias, TypeVar, cast

import polars as pl

from goldproof.errors import InputError
from goldproof.io import corpus_ids, judgments_from_frame, ranking_from_frame, read_dataset, read_ranking_report
from goldproof.jobs.evaluate.id_checks import CorpusIds, judged_ids
from goldproof.records.entities import Dataset, Judgment, Ranking
from goldproof.records.keys import content_key
from goldproof.records.tables import JudgmentTable, RankingTable

T = TypeVar("T")


def is_frame(given: object) -> bool:
    """Whether it looks like a polars or pandas frame."""
    # A lazy frame is asked first: looking at its columns makes it warn.
    return isinstance(given, pl.LazyFrame) or (hasattr(given, "columns") and hasattr(given, "shape"))


def as_ids(given: Iterable[str], *, what: str) -> frozenset[str]:
    """Accept a collection of question ids, but not one id: its characters are not what was meant."""
    if isinstance(given, str):
        raise InputError(f"{what}: found the text {given!r}; expected a list of question ids.")
    return frozenset(given)


def checked_records(given: Iterable[object], kind: type[T], *, what: str) -> list[T]:
    """Accept records of one kind only."""
    records = []
    for item in given:
        if not isinstance(item, kind):
            raise InputError(f"{what}: found a {type(item).__name__} among the records; expected {kind.__name__}.")
        records.append(item)
    return records


def plain_rows(
    given: JudgmentTable | RankingTable | Mapping[str, Mapping[str, float]],
) -> dict[str, dict[str, float]]:
    """Return {question: {document: number}} with every number a float, so that equal content has an equal key."""
    rows: Mapping[str, Mapping[str, float]]
    rows = given.to_dict() if isinstance(given, JudgmentTable | RankingTable) else given
    return {question: {d: float(value) for d, value in documents.items()} for question, documents in rows.items()}


V = TypeVar("V")
Grades: TypeAlias = Mapping[str, Mapping[str, int]]
GivenKernels: TypeAlias = Mapping[str, Iterable[Iterable[str]]]
Kernels: TypeAlias = Mapping[str, tuple[tuple[str, ...], ...]]


@dataclass(frozen=True, slots=True, eq=False)
class Judgments:
    """What is judged: grades (as a table, or as the dict that was given), kernels, unanswerable questions.

    A table of grades holds the same kernels and unanswerable questions itself. corpus: gives the ids of all documents
    that exist, where they are known.
    """

    grades: JudgmentTable | Grades
    kernels: Kernels
    unanswerable: frozenset[str]
    dataset: Dataset | None = None
    texts: Mapping[str, str] = field(default_factory=dict)
    corpus: CorpusIds | None = None

    @property
    def questions(self) -> frozenset[str]:
        """Every question that is judged in some way."""
        table = self.grades
        graded = table.questions.to_list() if isinstance(table, JudgmentTable) else table
        return frozenset(graded) | frozenset(self.kernels) | self.unanswerable

    def without(self, questions: frozenset[str]) -> Judgments:
        """Return the judgments less some questions."""
        if not questions:
            return self
        table = self.grades
        return replace(
            self,
            grades=table.without(questions) if isinstance(table, JudgmentTable) else _less(table, questions),
            kernels=_less(self.kernels, questions),
            unanswerable=self.unanswerable - questions,
        )

    def content(self) -> str:
        """Return the sha256 of all that is judged, whatever form it came in."""
        kernels = {question: [list(kernel) for kernel in sets] for question, sets in self.kernels.items()}
        return content_key(plain_rows(self.grades), kernels, sorted(self.unanswerable))


def as_judgments(
    given: object,
    *,
    kernels: GivenKernels | None = None,
    unanswerable: Iterable[str] = (),
    documents: bool = False,
) -> Judgments:
    """Accept judgments in any of their forms; kernels and unanswerable go with those that cannot hold them.

    documents: read the texts of a dataset's documents too, where it is given by its path.
    """
    sets = {question: _alternatives(question, some) for question, some in (kernels or {}).items()}
    lacking = as_ids(unanswerable, what="unanswerable")
    corpus: CorpusIds | None = None
    if isinstance(given, str | Path):
        corpus = folder_corpus(given)
        given = read_dataset(given, documents=documents)
    if isinstance(given, Mapping):
        return _checked(Judgments(cast("Grades", given), sets, lacking))
    dataset = given if isinstance(given, Dataset) else None
    table = _with(_as_table(given), sets, lacking)
    texts = {} if dataset is None else {q.id: q.text for q in dataset.questions if q.text}
    known = Judgments(table, table.kernels, table.unanswerable, dataset=dataset, texts=texts, corpus=corpus)
    return _checked(known if corpus or not dataset else replace(known, corpus=_own_corpus(dataset, known)))


def folder_corpus(path: str | Path) -> CorpusIds | None:
    """Return what gives the ids of a dataset folder's documents; None where the path holds no corpus."""
    return None if corpus_ids(path) is None else lambda: corpus_ids(path) or ()


def _own_corpus(dataset: Dataset, judgments: Judgments) -> CorpusIds | None:
    """Return the documents of a dataset as its corpus, unless they are only those that were judged."""
    documents = [document.id for document in dataset.documents]
    return (lambda: documents) if not judged_ids(judgments).issuperset(documents) else None


def _as_table(given: object) -> JudgmentTable:
    if isinstance(given, Dataset):
        return given.judgments
    if isinstance(given, JudgmentTable):
        return given
    if is_frame(given):
        return judgments_from_frame(given, where="judgments")
    if isinstance(given, Iterable):
        return JudgmentTable.from_records(checked_records(given, Judgment, what="judgments"))
    raise InputError(
        f"judgments: found {type(given).__name__}; expected a dict, a frame, records, a dataset or a path."
    )


def _with(table: JudgmentTable, kernels: Kernels, unanswerable: frozenset[str]) -> JudgmentTable:
    if not kernels and not unanswerable:
        return table
    return replace(table, kernels={**table.kernels, **kernels}, unanswerable=table.unanswerable | unanswerable)


def _alternatives(question: str, given: object) -> tuple[tuple[str, ...], ...]:
    sets = list(given) if isinstance(given, Iterable) and not isinstance(given, str) else [None]
    if not all(isinstance(kernel, Iterable) and not isinstance(kernel, str) for kernel in sets):
        raise InputError(
            f"kernels, question {question!r}: found {given!r}; expected a list of kernels, each a list of ids, "
            "such as [['a', 'b'], ['c']]."
        )
    return tuple(tuple(kernel) for kernel in sets if kernel is not None)


def _checked(judgments: Judgments) -> Judgments:
    """Refuse a question that has no answer and yet a document, or a kernel, that answers it."""
    relevant = _with_relevant(judgments.grades) if judgments.unanswerable else frozenset[str]()
    for question in sorted(judgments.unanswerable):
        what = "a kernel" if question in judgments.kernels else "a relevant document" if question in relevant else None
        if what:
            raise InputError(f"question {question!r} is marked unanswerable, but has {what}; one of the two is wrong.")
    return judgments


def _with_relevant(held: JudgmentTable | Grades) -> frozenset[str]:
    grades = held.to_dict() if isinstance(held, JudgmentTable) else held
    return frozenset(question for question, rows in grades.items() if any(grade > 0 for grade in rows.values()))


def _less(table: Mapping[str, V], questions: frozenset[str]) -> dict[str, V]:
    return {question: value for question, value in table.items() if question not in questions}


ONLY_RUN = "run"
Run: TypeAlias = RankingTable | Mapping[str, Mapping[str, float]]


class GivenRuns(NamedTuple):
    """Runs by name, and what was passed over in their files."""

    runs: dict[str, Run]
    remarks: tuple[str, ...] = ()


def as_runs(rankings: object, runs: object) -> GivenRuns:
    """Accept one run, or several by name."""
    if (rankings is None) == (runs is None):
        raise InputError("give one run as the second argument, or several as runs={name: run}.")
    if runs is None:
        return _as_named_runs({ONLY_RUN: rankings})
    if not isinstance(runs, Mapping):
        raise InputError(f"runs: found {type(runs).__name__}; expected {{name: run}}.")
    if not runs:
        raise InputError("runs is empty; expected {name: run}.")
    return _as_named_runs({str(name): run for name, run in runs.items()})


def _as_named_runs(given: Mapping[str, object]) -> GivenRuns:
    runs: dict[str, Run] = {}
    remarks: list[str] = []
    for name, run in given.items():
        if isinstance(run, str | Path):
            reading = read_ranking_report(run)
            runs[name] = reading.table
            remarks += [f"{name}: {remark}" for remark in reading.remarks]
        else:
            runs[name] = _as_run(run, name=name)
    return GivenRuns(runs, tuple(remarks))


def _as_run(given: object, *, name: str) -> Run:
    if isinstance(given, RankingTable):
        return given
    if isinstance(given, Mapping):
        return _scored(cast("Mapping[str, object]", given), name=name)
    if is_frame(given):
        return ranking_from_frame(given, where=f"run {name!r}")
    if isinstance(given, Iterable):
        return RankingTable.from_records(checked_records(given, Ranking, what=f"run {name!r}"))
    raise InputError(f"run {name!r}: found {type(given).__name__}; expected a dict, a frame, records or a path.")


def run_questions(run: Run) -> frozenset[str]:
    """Return the questions that a run has, failed ones too."""
    if isinstance(run, RankingTable):
        return frozenset(run.questions.to_list()) | frozenset(run.failed)
    return frozenset(run)


def run_content(run: Run) -> str:
    """Return the sha256 of a run, whatever form it came in."""
    return content_key(plain_rows(run), dict(run.failed) if isinstance(run, RankingTable) else {})


def _scored(run: Mapping[str, object], *, name: str) -> Mapping[str, Mapping[str, float]]:
    """Let {question: [documents in order]} through too: the first gets the highest score."""
    kinds = set(map(type, run.values()))  # few, where the questions may be many
    if not any(issubclass(kind, list | tuple) for kind in kinds):
        return cast("Mapping[str, Mapping[str, float]]", run)
    return {
        question: _by_position(found, run=name, question=question)
        if isinstance(found, list | tuple)
        else cast("Mapping[str, float]", found)
        for question, found in run.items()
    }


def _by_position(found: list[str] | tuple[str, ...], *, run: str, question: str) -> dict[str, float]:
    scores = {document: float(len(found) - i) for i, document in enumerate(found)}
    if len(scores) < len(found):
        raise InputError(f"run {run!r}, question {question!r}: a document is listed twice; keep its best rank.")
    return scores
