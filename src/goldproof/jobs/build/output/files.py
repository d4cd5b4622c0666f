"""Files of a benchmark: JSON lines (written and read back), manifest and BEIR folder.

Benchmark. The keys are `id, question, ground_truth, contexts, answerable, doc_type, question_type, difficulty,
source_dataset, metadata`, and then ours: `original_id, context_ids, gold_documents, kernels, evidence`. A file from
elsewhere may lack ours (they are empty then), `answerable` (true) and `metadata` (empty). The same sample always has
the same bytes.

Manifest. CSV with exactly the columns `id, doc_type, question_type, difficulty, answerable, source_dataset,
original_id`; `answerable` is true or false; fields are quoted as RFC 4180 says, where they need it; lines end with a
line feed.

BEIR folder. Every gold document of a sample has grade 1. A sample that needs several documents, or that several sets of
documents suffice for, has kernels; where the sample names none, all its gold documents together are the kernel. The
metadata of a query are the sample's, with `doc_type, question_type, difficulty, source_dataset, original_id`.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from goldproof.errors import InputError
from goldproof.io.atomic_files import write_hashed
from goldproof.io.datasets.beir import JudgedQuestion, parse_answerable, parse_kernels, write_beir
from goldproof.io.diagnostics import Diagnostics
from goldproof.io.json_files import BadRecordError, JsonObject, json_kind, json_line, read_objects
from goldproof.jobs.build.records import Evidence, Sample
from goldproof.records.entities import Question

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from goldproof.records.entities import Document

BEIR_FOLDER = "beir"
RESERVED = frozenset({"card.json", "run.json", "distribution.json", "distribution.svg", "report.md", BEIR_FOLDER})
_OWN_FIELDS = ("doc_type", "question_type", "difficulty", "source_dataset", "original_id")


@dataclass(frozen=True, slots=True)
class BenchmarkNames:
    """Names of the benchmark and its manifest: plain, and different from all other files of the folder."""

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


_FIX = "Fix the line, or build the file again."


class SampleAt(NamedTuple):
    """A sample and its line number."""

    line: int
    sample: Sample


def sample_line(sample: Sample) -> bytes:
    """Return the line of a sample, with its line feed."""
    record = {
        "id": sample.id,
        "question": sample.question,
        "ground_truth": sample.ground_truth,
        "contexts": sample.contexts,
        "answerable": sample.answerable,
        "doc_type": sample.doc_type,
        "question_type": sample.question_type,
        "difficulty": sample.difficulty,
        "source_dataset": sample.source_dataset,
        "metadata": sample.metadata,
        "original_id": sample.original_id,
        "context_ids": sample.context_ids,
        "gold_documents": sample.gold_documents,
        "kernels": sample.kernels,
        "evidence": [{"document": e.document, "start": e.start, "end": e.end} for e in sample.evidence],
    }
    return json_line(record, where=f"sample {sample.id!r}")


def read_samples(path: Path | str, diagnostics: Diagnostics | None = None) -> Iterator[SampleAt]:
    """Yield the samples of a benchmark one at a time; a bad line is an error, or is reported and left out."""
    path = Path(path)
    diagnostics = diagnostics or Diagnostics(path, hint=_FIX)
    for line, record in read_objects(path, diagnostics):
        try:
            sample = parse_sample(record)
        except BadRecordError as error:
            diagnostics.report(str(error), line=line)
            continue
        yield SampleAt(line, sample)


def parse_sample(record: JsonObject) -> Sample:
    """Return the sample of a JSON object; raises `BadRecordError` where it is none."""
    contexts = _texts(record, "contexts")
    context_ids = _texts(record, "context_ids", optional=True)
    if context_ids and len(context_ids) != len(contexts):
        raise BadRecordError(
            f"there are {len(context_ids)} context_ids for {len(contexts)} contexts, expected as many."
        )
    return Sample(
        id=_filled(record, "id"),
        question=_filled(record, "question"),
        ground_truth="" if record.get("ground_truth", "") is None else _text(record, "ground_truth"),
        contexts=contexts,
        context_ids=context_ids,
        doc_type=_filled(record, "doc_type"),
        question_type=_filled(record, "question_type"),
        difficulty=_filled(record, "difficulty"),
        source_dataset=_filled(record, "source_dataset"),
        original_id=_text(record, "original_id", optional=True),
        answerable=parse_answerable(record.get("answerable", True)),
        gold_documents=_texts(record, "gold_documents", optional=True),
        kernels=parse_kernels(record["kernels"]) if record.get("kernels") is not None else (),
        evidence=_evidence(record),
        metadata=_metadata(record),
    )


def _text(record: JsonObject, key: str, *, optional: bool = False) -> str:
    value = record.get(key)
    if value is None and optional:
        return ""
    if key not in record:
        raise BadRecordError(f"no key {key!r}, expected text.")
    if isinstance(value, int) and not isinstance(value, bool) and key in ("id", "original_id"):
        return str(value)
    if not isinstance(value, str):
        raise BadRecordError(f"key {key!r} is {json_kind(value)}, expected text.")
    return value


def _filled(record: JsonObject, key: str) -> str:
    value = _text(record, key)
    if not value.strip():
        raise BadRecordError(f"key {key!r} is empty.")
    return value


def _texts(record: JsonObject, key: str, *, optional: bool = False) -> tuple[str, ...]:
    value = record.get(key)
    if value is None and optional:
        return ()
    if key not in record:
        raise BadRecordError(f"no key {key!r}, expected a list of texts.")
    if not isinstance(value, list):
        raise BadRecordError(f"key {key!r} is {json_kind(value)}, expected a list of texts.")
    for number, item in enumerate(value, start=1):
        if not isinstance(item, str):
            raise BadRecordError(f"item {number} of {key!r} is {json_kind(item)}, expected text.")
    return tuple(value)


def _metadata(record: JsonObject) -> dict[str, object]:
    value = record.get("metadata")
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise BadRecordError(f"key 'metadata' is {json_kind(value)}, expected an object.")
    return value


def _evidence(record: JsonObject) -> tuple[Evidence, ...]:
    value = record.get("evidence")
    if value is None:
        return ()
    if not isinstance(value, list):
        raise BadRecordError(f"key 'evidence' is {json_kind(value)}, expected a list of spans.")
    return tuple(_span(item, number) for number, item in enumerate(value, start=1))


def _span(item: object, number: int) -> Evidence:
    expected = '{"document": ..., "start": ..., "end": ...}'
    if not isinstance(item, dict):
        raise BadRecordError(f"span {number} of 'evidence' is {json_kind(item)}, expected {expected}.")
    document, start, end = (item.get(key) for key in ("document", "start", "end"))
    # type() and not isinstance: true is an int to Python, but no place in a text.
    if not isinstance(document, str) or type(start) is not int or type(end) is not int:
        raise BadRecordError(
            f"span {number} of 'evidence' lacks a document, or whole numbers as start and end: expected {expected}."
        )
    if not 0 <= start <= end:
        raise BadRecordError(f"span {number} of 'evidence' runs from {start} to {end}, expected 0 <= start <= end.")
    return Evidence(document, start, end)


COLUMNS = ("id", "doc_type", "question_type", "difficulty", "answerable", "source_dataset", "original_id")
_QUOTED = frozenset(',"\r\n')


def manifest_lines(samples: Iterable[Sample]) -> Iterator[bytes]:
    """Yield the manifest: its header, then a line for each sample."""
    yield _line(COLUMNS)
    for sample in samples:
        yield _line(_written(getattr(sample, column)) for column in COLUMNS)


def _written(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _line(values: Iterable[str]) -> bytes:
    return (",".join(map(_quoted, values)) + "\n").encode("utf-8")


def _quoted(value: str) -> str:
    if _QUOTED.isdisjoint(value):
        return value
    return '"' + value.replace('"', '""') + '"'


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
    """Return the metadata of a query, for clusters and slices; `answerable` is a field of its own."""
    own: dict[str, object] = {name: getattr(sample, name) for name in _OWN_FIELDS}
    return own | {key: value for key, value in sample.metadata.items() if key not in (*_OWN_FIELDS, "answerable")}


def needed_sets(sample: Sample) -> tuple[tuple[str, ...], ...]:
    """Return the kernels of a sample that needs several documents or has alternative sets; () for the others."""
    gold = tuple(dict.fromkeys(sample.gold_documents))
    kernels = sample.kernels or ((gold,) if gold else ())
    return kernels if len(kernels) > 1 or any(len(kernel) > 1 for kernel in (gold, *kernels)) else ()
