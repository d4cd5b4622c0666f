"""How often each interval covers: the tables of docs/statistics/coverage.md.

Run: python benchmarks/interval_coverage.py [SECTION ...] [--replications 6000]; sections are bernoulli, independent,
more, differences, clustered, few-clusters, ties, effects.

Bernoulli coverage is exact (a sum over the binomial), and so are the false ties of wins and losses (a sum over the
trinomial). The rest is simulated with fixed seeds, few-clusters and ties with a third of the replications. A sample
without an interval counts as not covered. All sections take about 25 minutes of CPU time; --replications 600 gives a
first look in a tenth of that.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import exp, sqrt
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import bdtr, expit, gammaln, logit, ndtr, xlogy

from goldproof.core.arrays import FloatArray, IntArray
from goldproof.stats.clusters import Clusters
from goldproof.stats.effects import rank_biserial
from goldproof.stats.interval import Interval, difference_interval, mean_interval
from goldproof.stats.intervals.bootstrap_t import bootstrap_t_interval
from goldproof.stats.intervals.bounds import Bounds
from goldproof.stats.intervals.hall import _inverse, skewness
from goldproof.stats.intervals.student import t_quantile
from goldproof.stats.noncentral_t import bisect

if TYPE_CHECKING:
    from goldproof.stats.outcome import Effect

Draw = Callable[[np.random.Generator, int], FloatArray]
DrawClusters = Callable[[np.random.Generator, IntArray], FloatArray]

SECTIONS = ("bernoulli", "independent", "more", "differences", "clustered", "few-clusters", "ties", "effects")
REPLICATIONS = 6_000  # standard error 0.3 points at 95%
SLOW_REPLICATIONS = 2_000  # for the bootstraps: 0.5 points
RESAMPLES = 999  # for the bootstrap-t
SIZES = (20, 50, 100, 500)
GROUPS = (10, 20, 50)
SLOW = {"bootstrap-percentile", "bca", "bootstrap-t", "cluster-bootstrap"}
PLAIN = ("auto", "t", "hall", "bootstrap-percentile", "bca", "bootstrap-t")
CLUSTERED = ("auto", "cluster-t", "cluster-cr2", "cluster-bootstrap", "wilson")


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a table: percentages by method, and how often auto carried a note (None: not asked)."""

    data: str
    n: str
    coverage: dict[str, float]
    noted: float | None = None


def reciprocal_ranks(rng: np.random.Generator, n: int) -> FloatArray:
    rank = rng.geometric(0.35, n)
    found = (rank <= 10) & (rng.random(n) < 0.8)
    return np.where(found, 1.0 / rank, 0.0)


def sparse(rng: np.random.Generator, n: int) -> FloatArray:
    return np.where(rng.random(n) < 0.05, rng.random(n), 0.0)


INDEPENDENT: dict[str, tuple[Draw, float]] = {
    "reciprocal rank": (reciprocal_ranks, 0.8 * sum(0.35 * 0.65 ** (r - 1) / r for r in range(1, 11))),
    "5% non-zero": (sparse, 0.025),
    "beta(.5, .8)": (lambda rng, n: rng.beta(0.5, 0.8, n), 0.5 / 1.3),
    "lognormal(1)": (lambda rng, n: rng.lognormal(0.0, 1.0, n), exp(0.5)),
}


def mixed_scores(rng: np.random.Generator, n: int) -> FloatArray:
    """20% are 0, 30% are 1, the rest uniform between: like nDCG."""
    kind = rng.random(n)
    return np.where(kind < 0.2, 0.0, np.where(kind < 0.5, 1.0, rng.random(n)))


MORE: dict[str, tuple[Draw, float]] = {
    "20% 0, 30% 1, rest uniform": (mixed_scores, 0.55),
    "P@10, mean .15": (lambda rng, n: rng.binomial(10, rng.beta(0.6, 3.4, n)) / 10.0, 0.15),
    "1 - exponential(.1)": (lambda rng, n: 1.0 - rng.exponential(0.1, n), 0.9),
    "gamma(.5)": (lambda rng, n: rng.gamma(0.5, 1.0, n), 0.5),
}


