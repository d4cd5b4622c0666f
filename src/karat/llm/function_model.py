"""A function of the user's as a model: prompt in, text out."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


class FunctionTextModel:
    """A function that answers a prompt."""

    def __init__(self, function: Callable[[str], str], name: str = "") -> None:
        self._function = function
        named = function if hasattr(function, "__qualname__") else type(function)
        self.key = name or f"{getattr(named, '__module__', 'builtins')}:{named.__qualname__}"

    def ask(self, prompt: str) -> str:
        """Return what the function returns, which must be text."""
        answer = self._function(prompt)
        if not isinstance(answer, str):
            raise TypeError(f"{self.key} returned a {type(answer).__name__}; expected text.")
        return answer


def is_text_model(model: object) -> bool:
    """Return whether an object can be asked as it is."""
    return callable(getattr(model, "ask", None)) and isinstance(getattr(model, "key", None), str)
