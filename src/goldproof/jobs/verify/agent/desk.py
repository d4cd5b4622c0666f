"""Execute an agent's actions; each returns its result, or the reason it was refused, as text.

Nothing that a script does here decides by itself: a crash, a timeout or a refused proof is told back, and only a proof
that was tried, with its control, stands.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from goldproof.errors import InputError, shown
from goldproof.jobs.verify.agent.action import ACTIONS
from goldproof.jobs.verify.agent.delivering import make_proof, with_own_control
from goldproof.jobs.verify.agent.run_text import run_text, steady
from goldproof.jobs.verify.agent.scratch import Scratch
from goldproof.jobs.verify.trying import try_proof

if TYPE_CHECKING:
    from collections.abc import Callable

    from goldproof.jobs.verify.agent.action import Action
    from goldproof.jobs.verify.agent.delivering import Rules
    from goldproof.jobs.verify.agent.limits import AgentLimits
    from goldproof.jobs.verify.agent.research import Research
    from goldproof.jobs.verify.proof import Proof, Tried
    from goldproof.sandbox import Run

DECIDED = ("confirmed", "refuted")
_RUNS_OF_PROOF = 3  # the script, once more, the control


@dataclass(slots=True)
class Desk:
    """Serves one agent. tries: per option all proofs that were tried, in order; runs: how many scripts were run."""

    rules: Rules
    research: Callable[[], Research]
    run: Callable[..., Run]
    limits: AgentLimits
    runs: int = 0
    tries: dict[str, list[Tried]] = field(default_factory=dict)
    scratch: Scratch = field(init=False)

    def __post_init__(self) -> None:
        self.scratch = Scratch(self.limits)

    def result(self, action: Action) -> str:
        """Execute an action of the agent and return its result."""
        served: dict[str, Callable[[Action], str]] = {
            "search_ranked_targets": lambda one: self.research().search(_argument(one)),
            "inspect_fqn": lambda one: self.research().inspect(_argument(one)),
            "read_file": lambda one: self.research().read(_argument(one), offset=one.offset),
            "write_file": self._write,
            "run": self._try_out,
            "prove": self._prove,
        }
        if action.name not in served:
            return f"Error: there is no action {shown(action.name)}; the actions are {', '.join(ACTIONS)}."
        try:
            return served[action.name](action)
        except InputError as error:
            return f"Error: {error}"

    def standings(self) -> dict[str, str]:
        """Return the status of the proofs, in words."""
        return {letter: _standing(counting(self.tries[letter])) for letter in sorted(self.tries)}

    def undecided(self) -> list[str]:
        """Return the open options that no proof has decided."""
        decided = [one for one, tries in self.tries.items() if counting(tries).standing in DECIDED]
        return [letter for letter in self.rules.exam.open if letter not in decided]

    def runs_left(self) -> int:
        """Return how many scripts may still be run."""
        return max(self.limits.runs - self.runs, 0)

    def _write(self, action: Action) -> str:
        self.scratch.write(_argument(action), action.script)
        return f"{_argument(action)} is written ({len(action.script)} characters)."

    def _script(self, action: Action) -> str:
        script = action.script if action.script.strip() else self.scratch.text(_argument(action))
        if len(script) > self.limits.script_chars:
            raise InputError(
                f"the script has {len(script)} characters; at most {self.limits.script_chars} are allowed."
            )
        return script

    def _try_out(self, action: Action) -> str:
        script = self._script(action)
        if not self.runs_left():
            raise InputError("no runs are left; finish, or give up.")
        self.runs += 1
        return run_text(self.run(script, name="proof.py", files=self.scratch.beside(script)))

    def _prove(self, action: Action) -> str:
        script = self._script(action)
        proof = make_proof(action, script, files=self.scratch.beside(f"{script}\n{action.control}"), rules=self.rules)
        if len(self.tries.get(proof.option, ())) >= self.limits.proofs:
            raise InputError(f"{self.limits.proofs} proofs of option {proof.option} were tried, which is all.")
        if self.runs_left() < _RUNS_OF_PROOF:
            raise InputError("too few runs are left for a proof with its control; finish, or give up.")
        tried = self._tried(proof)
        self.tries.setdefault(proof.option, []).append(tried)
        return f"{_told(tried)}{_surprise(tried, action.believe)}"

    def _tried(self, proof: Proof) -> Tried:
        tried = try_proof(proof, self._counted())
        own = with_own_control(proof)
        met = tried.compared.holds is True and tried.standing == "no verdict" and tried.control_run is not None
        if not met or own is None or self.runs_left() < _RUNS_OF_PROOF:
            return tried
        return try_proof(own, self._counted())

    def _counted(self) -> Callable[..., Run]:
        """Return `run`, counted; it keeps its signature, by which others see whether it takes `again`."""

        @functools.wraps(self.run)
        def counted(*given: object, **named: object) -> Run:
            self.runs += 1
            return self.run(*given, **named)

        return counted


def counting(tries: list[Tried]) -> Tried:
    """Return the proof of an option that counts: the last one that decided, else the last one."""
    return next((one for one in reversed(tries) if one.standing in DECIDED), tries[-1])


def _argument(action: Action) -> str:
    if not action.argument.strip():
        raise InputError(f"{action.name} needs `argument`{' or `script`' if action.name in ('run', 'prove') else ''}.")
    return action.argument.strip()


def _standing(tried: Tried) -> str:
    why = tried.reason if tried.standing == "no verdict" else f"observed: {tried.compared.seen}"
    return steady(f"{tried.standing} ({why})")


def _surprise(tried: Tried, believed: str) -> str:
    """Return a word on a proof that came out otherwise than its author believes: the claim may be turned round."""
    believed = believed.strip().lower()
    expected = {"right": "confirmed", "wrong": "refuted"}.get(believed, "")
    if not expected or tried.standing not in DECIDED or tried.standing == expected:
        return ""
    return (
        f"\nYou took the option to be {believed}, and your proof shows the contrary. If `expect` states the opposite "
        "of what the option says, deliver it the right way round; else it stands."
    )


def _told(tried: Tried) -> str:
    head = steady(
        f"option {tried.proof.option}: {tried.standing}. Observed: {tried.compared.seen}. Control: {tried.control}."
    )
    if tried.standing == "supported":
        return (
            f"{head}\nThat it is there does not yet show that it is what the question asks for: observe what it does."
        )
    if tried.standing != "no verdict":
        return head
    return f"{head}\nReason: {steady(tried.reason)}.\nYour script:\n{run_text(tried.run)}"
