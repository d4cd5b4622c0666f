"""Compare the outputs of two checkouts byte for byte: `python benchmarks/same_outputs.py BASE [HERE]`.

For a change that must not change behaviour. Every command, every example and the real data are run with both
checkouts, offline and with fixed seeds; stdout, stderr, exit codes and all files written must be equal, those in
GOLDPROOF_HOME among them. Both checkouts are copied first and take turns at one path, in fresh folders of the same
names, so that no path differs. What still varies between two runs of one checkout is masked: the table VARIES.

`--list` lists the runs, `--only TEXT` takes those with this text, `--keep DIR` keeps what was compared, for a diff.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shlex
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from dataclasses import dataclass
from fnmatch import fnmatch
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

ROOT = Path(__file__).resolve().parent.parent
SECONDS = 300  # of one command
TIMED_OUT = b"none: it took too long"
TRACEBACK = b"Traceback (most recent call last)"
WIDTH = 110  # of a command in the listing
SHOWN = 5  # differences of a run


class Varies(NamedTuple):
    """What differs between two runs of the same checkout. where: of the names of outputs, as in a listing."""

    where: str
    pattern: str
    mask: str
    why: str


VARIES = (
    Varies("*run.json", r'"written_at": "[^"]+"', '"written_at": TIME', "when the command ended"),
    Varies("*run.json", r'"cpu_seconds": [\d.]+', '"cpu_seconds": TIME', "CPU time of the process"),
    Varies("*run.json", r'"(\w+_ms)": [\d.e-]+', r'"\1": TIME', "latency of searches"),
    Varies("*stdout", r'"(\w+_ms)": [\d.e-]+', r'"\1": TIME', "the same, as --json prints it"),
    Varies(
        "*stdout",
        r"(p50 ms[ |]+p95 ms[ |]*\n.*\n.*?)[ |]+[\d.,]+[ |]+[\d.,]+[ |]*\n",
        r"\1 TIME TIME\n",
        "the same, as the table of goldproof retrieve prints it",
    ),
    Varies("*", r"scripts run as user \d+", "scripts run as user NUMBER", "the sandbox takes any user that is free"),
    Varies("*stderr", r"hold-out was opened at [\d:T+-]+", "hold-out was opened at TIME", "when it was opened"),
    Varies("*holdout*.json*", r'"opened_at": ?"[^"]+"', '"opened_at": TIME', "the same, in ledger and study"),
    Varies("*card.json", r'"hold-out opened": "[\d:T+-]+', '"hold-out opened": "TIME', "the same, on the card"),
    Varies("*study.db", r"'[\d-]{10} [\d:.]{15}'", "TIME", "when a trial of the search began and ended"),
)
# Whole files that say nothing about behaviour.
LEFT_OUT = (("home/numba/*", "machine code that numba keeps, named after source files and their lines"),)


@dataclass(frozen=True, slots=True)
class Run:
    """Commands that share a folder, one after the other."""

    steps: tuple[str, ...]

    @property
    def name(self) -> str:
        """The first command, cut in the middle, and how many follow."""
        first, more = self.steps[0], len(self.steps) - 1
        short = first if len(first) <= WIDTH else f"{first[: WIDTH // 2]} ... {first[-WIDTH // 2 :]}"
        return f"{short}  (and {more} more)" if more else short

    @property
    def needs_real_data(self) -> bool:
        return any("real/" in step for step in self.steps)


def run(*steps: str) -> Run:
    return Run(steps)


# What the runs read beside the bundled data, which stands in folders of these names, and the real data, in `real`.

BUNDLED = ("demo", "memory", "mine", "quickstart", "recipes", "verify")

PARTS = '''"""Parts of one's own: retrievers, an embedder, a reranker, judges, models and a memory."""


def search(query, k):
    if "Windows" in query:
        raise TimeoutError("too slow")
    return [("concepts/leases", 1.0), ("install/ports", 0.5)][:k]


def broken(query, k):
    raise RuntimeError("down")


def vowels(texts):
    return [[1 + text.count(vowel) for vowel in "aeiou"] for text in texts]


def shortest(query, texts):
    return [-len(text) for text in texts]


def mentions(question, documents):
    words = [word.strip("?.,").lower() for word in question.text.split() if len(word) > 6]
    found = [word for word in words if any(word in document.text.lower() for document in documents)]
    return {"label": "yes" if words and len(found) * 2 >= len(words) else "no", "quotes": found}


def grade(question, documents):
    asked = set(question.text.lower().split())
    return min(4, len(asked & set(documents[0].text.lower().split())))


grade.scale = "0-4"


def teacher(prompt):
    for quote in (".bak", "85%", "read-only", "16 labels"):
        if quote in prompt:
            return {"answerable": "YES", "quotes": [quote], "reason": "it says so"}
    return {"answerable": "NO", "missing": "the rest of it", "reason": "something else"}


def grader(prompt):
    return str(len(prompt) % 11)


class LastWords:
    def clear(self):
        self.stored = []

    def add_interaction(self, role, content, metadata):
        self.stored.append(f"{role}: {content}".lower())
        return len(self.stored) - 1

    def search_memories(self, query, top_k=5):
        if "exchange rate" in query:
            raise RuntimeError("index lost")
        words = [word for word in query.lower().strip("?").split() if len(word) > 3]
        found = [place for place, text in enumerate(self.stored) if any(word in text for word in words)]
        return [{"id": place, "score": 0.5} for place in reversed(found)][:top_k]
'''

API = '''"""The public names with their signatures."""

import importlib
import inspect
import re

for module in ("goldproof", "goldproof.retrieve", "goldproof.corpus", "goldproof.judge", "goldproof.llm"):
    there = importlib.import_module(module)
    for name in sorted(there.__all__):
        thing = getattr(there, name)
        try:
            print(module, name, re.sub(" at 0x[0-9a-f]+", "", str(inspect.signature(thing))))
        except (TypeError, ValueError):
            print(module, name, "has no signature")
