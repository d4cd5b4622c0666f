"""Run the control of a proof, which must come out opposite to the proof.

Of a claim that was met it is `control.script`, else `control.negated`. Of a claim that was not met it is
`control.refuting`, else `control.negated`, else `control.script`.

A `negated` that but denies the claim (`not` before it) would flip whatever was observed and however it was compared.
It stands for: hold the same observation against another claim. Where the claim was met, another literal, type or text
must not be met; where it was not, what was really observed must be. See `goldproof.jobs.verify.checks.contrast`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from goldproof.errors import shortened
from goldproof.jobs.verify.checks.compare import compare
from goldproof.jobs.verify.checks.contrast import denies, matching, negation, undenied
from goldproof.jobs.verify.checks.wording import checks_of, claim_words
from goldproof.jobs.verify.proof import Compared

if TYPE_CHECKING:
    from collections.abc import Callable

    from goldproof.jobs.verify.proof import Expectation, Proof
    from goldproof.sandbox import Run

_LONGEST = 200
_MET = {True: "is met", False: "is not met", None: "says nothing"}
_HOLDS = {True: "holds", False: "does not hold", None: "says nothing"}


@dataclass(frozen=True, slots=True)
class Made:
    """A control that was run. flips: None where there is none. run: of its script, where it has one."""

    flips: bool | None
    words: str
    run: Run | None = None


def make_control(proof: Proof, first: Run, *, met: bool, run: Callable[..., Run]) -> Made:
    """Run the control of a proof. first: what was observed. met: whether the claim was."""
    script, negated = proof.control.script, proof.control.negated
    if not met:
        script = proof.control.refuting or ("" if negated is not None else script)
    if script:
        return _by_script(proof, script, met=met, run=run)
    if negated is None:
        return Made(None, "none was given")
    if denies(negated, proof.expect):
        return _by_contrast(proof.expect, first, met=met)
    flip = compare(negated, first.observations).holds
    return _made(f"the contradicting claim {_MET[flip]}", flip=flip, met=met)


def _by_script(proof: Proof, script: str, *, met: bool, run: Callable[..., Run]) -> Made:
    made = run(script, files=proof.files)
    flip = compare(proof.expect, made.observations) if made.counts else Compared(None, made.why_not)
    return _made(f"the control {_short(flip.seen)}", flip=flip.holds, met=met, run=made)


def _by_contrast(expect: Expectation, first: Run, *, met: bool) -> Made:
    other = (negation if met else matching)(expect, first.observations)
    if other is None:
        return Made(None, "none can be made of what was observed")
    flip = compare(other, first.observations)
    return _made(_contrast_words(expect, other, flip=flip, met=met), flip=flip.holds, met=met)


def _contrast_words(expect: Expectation, other: Expectation, *, flip: Compared, met: bool) -> str:
    """Return what the other claim is, and whether it holds; of one that is denied, what it denies."""
    claim, denied = undenied(other)
    holds = flip.holds if flip.holds is None else flip.holds is not denied
    if met is not denied:
        return f"held against '{claim_words(claim)}' it {_HOLDS[holds]}"
    same = "the same comparison" if checks_of(claim) <= checks_of(expect) else f"'{claim_words(claim)}'"
    return f"held against what was observed ({_short(flip.seen)}) {same} {_HOLDS[holds]}"


def _short(text: str) -> str:
    return shortened(" ".join(text.split()), longest=_LONGEST)


def _made(words: str, *, flip: bool | None, met: bool, run: Run | None = None) -> Made:
    flips = flip is (not met)
    return Made(flips, f"{'flipped' if flips else 'did not flip'}: {words}", run)
