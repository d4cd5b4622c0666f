"""How often each interval covers: the tables of docs/concepts/statistics/coverage.md.

Run: python benchmarks/interval_coverage.py [SECTION ...] [--replications 6000]; sections are bernoulli, independent,
more, differences, clustered, few-clusters, ties.

Bernoulli coverage is exact (a sum over the binomial), and so are the false ties of wins and losses (a sum over the
trinomial). The rest is simulated with fixed seeds, few-clusters with a third and ties with a fifteenth of the
replications. A sample without an interval counts as not covered. All sections take about 25 minutes of CPU time;
--replications 600 gives a first look in a tenth of that.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import exp, sqrt
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import bdtr, expit, gammaln, logit, stdtrit, xlogy

from goldproof.records.arrays import FloatArray, IntArray
from goldproof.stats.bootstrap import bootstrap_t_interval
from goldproof.stats.intervals import difference_interval, mean_interval

if TYPE_CHECKING:
    from goldproof.stats.results import Bounds, Interval

Draw = Callable[[np.random.Generator, int], FloatArray]
DrawClusters = Callable[[np.random.Generator, IntArray], FloatArray]

SECTIONS = ("bernoulli", "independent", "more", "differences", "clustered", "few-clusters", "ties")
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
    """One line of a table: percentages by method, and how often auto carried a note."""

    data: str
    n: str
    coverage: dict[str, float]
    noted: float


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


def covers(interval: Interval | Bounds | None, truth: float) -> bool:
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

    found: Callable[[np.random.Generator, tuple[int, ...]], FloatArray]
    mean: float
    square: float
    share: tuple[float, float]
    of_one: bool = False

    def truth(self, system: int = 0) -> float:
        mean = self.share[system] * self.mean
        return 1 - mean if self.of_one else mean

    def draw(self, rng: np.random.Generator, shape: tuple[int, int, int], *, icc: float, system: int = 0) -> FloatArray:
        """Values by sample, cluster and question; icc: the correlation of values within a cluster."""
        share = self.share[system]
        # The chance is beta-distributed with the variance rho share (1 - share) that gives the values this correlation.
        rho = icc * (self.square - share * self.mean**2) / (self.mean**2 * (1 - share))
        chance = rng.beta(share * (1 / rho - 1), (1 - share) * (1 / rho - 1), shape[:2])
        values = np.where(rng.random(shape) < chance[..., None], self.found(rng, shape), 0.0)
        return 1 - values if self.of_one else values


GAINS = 1 / np.log2(np.arange(2, 12))  # of ranks 1 to 10
GAIN_MOMENTS = (float(GAINS.mean()), float((GAINS**2).mean()))
SCORES = {
    "many zeros": Scores(lambda rng, shape: rng.choice(GAINS, shape), *GAIN_MOMENTS, share=(0.3, 0.36)),
    "near the ceiling": Scores(
        lambda rng, shape: 0.7 * rng.random(shape), 0.35, 0.49 / 3, share=(0.15, 0.10), of_one=True
    ),
    "8% non-zero": Scores(lambda rng, shape: rng.choice(GAINS, shape), *GAIN_MOMENTS, share=(0.08, 0.10)),
    "0/1, 30%": Scores(lambda _, shape: np.ones(shape), 1.0, 1.0, share=(0.3, 0.36)),
    "0/1, 92%": Scores(lambda _, shape: np.ones(shape), 1.0, 1.0, share=(0.08, 0.10), of_one=True),
}
FEW_GROUPS = (3, 5, 10, 20, 50)
CORRELATIONS = (0.05, 0.2)
KINDS = ("20 each", "5 to 80")
CHUNK = 250
CHECKED = 20  # samples of each chunk on which the formulas below must agree with goldproof.stats
Ends = tuple[FloatArray, FloatArray]


@dataclass(frozen=True, slots=True)
class Samples:
    """Many samples at once: values (0 beyond the size of a cluster) by sample, cluster and question."""

    values: FloatArray
    sizes: FloatArray

    @classmethod
    def draw(
        cls, rng: np.random.Generator, scores: Scores, *, groups: int, icc: float, kind: str, differences: bool
    ) -> Samples:
        """kind: 20 values each, or 5 to 80 with a mean of about 20, where half the clusters have fewer than 10."""
        sizes = np.full((CHUNK, groups), 20.0)
        if kind != KINDS[0]:
            sizes = np.clip(np.rint(5 * np.exp(rng.exponential(0.9, (CHUNK, groups)))), 5, 80)
        shape = (CHUNK, groups, int(sizes.max()))
        values = scores.draw(rng, shape, icc=icc)
        if differences:  # 60% of the questions have the same answer
            other = scores.draw(rng, shape, icc=icc, system=1)
            values = np.where(rng.random(shape) < 0.6, 0.0, values - other)
        return cls(np.where(np.arange(shape[2]) < sizes[..., None], values, 0.0), sizes)

    def one(self, index: int) -> tuple[FloatArray, IntArray]:
        """The values of one sample with their clusters."""
        sizes = self.sizes[index].astype(np.int64)
        inside = np.arange(self.values.shape[2]) < sizes[:, None]
        return self.values[index][inside], np.repeat(np.arange(sizes.size), sizes)


def moments(sums: FloatArray, sizes: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Mean, residuals, bias-reduced and jackknife variance (see goldproof.stats.samples), over the last axis."""
    total = sizes.sum(axis=-1, keepdims=True)
    mean = sums.sum(axis=-1, keepdims=True) / total
    residuals, rest = sums - mean * sizes, 1 - sizes / total
    cr2 = (residuals**2 / rest).sum(axis=-1) / total[..., 0] ** 2
    cr3 = ((residuals / rest) ** 2).sum(axis=-1) / total[..., 0] ** 2
    return mean[..., 0], residuals, cr2, cr3


