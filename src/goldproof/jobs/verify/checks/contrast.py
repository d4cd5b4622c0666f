"""Contrast of a claim: compare the same observation with a form that must come out the other way.

negation   of a claim that is met: another literal, type or text, which the same observation must not meet
matching   of a claim that is not met: what the observation really was, which it must meet

So a comparison that always says yes, or always no, is found out. `not X` is never such a form: it flips whatever the
comparison of X says. Of `not X` it is that of X, denied. Of `all` that are met, each must flip; of `any`, those that
are met. Of `all` that is not met, those parts that are not; of `any`, each.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldproof.jobs.verify.checks.another import another
from goldproof.jobs.verify.checks.compare import compare, pick, placed
from goldproof.jobs.verify.checks.expectation import check_expectation
from goldproof.jobs.verify.checks.fitting import fitting

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from goldproof.jobs.verify.proof import Expectation

    Observations = Sequence[Mapping[str, object]]


def negation(expect: Expectation, observations: Observations) -> Expectation | None:
    """Return what these observations, which meet a claim, must not meet; None where nothing can be made of them."""
    return None if check_expectation(expect) else _flipped(expect, observations, met=True)


def matching(expect: Expectation, observations: Observations) -> Expectation | None:
    """Return what these observations, which do not meet a claim, must meet; None where nothing can be made of them."""
    return None if check_expectation(expect) else _flipped(expect, observations, met=False)


def denies(negated: Expectation, expect: Expectation) -> bool:
    """Return whether a claim is but the denial of another, so that comparing it shows nothing new."""
    (one, is_denied), (other, other_denied) = undenied(negated), undenied(expect)
    return one == other and is_denied != other_denied


def undenied(expect: Expectation) -> tuple[Expectation, bool]:
    """Return a claim without the `not` before it, and whether it was denied by them."""
    denied = False
    while expect.get("check") == "not" and isinstance(inner := expect.get("of"), dict):
        expect, denied = placed(inner, expect), not denied
    return expect, denied


def _flipped(expect: Expectation, observations: Observations, *, met: bool) -> Expectation | None:
    parts = expect.get("of")
    if expect["check"] == "not" and isinstance(parts, dict):
        inner = _flipped(placed(parts, expect), observations, met=not met)
        return None if inner is None else {"check": "not", "of": inner}
    if isinstance(parts, list):
        return _several(expect, [placed(one, expect) for one in parts], observations=observations, met=met)
    found = pick(expect, observations)
    made = None if isinstance(found, str) else (another if met else fitting)(expect, found)
    return None if made is None else placed(made, expect)


def _several(
    expect: Expectation, parts: list[Expectation], *, observations: Observations, met: bool
) -> Expectation | None:
    """Return the flipped parts on which it rests that the whole is met, or is not."""
    resting = [one for one in parts if compare(one, observations).holds is met]
    made = [flipped for one in resting if (flipped := _flipped(one, observations, met=met)) is not None]
    needs_each = (expect["check"] == "all") is met
    if not made or (needs_each and len(made) < len(parts)):
        return None
    once = [one for place, one in enumerate(made) if one not in made[:place]]
    # None of them may be met where the claim is; all of them must be where it is not.
    return once[0] if len(once) == 1 else {"check": "any" if met else "all", "of": once}
