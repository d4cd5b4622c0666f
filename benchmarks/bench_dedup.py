"""Two-phase deduplication of web results, parsing not counted; CPU time of all threads, best of five.

5,000 conversations of 3 to 5 iterations with 2 searches of 10 results each, about 400,000 results. A third of them show
a document again that the conversation has seen: with another snippet (it depends on the query), half of them under
another spelling of the URL (scheme, `www.`, trailing slash, tracking parameters). URLs have real-looking paths, a
third of them with parameters that matter; titles have about 60 characters, snippets about 160, some of both are not
ASCII, and some have highlight tags. There are no ids. The second row is one conversation of 20,000 different pages of
one title: a key that proposes everything. `keys` is making the keys and finding the rows that share one, `deciding` the
rest. The marking is compared with the documents that were drawn before any time is taken.

    python benchmarks/bench_dedup.py [--conversations N]
"""

from __future__ import annotations

import argparse
import gc
import random
import time
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import polars as pl

from goldproof.dedup import DEFAULT_RULES, mark_duplicates
from goldproof.dedup.marks import mark_prepared, prepare
from goldproof.records.traces import ResultTable

if TYPE_CHECKING:
    from goldproof.records.arrays import IntArray

ROUNDS = 5
REPEATED = 0.34
SYLLABLES = ("ba", "ce", "di", "fa", "gu", "ka", "le", "mi", "no", "pu", "ra", "se", "shi", "tor", "pla", "gren", "quo")
HOSTS = 3000
PAGES = 20_000


class Document(NamedTuple):
    url: str
    title: str


class Trace(NamedTuple):
    results: ResultTable
    starts: IntArray
    truth: list[int]


class Maker:
    """Draws documents and the results that show them."""

    def __init__(self) -> None:
        self.rng = random.Random(7)
        self.words = ["".join(self.rng.choices(SYLLABLES, k=self.rng.randint(1, 4))) for _ in range(20_000)]
        self.words += ["café", "naïve", "Zürich", "日本語"]
        self.hosts = [f"{self.word()}{self.rng.choice(['.com', '.org', '.co.uk', '.io'])}" for _ in range(HOSTS)]
        self.made = 0

    def word(self) -> str:
        return self.rng.choice(self.words)

    def text(self, length: int) -> str:
        found = self.word().capitalize()
        while len(found) < length:
            found += " " + self.word()
        return found

    def document(self) -> Document:
        self.made += 1
        path = "/".join(f"{self.word()}-{self.word()}" for _ in range(self.rng.randint(1, 3)))
        query = f"?id={self.made}&page={self.rng.randint(1, 9)}" if self.rng.random() < 0.33 else ""
        site = self.word().capitalize()
        return Document(f"{self.rng.choice(self.hosts)}/{path}-{self.made}{query}", f"{self.text(48)} - {site}")

    def shown(self, document: Document) -> tuple[str, str, str]:
        url = f"https://www.{document.url}"
        if self.rng.random() < 0.5:
            url = f"{self.rng.choice(['http://', 'https://', 'https://www.'])}{document.url}"
            if self.rng.random() < 0.5:
                url += ("&" if "?" in url else "/?") + f"utm_source=news&utm_campaign={self.rng.randint(1, 99)}"
        snippet = self.text(150) + " ..."
        return url, document.title, f"<b>{snippet[:12]}</b>{snippet[12:]}" if self.rng.random() < 0.2 else snippet


def make(conversations: int) -> Trace:
    maker = Maker()
    rows: list[tuple[str, str, str]] = []
    starts, truth = [0], []
    for _ in range(conversations):
        seen: list[tuple[Document, int]] = []
        for _ in range(maker.rng.randint(3, 5) * 20):
            again = bool(seen) and maker.rng.random() < REPEATED
            document, origin = maker.rng.choice(seen) if again else (maker.document(), len(rows))
            if not again:
                seen.append((document, origin))
            truth.append(origin)
            rows.append(maker.shown(document))
        starts.append(len(rows))
    return Trace(as_table(rows), np.array(starts), truth)


def make_one_title(pages: int) -> Trace:
    maker = Maker()
    rows = [maker.shown(maker.document()._replace(title="Home")) for _ in range(pages)]
    return Trace(as_table(rows), np.array([0, pages]), list(range(pages)))


def as_table(rows: list[tuple[str, str, str]]) -> ResultTable:
    columns = pl.DataFrame(rows, schema=["url", "title", "snippet"], orient="row")
    return ResultTable(columns, np.full(len(rows), -1, dtype=np.int8))


def measure(trace: Trace) -> tuple[float, float]:
    """Return CPU seconds for keys and for deciding, of the round whose sum is best."""
    found = []
    for _ in range(ROUNDS):
        gc.collect()
        start = time.process_time()
        prepared = prepare(trace.results, trace.starts, rules=DEFAULT_RULES)
        between = time.process_time()
        mark_prepared(prepared, trace.starts, rules=DEFAULT_RULES)
        found.append((between - start, time.process_time() - between))
    return min(found, key=sum)


def row(name: str, trace: Trace) -> str:
    marks = mark_duplicates(trace.results, trace.starts)
    assert marks.origin.tolist() == trace.truth, "the marking is wrong"
    keys, deciding = measure(trace)
    total, size = keys + deciding, len(trace.results)
    cells = (name, f"{size:,}", f"{marks.duplicate.mean():.0%}", f"{size / total:,.0f}", f"{1e3 * total:.0f}")
    return f"| {' | '.join(cells)} | {keys / total:.0%} | {deciding / total:.0%} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--conversations", type=int, default=5000)
    conversations = parser.parse_args().conversations
    print(f"CPU time, best of {ROUNDS}\n")
    print("| | results | duplicates | results per CPU second | ms | keys | deciding |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: |")
    print(row("web results", make(conversations)))
    print(row("one title", make_one_title(PAGES)))


if __name__ == "__main__":
    main()
