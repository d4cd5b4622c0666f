"""What `karat.evaluate` takes: dicts, frames, records, tables, datasets or paths, for judgments and for runs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeAlias, TypeVar, cast

from karat.core.dataset import Dataset
from karat.core.errors import InputError
from karat.core.keys import content_key
from karat.core.records import Judgment, Ranking
from karat.core.tables import JudgmentTable, RankingTable
from karat.io import judgments_from_frame, ranking_from_frame, read_dataset, read_ranking

Grades: TypeAlias = Mapping[str, Mapping[str, int]]
Kernels: TypeAlias = Mapping[str, Iterable[Iterable[str]]]
T = TypeVar("T")
ONLY_RUN = "run"
Run: TypeAlias = RankingTable | Mapping[str, Mapping[str, float]]


@dataclass(frozen=True, slots=True, eq=False)
class Judgments:
    """Judgments in a form that can be matched, and what else is known about the questions."""

    grades: JudgmentTable | Grades
    kernels: Mapping[str, tuple[tuple[str, ...], ...]] | None = None
    unanswerable: frozenset[str] = frozenset()
    dataset: Dataset | None = None
    texts: Mapping[str, str] = field(default_factory=dict)

    @property
    def questions(self) -> frozenset[str]:
        """Every question that is judged in some way."""
        if isinstance(self.grades, JudgmentTable):
            table = self.grades
            return frozenset(table.questions.to_list()) | frozenset(table.kernels) | table.unanswerable
        return frozenset(self.grades) | frozenset(self.kernels or ()) | self.unanswerable

    def without(self, questions: frozenset[str]) -> Judgments:
        """Return the judgments less some questions."""
        if not questions:
            return self
        if isinstance(self.grades, JudgmentTable):
            return replace(self, grades=self.grades.without(questions))
        return replace(
            self,
            grades={q: documents for q, documents in self.grades.items() if q not in questions},
            kernels=None if self.kernels is None else {q: k for q, k in self.kernels.items() if q not in questions},
            unanswerable=self.unanswerable - questions,
        )

    @property
    def has_kernels(self) -> bool:
        """Whether any question has a kernel."""
        return bool(self.grades.kernels if isinstance(self.grades, JudgmentTable) else self.kernels)

    @property
    def has_unanswerable(self) -> bool:
        """Whether any question is marked unanswerable."""
        return bool(self.grades.unanswerable if isinstance(self.grades, JudgmentTable) else self.unanswerable)


def as_judgments(given: object, *, kernels: Kernels | None = None, unanswerable: Iterable[str] = ()) -> Judgments:
    """Accept judgments in any of their forms; kernels and unanswerable go with those that cannot hold them."""
    return _check_unanswerable(_as_judgments(given, kernels=kernels, unanswerable=unanswerable))


def _as_judgments(given: object, *, kernels: Kernels | None, unanswerable: Iterable[str]) -> Judgments:
    lacking = as_ids(unanswerable, what="unanswerable")
    if isinstance(given, str | Path):
        given = read_dataset(given)
    if isinstance(given, Dataset):
        texts = {q.id: q.text for q in given.questions if q.text}
        return Judgments(_with(given.judgments, kernels, lacking), dataset=given, texts=texts)
    if isinstance(given, JudgmentTable):
        return Judgments(_with(given, kernels, lacking))
    if isinstance(given, Mapping):
        return Judgments(cast("Grades", given), kernels=_tuples(kernels), unanswerable=lacking)
    if _is_frame(given):
        return Judgments(_with(judgments_from_frame(given, where="judgments"), kernels, lacking))
    if isinstance(given, Iterable):
        records = [_checked(item, Judgment, what="judgments") for item in given]
        return Judgments(_with(JudgmentTable.from_records(records), kernels, lacking))
    raise InputError(
        f"judgments: found {type(given).__name__}; expected a dict, a frame, records, a dataset or a path."
    )


def as_run(given: object, *, name: str) -> Run:
    """Accept a run in any of its forms."""
    if isinstance(given, RankingTable):
        return given
    if isinstance(given, str | Path):
        return read_ranking(given)
    if isinstance(given, Mapping):
        return _scored(cast("Mapping[str, object]", given), name=name)
    if _is_frame(given):
        return ranking_from_frame(given, where=f"run {name!r}")
    if isinstance(given, Iterable):
        return RankingTable.from_records(_checked(item, Ranking, what=f"run {name!r}") for item in given)
    raise InputError(f"run {name!r}: found {type(given).__name__}; expected a dict, a frame, records or a path.")


def as_runs(rankings: object, runs: object) -> dict[str, Run]:
    """Accept one run, or several by name."""
    if (rankings is None) == (runs is None):
        raise InputError("give one run as the second argument, or several as runs={name: run}.")
    if runs is None:
        return {ONLY_RUN: as_run(rankings, name=ONLY_RUN)}
    if not isinstance(runs, Mapping):
        raise InputError(f"runs: found {type(runs).__name__}; expected {{name: run}}.")
    if not runs:
        raise InputError("runs is empty; expected {name: run}.")
    return {str(name): as_run(run, name=str(name)) for name, run in runs.items()}


def as_ids(given: Iterable[str], *, what: str) -> frozenset[str]:
    """Accept a collection of question ids, but not one id: its characters are not what was meant."""
    if isinstance(given, str):
        raise InputError(f"{what}: found the text {given!r}; expected a list of question ids.")
    return frozenset(given)


def run_questions(run: Run) -> frozenset[str]:
    """Return the questions that a run has, failed ones too."""
    if isinstance(run, RankingTable):
        return frozenset(run.questions.to_list()) | frozenset(run.failed)
    return frozenset(run)


def content_of(given: object) -> str:
    """Return the sha256 of judgments or a run, whatever their form."""
    if isinstance(given, Judgments):
        held = given.grades
        own = (
            (held.kernels, held.unanswerable)
            if isinstance(held, JudgmentTable)
            else (given.kernels, given.unanswerable)
        )
        kernels, unanswerable = {q: [list(k) for k in ks] for q, ks in (own[0] or {}).items()}, sorted(own[1])
        return content_key(_plain(held), kernels, unanswerable)
    failed = dict(given.failed) if isinstance(given, RankingTable) else {}
    return content_key(_plain(given), failed)


def _plain(given: object) -> dict[str, dict[str, float]]:
    rows = given.to_dict() if isinstance(given, JudgmentTable | RankingTable) else cast("Grades", given)
    return {question: {d: float(value) for d, value in documents.items()} for question, documents in rows.items()}


def _scored(run: Mapping[str, object], *, name: str) -> Mapping[str, Mapping[str, float]]:
    """Let {question: [documents in order]} through too: the first gets the highest score."""
    kinds = set(map(type, run.values()))  # few, where the questions may be many
    if not any(issubclass(kind, list | tuple) for kind in kinds):
        return cast("Mapping[str, Mapping[str, float]]", run)
    scored: dict[str, Mapping[str, float]] = {}
    for question, found in run.items():
        if isinstance(found, list | tuple):
            scored[question] = {document: float(len(found) - i) for i, document in enumerate(found)}
            if len(scored[question]) < len(found):
                raise InputError(
                    f"run {name!r}, question {question!r}: a document is listed twice; keep its best rank."
                )
        else:
            scored[question] = cast("Mapping[str, float]", found)
    return scored


def _with(table: JudgmentTable, kernels: Kernels | None, more: frozenset[str]) -> JudgmentTable:
    if kernels is None and not more:
        return table
    return JudgmentTable(
        table.questions,
        table.starts,
        table.documents,
        table.grades,
        kernels={**table.kernels, **(_tuples(kernels) or {})},
        unanswerable=table.unanswerable | more,
    )


def _tuples(kernels: Kernels | None) -> dict[str, tuple[tuple[str, ...], ...]] | None:
    if kernels is None:
        return None
    return {question: _alternatives(question, given) for question, given in kernels.items()}


def _alternatives(question: str, given: object) -> tuple[tuple[str, ...], ...]:
    sets = list(given) if isinstance(given, Iterable) and not isinstance(given, str) else [None]
    if not all(isinstance(kernel, Iterable) and not isinstance(kernel, str) for kernel in sets):
        raise InputError(
            f"kernels, question {question!r}: found {given!r}; expected a list of kernels, each a list of ids, "
            "such as [['a', 'b'], ['c']]."
        )
    return tuple(tuple(kernel) for kernel in sets if kernel is not None)


def _check_unanswerable(judgments: Judgments) -> Judgments:
    """A question cannot both have no answer and have a document that answers it."""
    held = judgments.grades
    own = (
        (held.kernels, held.unanswerable)
        if isinstance(held, JudgmentTable)
        else (judgments.kernels, judgments.unanswerable)
    )
    kernels, unanswerable = own[0] or {}, own[1]
    relevant = _with_relevant(held) if unanswerable else set()
    for question in sorted(unanswerable):
        what = "a kernel" if question in kernels else "a relevant document" if question in relevant else None
        if what:
            raise InputError(f"question {question!r} is marked unanswerable, but has {what}; one of the two is wrong.")
    return judgments


def _with_relevant(held: JudgmentTable | Grades) -> set[str]:
    grades = held.to_dict() if isinstance(held, JudgmentTable) else held
    return {question for question, documents in grades.items() if any(grade > 0 for grade in documents.values())}


def _is_frame(given: object) -> bool:
    return hasattr(given, "columns") and hasattr(given, "shape")


def _checked(item: object, kind: type[T], *, what: str) -> T:
    if not isinstance(item, kind):
        raise InputError(f"{what}: found a {type(item).__name__} among the records; expected {kind.__name__}.")
    return item