def binary_in_clusters(share: float) -> DrawClusters:
    """Beta-binomial with an intra-cluster correlation of 0.2."""

    def draw(rng: np.random.Generator, sizes: IntArray) -> FloatArray:
        chance = rng.beta(4 * share, 4 * (1 - share), sizes.size)
        return (rng.random(int(sizes.sum())) < np.repeat(chance, sizes)).astype(np.float64)

    return draw


def normal_in_clusters(rng: np.random.Generator, sizes: IntArray) -> FloatArray:
    own = rng.normal(0.0, np.sqrt(0.8), int(sizes.sum()))
    return own + np.repeat(rng.normal(0.0, np.sqrt(0.2), sizes.size), sizes)


def scores_in_clusters(rng: np.random.Generator, sizes: IntArray) -> FloatArray:
    level = np.repeat(rng.beta(1.6, 2.4, sizes.size), sizes)
    return rng.beta(1.3 * level, 1.3 * (1 - level))


def skewed_in_clusters(rng: np.random.Generator, sizes: IntArray) -> FloatArray:
    return np.repeat(rng.lognormal(0.0, 0.7, sizes.size), sizes) * rng.exponential(1.0, int(sizes.sum()))


IN_CLUSTERS: dict[str, tuple[DrawClusters, float]] = {
    "binary, 30%": (binary_in_clusters(0.3), 0.3),
    "binary, 80%": (binary_in_clusters(0.8), 0.8),
    "normal": (normal_in_clusters, 0.0),
    "scores in 0..1": (scores_in_clusters, 0.4),
    "skewed": (skewed_in_clusters, exp(0.245)),
}


@dataclass(slots=True)
class Tally:
    """How often something held."""

    held: int = 0
    tried: int = 0

    def add(self, holds: bool) -> None:
        self.held += holds
        self.tried += 1

    @property
    def percent(self) -> float:
        return 100 * self.held / self.tried


def at_turn(columns: tuple[str, ...], *, replication: int) -> list[str]:
    """The methods to try on this replication: the slow ones only on the first."""
    return [m for m in columns if m not in SLOW or replication < SLOW_REPLICATIONS]


def covers(interval: Interval | Bounds | Effect | None, truth: float) -> bool:
    if interval is None or interval.low is None or interval.high is None:
        return False
    return interval.low <= truth <= interval.high


def interval_by(method: str, values: FloatArray, *, seed: int = 0) -> Interval | Bounds | None:
    if method != "bootstrap-t":
        return mean_interval(values, method=method)
    if np.ptp(values) == 0:
        return None
    return bootstrap_t_interval(values, confidence=0.95, seed=seed, resamples=RESAMPLES)


def bernoulli_rows() -> Iterator[Row]:
    for share in (0.5, 0.95):
        for n in SIZES:
            mass = np.diff(bdtr(np.arange(n + 1), n, share), prepend=0.0)
            samples = [np.repeat([1.0, 0.0], [k, n - k]) for k in range(n + 1)]
            columns = (*PLAIN, "wilson")
            covered = {m: np.array([covers(interval_by(m, x), share) for x in samples]) for m in columns}
            noted = np.array([mean_interval(x).note is not None for x in samples])
            coverage = {method: 100 * float(mass @ hits) for method, hits in covered.items()}
            yield Row(data=f"Bernoulli({share})", n=str(n), coverage=coverage, noted=100 * float(mass @ noted))


