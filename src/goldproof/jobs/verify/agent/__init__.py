"""The agent that proves what rules leave open: blind, bounded, and never believed."""

from goldproof.jobs.verify.agent.limits import AgentLimits
from goldproof.jobs.verify.agent.proving import prove
from goldproof.jobs.verify.agent.research import Research, open_research
from goldproof.jobs.verify.agent.result import AgentProofs

__all__ = ["AgentLimits", "AgentProofs", "Research", "open_research", "prove"]
