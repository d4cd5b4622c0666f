"""Spans to conversations, turns and iterations.

docs/reference/spans.md has the rules. Shapes of export and kinds of spans are read in `span_export`, values and
attribute names in `span_values`, searches in `span_searches`, documents in `span_results`. Conversations come in
the order of their first start, whatever the order of the lines.

Unlike the other readers this one has to see the whole file before it can say where a conversation ends, so memory grows
with the file: with the documents that were found, not with the prompts.

A turn is one trace that has a search, a tool call, a call of a model, an agent or a chain in it. It belongs to the
conversation that its spans name (the root first, then the others as they started), else the one that their resource
names, else it is a conversation of its own, called by its trace id. Turns follow each other by their first start.

Each call of a model begins an iteration, to which the searches belong that start before the next call: a model that
asks for several searches at once gets them in one iteration. Calls within a search (that rewrite a query, or rank) are
part of the search. Searches before the first call, or without any, are one iteration as long as they overlap in time.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING

from goldproof.io.columns import shown_names
from goldproof.io.traces.conversation import Conversation
from goldproof.io.traces.json_lines import RESULTS_PER_BATCH, TraceBatch
from goldproof.io.traces.span_export import SpanKind
from goldproof.io.traces.span_searches import gather_spans, outer_spans, searches_by_trace

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from goldproof.errors import FileFormatError
    from goldproof.io.diagnostics import Diagnostics
    from goldproof.io.traces.span_searches import SearchSpans, Span
    from goldproof.records.traces import TraceTable


_EXPECTED = (
    "Expected spans with openinference.span.kind RETRIEVER, or with gen_ai.operation.name retrieval or search_memory, "
    "or tool calls that record a list of documents as their result: instrument the search, and let it record content."
)
_NEVER = 2**63


@dataclass(frozen=True, slots=True)
class SpanTurn:
    """One trace as a turn. start: of its first span, None where no span has one."""

    trace: str
    spans: Mapping[str, Span]
    start: int | None
    conversation: str

    @property
    def bad(self) -> bool:
        """Whether a problem in it has been reported."""
        return any(span.bad for span in self.spans.values())


class NoStartError(ValueError):
    """A search or a call of a model has no start time."""

    def __init__(self, span: Span) -> None:
        self.span = span
        kind = "the call of a model" if span.kind is SpanKind.MODEL else "the search"
        super().__init__(f"{kind} (span {span.id!r}) has no start time, so its iteration is not known.")


def read_span_traces(
    path: Path, diagnostics: Diagnostics, *, results_per_batch: int = RESULTS_PER_BATCH
) -> Iterator[TraceTable]:
    """Read conversations from spans, and yield tables of about that many results."""
    gathered = gather_spans(path, diagnostics)
    if not gathered.kinds and diagnostics.total:
        raise _nothing_left(diagnostics)
    searches = searches_by_trace(gathered.traces)
    if not any(searches.values()):
        raise _no_search(gathered, diagnostics)
    batch, any_table = TraceBatch(), False
    for conversation in _conversations(gathered, searches, diagnostics=diagnostics):
        batch.add(conversation)
        if batch.size >= results_per_batch:
            yield batch.table()
            batch, any_table = TraceBatch(), True
    if len(batch):
        yield batch.table()
    elif not any_table:
        raise _nothing_left(diagnostics)


def _conversations(
    gathered: SearchSpans, searches: Mapping[str, list[Span]], *, diagnostics: Diagnostics
) -> Iterator[Conversation]:
    conversations = turns_of(gathered.traces)
    for name in sorted(conversations, key=lambda name: (conversations[name][0].start or 0, name)):
        last = _last_turn(conversations[name], diagnostics)
        if last is None or last.bad:
            continue
        try:
            yield read_turn(last, searches=searches[last.trace])
        except NoStartError as error:
            diagnostics.report(str(error), line=error.span.line, unit="span")


def _last_turn(turns: list[SpanTurn], diagnostics: Diagnostics) -> SpanTurn | None:
    """Return the last turn; None, which is reported, where one that may be the last has no start time."""
    if len(turns) > 1 and turns[0].start is None:
        if not turns[0].bad:
            line = min(span.line for span in turns[0].spans.values())
            problem = f"trace {turns[0].trace!r} has no start time, so its place in the conversation is not known."
            diagnostics.report(problem, line=line, unit="span")
        return None
    return turns[-1]


def _no_search(gathered: SearchSpans, diagnostics: Diagnostics) -> FileFormatError:
    total = sum(gathered.kinds.values())
    kinds = shown_names([f"{kind} {count}" for kind, count in gathered.kinds.most_common()])
    seen = f"{total} spans: {kinds}" if total else "no span"
    return diagnostics.error(f"no span is a search (found {seen}).", hint=_EXPECTED)


def _nothing_left(diagnostics: Diagnostics) -> FileFormatError:
    problem = f"no conversation is left without its bad lines or spans ({diagnostics.total})"
    return diagnostics.nothing_left(problem, hint=None if diagnostics.findings else _EXPECTED)


def turns_of(traces: Mapping[str, Mapping[str, Span]]) -> dict[str, list[SpanTurn]]:
    """Return the turns of each conversation, in order; those whose time is not known come first."""
    conversations: dict[str, list[SpanTurn]] = {}
    for trace, spans in traces.items():
        if any(span.kind is not SpanKind.OTHER for span in spans.values()):
            turn = _turn(trace, spans)
            conversations.setdefault(turn.conversation, []).append(turn)
    for turns in conversations.values():
        turns.sort(key=lambda turn: (turn.start or 0, turn.trace))
    return conversations


def _turn(trace: str, spans: Mapping[str, Span]) -> SpanTurn:
    start = min((span.start for span in spans.values() if span.start is not None), default=None)
    return SpanTurn(trace, spans, start, _label(spans, "conversation") or trace)


def read_turn(turn: SpanTurn, *, searches: list[Span]) -> Conversation:
    """Return the last turn of a conversation; raise NoStartError where a span that needs its time has none.

    searches: those of the turn, in any order.
    """
    conversation = Conversation(turn.conversation)
    conversation.question, conversation.cluster, conversation.text = (
        _label(turn.spans, role) for role in ("question", "cluster", "text")
    )
    iterations = _iterations(turn.spans, searches)
    for together in iterations:
        conversation.iterations.append(len(together))
        for search in together:
            _add_search(conversation, search)
    conversation.numbers = list(range(1, len(iterations) + 1))
    if not iterations:
        conversation.failure = next(
            (span.error for span in _ordered(turn.spans) if span.parent is None and span.error), None
        )
    return conversation


def _add_search(conversation: Conversation, search: Span) -> None:
    if search.error is not None:
        conversation.failed_searches.append(len(conversation.queries))
    results = search.results or ()
    conversation.queries.append(search.query)
    conversation.counts.append(len(results))
    conversation.results += [result._asdict() for result in results]


def _iterations(spans: Mapping[str, Span], searches: list[Span]) -> list[list[Span]]:
    """Return the searches of a turn, iteration by iteration."""
    searches = sorted(searches, key=lambda span: (_start(span), _end(span), span.id))
    within = {span.id for span in searches}
    models = sorted(
        _start(span)
        for span in spans.values()
        if searches and span.kind is SpanKind.MODEL and not any(o.id in within for o in outer_spans(span, spans))
    )
    iterations: dict[tuple[int, int], list[Span]] = {}
    group, until = 0, 0
    for span in searches:
        call = bisect_right(models, _start(span))
        if call == 0 and iterations and _start(span) >= until:
            group += 1
        # Two that start together overlap, even if neither says when it ended.
        until = max(until, _end(span), _start(span) + 1)
        iterations.setdefault((call, group), []).append(span)
    return list(iterations.values())


def _label(spans: Mapping[str, Span], role: str) -> str | None:
    ordered = _ordered(spans)
    for name in (role, f"resource.{role}"):
        label = next((span.labels[name] for span in ordered if name in span.labels), None)
        if label is not None:
            return label
    return None


def _ordered(spans: Mapping[str, Span]) -> Iterable[Span]:
    """Return the spans with the root first, then as they started."""
    return sorted(
        spans.values(),
        key=lambda span: (span.parent is not None, _NEVER if span.start is None else span.start, span.id),
    )


def _start(span: Span) -> int:
    if span.start is None:
        raise NoStartError(span)
    return span.start


def _end(span: Span) -> int:
    return _start(span) if span.end is None else span.end
