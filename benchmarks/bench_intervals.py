"""Mean interval against scipy.stats.bootstrap with 10,000 resamples (percentile, its fastest batching).

Run: python benchmarks/bench_intervals.py

CPU time, interleaved in one process, best of five. The endpoint error is measured against the exact bootstrap
distribution by Gil-Pelaez inversion, F(x) = 1/2 - 1/pi int_0^inf Im(exp(-i t x) phi(t)) / t dt, which shares no code
with ours; the error of an end is (F(end) - level) / density(end), given as a share of the width.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.stats import bootstrap

from goldproof.stats.intervals import mean_interval

if TYPE_CHECKING:
    from collections.abc import Callable

    from goldproof.records.arrays import FloatArray

LEVELS = (0.025, 0.975)
RESAMPLES = 10_000
ROUNDS = 5
CASES = ((800, (20, 100, 500, 2_000, RESAMPLES)), (100_000, (1, 5, 20)))


@dataclass(frozen=True, slots=True)
class Result:
    """One line of the table."""

    n: int
    ours_ms: float
    scipy_ms: float
    scipy_batch: int
    ours_error: float
    scipy_error: float
    ratio: float


def cpu(call: Callable[[], tuple[float, float]]) -> tuple[float, tuple[float, float]]:
    start = time.process_time()
    ends = call()
    return time.process_time() - start, ends


def by_scipy(values: FloatArray, *, batch: int, resamples: int = RESAMPLES, seed: int = 0) -> tuple[float, float]:
    interval = bootstrap(
        (values,),
        np.mean,
        n_resamples=resamples,
        batch=batch,
        method="percentile",
        vectorized=True,
        rng=np.random.default_rng(seed),
    ).confidence_interval
    return float(interval.low), float(interval.high)


def by_goldproof(values: FloatArray) -> tuple[float, float]:
    interval = mean_interval(values, method="bootstrap-percentile")
    assert interval.low is not None
    assert interval.high is not None
    return interval.low, interval.high


def fastest_batch(values: FloatArray, batches: tuple[int, ...]) -> int:
    resamples = min(RESAMPLES, 20_000_000 // values.size)
    return min(
        batches,
        key=lambda batch: min(cpu(lambda: by_scipy(values, batch=batch, resamples=resamples))[0] for _ in range(2)),
    )


def endpoint_error(values: FloatArray, ends: tuple[float, float]) -> float:
    """The larger error of the two ends, as a share of the width."""
    centre, scale = values.mean(), values.std() / np.sqrt(values.size)
    standard = (values - values.mean()) / (values.std() * np.sqrt(values.size))
    step = 0.02
    t = step * (np.arange(500) + 0.5)  # midpoints; phi is below 1e-20 at the end of the range
    phi = np.array([np.exp(1j * each * standard).mean() ** values.size for each in t])
    errors = []
    for end, level in zip(ends, LEVELS, strict=True):
        wave = np.exp(-1j * t * (end - centre) / scale) * phi
        reached = 0.5 - (wave.imag / t).sum() * step / np.pi
        density = wave.real.sum() * step / np.pi
        errors.append(abs(reached - level) / density * scale / (ends[1] - ends[0]))
    return float(max(errors))


def measure(n: int, batches: tuple[int, ...]) -> Result:
    values = np.random.default_rng(n).beta(0.5, 0.8, n)
    batch = fastest_batch(values, batches)
    ours, theirs = [], []
    by_goldproof(values)  # the first call imports scipy.special
    for _ in range(ROUNDS):
        ours.append(cpu(lambda: by_goldproof(values)))
        theirs.append(cpu(lambda: by_scipy(values, batch=batch)))
    best, best_scipy = min(seconds for seconds, _ in ours), min(seconds for seconds, _ in theirs)
    return Result(
        n=n,
        ours_ms=1e3 * best,
        scipy_ms=1e3 * best_scipy,
        scipy_batch=batch,
        ours_error=endpoint_error(values, ours[0][1]),
        scipy_error=endpoint_error(values, theirs[0][1]),
        ratio=best_scipy / best,
    )


def run() -> list[Result]:
    """Both sizes."""
    return [measure(n, batches) for n, batches in CASES]


def main() -> None:
    print("| n | goldproof, ms | scipy, ms (batch) | ratio | endpoint error / width, goldproof | scipy |")
    print("| ---: | ---: | ---: | ---: | ---: | ---: |")
    for r in run():
        print(
            f"| {r.n:,} | {r.ours_ms:.2f} | {r.scipy_ms:.0f} ({r.scipy_batch}) | {r.ratio:.0f}x "
            f"| {r.ours_error:.1e} | {r.scipy_error:.1e} |"
        )


if __name__ == "__main__":
    main()
