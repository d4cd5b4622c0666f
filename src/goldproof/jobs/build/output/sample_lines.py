"""A sample as one line of JSON, and back.

The keys are `id, question, ground_truth, contexts, answerable, doc_type, question_type, difficulty, source_dataset,
metadata`, and then ours: `original_id, context_ids, gold_documents, kernels, evidence`. A file from elsewhere may lack
ours (they are empty then), `answerable` (true) and `metadata` (empty). The same sample always has the same bytes.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from goldproof.io.datasets.beir import parse_answerable, parse_kernels
from goldproof.io.diagnostics import Diagnostics
from goldproof.io.json_files import BadRecordError, JsonObject, json_kind, json_line, read_objects
from goldproof.jobs.build.example import Evidence
from goldproof.jobs.build.sample import Sample

if TYPE_CHECKING:
    from collections.abc import Iterator

_FIX = "Fix the line, or build the file again."


class SampleAt(NamedTuple):
    """A sample, and the line on which it stands."""

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


def read_samples(path: Path | str, complaints: Diagnostics | None = None) -> Iterator[SampleAt]:
    """Yield the samples of a benchmark one at a time; a bad line is an error, or is reported and left out."""
    path = Path(path)
    complaints = complaints or Diagnostics(path, hint=_FIX)
    for line, record in read_objects(path, complaints):
        try:
            sample = parse_sample(record)
        except BadRecordError as error:
            complaints.add(str(error), line=line)
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
