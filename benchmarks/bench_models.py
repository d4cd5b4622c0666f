"""What a judged pair costs beside the model: our llm judge against a bare `Agent.run` of pydantic-ai.

Both ask the same loopback server, in another process (`python -m goldproof.testing`), the same words for the same form,
eight at a time in one event loop, every pair once. Ours keeps each answer on disk, counts its cost, checks its quotes
and makes a ruling; the peer only validates the form. CPU time of this process with all its threads, rounds interleaved;
`best` is the best round of each, `median` the middle one. Target: at most 1.10 times the peer.

Then the same pairs again, all of them kept, five times a round: hits a second, by CPU time and by the clock, best pass.
Target: at least 5,000 a second.

Last, lookups among 10,000 and 1,000,000 kept judgments: opening the cache and 20,000 random `get`, each in a process
of its own. `growth` is by how much its memory rose over what it was before the cache was opened. Target: flat.

Run: python benchmarks/bench_models.py [--pairs 200] [--rounds 7] [--kept 1000000]
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator, Sequence

    from goldproof.records.entities import Document, Question

HERE = Path(__file__).resolve().parent
AT_ONCE = 8
HIT_PASSES = 5
LOOKUPS = 20_000
SENTENCE = (
    "The index of item {n} is rebuilt every night by a job that reads the log of changes and writes new segments."
)
FINDING = {
    "reason": "The document says so.",
    "quotes": ["rebuilt every night by a job that reads the log of changes"],
    "answer": "every night",
    "missing": "",
    "answerable": "YES",
}


def finding(_: object) -> dict[str, Any]:
    """What the server answers to everything."""
    return FINDING


class Pair(NamedTuple):
    """A question and the document that it is judged with."""

    question: Question
    document: Document


class Spent(NamedTuple):
    """Seconds."""

    cpu: float
    wall: float


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--pairs", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--kept", type=int, default=1_000_000)
    parser.add_argument("--lookups-of", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.lookups_of is not None:
        print(json.dumps(lookups(given.lookups_of, given.kept)))
        return
    with tempfile.TemporaryDirectory() as folder:
        os.environ["GOLDPROOF_HOME"] = folder
        with server() as url:
            compare(url, pairs=given.pairs, rounds=given.rounds)
        many_kept(Path(folder), (10_000, given.kept))


@contextmanager
def server() -> Iterator[str]:
    """The loopback server in a process of its own."""
    command = [sys.executable, "-m", "goldproof.testing", "--script", "bench_models:finding", "--until-stdin-closes"]
    with subprocess.Popen(command, cwd=HERE, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            yield process.stdout.readline().strip()
        finally:
            process.stdin.close()


def make_pairs(count: int, name: str) -> list[Pair]:
    from goldproof.records.entities import Document, Question

    text = " ".join(SENTENCE.format(n=number) for number in range(15))  # some 1,600 characters
    return [
        Pair(
            Question(f"q{name}-{number}", f"How often is index {number} of {name} rebuilt?"),
            Document(f"d{number}", f"{text} {name} {number}"),
        )
        for number in range(count)
    ]


def compare(url: str, *, pairs: int, rounds: int) -> None:
    ours, peer = our_judge(url), bare_agent(url)
    names = ("pydantic-ai, Agent.run", "goldproof, llm judge")
    spent: dict[str, list[Spent]] = {name: [] for name in names}
    hits: list[Spent] = []
    for number in range(rounds + 1):  # the first one warms up
        fresh = make_pairs(pairs, f"round {number}")
        took = [measured(peer(fresh)), measured(ours(fresh))]
        hits += [measured(ours(fresh)) for _ in range(HIT_PASSES)]
        for name, seconds in zip(names, took, strict=True) if number else ():
            spent[name].append(seconds)
    print(f"| {pairs} pairs, {rounds} rounds | best, ms per pair | ratio | median | ratio |")
    print("| --- | ---: | ---: | ---: | ---: |")
    best, median = ([pick(each.cpu for each in spent[name]) for name in names] for pick in (min, statistics.median))
    for row, name in enumerate(names):
        a, b = best[row], median[row]
        print(f"| {name} | {1e3 * a / pairs:.2f} | {a / best[0]:.2f} | {1e3 * b / pairs:.2f} | {b / median[0]:.2f} |")
    cpu, wall = (min(each) for each in zip(*hits, strict=True))
    print(f"\nKept already: {pairs / cpu:,.0f} hits a second of CPU time, {pairs / wall:,.0f} by the clock.\n")


def measured(work: Callable[[], None]) -> Spent:
    before, start = time.process_time(), time.perf_counter()
    work()
    return Spent(time.process_time() - before, time.perf_counter() - start)


def our_judge(url: str) -> Callable[[Sequence[Pair]], Callable[[], None]]:
    from goldproof.concurrency import run_in_loop
    from goldproof.judge import open_judge

    judge = open_judge(f"llm:{url}#model=x")

    async def one(pair: Pair) -> None:
        ruling = await judge.judge(pair.question, [pair.document])
        if ruling.label != "yes" or not ruling.evidence:
            raise ValueError(f"expected a proven yes, not {ruling}")

    return lambda pairs: lambda: run_in_loop(all_at_once([(one, pair) for pair in pairs]))


def bare_agent(url: str) -> Callable[[Sequence[Pair]], Callable[[], None]]:
    import pydantic_ai
    from pydantic_ai import Agent
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.openai import OpenAIProvider

    from goldproof.concurrency import run_in_loop
    from goldproof.judge.prompts import PROMPTS, YesNo, judge_ask

    pydantic_ai.BANNER_ENABLED = False
    prompt = PROMPTS["yes-no"]
    model = OpenAIChatModel("x", provider=OpenAIProvider(base_url=url, api_key="none"))
    agent = Agent(model, output_type=YesNo, instructions=prompt.instructions, model_settings={"temperature": 0.0})

    async def one(words: str) -> None:
        result = await agent.run(words)
        if result.output.answerable != "YES":
            raise ValueError(f"expected a yes, not {result.output}")

    def ready(pairs: Sequence[Pair]) -> Callable[[], None]:
        words = [judge_ask(pair.question, [pair.document], prompt=prompt).prompt for pair in pairs]
        return lambda: run_in_loop(all_at_once([(one, each) for each in words]))

    return ready


async def all_at_once(calls: Sequence[tuple[Callable[[Any], Awaitable[None]], Any]]) -> None:
    """Make all calls, some at a time, without more around them than both sides need."""
    left = iter(calls)

    async def work() -> None:
        for function, argument in left:
            await function(argument)

    await asyncio.gather(*(work() for _ in range(AT_ONCE)))


def many_kept(folder: Path, sizes: Sequence[int]) -> None:
    print(f"| judgments kept | file, MB | open, ms | {LOOKUPS:,} lookups, us each | memory growth, MB |")
    print("| ---: | ---: | ---: | ---: | ---: |")
    for size in sizes:
        path = folder / f"{size}.sqlite"
        fill(path, size)
        command = [sys.executable, "-P", __file__, "--lookups-of", str(path), "--kept", str(size)]
        done = subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True)
        opened, each, growth = json.loads(done.stdout)
        megabytes = path.stat().st_size / 1e6
        print(f"| {size:,} | {megabytes:,.0f} | {1e3 * opened:.1f} | {1e6 * each:.0f} | {growth:.1f} |")
        path.unlink()


def fill(path: Path, size: int) -> None:
    from goldproof.io.storage.keyed_store import KeyedStore

    kept = {"text": json.dumps(FINDING), "tokens_in": 520, "tokens_out": 60, "cost": 0.00176, "model": "x", "ended": ""}
    value = json.dumps(kept).encode()
    with KeyedStore(path) as store:
        store.put_many((key, value) for key in sorted(map(key_of, range(size))))


def key_of(number: int) -> bytes:
    return hashlib.sha256(str(number).encode()).digest()


def lookups(path: Path, size: int) -> tuple[float, float, float]:
    """Return seconds to open, seconds for each lookup (CPU), and megabytes that memory grew by."""
    from goldproof.llm.answer_cache import AnswerCache

    chance = random.Random(5)
    wanted = [key_of(chance.randrange(size)) for _ in range(LOOKUPS)]
    before = memory_mb("VmRSS")
    start = time.process_time()
    cache = AnswerCache(path)
    opened = time.process_time()
    if any(cache.get(key) is None for key in wanted):
        raise ValueError("a judgment that was kept is not there")
    done = time.process_time()
    growth = memory_mb("VmHWM") - before
    cache.close()
    return opened - start, (done - opened) / LOOKUPS, growth


def memory_mb(name: str) -> float:
    """Return the memory now (VmRSS) or at its peak (VmHWM); ru_maxrss would count the parent's as well."""
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith(f"{name}:"))


if __name__ == "__main__":
    main()
