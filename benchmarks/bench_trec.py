"""Six metrics from TREC files on disk: ours against pytrec_eval, CPU time and peak memory.

Each reading runs in its own child process, so that imports, threads and memory are counted: CPU time is user + system
of the child with all its threads, memory is its peak resident size. The two are interleaved and the best of the rounds
counts. The files (100 results and 20 judged documents per query) are made in a temporary folder and deleted.

    python benchmarks/bench_trec.py [--queries 100000] [--rounds 5]
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

import numpy as np

RESULTS = 100
JUDGED = 20
DOCUMENTS = 8_841_823
METRICS = ("AP", "nDCG@10", "P@10", "R@100", "RR", "Hit@5")
PEER_METRICS = {"map", "ndcg_cut_10", "P_10", "recall_100", "recip_rank", "success_5"}
BATCH = 2_000


class Reading(NamedTuple):
    seconds: float
    peak_mb: float
    means: dict[str, float]


def write_files(folder: Path, *, queries: int, seed: int) -> None:
    """Write run.trec and qrels.trec; about a third of the judged documents are among the results."""
    rng = np.random.default_rng(seed)
    with (folder / "run.trec").open("wb") as run, (folder / "qrels.trec").open("wb") as qrels:
        for low in range(0, queries, BATCH):
            count = min(BATCH, queries - low)
            # Distinct documents per query: a random residue of each of RESULTS + JUDGED disjoint strides.
            width = RESULTS + JUDGED
            ids = rng.integers(0, DOCUMENTS // width, size=(count, width)) * width + np.arange(width)
            found, judged = ids[:, :RESULTS], ids[:, RESULTS:].copy()
            hits = rng.random((count, JUDGED)) < 1 / 3
            judged[hits] = found[:, ::5][hits]
            names = np.arange(low, low + count)
            scores = -np.sort(-rng.gamma(2.0, 5.0, size=(count, RESULTS)), axis=1)
            ranks = np.tile(np.arange(1, RESULTS + 1), count)
            run.write(_lines(np.repeat(names, RESULTS), " Q0 D", found, " ", ranks, " ", scores, " bm25\n"))
            grades = rng.integers(0, 4, size=(count, JUDGED))
            qrels.write(_lines(np.repeat(names, JUDGED), " 0 D", judged, " ", grades, "\n"))


def _lines(*columns: object) -> bytes:
    """Glue columns of numbers and constant text into lines."""
    import polars as pl

    parts: list[pl.Expr] = []
    data: dict[str, pl.Series] = {}
    for index, column in enumerate(columns):
        if isinstance(column, str):
            parts.append(pl.lit(column))
            continue
        flat = pl.Series(np.asarray(column).ravel())
        data[f"c{index}"] = flat.round(6) if flat.dtype.is_float() else flat
        parts.append(pl.col(f"c{index}").cast(pl.String))
    text = pl.DataFrame(data).select(pl.concat_str(parts)).to_series()
    return "".join(text.to_list()).encode()


def ours(folder: Path) -> dict[str, float]:
    from goldproof.io import read_judgments, read_ranking
    from goldproof.metrics import match, score

    matched = match(read_judgments(folder / "qrels.trec"), read_ranking(folder / "run.trec"))
    return {name: float(score(name, matched, no_relevant="zero").value.mean()) for name in METRICS}


def peer(folder: Path) -> dict[str, float]:
    import pytrec_eval

    with (folder / "qrels.trec").open() as qrels, (folder / "run.trec").open() as run:
        evaluator = pytrec_eval.RelevanceEvaluator(pytrec_eval.parse_qrel(qrels), PEER_METRICS)
        values = evaluator.evaluate(pytrec_eval.parse_run(run))
    names = dict(zip(METRICS, ("map", "ndcg_cut_10", "P_10", "recall_100", "recip_rank", "success_5"), strict=True))
    return {ours: float(np.mean([row[theirs] for row in values.values()])) for ours, theirs in names.items()}


def child(side: str, folder: Path) -> None:
    """Do the work of one side and print what it cost this process."""
    import resource

    means = ours(folder) if side == "goldproof" else peer(folder)
    usage = resource.getrusage(resource.RUSAGE_SELF)
    print(json.dumps([usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, means]))


def measure(side: str, folder: Path) -> Reading:
    command = [sys.executable, __file__, "--child", side, str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return Reading(*json.loads(done.stdout))


def compare(queries: int, rounds: int) -> None:
    with tempfile.TemporaryDirectory(prefix="goldproof-bench-") as name:
        folder = Path(name)
        write_files(folder, queries=queries, seed=2026)
        size = sum(path.stat().st_size for path in folder.iterdir()) / 1e6
        print(f"{queries} queries x {RESULTS} results, {JUDGED} judged per query; {size:.0f} MB of TREC files")
        readings: dict[str, list[Reading]] = {"goldproof": [], "pytrec_eval": []}
        for _ in range(rounds):
            for side, found in readings.items():
                found.append(measure(side, folder))
    best = {side: min(found, key=lambda r: r.seconds) for side, found in readings.items()}
    peak = {side: min(r.peak_mb for r in found) for side, found in readings.items()}
    for metric in METRICS:
        mine, theirs = best["goldproof"].means[metric], best["pytrec_eval"].means[metric]
        assert abs(mine - theirs) < 1e-6, f"{metric}: {mine} is not {theirs}"
    print("\n| | CPU, s | peak memory, MB |\n| --- | ---: | ---: |")
    for side, reading in best.items():
        print(f"| {side} | {reading.seconds:.2f} | {peak[side]:.0f} |")
    ratio = best["pytrec_eval"].seconds / best["goldproof"].seconds
    print(f"| ratio | {ratio:.2f}x | {peak['pytrec_eval'] / peak['goldproof']:.2f}x |")


def main() -> None:
    parser = argparse.ArgumentParser(description="TREC files: ours against pytrec_eval")
    parser.add_argument("--queries", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--child", nargs=2, metavar=("SIDE", "FOLDER"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        child(options.child[0], Path(options.child[1]))
    else:
        compare(options.queries, options.rounds)


if __name__ == "__main__":
    main()
