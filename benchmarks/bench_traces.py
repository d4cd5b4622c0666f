"""Search traces scored by ids: ours against a plain Python scorer, on CPU time of all threads, best of five.

1 million results: 10,000 conversations of 5 iterations with 2 searches of 10 results each, 30% of them seen before in
their conversation, all labelled, the same id always alike. `uneven` has 1 to 9 iterations of 1 to 3 searches of 0 to 20
results. The plain scorer is a loop with a set of the ids seen and running sums; it takes for granted that every result
has an id and a label, and that labels never disagree. Values are compared before times are.

The first table is scoring alone, from what is in memory to the nine metrics at every iteration and
IterationsForAllGoodResults: `TraceTable`s here, lists of dicts there. Ours also finds late labels, label conflicts and
unlabelled results. The second is from a file to the summary. Plain Python reads JSON lines one by one and gives the
mean of every metric at every iteration and at the end. Ours is `goldproof.score_traces(file).to_dict()`, which has the
same means, and with them 95% intervals, bounds and the counts of everything.

    python -P benchmarks/bench_traces.py [--conversations 10000]
"""

from __future__ import annotations

import argparse
import gc
import json
import math
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import orjson
import polars as pl

import goldproof
from goldproof.io.traces import traces_from_frame
from goldproof.jobs.trace.inputs import Scoring
from goldproof.jobs.trace.pool import Pooling
from goldproof.jobs.trace.system_counts import count_system
from goldproof.metrics import METRICS
from goldproof.metrics.gain.iterations import COMPLETION, FAMILIES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from goldproof.records.arrays import FloatArray
    from goldproof.records.traces import TraceTable

ROUNDS = 5
DOCUMENTS = 10_000_000
POOL = 1.25  # documents per result from which a conversation draws: 30% of the results are then duplicates
GOOD = 2
Json = dict[str, Any]
Means = dict[str, float]


class Shape(NamedTuple):
    """The least and the most of each level, and how a document is called."""

    iterations: tuple[int, int] = (5, 5)
    searches: tuple[int, int] = (2, 2)
    results: tuple[int, int] = (10, 10)
    text: bool = False


SHAPES = {
    "integer ids": Shape(),
    "integer ids, uneven": Shape((1, 9), (1, 3), (0, 20)),
    "text ids": Shape(text=True),
    "text ids, uneven": Shape((1, 9), (1, 3), (0, 20), text=True),
}


def make(shape: Shape, *, conversations: int) -> list[Json]:
    rng = np.random.default_rng(7)
    gains = rng.choice(5, size=DOCUMENTS, p=[0.4, 0.2, 0.2, 0.1, 0.1])
    made = []
    for number in range(conversations):
        sizes = draw_sizes(rng, shape)
        total = sum(map(sum, sizes))
        pool = rng.integers(0, DOCUMENTS, size=max(1, round(POOL * total)))
        ids = rng.choice(pool, size=total)
        names = [f"doc-{one:08d}" for one in ids.tolist()] if shape.text else ids.tolist()
        results = iter([{"id": name, "gain": gain} for name, gain in zip(names, gains[ids].tolist(), strict=True)])
        iterations = [
            {"searches": [{"query": "q", "results": [next(results) for _ in range(n)]} for n in counts]}
            for counts in sizes
        ]
        made.append({"conversation_id": f"c{number}", "turns": [{"iterations": iterations}]})
    return made


def draw_sizes(rng: np.random.Generator, shape: Shape) -> list[list[int]]:
    """Draw the number of results of each search of each iteration."""
    searches = rng.integers(*shape.searches, size=rng.integers(*shape.iterations, endpoint=True), endpoint=True)
    return [rng.integers(*shape.results, size=n, endpoint=True).tolist() for n in searches.tolist()]


