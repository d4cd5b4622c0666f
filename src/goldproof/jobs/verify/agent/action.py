"""The agent's next action, as one flat form: the easiest for models to fill.

A word that is no action is answered with an error in the transcript, so the form allows any. Fields that an action does
not need may be left out or be null. `expect` is JSON in a text: not every model can be asked for an object of any form.
"""

from __future__ import annotations

import json
from typing import Any

from pydantic import BaseModel, Field, model_validator

ACTIONS = (
    "search_ranked_targets",
    "inspect_fqn",
    "read_file",
    "write_file",
    "run",
    "prove",
    "finish",
    "give_up",
)


class Action(BaseModel):
    """What the agent does next."""

    thought: str = Field(default="", description="one or two sentences: why this step")
    action: str = Field(description=", ".join(ACTIONS))
    argument: str = Field(
        default="", description="words to search, a name to inspect, a path to read, the name of a file, or a reason"
    )
    offset: int = Field(default=0, description="read_file: the character to begin at")
    script: str = Field(default="", description="the text of a script (run, prove) or of a file (write_file)")
    option: str = Field(default="", description="prove: the letter of the option")
    expect: str = Field(
        default="", description='prove: the claim as JSON, such as {"check": "returns", "literal": "3"}'
    )
    subject: str = Field(default="", description="prove: the literal of SUBJECT, if the script does not define it")
    believe: str = Field(default="", description="prove: right or wrong, what you take the option to be")
    control: str = Field(
        default="", description="prove: a literal for SUBJECT with which the claim comes out otherwise"
    )
    selected_answer: str = Field(default="", description="finish: the letter that you take to be right")
    proof_summary: str = Field(default="", description="finish: what the proofs showed")
    critique: str = Field(default="", description="finish: what is wrong with the question, if anything")

    @model_validator(mode="before")
    @classmethod
    def _lenient(cls, given: Any) -> Any:  # noqa: ANN401 - bytes enter here
        if not isinstance(given, dict):
            return given
        kept = {name: value for name, value in given.items() if value is not None}
        return {name: _text(value) if name in _TEXTS else value for name, value in kept.items()}

    @property
    def name(self) -> str:
        """The action, in small letters."""
        return self.action.strip().lower()

    @property
    def content(self) -> tuple[object, ...]:
        """All that makes it this action: two with equal content do the same."""
        return (self.name, *(value for field, value in self if field not in ("thought", "action")))


_TEXTS = frozenset({"expect", "subject", "control"})


def _text(value: object) -> object:
    """Return an object or a number that was given instead of its text, as text."""
    if isinstance(value, str):
        return value
    return json.dumps(value) if isinstance(value, dict) else repr(value)
