"""Search traces: good-gain metrics with deduplication."""

from karat.jobs.trace.estimate import LabellingPlan, plan_labels
from karat.jobs.trace.explain import explain_conversation
from karat.jobs.trace.result import TraceResult
from karat.jobs.trace.score_traces import score_traces

__all__ = ["LabellingPlan", "TraceResult", "explain_conversation", "plan_labels", "score_traces"]
