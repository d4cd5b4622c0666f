"""Which metrics a command can compute: those of rankings, or those of search traces.

Names of both kinds live in one registry, so each is known wherever it is read (score files, gates, `goldproof
metrics`). Where the wrong kind is asked for, one sentence says what it is and where it is computed.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from goldproof.core.errors import InputError
from goldproof.metrics.catalogue import METRICS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from goldproof.metrics.definition import Subject
    from goldproof.metrics.names import Metric

_WHERE: Mapping[Subject, str] = MappingProxyType(
    {
        "ranking": "of rankings: use goldproof eval (in Python goldproof.evaluate)",
        "trace": "of search traces: use goldproof trace (in Python goldproof.score_traces)",
    }
)
# What may have been meant: the same letters stand for something else on the other side.
_INSTEAD: Mapping[str, str] = MappingProxyType(
    {
        "DCG": "the discounted gain of a ranking is nDCG{cutoff}",
        "R": "the numbers of results of a trace (R, UR, GR, Dup) are columns of its output, not metrics",
        "nDCG": "the discounted gain of a trace is DCG{cutoff}",
    }
)


def require_subject(metrics: Iterable[Metric], subject: Subject) -> None:
    """Refuse metrics that are measured on something else than `subject`."""
    wrong = [metric for metric in metrics if METRICS.get(metric.family).subject != subject]
    if not wrong:
        return
    where = _WHERE["trace" if subject == "ranking" else "ranking"]
    names = ", ".join(map(str, wrong))
    verb = "is a metric" if len(wrong) == 1 else "are metrics"
    instead = {_instead(metric): None for metric in wrong if metric.family in _INSTEAD}
    raise InputError("; ".join([f"{names} {verb} {where}", *instead]) + ".")


def _instead(metric: Metric) -> str:
    return _INSTEAD[metric.family].format(cutoff="" if metric.cutoff is None else f"@{metric.cutoff}")