def degrees(sizes: FloatArray) -> FloatArray:
    total = sizes.sum(axis=1)
    weights = sizes**2 / (1 - sizes / total[:, None])
    crossed = (weights.sum(axis=1) ** 2 - (weights**2).sum(axis=1)) / total**2
    result: FloatArray = total**2 / ((sizes**2).sum(axis=1) + crossed)
    return result


def intervals_of(samples: Samples, *, differences: bool) -> dict[str, Ends]:
    """The ends by method; NaN where there is no interval."""
    sums, sizes = samples.values.sum(axis=2), samples.sizes
    mean, residuals, cr2, cr3 = moments(sums, sizes)
    groups = sizes.shape[1]
    reach = np.asarray(stdtrit(degrees(sizes), 0.975), dtype=np.float64)
    spread = np.ptp(sums / sizes, axis=1) > 1e-12
    error = np.where(spread, np.sqrt(cr2), np.nan)
    student = (mean - reach * error, mean + reach * error)
    found = {"cluster-cr2": student, "cluster-hall": hall_ends(mean, residuals, error=error, reach=reach)}
    if differences:
        none, square = ~samples.values.any(axis=(1, 2)), 1.959963984540054**2
        end = square / (groups + square)
        return {"auto": (np.where(none, -end, student[0]), np.where(none, end, student[1])), **found}
    inside = np.arange(samples.values.shape[2]) < sizes[..., None]
    binary = (((samples.values == 0) | (samples.values == 1)) | ~inside).all(axis=(1, 2))
    product = mean * (1 - mean)
    variance = np.where(binary, np.maximum(cr3, product / sizes.sum(axis=1)), np.where(spread, cr3, np.nan))
    flat = binary & (product < 1e-12)
    size = np.where(flat, groups, product / np.where(flat, 1.0, variance))
    logits, step = logit(mean), reach * np.sqrt(np.where(spread, cr3, np.nan)) / product
    return {
        "auto": wilson_ends(np.where(flat, np.rint(mean), mean), size=size, reach=reach),
        **found,
        "logit, jackknife": (expit(logits - step), expit(logits + step)),
        "cluster-bootstrap-t": bootstrap_t_ends(sums, sizes, mean=mean, error=error),
    }


