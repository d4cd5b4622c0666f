"""What is kept of a span: the little that search traces need.

Texts of prompts and answers are dropped as soon as a span is read. The words of an input are kept for spans without a
parent and for agents, whose input is the question of a turn. A search that has an error and documents failed in part:
its documents are what the agent got, so they count and the search did not fail. With an error alone it failed.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from goldproof.io.jsonl import BadRecordError
from goldproof.io.traces.span_attributes import find_attribute, find_documents
from goldproof.io.traces.span_documents import read_list, read_results
from goldproof.io.traces.span_kinds import Kind, kind_of
from goldproof.io.traces.span_text import words_of
from goldproof.io.traces.span_tool_results import documents_in

if TYPE_CHECKING:
    from collections.abc import Mapping

    from goldproof.io.traces.span_attributes import Attributes
    from goldproof.io.traces.span_documents import Result
    from goldproof.io.traces.span_envelopes import RawSpan

_LABELS = ("conversation", "question", "cluster")
_LONGEST_QUERY = 1000


@dataclass(frozen=True, slots=True)
class Span:
    """One span.

    labels: conversation, question, cluster and text, where it says them; those of its resource begin with `resource.`.
    results: what a search or tool returned; None where it does not say, or says what is no list of documents.
    error: why it failed; None where it returned documents all the same.
    bad: something was wrong with it and has been reported.
    """

    trace: str
    id: str
    parent: str | None
    kind: Kind
    start: int | None
    end: int | None
    error: str | None = None
    labels: Mapping[str, str] = field(default_factory=dict)
    tool: str | None = None
    query: str | None = None
    results: tuple[Result, ...] | None = None
    bad: bool = field(default=False, compare=False)
    line: int = field(default=0, compare=False)


def plain_span(raw: RawSpan, *, line: int) -> Span:
    """Keep what every span has; raise BadRecordError where it has no id."""
    if raw.trace is None or raw.span is None:
        lacking = "trace id" if raw.trace is None else "span id"
        raise BadRecordError(f"the span {raw.name[:60]!r} has no {lacking}.")
    kind = kind_of(raw)
    return Span(
        trace=sys.intern(raw.trace),
        id=raw.span,
        parent=raw.parent,
        kind=kind,
        start=raw.start,
        end=raw.end,
        error=raw.error or _text(find_attribute(raw.attributes, "error")),
        labels=_labels(raw, asked=raw.parent is None or kind is Kind.AGENT),
        line=line,
    )


def with_search(span: Span, raw: RawSpan) -> Span:
    """Add what a search or tool asked and returned; raise BadRecordError where that cannot be read."""
    if span.kind not in (Kind.SEARCH, Kind.TOOL):
        return span
    attributes = raw.attributes
    results = _results(attributes, span.kind)
    query = words_of(find_attribute(attributes, "query"))
    if query is not None and span.kind is Kind.TOOL and not results:
        query = query[:_LONGEST_QUERY]  # most likely no search at all, but a tool that was handed a whole file
    tool = _text(find_attribute(attributes, "tool")) or raw.name or None
    return replace(span, tool=tool, query=query, results=results, error=None if results else span.error)


def _results(attributes: Attributes, kind: Kind) -> tuple[Result, ...] | None:
    documents = find_documents(attributes)
    if documents is not None and kind is Kind.SEARCH:
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
    if asked and (words := words_of(find_attribute(raw.attributes, "input"))):
        labels["text"] = words
    return labels


def _text(value: object) -> str | None:
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return value or None if isinstance(value, str) else None
