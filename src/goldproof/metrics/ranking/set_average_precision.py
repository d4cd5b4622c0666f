"""SetAP: precision times recall of all that was retrieved, in any order.

A document is relevant if its grade is at least `rel` (1 unless named: `SetAP(rel=2)`). Unjudged documents, and those of
negative grade, are not relevant. Ties do not matter: no order does. Nothing retrieved scores 0, and so does a judged
question that the run lacks. A question without a relevant document is undefined. Equal to trec_eval's set_map.

    SetAP = P * R = |relevant documents retrieved|^2 / (|documents retrieved| * |relevant documents|)

The product has no meaning of its own; `F1` is the usual way to join the two. trec_eval 9, m_set_map.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldproof.metrics.catalogue import SHAPES, Definition
from goldproof.metrics.ranks import ratio, relevant_found, relevant_total

if TYPE_CHECKING:
    from goldproof.metrics.ranks import JudgedRanks
    from goldproof.records.arrays import FloatArray


def set_average_precision(ranks: JudgedRanks, *, rel: int) -> FloatArray:
    """Precision times recall of everything that was retrieved."""
    found, total = relevant_found(ranks, rel=rel, k=None), relevant_total(ranks, rel=rel)
    return ratio(found, ranks.retrieved) * ratio(found, total)


def _explain(ranks: JudgedRanks, *, rel: int) -> str:
    found, total = int(relevant_found(ranks, rel=rel, k=None)[0]), int(relevant_total(ranks, rel=rel)[0])
    retrieved = int(ranks.retrieved[0])
    if not retrieved:
        return "nothing retrieved -> 0"
    return (
        f"{found} of {retrieved} documents retrieved are relevant, {found} of {total} relevant documents found "
        f"-> {found}/{retrieved} * {found}/{total}"
    )


DEFINITION = Definition(
    shape=SHAPES["SetAP"],
    kind="relevance",
    summary="Precision times recall of all that was retrieved, in any order.",
    formula="relevant retrieved / retrieved * relevant retrieved / relevant",
    kernel=set_average_precision,
    explain=_explain,
)