def wilson_ends(mean: FloatArray, *, size: FloatArray, reach: FloatArray) -> Ends:
    square = reach**2
    middle = (mean + square / (2 * size)) / (1 + square / size)
    half = reach / (1 + square / size) * np.sqrt(mean * (1 - mean) / size + square / (4 * size**2))
    return middle - half, middle + half


def hall_ends(mean: FloatArray, residuals: FloatArray, *, error: FloatArray, reach: FloatArray) -> Ends:
    """Hall's correction by the skewness of the clusters' residuals."""
    apart = residuals - residuals.mean(axis=1, keepdims=True)
    lean = (apart**3).mean(axis=1) / (apart**2).mean(axis=1) ** 1.5 / sqrt(residuals.shape[1])
    lean = np.where(np.abs(lean) < 1e-7, 1e-7, lean)

    def inverse(y: FloatArray) -> FloatArray:
        result: FloatArray = 3 / lean * (np.cbrt(1 + lean * (y - lean / 6)) - 1)
        return result

    return mean - inverse(reach) * error, mean - inverse(-reach) * error


def bootstrap_t_ends(
    sums: FloatArray, sizes: FloatArray, *, mean: FloatArray, error: FloatArray, resamples: int = 199
) -> Ends:
    """Resample whole clusters and studentise; no end where resamples without spread reach the quantile."""
    drawn = np.random.default_rng(0).integers(0, sizes.shape[1], (1, resamples, sizes.shape[1]))
    rows = np.arange(len(sizes))[:, None, None]
    means, _, variance, _ = moments(sums[rows, drawn], sizes[rows, drawn])
    shift = means - mean[:, None]
    spread = variance > 1e-20
    t = np.where(spread, shift / np.sqrt(np.where(spread, variance, 1.0)), np.copysign(np.inf, shift))
    t.sort(axis=1)
    rank = round((resamples + 1) * 0.025)
    return mean - t[:, -rank] * error, mean - t[:, rank - 1] * error


def check(samples: Samples, ends: dict[str, Ends], *, differences: bool) -> float:
    """Fail where the formulas above are not goldproof.stats; return how many of the samples carry a note."""
    by, noted = difference_interval if differences else mean_interval, 0
    for index in range(CHECKED):
        values, codes = samples.one(index)
        for method in ("auto", "cluster-cr2"):
            interval = by(values, clusters=codes, method=method)
            expected = [np.nan if end is None else end for end in (interval.low, interval.high)]
            found = [end[index] for end in ends[method]]
            if not np.allclose(found, expected, atol=1e-9, equal_nan=True):
                raise AssertionError(f"{method}: the formula here gives {found}, goldproof.stats {expected}")
        noted += by(values, clusters=codes).note is not None
    return noted / CHECKED


@dataclass(frozen=True, slots=True)
class Cell:
    """Coverage by method for one kind of data and number of clusters, and how often the default carried a note."""

    row: str
    groups: int
    coverage: dict[str, float]
    noted: float