def independent_rows(
    cases: dict[str, tuple[Draw, float]], columns: tuple[str, ...], *, first_seed: int, replications: int
) -> Iterator[Row]:
    for place, (name, (draw, truth)) in enumerate(cases.items(), start=first_seed):
        for n in SIZES:
            rng = np.random.default_rng([place, n])
            hits = {method: Tally() for method in columns}
            noted = Tally()
            for replication in range(replications):
                values = draw(rng, n)
                for method in at_turn(columns, replication=replication):
                    hits[method].add(covers(interval_by(method, values, seed=replication), truth))
                noted.add(mean_interval(values).note is not None)
            coverage = {method: tally.percent for method, tally in hits.items()}
            yield Row(data=name, n=str(n), coverage=coverage, noted=noted.percent)


DIFFERENCES: dict[str, Draw] = {
    "reciprocal ranks": lambda rng, n: reciprocal_ranks(rng, n) - reciprocal_ranks(rng, n),
    "5% differ, normal": lambda rng, n: np.where(rng.random(n) < 0.05, rng.normal(size=n), 0.0),
    "20% differ, normal": lambda rng, n: np.where(rng.random(n) < 0.2, rng.normal(size=n), 0.0),
    "wins 10%, losses 10%": lambda rng, n: rng.choice([-1.0, 0.0, 1.0], n, p=[0.1, 0.8, 0.1]),
}


def difference_rows(replications: int) -> Iterator[Row]:
    """Two systems that are equally good."""
    columns = ("auto", "t", "hall")
    for place, (name, draw) in enumerate(DIFFERENCES.items()):
        for n in SIZES:
            rng = np.random.default_rng([200 + place, n])
            hits = {method: Tally() for method in columns}
            noted = Tally()
            for _ in range(replications):
                values = draw(rng, n)
                for method, tally in hits.items():
                    tally.add(covers(difference_interval(values, method=method), 0.0))
                noted.add(difference_interval(values).note is not None)
            coverage = {method: tally.percent for method, tally in hits.items()}
            yield Row(data=name, n=str(n), coverage=coverage, noted=noted.percent)


def unequal_sizes(rng: np.random.Generator, groups: int) -> IntArray:
    """2 to 41 values, 9 on average."""
    return 1 + np.minimum(rng.geometric(0.12, groups), 40)


def clustered_rows(replications: int) -> Iterator[Row]:
    for place, (name, (draw, truth)) in enumerate(IN_CLUSTERS.items()):
        columns = CLUSTERED if name.startswith("binary") else CLUSTERED[:-1]
        for groups in GROUPS:
            rng = np.random.default_rng([100 + place, groups])
            hits = {method: Tally() for method in columns}
            noted = Tally()
            for replication in range(replications):
                sizes = unequal_sizes(rng, groups)
                values, codes = draw(rng, sizes), np.repeat(np.arange(groups), sizes)
                for method in at_turn(columns, replication=replication):
                    hits[method].add(covers(mean_interval(values, clusters=codes, method=method), truth))
                noted.add(mean_interval(values, clusters=codes).note is not None)
            coverage = {method: tally.percent for method, tally in hits.items()}
            yield Row(data=name, n=f"{groups} clusters", coverage=coverage, noted=noted.percent)


@dataclass(frozen=True, slots=True)
class Scores:
    """0 with a chance that the cluster has, else a value of `found`; as a loss from 1 where `of_one`.

    share: the mean chance of a value other than 0, for the system of the means and for the one it is compared with.
    """

    found: Draw
    mean: float
    square: float
    share: tuple[float, float]
    of_one: bool = False

    def truth(self, system: int = 0) -> float:
        mean = self.share[system] * self.mean
        return 1 - mean if self.of_one else mean

    def draw(self, rng: np.random.Generator, sizes: IntArray, *, icc: float, system: int = 0) -> FloatArray:
        """One value per question; icc: the correlation of values within a cluster."""
        share = self.share[system]
        # The chance is beta-distributed with the variance rho share (1 - share) that gives the values this correlation.
        rho = icc * (self.square - share * self.mean**2) / (self.mean**2 * (1 - share))
        chance = np.repeat(rng.beta(share * (1 / rho - 1), (1 - share) * (1 / rho - 1), sizes.size), sizes)
        values = np.where(rng.random(chance.size) < chance, self.found(rng, chance.size), 0.0)
        return 1 - values if self.of_one else values


