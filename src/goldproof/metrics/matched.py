"""Rankings against judgments: what every metric is computed from.

Questions. Every judged question counts: those with grades, then those with only a kernel, then those only marked
unanswerable. One that the run lacks is kept with nothing retrieved (`present` is False); one that only the run has is
dropped and counted (`extra`). `questions="both"` keeps only those that the run has too (a failed one counts as had).

Order. Score descending, then document id descending, in double precision (`goldproof.metrics.matching.order`). `depth`
keeps the first documents of each question after sorting (trec_eval's `-M`).

Grades. A document with a negative grade was pooled but not judged: it is treated as unjudged everywhere.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Literal

import numpy as np

from goldproof.core.errors import InputError
from goldproof.core.tables import JudgmentTable, RankingTable
from goldproof.metrics.judged import JudgedRanks
from goldproof.metrics.matching.dicts import checked_dicts
from goldproof.metrics.matching.judgments import Known
from goldproof.metrics.matching.kernels import kernel_ranks
from goldproof.metrics.matching.locate import locate
from goldproof.metrics.matching.packing import sorted_hits, sorted_judged

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from collections.abc import Set as AbstractSet

    from goldproof.core.arrays import BoolArray
    from goldproof.metrics.judged import KernelRanks
    from goldproof.metrics.matching.dicts import Grades, Run
    from goldproof.metrics.matching.judgments import Kernels

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
    known = Known.of(judgments, kernels=kernels, unanswerable=unanswerable)
    run = rankings if isinstance(rankings, RankingTable) else checked_dicts(rankings, what="rankings")
    in_run, failed = _run_questions(run)
    if questions == "both":
        known = known.keep(in_run | failed)
    found = locate(known.questions, known.documents, counts=known.counts, run=run, depth=depth)
    asked = known.questions
    present, crashed = _mask(asked, in_run), _mask(asked, failed)
    judged = sorted_judged(known.question, known.grades)
    hits = sorted_hits(known.question[found.rows], found.rank, known.grades[found.rows])
    return Matched(
        questions=asked,
        ranks=JudgedRanks(len(asked), *hits, *judged, retrieved=found.retrieved, present=present),
        judged=known.counts > 0,
        unanswerable=_mask(asked, known.unanswerable),
        failed=crashed,
        tied_share=found.tied_share,
        extra=len(in_run) + len(failed) - int(present.sum()) - int(crashed.sum()),
        kernel_ranks=cache(lambda: kernel_ranks(known, run, retrieved=found.retrieved, depth=depth)),
    )


def _run_questions(run: RankingTable | Run) -> tuple[AbstractSet[str], AbstractSet[str]]:
    if isinstance(run, RankingTable):
        return set(run.questions.to_list()), set(run.failed)
    return run.keys(), frozenset()


def _mask(questions: Sequence[str], some: AbstractSet[str]) -> BoolArray:
    if not some:
        return np.zeros(len(questions), dtype=np.bool_)
    return np.fromiter(map(some.__contains__, questions), dtype=np.bool_, count=len(questions))
