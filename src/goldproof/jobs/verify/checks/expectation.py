"""Validate an expectation: its check is known, its fields are present and of the right type."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING

from goldproof.jobs.verify.checks.catalogue import CHECKS, CHOICES
from goldproof.jobs.verify.checks.literals import NoLiteralError, literal_key

if TYPE_CHECKING:
    from goldproof.jobs.verify.proof import Expectation

_COMBINED = ("all", "any", "not")
_DEEPEST = 20


def check_expectation(expect: Expectation) -> str:
    """Return what is wrong with an expectation, in a sentence; empty where nothing is."""
    return _wrong(expect, _DEEPEST)


def _wrong(expect: object, depth: int) -> str:
    if not isinstance(expect, dict) or not isinstance(expect.get("check"), str):
        return f'an expectation is an object with "check", as in {{"check": "works"}}; found {str(expect)[:60]}'
    if depth == 0:
        return f"the expectation is nested more than {_DEEPEST} deep"
    place = expect.get("observation", -1)
    if type(place) is not int:
        return f'"observation" is the number of one, from 0; found {place!r}'
    name = expect["check"]
    if name in _COMBINED:
        return _wrong_parts(expect, depth)
    if name not in CHECKS:
        return _unknown(name)
    return _wrong_fields(expect, name)


def _wrong_parts(expect: Expectation, depth: int) -> str:
    name, parts = expect["check"], expect.get("of")
    if name == "not":
        return _wrong(parts, depth - 1)
    if not isinstance(parts, list) or not parts:
        return f'{name!r} needs "of", a list of at least one expectation'
    return next((wrong for wrong in (_wrong(one, depth - 1) for one in parts) if wrong), "")


def _unknown(name: str) -> str:
    known = [*CHECKS, *_COMBINED]
    near = get_close_matches(name, known, n=3)
    more = f"did you mean {' or '.join(near)}?" if near else f"known: {', '.join(sorted(known))}."
    return f"no check is called {name[:60]!r}; {more}"


def _wrong_fields(expect: Expectation, name: str) -> str:
    fields = {**CHECKS[name].needs, **CHECKS[name].takes}
    for key, kind in fields.items():
        if key not in expect:
            if key in CHECKS[name].needs:
                return f"check {name!r} needs {key!r}"
        elif not isinstance(expect[key], kind):
            return f"{key!r} of check {name!r} is a {kind.__name__}; found {str(expect[key])[:60]!r}"
    unknown = sorted(str(key) for key in expect if key not in {*fields, "check", "observation"})
    if unknown:
        return f"check {name!r} has no field {unknown[0][:60]!r}; it takes {', '.join(fields) or 'none'}"
    return _wrong_words(expect, name)


def _wrong_words(expect: Expectation, name: str) -> str:
    for key in CHECKS[name].needs | CHECKS[name].takes:
        known = CHOICES.get((name, key))
        if known and key in expect and expect[key] not in known:
            return f"{key!r} of check {name!r} is one of {', '.join(known)}; found {str(expect[key])[:60]!r}"
    try:
        literal_key(str(expect.get("literal", "None")))
    except NoLiteralError as error:
        return str(error)
    return ""
