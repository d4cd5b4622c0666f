"""Search traces: good-gain metrics with deduplication."""

from goldproof.jobs.trace.explain import explain_conversation
from goldproof.jobs.trace.job import score_traces
from goldproof.jobs.trace.judge_labels import LabellingPlan, plan_labels
from goldproof.jobs.trace.result import TraceResult

__all__ = ["LabellingPlan", "TraceResult", "explain_conversation", "plan_labels", "score_traces"]