def few_cluster_cells(*, differences: bool, replications: int) -> Iterator[Cell]:
    for place, (name, scores) in enumerate(SCORES.items()):
        truth = 0.4 * (scores.truth() - scores.truth(1)) if differences else scores.truth()
        for row, (icc, kind) in enumerate((icc, kind) for icc in CORRELATIONS for kind in KINDS):
            for groups in FEW_GROUPS:
                rng = np.random.default_rng([500 + place, row, groups, differences])
                hits: dict[str, list[float]] = {}
                noted = []
                for _ in range(max(replications // CHUNK, 1)):
                    samples = Samples.draw(rng, scores, groups=groups, icc=icc, kind=kind, differences=differences)
                    with np.errstate(all="ignore"):
                        ends = intervals_of(samples, differences=differences)
                        for method, (low, high) in ends.items():
                            hits.setdefault(method, []).append(float(((low <= truth) & (truth <= high)).mean()))
                    noted.append(check(samples, ends, differences=differences))
                coverage = {method: 100 * float(np.mean(shares)) for method, shares in hits.items()}
                yield Cell(f"{name} | {icc} | {kind}", groups, coverage, 100 * float(np.mean(noted)))


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
        by_groups = [[c.coverage[method] for c in cells if c.groups == groups] for groups in FEW_GROUPS]
        yield f"| {method} | " + " | ".join(f"{min(found):.1f} to {max(found):.1f}" for found in by_groups) + " |"


TIE_SIZES = ((0.01, (268, 298, 299, 300, 400, 500)), (0.02, (134, 149, 200, 300)))  # margin, numbers of pairs
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
    return np.where(rng.random(n) < truth / size, rng.uniform(size - 0.1, size + 0.1, n), 0.0)


def tie_lines(replications: int) -> Iterator[str]:
    yield from ["| data | margin | n | tango | gaffke |", "| --- | --- | ---: | ---: | ---: |"]
    for margin, sizes in TIE_SIZES:
        for n in sizes:
            found = exact_false_ties(n, margin=margin)
            yield f"| wins and losses | {margin} | {n} | " + " | ".join(f"{found[m]:.2f}" for m in TIE_METHODS) + " |"
    yield from ["", "| data | true difference | n | t | gaffke |", "| --- | --- | ---: | ---: | ---: |"]
    for size in (0.5, 0.9):
        for truth in (0.01, 0.02):
            for n in (20, 50, 100, 300, 500, 1000):
                rng = np.random.default_rng([600, n, round(100 * size), round(100 * truth)])
                tallies = {method: Tally() for method in TIE_METHODS}
                for _ in range(replications):
                    values = rarely_differing(rng, n, truth=truth, size=size)
                    for method, tally in tallies.items():
                        tally.add(tied(values, method=method, margin=0.01))
                shown = " | ".join(f"{tally.percent:.1f}" for tally in tallies.values())
                yield f"| differs by about {size} | {truth} | {n} | {shown} |"
    for spread in (0.01, 0.03, 0.1):
        for n in (300, 400, 1000, 2000):
            rng = np.random.default_rng([700, n, round(100 * spread)])
            tallies = {method: Tally() for method in TIE_METHODS}
            for _ in range(replications // 4):
                values = np.clip(rng.normal(0.0, spread, n), -1.0, 1.0)
                for method, tally in tallies.items():
                    tally.add(tied(values, method=method, margin=0.01))
            shown = " | ".join(f"{tally.percent:.0f}" for tally in tallies.values())
            yield f"| normal, sd {spread} | 0 | {n} | {shown} |"


def table(rows: Iterator[Row], columns: tuple[str, ...]) -> Iterator[str]:
    yield "| data | n | " + " | ".join((*columns, "auto has a note")) + " |"
    yield "| --- | --- |" + " ---: |" * (len(columns) + 1)
    for row in rows:
        cells = [f"{row.coverage[c]:.1f}" if c in row.coverage else "" for c in columns]
        yield f"| {row.data} | {row.n} | " + " | ".join((*cells, f"{row.noted:.0f}%")) + " |"


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
        yield from ["", "### How often a tie is claimed", ""]
        yield from tie_lines(replications // 15)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sections", nargs="*", default=list(SECTIONS))
    parser.add_argument("--replications", type=int, default=REPLICATIONS)
    arguments = parser.parse_args()
    for line in run(arguments.sections, replications=arguments.replications):
        print(line, flush=True)


if __name__ == "__main__":
    main()
