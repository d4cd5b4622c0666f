"""Which metric families exist, and what may stand around their names.

The shape of a name (cutoff, parameters) is known without loading the metric; what the metric is (`Definition`) is
loaded when first asked for. Plug-ins register a `Definition` under the entry point `metric.<family>`.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal

from goldproof.core.registry import Registry

if TYPE_CHECKING:
    from collections.abc import Mapping

    from goldproof.metrics.definition import Definition

Cutoff = Literal["required", "optional", "none"]
Separator = Literal["@", "_"]


@dataclass(frozen=True, slots=True)
class Shape:
    """How names of one family look: `P(rel=2)@5` has the family P, the parameter rel and the cutoff 5.

    separator: stands before the cutoff. usual: the cutoff in examples.
    """

    family: str
    cutoff: Cutoff
    params: tuple[str, ...] = ()
    separator: Separator = "@"
    usual: int = 10

    @property
    def example(self) -> str:
        """A name of this family."""
        return self.spell(self.usual)

    def spell(self, cutoff: int | str | None) -> str:
        """Return the name with this cutoff, where names have one."""
        return self.family if self.cutoff == "none" or cutoff is None else f"{self.family}{self.separator}{cutoff}"


_BUILT_IN: tuple[tuple[Shape, str], ...] = (
    (Shape("AP", "optional", ("rel", "judged_only")), "goldproof.metrics.ranking.average_precision"),
    (Shape("AvgGain", "optional", separator="_", usual=3), "goldproof.metrics.gain.average_gain"),
    (Shape("Bpref", "none", ("rel",)), "goldproof.metrics.ranking.bpref"),
    (Shape("CG", "optional", usual=3), "goldproof.metrics.gain.cumulative_gain"),
    (Shape("DCG", "optional", usual=3), "goldproof.metrics.gain.discounted_gain"),
    (Shape("DRAG", "optional", usual=3), "goldproof.metrics.gain.discounted_average_gain_rate"),
    (Shape("DRG", "optional", usual=3), "goldproof.metrics.gain.discounted_gain_rate"),
    (Shape("F1", "optional", ("rel", "judged_only")), "goldproof.metrics.ranking.f1"),
    (Shape("FalseSurface", "required"), "goldproof.metrics.sets.false_surface"),
    (Shape("Hit", "required", ("rel", "judged_only")), "goldproof.metrics.ranking.hit"),
    (Shape("IterationsForAllGoodResults", "none"), "goldproof.metrics.gain.iterations_for_all_good_results"),
    (Shape("Jaccard", "required"), "goldproof.metrics.sets.jaccard"),
    (Shape("Judged", "required"), "goldproof.metrics.ranking.judged_share"),
    (Shape("P", "optional", ("rel", "judged_only")), "goldproof.metrics.ranking.precision"),
    (Shape("R", "optional", ("rel", "judged_only")), "goldproof.metrics.ranking.recall"),
    (Shape("RAG", "optional", usual=3), "goldproof.metrics.gain.average_gain_rate"),
    (Shape("RG", "optional", usual=3), "goldproof.metrics.gain.gain_rate"),
    (Shape("RR", "optional", ("rel", "judged_only")), "goldproof.metrics.ranking.reciprocal_rank"),
    (Shape("Rprec", "none", ("rel", "judged_only")), "goldproof.metrics.ranking.r_precision"),
    (Shape("SRE", "optional", usual=3), "goldproof.metrics.gain.result_efficiency"),
    (Shape("SRR", "optional", usual=3), "goldproof.metrics.gain.result_redundancy"),
    (Shape("SetRecall", "required"), "goldproof.metrics.sets.set_recall"),
    (Shape("SetSuccess", "required"), "goldproof.metrics.sets.set_success"),
    (Shape("nDCG", "optional", ("dcg", "judged_only")), "goldproof.metrics.ranking.ndcg"),
)

SHAPES: Mapping[str, Shape] = MappingProxyType({shape.family: shape for shape, _ in _BUILT_IN})
METRICS: Registry[Definition] = Registry("metric")
for _shape, _module in _BUILT_IN:
    METRICS.register(_shape.family, f"{_module}:DEFINITION")
