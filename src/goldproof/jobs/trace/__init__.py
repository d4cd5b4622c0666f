"""Search traces: good-gain metrics with deduplication."""

from goldproof.jobs.trace.estimate import LabellingPlan, plan_labels
from goldproof.jobs.trace.explain import explain_conversation
from goldproof.jobs.trace.result import TraceResult
from goldproof.jobs.trace.score_traces import score_traces

__all__ = ["LabellingPlan", "TraceResult", "explain_conversation", "plan_labels", "score_traces"]
