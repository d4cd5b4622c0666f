"""NumRet, NumRel and NumRelRet: how many documents were retrieved, are relevant, and are both.

No measures of quality: neither more nor less is better, so these counts are described, never tested, and no gate can
ask which run is worse on them (`--fail-if "NumRet < 10"` works). A document is relevant if its grade is at least `rel`
(1 unless named: `NumRelRet(rel=2)`, which ir_measures also calls `NumRet(rel=2)`). Unjudged documents count as
retrieved, not as relevant. Ties do not matter. A judged question that the run lacks has 0 retrieved; its NumRel is a
property of the question. No relevant document: 0. A question without any judgment is undefined.

    NumRet    = |documents retrieved|
    NumRel    = |relevant documents|
    NumRelRet = |relevant documents retrieved|

The mean over questions is shown; trec_eval and ir_measures print the sum, which is `total` in `--json`.

Buckley and Voorhees, Retrieval System Evaluation, in TREC: Experiment and Evaluation in Information Retrieval, 2005.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldproof.metrics.catalogue import SHAPES, Definition
from goldproof.metrics.ranks import relevant_found, relevant_total

if TYPE_CHECKING:
    from goldproof.metrics.ranks import JudgedRanks
    from goldproof.records.arrays import FloatArray


def number_retrieved(ranks: JudgedRanks) -> FloatArray:
    """Count the documents retrieved."""
    return ranks.retrieved.astype(float)


def number_relevant(ranks: JudgedRanks, *, rel: int) -> FloatArray:
    """Count the relevant documents."""
    return relevant_total(ranks, rel=rel).astype(float)


def number_relevant_retrieved(ranks: JudgedRanks, *, rel: int) -> FloatArray:
    """Count the relevant documents retrieved."""
    return relevant_found(ranks, rel=rel, k=None).astype(float)


def _explain_retrieved(ranks: JudgedRanks) -> str:
    return f"documents retrieved -> {int(ranks.retrieved[0])}"


def _explain_relevant(ranks: JudgedRanks, *, rel: int) -> str:
    return f"documents of grade {rel} or more -> {int(relevant_total(ranks, rel=rel)[0])}"


def _explain_relevant_retrieved(ranks: JudgedRanks, *, rel: int) -> str:
    found = int(relevant_found(ranks, rel=rel, k=None)[0])
    return f"of {int(ranks.retrieved[0])} documents retrieved, those of grade {rel} or more -> {found}"


NUM_RET = Definition(
    shape=SHAPES["NumRet"],
    kind="results",
    summary="Number of documents retrieved.",
    formula="retrieved",
    kernel=number_retrieved,
    explain=_explain_retrieved,
    upper=None,
    tested=False,
)

NUM_REL = Definition(
    shape=SHAPES["NumRel"],
    kind="judgments",
    summary="Number of relevant documents, retrieved or not.",
    formula="relevant",
    kernel=number_relevant,
    explain=_explain_relevant,
    upper=None,
    tested=False,
)

NUM_REL_RET = Definition(
    shape=SHAPES["NumRelRet"],
    kind="results",
    summary="Number of relevant documents retrieved.",
    formula="relevant retrieved",
    kernel=number_relevant_retrieved,
    explain=_explain_relevant_retrieved,
    upper=None,
    tested=False,
)