GAINS = 1 / np.log2(np.arange(2, 12))  # of ranks 1 to 10
GAIN_MOMENTS = (float(GAINS.mean()), float((GAINS**2).mean()))
SCORES = {
    "many zeros": Scores(lambda rng, n: rng.choice(GAINS, n), *GAIN_MOMENTS, share=(0.3, 0.36)),
    "near the ceiling": Scores(lambda rng, n: 0.7 * rng.random(n), 0.35, 0.49 / 3, share=(0.15, 0.10), of_one=True),
    "8% non-zero": Scores(lambda rng, n: rng.choice(GAINS, n), *GAIN_MOMENTS, share=(0.08, 0.10)),
    "0/1, 30%": Scores(lambda _, n: np.ones(n), 1.0, 1.0, share=(0.3, 0.36)),
    "0/1, 92%": Scores(lambda _, n: np.ones(n), 1.0, 1.0, share=(0.08, 0.10), of_one=True),
}
FEW_GROUPS = (3, 5, 10, 20, 50)
CORRELATIONS = (0.05, 0.2)
KINDS = ("20 each", "5 to 80")


def few_sizes(rng: np.random.Generator, groups: int, *, kind: str) -> IntArray:
    """20 values each, or from 5 to 80 with a mean of about 20: half have fewer than 10."""
    if kind == KINDS[0]:
        return np.full(groups, 20)
    return np.clip(np.rint(5 * np.exp(rng.exponential(0.9, groups))), 5, 80).astype(np.int64)


def logit_jackknife(values: FloatArray, clusters: Clusters) -> Bounds | None:
    """Student's interval of the mean's logit, with the jackknife variance."""
    mean = float(values.mean())
    if mean in {0.0, 1.0}:
        return None
    reach = t_quantile(0.975, df=clusters.bias_reduced_df) * sqrt(clusters.jackknife_variance(values))
    reach /= mean * (1 - mean)
    return Bounds(float(expit(logit(mean) - reach)), float(expit(logit(mean) + reach)))


def cluster_hall(values: FloatArray, clusters: Clusters) -> Bounds | None:
    """Hall's correction by the skewness of the clusters' residuals."""
    residuals = clusters.residuals(values)
    if not np.ptp(residuals):
        return None
    lean, error = skewness(residuals) / sqrt(clusters.count), sqrt(clusters.bias_reduced_variance(values))
    reach, mean = t_quantile(0.975, df=clusters.bias_reduced_df), float(values.mean())
    return Bounds(mean - _inverse(reach, lean=lean) * error, mean - _inverse(-reach, lean=lean) * error)


def cluster_bootstrap_t(values: FloatArray, clusters: Clusters, *, resamples: int = 199) -> Bounds | None:
    """Resample whole clusters and studentise; no interval where resamples without spread reach the quantile."""
    sums, mean, error = clusters.sums(values), float(values.mean()), sqrt(clusters.bias_reduced_variance(values))
    drawn = np.random.default_rng(0).integers(0, clusters.count, (resamples, clusters.count))
    sizes = clusters.sizes[drawn]
    total = sizes.sum(axis=1, keepdims=True)
    means = sums[drawn].sum(axis=1, keepdims=True) / total
    variance = ((sums[drawn] - means * sizes) ** 2 / (1 - sizes / total)).sum(axis=1) / total[:, 0] ** 2
    spread = np.sqrt(np.where(variance > 1e-20, variance, np.nan))
    shift = means[:, 0] - mean
    t = np.sort(np.where(np.isnan(spread), np.copysign(np.inf, shift), shift / np.nan_to_num(spread, nan=1.0)))
    rank = round((resamples + 1) * 0.025)
    low, high = mean - float(t[-rank]) * error, mean - float(t[rank - 1]) * error
    return Bounds(low, high) if np.isfinite([low, high]).all() else None


