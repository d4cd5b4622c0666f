"""Building a benchmark of RAGBench-shaped records: ours against `datasets`, on CPU time of all threads.

JSON lines of about 5 KB: id, question, three documents (a title, and 4 to 9 sentences with about 90 words), their
sentences by key, the keys of one to three relevant sentences, and a response of about 40 words. A fifth of the
documents come again in other records, 4% of the questions repeat another one in other words, and 5% of the records lack
the question, the documents or the marks. What both make of every usable record is compared before times are taken.

**Reading.** Ours reads, adapts and classifies record by record (`ExampleReader` and `classify`): id, question, ground
truth, contexts, gold documents, question type and difficulty. It also checks that every key names a sentence, finds
each sentence in its document, gives documents ids by their content and counts what is dropped by reason. `datasets`
loads the file into a fresh cache (`load_dataset("json")`), then

- `same fields`: keeps the columns it needs, maps them to the seven fields (gold by number; type and difficulty by our
  functions) and filters what lacks something, in batches or record by record. It never looks at the sentences.
- `same work`: maps with our adapter and classifier and returns the same fields with gold ids and evidence, in batches.

**The whole job.** `datasets` maps and filters the same fields in batches, shuffles with a seed, selects as many
rows and writes them as JSON lines. Ours is `goldproof.build(recipe)` and `.save(folder)`, which does more: the pool
goes through a scratch file, near-duplicate questions are left out, the quota is filled whatever the order of the file,
the answer is looked for in the gold documents, and written are the samples, a manifest, a BEIR folder (corpus, queries,
qrels, kernels), a report with a picture, and a card with the sha256 of every file read and written. `everything` asks
for more samples than there are. With 1% unanswerable, proposals are made and checked against all documents; `datasets`
has nothing like it.

The first two tables are interleaved, best of three. The last is ours alone at 100,000 records, one run.

    python -P benchmarks/bench_build.py [--records 10000] [--alone 100000]
"""

from __future__ import annotations

import argparse
import gc
import os
import random
import shutil
import tempfile
import time
from collections.abc import Callable
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import orjson

import goldproof
from goldproof.jobs.build.adapters.adapter import ADAPTERS, LocalSource, RecordPlace
from goldproof.jobs.build.classification import Features, classify, difficulty
from goldproof.jobs.build.question_types import by_rules
from goldproof.jobs.build.recipe import SourceSpec
from goldproof.jobs.build.records import Example
from goldproof.jobs.build.sources import ExampleReader, locate

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from datasets import Dataset

    from goldproof.jobs.build.records import Sample

ROUNDS = 3
SEED = 42
DOC_TYPE = "clean_text"
KEPT = ["id", "question", "response", "documents", "all_relevant_sentence_keys"]
CHECKED = ["question", "contexts", "gold"]
SYLLABLES = ("ba", "ce", "di", "fu", "gu", "ka", "le", "mi", "no", "pu", "ra", "se", "shi", "tor", "pla", "gren", "quo")
FUNCTION_WORDS = ("the", "of", "and", "in", "to", "a", "was", "for", "with", "by", "from", "that", "its", "after")
KINDS = ("American film", "river", "village", "rock band", "novel", "footballer", "company", "museum", "composer")
QUESTIONS = (
    "When did {name} begin to {verb} the {noun} in {year}?",
    "What is the {noun} of {name} in {year}?",
    "How many {noun}s did {name} {verb} between {year} and {later}?",
    "How does {name} {verb} the {noun} and the {other}?",
    "Who was asked to {verb} the {noun} of {name} in {year}?",
    "Why did {name} {verb} its {noun} after {year}, and what happened to the {other} of {more}?",
    "What is the difference between the {noun} and the {other} of {name}?",
    "Where can the {noun} that {name} lost during {year} be found today?",
)


Side = Callable[[Path], int]
"""A folder for its files -> how many samples there are."""


class Document(NamedTuple):
    name: str
    text: str
    sentences: tuple[str, ...]


