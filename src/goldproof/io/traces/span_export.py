"""Export shapes of spans (OTLP, Python SDK, Phoenix, plain) brought to one, and kinds of spans.

    OTLP JSON   {"resourceSpans": [{"resource": ..., "scopeSpans": [{"spans": [...]}]}]}, attributes as tagged pairs;
                older files say instrumentationLibrarySpans, Grafana Tempo says batches
    Python SDK  `span.to_json(indent=None)`: {"context": {"trace_id": "0x..."}, "parent_id": ..., "attributes": {...}}
    Phoenix     {"context.trace_id": ..., "attributes.input.value": ...} (a data frame as JSON lines), or spans with
                nested attributes
    plain       {"trace_id": ..., "span_id": ..., "parent_span_id": ..., "start_time": ..., "attributes": {...}}

Names may be written in camelCase or snake_case. Lines with metrics or logs, which a collector may write into the same
file, hold no span and are skipped.

The kind of a span is `openinference.span.kind` in OpenInference, `gen_ai.operation.name` in OpenTelemetry,
`traceloop.span.kind` in OpenLLMetry, `langfuse.observation.type` in Langfuse. A span with several is the first of
search, tool, model, agent, chain that any of them names: a retriever that one library wraps as a tool is a retriever.
A RERANKER is something else: it puts the documents of an earlier search into another order, and to count them again
would make each a duplicate of itself. So are embeddings, guardrails, evaluators, prompts and writes to a memory.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from goldproof.io.columns import shown_names
from goldproof.io.json_files import BadRecordError, JsonObject, json_kind
from goldproof.io.traces.span_values import (
    find_attribute,
    is_used,
    parse_json,
    parse_span_id,
    parse_time,
    tagged_pairs,
    untagged,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from goldproof.io.traces.span_values import Attributes


_RESOURCES = ("resourceSpans", "resource_spans", "batches")
_SCOPES = ("scopeSpans", "scope_spans", "instrumentationLibrarySpans", "instrumentation_library_spans")
_OTHER_SIGNALS = ("resourceMetrics", "resource_metrics", "resourceLogs", "resource_logs")
_COLUMN_PREFIX = "attributes."
KEYS: Mapping[str, tuple[str, ...]] = {
    "trace": ("trace_id", "traceId", "traceID", "context.trace_id", "context.traceId"),
    "span": ("span_id", "spanId", "spanID", "context.span_id", "context.spanId"),
    "parent": ("parent_id", "parentId", "parent_span_id", "parentSpanId", "parent.span_id", "parentSpanContext.spanId"),
    "start": ("start_time", "startTime", "start_time_unix_nano", "startTimeUnixNano"),
    "end": ("end_time", "endTime", "end_time_unix_nano", "endTimeUnixNano"),
    "status": ("status_code", "statusCode", "status.status_code", "status.code", "status.statusCode", "status"),
    "message": ("status_message", "statusMessage", "status.description", "status.message"),
    "name": ("name",),
    "kind": ("span_kind", "spanKind"),
}
NO_KIND = "no kind"


class RawSpan(NamedTuple):
    """One span as exported; ids and times are normalised, attributes are plain values under their exported names.

    problem: what is wrong with its times, in a sentence.
    """

    trace: str | None
    span: str | None
    parent: str | None
    start: int | None
    end: int | None
    error: str | None
    name: str
    kind: str
    attributes: Attributes
    resource: Attributes
    problem: str | None = None


class ExportedSpan(NamedTuple):
    """A span object and the attributes of its resource, not yet read."""

    record: JsonObject
    resource: Attributes


class SpanKind(Enum):
    """Kind of a span, as far as search traces need it."""

    SEARCH = "search"
    TOOL = "tool"
    MODEL = "model"
    AGENT = "agent"
    CHAIN = "chain"
    OTHER = "other"


KINDS: Mapping[SpanKind, frozenset[str]] = {
    SpanKind.SEARCH: frozenset({"RETRIEVER", "retrieval", "search_memory", "vector_db_retrieve", "retriever"}),
    SpanKind.TOOL: frozenset({"TOOL", "execute_tool", "tool"}),
    SpanKind.MODEL: frozenset({"LLM", "chat", "text_completion", "generate_content", "generation"}),
    SpanKind.AGENT: frozenset({"AGENT", "invoke_agent", "invoke_workflow", "agent", "workflow"}),
    SpanKind.CHAIN: frozenset({"CHAIN", "chain"}),
}


def is_span_line(record: JsonObject) -> bool:
    """Return whether a line holds spans, by its keys, also in a file where a collector mixes signals."""
    known = (*_RESOURCES, *_SCOPES, *_OTHER_SIGNALS)
    return any(key in record for key in known) or (
        _get(record, "trace") is not None and _get(record, "span") is not None
    )


def spans_of_line(record: JsonObject) -> Iterator[ExportedSpan]:
    """Yield the span objects of one line; raise BadRecordError where it holds none by its shape."""
    if any(key in record for key in _SCOPES):
        yield from _resource_spans(record)
        return
    listed = next((key for key in _RESOURCES if key in record), None)
    if listed is not None:
        for group in _objects(record[listed], listed):
            yield from _resource_spans(group)
    elif _get(record, "trace") is not None or _get(record, "span") is not None:
        yield ExportedSpan(record, _attributes(_resource_attributes(record.get("resource"))))
    elif not any(key in record for key in _OTHER_SIGNALS):
        keys = shown_names(list(record)) or "no key"
        raise BadRecordError(f"is no span: neither resourceSpans nor a trace id (found {keys}).")


def _resource_spans(group: JsonObject) -> Iterator[ExportedSpan]:
    resource = _attributes(_resource_attributes(group.get("resource")))
    for listed in _SCOPES:
        for scope in _objects(group.get(listed), listed):
            for record in _objects(scope.get("spans"), "spans"):
                yield ExportedSpan(record, resource)


def _objects(value: object, name: str) -> list[JsonObject]:
    if value is None:
        return []
    if not isinstance(value, list):
        raise BadRecordError(f"{name!r} is {json_kind(value)}, expected a list.")
    for item in value:
        if not isinstance(item, dict):
            raise BadRecordError(f"{name!r} holds {json_kind(item)}, expected objects.")
    return value


def read_span(span: ExportedSpan) -> RawSpan:
    """Normalise one span object."""
    record, resource = span
    times = _times(record)
    return RawSpan(
        trace=parse_span_id(_get(record, "trace")),
        span=parse_span_id(_get(record, "span")),
        parent=parse_span_id(_get(record, "parent")),
        start=times.start,
        end=times.end,
        error=_error(record),
        name=_text(_get(record, "name")),
        kind=_text(_get(record, "kind")),
        attributes=_span_attributes(record),
        resource=resource,
        problem=times.problem,
    )


def _get(record: JsonObject, role: str) -> object:
    for key in KEYS[role]:
        value = record.get(key)
        if value is None and "." in key:
            outer, _, inner = key.partition(".")
            holder = record.get(outer)
            value = holder.get(inner) if isinstance(holder, dict) else None
        if value is not None and value != "":
            return value
    return None


class _Times(NamedTuple):
    start: int | None
    end: int | None
    problem: str | None = None


def _times(record: JsonObject) -> _Times:
    """Return the times of a span; a bad one leaves the rest usable, so that the span can be named."""
    try:
        return _Times(_time(record, "start"), _time(record, "end"))
    except BadRecordError as error:
        return _Times(None, None, str(error))


def _time(record: JsonObject, role: str) -> int | None:
    key = next((key for key in KEYS[role] if record.get(key) not in (None, "")), None)
    return None if key is None else parse_time(record[key], nanoseconds="nano" in key.lower())


def _error(record: JsonObject) -> str | None:
    """Return the reason why the span failed, or None where it did not."""
    code = _get(record, "status")
    if not isinstance(code, str | int) or isinstance(code, bool):
        return None
    # ERROR, STATUS_CODE_ERROR, StatusCode.ERROR, or its number in OTLP
    if str(code).upper().removeprefix("STATUSCODE.").removeprefix("STATUS_CODE_") not in ("ERROR", "2"):
        return None
    return _text(_get(record, "message")) or "no reason given"


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _span_attributes(record: JsonObject) -> Attributes:
    attributes = _attributes(record.get("attributes"))
    columns = {k.removeprefix(_COLUMN_PREFIX): v for k, v in record.items() if k.startswith(_COLUMN_PREFIX)}
    return {**attributes, **columns} if columns else attributes


def _resource_attributes(resource: object) -> object:
    return resource.get("attributes", resource) if isinstance(resource, dict) else None


def _attributes(value: object) -> Attributes:
    if isinstance(value, str):
        value = parse_json(value)
    if isinstance(value, dict):
        return value
    return {key: untagged(item) for key, item in tagged_pairs(value) if is_used(key)}


def span_kind(span: RawSpan) -> SpanKind:
    """Return the kind of a span."""
    names_given = {_openinference(span), _kind_text(span, "operation").lower(), _kind_text(span, "entity").lower()}
    return next((kind for kind, names in KINDS.items() if names_given & names), SpanKind.OTHER)


def shown_kind(span: RawSpan) -> str:
    """Return the kind that a span gives itself, for a message."""
    return _openinference(span) or _kind_text(span, "operation") or _kind_text(span, "entity") or NO_KIND


def _openinference(span: RawSpan) -> str:
    # Phoenix has the kind in a column of its own; there OpenTelemetry's CLIENT or INTERNAL would match nothing.
    return (_kind_text(span, "kind") or span.kind).upper()


def _kind_text(span: RawSpan, role: str) -> str:
    value = find_attribute(span.attributes, role)
    return value.strip() if isinstance(value, str) else ""
