"""Models by name."""

from karat.llm.opening import open_model
from karat.llm.text_model import TextModel

__all__ = ["TextModel", "open_model"]
