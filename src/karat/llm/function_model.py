"""A function of the user's as a model: prompt in, text out.

Its key is its own `key`, if it has one, else its name and the content of its file: see `karat.core.own_code`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from karat.core.own_code import lasting_key, name_of
from karat.core.wording import kind_of

if TYPE_CHECKING:
    from collections.abc import Callable


class FunctionTextModel:
    """A function that answers a prompt; given: the name by which it was found, where it has one."""

    def __init__(self, function: Callable[[str], str], given: object = None) -> None:
        given = function if given is None else given
        self._function = function
        self._name = name_of(given)
        key = lasting_key(given, function)
        self.is_lasting = key is not None  # whether the key will mean the same tomorrow
        self.key = key or f"{self._name} (not in a file)"

    def ask(self, prompt: str) -> str:
        """Return what the function returns, which must be text."""
        answer = self._function(prompt)
        if not isinstance(answer, str):
            raise TypeError(f"{self._name} returned {kind_of(answer)}; expected text.")
        return answer


def is_text_model(model: object) -> bool:
    """Return whether an object can be asked as it is."""
    return callable(getattr(model, "ask", None)) and isinstance(getattr(model, "key", None), str)
