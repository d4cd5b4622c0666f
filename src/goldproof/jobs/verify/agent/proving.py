"""The agent loop: prove the options that rules leave open.

A loop of structured asks, each with the transcript of the earlier ones: every step goes through the model's cache,
limits and budget, and an audit that was interrupted goes over its steps again at no cost. The agent is blind (`exam`);
what it says decides nothing; proofs are tried by Goldproof, each with a control that Goldproof makes.
"""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field
from functools import lru_cache, partial
from typing import TYPE_CHECKING

from goldproof.errors import ModelDownError, ModelFailedError, shortened, shown
from goldproof.jobs.verify.agent.action import Action
from goldproof.jobs.verify.agent.delivering import Rules
from goldproof.jobs.verify.agent.desk import DECIDED, Desk, counting
from goldproof.jobs.verify.agent.exam import exam_of
from goldproof.jobs.verify.agent.limits import AgentLimits
from goldproof.jobs.verify.agent.prompting import next_ask
from goldproof.jobs.verify.agent.research import Research, open_research
from goldproof.jobs.verify.agent.result import AgentProofs
from goldproof.jobs.verify.agent.subject import read_subject
from goldproof.jobs.verify.agent.transcript import Turn
from goldproof.jobs.verify.finding import Notes

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from goldproof.corpus.libraries import Library
    from goldproof.io.cases import Case
    from goldproof.jobs.verify.agent.exam import Exam
    from goldproof.llm import Ask, Model
    from goldproof.sandbox import Run

_SAME_IN_A_ROW = 3
_LONGEST_NOTE = 4_000
_LONGEST_THOUGHT = 400


async def prove(
    case: Case,
    *,
    open_letters: Sequence[str],
    refuted: Mapping[str, str],
    library: Library,
    run: Callable[..., Run],
    model: Model,
    limits: AgentLimits | None = None,
    research: Research | None = None,
    existence_decides: bool = False,
    clock: Callable[[], float] = time.monotonic,
) -> AgentProofs:
    """Have an agent prove the open options of a case.

    refuted: letter -> what was observed, of options that are refuted already. run: as `Sandbox.run`; called in threads.
    research: opened from the library where it is left out. existence_decides: the question asks for nothing but what
    exists. ModelDownError, BudgetSpentError: nobody can go on now.
    """
    exam = exam_of(case, open_letters=open_letters, refuted=refuted)
    if not exam.open:
        return AgentProofs(reason="no option is open")
    limits = limits or AgentLimits()
    rules = Rules(exam, library.import_names, limits.script_chars, existence_decides)
    looked_up = partial(_opened, library) if research is None else lambda: research
    session = _Session(exam, library, Desk(rules, looked_up, run, limits), model, clock() + limits.seconds, clock)
    return await session.until_the_end()


