"""The agent that proves what rules leave open: blind to the key, bounded, and never trusted."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from goldproof.jobs.verify.agent.limits import AgentLimits
    from goldproof.jobs.verify.agent.proving import prove
    from goldproof.jobs.verify.agent.research import Research, open_research
    from goldproof.jobs.verify.agent.result import AgentProofs
else:
    from goldproof.plugins import lazy_exports

    __getattr__, __dir__ = lazy_exports(
        __name__,
        {
            "limits": ("AgentLimits",),
            "proving": ("prove",),
            "research": ("Research", "open_research"),
            "result": ("AgentProofs",),
        },
    )

__all__ = ["AgentLimits", "AgentProofs", "Research", "open_research", "prove"]