def plain_score(conversation: Json) -> tuple[list[tuple[float, ...]], int | None]:
    """Return the nine metrics at each iteration, and IterationsForAllGoodResults."""
    rows: list[tuple[float, ...]] = []
    seen = set()
    results = good = 0
    cg = dcg = average_sum = discounted_sum = 0.0
    completed = None
    searched = [iteration for iteration in conversation["turns"][-1]["iterations"] if iteration["searches"]]
    for i, iteration in enumerate(searched, start=1):
        found = new_good = gain = 0
        for search in iteration["searches"]:
            found += len(search["results"])
            for result in search["results"]:
                if result["id"] in seen:
                    continue
                seen.add(result["id"])
                if result["gain"] >= GOOD:
                    new_good += 1
                    gain += result["gain"]
        results += found
        good += new_good
        if new_good:
            completed = min(i, 100)
        weight = 1 / math.log2(i + 1)
        average = gain / found if found else 0.0
        cg += gain
        dcg += weight * gain
        average_sum += average
        discounted_sum += weight * average
        sre = good / results if results else 0.0
        srr = (results - len(seen)) / results if results else 0.0
        rows.append((cg, cg / i, dcg, dcg / i, average, average_sum / i, discounted_sum / i, sre, srr))
    return rows, completed


def plain_summary(conversations: Iterable[Json]) -> Means:
    """Return the mean of every metric at every iteration, and at the end."""
    sums: dict[int | None, list[float]] = {}
    reached: dict[int | None, int] = {}
    completed = []
    for conversation in conversations:
        rows, last = plain_score(conversation)
        if last is not None:
            completed.append(last)
        for i, row in [*enumerate(rows, start=1), *((None, row) for row in rows[-1:])]:
            so_far = sums.setdefault(i, [0.0] * len(FAMILIES))
            sums[i] = [a + b for a, b in zip(so_far, row, strict=True)]
            reached[i] = reached.get(i, 0) + 1
    means = {spell(f, i): s / reached[i] for i, row in sums.items() for f, s in zip(FAMILIES, row, strict=True)}
    return means | {COMPLETION: sum(completed) / len(completed)}


def spell(family: str, i: int | None) -> str:
    return family if i is None else f"{family}{'_' if family == 'AvgGain' else '@'}{i}"


def parsed(path: Path, loads: Callable[[bytes], Json]) -> Iterator[Json]:
    with path.open("rb") as lines:
        for line in lines:
            yield loads(line)


def our_score(tables: Sequence[TraceTable]) -> dict[str, FloatArray]:
    """Mark, count and score as the job does; every metric at every iteration of every conversation."""
    system, _ = count_system(tables, name="ours", scoring=Scoring(dedup="id"), labels=None, pooling=Pooling("own"))
    iterations = system.counts.iterations(threshold=GOOD)
    values = {family: METRICS.get(family).kernel(iterations) for family in FAMILIES}
    return values | {COMPLETION: METRICS.get(COMPLETION).kernel(system.completion.completed)}


def our_summary(path: Path, *, dedup: str) -> Means:
    metrics: Any = goldproof.score_traces(path, dedup=dedup).to_dict()["metrics"]
    return {name: entry["runs"][path.stem]["mean"] for name, entry in metrics.items()}


def check_scores(ours: dict[str, FloatArray], theirs: list[Any]) -> None:
    rows = np.array([row for rows, _ in theirs for row in rows])
    for place, family in enumerate(FAMILIES):
        np.testing.assert_allclose(ours[family], rows[:, place], rtol=0, atol=1e-9, err_msg=family)
    completed = np.array([100.0 if last is None else last for _, last in theirs])
    np.testing.assert_array_equal(ours[COMPLETION], completed)


def check_means(ours: Means, theirs: Means) -> None:
    assert ours.keys() == theirs.keys(), ours.keys() ^ theirs.keys()
    for name, mean in theirs.items():
        assert abs(ours[name] - mean) < 1e-9, f"{name}: {ours[name]} is not {mean}"


def best_of(sides: Mapping[str, Callable[[], object]]) -> dict[str, float]:
    """Return CPU seconds by side, the best of the rounds, interleaved."""
    found: dict[str, list[float]] = {name: [] for name in sides}
    for _ in range(ROUNDS):
        for name, side in sides.items():
            gc.collect()
            start = time.process_time()
            side()
            found[name].append(time.process_time() - start)
    return {name: min(seconds) for name, seconds in found.items()}


