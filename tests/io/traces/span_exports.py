"""The same spans in every shape in which they are exported, each written as its exporter writes it.

otlp            OTLP file exporter, collector: camelCase, hexadecimal ids, whole numbers and times as text
otlp_base64     protocol buffers printed as JSON: base64 ids, names of enums; `instrumentationLibrarySpans`
otlp_snake      protocol buffers with their own names, one span a line, numbers as numbers (Phoenix's otlpv1)
sdk             Python SDK, `ReadableSpan.to_json(indent=None)`
phoenix_rest    Phoenix's spans: context, span_kind, flat attributes
phoenix_frame   `get_spans_dataframe().to_json(orient="records", lines=True)`: columns, null where absent, milliseconds
phoenix_nested  Phoenix's database: nested attributes
plain           one flat object per span
"""

from __future__ import annotations

import base64
import json
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from goldproof.io.diagnostics import Diagnostics
from goldproof.io.traces.spans import read_span_traces

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path

    from goldproof.records.traces import TraceTable

Json = dict[str, Any]
BEGIN = 1_700_000_000_000  # milliseconds
NANO = 10**6


@dataclass(frozen=True)
class Made:
    """A span to export. at, took: milliseconds since the beginning. documents: written the way of the convention."""

    id: int
    parent: int | None = None
    at: int = 0
    took: int = 10
    trace: int = 1
    attributes: Json = field(default_factory=dict)
    documents: list[Json] | None = None
    error: str | None = None
    resource: Json = field(default_factory=dict)
    name: str = "span"


def root(number: int = 1, text: str = "what is it?", **more: Any) -> Made:  # noqa: ANN401 - fields of Made
    attributes = {"openinference.span.kind": "AGENT", "input.value": text, **more.pop("attributes", {})}
    return Made(number, None, attributes=attributes, **more)


def llm(number: int, at: int, parent: int | None = 1, **more: Any) -> Made:  # noqa: ANN401 - fields of Made
    attributes = {"openinference.span.kind": "LLM", "input.value": "a long prompt", **more.pop("attributes", {})}
    return Made(number, parent, at, attributes=attributes, **more)


def search(
    number: int,
    at: int,
    documents: Sequence[Json | str] | None = (),
    parent: int | None = 1,
    **more: Any,  # noqa: ANN401
) -> Made:
    """An OpenInference retriever; a document may be given by its id alone."""
    attributes = {
        "openinference.span.kind": "RETRIEVER",
        "input.value": f"query {number}",
        **more.pop("attributes", {}),
    }
    listed = None if documents is None else [{"id": d} if isinstance(d, str) else d for d in documents]
    return Made(number, parent, at, attributes=attributes, documents=listed, **more)


def tool(number: int, at: int, result: object, parent: int | None = 1, name: str = "web_search", **more: Any) -> Made:  # noqa: ANN401 - fields of Made
    attributes = {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": name,
        "gen_ai.tool.call.arguments": json.dumps({"query": f"query {number}"}),
        "gen_ai.tool.call.result": result if isinstance(result, str) else json.dumps(result),
        **more.pop("attributes", {}),
    }
    return Made(number, parent, at, attributes=attributes, name=f"execute_tool {name}", **more)


def flat(span: Made) -> Json:
    """Attributes as OpenInference flattens them: metadata is JSON text."""
    documents = {
        f"retrieval.documents.{i}.document.{key}": json.dumps(value) if key == "metadata" else value
        for i, document in enumerate(span.documents or [])
        for key, value in document.items()
    }
    return {**span.attributes, **documents}


def nested(span: Made) -> Json:
    found: Json = {}
    for name, value in span.attributes.items():
        *outer, last = name.split(".")
        holder = found
        for part in outer:
            holder = holder.setdefault(part, {})
        holder[last] = value
    if span.documents:
        found["retrieval"] = {"documents": [{"document": document} for document in span.documents]}
    return found


def trace_hex(span: Made) -> str:
    return f"{span.trace + 0xABC:032x}"


def span_hex(number: int | None) -> str | None:
    return None if number is None else f"{number + 0xDEF:016x}"


