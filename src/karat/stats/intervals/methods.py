"""Interval methods by name: which data each accepts, and its bounds."""

from __future__ import annotations

from math import ldexp
from typing import TYPE_CHECKING

from karat.core.errors import InputError, UnknownNameError
from karat.stats.intervals.bootstrap_t import bootstrap_t_interval
from karat.stats.intervals.bounds import Bounds
from karat.stats.intervals.cluster_bootstrap import cluster_bootstrap_interval
from karat.stats.intervals.clusters import (
    cluster_cr2_interval,
    cluster_t_interval,
    cluster_wilson_interval,
)
from karat.stats.intervals.hall import hall_interval
from karat.stats.intervals.percentile import bca_interval, percentile_interval
from karat.stats.intervals.student import t_interval
from karat.stats.intervals.tango import tango_interval
from karat.stats.intervals.wilson import normal_quantile, wilson_interval

if TYPE_CHECKING:
    from collections.abc import Callable

    from karat.stats.intervals.sample import Sample

_PLAIN: dict[str, Callable[..., Bounds]] = {
    "bca": bca_interval,
    "bootstrap-percentile": percentile_interval,
    "hall": hall_interval,
    "t": t_interval,
}
_CLUSTERED: dict[str, Callable[..., Bounds]] = {
    "cluster-bootstrap": cluster_bootstrap_interval,
    "cluster-cr2": cluster_cr2_interval,
    "cluster-t": cluster_t_interval,
}
SPREAD_FREE = frozenset({"tango", "wilson"})  # they need no spread in the sample
METHODS = tuple(sorted({"auto", "bootstrap-t", *SPREAD_FREE, *_PLAIN, *_CLUSTERED}))


def check_method(sample: Sample, *, method: str) -> None:
    """Refuse a method that is unknown or that cannot take these data."""
    if method not in METHODS:
        raise UnknownNameError("interval method", method, METHODS)
    if method in _CLUSTERED and sample.clusters is None:
        raise InputError(f"interval method {method!r} needs clusters; none were given. Give them, or use 'auto'.")
    if method not in _CLUSTERED and method not in SPREAD_FREE and sample.groups is not None:
        names = ", ".join(sorted(_CLUSTERED))
        raise InputError(
            f"interval method {method!r} would ignore the clusters. Use 'auto', or one of {names}, wilson."
        )
    if method == "wilson" and not sample.binary:
        raise InputError("interval method 'wilson' needs values of 0 and 1; there are others. Use 'auto' or 'hall'.")
    if method == "tango" and not sample.wins_and_losses:
        raise InputError("interval method 'tango' needs differences of -1, 0 and 1 without clusters. Use 'auto'.")


def bounds_by_name(sample: Sample, *, method: str) -> Bounds | None:
    """The bounds by a checked method; None where the bootstrap-t has none."""
    if method in SPREAD_FREE:
        return _tango(sample) if method == "tango" else _wilson(sample)
    bounds = _by_spread(sample, method=method)
    return None if bounds is None else Bounds(*(ldexp(end, sample.exponent) for end in bounds))


def _by_spread(sample: Sample, *, method: str) -> Bounds | None:
    values, confidence = sample.unit_values, sample.confidence
    if method in _CLUSTERED:
        return _CLUSTERED[method](values, clusters=sample.clusters, confidence=confidence)
    if method == "bootstrap-t":
        return bootstrap_t_interval(values, confidence=confidence, seed=sample.seed)
    return _PLAIN[method](values, confidence=confidence)


def _wilson(sample: Sample) -> Bounds:
    if sample.groups is not None:
        return cluster_wilson_interval(sample.values, clusters=sample.groups, confidence=sample.confidence)
    return wilson_interval(float(sample.values.mean()), n=sample.n, quantile=_z(sample))


def _tango(sample: Sample) -> Bounds:
    # In clusters there are only zeros here, and the clusters are the only units known to be independent.
    units = sample.n if sample.groups is None else sample.groups.count
    wins, losses = int((sample.values > 0).sum()), int((sample.values < 0).sum())
    return tango_interval(wins=wins, losses=losses, n=units, quantile=_z(sample))


def _z(sample: Sample) -> float:
    return normal_quantile((1 + sample.confidence) / 2)