def scoring_row(name: str, *, conversations: int) -> str:
    data = make(SHAPES[name], conversations=conversations)
    tables = list(traces_from_frame(flat_frame(data)))
    theirs = [plain_score(one) for one in data]
    check_scores(our_score(tables), theirs)
    seen = duplicate_share(data)
    del theirs
    best = best_of({"ours": lambda: our_score(tables), "plain": lambda: [plain_score(one) for one in data]})
    ours, plain = best["ours"], best["plain"]
    size = sum(len(table.results) for table in tables)
    return f"| {name} | {size:,} | {seen:.0%} | {1e3 * ours:.1f} | {1e3 * plain:.0f} | {plain / ours:.1f}x |"


def duplicate_share(data: list[Json]) -> float:
    ids = [
        [r["id"] for iteration in one["turns"][-1]["iterations"] for s in iteration["searches"] for r in s["results"]]
        for one in data
    ]
    return 1 - sum(len(set(one)) for one in ids) / sum(map(len, ids))


def flat_frame(data: list[Json]) -> pl.DataFrame:
    """Return the same traces with a row per result; a search that found nothing has one row without a result."""
    rows = [
        (one["conversation_id"], i, s, rank, result["id"], result["gain"])
        for one in data
        for i, iteration in enumerate(one["turns"][-1]["iterations"], start=1)
        for s, search in enumerate(iteration["searches"], start=1)
        for rank, result in enumerate(search["results"] or [{"id": None, "gain": None}], start=1)
    ]
    names = ["conversation_id", "iteration", "search", "rank", "id", "gain"]
    return pl.DataFrame(rows, schema=names, orient="row")


def file_rows(folder: Path, *, conversations: int) -> Iterator[str]:
    data = make(SHAPES["integer ids"], conversations=conversations)
    lines, flat = folder / "nested.jsonl", folder / "flat.parquet"
    lines.write_bytes(b"".join(orjson.dumps(one) + b"\n" for one in data))
    flat_frame(data).write_parquet(flat)
    del data
    ours: dict[str, Callable[[], Means]] = {
        "Parquet, ids": lambda: our_summary(flat, dedup="id"),
        "Parquet, two-phase": lambda: our_summary(flat, dedup="full"),
        "JSON lines, ids": lambda: our_summary(lines, dedup="id"),
        "JSON lines, two-phase": lambda: our_summary(lines, dedup="full"),
    }
    peers: dict[str, Callable[[], Means]] = {
        "json": lambda: plain_summary(parsed(lines, json.loads)),
        "orjson": lambda: plain_summary(parsed(lines, orjson.loads)),
    }
    expected = peers["json"]()
    for name, side in ours.items():
        check_means(side(), expected)
        best = best_of({"ours": side, **peers})
        numbers = " | ".join(f"{1e3 * seconds:.0f}" for seconds in best.values())
        ratios = " | ".join(f"{best[peer] / best['ours']:.1f}x" for peer in peers)
        yield f"| {name} | {numbers} | {ratios} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--conversations", type=int, default=10_000)
    conversations = parser.parse_args().conversations
    print("| scoring alone | results | duplicates | goldproof, ms | plain Python, ms | ratio |")
    print("| --- | ---: | ---: | ---: | ---: | ---: |")
    for name in SHAPES:
        print(scoring_row(name, conversations=conversations), flush=True)
    print(
        "\n| file to summary, integer ids | goldproof, ms | plain, json, ms | plain, orjson, ms | over json | over "
        "orjson |"
    )
    print("| --- | ---: | ---: | ---: | ---: | ---: |")
    with tempfile.TemporaryDirectory(prefix="goldproof-bench-") as name:
        for row in file_rows(Path(name), conversations=conversations):
            print(row, flush=True)


if __name__ == "__main__":
    main()
