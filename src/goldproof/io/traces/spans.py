"""Search traces from spans: OpenInference and OpenTelemetry GenAI, exported as JSON lines.

How spans become conversations, turns, iterations and searches is said in docs/spans.md, and by the modules that do it:
`span_envelopes` (shapes of export), `span_attributes` (names), `span_kinds`, `span_searches`, `span_turns` and
`span_documents`. Conversations come in the order of their first start, whatever the order of the lines.

Unlike the other readers this one has to see the whole file before it can say where a conversation ends, so memory grows
with the file: with the documents that were found, not with the prompts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldproof.io.columns import shown_names
from goldproof.io.traces.batch import TraceBatch
from goldproof.io.traces.json_lines import RESULTS_PER_BATCH
from goldproof.io.traces.span_gathering import gather_spans
from goldproof.io.traces.span_searches import searches_by_trace
from goldproof.io.traces.span_turns import NoStartError, read_turn, turns_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from goldproof.core.errors import FileFormatError
    from goldproof.core.traces import TraceTable
    from goldproof.io.complaints import Complaints
    from goldproof.io.traces.conversation import Conversation
    from goldproof.io.traces.span_gathering import Gathered
    from goldproof.io.traces.span_record import Span
    from goldproof.io.traces.span_turns import Turn

_EXPECTED = (
    "Expected spans with openinference.span.kind RETRIEVER, or with gen_ai.operation.name retrieval or search_memory, "
    "or tool calls that record a list of documents as their result: instrument the search, and let it record content."
)


def read_span_traces(
    path: Path, complaints: Complaints, *, results_per_batch: int = RESULTS_PER_BATCH
) -> Iterator[TraceTable]:
    """Read conversations from spans, and yield tables of about that many results."""
    gathered = gather_spans(path, complaints)
    if not gathered.kinds and complaints.total:
        raise _nothing_left(complaints)
    searches = searches_by_trace(gathered.traces)
    if not any(searches.values()):
        raise _no_search(gathered, complaints)
    batch, any_table = TraceBatch(), False
    for conversation in _conversations(gathered, searches, complaints=complaints):
        batch.add(conversation)
        if batch.size >= results_per_batch:
            yield batch.table()
            batch, any_table = TraceBatch(), True
    if len(batch):
        yield batch.table()
    elif not any_table:
        raise _nothing_left(complaints)


def _conversations(
    gathered: Gathered, searches: Mapping[str, list[Span]], *, complaints: Complaints
) -> Iterator[Conversation]:
    conversations = turns_of(gathered.traces)
    for name in sorted(conversations, key=lambda name: (conversations[name][0].start or 0, name)):
        last = _last_turn(conversations[name], complaints)
        if last is None or last.bad:
            continue
        try:
            yield read_turn(last, searches=searches[last.trace])
        except NoStartError as error:
            complaints.add(str(error), line=error.span.line, what="span")


def _last_turn(turns: list[Turn], complaints: Complaints) -> Turn | None:
    """Return the last turn; None, which is reported, where one that may be the last does not say when it was."""
    if len(turns) > 1 and turns[0].start is None:
        if not turns[0].bad:
            line = min(span.line for span in turns[0].spans.values())
            problem = f"trace {turns[0].trace!r} has no start time, so its place in the conversation is not known."
            complaints.add(problem, line=line, what="span")
        return None
    return turns[-1]


def _no_search(gathered: Gathered, complaints: Complaints) -> FileFormatError:
    total = sum(gathered.kinds.values())
    kinds = shown_names([f"{kind} {count}" for kind, count in gathered.kinds.most_common()])
    found = f"{total} spans: {kinds}" if total else "no span"
    return complaints.fatal(f"no span is a search (found {found}).", hint=_EXPECTED)


def _nothing_left(complaints: Complaints) -> FileFormatError:
    problem = f"no conversation is left without its bad lines or spans ({complaints.total})"
    return complaints.nothing_left(problem, hint=None if complaints.findings else _EXPECTED)
