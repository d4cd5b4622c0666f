"""Proofs about object identity: two names are one object, or a default is a member of an enumeration."""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldproof.jobs.verify.proof import Control, Proof
from goldproof.jobs.verify.rules.claims import joined, negation, observing
from goldproof.jobs.verify.rules.scripts import call_text, proof_script

if TYPE_CHECKING:
    from goldproof.jobs.verify.proof import Expectation
    from goldproof.jobs.verify.rules.claims import Claim

# Says nothing where the value is no member of an enumeration: then members are not how it is written.
_MEMBER = """import inspect
import pkgutil
from enum import Enum

owner = pkgutil.resolve_name({path!r})
if isinstance(owner, type):
    value = getattr(owner(), {parameter!r})
else:
    value = inspect.signature(owner).parameters[{parameter!r}].default
kind = pkgutil.resolve_name({kind!r})
if isinstance(value, Enum) and isinstance(kind, type) and issubclass(kind, Enum):
    shown = f"{{type(value).__name__}}.{{value.name}}"
    observe({parameter!r}, str, {shown!r} if getattr(kind, {name!r}, None) is value else shown)"""


def same_proof(claim: Claim, one: str, other: str, *, root: str, or_below: bool = False) -> Proof:
    """Return a proof that two paths lead to one object. root: another object. or_below: or that it inherits from it."""

    def script(first: str, second: str) -> str:
        lines = [call_text("observe_same", A=first, B=second)]
        lines += [call_text("observe_name", first)] if or_below else []
        return observing(lines, says=claim.says)

    expect: Expectation = {"check": "same", "names": ["A", "B"], "observation": 0}
    if or_below:
        expect = joined("any", [expect, {"check": "inherits", "from": other, "observation": 1}])
    differs, equal = script("builtins.object" if or_below else one, other if or_below else root), script(other, other)
    return Proof(
        option=claim.option,
        rule=claim.rule,
        says=claim.says,
        script=script(one, other),
        expect=negation(expect) if claim.negated else expect,
        control=Control(script=equal, refuting=differs) if claim.negated else Control(script=differs, refuting=equal),
        power=claim.power,
    )


def member_proof(claim: Claim, path: str, *, parameter: str, member: str) -> Proof:
    """Return a proof that a parameter or field is, by default, a member of an enumeration."""
    kind, _, name = member.rpartition(".")
    shown = f"{kind.rpartition('.')[2]}.{name}"
    body = _MEMBER.format(path=path, parameter=parameter, kind=kind, name=name, shown=shown)
    is_it: Expectation = {"check": "returns", "literal": repr(shown)}
    expect = negation(is_it) if claim.negated else is_it
    return Proof(
        option=claim.option,
        rule=claim.rule,
        says=claim.says,
        script=proof_script(body, says=claim.says, uses=("observe",)),
        expect=expect,
        control=Control(negated=negation(expect)),
        power=claim.power,
    )
