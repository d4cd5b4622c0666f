"""Models by name, with a cache, limits and a budget around every one."""

from goldproof.llm.access import Access, current_access, using_access
from goldproof.llm.ask import Ask, Estimate, Reply
from goldproof.llm.budget import Budget
from goldproof.llm.model import Model
from goldproof.llm.opening import open_model
from goldproof.llm.prices import Price, parse_price
from goldproof.llm.text_model import TextModel

__all__ = [
    "Access",
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
    "using_access",
]