def iso(span: Made, offset: int = 0) -> str:
    moment = datetime.fromtimestamp((BEGIN + span.at + offset) / 1000, tz=UTC)
    return moment.strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def tagged(value: object) -> Json:
    match value:
        case bool():
            return {"boolValue": value}
        case int():
            return {"intValue": str(value)}
        case float():
            return {"doubleValue": value}
        case str():
            return {"stringValue": value}
        case list():
            return {"arrayValue": {"values": [tagged(item) for item in value]}}
        case dict():
            return {"kvlistValue": {"values": [{"key": k, "value": tagged(v)} for k, v in value.items()]}}
    raise TypeError(value)


def pairs(attributes: Json) -> list[Json]:
    return [{"key": key, "value": tagged(value)} for key, value in attributes.items()]


def otlp_span(span: Made) -> Json:
    return {
        "traceId": trace_hex(span).upper(),
        "spanId": span_hex(span.id),
        "parentSpanId": span_hex(span.parent) or "",
        "name": span.name,
        "kind": 1,
        "startTimeUnixNano": str((BEGIN + span.at) * NANO),
        "endTimeUnixNano": str((BEGIN + span.at + span.took) * NANO),
        "attributes": pairs(flat(span)),
        "status": {} if span.error is None else {"code": 2, "message": span.error},
    }


def otlp(span: Made) -> Json:
    scope = {"scope": {"name": "openinference"}, "spans": [otlp_span(span)]}
    return {"resourceSpans": [{"resource": {"attributes": pairs(span.resource)}, "scopeSpans": [scope]}]}


def otlp_base64(span: Made) -> Json:
    found = otlp_span(span)
    for key in ("traceId", "spanId", "parentSpanId"):
        found[key] = base64.b64encode(bytes.fromhex(found[key])).decode()
    found["status"] = {} if span.error is None else {"code": "STATUS_CODE_ERROR", "message": span.error}
    library = {"instrumentationLibrary": {"name": "openinference"}, "spans": [found]}
    resource = {"attributes": pairs(span.resource)}
    return {"resourceSpans": [{"resource": resource, "instrumentationLibrarySpans": [library]}]}


def otlp_snake(span: Made) -> Json:
    def snake(value: object) -> Json:
        ((tag, inner),) = tagged(value).items()
        return {tag.replace("Value", "_value"): int(inner) if tag == "intValue" else inner}

    return {
        "trace_id": trace_hex(span),
        "span_id": span_hex(span.id),
        "parent_span_id": span_hex(span.parent),
        "name": span.name,
        "kind": "SPAN_KIND_INTERNAL",
        "start_time_unix_nano": (BEGIN + span.at) * NANO,
        "end_time_unix_nano": (BEGIN + span.at + span.took) * NANO,
        "attributes": [{"key": key, "value": snake(value)} for key, value in flat(span).items()],
        "resource": {"attributes": pairs(span.resource)},
        "status": {"code": 0 if span.error is None else 2, "message": span.error or ""},
    }


def sdk(span: Made) -> Json:
    status = {"status_code": "UNSET"} if span.error is None else {"status_code": "ERROR", "description": span.error}
    parent = span_hex(span.parent)
    return {
        "name": span.name,
        "context": {"trace_id": f"0x{trace_hex(span)}", "span_id": f"0x{span_hex(span.id)}", "trace_state": "[]"},
        "kind": "SpanKind.INTERNAL",
        "parent_id": None if parent is None else f"0x{parent}",
        "start_time": iso(span),
        "end_time": iso(span, span.took),
        "status": status,
        "attributes": flat(span),
        "events": [],
        "links": [],
        "resource": {"attributes": span.resource, "schema_url": ""},
    }


def phoenix_rest(span: Made) -> Json:
    return {
        "id": f"U3BhbjoxMjM={span.id}",
        "name": span.name,
        "context": {"trace_id": trace_hex(span), "span_id": span_hex(span.id)},
        "span_kind": span.attributes.get("openinference.span.kind", "UNKNOWN"),
        "parent_id": span_hex(span.parent),
        "start_time": iso(span).replace("Z", "+00:00"),
        "end_time": iso(span, span.took).replace("Z", "+00:00"),
        "status_code": "UNSET" if span.error is None else "ERROR",
        "status_message": span.error or "",
        "attributes": flat(span),
        "resource": span.resource,
        "events": [],
    }


