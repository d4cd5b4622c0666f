"""What an agent is asked at each step, and what it may do.

It sees the question with its options, never the right one, and what came of its earlier actions. An action that is none
is answered with an error in the transcript, so the form itself allows any word for it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import BaseModel, Field

from goldproof.jobs.mine.discovery.transcript import written
from goldproof.judge.prompts import letter_of
from goldproof.llm.model import Ask

if TYPE_CHECKING:
    from collections.abc import Sequence

    from goldproof.jobs.mine.discovery.transcript import Turn
    from goldproof.records.entities import Question

PURPOSE = "discover-1"
ACTIONS = ("search", "inspect", "answer")
INSTRUCTIONS = """You answer a question from a collection of documents that you can only reach with two tools.
One action at a time:
- search: `argument` holds words; you get names of documents with a line about each.
- inspect: `argument` holds one name; you get the text of that document.
- answer: `answer` holds your answer to the question, with code where the question asks for it; `cited` lists the names
  of the documents that the answer rests on, all of them and no others. Only documents that you inspected count.
Rely on what the documents say, not on what you remember. Answer as soon as what you read suffices. No code is run."""


class Action(BaseModel):
    """What the agent does next."""

    action: str = Field(description="search, inspect or answer")
    argument: str = Field(default="", description="words to search for, or the name to inspect")
    answer: str = Field(default="", description="the answer to the question, for the action answer")
    cited: list[str] = Field(default_factory=list, description="names of the documents that the answer rests on")


def next_ask(question: Question, *, turns: Sequence[Turn], steps: int) -> Ask:
    """Return what the agent is asked after some turns. steps: how many it has in all."""
    step = len(turns) + 1
    parts = [f"Question:\n{question.text}"]
    if question.options:
        parts.append("Options:\n" + "\n".join(f"{letter_of(i)}. {option}" for i, option in enumerate(question.options)))
    if turns:
        parts.append(f"What you did so far:\n\n{written(turns)}")
    last = " This is the last step: answer now." if step == steps else ""
    parts.append(f"Step {step} of {steps}.{last} What do you do?")
    return Ask("\n\n".join(parts), instructions=INSTRUCTIONS, output=Action, purpose=PURPOSE, expected_tokens=300)
