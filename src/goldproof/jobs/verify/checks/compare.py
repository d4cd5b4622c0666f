"""Compare observations with an expectation. Never raises: what cannot be compared is undecided, with a reason."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from goldproof.jobs.verify.checks.catalogue import CHECKS
from goldproof.jobs.verify.checks.expectation import check_expectation
from goldproof.jobs.verify.checks.observation import text_in
from goldproof.jobs.verify.checks.seen import seen_line, short
from goldproof.jobs.verify.proof import Compared

if TYPE_CHECKING:
    from goldproof.jobs.verify.checks.observation import Observation
    from goldproof.jobs.verify.proof import Expectation


def compare(expect: Expectation, observations: Sequence[Mapping[str, object]]) -> Compared:
    """Return whether an observation is what the claim expects: the one that `observation` picks, else the last."""
    wrong = check_expectation(expect)
    return Compared(None, short(wrong)) if wrong else _held(expect, observations)


def _held(expect: Expectation, observations: Sequence[Mapping[str, object]]) -> Compared:
    name, parts = expect["check"], expect.get("of")
    if name == "not" and isinstance(parts, dict):
        inner = _held(placed(parts, expect), observations)
        return Compared(None if inner.holds is None else not inner.holds, inner.seen)
    if name in {"all", "any"} and isinstance(parts, list):
        return _several([_held(placed(one, expect), observations) for one in parts], all_of=name == "all")
    found = pick(expect, observations)
    return Compared(None, found) if isinstance(found, str) else CHECKS[str(name)].hold(expect, found)


def placed(part: Expectation, whole: Expectation) -> Expectation:
    """Return a part of an expectation; it is about the observation that the whole picks, unless it picks its own."""
    if "observation" in whole and "observation" not in part:
        return {**part, "observation": whole["observation"]}
    return part


def _several(parts: list[Compared], *, all_of: bool) -> Compared:
    """Return `all` or `any` of some comparisons; one that says nothing leaves it open unless the others decide."""
    decides = not all_of  # one that comes out so settles it
    settled = [one for one in parts if one.holds is decides]
    seen = short("; ".join(dict.fromkeys(one.seen for one in settled or parts)))
    if settled:
        return Compared(decides, seen, exact=any(one.exact for one in settled))
    if any(one.holds is None for one in parts):
        return Compared(None, seen)
    return Compared(all_of, seen, exact=all(one.exact for one in parts))


def pick(expect: Expectation, observations: Sequence[Mapping[str, object]]) -> Observation | str:
    """Return the observation that an expectation is about, or why there is none."""
    place = expect.get("observation", -1)
    if not observations:
        return "nothing was observed"
    if not isinstance(place, int) or not -len(observations) <= place < len(observations):
        return f"there is no observation {place}; {len(observations)} were made"
    found: object = observations[place]
    name = str(expect["check"])
    if not isinstance(found, Mapping):
        return f"observation {place} is not an object"
    kind = text_in(found, "kind")
    if kind not in CHECKS[name].kinds:
        return f"{name!r} says nothing about an observation of kind {kind[:40]!r}; {seen_line(found)}"
    return found
