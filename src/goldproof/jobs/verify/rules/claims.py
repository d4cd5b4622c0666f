"""Proofs of existence and of keywords: script, expectation, and the control that must flip.

Of several paths that a name may mean, one that is there suffices; all must be missing for it to be refuted. Controls
make as many observations as the proof, so that each is held against the same expectation.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from goldproof.jobs.verify.proof import Control, Expectation, Power, Proof
from goldproof.jobs.verify.rules.scripts import IMPOSSIBLE, call_text, proof_script

if TYPE_CHECKING:
    from collections.abc import Sequence

# Asks the signature at run time for a keyword that is certainly taken, plainly typed ones first.
_TAKEN = """import inspect
import pkgutil

plain = (bool, int, str, "bool", "int", "str")
taken = [
    one for one in inspect.signature(pkgutil.resolve_name({path!r})).parameters.values()
    if one.kind in (one.POSITIONAL_OR_KEYWORD, one.KEYWORD_ONLY) and one.name not in ("self", "cls")
]
taken.sort(key=lambda one: one.annotation not in plain)
# What names no parameter of its own has none that is known to be taken: then there is no control, and no verdict.
"""
_KNOWN = """for one in taken[:1] * {number}:
    observe_keyword({path!r}, one.name)"""
# What the library imports counts too: a class of a dependency is no invention.
_ANYWHERE = """import sys
{imports}
observe_anywhere({name!r})
modules = [one for one in list(sys.modules.values()) if {name!r} in getattr(one, "__dict__", ())]
elsewhere = sorted(f"{{one.__name__}}.{name}" for one in modules if one.__name__ != "__main__")
observe_name(elsewhere[0] if elsewhere else "builtins.{name}")"""


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim of an option, as far as one proof looks at it. says: the claim in words; negated: that it is not so."""

    option: str
    rule: str
    says: str
    power: Power = "refutes"
    negated: bool = False


def existence_proof(claim: Claim, paths: Sequence[str], *, known: str) -> Proof:
    """Return a proof that one of the paths is there. known: a path that is certainly there."""
    return _proof(
        claim,
        [call_text("observe_name", path) for path in paths],
        impossible=[call_text("observe_name", _impossible(path)) for path in paths],
        known=[call_text("observe_name", known)] * len(paths),
        expect=_any_of("found", len(paths)),
    )


def anywhere_proof(claim: Claim, name: str, *, known: str, roots: Sequence[str]) -> Proof:
    """Return a proof that a bare name is in the library, or in what it imports. known: one that certainly is.

    roots: the outermost names of the library, imported first, so that the script finds them by hand too.
    """
    imports = "".join(f"import {root}\n" for root in roots)
    either: list[Expectation] = [{"check": "somewhere", "observation": 0}, {"check": "found", "observation": 1}]
    return _proof(
        claim,
        [_ANYWHERE.format(name=name, imports=imports)],
        impossible=[_ANYWHERE.format(name=IMPOSSIBLE, imports=imports)],
        known=[_ANYWHERE.format(name=known, imports=imports)] if known else [],
        expect={"check": "any", "of": either},
    )


def keyword_proof(claim: Claim, targets: Sequence[str], *, keywords: Sequence[str]) -> Proof:
    """Return a proof that every keyword is taken by one of the callables."""
    expect = _all_of([_any_of("accepts", len(targets), first=place * len(targets)) for place in range(len(keywords))])
    number = len(targets) * len(keywords)
    return _proof(
        claim,
        [call_text("observe_keyword", path, keyword) for keyword in keywords for path in targets],
        impossible=[call_text("observe_keyword", path, IMPOSSIBLE) for _ in keywords for path in targets],
        known=[_TAKEN.format(path=targets[0]), _KNOWN.format(path=targets[0], number=number)],
        expect=expect,
    )


