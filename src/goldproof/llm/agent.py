"""Agent loop: ask the model for an action, act, show it the result, until an action ends the run.

Each step is one structured ask that repeats the transcript of the earlier ones, so every step goes through the model's
cache, limits and budget, and a run that was interrupted repeats its steps at no cost.

Mining (`jobs/mine/discovery.py`) and proving (`jobs/verify/agent/`, which still has a loop of its own) need the same:

- a form for actions and a prompt from the turns so far (`next_ask`), both their own, since prompts are cache keys;
- acting in a thread, since searches and sandboxes block; what cannot be done is told to the agent as a result;
- an end that only they know (`act` returns None): an answer, giving up, looping, or no time left, which proving looks
  at between steps and can look at after acting;
- a model that fails ends this run with a reason; one that is down, or a spent budget, ends the whole job;
- a transcript in which old texts give way to new ones. Proving shows a script with each action: it needs a third field
  of a turn, and has other words where a text is left out.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, Literal, TypeVar

from pydantic import BaseModel

from goldproof.errors import ModelDownError, ModelFailedError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from goldproof.llm.model import Ask, Model

ActionT = TypeVar("ActionT", bound=BaseModel)
AgentEnd = Literal["answered", "out of steps", "failed"]
LONGEST_RESULT = 6_000
CUT = "\n... (cut)"
LEFT_OUT = "(result left out; ask again if you need it)"


@dataclass(frozen=True, slots=True)
class AgentTurn:
    """One action, in a line, and its result."""

    action: str
    result: str


@dataclass(frozen=True, slots=True)
class AgentRun(Generic[ActionT]):
    """The end of a run. answer: the action that ended it; None where none did, with the reason."""

    ended: AgentEnd
    turns: tuple[AgentTurn, ...] = ()
    answer: ActionT | None = None
    reason: str = ""


async def run_agent(
    model: Model,
    *,
    form: type[ActionT],
    next_ask: Callable[[Sequence[AgentTurn]], Ask],
    act: Callable[[ActionT], AgentTurn | None],
    steps: int,
) -> AgentRun[ActionT]:
    """Run an agent for at most so many steps. Raises ModelDownError and BudgetSpentError, which end the whole job.

    form: of an action, as `next_ask` asks for it. act: carries out an action, in a thread; returns None where the
    action ends the run.
    """
    turns: list[AgentTurn] = []
    while len(turns) < steps:
        try:
            reply = await model.answer(next_ask(turns))
        except ModelDownError:
            raise
        except ModelFailedError as error:
            return AgentRun("failed", tuple(turns), reason=f"the model failed at step {len(turns) + 1}: {error}")
        if not isinstance(reply.value, form):
            return AgentRun("failed", tuple(turns), reason=f"the model gave no action at step {len(turns) + 1}")
        turn = await asyncio.to_thread(act, reply.value)
        if turn is None:
            return AgentRun("answered", tuple(turns), reply.value)
        turns.append(turn)
    return AgentRun("out of steps", tuple(turns), reason=f"no answer within {steps} steps")


def transcript(turns: Sequence[AgentTurn], *, longest: int) -> str:
    """Return the transcript, oldest turn first, in about `longest` characters: results of old turns are left out."""
    left, parts = longest, list[str]()
    for number in range(len(turns), 0, -1):
        turn = turns[number - 1]
        result = cut(turn.result)
        shown = result if len(result) <= left else LEFT_OUT
        left -= len(shown)
        parts.append(f"Step {number}: {turn.action}\n{shown}")
    return "\n\n".join(reversed(parts))


def cut(text: str, *, longest: int = LONGEST_RESULT) -> str:
    """Return a text, its end cut off where it is too long."""
    return text if len(text) <= longest else text[: longest - len(CUT)] + CUT
