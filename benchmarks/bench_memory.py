"""`goldproof memory run` on a load of LoCoMo's size against the same `dense(minilm)` pipeline called bare.

Ten conversations of 600 turns with 200 queries each, made of random sentences. Bare: each conversation is indexed and
its queries are searched in one call, as fast as the pipeline goes. Ours: `goldproof.run_memory` on the same with
`dense(minilm) | top(5)`: storing, asking, matching, twelve measures, criteria and intervals (`to_dict`). Each in a
process of its own, alternately, CPU time of the process and its children from the first document to the last figure,
best of the rounds. Cold: nothing is embedded yet. Warm: all vectors are kept, so that almost nothing is left to do but
searching. The last row adds the report with the analysis of failed queries (200 at most).

Target: at most 10% above the bare pipeline.

Run: python benchmarks/bench_memory.py [--rounds 3] [--conversations 10]
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from goldproof.io.scenarios.scenario import Suite

TURNS, QUERIES, K = 600, 200, 5
PIPELINE = "dense(minilm) | top(5)"
TEXT = (
    "garden kettle harbour ticket violin mountain letter budget doctor bicycle window recipe meeting forest airport "
    "sister printer holiday chapter engine blanket market teacher river candle jacket invoice balcony puzzle station "
    "bought repaired visited planted cancelled cooked painted lost found moved called finished booked cleaned sold "
    "yesterday slowly together quietly again early twice abroad outside nearby red broken cheap heavy sunny tired new "
    "small wooden expensive late empty spare famous local quiet open second brother neighbour colleague cousin manager"
)
WORDS = TEXT.split()


def sentence(source: random.Random, words: int) -> str:
    return " ".join(source.choices(WORDS, k=words)).capitalize() + "."


def suite_of(conversations: int) -> Suite:
    from goldproof.io.scenarios.scenario import MemoryItem, Query, Scenario, Suite

    source = random.Random(7)
    scenarios = []
    for c in range(conversations):
        memories = tuple(
            MemoryItem(f"m{i}", ("user", "assistant")[i % 2], sentence(source, 14), {"turn": i + 1})
            for i in range(TURNS)
        )
        queries = tuple(
            Query(f"q{i}", sentence(source, 8), "haystack", {f"m{source.randrange(TURNS)}": 2}) for i in range(QUERIES)
        )
        scenarios.append(Scenario(f"c{c}", memories, queries))
    return Suite("load", tuple(scenarios))


def cpu() -> float:
    usages = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def bare(suite: Suite) -> None:
    from goldproof.records.entities import Document
    from goldproof.retrieve import open_retriever

    pipeline = open_retriever(PIPELINE)
    for scenario in suite.scenarios:
        pipeline.index([Document(memory.id, memory.content, metadata=memory.metadata) for memory in scenario.memories])
        pipeline.search_many({query.id: query.text for query in scenario.queries}, k=K)


def ours(suite: Suite, *, report: bool = False) -> None:
    import goldproof

    result = goldproof.run_memory(suite, PIPELINE, self_check=False)
    assert len(result.runs) == 1
    result.to_dict()
    if report:
        result.writers()


def child(what: str, conversations: int) -> None:
    import goldproof.jobs.memory
    import goldproof.memory  # noqa: F401 - imports are no part of what is measured
    from goldproof.retrieve import open_retriever

    suite = suite_of(conversations)
    open_retriever(PIPELINE)
    start = cpu()
    bare(suite) if what == "bare" else ours(suite, report=what == "report")
    spent = cpu() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"cpu": spent, "peak": peak}))


def measure(what: str, home: str, conversations: int) -> dict[str, float]:
    command = [sys.executable, "-P", __file__, "--child", what, "--conversations", str(conversations)]
    done = subprocess.run(
        command, env={**os.environ, "GOLDPROOF_HOME": home}, stdout=subprocess.PIPE, text=True, check=True
    )
    found: dict[str, float] = json.loads(done.stdout)
    return found


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--conversations", type=int, default=10)
    parser.add_argument("--child", default="")
    chosen = parser.parse_args()
    if chosen.child:
        child(chosen.child, chosen.conversations)
        return
    queries = QUERIES * chosen.conversations
    runs: dict[tuple[str, str], list[dict[str, float]]] = {}
    for _ in range(chosen.rounds):
        with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as other:
            for what, home in (("bare", one), ("ours", other)):
                runs.setdefault(("cold", what), []).append(measure(what, home, chosen.conversations))
            for what in ("bare", "ours", "report"):
                runs.setdefault(("warm", what), []).append(measure(what, one, chosen.conversations))
    print(
        f"| {chosen.conversations} conversations, {queries:,} queries | CPU s | per 1,000 queries | peak MB | ratio |"
    )
    print("| --- | ---: | ---: | ---: | ---: |")
    names = {"bare": "pipeline, bare", "ours": "goldproof.run_memory", "report": "the same with the report"}
    for (state, what), found in runs.items():
        best = min(one["cpu"] for one in found)
        base = min(one["cpu"] for one in runs[state, "bare"])
        peak = max(one["peak"] for one in found)
        print(f"| {names[what]}, {state} | {best:.1f} | {1000 * best / queries:.2f} | {peak:.0f} | {best / base:.2f} |")


if __name__ == "__main__":
    main()
