"""GMAP and GMAP@k: the geometric mean over questions of average precision, which counts the hard questions most.

Of a single question it is its AP, with AP's conventions: a document is relevant if its grade is at least `rel` (1
unless named: `GMAP(rel=2)`); unjudged documents, and those of negative grade, are not relevant. Ties: score descending,
then document id descending. A judged question that the run lacks scores 0. A question without a relevant document is
undefined. What differs is the number of a run: the geometric mean, in which an AP below 0.00001 counts as that
(trec_eval: gm_map), so that doubling the AP of a bad question weighs as much as doubling that of a good one.

    GMAP = exp(mean over questions of ln(max(AP, 0.00001)))

The interval of a run is that of the mean logarithm, taken back by exp. Of two runs the difference of the geometric
means is shown, with an interval by the bootstrap over questions; the test is on the logarithms, as Robertson suggests,
so it asks whether the ratio of the two is 1.

Robertson, On GMAP, and other transformations, CIKM 2006.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldproof.metrics.catalogue import SHAPES, Definition
from goldproof.metrics.ranking.average_precision import DEFINITION as AP
from goldproof.metrics.ranking.average_precision import average_precision

if TYPE_CHECKING:
    from goldproof.metrics.ranks import JudgedRanks
    from goldproof.records.arrays import FloatArray


def question_ap(ranks: JudgedRanks, *, k: int | None, rel: int) -> FloatArray:
    """Return AP, of which runs have the geometric mean."""
    return average_precision(ranks, k=k, rel=rel)


DEFINITION = Definition(
    shape=SHAPES["GMAP"],
    kind="relevance",
    summary="Geometric mean over questions of AP; of one question, its AP.",
    formula="exp(mean of ln(max(AP, 0.00001)))",
    kernel=question_ap,
    explain=AP.explain,
    aggregate="geometric",
)
