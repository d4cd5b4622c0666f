"""Gathering the spans of a file: those of a conversation may stand anywhere in it, in any order.

Exporters repeat themselves when a connection fails, so a span that is there twice and says the same is taken once. One
that says something else the second time is reported: nobody can know which was meant.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from goldproof.io.jsonl import BadRecordError, read_objects
from goldproof.io.traces.span_envelopes import read_span, spans_of_line
from goldproof.io.traces.span_kinds import shown_kind
from goldproof.io.traces.span_record import plain_span, with_search

if TYPE_CHECKING:
    from pathlib import Path

    from goldproof.io.complaints import Complaints
    from goldproof.io.jsonl import JsonLine
    from goldproof.io.traces.span_envelopes import Found, RawSpan
    from goldproof.io.traces.span_record import Span
    from goldproof.io.traces.span_searches import Spans


class Gathered:
    """The spans of a file by trace and span id, and how many of each kind there were."""

    def __init__(self, complaints: Complaints) -> None:
        self.traces: dict[str, Spans] = {}
        self.kinds: Counter[str] = Counter()
        self._complaints = complaints

    def add_line(self, line: JsonLine) -> None:
        """Add the spans of a line; what is bad is reported."""
        try:
            for found in spans_of_line(line.record):
                self._add(found, line=line.number)
        except BadRecordError as error:
            self._complaints.add(str(error), line=line.number)

    def _add(self, found: Found, *, line: int) -> None:
        try:
            raw = read_span(found)
            plain = plain_span(raw, line=line)
        except BadRecordError as error:
            self._complaints.add(str(error), line=line, what="span")
            return
        self.kinds[shown_kind(raw)] += 1
        self._keep(self._with_search(plain, raw))

    def _with_search(self, span: Span, raw: RawSpan) -> Span:
        """Add what a search found; where that is wrong, keep the rest and mark it, so that its turn is left out."""
        try:
            if raw.problem is not None:
                raise BadRecordError(raw.problem)
            return with_search(span, raw)
        except BadRecordError as error:
            self._complaints.add(f"span {span.id!r}: {error}", line=span.line, what="span")
            return replace(span, bad=True)

    def _keep(self, span: Span) -> None:
        spans = self.traces.setdefault(span.trace, {})
        before = spans.setdefault(span.id, span)
        if before == span:
            if span.bad:
                spans[span.id] = span  # what was wrong with one of them does not show in the rest
            return
        problem = f"span {span.id!r} is there twice and differs (first at line {before.line})."
        self._complaints.add(problem, line=span.line, what="span")
        # Which of the two is kept decides the order of turns only, and must not depend on the order of lines.
        spans[span.id] = replace(max(before, span, key=_order), bad=True)


def gather_spans(path: Path, complaints: Complaints) -> Gathered:
    """Read all spans of a file."""
    gathered = Gathered(complaints)
    for line in read_objects(path, complaints):
        gathered.add_line(line)
    return gathered


def _order(span: Span) -> tuple[int, str]:
    return span.start or 0, repr((span.parent, span.kind.value, sorted(span.labels.items())))
