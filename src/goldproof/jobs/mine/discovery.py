"""An agent answers a question with search and inspect; the documents it used are a candidate kernel.

The agent sees the question with its options, never which one is right, and the results of its earlier actions
(`goldproof.llm.agent`). No code is run. An unknown action is answered with an error in the transcript, so the form
itself allows any word for it.

A document is a candidate if the agent inspected it and then either cited it or used it: code of the answer holds its
name (`used_names`). A document that was cited and never inspected is no candidate, even if right: it is counted as
`unread`. The candidates together are the candidate kernel; it proves nothing until a judge rules on it
(`check_kernel`).
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from pydantic import BaseModel, Field

from goldproof.errors import SearchFailedError, UnknownNameError, shown
from goldproof.jobs.mine.python_names import used_names
from goldproof.judge.prompts import letter_of
from goldproof.llm import AgentTurn, Ask, run_agent, transcript
from goldproof.llm.agent import cut

if TYPE_CHECKING:
    from collections.abc import Sequence

    from goldproof.jobs.mine.discovery_tools import Inspected, SearchResult, Tools
    from goldproof.llm import AgentEnd, AgentRun, Model
    from goldproof.records.entities import Question

PURPOSE = "discover-1"
ACTIONS = ("search", "inspect", "answer")
LONGEST = 24_000
INSTRUCTIONS = """You answer a question from a collection of documents that you can only reach with two tools.
One action at a time:
- search: `argument` holds words; you get names of documents with a line about each.
- inspect: `argument` holds one name; you get the text of that document.
- answer: `answer` holds your answer to the question, with code where the question asks for it; `cited` lists the names
  of the documents that the answer rests on, all of them and no others. Only documents that you inspected count.
Rely on what the documents say, not on what you remember. Answer as soon as what you read suffices. No code is run."""


@dataclass(frozen=True, slots=True)
class Discovery:
    """The outcome of an agent's search: its answer and the documents it used.

    candidates: documents that it inspected and then cited or used, in the order of inspecting. kernel: the same as a
    set, sorted; empty without an answer. inspected: all documents it looked at. cited, used: those of them that the
    answer cites, and those whose names stand in its code. unread: names that it cited and never looked at. steps: how
    many it took. reason: why there is no answer, or no candidate; else empty.
    """

    ended: AgentEnd
    candidates: tuple[str, ...] = ()
    kernel: tuple[str, ...] = ()
    inspected: tuple[str, ...] = ()
    cited: tuple[str, ...] = ()
    used: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()
    answer: str = ""
    steps: int = 0
    reason: str = ""


class Action(BaseModel):
    """What the agent does next."""

    action: str = Field(description="search, inspect or answer")
    argument: str = Field(default="", description="words to search for, or the name to inspect")
    answer: str = Field(default="", description="the answer to the question, for the action answer")
    cited: list[str] = Field(default_factory=list, description="names of the documents that the answer rests on")


async def discover(question: Question, *, model: Model, tools: Tools, steps: int = 12) -> Discovery:
    """Have an agent answer a question. Raises ModelDownError and BudgetSpentError, which end the whole run."""
    session = _Session(tools)
    ask = partial(next_ask, question, steps=steps)
    run = await run_agent(model, form=Action, next_ask=ask, act=session.act, steps=steps)
    return await asyncio.to_thread(session.discovery, run)


@dataclass(slots=True)
class _Session:
    """What one agent looked at. inspected: documents by id. ids: document ids by the name that was asked for."""

    tools: Tools
    inspected: dict[str, Inspected] = field(default_factory=dict)
    ids: dict[str, str] = field(default_factory=dict)

    def act(self, action: Action) -> AgentTurn | None:
        """Carry out an action; one that fails results in an error text, and an answer ends the run."""
        name, argument = action.action.strip().lower(), action.argument.strip()
        if name == "answer" and action.answer.strip():
            return None
        return AgentTurn(f"{name or '(nothing)'} {cut(argument, longest=200)}", self._result(name, argument))

    def _result(self, name: str, argument: str) -> str:
        if name == "answer":
            return "Error: the answer is empty; write it into `answer`."
        if name not in ACTIONS:
            return f"Error: there is no action {shown(name)}; the actions are {', '.join(ACTIONS)}."
        if not argument:
            return f"Error: {name} needs an argument: {'words' if name == 'search' else 'a name'}."
        try:
            return _listed(self.tools.search(argument)) if name == "search" else self._inspect(argument)
        except (UnknownNameError, SearchFailedError) as error:
            return f"Error: {error}"

    def _inspect(self, name: str) -> str:
        inspected = self.tools.inspect(name)
        self.ids[name] = inspected.document
        self.inspected.setdefault(inspected.document, inspected)
        return f"{inspected.document}\n{inspected.text}"

    def discovery(self, run: AgentRun[Action]) -> Discovery:
        """Return the documents that the answer cites and uses; without an answer, why there is none."""
        if run.answer is None:
            return Discovery(run.ended, inspected=tuple(self.inspected), steps=len(run.turns), reason=run.reason)
        cited_ids = {name: self._document(name.strip()) for name in run.answer.cited if name.strip()}
        names = used_names(run.answer.answer)
        cited = tuple(document for document in self.inspected if document in cited_ids.values())
        used = tuple(
            document
            for document, inspected in self.inspected.items()
            if inspected.names and names.issuperset(inspected.names)
        )
        candidates = tuple(document for document in self.inspected if document in cited or document in used)
        return Discovery(
            run.ended,
            candidates=candidates,
            kernel=tuple(sorted(candidates)),
            inspected=tuple(self.inspected),
            cited=cited,
            used=used,
            unread=tuple(name for name, document in cited_ids.items() if document not in self.inspected),
            answer=run.answer.answer,
            steps=len(run.turns) + 1,
            reason="" if candidates else "the answer rests on nothing that was inspected",
        )

    def _document(self, name: str) -> str:
        """Return the id of the document of a name; the name itself where there is none."""
        if name in self.ids:
            return self.ids[name]
        try:
            return self.tools.inspect(name).document
        except UnknownNameError:
            return name


def _listed(results: Sequence[SearchResult]) -> str:
    return (
        "\n".join(f"{result.name}  {result.line}".rstrip() for result in results)
        or "Nothing was found; try other words."
    )


def next_ask(question: Question, turns: Sequence[AgentTurn], *, steps: int) -> Ask:
    """Return the next prompt for the agent. steps: how many it has in all."""
    step = len(turns) + 1
    parts = [f"Question:\n{question.text}"]
    if question.options:
        parts.append("Options:\n" + "\n".join(f"{letter_of(i)}. {option}" for i, option in enumerate(question.options)))
    if turns:
        parts.append(f"What you did so far:\n\n{transcript(turns, longest=LONGEST)}")
    last = " This is the last step: answer now." if step == steps else ""
    parts.append(f"Step {step} of {steps}.{last} What do you do?")
    return Ask("\n\n".join(parts), instructions=INSTRUCTIONS, output=Action, purpose=PURPOSE, expected_tokens=300)
