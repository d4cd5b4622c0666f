"""Traces from a file of any format, recognised and read in batches.

Conversations as JSON lines (`json_lines`), flat tables of results as Parquet, CSV or TSV (`flat_files`), spans of
OpenInference and OpenTelemetry as JSON lines (`spans`), steps of DeepResearcher as a JSON list or lines
(`deepresearcher`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from goldproof.errors import shortened
from goldproof.io.columns import find_key, shown_names
from goldproof.io.diagnostics import Diagnostics
from goldproof.io.file_layout import sniff
from goldproof.io.json_files import read_objects
from goldproof.io.text_files import check_file
from goldproof.io.traces.deepresearcher import holds_steps, is_step, read_steps
from goldproof.io.traces.flat_columns import is_flat
from goldproof.io.traces.flat_files import read_parquet_traces, read_text_traces
from goldproof.io.traces.json_lines import RESULTS_PER_BATCH, read_json_traces
from goldproof.io.traces.span_export import is_span_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from goldproof.errors import FileFormatError
    from goldproof.io.file_layout import Sniffed
    from goldproof.io.json_files import JsonObject
    from goldproof.records.traces import TraceTable

TraceFormat = Literal["conversations", "spans", "steps", "parquet", "text"]
READABLE = (
    "Readable: JSON lines, one conversation each (conversation_id, turns), Parquet, CSV or TSV with one row per result "
    "(conversation, iteration, id, ...), spans of OpenInference or OpenTelemetry as JSON lines, steps of "
    "DeepResearcher as a JSON list or JSON lines; text may be gzipped."
)
_ONE_PER_LINE = 'if type == "array" then .[] else . end'  # a list, or objects that are printed over several lines
_TRACE_KEYS = {"traceId", "trace_id", "context.trace_id"}


def read_traces(
    path: Path | str, diagnostics: Diagnostics, *, results_per_batch: int = RESULTS_PER_BATCH
) -> Iterator[TraceTable]:
    """Yield the conversations of a file in tables of about that many results; a file without any is refused."""
    path, empty = check_file(path), True
    for table in trace_tables(path, diagnostics, results_per_batch=results_per_batch):
        empty = False
        yield table
    if empty:
        raise no_conversations(diagnostics)


def trace_tables(path: Path, diagnostics: Diagnostics, *, results_per_batch: int) -> Iterator[TraceTable]:
    """Yield the conversations of a file, if there are any."""
    sniffed = sniff(path)
    kind = trace_format(path, sniffed)
    if kind == "conversations":
        return read_json_traces(path, diagnostics, results_per_batch=results_per_batch)
    if kind == "spans":
        from goldproof.io.traces.spans import read_span_traces  # noqa: PLC0415 - few files are spans

        return read_span_traces(path, diagnostics, results_per_batch=results_per_batch)
    if kind == "steps":
        return read_steps(path, diagnostics, sniffed=sniffed, results_per_batch=results_per_batch)
    if kind == "parquet":
        return read_parquet_traces(path, diagnostics, results_per_batch=results_per_batch)
    if kind == "text":
        return read_text_traces(path, diagnostics, sniffed=sniffed, results_per_batch=results_per_batch)
    raise unknown_traces(path, sniffed, diagnostics)


def trace_format(path: Path, sniffed: Sniffed) -> TraceFormat | None:
    """Return which reader a file is for, or None where it is for none."""
    if sniffed.format == "jsonl":
        first = _first_object(path)
        return "conversations" if first is None else object_format(first)
    if sniffed.format == "json":
        return "steps" if holds_steps(path) else None
    if sniffed.format == "parquet":
        return "parquet"
    return "text" if sniffed.format in ("csv", "tsv") else None


def holds_traces(path: Path, sniffed: Sniffed, names: Sequence[str]) -> bool:
    """Return whether a file holds traces and nothing else. names: its columns, or the keys of its first object."""
    if sniffed.format in ("jsonl", "json"):
        return trace_format(path, sniffed) is not None
    return is_flat(names)


def object_format(record: JsonObject) -> Literal["conversations", "spans", "steps"] | None:
    """Return the format of a file by its first object: conversations, spans, steps of an agent, or None."""
    keys = record.keys()
    if "turns" in keys:
        return "conversations"
    if is_span_line(record) or (keys & _TRACE_KEYS and "attributes" in keys):
        return "spans"
    if is_step(record):
        return "steps"
    other = any(find_key(record, role) for role in ("document", "results"))  # a ranking that names its sessions
    return "conversations" if find_key(record, "conversation") and not other else None


def unknown_traces(path: Path, sniffed: Sniffed, diagnostics: Diagnostics) -> FileFormatError:
    """Return the error for a file that holds no traces."""
    if sniffed.format == "json":
        return diagnostics.error(
            "is one JSON document, expected one conversation or span per line.",
            hint=f"Write each object on a line of its own: jq -c '{_ONE_PER_LINE}' {path.name} > {path.stem}.jsonl",
        )
    if sniffed.format == "jsonl":
        keys = shown_names(list(_first_object(path) or {}))
        return diagnostics.error(f"holds neither conversations nor spans (found {keys or 'no key'}).", hint=READABLE)
    shown = shortened(sniffed.first_line, longest=60)
    return diagnostics.error(f"is not recognised as traces (it begins {shown!r}).", hint=READABLE)


def _first_object(path: Path) -> JsonObject | None:
    """Return the first object that can be read."""
    first = next(read_objects(path, Diagnostics(path, keep=0)), None)
    return None if first is None else first.record


def no_conversations(diagnostics: Diagnostics) -> FileFormatError:
    """Return the error for a file without conversations, or of which all are bad."""
    if not diagnostics.total:
        return diagnostics.error("holds no conversations.", hint="Was it cut off, or never written?")
    return diagnostics.nothing_left(f"every conversation is bad ({diagnostics.total})", hint=READABLE)
