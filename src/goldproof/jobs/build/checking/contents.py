"""What the files of a benchmark say, held against each other; `goldproof.jobs.build.checking.checking` reports it.

The benchmark decides. Where a line of it cannot be read, the other files are not compared with it: what they should say
is not known. Of a file that follows from the benchmark only the first difference is told; the rest often follows.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from goldproof.errors import InputError
from goldproof.io.datasets.beir import (
    CORPUS,
    KERNELS,
    QRELS,
    QUERIES,
    kernel_lines,
    qrels_lines,
    query_lines,
    read_documents,
)
from goldproof.io.diagnostics import Diagnostics
from goldproof.jobs.build.checking.card_facts import card_targets, check_counts, check_report, sample_counts
from goldproof.jobs.build.checking.differences import first_difference
from goldproof.jobs.build.checking.distribution import check_distribution
from goldproof.jobs.build.checking.problems import LISTED
from goldproof.jobs.build.output.benchmark_files import BEIR_FOLDER, judged_question
from goldproof.jobs.build.output.distribution_report import DISTRIBUTION
from goldproof.jobs.build.output.manifest import manifest_lines
from goldproof.jobs.build.output.sample_lines import read_samples

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from goldproof.io.datasets.beir import JudgedQuestion
    from goldproof.jobs.build.checking.problems import Problems
    from goldproof.jobs.build.sample import Sample
    from goldproof.records.entities import Card


@dataclass(frozen=True, slots=True)
class Contents:
    """A benchmark on disk: its folder, and what its two files are called."""

    folder: Path
    benchmark: str
    manifest: str

    def samples(self) -> Iterator[Sample]:
        """Yield the samples, from the beginning each time."""
        return (at.sample for at in read_samples(self.folder / self.benchmark))

    def judged(self) -> Iterator[JudgedQuestion]:
        """Yield the samples as queries with their gold documents."""
        return map(judged_question, self.samples())


def check_contents(contents: Contents, *, card: Card, problems: Problems) -> int:
    """Report all that does not agree, and return the number of samples that could be read."""
    if not (contents.folder / contents.benchmark).is_file():  # said where the hashes are checked
        return 0
    before = problems.total
    found = _check_benchmark(contents, problems)
    damaged = problems.total > before
    check_counts(contents.benchmark, found, card=card, problems=problems)
    if damaged:
        problems.add(contents.benchmark, "the other files were not compared with it, since it is damaged itself.")
        return found["samples"]
    _check_derived(contents, card=card, problems=problems)
    check_report(contents.folder, card=card, problems=problems)
    wanted = card_targets(card, problems)
    if DISTRIBUTION in card.outputs:
        check_distribution(contents.folder / DISTRIBUTION, contents.samples(), wanted=wanted, problems=problems)
    _check_corpus(contents, card=card, problems=problems)
    return found["samples"]


def _check_benchmark(contents: Contents, problems: Problems) -> Counter[str]:
    """Read the benchmark once: report bad lines, repeated ids and contradictions, and count."""
    path = contents.folder / contents.benchmark
    complaints = Diagnostics(path, keep=LISTED)
    found: Counter[str] = Counter()
    lines: dict[str, int] = {}
    try:
        for line, sample in read_samples(path, complaints):
            found.update(sample_counts(sample))
            first = lines.setdefault(sample.id, line)
            if first != line:
                problems.add(contents.benchmark, f"sample {sample.id!r} stands on line {first} already.", line=line)
            for problem in _contradictions(sample):
                problems.add(contents.benchmark, f"sample {sample.id!r} {problem}", line=line)
    except InputError as error:
        problems.add_error(contents.benchmark, error)
    problems.add_complaints(contents.benchmark, complaints)
    return found


def _contradictions(sample: Sample) -> Iterator[str]:
    gold = set(sample.gold_documents)
    if not sample.answerable and (gold or sample.kernels or sample.ground_truth):
        yield "is unanswerable, but has an answer or gold documents."
    for document in dict.fromkeys(d for kernel in sample.kernels for d in kernel if d not in gold):
        yield f"has {document!r} in a kernel, but not among its gold documents."
    for document in dict.fromkeys(span.document for span in sample.evidence if span.document not in gold):
        yield f"has evidence in {document!r}, which is not among its gold documents."


def _check_derived(contents: Contents, *, card: Card, problems: Problems) -> None:
    """Compare the files that follow from the benchmark with what it makes of them."""
    derived: dict[str, Iterator[bytes]] = {
        contents.manifest: manifest_lines(contents.samples()),
        f"{BEIR_FOLDER}/{QUERIES}": query_lines(contents.judged()),
        f"{BEIR_FOLDER}/{QRELS}": qrels_lines(contents.judged()),
        f"{BEIR_FOLDER}/{KERNELS}": kernel_lines(contents.judged()),
    }
    for name, expected in derived.items():
        path = contents.folder / name
        try:
            if path.is_file():
                different = first_difference(path, expected)
                if different is not None:
                    problems.add(name, f"{different.said}, as the benchmark has it.", line=different.line)
            elif name not in card.outputs and next(expected, None) is not None:  # else it is known to be missing
                problems.add(name, f"is missing, and so is it on the card, but {contents.benchmark} needs it.")
        except InputError as error:
            problems.add_error(name, error)


def _check_corpus(contents: Contents, *, card: Card, problems: Problems) -> None:
    """Look for every document that a sample names, and for every span in its text."""
    name = f"{BEIR_FOLDER}/{CORPUS}"
    path = contents.folder / name
    if not path.is_file():
        if name not in card.outputs:
            problems.add(name, "is missing, and so is it on the card.")
        return
    complaints = Diagnostics(path, keep=LISTED)
    try:
        texts = {document.id: _text(document.text) for document in read_documents(path, complaints)}
    except InputError as error:
        problems.add_error(name, error)
        return
    problems.add_complaints(name, complaints)
    if card.counts.get("documents") != len(texts):
        problems.add(name, f"holds {len(texts)} documents, but the card says {card.counts.get('documents')}.")
    for line, sample in read_samples(contents.folder / contents.benchmark):
        for problem in _misplaced(sample, texts):
            problems.add(contents.benchmark, f"sample {sample.id!r} {problem}", line=line)


class _Text(NamedTuple):
    """What is remembered of a text."""

    length: int
    digest: bytes


def _text(text: str) -> _Text:
    return _Text(len(text), hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest())


def _misplaced(sample: Sample, texts: Mapping[str, _Text]) -> Iterator[str]:
    """Say what a sample names or quotes that the corpus does not hold."""
    for document in dict.fromkeys((*sample.gold_documents, *sample.context_ids)):
        if document not in texts:
            yield f"names the document {document!r}, which is not in the corpus."
    for document, context in zip(sample.context_ids, sample.contexts, strict=False):
        if document in texts and texts[document] != _text(context):
            yield f"has a context of {document!r} that is not the text of that document in the corpus."
    for span in sample.evidence:
        if span.document in texts and span.end > texts[span.document].length:
            size = texts[span.document].length
            yield f"has evidence up to character {span.end} of {span.document!r}, whose text has {size}."