CANDIDATES: dict[str, Callable[[FloatArray, Clusters], Bounds | None]] = {
    "logit-jackknife": logit_jackknife,
    "cluster-hall": cluster_hall,
    "cluster-bootstrap-t": cluster_bootstrap_t,
}


@dataclass(frozen=True, slots=True)
class Cell:
    """Coverage by method for one kind of data and number of clusters, and how often the default carried a note."""

    data: str
    row: str
    groups: int
    coverage: dict[str, float]
    noted: float


def few_cluster_cells(*, differences: bool, replications: int) -> Iterator[Cell]:
    for place, (name, scores) in enumerate(SCORES.items()):
        for row, (icc, kind) in enumerate((icc, kind) for icc in CORRELATIONS for kind in KINDS):
            for groups in FEW_GROUPS:
                rng = np.random.default_rng([500 + place, row, groups, differences])
                tallies: dict[str, Tally] = {}
                noted = Tally()
                for _ in range(replications):
                    sizes = few_sizes(rng, groups, kind=kind)
                    codes = np.repeat(np.arange(groups), sizes)
                    values, truth = scores.draw(rng, sizes, icc=icc), scores.truth()
                    if differences:  # 60% of the questions have the same answer
                        other = scores.draw(rng, sizes, icc=icc, system=1)
                        values = np.where(rng.random(values.size) < 0.6, 0.0, values - other)
                        truth = 0.4 * (truth - scores.truth(1))
                    intervals = intervals_of(values, codes, differences=differences)
                    for method, interval in intervals.items():
                        tallies.setdefault(method, Tally()).add(covers(interval, truth))
                    default = intervals["auto"]
                    noted.add(isinstance(default, Interval) and default.note is not None)
                coverage = {method: tally.percent for method, tally in tallies.items()}
                yield Cell(name, f"{name} | {icc} | {kind}", groups, coverage, noted.percent)


def intervals_of(values: FloatArray, codes: IntArray, *, differences: bool) -> dict[str, Interval | Bounds | None]:
    by = difference_interval if differences else mean_interval
    found: dict[str, Interval | Bounds | None] = {
        "auto": by(values, clusters=codes),
        "cluster-cr2": by(values, clusters=codes, method="cluster-cr2"),
    }
    clusters = Clusters(codes, np.bincount(codes).astype(np.float64))
    names = ["cluster-hall"] if differences else list(CANDIDATES)
    return {**found, **{name: CANDIDATES[name](values, clusters) for name in names}}


def few_cluster_lines(*, differences: bool, replications: int) -> Iterator[str]:
    """The default's coverage (and the share of samples with a note), then the range of every method."""
    cells = list(few_cluster_cells(differences=differences, replications=replications))
    by_row: dict[str, list[Cell]] = {}
    for cell in cells:
        by_row.setdefault(cell.row, []).append(cell)
    yield "| data | correlation | sizes | " + " | ".join(f"{n} clusters" for n in FEW_GROUPS) + " |"
    yield "| --- | --- | --- |" + " ---: |" * len(FEW_GROUPS)
    for row, found in by_row.items():
        yield f"| {row} | " + " | ".join(f"{c.coverage['auto']:.1f} ({c.noted:.0f}%)" for c in found) + " |"
    yield ""
    yield "| method, over the rows above | " + " | ".join(f"{n} clusters" for n in FEW_GROUPS) + " |"
    yield "| --- |" + " ---: |" * len(FEW_GROUPS)
    for method in cells[0].coverage:
        ranges = []
        for groups in FEW_GROUPS:
            found_by = [c.coverage[method] for c in cells if c.groups == groups]
            ranges.append(f"{min(found_by):.1f} to {max(found_by):.1f}")
        yield f"| {method} | " + " | ".join(ranges) + " |"


TIE_SIZES = (100, 150, 268, 298, 299, 300, 400, 500)
TIE_METHODS = ("auto", "gaffke")