class Maker:
    """Draws records; sentences are put together from phrases, so that 100,000 records are written in a minute."""

    def __init__(self) -> None:
        self.rng = random.Random(7)
        made = ("".join(self.rng.choices(SYLLABLES, k=self.rng.randint(2, 4))) for _ in range(30_000))
        self.words = [*dict.fromkeys(made), "café", "naïve", "Zürich", "日本語"]
        # Words are as unevenly used as in a language: the n-th by rank 1/n.
        self.weights = list(accumulate(1 / rank for rank in range(20, len(self.words) + 20)))
        self.phrases = [self.phrase() for _ in range(50_000)]
        self.documents: list[Document] = []
        self.questions: list[str] = []

    def phrase(self) -> str:
        first, second, third = self.rng.choices(self.words, cum_weights=self.weights, k=3)
        return f"{self.rng.choice(FUNCTION_WORDS)} {first} {self.rng.choice(FUNCTION_WORDS)} {second} {third}"

    def name(self) -> str:
        return f"{self.rng.choice(self.words).capitalize()} {self.rng.choice(self.words).capitalize()}"

    def record(self, number: int) -> dict[str, object]:
        documents: list[Document] = []
        while len(documents) < 3:
            drawn = self.document()
            documents += [drawn] if drawn not in documents else []
        relevant = self.rng.sample(range(3), k=self.rng.choice((1, 1, 1, 2, 3)))
        keys = [f"{n}{chr(97 + self.rng.randrange(len(documents[n].sentences)))}" for n in sorted(relevant)]
        told = [documents[int(key[0])].sentences[ord(key[1]) - 97] for key in keys[:2]]
        record: dict[str, object] = {
            "id": f"{number:06d}",
            "question": self.question(documents[relevant[0]].name),
            "documents": [f"Title: {one.name}\nPassage: {one.text}" for one in documents],
            "response": f"According to the context, {' '.join(told)} {self.sentence()}",
            "documents_sentences": [
                [[f"{n}{chr(97 + place)}", sentence] for place, sentence in enumerate(one.sentences)]
                for n, one in enumerate(documents)
            ],
            "all_relevant_sentence_keys": keys,
        }
        return self.damaged(record)

    def damaged(self, record: dict[str, object]) -> dict[str, object]:
        drawn = self.rng.random()
        if drawn < 0.02:
            return record | {"question": ""}
        if drawn < 0.04:
            return record | {"all_relevant_sentence_keys": []}
        return record | {"documents": [], "documents_sentences": []} if drawn < 0.05 else record

    def document(self) -> Document:
        if len(self.documents) > 10 and self.rng.random() < 0.2:
            return self.rng.choice(self.documents)
        name = self.name()
        first = f"{name} is a {self.rng.choice(KINDS)} {self.rng.choice(self.phrases)} in {self.year()}."
        sentences = (first, *(self.sentence() for _ in range(self.rng.randint(3, 8))))
        made = Document(name, " ".join(sentences), sentences)
        # A document may be shown again for a while, so that memory stays flat here too.
        if len(self.documents) < 5_000:
            self.documents.append(made)
        else:
            self.documents[self.rng.randrange(5_000)] = made
        return made

    def sentence(self) -> str:
        found = " ".join(self.rng.choices(self.phrases, k=self.rng.randint(2, 4)))
        tail = self.rng.choice((f" in {self.year()}.", f", {self.rng.randint(2, 9999):,} of them.", ".", "."))
        return found[0].upper() + found[1:] + tail

    def year(self) -> int:
        return self.rng.randint(1950, 2024)

    def question(self, name: str) -> str:
        if self.questions and self.rng.random() < 0.04:
            return f"{self.rng.choice(self.questions)[:-1]}, please?"
        year = self.year()
        verb, noun, other, more = self.rng.choices(self.words, k=4)
        asked = self.rng.choice(QUESTIONS).format(
            name=name, verb=verb, noun=noun, other=other, more=more, year=year, later=year + self.rng.randint(1, 9)
        )
        if len(self.questions) < 5_000:
            self.questions.append(asked)
        return asked


def write_records(path: Path, *, records: int) -> None:
    maker = Maker()
    with path.open("wb") as file:
        file.writelines(orjson.dumps(maker.record(number)) + b"\n" for number in range(records))


def our_samples(path: Path) -> Iterator[Sample]:
    """Yield what reading, adapting and classifying gives."""
    adapter = ADAPTERS.get("ragbench")
    found = locate(SourceSpec("ragbench", path=path), adapter, base=Path())
    for one in ExampleReader(found, adapter):
        if isinstance(one, Example):
            yield our_sample(one)


def our_sample(example: Example) -> Sample:
    return classify(example, adapter="ragbench", doc_type=DOC_TYPE, classifier=by_rules)


def our_build(path: Path, *, quota: int, unanswerable: str = "0%") -> Side:
    recipe: dict[str, object] = {
        "name": "bench",
        "seed": SEED,
        "sources": [{"adapter": "ragbench", "path": str(path)}],
        "quotas": {DOC_TYPE: quota},
        "unanswerable": {"share": unanswerable, "borrow": True},
    }

    def side(folder: Path) -> int:
        result = goldproof.build(recipe)
        result.save(folder / "out")
        result.pool.close()
        return len(result)

    return side


