"""Rule for raised exceptions: options that name one, with or without its message, or say that there is none."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from goldproof.jobs.verify.rules.exception_names import only_name
from goldproof.jobs.verify.rules.options import own_options
from goldproof.jobs.verify.rules.outcomes import Outcome, Outcomes, read_outcomes
from goldproof.jobs.verify.rules.program import program_of
from goldproof.jobs.verify.rules.snippet_rule import mentioned_exceptions, outcome_proofs

if TYPE_CHECKING:
    from collections.abc import Iterable

    from goldproof.jobs.verify.proof import Proof
    from goldproof.jobs.verify.rules.rule import Reading

# It asks for the type of what is raised; not what raises it, or what is to be done about it.
_ASKS_TYPE: Final = re.compile(
    r"(?<!\w)(?:which|what)(?: (?:kind|type|sort) of| \w+){0,2} (?:exceptions?|errors?)(?: class| type)?,?"
    r"(?: if any,?)? (?:is|are|does|do|will|would|gets?|results?|occurs?|can|could|comes|must|should)"
    r"(?! (?:handle|catch))"
    r"|(?<!\w)what (?:does|do|will|would) .{1,200} (?:raise|throw)(?!\w)",
    re.IGNORECASE | re.DOTALL,
)


class RaisedRule:
    """Questions of the kind `raises` that show code, or name one call."""

    name = "raised"

    def propose(self, reading: Reading) -> Iterable[Proof]:
        """Return a proof for each option that names an exception, or none."""
        if reading.asked.kind != "raises":
            return ()
        program = program_of(reading, mentioned=mentioned_exceptions(reading))
        if program is None:
            return ()
        outcomes = {letter: _raised(text, reading) for letter, text in own_options(reading.case).items()}
        return outcome_proofs(reading, program, outcomes=outcomes, rule=self.name)


def _raised(text: str, reading: Reading) -> Outcomes:
    """Return what an option says; a bare `None` or `Nothing` says that nothing is raised, a bare name that it is."""
    if text.strip(" .`").lower() in {"none", "nothing", "no", "none is raised", "nothing is raised"}:
        return Outcomes((Outcome("works"),))
    found, name = read_outcomes(text), only_name(text)
    if found.said or not name or not _ASKS_TYPE.search(reading.asked.text) or not _may_be_a_class(name, reading):
        return found
    return Outcomes((Outcome("raises", name),))


def _may_be_a_class(name: str, reading: Reading) -> bool:
    known = reading.index.find(name)
    return not known or any(one.kind == "class" for one in known)


RULE = RaisedRule()
