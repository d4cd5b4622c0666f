"""Does memory stay flat as a file of traces grows? Peak resident memory of `goldproof.score_traces` at 100 MB and 1 GB.

Run: python -P benchmarks/trace_memory.py [--megabytes 100 1000] [--dedup full]

JSON lines of web results (URL, title of about 60 characters, snippet of about 160, type, gain; no ids), 3 to 5
iterations of 2 searches with 10 results; a third of the results were seen before in their conversation, with another
snippet and half of them with another spelling of the URL. Each file is scored in a process of its own, with the full
deduplication unless said otherwise; `import` is a process that loads what scoring loads and reads a file of one
conversation. Files are made in a temporary folder and removed. Takes some minutes, and is not part of `make bench`.

What must grow is little: of each conversation its id, its question and a few counts, less than 1 KB in all.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

import orjson

MB = 1_000_000
REPEATED = 0.34
SYLLABLES = ("ba", "ce", "di", "fu", "gu", "ka", "le", "mi", "no", "pu", "ra", "se", "shi", "tor", "pla", "gren", "quo")
SPELLINGS = ("https://www.{}", "https://www.{}", "http://{}", "https://{}/?utm_source=news")


class Reading(NamedTuple):
    """What scoring one file took."""

    peak_mb: float
    seconds: float
    conversations: int
    results: int


class Maker:
    """Draws conversations; texts are put together from phrases, so that a gigabyte is written in a minute."""

    def __init__(self) -> None:
        self.rng = random.Random(7)
        words = ["".join(self.rng.choices(SYLLABLES, k=self.rng.randint(1, 4))) for _ in range(20_000)]
        words += ["café", "naïve", "Zürich", "日本語"]
        self.phrases = [" ".join(self.rng.choices(words, k=4)) for _ in range(50_000)]
        self.hosts = [f"{word}.{end}" for word in words[:3000] for end in ("com", "org")]
        self.made = 0

    def conversation(self, number: int) -> bytes:
        seen: list[tuple[str, str, int]] = []
        iterations = [{"searches": [self.search(seen) for _ in range(2)]} for _ in range(self.rng.randint(3, 5))]
        turn = {"question": f"{self.rng.choice(self.phrases)}?", "iterations": iterations}
        return orjson.dumps({"conversation_id": f"conversation-{number}", "turns": [turn]}) + b"\n"

    def search(self, seen: list[tuple[str, str, int]]) -> dict[str, object]:
        return {"query": self.rng.choice(self.phrases), "results": [self.result(seen) for _ in range(10)]}

    def result(self, seen: list[tuple[str, str, int]]) -> dict[str, object]:
        if not seen or self.rng.random() >= REPEATED:
            seen.append(self.document())
            url, title, gain = seen[-1]
        else:
            url, title, gain = self.rng.choice(seen)
        spelling = self.rng.choice(SPELLINGS)
        snippet = " ".join(self.rng.choices(self.phrases, k=5))
        return {"url": spelling.format(url), "title": title, "snippet": snippet, "type": "web", "gain": gain}

    def document(self) -> tuple[str, str, int]:
        self.made += 1
        path = self.rng.choice(self.phrases).replace(" ", "-")
        title = " ".join(self.rng.choices(self.phrases, k=2)).capitalize()
        return f"{self.rng.choice(self.hosts)}/{path}/{self.made}", title, self.rng.randrange(5)


def write(path: Path, *, size: int) -> int:
    """Write conversations until the file has that many bytes, but at least one; return how many bytes it has."""
    maker, written, number = Maker(), 0, 0
    with path.open("wb") as file:
        while not number or written < size:
            written += file.write(maker.conversation(number))
            number += 1
    return written


def child(path: Path, dedup: str) -> None:
    """Score a file as users do, and print what it took of this process."""
    import resource

    import goldproof

    facts: dict[str, dict[str, int]] = goldproof.score_traces(path, dedup=dedup).to_dict()["runs"]  # type: ignore[assignment]
    usage = resource.getrusage(resource.RUSAGE_SELF)
    counts = facts[path.stem]
    seconds = usage.ru_utime + usage.ru_stime
    print(json.dumps([usage.ru_maxrss / 1024, seconds, counts["conversations"], counts["results"]]))


def measure(path: Path, *, dedup: str) -> Reading:
    command = [sys.executable, "-P", __file__, "--dedup", dedup, "--child", str(path)]
    return Reading(*json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True).stdout))


def check_space(folder: Path, *, size: int) -> None:
    free = shutil.disk_usage(folder).free
    if free < 1.2 * size:
        sys.exit(f"{folder} has {free / MB:,.0f} MB free; {1.2 * size / MB:,.0f} MB are needed (TMPDIR names another).")


def compare(sizes: list[int], *, dedup: str) -> None:
    print("| file | conversations | results | peak memory, MB | CPU, s | results per CPU s |")
    print("| --- | ---: | ---: | ---: | ---: | ---: |")
    peaks = []
    for size in (0, *sizes):
        with tempfile.TemporaryDirectory(prefix="goldproof-bench-") as name:
            path = Path(name) / "traces.jsonl"
            check_space(Path(name), size=size * MB)
            written = write(path, size=size * MB)
            found = measure(path, dedup=dedup)
        peaks.append(found.peak_mb)
        label = f"{written / MB:,.0f} MB" if size else "import"
        print(
            f"| {label} | {found.conversations:,} | {found.results:,} | {found.peak_mb:,.0f} | {found.seconds:.1f} "
            f"| {found.results / found.seconds:,.0f} |",
            flush=True,
        )
    print(f"\nFrom {sizes[0]:,} MB to {sizes[-1]:,} MB the peak grew by {peaks[-1] - peaks[1]:,.0f} MB.")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--megabytes", type=int, nargs="+", default=[100, 1000])
    parser.add_argument("--dedup", choices=("full", "id"), default="full")
    parser.add_argument("--child", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.child:
        child(given.child, given.dedup)
    else:
        compare(given.megabytes, dedup=given.dedup)


if __name__ == "__main__":
    main()