def tied(differences: FloatArray, *, method: str, margin: float) -> bool:
    interval = difference_interval(differences, method=method, confidence=0.9)
    return interval.low is not None and interval.high is not None and -margin <= interval.low <= interval.high <= margin


def exact_false_ties(n: int, *, margin: float) -> dict[str, float]:
    """The largest chance of a tie in percent, over all shares of losses, where the true difference is the margin."""
    most = round(3 * n * margin) + 8  # a tie with more wins or losses than that does not exist here
    pairs = [(wins, losses) for wins in range(most) for losses in range(most) if abs(wins - losses) <= n * margin]
    found = {}
    for method in TIE_METHODS:
        held = [p for p in pairs if tied(np.repeat([1.0, -1.0, 0.0], [*p, n - sum(p)]), method=method, margin=margin)]
        wins, losses = np.array(held, dtype=np.float64).reshape(-1, 2).T
        same = n - wins - losses
        ways = gammaln(n + 1) - gammaln(wins + 1) - gammaln(losses + 1) - gammaln(same + 1)
        found[method] = max(
            100
            * float(np.exp(ways + xlogy(wins, p + margin) + xlogy(losses, p) + xlogy(same, 1 - 2 * p - margin)).sum())
            for p in (0.0, *np.geomspace(1e-4, 0.3, 60))
        )
    return found


def rarely_differing(rng: np.random.Generator, n: int, *, truth: float, size: float) -> FloatArray:
    """Differences of about `size` on the few questions that differ, all one way."""
    return np.where(rng.random(n) < truth / size, np.clip(rng.normal(size, size / 5, n), 0.0, 1.0), 0.0)


