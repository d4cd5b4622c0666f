"""Models by name, each with a cache, limits and a budget around it."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from goldproof.llm.access import Access, current_access, using_access
    from goldproof.llm.agent import AgentEnd, AgentRun, AgentTurn, run_agent, transcript
    from goldproof.llm.budget import Budget
    from goldproof.llm.model import Ask, Estimate, Model, Reply, TextModel, open_model
    from goldproof.llm.prices import Price, parse_price
else:
    from goldproof.plugins import lazy_exports

    __getattr__, __dir__ = lazy_exports(
        __name__,
        {
            "access": ("Access", "current_access", "using_access"),
            "agent": ("AgentEnd", "AgentRun", "AgentTurn", "run_agent", "transcript"),
            "budget": ("Budget",),
            "model": ("Ask", "Estimate", "Model", "Reply", "TextModel", "open_model"),
            "prices": ("Price", "parse_price"),
        },
    )

__all__ = [
    "Access",
    "AgentEnd",
    "AgentRun",
    "AgentTurn",
    "Ask",
    "Budget",
    "Estimate",
    "Model",
    "Price",
    "Reply",
    "TextModel",
    "current_access",
    "open_model",
    "parse_price",
    "run_agent",
    "transcript",
    "using_access",
]
