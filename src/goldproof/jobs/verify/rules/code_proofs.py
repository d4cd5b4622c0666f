"""Proofs by running code: the script, and the expectation that an option's words state.

Code runs once in a script. Whether a second run shows the same is for whoever runs proofs to see; code whose result
depends on the clock or on chance is left alone where texts or values are compared.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from goldproof.jobs.verify.proof import Control, Proof
from goldproof.jobs.verify.rules.literals import read_literal
from goldproof.jobs.verify.rules.message_forms import message_forms
from goldproof.jobs.verify.rules.outcomes import Outcome
from goldproof.jobs.verify.rules.reasons import looked_at
from goldproof.jobs.verify.rules.scripts import proof_script

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from goldproof.jobs.verify.proof import Expectation, Power
    from goldproof.jobs.verify.rules.outcomes import Outcomes
    from goldproof.jobs.verify.rules.program import Program

# Words of an option about how the code ends, which were not understood.
_ENDS = re.compile(
    r"exit|abort|fail|stop|\bend|terminat|crash|quit|\bdie|traceback|hang|error|exception|raise|before|until"
)
FLIPPED: dict[Power, Power] = {"decides": "decides", "refutes": "confirms", "confirms": "refutes"}


@dataclass(frozen=True, slots=True)
class Stated:
    """A statement of an option about code. says: in words; expect: of what is seen; power: what that may do."""

    says: str
    expect: Expectation
    power: Power = "decides"


def code_proof(option: str, code: str, *, stated: Stated, rule: str, negated: bool = False) -> Proof:
    """Return a proof that running the code shows what is stated. negated: the option is right where that is not so."""
    claim = denied(stated) if negated else stated
    return Proof(
        option=option,
        rule=rule,
        says=claim.says,
        script=proof_script(f"observe_code({source_text(code)})", says=claim.says, uses=("observe_code",)),
        expect=claim.expect,
        control=Control(negated=contrary(claim.expect)),
        power=claim.power,
    )


def denied(stated: Stated) -> Stated:
    """Return the claim that something stated is not so; what could only refute it can then only confirm."""
    return Stated(f"It is not so that: {stated.says}", contrary(stated.expect), FLIPPED[stated.power])


def contrary(expect: Expectation) -> Expectation:
    """Return the contrary of an expectation."""
    inner = expect.get("of")
    return inner if expect.get("check") == "not" and isinstance(inner, dict) else {"check": "not", "of": expect}


def every(expectations: list[Expectation]) -> Expectation:
    """Return the expectation that all of them are met."""
    return expectations[0] if len(expectations) == 1 else {"check": "all", "of": expectations}


def one_of(expectations: list[Expectation]) -> Expectation:
    """Return the expectation that one of them is met."""
    return expectations[0] if len(expectations) == 1 else {"check": "any", "of": expectations}


def source_text(code: str) -> str:
    """Return code as the text of a Python string, over several lines where that can be read."""
    plain = "'''" not in code and "\\" not in code and not code.endswith("'") and code.isprintable() | ("\n" in code)
    return f"'''{code}\n'''" if plain and "\n" in code and "\r" not in code else repr(code)


def stated_outcomes(
    options: Mapping[str, Outcomes], program: Program, *, negated: bool = False
) -> dict[str, tuple[Stated, ...]]:
    """Return what each option states, as far as it can be held against a run of the program.

    negated: it is to be denied: then only what the option says in so many words counts.
    """
    said = [outcomes.said for outcomes in options.values()]
    found: dict[str, tuple[Stated, ...]] = {}
    for letter, outcomes in options.items():
        rivals = [one for other, outs in options.items() if other != letter for one in outs.said]
        alone = said.count(outcomes.said) == 1
        meant = outcomes if negated else _contrasted(outcomes, rivals=options.values())
        stated = _stated(meant, rivals=rivals, program=program, negated=negated)
        found[letter] = stated if alone else tuple(weaker(one) for one in stated if one.power != "confirms")
    return found


def _contrasted(outcomes: Outcomes, *, rivals: Iterable[Outcomes]) -> Outcomes:
    """Return what an option says beside its rivals: `raises X` beside `prints 1, raises X` is without the printing."""
    prints = [{one.what for one in rival.said if one.says == "raises"} for rival in rivals if _says(rival) & {"prints"}]
    raised = {one.what for one in outcomes.said}
    if _says(outcomes) == {"raises"} and any(raised & others for others in prints):
        return replace(outcomes, said=(*outcomes.said, Outcome("silent")))
    return outcomes


def _says(outcomes: Outcomes) -> set[str]:
    return {one.says for one in outcomes.said}


def weaker(stated: Stated) -> Stated:
    """Return the same, too weak to confirm."""
    return replace(stated, power="refutes")


def _surely_said(outcomes: Outcomes) -> Outcomes:
    """Return what is said whatever the words mean that were not understood: `prints 3 twice` is not `prints 3`."""
    shown = {"prints", "returns"}
    if not outcomes.rest or not _says(outcomes) & shown:
        return outcomes
    left = tuple(one for one in outcomes.said if one.says not in shown)
    if _ENDS.search(outcomes.rest):
        return replace(outcomes, said=left)
    return replace(outcomes, said=left if _says(outcomes) & {"raises", "works"} else (*left, Outcome("works")))


def _stated(outcomes: Outcomes, *, rivals: list[Outcome], program: Program, negated: bool) -> tuple[Stated, ...]:
    outcomes = _surely_said(outcomes)
    if not outcomes.said or not _can_be_seen(outcomes, program):
        return ()
    says = _in_words(outcomes, program)
    messages = [one for one in outcomes.said if one.message]
    power: Power = "decides" if outcomes.whole and not outcomes.reason else "refutes"
    if outcomes.reason and outcomes.whole and not messages and _says(outcomes) == {"raises"} and not outcomes.either:
        return _with_reason(outcomes, program=program)
    if all(one.literal for one in messages):
        return _weighed([Stated(says, _expectation(outcomes, negated=negated), power)], program)
    without = replace(outcomes, said=tuple(replace(one, message="") for one in outcomes.said))
    # Authors shorten messages: one that is not there to the letter refutes only where a rival's is.
    others = [one for one in rivals if one.message and all(one.message not in own.message for own in messages)]
    type_only = every([_expectation(without), *(contrary(_raises(one)) for one in others)])
    proofs = [Stated(_in_words(without, program), type_only, "refutes")]
    if outcomes.whole and not outcomes.reason:
        proofs.append(Stated(says, _expectation(outcomes), "confirms"))
    return _weighed(proofs, program)


def _with_reason(outcomes: Outcomes, *, program: Program) -> tuple[Stated, ...]:
    """Return what an option with a reason states: where what was raised does not say the same, it is open."""
    bare = replace(outcomes, reason="")
    stated = [Stated(_in_words(outcomes, program), _expectation(bare), "refutes")]
    wanted = looked_at(outcomes.reason, program.code)
    if wanted is None:
        return _weighed(stated, program)
    if not wanted.claims:
        return _weighed([replace(stated[0], power="decides")], program)
    fits = [one_of([_says_so(outcomes, form) for form in forms]) for forms in (*wanted.words, wanted.names) if forms]
    says = f"{_in_words(bare, program)[:-1]} with a message that has {wanted.text}, as its reason does."
    return _weighed([*stated, Stated(says, every(fits), "confirms")], program)


def _says_so(outcomes: Outcomes, text: str) -> Expectation:
    return one_of([{**_raises(one), "message": text} for one in outcomes.said])


def _weighed(stated: list[Stated], program: Program) -> tuple[Stated, ...]:
    """Return what may be said where code only defines things: that it fails confirms, that it works shows nothing."""
    if not program.inert:
        return tuple(stated)
    return tuple(
        replace(one, power="confirms") for one in stated if one.power != "refutes" and "raises" in str(one.expect)
    )


def _can_be_seen(outcomes: Outcomes, program: Program) -> bool:
    return not (_says(outcomes) & {"prints", "returns"} and (program.unstable or program.inert))


def _expectation(outcomes: Outcomes, *, negated: bool = False) -> Expectation:
    each = [expected(one) for one in outcomes.said]
    if outcomes.either:
        return one_of(each)
    # What is printed, or comes back, of code that then fails is not all that happens.
    alone = negated or _says(outcomes) & {"raises", "works"} or _ENDS.search(outcomes.rest)
    return every(each if alone else [{"check": "works"}, *each])


def expected(outcome: Outcome) -> Expectation:
    """Return what an outcome expects of a run."""
    if outcome.says == "raises":
        return _raises(outcome)
    if outcome.says == "not raises":
        return contrary(_raises(outcome))
    if outcome.says == "warns":
        return {"check": "warns", "category": outcome.what} if outcome.what else {"check": "warns"}
    if outcome.loose:
        forms = ("\n", " ", ", ", "")
        return one_of([expected(Outcome("prints", outcome.what.replace("\n", between))) for between in forms])
    if outcome.says in {"prints", "silent"}:
        return {"check": "prints", "text": outcome.what, "how": "equals"}
    if outcome.says == "returns":
        literal = read_literal(outcome.what)
        return (
            {"check": "returns", "literal": literal.source}
            if literal
            else {"check": "returns_text", "text": outcome.what}
        )
    return {"check": "works"}


def _raises(outcome: Outcome) -> Expectation:
    # `an error`: one that names the exact type goes before it.
    named: Expectation = {"check": "raises", "type": outcome.what or "Exception"}
    forms = message_forms(outcome.message, any_case=outcome.literal)
    return one_of([{**named, "message": form} for form in forms]) if forms else named


def _in_words(outcomes: Outcomes, program: Program) -> str:
    words = (" or " if outcomes.either else " and ").join(_word(one) for one in outcomes.said)
    added = f" ({', '.join(program.added)})" if program.added else ""
    reason = " The reason that the option gives is not looked at." if outcomes.reason else ""
    return f"Running the code{added} {words}.{reason}"


def _word(outcome: Outcome) -> str:
    named = f" {outcome.what}" if outcome.what else " an exception"
    message = f" with a message that has {outcome.message!r}" if outcome.message else ""
    return {
        "raises": f"raises{named}{message}",
        "not raises": f"does not raise{named}",
        "works": "raises nothing",
        "prints": f"prints {outcome.what!r}",
        "silent": "prints nothing",
        "returns": f"comes to {outcome.what}",
        "warns": f"warns with{named if outcome.what else ' something'}",
    }[outcome.says]