def their_sample(record: Mapping[str, Any]) -> dict[str, object]:
    """Return the fields of a sample; of a record that lacks something, what there is."""
    question = record["question"]
    contexts = [document.partition("\nPassage: ")[2] for document in record["documents"]]
    gold = list(dict.fromkeys(int(key[0]) for key in record["all_relevant_sentence_keys"]))
    features = Features(
        doc_type=DOC_TYPE,
        gold_documents=len(gold),
        computation=False,
        question_words=len(question.split()),
        gold_words=sum(len(contexts[number].split()) for number in gold if contexts),
    )
    return {
        "id": record["id"],
        "question": question,
        "ground_truth": record["response"],
        "contexts": contexts,
        "gold": gold,
        "question_type": by_rules(DOC_TYPE, question, None),
        "difficulty": difficulty(features),
    }


def their_samples(batch: Mapping[str, list[Any]]) -> dict[str, list[object]]:
    rows = [their_sample(dict(zip(batch, values, strict=True))) for values in zip(*batch.values(), strict=True)]
    return {name: [row[name] for row in rows] for name in rows[0]}


def is_usable(question: str, contexts: list[str], gold: list[int]) -> bool:
    return bool(question and contexts and gold)


def all_usable(*columns: list[Any]) -> list[bool]:
    return [is_usable(*values) for values in zip(*columns, strict=True)]


def their_reading(path: Path, folder: Path, *, batched: bool = True) -> Dataset:
    """Return the dataset of usable records; the cache is in the folder, which must be new."""
    mapped = loaded(path, folder).select_columns(KEPT)
    mapped = mapped.map(their_samples if batched else their_sample, batched=batched, remove_columns=KEPT)
    return mapped.filter(all_usable if batched else is_usable, batched=batched, input_columns=CHECKED)


def their_same_work(path: Path, folder: Path) -> Dataset:
    """Return what our adapter and classifier make of the records, inside `map`."""
    found = loaded(path, folder)
    place, adapt = RecordPlace(path, 1), ADAPTERS.get("ragbench").open(LocalSource(path.parent, (path,)))

    def adapted(batch: Mapping[str, list[Any]]) -> dict[str, list[object]]:
        records = (dict(zip(batch, values, strict=True)) for values in zip(*batch.values(), strict=True))
        found = (one for record in records for one in adapt(record, place) if isinstance(one, Example))
        rows = [fields_of(our_sample(one)) for one in found]
        return {name: [row[name] for row in rows] for name in rows[0]}

    return found.map(adapted, batched=True, remove_columns=found.column_names)


def loaded(path: Path, folder: Path) -> Dataset:
    from datasets import load_dataset

    return load_dataset("json", data_files=str(path), split="train", cache_dir=str(folder / "cache"))


def fields_of(sample: Sample) -> dict[str, object]:
    return {
        "id": sample.original_id,
        "question": sample.question,
        "ground_truth": sample.ground_truth,
        "contexts": sample.contexts,
        "gold": sample.gold_documents,
        "question_type": sample.question_type,
        "difficulty": sample.difficulty,
        "evidence": [{"document": one.document, "start": one.start, "end": one.end} for one in sample.evidence],
    }


def their_build(path: Path, *, quota: int) -> Side:
    def side(folder: Path) -> int:
        found = their_reading(path, folder)
        chosen = found.shuffle(seed=SEED).select(range(min(quota, len(found))))
        chosen.to_json(folder / "bench.jsonl")
        return len(chosen)

    return side


def check_same(path: Path, work: Path) -> int:
    """Compare what all make of every record; return how many are usable."""
    theirs = {one["id"]: one for one in their_reading(path, work / "fields")}
    adapted = {one["id"]: one for one in their_same_work(path, work / "work")}
    count = 0
    for sample in our_samples(path):
        ours = fields_of(sample)
        key, number = sample.original_id, {identifier: n for n, identifier in enumerate(sample.context_ids)}
        as_lists = {name: list(value) if isinstance(value, tuple) else value for name, value in ours.items()}
        assert as_lists == adapted[key], f"{as_lists} is not {adapted[key]}"
        plain = as_lists | {"gold": [number[identifier] for identifier in sample.gold_documents]}
        assert {name: plain[name] for name in theirs[key]} == theirs[key], f"{plain} is not {theirs[key]}"
        count += 1
    assert count == len(theirs) == len(adapted), f"{count}, {len(theirs)} and {len(adapted)} usable records"
    shutil.rmtree(work / "fields")
    shutil.rmtree(work / "work")
    return count


class Run(NamedTuple):
    seconds: float
    samples: int


def run(side: Side, work: Path) -> Run:
    """Do one side's job in a folder of its own."""
    folder = work / "run"
    folder.mkdir()
    gc.collect()
    start = time.process_time()
    found = side(folder)
    seconds = time.process_time() - start
    shutil.rmtree(folder)
    return Run(seconds, found)


