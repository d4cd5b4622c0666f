"""Sign-flip test with 100,000 permutations, against scipy.stats.permutation_test.

800 pairs with continuous differences, so that neither side can be exact. CPU time, both in this process, interleaved,
best of five. scipy gets its vectorised statistic and the fastest of three batch sizes, found first on a tenth of the
permutations.

    python benchmarks/bench_permutation.py
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import numpy as np
from scipy import stats

from goldproof.stats.paired import paired_test

if TYPE_CHECKING:
    from collections.abc import Callable

PAIRS = 800
PERMUTATIONS = 100_000
BATCHES = (100, 1000, 10_000)
ROUNDS = 5


def cpu_seconds(run: Callable[[], float]) -> tuple[float, float]:
    start = time.process_time()
    p_value = run()
    return time.process_time() - start, p_value


def main() -> None:
    generator = np.random.default_rng(7)
    a = generator.beta(2, 2, PAIRS)
    b = np.clip(a + generator.normal(-0.01, 0.15, PAIRS), 0, 1)
    differences = a - b

    def ours() -> float:
        p_value = paired_test(a, b, test="sign-flip", permutations=PERMUTATIONS).p_value
        assert p_value is not None
        return p_value

    def theirs(batch: int, permutations: int = PERMUTATIONS) -> float:
        result = stats.permutation_test(
            (differences,),
            np.mean,
            permutation_type="samples",
            vectorized=True,
            n_resamples=permutations,
            batch=batch,
            rng=np.random.default_rng(7),
        )
        return float(result.pvalue)

    trials = {batch: cpu_seconds(lambda batch=batch: theirs(batch, PERMUTATIONS // 10))[0] for batch in BATCHES}  # type: ignore[misc]
    batch = min(trials, key=lambda size: trials[size])
    ours()
    mine, peer = [], []
    for _ in range(ROUNDS):
        mine.append(cpu_seconds(ours))
        peer.append(cpu_seconds(lambda: theirs(batch)))
    best, scipy_best = min(mine)[0], min(peer)[0]
    many = generator.normal(0, 1, 100_000)
    seconds, _ = cpu_seconds(lambda: paired_test(many, np.zeros(many.size), test="sign-flip").p_value or 0.0)
    print(
        "| pairs | goldproof, ms | scipy, ms (batch) | ratio | p, goldproof | p, scipy |\n| ---: " + "| ---: " * 5 + "|"
    )
    times = f"{best * 1000:.1f} | {scipy_best * 1000:.0f} ({batch:,}) | {scipy_best / best:.0f}x"
    print(f"| {PAIRS} | {times} | {mine[0][1]:.4f} | {peer[0][1]:.4f} |")
    print(f"| {many.size:,} | {seconds * 1000:.0f} | not tried | | | |")


if __name__ == "__main__":
    main()
