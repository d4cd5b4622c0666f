"""Models by name, with a cache, limits and a budget around every one."""

from karat.llm.access import Access, current_access, using_access
from karat.llm.ask import Ask, Estimate, Reply
from karat.llm.budget import Budget
from karat.llm.model import Model
from karat.llm.opening import open_model
from karat.llm.prices import Price, parse_price
from karat.llm.text_model import TextModel

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
