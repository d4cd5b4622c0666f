"""The agent that proves what rules leave open: blind, bounded, and never believed."""

from karat.jobs.verify.agent.limits import AgentLimits
from karat.jobs.verify.agent.proving import prove
from karat.jobs.verify.agent.research import Research, open_research
from karat.jobs.verify.agent.result import AgentProofs

__all__ = ["AgentLimits", "AgentProofs", "Research", "open_research", "prove"]