@dataclass(slots=True)
class _Session:
    """One agent at work on one case. ends: when its time is over."""

    exam: Exam
    library: Library
    desk: Desk
    model: Model
    ends: float
    clock: Callable[[], float]
    turns: list[Turn] = field(default_factory=list)
    last: list[Action] = field(default_factory=list)
    warned: bool = False

    async def until_the_end(self) -> AgentProofs:
        limits = self.desk.limits
        while len(self.turns) < limits.steps:
            if self.clock() >= self.ends:
                return self._ended(f"out of time after {limits.seconds:g} seconds")
            try:
                reply = await self.model.answer(self._ask())
            except ModelDownError:
                raise
            except ModelFailedError as error:
                return self._ended(f"the model failed at step {len(self.turns) + 1}: {error}")
            if not isinstance(reply.value, Action):
                return self._ended(f"the model gave no action at step {len(self.turns) + 1}")
            ended = await self._step(reply.value)
            if ended is not None:
                return ended
        return self._ended(f"out of steps after {limits.steps}")

    def _ask(self) -> Ask:
        left = (self.desk.limits.steps - len(self.turns), self.desk.runs_left())
        return next_ask(self.exam, self.library, turns=self.turns, standings=self.desk.standings(), left=left)

    async def _step(self, action: Action) -> AgentProofs | None:
        """Do one step; returns where it was the last one."""
        self.last = [*self.last, action][-_SAME_IN_A_ROW:]
        if action.name == "give_up":
            return self._ended(f"gave up: {action.argument or 'no reason given'}", action)
        if action.name == "finish" and not self._is_early():
            return self._ended("finished", action)
        if len(self.last) == _SAME_IN_A_ROW and len({one.content for one in self.last}) == 1:
            return self._ended(f"looped: {action.name} {_SAME_IN_A_ROW} times with the same content")
        self.turns.append(await asyncio.to_thread(self._turn, action))
        return None

    def _is_early(self) -> bool:
        """Whether to tell an agent, once, that it is about to leave options open."""
        early = bool(self.desk.undecided()) and not self.warned
        self.warned = self.warned or early
        return early

    def _turn(self, action: Action) -> Turn:
        if action.name == "finish":
            left = ", ".join(self.desk.undecided())
            return Turn("finish", "", f"No proof decides {left} yet. Prove them; or finish again, and they stay open.")
        said = [action.name or "(nothing)", shortened(" ".join(action.argument.split()), longest=200)]
        said += [f"offset={action.offset}"] if action.offset else []
        for name in ("option", "expect", "control"):
            value = str(getattr(action, name))
            said += [f"{name}={shortened(value, longest=400)}"] if value and action.name == "prove" else []
        thought = shortened(" ".join(action.thought.split()), longest=_LONGEST_THOUGHT)
        said += [f"({thought})"] if thought else []
        return Turn(" ".join(filter(None, said)), action.script, self.desk.result(action))

    def _ended(self, ended: str, action: Action | None = None) -> AgentProofs:
        tries = self.desk.tries
        notes = Notes(
            selected_answer=_note(action.selected_answer) or None if action else None,
            summary=_note(action.proof_summary) if action else "",
            critique=_note(action.critique) if action else "",
            ended=_note(ended),
            steps=len(self.turns) + (action is not None),
        )
        left = self.desk.undecided()
        return AgentProofs(
            tries=tuple(counting(tries[letter]) for letter in self.exam.open if letter in tries),
            notes=notes,
            reason=f"the agent decided nothing about {', '.join(left)}: {_note(ended)}" if left else "",
            remarks=(*self._replaced(), *self._elsewhere()),
        )

    def _replaced(self) -> list[str]:
        said = []
        for letter, tries in self.desk.tries.items():
            decided = list(dict.fromkeys(one.standing for one in tries if one.standing in DECIDED))
            if len(decided) > 1:
                last = counting(tries).standing
                said.append(f"option {letter}: an earlier proof came out the other way; the last one counts ({last})")
        return said

    def _elsewhere(self) -> list[str]:
        """Say which proofs test something that the question does not show: only a reader can say if it is meant."""
        said = []
        for letter, tries in self.desk.tries.items():
            tried = counting(tries)
            value = str(read_subject(tried.proof.script).value)
            if tried.standing in DECIDED and not self.exam.shows(value):
                said.append(f"option {letter}: what was tested, {shown(value)}, does not stand in the question")
        return said


@lru_cache(maxsize=8)
def _opened_once(python: str, library: _Same) -> Research:
    del python
    return open_research(library.library)


@dataclass(frozen=True, slots=True)
class _Same:
    """A library that is the same as another one if it has the same label."""

    label: str
    library: Library = field(compare=False)


def _opened(library: Library) -> Research:
    """Return the sources of a library, opened once: reading them takes seconds."""
    return _opened_once(str(library.interpreter.python), _Same(library.label, library))


def _note(text: str) -> str:
    return shortened(text.strip(), longest=_LONGEST_NOTE)