def phoenix_frame(span: Made) -> Json:
    documents = None
    if span.documents:
        documents = [{f"document.{key}": value for key, value in document.items()} for document in span.documents]
    kind = {"openinference.span.kind": None}
    columns = {f"attributes.{key}": value for key, value in {**kind, **span.attributes}.items()}
    return {
        "name": span.name,
        "span_kind": span.attributes.get("openinference.span.kind", "UNKNOWN"),
        "parent_id": span_hex(span.parent),
        "start_time": BEGIN + span.at,
        "end_time": BEGIN + span.at + span.took,
        "status_code": "OK" if span.error is None else "ERROR",
        "status_message": span.error or "",
        "events": [],
        "context.span_id": span_hex(span.id),
        "context.trace_id": trace_hex(span),
        **columns,
        "attributes.retrieval.documents": documents,
        "attributes.llm.model_name": None,
        "resource": span.resource,
    }


def phoenix_nested(span: Made) -> Json:
    return {**phoenix_rest(span), "attributes": nested(span)}


def plain(span: Made) -> Json:
    return {
        "trace_id": trace_hex(span),
        "span_id": span_hex(span.id),
        "parent_span_id": span_hex(span.parent),
        "name": span.name,
        "start_time": (BEGIN + span.at) / 1000,
        "end_time": (BEGIN + span.at + span.took) / 1000,
        "status": "ERROR" if span.error is not None else "OK",
        "status_message": span.error,
        "attributes": flat(span),
        "resource": span.resource,
    }


SHAPES: dict[str, Callable[[Made], Json]] = {
    shape.__name__: shape
    for shape in (otlp, otlp_base64, otlp_snake, sdk, phoenix_rest, phoenix_frame, phoenix_nested, plain)
}


def together(spans: Iterable[Made]) -> Json:
    """One OTLP line with many spans, as a batching exporter writes it."""
    return {"resourceSpans": [group for span in spans for group in otlp(span)["resourceSpans"]]}


def lines(spans: Iterable[Made], shape: Callable[[Made], Json] = sdk) -> str:
    return "".join(json.dumps(shape(span)) + "\n" for span in spans)


def read_text(folder: Path, text: str, *, keep: int | None = None, **more: int) -> list[TraceTable]:
    path = folder / "spans.jsonl"
    path.write_text(text, encoding="utf-8")
    return list(read_span_traces(path, Diagnostics(path, keep=keep), **more))


def read_one(folder: Path, spans: Iterable[Made], shape: Callable[[Made], Json] = sdk) -> TraceTable:
    (table,) = read_text(folder, lines(spans, shape))
    return table


def shown(table: TraceTable) -> list[Json]:
    """What a table says, as nested lists: everything that scoring may look at."""
    rows = table.results.columns.to_dicts() if table.results.columns.width else [{}] * len(table.results)
    fields = table.results.fields or [None] * len(table.results)
    results = [
        {**{k: v for k, v in row.items() if v is not None}, "gain": int(gain), "fields": held}
        for row, gain, held in zip(rows, table.results.gains, fields, strict=True)
    ]
    failed = set(table.failed_searches.tolist())
    found = []
    for c, name in enumerate(table.conversations):
        iterations = []
        for i in range(table.iteration_starts[c], table.iteration_starts[c + 1]):
            searches = range(table.search_starts[i], table.search_starts[i + 1])
            iterations.append(
                [
                    (table.queries[s], s in failed, results[table.result_starts[s] : table.result_starts[s + 1]])
                    for s in searches
                ]
            )
        found.append(
            {
                "conversation": name,
                "cluster": table.clusters[c],
                "question": table.questions[c],
                "text": table.texts[c],
                "failed": table.failed.get(name),
                "iterations": iterations,
            }
        )
    return found


def ids(table: TraceTable) -> list[list[list[list[str]]]]:
    """Ids of the results, by conversation, iteration and search."""
    return [
        [[[result.get("id") for result in results] for _, _, results in searches] for searches in found["iterations"]]
        for found in shown(table)
    ]
