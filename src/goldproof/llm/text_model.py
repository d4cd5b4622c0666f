"""A model that answers a prompt with text: by name through pydantic-ai, or a function of the user's."""

from __future__ import annotations

from typing import Protocol


class TextModel(Protocol):
    """Something that answers prompts."""

    @property
    def key(self) -> str:
        """The model's name, with all that changes its answers."""

    def ask(self, prompt: str) -> str:
        """Return the answer; raises what the model raises."""
