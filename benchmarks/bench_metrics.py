"""Six metrics from Python dicts: Goldproof against pytrec_eval and ranx, on CPU time in one process.

10,000 questions x 100 retrieved documents, 20 judged per question (half of them retrieved), best of five, interleaved.
`sorted`: scores fall in input order; `shuffled`: they do not; `tied`: 20 different scores, so that nearly every
document shares its score. Every side gets the same dicts and its time includes loading them; ranx has compiled before.
Goldproof is called as users call it: `goldproof.evaluate`, which computes every metric of every question at once, and
intervals when they are asked for; pytrec_eval gives values per question too, ranx their means. Then the latency of ten
questions, warm (call after call) and cold (garbage collected before each call, which empties the caches), best of
fifty. Values are compared before times are.

Run: python benchmarks/bench_metrics.py [--questions N] [--no-ranx]
"""

from __future__ import annotations

import argparse
import gc
import random
import time
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

import numpy as np
import pytrec_eval

import goldproof

if TYPE_CHECKING:
    from collections.abc import Callable

    from goldproof.study import Result

OURS = ["nDCG@10", "RR", "AP", "P@5", "R@100", "Hit@5"]
PYTREC = {"ndcg_cut.10", "recip_rank", "map", "P.5", "recall.100", "success.5"}
PYTREC_NAMES = ["ndcg_cut_10", "recip_rank", "map", "P_5", "recall_100", "success_5"]
RANX = ["ndcg@10", "mrr", "map", "precision@5", "recall@100", "hit_rate@5"]
ROUNDS = 5
Dicts = tuple[dict[str, dict[str, int]], dict[str, dict[str, float]]]


def make(kind: str, *, questions: int) -> Dicts:
    rng = random.Random(7)
    qrels: dict[str, dict[str, int]] = {}
    run: dict[str, dict[str, float]] = {}
    for i in range(questions):
        ids = [f"doc{number}" for number in rng.sample(range(10**6), 110)]
        # Single precision, which is all that pytrec_eval compares.
        scores = [float(np.float32(rng.uniform(0, 30))) for _ in range(100)]
        if kind == "tied":
            scores = [float(rng.randrange(20)) for _ in range(100)]
        if kind == "sorted":
            scores.sort(reverse=True)
        run[f"q{i}"] = dict(zip(ids[:100], scores, strict=True))
        judged = rng.sample(ids[:100], 10) + ids[100:]
        # The ids of judgments and rankings come from different files, so they are different objects.
        qrels[f"q{i}"] = {"".join(list(document)): rng.randrange(3) for document in judged}
        qrels[f"q{i}"][judged[0]] = 1
    return qrels, run


def ours(data: Dicts) -> Result:
    return goldproof.evaluate(*data, metrics=OURS)


def pytrec(data: Dicts) -> dict[str, dict[str, float]]:
    found: dict[str, dict[str, float]] = pytrec_eval.RelevanceEvaluator(data[0], PYTREC).evaluate(data[1])
    return found


def ranx(data: Dicts) -> dict[str, float]:
    from ranx import Qrels, Run, evaluate

    found: dict[str, float] = evaluate(Qrels(data[0]), Run(data[1]), RANX, make_comparable=False)
    return found


def check(data: Dicts, *, against_ranx: bool) -> None:
    """Refuse to time sides that disagree."""
    result, theirs = ours(data), pytrec(data)
    values = [result.study.panel.column("run", metric).value for metric in OURS]
    for value, name in zip(values, PYTREC_NAMES, strict=True):
        np.testing.assert_allclose(value, [theirs[question][name] for question in data[0]], atol=1e-9)
    if against_ranx:
        means = ranx(data)
        np.testing.assert_allclose([v.mean() for v in values], [means[name] for name in RANX], atol=1e-6)


def best_of(
    sides: dict[str, Callable[[Dicts], Any]], data: Dicts, *, rounds: int, collect: bool = True
) -> dict[str, float]:
    """collect: clear garbage before each call, so that none pays for another; it also empties the caches."""
    best = dict.fromkeys(sides, float("inf"))
    gc.collect()
    for _ in range(rounds):
        for name, side in sides.items():
            if collect:
                gc.collect()
            start = time.process_time()
            side(data)
            best[name] = min(best[name], time.process_time() - start)
    return best


def compare(sides: dict[str, Callable[[Dicts], Any]], *, questions: int) -> list[str]:
    rows = ["| input | goldproof ms | " + " | ".join(f"{name} ms | ratio" for name in list(sides)[1:]) + " |"]
    rows.append("| --- " * (2 * len(sides)) + "|")
    for kind in ("sorted", "shuffled", "tied"):
        data = make(kind, questions=questions)
        check(data, against_ranx="ranx" in sides and kind != "tied")  # ranx does not break ties by id
        best = best_of(sides, data, rounds=ROUNDS)
        mine = best.pop("goldproof")
        cells = [f"{1e3 * theirs:.1f} | {theirs / mine:.2f}x" for theirs in best.values()]
        rows.append(f"| {kind} | {1e3 * mine:.1f} | " + " | ".join(cells) + " |")
    return rows


def latency() -> list[str]:
    """Ten questions, warm (call after call) and cold (garbage collected before each call, which empties the caches)."""
    sides: dict[str, Callable[[Dicts], Any]] = {"goldproof": ours, "pytrec_eval": pytrec}
    rows = [
        "| ten questions | goldproof ms | pytrec_eval ms | goldproof cold ms | pytrec_eval cold ms |",
        "| --- " * 5 + "|",
    ]
    for kind in ("sorted", "shuffled", "tied"):
        data = make(kind, questions=10)
        warm = best_of(sides, data, rounds=50, collect=False)
        cold = best_of(sides, data, rounds=50)
        times = (warm["goldproof"], warm["pytrec_eval"], cold["goldproof"], cold["pytrec_eval"])
        rows.append(f"| {kind} | " + " | ".join(f"{1e3 * seconds:.2f}" for seconds in times) + " |")
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--questions", type=int, default=10_000)
    parser.add_argument("--no-ranx", action="store_true", help="ranx compiles for a minute or two at first use")
    given = parser.parse_args()
    sides: dict[str, Callable[[Dicts], Any]] = {"goldproof": ours, "pytrec_eval": pytrec}
    packages = ["numpy", "pytrec_eval-terrier"]
    if not given.no_ranx:
        sides["ranx"] = ranx
        packages.append("ranx")
        ranx(make("sorted", questions=10))
    print(f"Metrics from dicts ({given.questions:,} questions x 100; {', '.join(OURS)}); CPU time, best of {ROUNDS}")
    print(", ".join(f"{name} {version(name)}" for name in packages), end="\n\n")
    lines = [*compare(sides, questions=given.questions), "", *latency()]
    print("\n".join(lines))


if __name__ == "__main__":
    main()
