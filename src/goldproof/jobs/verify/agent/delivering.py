"""Turn an agent's delivery into a proof whose control Goldproof makes.

The control of a claim that was met is the script with a name that nothing has in place of SUBJECT; where SUBJECT is no
name, with the agent's own `control`. The control of a claim that was not met is the script with `control`: the claim
must then be met. A `negated` claim would not do: it flips with a script that observes a constant as well.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from goldproof.errors import InputError, shortened
from goldproof.jobs.verify.agent.screening.forbidden import OBSERVERS
from goldproof.jobs.verify.agent.screening.relevance import unrelated
from goldproof.jobs.verify.agent.screening.screen import TOO_DEEP, screen, screen_file
from goldproof.jobs.verify.agent.strength import is_weak, shows_existence
from goldproof.jobs.verify.agent.subject import control_value, read_subject
from goldproof.jobs.verify.checks.expectation import check_expectation
from goldproof.jobs.verify.proof import Control, Proof
from goldproof.jobs.verify.rules.scripts import proof_script

if TYPE_CHECKING:
    from collections.abc import Mapping

    from goldproof.jobs.verify.agent.action import Action
    from goldproof.jobs.verify.agent.exam import Exam
    from goldproof.jobs.verify.agent.subject import Subject
    from goldproof.jobs.verify.proof import Expectation

_LONGEST = 160


@dataclass(frozen=True, slots=True)
class Rules:
    """Rules for deliveries. roots: import names of the library. longest: characters of a script.

    existence_decides: the question asks for nothing but what exists, so that a proof of that may confirm.
    """

    exam: Exam
    roots: tuple[str, ...]
    longest: int
    existence_decides: bool = False


def make_proof(action: Action, script: str, *, files: Mapping[str, str], rules: Rules) -> Proof:
    """Return the proof that an action delivers. InputError: it is refused; the message is what the agent is told."""
    letter = _letter(action, rules.exam)
    if len(script) > rules.longest:
        raise InputError(f"the script has {len(script)} characters; at most {rules.longest} are allowed.")
    expect = _expectation(action.expect)
    subject = read_subject(script, given=action.subject)
    other = control_value(action.control, subject) if action.control.strip() else None
    if subject.impossible is None and other is None:
        raise InputError(
            "SUBJECT is no name, so that you must give `control`: a literal that makes the claim come out otherwise."
        )
    _check(subject, other, expect=expect, files=files, rules=rules)
    _refuse(unrelated(rules.exam.options[letter], tree=subject.tree, claim=json.dumps(expect)))
    return _proof(letter, subject, other, expect=expect, rules=rules, files=files)


def with_own_control(proof: Proof) -> Proof | None:
    """Return a proof with the agent's control for both ways; None where that may not be, or would change nothing.

    What exists is always held against a name that nothing has: what is found under that is found under any.
    """
    same = proof.control.refuting in ("", proof.control.script)
    if same or is_weak(proof.expect):
        return None
    return replace(proof, control=Control(script=proof.control.refuting, refuting=proof.control.refuting))


def _letter(action: Action, exam: Exam) -> str:
    letter = action.option.strip().strip(".").upper()
    if letter not in exam.open:
        raise InputError(f"option {action.option.strip()!r} is not open; the open options are {', '.join(exam.open)}.")
    return letter


def _expectation(text: str) -> Expectation:
    try:
        expect = json.loads(text)
    except ValueError as error:
        raise InputError(f'expect is not JSON ({error}); write it like {{"check": "works"}}.') from error
    if not isinstance(expect, dict):
        raise InputError('expect must be an object, such as {"check": "works"}.')
    if wrong := check_expectation(expect):
        raise InputError(f"expect: {wrong}")
    return expect


def _check(subject: Subject, other: object, *, expect: Expectation, files: Mapping[str, str], rules: Rules) -> None:
    texts = tuple(one for one in (subject.value, other) if isinstance(one, str))
    _refuse(_screened(subject, texts, expect=expect, rules=rules))
    for name, text in files.items():
        if name.endswith(".py") and (said := screen_file(text, roots=rules.roots)):
            raise InputError(f"refused: {name}: {said}")


def _screened(subject: Subject, texts: tuple[str, ...], *, expect: Expectation, rules: Rules) -> str:
    try:
        return screen(subject.tree, exam=rules.exam, roots=rules.roots, subjects=texts, expect=expect)
    except RecursionError:
        return TOO_DEEP


def _refuse(said: str) -> None:
    if said:
        raise InputError(f"refused: {said}")


def _proof(
    letter: str, subject: Subject, other: object, *, expect: Expectation, rules: Rules, files: Mapping[str, str]
) -> Proof:
    says = f"Option {letter}: {shortened(' '.join(rules.exam.options[letter].split()), longest=_LONGEST)}"
    uses = tuple(sorted(name for name in OBSERVERS if f"{name}(" in subject.script)) or ("observe",)

    def whole(script: str) -> str:
        return proof_script(script, says=says, uses=uses)

    weak = shows_existence(expect, subject.tree, roots=rules.roots)
    own = "" if other is None else whole(subject.replaced(other))
    impossible = subject.impossible
    return Proof(
        option=letter,
        rule="agent",
        says=says,
        script=whole(subject.script),
        expect=expect,
        control=Control(script=own if impossible is None else whole(subject.replaced(impossible)), refuting=own),
        power="refutes" if weak and not rules.existence_decides else "decides",
        files=files,
    )
