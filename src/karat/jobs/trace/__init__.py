"""Search traces: good-gain metrics with deduplication."""

from karat.jobs.trace.explain import explain_conversation
from karat.jobs.trace.result import TraceResult
from karat.jobs.trace.score_traces import score_traces

__all__ = ["TraceResult", "explain_conversation", "score_traces"]
