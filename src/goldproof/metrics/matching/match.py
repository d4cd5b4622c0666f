"""Match a run with judgments: the rank of every judged document and of every kernel document.

Questions. Every judged question counts: those with grades, then those with only a kernel, then those only marked
unanswerable. One that the run lacks is kept with nothing retrieved (`present` is False); one that only the run has is
dropped and counted (`extra`). `questions="both"` keeps only those that the run has too (a failed one counts as had).

Order. Score descending, then document id descending, in double precision (`goldproof.metrics.matching.order`). `depth`
keeps the first documents of each question after sorting (trec_eval's `-M`).

Grades. A document with a negative grade was pooled but not judged: it is treated as unjudged everywhere, and its row is
left out.

The rankings are the larger side, so the judgments are brought into their form and never the reverse.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import chain
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np
import polars as pl

from goldproof.errors import InputError
from goldproof.metrics.matching.dicts import KnownGrades, checked_dicts, locate_in_dicts
from goldproof.metrics.matching.order import place
from goldproof.metrics.matching.tables import JudgedRows, locate_in_table
from goldproof.metrics.ranks import JudgedRanks, KernelRanks
from goldproof.records.tables import JudgmentTable, RankingTable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from goldproof.metrics.matching.dicts import Grades, Kernels, Run
    from goldproof.records.arrays import BoolArray, IntArray


Questions = Literal["judged", "both"]


@dataclass(frozen=True, slots=True, eq=False)
class Matched:
    """One run against the judgments; arrays are per question, in the order of `questions`.

    judged: has at least one judgment (trec_eval would know the question). unanswerable: marked so. failed: the system
    crashed on it; it has no rows. tied_share: the share of retrieved rows that share their score with another row of
    their question. extra: how many questions of the run are not in the judgments. kernel_ranks: computed when asked
    for.
    """

    questions: list[str]
    ranks: JudgedRanks
    judged: BoolArray
    unanswerable: BoolArray
    failed: BoolArray
    tied_share: float
    extra: int
    kernel_ranks: Callable[[], KernelRanks]

    @property
    def missing(self) -> BoolArray:
        """Questions that the run lacks, without having failed on them."""
        return ~self.ranks.present & ~self.failed


def match(
    judgments: JudgmentTable | Grades,
    rankings: RankingTable | Run,
    *,
    questions: Questions = "judged",
    depth: int | None = None,
    kernels: Kernels | None = None,
    unanswerable: Iterable[str] = (),
) -> Matched:
    """Find the rank of every judged document.

    kernels, unanswerable: for judgments given as a dict; a `JudgmentTable` has its own.
    """
    if depth is not None and depth < 1:
        raise InputError(f"depth {depth} keeps nothing; expected a whole number of at least 1.")
    if questions not in {"judged", "both"}:
        raise InputError(f"questions={questions!r} is unknown; expected 'judged' or 'both'.")
    known = KnownGrades.of(judgments, kernels=kernels, unanswerable=unanswerable)
    run = rankings if isinstance(rankings, RankingTable) else checked_dicts(rankings, what="rankings")
    in_run, failed = _run_questions(run)
    if questions == "both":
        known = known.keep(in_run | failed)
    located = locate(known.questions, known.documents, counts=known.counts, run=run, depth=depth)
    asked = known.questions
    present, crashed = _mask(asked, in_run), _mask(asked, failed)
    judged = sorted_judged(known.question, known.grades)
    hits = sorted_hits(known.question[located.rows], located.rank, known.grades[located.rows])
    return Matched(
        questions=asked,
        ranks=JudgedRanks(len(asked), *hits, *judged, retrieved=located.retrieved, present=present),
        judged=known.counts > 0,
        unanswerable=_mask(asked, known.unanswerable),
        failed=crashed,
        tied_share=located.tied_share,
        extra=len(in_run) + len(failed) - int(present.sum()) - int(crashed.sum()),
        kernel_ranks=cache(lambda: kernel_ranks(known, run, retrieved=located.retrieved, depth=depth)),
    )


def _run_questions(run: RankingTable | Run) -> tuple[AbstractSet[str], AbstractSet[str]]:
    if isinstance(run, RankingTable):
        return set(run.questions.to_list()), set(run.failed)
    return run.keys(), frozenset()


def _mask(questions: Sequence[str], some: AbstractSet[str]) -> BoolArray:
    if not some:
        return np.zeros(len(questions), dtype=np.bool_)
    return np.fromiter(map(some.__contains__, questions), dtype=np.bool_, count=len(questions))


class Located(NamedTuple):
    """Judged documents that were retrieved.

    rows, rank: the judged rows that were retrieved within the depth, rising, and their ranks.
    retrieved: per question, how many documents were retrieved, within the depth.
    """

    rows: IntArray
    rank: IntArray
    retrieved: IntArray
    tied_share: float


def locate(
    questions: Sequence[str],
    documents: list[Mapping[str, object]] | pl.Series,
    *,
    counts: IntArray,
    run: RankingTable | Run,
    depth: int | None,
) -> Located:
    """Look the documents up and place them; counts: how many documents each question has."""
    if isinstance(run, RankingTable):
        retrieved, wanted, rows = locate_in_table(questions, _as_rows(documents, counts), counts=counts, run=run)
    else:
        retrieved, wanted, rows = locate_in_dicts(questions, _as_dicts(documents, counts), counts=counts, run=run)
    placed = place(retrieved, wanted)
    total = int(retrieved.length.sum())
    tied_share = placed.tied_rows / total if total else 0.0
    if depth is None:
        return Located(rows, placed.rank, retrieved.length, tied_share)
    seen = placed.rank <= depth
    return Located(rows[seen], placed.rank[seen], np.minimum(retrieved.length, depth), tied_share)


def _as_rows(documents: list[Mapping[str, object]] | pl.Series, counts: IntArray) -> JudgedRows:
    if not isinstance(documents, pl.Series):
        documents = pl.Series("document", list(chain.from_iterable(documents)), dtype=pl.String)
    return JudgedRows(np.repeat(np.arange(len(counts)), counts), documents)


def _as_dicts(documents: list[Mapping[str, object]] | pl.Series, counts: IntArray) -> list[Mapping[str, object]]:
    if not isinstance(documents, pl.Series):
        return documents
    flat = documents.to_list()
    ends = np.cumsum(counts)
    return [dict.fromkeys(flat[low:high]) for low, high in zip((ends - counts).tolist(), ends.tolist(), strict=True)]


def kernel_ranks(known: KnownGrades, run: RankingTable | Run, *, retrieved: IntArray, depth: int | None) -> KernelRanks:
    """Find the rank of every document of every kernel; 0 where it was not retrieved."""
    number = {question: i for i, question in enumerate(known.questions)}
    asked = sorted(known.kernels, key=number.__getitem__)
    documents = [dict.fromkeys(chain.from_iterable(known.kernels[question])) for question in asked]
    counts = np.array([len(some) for some in documents], dtype=np.int64)
    located = locate(asked, list(documents), counts=counts, run=run, depth=depth)
    ranks = np.zeros(int(counts.sum()), dtype=np.int64)
    ranks[located.rows] = located.rank
    rank_of = iter(ranks.tolist())
    rows: list[tuple[int, int, int]] = []
    kernel_question: list[int] = []
    for question, some in zip(asked, documents, strict=True):
        rank = {document: next(rank_of) for document in some}
        for kernel in known.kernels[question]:
            rows.extend((number[question], len(kernel_question), rank[document]) for document in kernel)
            kernel_question.append(number[question])
    columns = np.array(rows, dtype=np.int64).reshape(-1, 3).T
    return KernelRanks(
        questions=len(known.questions),
        question=columns[0],
        kernel=columns[1],
        rank=columns[2],
        kernel_question=np.array(kernel_question, dtype=np.int64),
        retrieved=retrieved,
    )


WORD = 63  # bits of an integer that is not negative


def sorted_hits(question: IntArray, rank: IntArray, grade: IntArray) -> tuple[IntArray, IntArray, IntArray]:
    """Return (question, rank, grade) sorted by question and rank."""
    judged = grade >= 0
    if not judged.all():
        question, rank, grade = question[judged], rank[judged], grade[judged]
    ranks, grades = _bits(rank), _bits(grade)
    if _bits(question) + ranks + grades < WORD:
        key = np.sort((question << ranks | rank) << grades | grade)
        return key >> (ranks + grades), key >> grades & _ones(ranks), key & _ones(grades)
    order = np.lexsort((rank, question))
    return question[order], rank[order], grade[order]


def sorted_judged(question: IntArray, grade: IntArray) -> tuple[IntArray, IntArray]:
    """Return (question, grade) sorted by question and falling grade."""
    judged = grade >= 0
    if not judged.all():
        question, grade = question[judged], grade[judged]
    grades = _bits(grade)
    if _bits(question) + grades < WORD:
        key = np.sort(question << grades | (_ones(grades) - grade))
        return key >> grades, _ones(grades) - (key & _ones(grades))
    order = np.lexsort((-grade, question))
    return question[order], grade[order]


def _bits(values: IntArray) -> int:
    return int(values.max(initial=0)).bit_length()


def _ones(bits: int) -> int:
    return (1 << bits) - 1