def best_of(sides: Mapping[str, Side], work: Path) -> dict[str, Run]:
    """Return the best of the rounds by side, interleaved."""
    rounds = [{name: run(side, work) for name, side in sides.items()} for _ in range(ROUNDS)]
    return {name: min(one[name] for one in rounds) for name in sides}


def reading_rows(path: Path, work: Path, *, records: int) -> Iterator[str]:
    sides: dict[str, Side] = {
        "goldproof": lambda _: sum(1 for _ in our_samples(path)),
        "datasets, same work": lambda to: len(their_same_work(path, to)),
        "datasets, same fields, record by record": lambda to: len(their_reading(path, to, batched=False)),
        "datasets, same fields, in batches": lambda to: len(their_reading(path, to)),
    }
    best = best_of(sides, work)
    ours = best["goldproof"].seconds
    for name, (seconds, samples) in best.items():
        yield f"| {name} | {samples:,} | {records / seconds:,.0f} | {seconds / ours:.2f}x |"


def job_rows(path: Path, work: Path, *, records: int) -> Iterator[str]:
    tenth = records // 10
    for name, quota in ((f"{tenth:,} samples", tenth), ("everything", records)):
        sides: dict[str, Side] = {"ours": our_build(path, quota=quota), "theirs": their_build(path, quota=quota)}
        best = best_of(sides, work)
        ours, theirs = best["ours"], best["theirs"]
        speeds = (
            f"{records / ours.seconds:,.0f} | {records / theirs.seconds:,.0f} | {theirs.seconds / ours.seconds:.2f}x"
        )
        yield f"| {name} | {ours.samples:,} | {theirs.samples:,} | {speeds} |"
    ours = best_of({"ours": our_build(path, quota=tenth, unanswerable="1%")}, work)["ours"]
    yield f"| {tenth:,} samples, 1% unanswerable | {ours.samples:,} | | {records / ours.seconds:,.0f} | | |"


def alone_rows(path: Path, work: Path, *, records: int) -> Iterator[str]:
    tenth = records // 10
    for name, quota in ((f"{tenth:,} samples", tenth), ("everything", records)):
        seconds, samples = run(our_build(path, quota=quota), work)
        yield f"| {name} | {samples:,} | {seconds:.1f} | {records / seconds:,.0f} |"


def be_quiet(folder: Path) -> None:
    """No network, no telemetry, no bars; before `datasets` is imported."""
    os.environ |= {"HF_HOME": str(folder), "HF_HUB_OFFLINE": "1", "HF_HUB_DISABLE_TELEMETRY": "1"}
    os.environ |= {"HF_DATASETS_DISABLE_PROGRESS_BARS": "1", "HF_HUB_DISABLE_PROGRESS_BARS": "1"}
    import datasets

    datasets.disable_progress_bars()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--records", type=int, default=10_000)
    parser.add_argument("--alone", type=int, default=100_000, help="0 leaves the second table out")
    parser.add_argument("--write", type=Path, metavar="FILE", help="write --records records and do nothing else")
    given = parser.parse_args()
    if given.write:
        write_records(given.write, records=given.records)
        return
    with tempfile.TemporaryDirectory(prefix="goldproof-bench-") as name:
        work = Path(name)
        be_quiet(work / "home")
        compare(work, records=given.records)
        if given.alone:
            measure_alone(work, records=given.alone)


def compare(work: Path, *, records: int) -> None:
    path = work / "records.jsonl"
    write_records(path, records=records)
    same = check_same(path, work)
    size = path.stat().st_size / 1e6
    print(f"{records:,} records ({size:,.0f} MB), {same:,} of them usable, the same in all; best of {ROUNDS}.\n")
    print("| read, adapt, classify | usable | records per CPU second | CPU time, goldproof = 1 |")
    print("| --- | ---: | ---: | ---: |")
    for row in reading_rows(path, work, records=records):
        print(row, flush=True)
    print(
        "\n| whole job | samples, goldproof | samples, datasets | records per CPU second, goldproof | datasets | "
        "ratio |"
    )
    print("| --- | ---: | ---: | ---: | ---: | ---: |")
    for row in job_rows(path, work, records=records):
        print(row, flush=True)


def measure_alone(work: Path, *, records: int) -> None:
    path = work / "records.jsonl"
    write_records(path, records=records)
    print(f"\n{records:,} records ({path.stat().st_size / 1e6:,.0f} MB), goldproof alone, one run.\n")
    print("| whole job | samples | CPU, s | records per CPU second |")
    print("| --- | ---: | ---: | ---: |")
    for row in alone_rows(path, work, records=records):
        print(row, flush=True)


if __name__ == "__main__":
    main()
