"""Spans of a file gathered by trace, and which of them are searches.

Exporters repeat themselves when a connection fails, so a span that is there twice with the same content is taken once.
One that differs the second time is reported: which of the two was meant is not known.

- A retriever within a retriever (fusion, rewriting, compression) is a step of the outer one, whose documents are what
  the agent got. Where the outer one records neither documents nor an error, the inner ones count instead.
- A tool call is a search where it returned documents. The other calls of a tool that returned documents anywhere in the
  file are searches as well: one that returned something else found nothing, one with an error failed.
- A tool call around a retriever or around another search is not a search of its own, nor is one within a retriever.

Texts of prompts and answers are dropped as soon as a span is read. The words of an input are kept for spans without a
parent and for agents, whose input is the question of a turn. A search that has an error and documents failed in part:
its documents are what the agent got, so they count and the search did not fail. With an error alone it failed.
"""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from goldproof.errors import shown
from goldproof.io.json_files import BadRecordError, read_objects
from goldproof.io.traces.span_export import SpanKind, read_span, shown_kind, span_kind, spans_of_line
from goldproof.io.traces.span_results import documents_in, query_of, read_list, read_results
from goldproof.io.traces.span_values import find_attribute, find_documents

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Set
    from pathlib import Path

    from goldproof.io.diagnostics import Diagnostics
    from goldproof.io.json_files import NumberedRecord
    from goldproof.io.traces.span_export import ExportedSpan, RawSpan
    from goldproof.io.traces.span_results import Result
    from goldproof.io.traces.span_values import Attributes


Spans = dict[str, "Span"]
_LABELS = ("conversation", "question", "cluster")
_LONGEST_QUERY = 1000


@dataclass(frozen=True, slots=True)
class Span:
    """One span, reduced to what searches and turns need.

    labels: conversation, question, cluster and text, where it says them; those of its resource begin with `resource.`.
    results: what a search or tool returned; None where it does not say, or says what is no list of documents.
    error: why it failed; None where it returned documents all the same.
    bad: something was wrong with it and has been reported.
    """

    trace: str
    id: str
    parent: str | None
    kind: SpanKind
    start: int | None
    end: int | None
    error: str | None = None
    labels: Mapping[str, str] = field(default_factory=dict)
    tool: str | None = None
    query: str | None = None
    results: tuple[Result, ...] | None = None
    bad: bool = field(default=False, compare=False)
    line: int = field(default=0, compare=False)


def gather_spans(path: Path, diagnostics: Diagnostics) -> SearchSpans:
    """Read all spans of a file."""
    gathered = SearchSpans(diagnostics)
    for line in read_objects(path, diagnostics):
        gathered.add_line(line)
    return gathered


class SearchSpans:
    """The spans of a file by trace and span id, and how many of each kind there were."""

    def __init__(self, diagnostics: Diagnostics) -> None:
        self.traces: dict[str, Spans] = {}
        self.kinds: Counter[str] = Counter()
        self._diagnostics = diagnostics

    def add_line(self, line: NumberedRecord) -> None:
        """Add the spans of a line; bad ones are reported."""
        try:
            for exported in spans_of_line(line.record):
                self._add(exported, line=line.number)
        except BadRecordError as error:
            self._diagnostics.report(str(error), line=line.number)

    def _add(self, exported: ExportedSpan, *, line: int) -> None:
        try:
            raw = read_span(exported)
            plain = plain_span(raw, line=line)
        except BadRecordError as error:
            self._diagnostics.report(str(error), line=line, unit="span")
            return
        self.kinds[shown_kind(raw)] += 1
        self._keep(self._with_search(plain, raw))

    def _with_search(self, span: Span, raw: RawSpan) -> Span:
        """Add the results of a search; where they are bad, keep the rest and mark it, so that its turn is left out."""
        try:
            if raw.problem is not None:
                raise BadRecordError(raw.problem)
            return with_search(span, raw)
        except BadRecordError as error:
            self._diagnostics.report(f"span {span.id!r}: {error}", line=span.line, unit="span")
            return replace(span, bad=True)

    def _keep(self, span: Span) -> None:
        spans = self.traces.setdefault(span.trace, {})
        before = spans.setdefault(span.id, span)
        if before == span:
            if span.bad:
                spans[span.id] = span  # what was wrong with one of them does not show in the rest
            return
        problem = f"span {span.id!r} occurs twice and differs (first at line {before.line})."
        self._diagnostics.report(problem, line=span.line, unit="span")
        # Which of the two is kept decides the order of turns only, and must not depend on the order of lines.
        spans[span.id] = replace(max(before, span, key=_order), bad=True)