'''

NOTEBOOK = '''"""Runs the cells of a notebook."""

import json
import sys

with open(sys.argv[1], encoding="utf-8") as stream:
    cells = json.load(stream)["cells"]
exec("\\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"), {})
'''

PIPELINES = """\
retrievers:
  keyword: bm25 | top(5)
  fused:
    - hybrid:
        of: [bm25, {dense: minilm}]
        method: rrf
    - floor: 0.3
    - top: 5
"""

HANDBOOK = """\
# Queues

A queue hands each message to one consumer.

## Leases

A consumer holds a lease of 30 seconds on a message. When the lease runs out, the message goes back to the queue.

## Retries

A message that was handed out five times without success goes to the dead letters.
"""

CASES = """\
suite: shop
benchmarks:
  - id: "1"
    question: Which class tries a failed call again?
    options: {A: RetryPlugin, B: FailPlugin}
    correct_answer: A
  - id: "2"
    question: What does the runner give back?
    options: {A: a list, B: an event stream}
    correct_answer: B
  - id: "3"
    question: Which of these is broken?
    options: {A: one}
    correct_answer: C
"""

HOUSE = """\
name: house
scenarios:
  - id: flat
    memories:
      - {id: budget, role: user, content: "We can pay 1,400 a month at most.", metadata: {turn: 1}}
      - [assistant, "Then the loft is out: it is 1,650.", {turn: 2}]
      - {id: raise, role: user, content: "With the new job 1,700 is fine.", metadata: {turn: 3}}
      - [user, "A balcony would be nice for the tomatoes.", {turn: 4}]
    queries:
      - {id: limit, kind: update, query: "What is the most we want to pay?", expected: [raise], asked_at: 9}
      - {id: pets, kind: negative, query: "Are dogs allowed?", expected: []}
"""

RECIPE = """\
name: two_tables
seed: 7
sources:
  - {adapter: t2-ragbench, path: quickstart/reports.jsonl}
  - {adapter: table, path: faq.csv, doc_type: clean_text, columns: {question: q, answer: a, context: page}}
quotas: {table: 5, clean_text: 2}
unanswerable: {share: 10%, borrow: true}
"""

TALK = (
    ("m1", "I moved to Lisbon in May", "user", 1, "2024-05-02"),
    ("m2", "Lisbon is lovely in May", "assistant", 2, "2024-05-03"),
    ("m3", "My sister lives in Porto", "user", 3, "2024-06-10"),
    ("m4", "Costs of living have doubled since", "assistant", 4, "2024-07-01"),
    ("m5", "I left Lisbon for Berlin", "user", 9, "2025-01-20"),
    ("m6", "Berlin has cheaper costs of living", "assistant", 10, "2025-01-21"),
)
ASKED = (
    ("t1", "Who moved to Lisbon?"),
    ("t2", "What did the assistant say about costs in turns 3 to 6?"),
    ("t3", "my last two messages about Lisbon"),
    ("t4", "Where do I live now?"),
)


def small_files() -> dict[str, str]:
    """Return the files that were made for these runs, by name."""
    return {
        "parts.py": PARTS,
        "api.py": API,
        "notebook.py": NOTEBOOK,
        "pipelines.yaml": PIPELINES,
        "handbook/queue.md": HANDBOOK,
        "handbook/logo.bin": "\0",
        "cases.yaml": CASES,
        "house.yaml": HOUSE,
        "recipe.yaml": RECIPE,
        "synonyms.yaml": "worker: [consumer]\nbounced: [restarted]\n",
        "halves.yaml": halves(),
        "space.yaml": "floor: [0.1, 0.5]\nhalf_life: null\n",
        "rules.yaml": "long_snippet: 10\nharmless_parameters: {add: [session]}\n",
        "faq.csv": "q,a,page\nWho repairs the pump?,Ada,Pumps are repaired by Ada.\nWhen is it open?,,From 11 to 14.\n"
        "When is the canteen open?,from 11 to 14,The canteen is open from 11 to 14.\n",
        "shop.jsonl": lines(
            {"_id": "plugins", "text": "RetryPlugin tries a failed call again."},
            {"_id": "runner", "text": "Runner.run gives back an event stream."},
            {"_id": "tools", "text": "A FunctionTool wraps a function."},
        ),
        "talk.jsonl": lines(
            *(
                {"_id": name, "text": text, "metadata": {"role": role, "turn": turn, "date": date}}
                for name, text, role, turn, date in TALK
            )
        ),
        "asked.jsonl": lines(*({"_id": name, "text": text} for name, text in ASKED)),
        "lease.jsonl": lines({"_id": "q1", "text": "How long does a consumer hold a message?"}),
        "gold.jsonl": lines({"query_id": "q1", "source": "queue.md", "start": 66, "end": 117, "grade": 2}),
        "leave_out.txt": "q01\nq02\n",
        "clusters.csv": "id,cluster\n" + "".join(f"q{i:02},{i % 7}\n" for i in range(1, 61)),
        "human.csv": "query_id,doc_id,grade\n" + "".join(f"q{i},d,{int(i < 30)}\n" for i in range(50)),
        "rulings.jsonl": lines(
            *(
                {"query_id": f"q{i}", "documents": ["d"], "label": "yes" if i < 27 or i % 7 == 3 else "no"}
                for i in range(90)
            )
        ),
        "shop_human.csv": "query_id,doc_id,grade\nshop:1,plugins,1\nshop:1,tools,0\nshop:2,runner,1\nshop:2,tools,0\n",
        "shop_questions.jsonl": lines(
            {"_id": "shop:1", "text": "Which class tries a failed call again?"},
            {"_id": "shop:2", "text": "What does the runner give back?"},
        ),
        "old.csv": scores(0.60, 7),
        "new.csv": scores(0.63, 5),
        "stubborn.jsonl": lines(*(conversation(n, step=1) for n in range(20))),
        "curious.jsonl": lines(*(conversation(n, step=4) for n in range(20))),
        **bad_files(),
    }


def bad_files() -> dict[str, str]:
    """Return files that no command takes."""
    return {
        "bad/columns.trec": "q01 Q0 concepts/leases 1 2.5 t\nq01 Q0 concepts/overview\n",
        "bad/score.trec": "q01 Q0 concepts/leases 1 2.5 t\nq02 Q0 concepts/queues-and-topics 1 n/a t\n",
        "bad/twice.trec": "q01 Q0 concepts/leases 1 2.5 t\nq01 Q0 concepts/leases 2 2.0 t\n",
        "bad/empty.trec": "",
        "bad/grades.tsv": "query-id\tcorpus-id\tscore\nq01\tconcepts/leases\t0.5\n",
        "bad/recipe.yaml": "name: bad\nsources: [{adapter: tatqa, path: nowhere.json}]\nquota: {table: 3}\n",
        "bad/unclosed.yaml": "name: [bad\nsources:\n",
        "bad/scenarios.yaml": "scenarios:\n  - id: a\n    memories: [[user, hello]]\n"
        "    queries: [{id: q, kind: exat, query: What?, expected: [b]}]\n",
        "bad/traces.jsonl": '{"conversation_id": "c1", "turns": [{"iterations": [{"results": [{"id": "a"}]}]}]}\n',
        "bad/scores.csv": "id,metric,value\nq1,faithfulness,high\n",
    }


def lines(*records: Mapping[str, object]) -> str:
    return "".join(json.dumps(record) + "\n" for record in records)


def scores(least: float, period: int) -> str:
    rows = [f"q{i},faithfulness,{least + 0.01 * (i % period):.2f}\n" for i in range(40)]
    return "id,metric,value\n" + "".join(rows)


def conversation(number: int, *, step: int) -> dict[str, object]:
    """Return three iterations of four results each; the gain of a page depends on conversation and page alone."""
    iterations = []
    for i in range(3):
        pages = [(number + i * step + place) % 12 for place in range(4)]
        results = [
            {
                "url": f"https://pages.example/{page}?utm_source=feed{i}",
                "title": f"Page {page}",
                "snippet": f"Page {page} says what moves the sea at place {page * 7}.",
                **({} if page == 11 else {"gain": (page * number) % 5}),
            }
            for page in pages
        ]
        iterations.append({"searches": [{"query": f"attempt {i}", "results": results}]})
    turn = {"question": "What moves the sea?", "iterations": iterations}
    return {"conversation_id": f"c{number}", "cluster": f"k{number % 5}", "turns": [turn]}


def halves() -> str:
    """Return small memory scenarios, half of them held out; JSON is YAML."""
    things = ("apple", "boat", "candle", "desert", "eagle", "forest", "garden", "hammer", "island", "jacket")
    memories = [
        {"id": thing, "role": "user", "content": f"The {thing} is number {place}.", "metadata": {"turn": place}}
        for place, thing in enumerate(things, start=1)
    ]
    scenarios = [
        {
            "id": f"s{place}",
            "split": "holdout" if place % 2 else "development",
            "memories": memories,
            "queries": [
                {"id": "q", "kind": "exact", "query": f"Which number has the {thing}?", "expected": [thing]},
                {"id": "n", "kind": "negative", "query": "What about the opera tickets?", "expected": []},
            ],
        }
        for place, thing in enumerate(things)
    ]
    return json.dumps({"name": "halves", "scenarios": scenarios}, indent=1)


# The runs. A command is written as in the documentation; the pairs of quotes are the shell's.

COMMANDS = (
    *("build", "combine", "mine", "verify", "replay", "retrieve", "eval", "compare", "trace", "power", "explain"),
    *("metrics", "validate", "demo", "doctor", "judge", "judge calibrate", "memory", "memory run", "memory tune"),
    *("memory criteria", "cache", "cache path", "cache size", "cache clear"),
)
FORMATS = ("table", "markdown", "latex", "csv", "html")
DEMO = "--dataset demo --run demo/runs/titles.trec --run demo/runs/fulltext.trec"
ALL_METRICS = (
    "AP,AP@10,Bpref,F1@10,FalseSurface@10,Hit@5,Jaccard@10,Judged@10,P@5,'P(rel=2)@5',R@10,RR,Rprec,"
    "SetRecall@10,SetSuccess@10,nDCG@10,nDCG"
)
TREC = "--qrels real/trec_eval/qrels.test --run real/trec_eval/results.test"
TWO_SYSTEMS = "goldproof trace --system stubborn=stubborn.jsonl --system curious=curious.jsonl"
ON_DEMO = "goldproof retrieve --corpus beir:demo --queries demo/queries.jsonl -k 10"
ON_TALK = "goldproof retrieve --corpus jsonl:talk.jsonl --queries asked.jsonl -k 5"
EXAMPLE = "mine/example"
SHOP = "--cases cases.yaml --corpus shop.jsonl"

GENERAL = (
    run("goldproof --help", "goldproof --version", *(f"goldproof {command} --help" for command in COMMANDS)),
    run("python api.py"),
    run("goldproof doctor", "goldproof doctor --json"),
    run(
        "goldproof cache path",
        "goldproof cache size",
        f"{ON_DEMO} --retriever 'dense(minilm)' --out dense.trec",
        "goldproof cache size",
        "goldproof cache clear --yes",
        "goldproof cache size",
    ),
    run("goldproof demo"),
    run("goldproof demo --out results --json"),
    run("goldproof metrics", "goldproof metrics --json", "goldproof metrics nDCG@10", "goldproof metrics SRR --json"),
    run(
        *("goldproof power", "goldproof power --json", "goldproof power --n 100 --effect 0.3"),
        *("goldproof power --effect 0.2 --power 0.9 --format markdown", "goldproof power --n 50 --format csv"),
        *("goldproof power --half-width 0.05", "goldproof power --p10 0.2 --p01 0.1"),
        "goldproof power --effect 0.3 --cluster-size 5 --icc 0.25",
    ),
    run(
        "goldproof validate demo demo/runs/titles.trec demo/qrels/test.tsv old.csv stubborn.jsonl",
        "goldproof validate demo --json",
        "goldproof validate house.yaml cases.yaml",
        "goldproof validate memory/smoke.yaml memory/coding.yaml",
    ),
)

EVALUATION = (
    *(run(f"goldproof eval {DEMO} --metrics nDCG@10,R@5,SetSuccess@10 --format {name}") for name in FORMATS),
    run(f"goldproof eval {DEMO} --metrics {ALL_METRICS} --json"),
    run(f"goldproof eval {DEMO} --metrics {ALL_METRICS} --out out"),
    run(
        f"goldproof eval {DEMO} --metrics nDCG@10,Hit@5 --primary nDCG@10 --baseline titles --out out "
        "--junit gates.xml --fail-if 'nDCG@10 worse' --fail-if 'Hit@5 fulltext < 0.9'"
    ),
    run(
        f"goldproof eval {DEMO} --metrics nDCG@10 --cluster topic",
        f"goldproof eval {DEMO} --metrics nDCG@10 --clusters clusters.csv --json",
        f"goldproof eval {DEMO} --metrics RR,AP --test wilcoxon --margin 0.05 --seed 5",
        f"goldproof eval {DEMO} --metrics Hit@5 --test mcnemar --pairs titles:fulltext",
        f"goldproof eval {DEMO} --metrics nDCG@10 --test t --exclude leave_out.txt --depth 5",
        f"goldproof eval {DEMO} --metrics nDCG@10,P@5 --no-relevant zero --queries both --unjudged ignore",
    ),
    run(
        f"goldproof eval {DEMO} --metrics nDCG@10 --out out",
        f"goldproof eval {DEMO} --metrics nDCG@10 --out out",
        f"goldproof eval {DEMO} --metrics RR --out out",
        f"goldproof eval {DEMO} --metrics RR --out out --force",
    ),
    run(
        "goldproof eval --dataset demo --retriever bm25 --retriever 'dense=dense(minilm)' "
        "--retriever 'hybrid=hybrid(bm25, dense(minilm))' --metrics nDCG@10,SetSuccess@10,FalseSurface@5 --out out"
    ),
    run("goldproof eval --dataset demo --retriever pipelines.yaml --retriever parts:search --metrics RR --out out"),
    run(
        "goldproof eval --corpus folder:handbook --retriever bm25 --questions lease.jsonl --spans gold.jsonl",
        "goldproof eval --corpus 'folder:handbook#by=size,size=50' --retriever bm25 --questions lease.jsonl "
        "--spans gold.jsonl --metrics SetSuccess@5,RR",
    ),
    run(
        f"goldproof explain {DEMO} --query q11 --metrics RR,SetSuccess@5,nDCG@10",
        f"goldproof explain {DEMO} --query q01 --json",
        f"goldproof explain {DEMO} --query q02 --format markdown --top 3 --depth 5",
        f"goldproof explain {DEMO} --query q111",
    ),
    *(run(f"goldproof compare new.csv old.csv --format {name}") for name in ("table", "csv")),
    run(
        "goldproof compare a=new.csv b=old.csv --out out --junit gates.xml --fail-if 'faithfulness a < 0.9'",
        "goldproof compare new.csv old.csv --json --lower-is-better faithfulness --test t",
        f"goldproof eval {DEMO} --metrics nDCG@10 --out scored",
        "goldproof compare 'scored/scores.parquet#fulltext' 'scored/scores.parquet#titles'",
    ),
)

RETRIEVAL = (
    *(
        run(f"{ON_DEMO} --retriever '{pipeline}' --out run.trec")
        for pipeline in (
            "bm25",
            "bm25(k1=1.2, b=0.5, method=bm25+, stem=english, stopwords=none) | top(3)",
            "bm25(backend=numba, tokens=words)",
            "dense(minilm) | floor(0.3)",
            "dense(minilm, search=usearch)",
            "dense(parts:vowels)",
            "hybrid(bm25, dense(minilm)) | floor(0.3) | top(5)",
            "hybrid(bm25, dense(minilm), method=sum, normalise=zscore, weights=[0.7, 0.3])",
            "expand(minilm, terms=3) | bm25",
            "expand(synonyms.yaml) | bm25 | rerank(parts:shortest, depth=5, keep=3)",
            "bm25 | rerank(llm:parts:grader, depth=3, keep=2)",
            "hybrid(run:demo/runs/titles.trec, run:demo/runs/fulltext.trec, c=10)",
        )
    ),
    run(
        f"{ON_DEMO} --retriever parts:search --out own.trec",
        f"{ON_DEMO} --retriever parts:search --out own.jsonl --format markdown",
        f"{ON_DEMO} --retriever parts:broken --out broken.trec",
        f"{ON_DEMO} --retriever 'http(http://127.0.0.1:9/search, retries=0)' --out none.trec",
    ),
    run(
        f"{ON_TALK} --retriever 'bm25 | decay(exp, half_life=3) | top(3)' --out decay.trec",
        f"{ON_TALK} --retriever 'bm25 | decay(linear, rate=0.05, by=age)' --now 2025-02-01 --out age.trec",
        f"{ON_TALK} --retriever 'hybrid(bm25, recency, weights=[0.8, 0.2])' --out recency.trec",
        f"{ON_TALK} --retriever 'bm25 | filter(role=user, turn=1..5)' --out filter.trec",
        f"{ON_TALK} --retriever 'bm25 | filter_from_query(role, turn) | recent_from_query' --out said.jsonl",
        f"{ON_TALK} --retriever bm25 --filter role=user,assistant --filter turn=2..4 --out filtered.trec --json",
        f"{ON_TALK} --retriever bm25 --filter colour=blue --out none.trec",
    ),
    run(
        f"goldproof retrieve --corpus folder:{EXAMPLE}/larder --queries {EXAMPLE}/questions.jsonl --retriever bm25 "
        "--out larder.trec --json",
        "goldproof retrieve --corpus package:PyYAML --queries asked.jsonl --retriever 'bm25 | top(3)' --out yaml.trec",
        "goldproof retrieve --corpus dataset:demo --queries demo --retriever pipelines.yaml#fused --out fused.trec",
    ),
)

TRACES = (
    *(run(f"{TWO_SYSTEMS} --metrics CG,SRE,SRR --format {name}") for name in ("table", "html")),
    run(f"{TWO_SYSTEMS} --out out --junit gates.xml --fail-if 'SRR > 0.4' --fail-if 'CG worse'"),
    run(
        f"{TWO_SYSTEMS} --json --dedup id --threshold 3 --carry --pool own",
        "goldproof trace curious.jsonl --near-duplicates 0.8 --rules rules.yaml --up-to 2",
        "goldproof trace curious.jsonl --explain c3",
        "goldproof trace curious.jsonl --explain c3 --json",
        "goldproof trace curious.jsonl --judge parts:grade --out judged",
        "goldproof trace curious.jsonl --qrels judged/labels.jsonl",
    ),
)

BUILDING = (
    run("goldproof build --list", "goldproof build --list --json"),
    run("goldproof build quickstart --out out", "goldproof build --check out", "goldproof build --check out --json"),
    *(run(f"goldproof build quickstart --out out --format {name} --seed 3") for name in ("markdown", "csv")),
    run("goldproof build quickstart --out out --json"),
    run(
        "goldproof build recipe.yaml --out first",
        "goldproof build --source hotpotqa=quickstart/places.json --quota clean_text=8 --unanswerable 20% --seed 5 "
        "--exclude first/two_tables.jsonl --name places --out second --strict",
        "goldproof combine first/two_tables.jsonl second/places.jsonl --output both.jsonl --beir both",
        "goldproof combine first/two_tables.jsonl first/two_tables.jsonl --output twice.jsonl",
        "goldproof validate both.jsonl both",
        "goldproof eval --dataset both --retriever bm25 --metrics nDCG@10,FalseSurface@5",
    ),
    run("goldproof build --source logqa=quickstart/tickets.jsonl --quota log_ticket=500 --strict --out out"),
    run("goldproof build ragas-phase1 --out out"),
)

MINING = (
    run("goldproof mine --out out"),
    run("goldproof mine example --json --judge keyword --no-kernels"),
    run("goldproof mine example --judge similarity --no-kernels --random 2 --hard 2 --dense 2 --out out"),
    run("goldproof mine example --judge parts:mentions --no-kernels --random 2 --hard 3 --out out --format markdown"),
    run(
        f"goldproof mine --cases {EXAMPLE}/questions.jsonl --corpus jsonl:{EXAMPLE}/corpus.jsonl "
        "--judge llm:parts:teacher --hard 4 --random 1 --kernels --skip-no-context --out out",
        f"goldproof mine --cases {EXAMPLE}/questions.jsonl --corpus jsonl:{EXAMPLE}/corpus.jsonl "
        "--judge llm:parts:teacher --hard 4 --random 1 --price 1,2 --dry-run",
        f"goldproof mine --cases {EXAMPLE}/questions.jsonl --corpus jsonl:{EXAMPLE}/corpus.jsonl "
        "--judge llm:parts:teacher#votes=2 --hard 2 --random 0 --no-kernels --out votes",
    ),
    run(
        f"goldproof mine {SHOP} --candidates-only --out first",
        "goldproof mine --from first/candidates.jsonl --out second",
        f"{ON_DEMO} --retriever bm25 --out other.trec",
        "goldproof retrieve --corpus shop.jsonl --queries second/beir --retriever bm25 --out bm25.trec",
        "goldproof mine --from second --corpus shop.jsonl --extend bm25.trec --out second",
        "goldproof eval --dataset second/retrieval_dataset.yaml --retriever bm25 --metrics RR",
        "goldproof validate second/retrieval_dataset.yaml second/judgments.jsonl",
    ),
    run(
        "goldproof mine --cases demo --judge gold --kernels --random 1 --hard 5 --out gold",
        "goldproof mine --cases demo --judge human:demo/qrels/test.tsv#scale=0-2 --random 1 --hard 5 --out human",
    ),
    run(
        "goldproof judge calibrate --human human.csv --judgments rulings.jsonl --out out",
        "goldproof judge calibrate --human human.csv --judgments rulings.jsonl --json --maximise balanced-accuracy",
        "goldproof judge calibrate --human human.csv --judgments rulings.jsonl --format csv --width 0.1 --seed 3",
        *(
            f"goldproof judge calibrate --human shop_human.csv --judge {judge} --corpus shop.jsonl "
            "--questions shop_questions.jsonl"
            for judge in ("keyword", "similarity")
        ),
    ),
)

MEMORY = (
    run("goldproof memory run --out out"),
    *(run(f"goldproof memory run house.yaml --memory 'bm25 | top(2)' --format {name}") for name in ("table", "latex")),
    run("goldproof memory run smoke --memory 'bm25 | top(3)' --json --no-self-check -k 3"),
    run(
        "goldproof memory run chat --memory 'words=bm25 | top(5)' --memory all=everything --memory newest "
        "--baseline words --fail-if 'precision words < 0.9' --fail-if 'pass_rate < 1' --junit gates.xml --out out"
    ),
    run(
        "goldproof memory run coding --memory 'hybrid(bm25, dense(minilm)) | filter_from_query(role, turn) "
        "| floor(0.3) | decay(exp, half_life=20) | recent_from_query | top(5)' --out out"
    ),
    run("goldproof memory run support --memory parts:LastWords --metrics recall,f1 --out out"),
    run("goldproof memory run main --split holdout --memory 'bm25 | top(5)' --no-self-check --out out"),
    run(
        "goldproof memory criteria",
        "goldproof memory criteria --out criteria.yaml",
        "goldproof memory criteria --out criteria.yaml",
        "goldproof memory run house.yaml --memory nothing --criteria criteria.yaml",
    ),
    run(
        "goldproof memory tune main --dry-run",
        "goldproof memory tune halves.yaml --trials 8 --seed 42 --space space.yaml --out tuned",
        "goldproof memory run house.yaml --memory tuned/memory.yaml",
        "goldproof memory tune halves.yaml --trials 9 --seed 42 --space space.yaml --out tuned",
    ),
)

VERIFYING = (
    run(
        "goldproof verify example --out audit",
        "goldproof replay audit --against PyYAML,pydantic",
        "goldproof replay audit --against PyYAML,pydantic --out again --json",
        "goldproof replay audit",
    ),
    run("goldproof verify example --json --case example:norway --case example:strict-model --fail-if incorrect"),
    run("goldproof verify cases.yaml --against PyYAML --format markdown"),
)

BAD_INPUT = (
    run(
        "goldproof eval --dataset demo --run bad/columns.trec",
        "goldproof eval --dataset demo --run bad/score.trec",
        "goldproof eval --dataset demo --run bad/score.trec --skip-bad",
        "goldproof eval --dataset demo --run bad/twice.trec",
        "goldproof eval --dataset demo --run bad/empty.trec",
        "goldproof eval --qrels bad/grades.tsv --run demo/runs/titles.trec",
        "goldproof eval --dataset demo --run nowhere.trec",
        "goldproof eval --dataset nowhere --run demo/runs/titles.trec",
        "goldproof eval --run demo/runs/titles.trec",
    ),
    run(
        f"goldproof eval {DEMO} --metrics nDGC@10",
        f"goldproof eval {DEMO} --metrics nDCG@0",
        f"goldproof eval {DEMO} --metrics nDCG@10 --fail-if 'nDCG@10 is bad'",
        f"goldproof eval {DEMO} --baseline nobody",
        f"goldproof eval {DEMO} --format pdf",
        f"goldproof eval {DEMO} --test guess",
        f"goldproof eval {DEMO} --unknown",
        "goldproof evla",
        "goldproof metrics nDGC",
        "goldproof power --n 0",
    ),
    run(
        *(
            f"{ON_DEMO} --retriever '{pipeline}' --out run.trec"
            for pipeline in (
                *("bm52", "hybrid(bm25, dense(minilm)", "bm25 | floors(0.3)", "bm25 | top(k=many)", "bm25 |"),
                *("bm25 | dense(minilm)", "dense(minilmm)", "parts:nothing", "nowhere:search"),
                *("bm25 | decay(exp)", "bm25(stem=klingon)", "run:nowhere.trec", "pipelines.yaml#nothing"),
            )
        ),
        "goldproof retrieve --corpus nowhere --queries demo/queries.jsonl --retriever bm25 --out run.trec",
        "goldproof retrieve --corpus package:no-such-package --queries asked.jsonl --retriever bm25 --out run.trec",
    ),
    run(
        "goldproof build bad/recipe.yaml --out out",
        "goldproof build bad/unclosed.yaml --out out",
        "goldproof build nothing --out out",
        "goldproof build --source hotpotqa=faq.csv --quota clean_text=3 --out out",
        "goldproof build --check demo",
        "goldproof combine demo/queries.jsonl old.csv --output both.jsonl",
    ),
    run(
        "goldproof mine --cases nowhere.yaml --corpus shop.jsonl --out out",
        f"goldproof mine {SHOP} --judge nobody --out out",
        f"goldproof mine {SHOP} --judge llm:google:gemini-3-pro-preview --max-cost 1 --out out",
        "goldproof judge calibrate --human human.csv",
        "goldproof judge calibrate --human bad/scores.csv --judgments rulings.jsonl",
        "goldproof verify cases.yaml --against no-such-library",
        "goldproof replay demo",
    ),
    run(
        "goldproof memory run bad/scenarios.yaml",
        "goldproof memory run smoke --memory 'bm25 | top(0)'",
        "goldproof memory run nowhere.yaml",
        "goldproof trace bad/traces.jsonl",
        "goldproof trace curious.jsonl --metrics GC",
        "goldproof trace curious.jsonl --explain nobody",
        "goldproof compare bad/scores.csv old.csv",
        "goldproof validate bad/columns.trec bad/grades.tsv bad/scenarios.yaml bad/traces.jsonl bad/scores.csv",
        "goldproof validate bad/score.trec --json --all",
    ),
)

REAL_DATA = (
    run(f"goldproof eval {TREC} --metrics AP,Rprec,Bpref,RR,P@5,R@100,nDCG,nDCG@10,Hit@10 --out out"),
    run(
        "goldproof eval --qrels real/trec_eval/qrels.rel_level --run real/trec_eval/results.test "
        "--metrics 'AP,P(rel=2)@10,nDCG@10' --no-relevant zero --json",
        "goldproof eval --qrels real/trec_eval/qrels-302.test --run real/trec_eval/results-302.test --depth 50",
        f"goldproof explain {TREC} --query 301 --metrics AP,nDCG@10",
    ),
    run(
        "goldproof eval --dataset real/cranfield --retriever bm25 --retriever 'stemmed=bm25(stem=english)' "
        "--metrics nDCG@10,AP,R@100 --primary nDCG@10 --out out"
    ),
    run(
        "goldproof validate real/trec_eval/qrels.test real/trec_eval/results.test real/cranfield "
        "real/search_traces/deepresearcher_search.json",
        "goldproof validate real/longmemeval/longmemeval_native_schema_2rows.json --kind scenarios --json",
    ),
    run(
        "goldproof trace real/search_traces/deepresearcher_search.json --out out",
        "goldproof trace real/search_traces/deepresearcher_search.json --judge parts:grade --json",
    ),
    run("goldproof memory run real/longmemeval/longmemeval_native_schema_2rows.json --memory bm25 --out out"),
    run(
        "goldproof build --source hotpotqa=real/multihop/hotpotqa_train.json "
        "--source musique=real/multihop/musique_train.json --quota clean_text=80 --unanswerable 10% --out hops",
        "goldproof mine --cases hops --judge gold --kernels --random 1 --hard 5 --out mined",
        "goldproof eval --dataset hops/beir --retriever bm25 --metrics nDCG@10,SetSuccess@10,FalseSurface@5 --out out",
    ),
    run(
        "goldproof build --source finqa=real/finqa --source tatqa=real/tatqa --quota table/numeric=40 "
        "--quota table/lookup=20 --quota table/comparison=10 --quota table/policy=4 --unanswerable 10% --out out",
    ),
    run("goldproof build --source t2-ragbench=real/t2_ragbench --quota table=60 --unanswerable 10% --out out"),
    run("goldproof build --source swe-qa=real/swe_qa --quota code_config=60 --unanswerable 10% --out out"),
)


def all_runs(checkout: Path) -> tuple[Run, ...]:
    """Return every run, with the examples of this checkout."""
    programs = sorted(path.name for path in (checkout / "examples").glob("*.py"))
    notebooks = sorted(path.name for path in (checkout / "examples").glob("*.ipynb"))
    return (
        *GENERAL,
        *(run(f"python examples/{name}") for name in programs),
        *(run(f"python notebook.py examples/{name}") for name in notebooks),
        *(*EVALUATION, *RETRIEVAL, *TRACES, *BUILDING, *MINING, *MEMORY, *VERIFYING, *BAD_INPUT, *REAL_DATA),
    )


# Running them.


@dataclass(slots=True)
class Side:
    """A checkout, as it was when this began. seconds: what its runs took so far."""

    name: str
    folder: Path
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Outputs:
    """What a run printed and the files that it wrote, by name, with what varies masked."""

    printed: Mapping[str, bytes]
    files: Mapping[str, bytes]

    @property
    def texts(self) -> dict[str, bytes]:
        return {**self.printed, **self.files}


@dataclass(frozen=True, slots=True)
class Stage:
    """The folder in which all happens. Whose turn it is, is called `code`; a run has `work`, `home` and `temporary`."""

    root: Path

    def enter(self, checkout: Path, name: str) -> Side:
        """Copy a checkout here, so that nobody's edits or bytecode get into the comparison."""
        ignored = shutil.ignore_patterns("__pycache__")
        for part in ("src", "examples"):
            shutil.copytree(checkout / part, self.root / name / part, ignore=ignored)
        return Side(name, self.root / name)

    def fill(self, checkout: Path, realdata: Path | None) -> None:
        """Put what the runs read into `given`."""
        given = self.root / "given"
        for part in BUNDLED:
            shutil.copytree(checkout / "src" / "goldproof" / "data" / part, given / part)
        for name, text in small_files().items():
            (given / name).parent.mkdir(exist_ok=True)
            (given / name).write_text(text, encoding="utf-8")
        if realdata is not None:
            (given / "real").symlink_to(realdata)
        (given / "examples").symlink_to(self.root / "code" / "examples")

    def play(self, steps: tuple[str, ...], side: Side) -> Outputs:
        """Run the steps of a run with the code of one side."""
        for name in ("work", "home", "temporary"):
            shutil.rmtree(self.root / name, ignore_errors=True)
            (self.root / name).mkdir()
        for path in (self.root / "given").iterdir():
            (self.root / "work" / path.name).symlink_to(path)
        side.folder.rename(self.root / "code")
        started = time.monotonic()
        try:
            printed = self._printed(steps)
        finally:
            side.seconds += time.monotonic() - started
            (self.root / "code").rename(side.folder)
        return Outputs(masked(printed), masked(dict(self._written())))

    def _printed(self, steps: tuple[str, ...]) -> dict[str, bytes]:
        printed = {}
        for number, step in enumerate(steps, start=1):
            before = f"step {number}: " if len(steps) > 1 else ""
            for name, text in self._run(command(step)).items():
                printed[before + name] = text
        return printed

    def _run(self, arguments: list[str]) -> dict[str, bytes]:
        try:
            done = subprocess.run(
                arguments,
                cwd=self.root / "work",
                env=self.environment(),
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return {"exit code": TIMED_OUT}
        return {"exit code": str(done.returncode).encode(), "stdout": done.stdout, "stderr": done.stderr}

    def _written(self) -> Iterator[tuple[str, bytes]]:
        folders = [found for top in ("work", "home") for found in os.walk(self.root / top)]
        paths = sorted(Path(folder, name) for folder, _, names in folders for name in names)
        for path in paths:
            name = path.relative_to(self.root).as_posix()
            if not path.is_symlink() and not any(fnmatch(name, pattern) for pattern, _ in LEFT_OUT):
                yield name, content(path)

    def environment(self) -> dict[str, str]:
        """Return all that a command sees of the environment: no keys, no network, nothing of the user's."""
        return {
            "PATH": os.environ["PATH"],
            "PYTHONPATH": str(self.root / "code" / "src"),
            "PYTHONHASHSEED": "0",
            "GOLDPROOF_HOME": str(self.root / "home"),
            "HOME": str(self.root / "temporary"),
            "TMPDIR": str(self.root / "temporary"),
            "HF_HUB_OFFLINE": "1",
            "COLUMNS": "120",
            "LC_ALL": "C.UTF-8",
            "TZ": "UTC",
        }


def command(step: str) -> list[str]:
    """Return the arguments of a step: `goldproof ...` or `python ...`, with this interpreter."""
    program, *rest = shlex.split(step)
    return [sys.executable, *(["-m", "goldproof"] if program == "goldproof" else []), *rest]


def content(path: Path) -> bytes:
    """Return what a file holds; of a database its sorted rows, since threads write them in any order."""
    data = path.read_bytes()
    if not data.startswith(b"SQLite format 3\0"):
        return data
    with closing(sqlite3.connect(path)) as database:
        marks = [str(database.execute(f"PRAGMA {name}").fetchone()) for name in ("application_id", "user_version")]
        return "\n".join([*marks, *sorted(database.iterdump())]).encode()


def masked(texts: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the outputs without what varies."""
    result = {}
    for name, text in texts.items():
        result[name] = text
        for one in VARIES:
            if fnmatch(name, one.where):
                result[name] = re.sub(one.pattern.encode(), one.mask.encode(), result[name])
    return result


# Comparing.


def differences(base: Outputs, here: Outputs) -> list[str]:
    """Return a sentence for every output that differs."""
    a, b = base.texts, here.texts
    return [f"{name}: {difference(a.get(name), b.get(name))}" for name in {**a, **b} if a.get(name) != b.get(name)]


def difference(base: bytes | None, here: bytes | None) -> str:
    """Say where two outputs part; None where there is no such output."""
    if base is None or here is None:
        return "only BASE has it" if here is None else "only HERE has it"
    texts = [text.decode(errors="backslashreplace").split("\n") for text in (base, here)]
    for number, (a, b) in enumerate(zip_longest(*texts, fillvalue=""), start=1):
        if a != b:
            return f"line {number}\n      BASE  {around(a, b)}\n      HERE  {around(b, a)}"
    return "the bytes differ"


def around(line: str, other: str) -> str:
    """Return the part of a line where it begins to differ from another."""
    pairs = enumerate(zip(line, other, strict=False))
    parting = next((place for place, (a, b) in pairs if a != b), min(len(line), len(other)))
    start = max(0, parting - 60)
    return ("..." if start else "") + line[start : parting + 100]


def crashed(outputs: Outputs) -> bool:
    """Say whether a command ended in a traceback, or not in time: then equal outputs prove nothing."""
    return any(TRACEBACK in text or text == TIMED_OUT for text in outputs.printed.values())


def keep(outputs: Outputs, folder: Path) -> None:
    """Write outputs as they were compared."""
    for name, text in outputs.texts.items():
        path = folder / name.replace("step ", "step_").replace(": ", "_").replace(" ", "_")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text)


def check_code(stage: Stage, side: Side) -> None:
    """End where the interpreter would take another goldproof than the one under test."""
    ask = 'python -c "import goldproof; print(goldproof.__file__)"'
    said = stage.play((ask,), side).texts["stdout"].decode().strip()
    if not Path(said).is_relative_to(stage.root / "code"):
        sys.exit(f"{side.name}: goldproof is imported from {said or 'nowhere'}, expected the copy of the checkout.")


def real_data(here: Path) -> Path | None:
    """Return the folder of the real data: beside HERE, or else beside the repository of this script."""
    beside = [folder.parent / "shared" / "data" for folder in (here, ROOT)]
    named = os.environ.get("GOLDPROOF_REALDATA")
    folders = [Path(named)] if named else beside
    return next((folder.resolve() for folder in folders if folder.is_dir()), None)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("base", metavar="BASE", type=Path, help="the checkout to compare with")
    parser.add_argument("here", metavar="HERE", type=Path, nargs="?", default=ROOT, help="this checkout")
    parser.add_argument("--only", metavar="TEXT", default="", help="only runs with this text in a command")
    parser.add_argument("--list", action="store_true", help="list the runs and stop")
    parser.add_argument("--keep", metavar="DIR", type=Path, help="keep what was compared here")
    return parser.parse_args()


def compare(runs: list[Run], stage: Stage, sides: tuple[Side, Side], kept: Path | None) -> int:
    """Run all, print a line for each, and return the exit code."""
    files, failed = 0, []
    for number, one in enumerate(runs, start=1):
        base, here = (stage.play(one.steps, side) for side in sides)
        found = differences(base, here)
        outcome = "DIFFERS" if found else "CRASHES" if crashed(base) else "same"
        more = [f"and {len(found) - SHOWN} more"] if len(found) > SHOWN else []
        print(f"{outcome:7}  {len(base.files):3} files  {one.name}", flush=True)
        print(*(f"    {sentence}\n" for sentence in [*found[:SHOWN], *more]), sep="", end="", flush=True)
        files += len(base.files)
        failed += [] if outcome == "same" else [f"{outcome:7}  {one.name}"]
        if kept is not None:
            for side, outputs in zip(sides, (base, here), strict=True):
                keep(outputs, kept / side.name / f"{number:03}")
    print(", ".join(f"{side.name} {side.seconds:.0f} s" for side in sides))
    verdict = f"{len(failed)} not the same" if failed else "all the same"
    print(f"{len(runs)} runs, {files} files: {verdict}", *failed, sep="\n")
    return 1 if failed else 0


def main() -> None:
    asked = arguments()
    realdata = real_data(asked.here.resolve())
    runs = [one for one in all_runs(asked.base) if any(asked.only in step for step in one.steps)]
    if not runs:
        sys.exit(f"no run has {asked.only!r} in a command; --list lists them.")
    if asked.list:
        print(*("\n    ".join(one.steps) for one in runs), sep="\n")
        return
    if realdata is None:
        left_out = sum(one.needs_real_data for one in runs)
        runs = [one for one in runs if not one.needs_real_data]
        print(f"no real data (GOLDPROOF_REALDATA or ../shared/data): {left_out} runs are left out")
    with tempfile.TemporaryDirectory() as folder:
        stage = Stage(Path(folder).resolve())
        sides = stage.enter(asked.base, "base"), stage.enter(asked.here, "here")
        stage.fill(asked.base, realdata)
        for side in sides:
            check_code(stage, side)
            side.seconds = 0.0
        sys.exit(compare(runs, stage, sides, asked.keep))


if __name__ == "__main__":
    main()
