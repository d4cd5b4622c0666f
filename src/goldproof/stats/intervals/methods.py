"""Interval methods by name: which data each accepts, and its bounds."""

from __future__ import annotations

from math import ldexp
from typing import TYPE_CHECKING

from goldproof.core.errors import InputError, UnknownNameError
from goldproof.stats.intervals.bootstrap_t import bootstrap_t_interval
from goldproof.stats.intervals.bounds import Bounds
from goldproof.stats.intervals.cluster_bootstrap import cluster_bootstrap_interval
from goldproof.stats.intervals.clustered import cluster_cr2_interval, cluster_t_interval, cluster_wilson_interval
from goldproof.stats.intervals.gaffke import gaffke_interval
from goldproof.stats.intervals.hall import hall_interval
from goldproof.stats.intervals.percentile import bca_interval, percentile_interval
from goldproof.stats.intervals.student import t_interval
from goldproof.stats.intervals.tango import tango_interval
from goldproof.stats.intervals.wilson import normal_quantile, wilson_interval
from goldproof.stats.sample import unit_values

if TYPE_CHECKING:
    from collections.abc import Callable

    from goldproof.stats.intervals.basis import Basis

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
# What the clustered methods are where every value stands alone.
_ALONE = {"cluster-bootstrap": "bootstrap-percentile", "cluster-cr2": "t", "cluster-t": "t"}
SPREAD_FREE = frozenset({"gaffke", "tango", "wilson"})  # they need no spread in the sample
METHODS = tuple(sorted({"auto", "bootstrap-t", *SPREAD_FREE, *_PLAIN, *_CLUSTERED}))


def method_for(basis: Basis, *, method: str) -> str:
    """The method that this name means on these data; refused where it is unknown or cannot take them."""
    if method not in METHODS:
        raise UnknownNameError("interval method", method, METHODS)
    if method in _CLUSTERED and not basis.labelled:
        raise InputError(f"interval method {method!r} needs clusters; none were given. Give them, or use 'auto'.")
    if method not in _CLUSTERED and method not in SPREAD_FREE and basis.clusters is not None:
        names = ", ".join(sorted(_CLUSTERED))
        raise InputError(
            f"interval method {method!r} would ignore the clusters. Use 'auto', or one of {names}, gaffke, wilson."
        )
    if method == "wilson" and not (basis.binary or (basis.clusters is not None and basis.shares)):
        raise InputError(
            "interval method 'wilson' needs values of 0 and 1 of a bounded metric, in clusters values from 0 to 1. "
            "Use 'auto' or 'hall'."
        )
    if method == "tango" and not basis.wins_and_losses:
        raise InputError(
            "interval method 'tango' needs differences of -1, 0 and 1 of a bounded metric, not in clusters. Use 'auto'."
        )
    if method == "gaffke" and not basis.within_one:
        raise InputError("interval method 'gaffke' needs differences of a metric within 0 and 1. Use 'auto'.")
    return _ALONE.get(method, method) if basis.clusters is None else method


def bounds_by_name(basis: Basis, *, method: str) -> Bounds | None:
    """The bounds by a checked method; None where the bootstrap-t has none."""
    if method == "gaffke":
        return gaffke_interval(basis.values, clusters=basis.clusters, confidence=basis.confidence)
    if method in SPREAD_FREE:
        return _tango(basis) if method == "tango" else _wilson(basis)
    bounds = _by_spread(basis, method=method)
    return None if bounds is None else Bounds(*(ldexp(end, basis.exponent) for end in bounds))


def _by_spread(basis: Basis, *, method: str) -> Bounds | None:
    values, confidence = unit_values(basis.values), basis.confidence
    if method in _CLUSTERED:
        return _CLUSTERED[method](values, clusters=basis.clusters, confidence=confidence)
    if method == "bootstrap-t":
        return bootstrap_t_interval(values, confidence=confidence, seed=basis.seed)
    return _PLAIN[method](values, confidence=confidence)


def _wilson(basis: Basis) -> Bounds:
    if basis.clusters is not None:
        return cluster_wilson_interval(basis.values, clusters=basis.clusters, confidence=basis.confidence)
    return wilson_interval(float(basis.values.mean()), n=basis.n, quantile=_z(basis))


def _tango(basis: Basis) -> Bounds:
    # In clusters there are only zeros here, and the clusters are the only units known to be independent.
    units = basis.n if basis.clusters is None else basis.clusters.count
    wins, losses = int((basis.values > 0).sum()), int((basis.values < 0).sum())
    return tango_interval(wins=wins, losses=losses, n=units, quantile=_z(basis))


def _z(basis: Basis) -> float:
    return normal_quantile((1 + basis.confidence) / 2)