def _order(span: Span) -> tuple[int, str]:
    return span.start or 0, repr((span.parent, span.kind.value, sorted(span.labels.items())))


def plain_span(raw: RawSpan, *, line: int) -> Span:
    """Return the fields that every span has; raise BadRecordError where it has no id."""
    if raw.trace is None or raw.span is None:
        lacking = "trace id" if raw.trace is None else "span id"
        raise BadRecordError(f"the span {shown(raw.name)} has no {lacking}.")
    kind = span_kind(raw)
    return Span(
        trace=sys.intern(raw.trace),
        id=raw.span,
        parent=raw.parent,
        kind=kind,
        start=raw.start,
        end=raw.end,
        error=raw.error or _text(find_attribute(raw.attributes, "error")),
        labels=_labels(raw, asked=raw.parent is None or kind is SpanKind.AGENT),
        line=line,
    )


def with_search(span: Span, raw: RawSpan) -> Span:
    """Add the query and results of a search or tool; raise BadRecordError where they cannot be read."""
    if span.kind not in (SpanKind.SEARCH, SpanKind.TOOL):
        return span
    attributes = raw.attributes
    results = _results(attributes, span.kind)
    query = query_of(find_attribute(attributes, "query"))
    if query is not None and span.kind is SpanKind.TOOL and not results:
        query = query[:_LONGEST_QUERY]  # most likely no search at all, but a tool that was handed a whole file
    tool = _text(find_attribute(attributes, "tool")) or raw.name or None
    return replace(span, tool=tool, query=query, results=results, error=None if results else span.error)


def _results(attributes: Attributes, kind: SpanKind) -> tuple[Result, ...] | None:
    documents = find_documents(attributes)
    if documents is not None and kind is SpanKind.SEARCH:
        return read_results(documents)
    # A tool that is a retriever in disguise, or a retriever that records nothing but its output.
    listed = documents_in(documents if documents is not None else find_attribute(attributes, "result"))
    return None if listed is None else read_list(listed)


def _labels(raw: RawSpan, *, asked: bool) -> Mapping[str, str]:
    labels = {role: text for role in _LABELS if (text := _text(find_attribute(raw.attributes, role)))}
    for role in _LABELS:
        text = _text(find_attribute(raw.resource, role)) if raw.resource else None
        if text:
            labels[f"resource.{role}"] = text
    if asked and (words := query_of(find_attribute(raw.attributes, "input"))):
        labels["text"] = words
    return labels


def _text(value: object) -> str | None:
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return value or None if isinstance(value, str) else None


def searches_by_trace(traces: Mapping[str, Mapping[str, Span]]) -> dict[str, list[Span]]:
    """Return the searches of each trace, in no particular order."""
    every = (span for spans in traces.values() for span in spans.values())
    tools = frozenset(span.tool for span in every if span.kind is SpanKind.TOOL and span.results and span.tool)
    return {trace: _searches_of(spans, tools=tools) for trace, spans in traces.items()}


def _searches_of(spans: Mapping[str, Span], *, tools: Set[str]) -> list[Span]:
    """Return the searches of one trace. tools: the names of those that returned documents in any."""
    retrievers = _outer([span for span in spans.values() if span.kind is SpanKind.SEARCH], spans)
    retriever_ids = {span.id for span in retrievers}
    calls = [span for span in spans.values() if span.kind is SpanKind.TOOL and (span.results or span.tool in tools)]
    calls = [span for span in calls if not any(outer.id in retriever_ids for outer in outer_spans(span, spans))]
    around = {outer.id for span in (*retrievers, *calls) for outer in outer_spans(span, spans)}
    return retrievers + [span for span in calls if span.id not in around]


def _outer(retrievers: list[Span], spans: Mapping[str, Span]) -> list[Span]:
    informative = {span.id for span in retrievers if span.results is not None or span.error is not None}
    around = {outer.id for span in retrievers for outer in outer_spans(span, spans)}
    return [
        span
        for span in retrievers
        if (span.id in informative or span.id not in around)
        and not any(outer.id in informative for outer in outer_spans(span, spans))
    ]


def outer_spans(span: Span, spans: Mapping[str, Span]) -> Iterator[Span]:
    """Yield the spans around a span, from its parent outwards; a circle, which no exporter should write, ends."""
    seen = {span.id}
    outer = spans.get(span.parent or "")
    while outer is not None and outer.id not in seen:
        seen.add(outer.id)
        yield outer
        outer = spans.get(outer.parent or "")
