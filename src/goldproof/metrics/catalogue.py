"""Registry of metrics: the definition of each, and the shape of its names.

The shape of a name (cutoff, parameters) is known without loading the metric; what the metric is (`Definition`) is
loaded when first asked for. Plug-ins register a `Definition` under the entry point `metric.<family>`.
"""

from __future__ import annotations

import inspect
import sys
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal

from goldproof.plugins import Registry

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from goldproof.metrics.names import Metric
    from goldproof.records.arrays import FloatArray


Cutoff = Literal["required", "optional", "none", "recall"]

Separator = Literal["@", "_"]


@dataclass(frozen=True, slots=True)
class Shape:
    """How names of one family look: `P(rel=2)@5` has the family P, the parameter rel and the cutoff 5.

    cutoff: "recall" is a level of recall from 0 to 1 in the place of a rank (`IPrec@0.1`), and is required.
    separator: the sign before the cutoff. usual: the cutoff in examples.
    """

    family: str
    cutoff: Cutoff
    params: tuple[str, ...] = ()
    separator: Separator = "@"
    usual: float = 10

    @property
    def example(self) -> str:
        """A name of this family."""
        return self.spell(self.usual)

    def spell(self, cutoff: float | str | None) -> str:
        """Return the name with this cutoff, where names have one."""
        return self.family if self.cutoff == "none" or cutoff is None else f"{self.family}{self.separator}{cutoff}"


Kind = Literal[
    "relevance", "kernel", "coverage", "unanswerable", "results", "judgments", "gain", "search", "completion"
]

Aggregate = Literal["mean", "geometric"]

Subject = Literal["ranking", "trace"]

_TRACE_KINDS: frozenset[Kind] = frozenset({"gain", "search", "completion"})


@dataclass(frozen=True, slots=True)
class Definition:
    """One metric family.

    kind decides what the kernel sees and where its value is undefined:
      relevance: `JudgedRanks`; undefined where no document is relevant
      kernel: `KernelRanks`; undefined where the question has no kernel
      coverage: `JudgedRanks`; undefined where nothing was retrieved
      unanswerable: `JudgedRanks`; undefined where the question is answerable
      results: `JudgedRanks`; counts what was retrieved; undefined where nothing is judged
      judgments: `JudgedRanks`; counts judgments, so a run can neither lack the question nor fail on it; undefined where
        nothing is judged
    and, of search traces:
      gain: `Iterations`; undefined where results came but none is labelled and no label judges the question
      search: `Iterations`; needs no labels
      completion: per conversation the iteration by which the whole pool of good results had appeared, 0 for never;
        undefined where the pool is empty
    The three are undefined where nothing was searched, the first two also beyond the last iteration.
    kernel: of rankings, called with the ranks and, by name, `k` (unless names have no cutoff; `recall` where that is
      what they have) and those of `rel`, `p`, `dcg` and `norm` that the shape has (`judged_only` and `gains` choose the
      ranks); returns one value per question, in which the undefined ones are ignored. Of gain and search, called with
      the iterations alone; returns one value per iteration. Of completion, one per conversation.
    explain: the same arguments for a single question; returns one sentence with the numbers. Of gain and search, called
      with the iterations of one conversation and by name `k`, None for the last; of completion, with one number and by
      name `pool`, how many good results there are.
    lower, upper: bounds of the value; `highest` for a metric with parameters.
    aggregate: how the values of questions become one number for a run.
    tested: False for counts, of which neither more nor less is better: they are described, and no run wins on them.
    """

    shape: Shape
    kind: Kind
    summary: str
    formula: str
    kernel: Callable[..., FloatArray]
    explain: Callable[..., str]
    higher_is_better: bool = True
    lower: float = 0.0
    upper: float | None = 1.0
    aggregate: Aggregate = "mean"
    tested: bool = True

    def highest(self, metric: Metric) -> float | None:
        """Return the upper bound of the value of a metric of this family: none where it is not normalised."""
        return self.upper if metric.norm else None

    @property
    def family(self) -> str:
        """The name without parameters and cutoff."""
        return self.shape.family

    @property
    def subject(self) -> Subject:
        """What the metric is measured on."""
        return "trace" if self.kind in _TRACE_KINDS else "ranking"

    @property
    def help(self) -> str:
        """The docstring of the metric's module: conventions, formula, citation."""
        module = sys.modules[self.kernel.__module__]
        return inspect.cleandoc(module.__doc__ or self.summary)


