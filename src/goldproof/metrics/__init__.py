"""Metrics: their names, rankings matched with judgments, scores, and bounds for unjudged documents.

Names load without numpy; everything else is imported when first used.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from goldproof.metrics.catalogue import METRICS, Definition
    from goldproof.metrics.criterion import Criterion, read_criterion
    from goldproof.metrics.incompleteness import Bounds, bounds, unjudged
    from goldproof.metrics.matching.match import Matched, match
    from goldproof.metrics.names import Metric, parse_metric, parse_metrics
    from goldproof.metrics.ranks import JudgedRanks, KernelRanks, Scores
    from goldproof.metrics.scoring import explain, score
else:
    from goldproof.plugins import lazy_exports

    __getattr__, __dir__ = lazy_exports(
        __name__,
        {
            "catalogue": ("Definition", "METRICS"),
            "criterion": ("Criterion", "read_criterion"),
            "incompleteness": ("Bounds", "bounds", "unjudged"),
            "matching.match": ("Matched", "match"),
            "names": ("Metric", "parse_metric", "parse_metrics"),
            "ranks": ("JudgedRanks", "KernelRanks", "Scores"),
            "scoring": ("explain", "score"),
        },
    )

__all__ = [
    "METRICS",
    "Bounds",
    "Criterion",
    "Definition",
    "JudgedRanks",
    "KernelRanks",
    "Matched",
    "Metric",
    "Scores",
    "bounds",
    "explain",
    "match",
    "parse_metric",
    "parse_metrics",
    "read_criterion",
    "score",
    "unjudged",
]
