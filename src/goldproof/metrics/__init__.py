"""Metrics: names, matching of rankings with judgments, scores, bounds.

Names load without numpy; everything else is imported when first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from goldproof.metrics.catalogue import METRICS
from goldproof.metrics.names import Metric, parse_metric, parse_metrics

if TYPE_CHECKING:
    from goldproof.metrics.definition import Definition
    from goldproof.metrics.explanation import explain
    from goldproof.metrics.incomplete import Bounds, bounds, unjudged
    from goldproof.metrics.judged import JudgedRanks, KernelRanks, Scores
    from goldproof.metrics.matched import Matched, match
    from goldproof.metrics.scoring import score

__all__ = [
    "METRICS",
    "Bounds",
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
    "score",
    "unjudged",
]

_LATER = {
    "Bounds": "incomplete",
    "Definition": "definition",
    "JudgedRanks": "judged",
    "KernelRanks": "judged",
    "Matched": "matched",
    "Scores": "judged",
    "bounds": "incomplete",
    "explain": "explanation",
    "match": "matched",
    "score": "scoring",
    "unjudged": "incomplete",
}


def __getattr__(name: str) -> object:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_LATER[name]}"), name)
