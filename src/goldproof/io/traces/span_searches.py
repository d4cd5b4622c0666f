"""Which spans of a trace are its searches, so that nothing that was found is counted twice.

- A retriever within a retriever (fusion, rewriting, compression) is a step of the outer one, whose documents are what
  the agent got. Where the outer one says neither what it found nor that it failed, the inner ones speak for it.
- A tool call is a search where it returned documents. The other calls of a tool that returned documents anywhere in the
  file are searches as well: one that returned something else found nothing, one with an error failed.
- A tool call around a retriever or around another search is not a search of its own, nor is one within a retriever.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldproof.io.traces.span_kinds import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Set

    from goldproof.io.traces.span_record import Span

Spans = dict[str, "Span"]


def searches_by_trace(traces: Mapping[str, Mapping[str, Span]]) -> dict[str, list[Span]]:
    """Return the searches of each trace, in no particular order."""
    every = (span for spans in traces.values() for span in spans.values())
    tools = frozenset(span.tool for span in every if span.kind is Kind.TOOL and span.results and span.tool)
    return {trace: _searches_of(spans, tools=tools) for trace, spans in traces.items()}


def _searches_of(spans: Mapping[str, Span], *, tools: Set[str]) -> list[Span]:
    """Return the searches of one trace. tools: the names of those that returned documents in any."""
    retrievers = _outer([span for span in spans.values() if span.kind is Kind.SEARCH], spans)
    found = {span.id for span in retrievers}
    calls = [span for span in spans.values() if span.kind is Kind.TOOL and (span.results or span.tool in tools)]
    calls = [span for span in calls if not any(outer.id in found for outer in outer_spans(span, spans))]
    around = {outer.id for span in (*retrievers, *calls) for outer in outer_spans(span, spans)}
    return retrievers + [span for span in calls if span.id not in around]


def outer_spans(span: Span, spans: Mapping[str, Span]) -> Iterator[Span]:
    """Yield the spans around a span, from its parent outwards; a circle, which no exporter should write, ends."""
    seen = {span.id}
    outer = spans.get(span.parent or "")
    while outer is not None and outer.id not in seen:
        seen.add(outer.id)
        yield outer
        outer = spans.get(outer.parent or "")


def _outer(retrievers: list[Span], spans: Mapping[str, Span]) -> list[Span]:
    speaking = {span.id for span in retrievers if span.results is not None or span.error is not None}
    around = {outer.id for span in retrievers for outer in outer_spans(span, spans)}
    return [
        span
        for span in retrievers
        if (span.id in speaking or span.id not in around)
        and not any(outer.id in speaking for outer in outer_spans(span, spans))
    ]
