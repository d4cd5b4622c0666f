"""`package:google-adk` with its documents against a bare `griffe.load`: CPU time, best of three rounds, interleaved.

The peer reads the same modules through a temporary folder that holds only a link to `google/adk`, and makes no
documents. From site-packages it reads every installed sibling of the namespace too; that is shown beside it, once.
Ours pauses the garbage collector while it reads; the peer runs as it comes, and once with the collector paused too.
Target: at most 1.5 times the peer, and `google.adk` is not imported.
"""

from __future__ import annotations

import gc
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

import griffe

from goldproof.corpus.packages import find_distribution, open_package

if TYPE_CHECKING:
    from collections.abc import Callable

ROUNDS = 3
QUERIES = ("LlmAgent", "Runner.run", "LlmAgnt", "memory service")


def spent(work: Callable[[], object]) -> float:
    before = time.process_time()
    work()
    return time.process_time() - before


def main() -> None:
    (site,) = find_distribution("google-adk").search_path
    made: list[int] = []

    def ours() -> None:
        made[:] = [len(open_package("google-adk").documents())]

    with tempfile.TemporaryDirectory() as folder:
        link = Path(folder, "google", "adk")
        link.parent.mkdir()
        link.symlink_to(site / "google" / "adk")

        def peer() -> None:
            griffe.load("google.adk", search_paths=[folder], allow_inspection=False, try_relative_path=False)

        best = {"griffe.load, a folder with a link": float("inf"), "package:google-adk, documents": float("inf")}
        for _ in range(ROUNDS):
            for name, work in zip(best, (peer, ours), strict=True):
                best[name] = min(best[name], spent(work))
        gc.disable()
        paused = spent(peer)
        gc.enable()

    package = open_package("google-adk")
    package.documents()
    indexing = spent(lambda: package.search(QUERIES[0]))
    searching = spent(lambda: [package.search(query) for query in QUERIES]) / len(QUERIES)
    siblings = spent(lambda: griffe.load("google.adk", search_paths=[site], allow_inspection=False))
    bare = best["griffe.load, a folder with a link"]
    print("| reading google-adk | CPU, s | ratio |\n| --- | ---: | ---: |")
    for name, seconds in best.items():
        print(f"| {name} | {seconds:.2f} | {seconds / bare:.2f} |")
    print(f"| griffe.load, a folder with a link, collector paused, once | {paused:.2f} | {paused / bare:.2f} |")
    print(f"| griffe.load from site-packages, once | {siblings:.2f} | {siblings / bare:.2f} |")
    print(f"\n{made[0]} documents. The index of names takes {indexing:.2f} s, a search {1000 * searching:.0f} ms.")
    imported = sorted(name for name in sys.modules if name == "google.adk" or name.startswith("google.adk."))
    print(f"Modules of google.adk imported on the way: {len(imported)}.")


if __name__ == "__main__":
    main()
