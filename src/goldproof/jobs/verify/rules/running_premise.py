"""Premises about a question's code: it runs as far as the question asks, or it fails.

Code that fails to find a module or a name, or cannot be parsed, while no option speaks of that, fails for another
reason than asked. Where it is asked which exception is raised and every option names one, some exception must be. Where
no option speaks of an error at all, and none says that no other holds, it must not fail.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from goldproof.jobs.verify.rules.code_proofs import Stated, code_proof, contrary, one_of
from goldproof.jobs.verify.rules.exception_names import built_in_kin
from goldproof.jobs.verify.rules.options import has_none_of_them, own_options
from goldproof.jobs.verify.rules.reading import says_it_works

if TYPE_CHECKING:
    from collections.abc import Mapping

    from goldproof.jobs.verify.proof import Expectation, Proof
    from goldproof.jobs.verify.rules.outcomes import Outcomes
    from goldproof.jobs.verify.rules.program import Program
    from goldproof.jobs.verify.rules.rule import Reading

_IF_ANY: Final = re.compile(r"(?<!\w)(?:if any|if at all|whether|or not)(?!\w)", re.IGNORECASE)
_OTHER_REASONS: Final = ("ImportError", "NameError", "SyntaxError")


def premises(reading: Reading, program: Program, *, outcomes: Mapping[str, Outcomes], rule: str) -> tuple[Proof, ...]:
    """Return the proofs of what the question takes for granted about its code."""
    found = [
        _announced(reading, program) or _something_is_raised(reading, program, outcomes=outcomes),
        _not_for_another_reason(reading, outcomes),
    ]
    return tuple(code_proof("premise", program.code, stated=one, rule=rule) for one in found if one is not None)


def _announced(reading: Reading, program: Program) -> Stated | None:
    """Return what the question says of its code: that it raises, or that it does not."""
    if program.inert or not reading.asked.code:
        return None
    expects = reading.asked.expects_error
    if expects is not None:
        raised: Expectation = {"check": "raises", "type": expects} if expects else {"check": "raises"}
        return Stated(f"The question says that its code fails: running it raises {expects or 'an exception'}.", raised)
    if says_it_works(reading.asked):
        return Stated("The question says that its code does not fail: running it raises nothing.", {"check": "works"})
    return None


def _something_is_raised(reading: Reading, program: Program, *, outcomes: Mapping[str, Outcomes]) -> Stated | None:
    """Return that the code raises, where it is asked which exception that is and every option names one."""
    asked = reading.asked
    every_one = outcomes and all(
        one.whole and [each.says for each in one.said] == ["raises"] for one in outcomes.values()
    )
    if asked.kind != "raises" or asked.negated or program.inert or _IF_ANY.search(asked.text) or not every_one:
        return None
    if len(outcomes) < len(own_options(reading.case)) or has_none_of_them(reading.case):
        return None
    return Stated(
        "The question asks which exception is raised, and every option names one: running the code raises one.",
        {"check": "raises"},
    )


def _not_for_another_reason(reading: Reading, outcomes: Mapping[str, Outcomes]) -> Stated | None:
    spoken = [one for outs in outcomes.values() for one in outs.said]
    if reading.asked.expects_error is not None or not spoken or len(outcomes) < len(own_options(reading.case)):
        return None
    errors = [one for one in spoken if one.says == "raises"]
    if not errors and not has_none_of_them(reading.case) and all(one.said for one in outcomes.values()):
        return Stated("No option speaks of an error: running the code raises nothing.", {"check": "works"})
    named = {kin for one in errors for kin in built_in_kin(one.what)}
    left = [name for name in _OTHER_REASONS if name not in named]
    if not left or any(not one.what or one.what in {"Exception", "BaseException"} for one in errors):
        return None
    fails = one_of([{"check": "raises", "type": name} for name in left])
    return Stated(
        f"Running the code does not fail for another reason than asked: no {', '.join(left)}.", contrary(fails)
    )
