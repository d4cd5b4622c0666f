"""The files of a benchmark: `<name>.jsonl`, its manifest, and the folder `beir` for scoring retrieval.

In the BEIR folder every gold document of a sample has grade 1. A sample that needs several documents, or that several
sets of documents suffice for, has kernels; where the sample names none, all its gold documents together are the kernel.
The metadata of a query are the sample's, with `doc_type, question_type, difficulty, source_dataset, original_id`.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from goldproof.errors import InputError
from goldproof.io.datasets.beir import JudgedQuestion, write_beir
from goldproof.io.writing import write_hashed
from goldproof.jobs.build.output.manifest import manifest_lines
from goldproof.jobs.build.output.sample_lines import sample_line
from goldproof.records.entities import Question

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from goldproof.jobs.build.sample import Sample
    from goldproof.records.entities import Document

BEIR_FOLDER = "beir"
RESERVED = frozenset({"card.json", "run.json", "distribution.json", "distribution.svg", "report.md", BEIR_FOLDER})
_OWN_FIELDS = ("doc_type", "question_type", "difficulty", "source_dataset", "original_id")


@dataclass(frozen=True, slots=True)
class BenchmarkNames:
    """What the two files beside the BEIR folder are called: plain names, which no other file of the folder has."""

    output: str
    manifest: str

    def __post_init__(self) -> None:
        if self.output.casefold() == self.manifest.casefold():
            raise InputError(f"benchmark and manifest are both called {self.output!r}; name two files.")
        _check_name(self.output, what="the benchmark", ending=".jsonl")
        _check_name(self.manifest, what="the manifest", ending=".csv")


def _check_name(name: str, *, what: str, ending: str) -> None:
    """Refuse a name that leads out of the folder, hides the file, or is that of another."""
    called = f"{what} would be called {name!r}"
    if not name.strip():
        raise InputError(f"{what} has no name; expected one such as small{ending}.")
    if "/" in name or "\\" in name or ":" in name or not name.isprintable():
        raise InputError(f"{called}; expected the name of a file, without a folder, a colon or a line break.")
    if name.casefold() in RESERVED:
        raise InputError(f"{called}, which is the name of another file of the folder; give it a name of its own.")
    if name.startswith("."):
        raise InputError(f"{called}; expected a name that does not begin with a point, since such files are hidden.")
    if not name.endswith(ending):
        raise InputError(f"{called}; expected a name that ends in {ending}, since it is written as plain text.")


def write_benchmark(
    folder: Path | str,
    *,
    names: BenchmarkNames,
    samples: Callable[[], Iterable[Sample]],
    labels: Callable[[], Iterable[Sample]] | None = None,
    documents: Callable[[], Iterable[Document]],
) -> dict[str, str]:
    """Write all files, each whole or not at all; return the name of each, from the folder -> its sha256.

    labels: the same samples, whose contexts may be missing where that is cheaper.
    """
    folder = Path(folder)
    labels = labels or samples
    written = {
        names.output: write_hashed(folder / names.output, map(sample_line, samples())),
        names.manifest: write_hashed(folder / names.manifest, manifest_lines(labels())),
    }
    beir = write_beir(folder / BEIR_FOLDER, documents=documents(), questions=lambda: map(judged_question, labels()))
    return written | {f"{BEIR_FOLDER}/{name}": digest for name, digest in beir.items()}


def judged_question(sample: Sample) -> JudgedQuestion:
    """Return a sample as a query with its gold documents."""
    question = Question(
        id=sample.id,
        text=sample.question,
        answer=sample.ground_truth if sample.answerable else None,
        answerable=sample.answerable,
        metadata=query_metadata(sample),
    )
    return JudgedQuestion(question, dict.fromkeys(sample.gold_documents, 1), needed_sets(sample))


def query_metadata(sample: Sample) -> dict[str, object]:
    """Return what a query can be clustered by; whether it is answerable is said by the query itself."""
    own: dict[str, object] = {name: getattr(sample, name) for name in _OWN_FIELDS}
    return own | {key: value for key, value in sample.metadata.items() if key not in (*_OWN_FIELDS, "answerable")}


def needed_sets(sample: Sample) -> tuple[tuple[str, ...], ...]:
    """Return the kernels of a sample that one document alone does not settle; none for the others."""
    gold = tuple(dict.fromkeys(sample.gold_documents))
    kernels = sample.kernels or ((gold,) if gold else ())
    return kernels if len(kernels) > 1 or any(len(kernel) > 1 for kernel in (gold, *kernels)) else ()
