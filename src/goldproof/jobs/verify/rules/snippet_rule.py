"""Rule for running a question's code: options that say what it raises or prints, or that it works.

The code runs as it is written. A question that asks for just that is decided; what an option says beyond it is not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldproof.jobs.verify.rules.code_proofs import code_proof, stated_outcomes
from goldproof.jobs.verify.rules.exception_names import exception_names
from goldproof.jobs.verify.rules.options import own_options
from goldproof.jobs.verify.rules.outcomes import Outcomes, read_outcomes
from goldproof.jobs.verify.rules.program import program_of
from goldproof.jobs.verify.rules.running_premise import premises
from goldproof.jobs.verify.rules.yes_no import read_answer

if TYPE_CHECKING:
    from collections.abc import Iterable

    from goldproof.jobs.verify.proof import Proof
    from goldproof.jobs.verify.rules.asked import Asked
    from goldproof.jobs.verify.rules.program import Program
    from goldproof.jobs.verify.rules.rule import Reading


class SnippetRule:
    """Questions of the kind `outcome`; and what any question takes for granted about the failing of its code."""

    name = "snippet"

    def propose(self, reading: Reading) -> Iterable[Proof]:
        """Return a proof for each option that says what happens, and for the premises."""
        asks = reading.asked.kind == "outcome"
        if not asks and reading.asked.kind != "other":
            return ()
        program = program_of(reading, mentioned=mentioned_exceptions(reading))
        if program is None:
            return ()
        options = own_options(reading.case) if asks else {}
        outcomes = {letter: _outcomes(text, reading.asked) for letter, text in options.items()}
        return outcome_proofs(reading, program, outcomes=outcomes, rule=self.name)


def _outcomes(text: str, asked: Asked) -> Outcomes:
    found = read_outcomes(text)
    return found if found.whole else read_answer(text, asked) or found


def outcome_proofs(
    reading: Reading, program: Program, *, outcomes: dict[str, Outcomes], rule: str
) -> tuple[Proof, ...]:
    """Return the proofs of options about running a program, and those of the premises."""
    stated = stated_outcomes(outcomes, program, negated=reading.asked.negated)
    proofs = [
        code_proof(letter, program.code, stated=one, rule=rule, negated=reading.asked.negated)
        for letter, each in stated.items()
        for one in each
    ]
    return (*proofs, *premises(reading, program, outcomes=outcomes, rule=rule))


def mentioned_exceptions(reading: Reading) -> tuple[str, ...]:
    """Return the exceptions that the question and its options name."""
    texts = (reading.asked.text, *reading.case.options.values())
    return tuple(dict.fromkeys(name for text in texts for name in exception_names(text)))


RULE = SnippetRule()
