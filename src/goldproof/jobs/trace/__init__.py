"""Score search traces of agents: good-gain metrics with deduplication."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from goldproof.jobs.trace.explain import explain_conversation
    from goldproof.jobs.trace.job import score_traces
    from goldproof.jobs.trace.judge_labels import LabellingPlan, plan_labels
    from goldproof.jobs.trace.result import TraceResult
else:
    from goldproof.plugins import lazy_exports

    __getattr__, __dir__ = lazy_exports(
        __name__,
        {
            "explain": ("explain_conversation",),
            "job": ("score_traces",),
            "judge_labels": ("LabellingPlan", "plan_labels"),
            "result": ("TraceResult",),
        },
    )

__all__ = ["LabellingPlan", "TraceResult", "explain_conversation", "plan_labels", "score_traces"]