def tie_lines(replications: int) -> Iterator[str]:
    yield from ["| data | margin | n | tango | gaffke |", "| --- | --- | ---: | ---: | ---: |"]
    for margin in (0.01, 0.02):
        for n in TIE_SIZES:
            found = exact_false_ties(n, margin=margin)
            yield f"| wins and losses | {margin} | {n} | " + " | ".join(f"{found[m]:.2f}" for m in TIE_METHODS) + " |"
    yield from ["", "| data | true difference | n | t | gaffke |", "| --- | --- | ---: | ---: | ---: |"]
    for size in (0.5, 0.9):
        for truth in (0.01, 0.02, 0.05):
            for n in (10, 20, 50, 100, 300, 500, 1000):
                rng = np.random.default_rng([600, n, round(100 * size), round(100 * truth)])
                tallies = {method: Tally() for method in TIE_METHODS}
                for _ in range(replications):
                    values = rarely_differing(rng, n, truth=truth, size=size)
                    for method, tally in tallies.items():
                        tally.add(values.any() and tied(values, method=method, margin=0.01))
                shown = " | ".join(f"{tally.percent:.1f}" for tally in tallies.values())
                yield f"| differs by about {size} | {truth} | {n} | {shown} |"
    for spread in (0.01, 0.03, 0.1):
        for n in (300, 400, 1000, 2000):
            rng = np.random.default_rng([700, n, round(100 * spread)])
            tallies = {method: Tally() for method in TIE_METHODS}
            for _ in range(replications // 10):
                values = np.clip(rng.normal(0.0, spread, n), -1.0, 1.0)
                for method, tally in tallies.items():
                    tally.add(tied(values, method=method, margin=0.01))
            shown = " | ".join(f"{tally.percent:.0f}" for tally in tallies.values())
            yield f"| normal, sd {spread} | 0 | {n} | {shown} |"


@dataclass(frozen=True, slots=True)
class Shifted:
    """Differences with mean 0 that are then shifted, and 2 P(D + D' > 0) - 1 as a function of the shift."""

    draw: Draw
    effect: Callable[[float], float]

    def shift(self, effect: float) -> float:
        return bisect(lambda shift: self.effect(shift) >= effect, low=-1.0, high=10.0)


# D + D' of two Laplace values has the density (1 + |s|) exp(-|s|) / 4, of two exponential ones s exp(-s).
SHIFTED = {
    "normal": Shifted(lambda rng, n: rng.normal(size=n), lambda shift: 2 * float(ndtr(2**0.5 * shift)) - 1),
    "Laplace": Shifted(
        lambda rng, n: rng.laplace(size=n),
        lambda shift: np.sign(shift) * (1 - (1 + abs(shift)) * exp(-2 * abs(shift))),
    ),
    "exponential": Shifted(
        lambda rng, n: rng.exponential(size=n) - 1.0,
        lambda shift: 2 * (3 - 2 * min(shift, 1.0)) * exp(-2 * (1 - min(shift, 1.0))) - 1,
    ),
}
EFFECTS = (0.0, 0.4, 0.7, 0.9, 0.97)
EFFECT_SIZES = (8, 20, 50, 100)


def effect_rows(replications: int) -> Iterator[Row]:
    """The rank-biserial correlation, by its true value."""
    for place, (name, shifted) in enumerate(SHIFTED.items()):
        for n in EFFECT_SIZES:
            coverage = {}
            for truth in EFFECTS:
                rng = np.random.default_rng([400 + place, n, round(100 * truth)])
                shift = shifted.shift(truth)
                tally = Tally()
                for _ in range(replications):
                    tally.add(covers(rank_biserial(shifted.draw(rng, n) + shift), truth))
                coverage[str(truth)] = tally.percent
            yield Row(data=name, n=str(n), coverage=coverage)


def table(rows: Iterator[Row], columns: tuple[str, ...], *, notes: bool = True) -> Iterator[str]:
    yield "| data | n | " + " | ".join((*columns, *(["auto has a note"] if notes else []))) + " |"
    yield "| --- | --- |" + " ---: |" * (len(columns) + notes)
    for row in rows:
        cells = [f"{row.coverage[c]:.1f}" if c in row.coverage else "" for c in columns]
        if row.noted is not None:
            cells.append(f"{row.noted:.0f}%")
        yield f"| {row.data} | {row.n} | " + " | ".join(cells) + " |"


def run(sections: list[str], *, replications: int) -> Iterator[str]:
    """The lines of the tables, as they are found."""
    if "bernoulli" in sections:
        yield from ["", "### Bernoulli (exact)", "", *table(bernoulli_rows(), (*PLAIN, "wilson"))]
    if "independent" in sections:
        yield from ["", "### Other independent values", ""]
        yield from table(independent_rows(INDEPENDENT, PLAIN, first_seed=0, replications=replications), PLAIN)
    if "more" in sections:
        yield from ["", "### More distributions", ""]
        rows = independent_rows(MORE, ("auto", "t", "hall"), first_seed=300, replications=replications)
        yield from table(rows, ("auto", "t", "hall"))
    if "differences" in sections:
        yield from ["", "### Paired differences, nothing to find", ""]
        yield from table(difference_rows(replications), ("auto", "t", "hall"))
    if "clustered" in sections:
        yield from ["", "### Clusters of 2 to 41 values", ""]
        yield from table(clustered_rows(replications), CLUSTERED)
    if "few-clusters" in sections:
        yield from ["", "### Few clusters, means", ""]
        yield from few_cluster_lines(differences=False, replications=replications // 3)
        yield from ["", "### Few clusters, differences", ""]
        yield from few_cluster_lines(differences=True, replications=replications // 3)
    if "ties" in sections:
        yield from ["", "### How often a tie within 0.01 is claimed", "", *tie_lines(replications // 3)]
    if "effects" in sections:
        yield from ["", "### Rank-biserial correlation, by its true value", ""]
        yield from table(effect_rows(replications), tuple(str(truth) for truth in EFFECTS), notes=False)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sections", nargs="*", default=list(SECTIONS))
    parser.add_argument("--replications", type=int, default=REPLICATIONS)
    arguments = parser.parse_args()
    for line in run(arguments.sections, replications=arguments.replications):
        print(line, flush=True)


if __name__ == "__main__":
    main()
