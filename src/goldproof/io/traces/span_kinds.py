"""What a span is: a search, a tool call, a call of a language model, an agent, a step of one, or something else.

OpenInference says it by `openinference.span.kind`, OpenTelemetry by `gen_ai.operation.name`, OpenLLMetry by
`traceloop.span.kind`, Langfuse by `langfuse.observation.type`. A span that says several is the first of search, tool,
model, agent, chain that any of them names: a retriever that one library wraps as a tool is a retriever.

A RERANKER is something else: it puts the documents of an earlier search into another order, and to count them again
would make each a duplicate of itself. So are embeddings, guardrails, evaluators, prompts and writes to a memory.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from goldproof.io.traces.span_attributes import find_attribute

if TYPE_CHECKING:
    from collections.abc import Mapping

    from goldproof.io.traces.span_envelopes import RawSpan


class Kind(Enum):
    """What a span is, as far as search traces care."""

    SEARCH = "search"
    TOOL = "tool"
    MODEL = "model"
    AGENT = "agent"
    CHAIN = "chain"
    OTHER = "other"


KINDS: Mapping[Kind, frozenset[str]] = {
    Kind.SEARCH: frozenset({"RETRIEVER", "retrieval", "search_memory", "vector_db_retrieve", "retriever"}),
    Kind.TOOL: frozenset({"TOOL", "execute_tool", "tool"}),
    Kind.MODEL: frozenset({"LLM", "chat", "text_completion", "generate_content", "generation"}),
    Kind.AGENT: frozenset({"AGENT", "invoke_agent", "invoke_workflow", "agent", "workflow"}),
    Kind.CHAIN: frozenset({"CHAIN", "chain"}),
}
NO_KIND = "no kind"


def kind_of(span: RawSpan) -> Kind:
    """Return what a span is."""
    said = {_openinference(span), _said(span, "operation").lower(), _said(span, "entity").lower()}
    return next((kind for kind, names in KINDS.items() if said & names), Kind.OTHER)


def shown_kind(span: RawSpan) -> str:
    """Return what a span says it is, for a message."""
    return _openinference(span) or _said(span, "operation") or _said(span, "entity") or NO_KIND


def _openinference(span: RawSpan) -> str:
    # Phoenix has the kind in a column of its own; there OpenTelemetry's CLIENT or INTERNAL would match nothing.
    return (_said(span, "kind") or span.kind).upper()


def _said(span: RawSpan, role: str) -> str:
    value = find_attribute(span.attributes, role)
    return value.strip() if isinstance(value, str) else ""