def offered_proof(claim: Claim, path: str, *, keyword: str, offered: Sequence[str]) -> Proof:
    """Return a proof that a callable takes a keyword, or none of those on offer: then another one is meant."""
    others = [call_text("observe_keyword", path, one) for one in offered]
    taken: list[Expectation] = [{"check": "accepts", "observation": place + 1} for place in range(len(offered))]
    return _proof(
        claim,
        [call_text("observe_keyword", path, keyword), *others],
        impossible=[call_text("observe_keyword", path, IMPOSSIBLE), *others],
        known=[_TAKEN.format(path=path), _KNOWN.format(path=path, number=1), *others],
        expect=joined("any", [{"check": "accepts", "observation": 0}, negation(joined("any", taken))]),
    )


def value_proofs(claim: Claim, paths: Sequence[str], *, expect: Expectation) -> list[Proof]:
    """Return proofs about what is seen under each path that a name may mean: only where all agree it is decided."""
    if len(paths) == 1:
        return [value_proof(claim, paths[0], expect=expect)]
    wanted = negation(expect) if claim.negated else expect
    each = [_at(wanted, place) for place in range(len(paths))]
    lines = [call_text("observe_name", path) for path in paths]
    made: list[tuple[str, Power]] = [("all", "confirms"), ("any", "refutes")]
    return [
        Proof(
            option=claim.option,
            rule=claim.rule,
            says=claim.says,
            script=observing(lines, says=claim.says),
            expect=joined(how, each),
            control=Control(negated=negation(joined(how, each))),
            power=power,
        )
        for how, power in made
        if claim.power in {"decides", power}
    ]


def _at(expect: Expectation, place: int) -> Expectation:
    inner = expect.get("of")
    if expect.get("check") == "not" and isinstance(inner, dict):
        return {"check": "not", "of": _at(inner, place)}
    return {**expect, "observation": place}


def value_proof(claim: Claim, path: str, *, expect: Expectation) -> Proof:
    """Return a proof about what is seen under a path; its control is the contrary claim on the same observation."""
    wanted = negation(expect) if claim.negated else expect
    return Proof(
        option=claim.option,
        rule=claim.rule,
        says=claim.says,
        script=observing([call_text("observe_name", path)], says=claim.says),
        expect=wanted,
        control=Control(negated=negation(wanted)),
        power=claim.power,
    )


def negation(expect: Expectation) -> Expectation:
    """Return the contrary expectation."""
    inner = expect.get("of")
    return inner if expect.get("check") == "not" and isinstance(inner, dict) else {"check": "not", "of": expect}


def observing(lines: Sequence[str], *, says: str) -> str:
    """Return a script of observations."""
    body = "\n".join(lines)
    calls = ("observe_name", "observe_anywhere", "observe_keyword", "observe_import", "observe_same")
    return proof_script(body, says=says, uses=tuple(name for name in calls if f"{name}(" in body))


def _proof(claim: Claim, lines: list[str], *, impossible: list[str], known: list[str], expect: Expectation) -> Proof:
    absent = observing(impossible, says=f"Control: the same on what cannot exist. {claim.says}")
    there = observing(known, says=f"Control: the same on what is known to be there. {claim.says}") if known else ""
    # A claim that something is not there is met where nothing is found: then what is known must be found, and so on.
    control = Control(script=there, refuting=absent) if claim.negated else Control(script=absent, refuting=there)
    return Proof(
        option=claim.option,
        rule=claim.rule,
        says=claim.says,
        script=observing(lines, says=claim.says),
        expect=negation(expect) if claim.negated else expect,
        control=control,
        power=claim.power,
    )


def _any_of(check: str, number: int, *, first: int = 0) -> Expectation:
    places = range(first, first + number)
    return joined("any", [{"check": check, "observation": place} for place in places])


def _all_of(expectations: list[Expectation]) -> Expectation:
    return joined("all", expectations)


def joined(how: str, expectations: list[Expectation]) -> Expectation:
    """Return `all` or `any` of some expectations."""
    return expectations[0] if len(expectations) == 1 else {"check": how, "of": expectations}


def _impossible(path: str) -> str:
    owner = path.rpartition(".")[0]
    return f"{owner}.{IMPOSSIBLE}" if owner else IMPOSSIBLE
