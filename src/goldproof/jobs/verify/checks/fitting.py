"""Fit a claim to an observation: what a claim of the same check would have had to say to be met.

The literal that came back, the type that was raised, the text that was printed, the default that there is. Where the
observation is of another nature (it raised, and the claim is about a value), the claim that says what it was. Nothing
in here asks a check whether it holds, so that a check that holds of nothing is found out. What was not found has none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldproof.jobs.verify.checks.catalogue import CHOICES
from goldproof.jobs.verify.checks.observation import map_in, maps_in, text_in, texts_in
from goldproof.jobs.verify.checks.parameters import find_parameter, is_required, parameter_names

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from goldproof.jobs.verify.checks.observation import Observation
    from goldproof.jobs.verify.proof import Expectation


def fitting(expect: Expectation, observation: Observation) -> Expectation | None:
    """Return a claim that this observation, which does not meet `expect`, meets; None where there is none."""
    make = _FITTING.get(str(expect["check"]))
    absent = text_in(observation, "kind") == "name" and observation.get("found") is not True
    return None if make is None or absent else make(expect, observation)


def _outcome(expect: Expectation, observation: Observation) -> Expectation | None:
    """Return what became of it: that it works, or what it raises."""
    outcome = text_in(observation, "outcome")
    if outcome == "raised":
        return _raised(expect, map_in(observation, "exception"))
    if outcome == "exited":
        return {"check": "raises", "type": "SystemExit"}
    return {"check": "works"} if outcome == "returned" else None


def _raised(expect: Expectation, error: Observation) -> Expectation:
    mro, made = texts_in(error, "mro"), {key: expect[key] for key in ("exactly",) if key in expect}
    if mro:
        made["type"] = mro[0]
    if "message" in expect:
        made["message"] = text_in(error, "message")
    return {"check": "raises", **made}


def _prints(expect: Expectation, observation: Observation) -> Expectation:
    return {**expect, "text": text_in(observation, "stdout")}


def _warns(expect: Expectation, observation: Observation) -> Expectation | None:
    for one in maps_in(observation, "warnings"):
        return {"check": "warns", "category": text_in(one, "category"), "text": text_in(one, "message")}
    return _outcome(expect, observation)


def _logs(expect: Expectation, observation: Observation) -> Expectation | None:
    for one in maps_in(observation, "logs"):
        return {"check": "logs", "text": text_in(one, "message")}
    return _outcome(expect, observation)


def _returns(expect: Expectation, observation: Observation) -> Expectation | None:
    value = map_in(observation, "value")
    if not value:
        return _outcome(expect, observation)
    literal = text_in(value, "literal")
    return {**expect, "literal": literal} if literal else _of_type(value)


def _returns_text(expect: Expectation, observation: Observation) -> Expectation | None:
    value = map_in(observation, "value")
    return {**expect, "text": text_in(value, "repr")} if value else _outcome(expect, observation)


def _returns_type(expect: Expectation, observation: Observation) -> Expectation | None:
    value = map_in(observation, "value")
    return _of_type(value) if value else _outcome(expect, observation)


def _of_type(value: Observation) -> Expectation:
    mro = texts_in(value, "mro")
    return (
        {"check": "returns_type", "type": mro[0]} if mro else {"check": "returns_text", "text": text_in(value, "repr")}
    )


def _what(_: Expectation, observation: Observation) -> Expectation | None:
    is_ = text_in(observation, "what")
    return {"check": "what", "is": is_} if is_ in CHOICES["what", "is"] else None


def _inherits(expect: Expectation, observation: Observation) -> Expectation | None:
    bases = texts_in(observation, "bases") or texts_in(observation, "mro")[1:]
    return {**expect, "from": bases[0]} if bases else _what(expect, observation)


def _is_async(expect: Expectation, observation: Observation) -> Expectation | None:
    is_ = text_in(observation, "async")
    return {**expect, "is": is_} if is_ in CHOICES["async", "is"] else None


def _same(expect: Expectation, observation: Observation) -> Expectation | None:
    """Two names that are one object; where there are none, one name twice."""
    groups = {name: one for name, one in map_in(observation, "groups").items() if type(one) is int}
    pairs = ([one, other] for one in groups for other in groups if one != other and groups[one] == groups[other])
    return {**expect, "names": next(pairs, texts_in(expect, "names")[:1] * 2)}


def _default(expect: Expectation, observation: Observation) -> Expectation | None:
    own = str(expect["of"])
    names = sorted(parameter_names(observation), key=lambda name: name != own)
    return next(_said(names, observation), None) or _has_parameter(expect, observation)


def _required(expect: Expectation, observation: Observation) -> Expectation | None:
    """Another parameter that is required; where there is none, what this one is."""
    said = list(_said(parameter_names(observation), observation))
    same = next((one for one in said if one["check"] == "required"), None)
    own = next((one for one in said if one["of"] == expect["of"]), None)
    return same or own or _has_parameter(expect, observation)


def _said(names: list[str], observation: Observation) -> Iterator[Expectation]:
    """Yield for each parameter that it is required, or its default where that is a literal."""
    for name in names:
        one = find_parameter(name, observation) or {}
        if is_required(one):
            yield {"check": "required", "of": name}
        elif text_in(one, "default"):
            yield {"check": "default", "of": name, "literal": text_in(one, "default")}


def _has_parameter(expect: Expectation, observation: Observation) -> Expectation | None:
    for name in parameter_names(observation):
        return {"check": "has_parameter", "name": name}
    return _signature(expect, observation)


def _signature(_: Expectation, observation: Observation) -> Expectation | None:
    shown = text_in(observation, "signature")
    return {"check": "signature", "text": shown} if shown else None


def _flag(expect: Expectation, observation: Observation) -> Expectation | None:
    option = next((one for one in texts_in(observation, "options") if "=" not in one), "")
    return {**expect, "option": option} if option else None


_FITTING: dict[str, Callable[[Expectation, Observation], Expectation | None]] = {
    "async": _is_async,
    "default": _default,
    "flag": _flag,
    "has_parameter": _has_parameter,
    "inherits": _inherits,
    "logs": _logs,
    "prints": _prints,
    "raises": _outcome,
    "required": _required,
    "returns": _returns,
    "returns_text": _returns_text,
    "returns_type": _returns_type,
    "same": _same,
    "signature": _signature,
    "warns": _warns,
    "what": _what,
    "works": _outcome,
}