_BUILT_IN: tuple[tuple[Shape, str], ...] = (
    (Shape("AP", "optional", ("rel", "judged_only")), "goldproof.metrics.ranking.average_precision"),
    (Shape("AvgGain", "optional", separator="_", usual=3), "goldproof.metrics.gain.average_gain"),
    (Shape("Bpref", "none", ("rel",)), "goldproof.metrics.ranking.bpref"),
    (Shape("CG", "optional", usual=3), "goldproof.metrics.gain.cumulative_gain"),
    (Shape("DCG", "optional", usual=3), "goldproof.metrics.gain.discounted_gain"),
    (Shape("DRAG", "optional", usual=3), "goldproof.metrics.gain.discounted_average_gain_rate"),
    (Shape("DRG", "optional", usual=3), "goldproof.metrics.gain.discounted_gain_rate"),
    (Shape("ERR", "optional", ("judged_only",)), "goldproof.metrics.ranking.expected_reciprocal_rank"),
    (Shape("F1", "optional", ("rel", "judged_only")), "goldproof.metrics.ranking.f1"),
    (Shape("FalseSurface", "required"), "goldproof.metrics.sets.false_surface"),
    (Shape("GMAP", "optional", ("rel", "judged_only")), "goldproof.metrics.ranking.geometric_mean_ap"),
    (Shape("Hit", "required", ("rel", "judged_only")), "goldproof.metrics.ranking.hit"),
    (
        Shape("IPrec", "recall", ("rel", "judged_only"), usual=0.1),
        "goldproof.metrics.ranking.interpolated_precision",
    ),
    (Shape("IterationsForAllGoodResults", "none"), "goldproof.metrics.gain.iterations_for_all_good_results"),
    (Shape("Jaccard", "required"), "goldproof.metrics.sets.jaccard"),
    (Shape("Judged", "required"), "goldproof.metrics.ranking.judged_share"),
    (Shape("NumRel", "none", ("rel",)), "goldproof.metrics.ranking.counts:NUM_REL"),
    (Shape("NumRelRet", "none", ("rel",)), "goldproof.metrics.ranking.counts:NUM_REL_RET"),
    (Shape("NumRet", "none"), "goldproof.metrics.ranking.counts:NUM_RET"),
    (Shape("P", "optional", ("rel", "judged_only")), "goldproof.metrics.ranking.precision"),
    (Shape("R", "optional", ("rel", "judged_only")), "goldproof.metrics.ranking.recall"),
    (Shape("RAG", "optional", usual=3), "goldproof.metrics.gain.average_gain_rate"),
    (Shape("RBP", "optional", ("p", "rel", "judged_only")), "goldproof.metrics.ranking.rank_biased_precision"),
    (Shape("RG", "optional", usual=3), "goldproof.metrics.gain.gain_rate"),
    (Shape("RR", "optional", ("rel", "judged_only")), "goldproof.metrics.ranking.reciprocal_rank"),
    (Shape("Rprec", "none", ("rel", "judged_only")), "goldproof.metrics.ranking.r_precision"),
    (Shape("SRE", "optional", usual=3), "goldproof.metrics.gain.result_efficiency"),
    (Shape("SRR", "optional", usual=3), "goldproof.metrics.gain.result_redundancy"),
    (Shape("SetAP", "none", ("rel", "judged_only")), "goldproof.metrics.ranking.set_average_precision"),
    (Shape("SetRecall", "required"), "goldproof.metrics.sets.set_recall"),
    (Shape("SetSuccess", "required"), "goldproof.metrics.sets.set_success"),
    (Shape("nDCG", "optional", ("dcg", "gains", "norm", "judged_only")), "goldproof.metrics.ranking.ndcg"),
)

SHAPES: Mapping[str, Shape] = MappingProxyType({shape.family: shape for shape, _ in _BUILT_IN})

METRICS: Registry[Definition] = Registry("metric")

for _shape, _module in _BUILT_IN:
    METRICS.register(_shape.family, _module if ":" in _module else f"{_module}:DEFINITION")
