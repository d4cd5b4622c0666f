"""Rule for statements about the result of code: "`yaml.safe_load('1')` returns `1`." as an option or the question.

A statement has the code as its subject and nothing besides what becomes of it. As the question it is offered as true or
false; as an option it is one of those of which the true, or the false, one is asked for.
"""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING, Final, NamedTuple

from goldproof.jobs.verify.rules.code_proofs import code_proof, stated_outcomes
from goldproof.jobs.verify.rules.code_text import expression_of
from goldproof.jobs.verify.rules.literals import read_literal
from goldproof.jobs.verify.rules.outcomes import Outcome, Outcomes, read_outcomes
from goldproof.jobs.verify.rules.program import Program, completed_code, is_call_with_values, is_unstable

if TYPE_CHECKING:
    from collections.abc import Iterable

    from goldproof.jobs.verify.proof import Proof
    from goldproof.jobs.verify.rules.rule import Reading

_STATEMENT: Final = re.compile(
    r"(?:(?:true or false|yes or no)\s*[:?]\s*)?`([^`]+)`\s+([^`]*`[^`]+`[^`]*?|[^`]+?)\.?"
    r"(?:\s*\(?(?:is this )?true or false\s*[?)]*)?",
    re.IGNORECASE,
)
_IS: Final = re.compile(r"(?:is|equals|is equal to)\s+(?:`([^`]+)`|(True|False|None|-?\d+))", re.IGNORECASE)
_WHICH: Final = re.compile(
    r"which (?:one )?(?:of (?:the following|these|the) )?(?:statements? |claims? )?(?:below )?(?:is|are)"
    r" (?:\**not\** )?(?:true|false|correct|incorrect|wrong|right|untrue)\??",
    re.IGNORECASE,
)


class _Statement(NamedTuple):
    program: Program
    outcomes: Outcomes


class CodeStatementRule:
    """Questions that are a statement about code, or ask which of several such statements is true, or false."""

    name = "code statement"

    def propose(self, reading: Reading) -> Iterable[Proof]:
        """Return a proof for each option."""
        if reading.asked.code:
            return ()
        truths = {letter: text.strip(" .`").lower() for letter, text in reading.case.options.items()}
        if sorted(truths.values()) == ["false", "true"]:
            stated = _read(reading.asked.text, reading)
            return [
                proof
                for letter, truth in truths.items()
                for proof in self._proofs(letter, stated, negated=truth == "false")
            ]
        if not _WHICH.fullmatch(reading.asked.text.strip()):
            return ()
        return [
            proof
            for letter, text in reading.case.options.items()
            for proof in self._proofs(letter, _read(text, reading), negated=reading.asked.negated)
        ]

    def _proofs(self, letter: str, statement: _Statement | None, *, negated: bool) -> list[Proof]:
        if statement is None:
            return []
        program, outcomes = statement
        stated = stated_outcomes({letter: outcomes}, program, negated=negated)[letter]
        return [code_proof(letter, program.code, stated=one, rule=self.name, negated=negated) for one in stated]


def _read(text: str, reading: Reading) -> _Statement | None:
    """Return the code of a statement with what is said of it, None where it is not wholly understood."""
    found = _STATEMENT.fullmatch(" ".join(text.split()))
    if not found or not _runs(found[1]):
        return None
    outcomes = _outcomes(found[2])
    code = completed_code(found[1], reading.index)
    if code is None or not outcomes.whole or outcomes.reason:
        return None
    return _Statement(Program(code, unstable=is_unstable(code)), outcomes)


def _runs(span: str) -> bool:
    """Say whether a span is code to run, and not the name of something: it calls with values, or compares."""
    return is_call_with_values(span) or isinstance(expression_of(span), ast.Compare)


def _outcomes(said: str) -> Outcomes:
    equal = _IS.fullmatch(said)
    if equal and read_literal(equal[1] or equal[2]):
        return Outcomes((Outcome("returns", equal[1] or equal[2]),))
    return read_outcomes(f"It {said}.")


RULE = CodeStatementRule()
