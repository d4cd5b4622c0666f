"""Does memory stay flat as a source grows? Peak resident memory of `goldproof.build` and `.save` at 10,000 and 100,000.

Run: python -P benchmarks/build_memory.py [--records 10000 100000]

RAGBench-shaped JSON lines of about 5 KB, as `bench_build.py` makes them. Each build runs in a process of its own, once
with a quota of 1,000 samples and once with a quota that takes everything; `start` is a build of 200 records, which
loads all code, the picture's included. `built` is the peak after `goldproof.build`, `saved` after `.save`. Files are
made in a temporary folder and removed. Takes some minutes, and is not part of `make bench`.

Texts never grow: samples and documents wait in a scratch file, of which SQLite caches at most 8 MB. What must grow: of
each question of the pool its candidate and its entry in the index of questions (numbers for its words, and each new
word once), some 500 bytes together; where everything is taken, also the places of the chosen, and while the corpus is
written an id and a hash of each document.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).resolve().parent
QUOTA = 1_000
START = 200


class Reading(NamedTuple):
    """What one build took."""

    samples: int
    built_mb: float
    saved_mb: float
    seconds: float


def peak_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def child(path: Path, quota: int) -> None:
    """Build and save as users do, and print what it took of this process."""
    import goldproof

    source = {"adapter": "ragbench", "path": str(path)}
    result = goldproof.build({"name": "memory", "sources": [source], "quotas": {"clean_text": quota}})
    built = peak_mb()
    result.save(path.parent / f"out-{quota}")
    usage = resource.getrusage(resource.RUSAGE_SELF)
    print(json.dumps([len(result), built, peak_mb(), usage.ru_utime + usage.ru_stime]))


def measure(path: Path, *, quota: int) -> Reading:
    command = [sys.executable, "-P", __file__, "--quota", str(quota), "--child", str(path)]
    return Reading(*json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True).stdout))


def write_records(path: Path, *, records: int) -> None:
    command = [sys.executable, "-P", str(HERE / "bench_build.py"), "--records", str(records), "--write", str(path)]
    subprocess.run(command, check=True)


def compare(sizes: list[int]) -> None:
    print("| records | quota | samples | built, peak MB | saved, peak MB | CPU, s |")
    print("| --- | ---: | ---: | ---: | ---: | ---: |")
    peaks: dict[bool, list[float]] = {False: [], True: []}
    for size in (START, *sizes):
        with tempfile.TemporaryDirectory(prefix="goldproof-bench-") as name:
            path = Path(name) / "records.jsonl"
            write_records(path, records=size)
            for whole in (True,) if size == START else (False, True):
                found = measure(path, quota=size if whole else QUOTA)
                show(size, found, whole=whole)
                peaks[whole] += [] if size == START else [found.saved_mb]
    grown = {whole: found[-1] - found[0] for whole, found in peaks.items()}
    print(
        f"\nFrom {sizes[0]:,} to {sizes[-1]:,} records the peak grew by {grown[False]:,.0f} MB with a quota of "
        f"{QUOTA:,}, and by {grown[True]:,.0f} MB with everything."
    )


def show(size: int, found: Reading, *, whole: bool) -> None:
    label = "start" if size == START else f"{size:,}"
    quota = "all" if whole else f"{QUOTA:,}"
    numbers = f"{found.built_mb:,.0f} | {found.saved_mb:,.0f} | {found.seconds:.1f}"
    print(f"| {label} | {quota} | {found.samples:,} | {numbers} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--records", type=int, nargs="+", default=[10_000, 100_000])
    parser.add_argument("--quota", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--child", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.child:
        child(given.child, given.quota)
    else:
        compare(given.records)


if __name__ == "__main__":
    main()
