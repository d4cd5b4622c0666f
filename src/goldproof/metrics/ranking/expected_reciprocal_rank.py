"""ERR and ERR@k: the expected reciprocal of the rank at which a reader is satisfied.

The reader goes down the list and stops at a document of grade g with probability (2^g - 1) / 16, as in TREC's gdeval
(grades 0 to 4), which ir_measures runs too. A higher grade is refused. Unjudged documents, and those of negative grade,
never satisfy. Ties: score descending, then document id descending. A judged question that the run lacks scores 0. A
question without a document of grade 1 or more is undefined. One document of grade 4 at the top gives 15/16, not 1.

    ERR@k = sum over ranks r <= k of 1/r * s(r) * product over ranks q < r of (1 - s(q)),  s(r) = (2^grade(r) - 1) / 16

Chapelle, Metzler, Zhang and Grinspan, Expected reciprocal rank for graded relevance, CIKM 2009.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from goldproof.errors import InputError
from goldproof.metrics.catalogue import SHAPES, Definition
from goldproof.metrics.ranks import relevant_hits

if TYPE_CHECKING:
    from goldproof.metrics.ranks import JudgedRanks
    from goldproof.records.arrays import FloatArray

HIGHEST_GRADE = 4
_SHOWN = 6


def expected_reciprocal_rank(ranks: JudgedRanks, *, k: int | None) -> FloatArray:
    """Sum over the documents of the first k of the chance to stop there, over the rank."""
    highest = int(ranks.judged_grade.max(initial=0))
    if highest > HIGHEST_GRADE:
        raise InputError(
            f"ERR: a document has grade {highest}, but ERR knows grades of 0 to {HIGHEST_GRADE}; use nDCG, or grades "
            f"up to {HIGHEST_GRADE}."
        )
    hits, satisfies = relevant_hits(ranks, rel=1, k=k), _satisfies(ranks, k=k)
    value, still_reading = np.zeros(ranks.questions), np.ones(ranks.questions)
    by_nth = np.argsort(hits.nth, kind="stable")
    for rows in np.split(by_nth, np.cumsum(np.bincount(hits.nth)[1:-1])):  # a question has one nth document each
        question = hits.question[rows]
        value[question] += still_reading[question] * satisfies[rows] / hits.rank[rows]
        still_reading[question] *= 1.0 - satisfies[rows]
    return value


def _satisfies(ranks: JudgedRanks, *, k: int | None) -> FloatArray:
    """Return the chance that a reader stops, for each document of grade 1 or more among the first k."""
    seen = (ranks.grade >= 1) & (ranks.rank <= (k or ranks.rank.max(initial=0)))
    chance: FloatArray = (np.exp2(ranks.grade[seen]) - 1.0) / 2**HIGHEST_GRADE
    return chance


def _explain(ranks: JudgedRanks, *, k: int | None) -> str:
    reading, parts = 1.0, []
    for rank, chance in zip(relevant_hits(ranks, rel=1, k=k).rank.tolist(), _satisfies(ranks, k=k), strict=True):
        parts.append(f"{reading * chance:.4f}/{rank}")
        reading *= 1.0 - chance
    terms = " + ".join([*parts[:_SHOWN], *(["..."] if len(parts) > _SHOWN else [])]) or "0"
    return f"chance to stop at a document, over its rank -> {terms}"


DEFINITION = Definition(
    shape=SHAPES["ERR"],
    kind="relevance",
    summary="Expected reciprocal of the rank at which a reader is satisfied; a grade g satisfies by (2^g - 1) / 16.",
    formula="sum over ranks r <= k of the chance to stop at r / r",
    kernel=expected_reciprocal_rank,
    explain=_explain,
)
