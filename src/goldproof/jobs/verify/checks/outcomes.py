"""Checks of the outcome of a call, a program, an import or a command: works, raises, prints, warns, logs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldproof.jobs.verify.checks.check import said
from goldproof.jobs.verify.checks.observation import map_in, maps_in, text_in, texts_in
from goldproof.jobs.verify.checks.seen import outcome_line, short
from goldproof.jobs.verify.checks.types import position, same_type
from goldproof.jobs.verify.proof import Compared

if TYPE_CHECKING:
    from collections.abc import Mapping

    from goldproof.jobs.verify.checks.observation import Observation
    from goldproof.jobs.verify.proof import Expectation

_OUTCOMES = ("returned", "raised", "exited")
_CUT = " ..."  # how text that was cut ends


def works(_: Expectation, observation: Observation) -> Compared:
    """It ended without an error. A program that leaves with status 0 did."""
    outcome = text_in(observation, "outcome")
    if outcome not in _OUTCOMES:
        return said(observation, holds=None)
    left = outcome == "exited" and observation.get("code") == 0 and observation.get("code") is not False
    return said(observation, holds=outcome == "returned" or left)


def raises(expect: Expectation, observation: Observation) -> Compared:
    """It raised: any exception, or one of a type (by subclassing unless `exactly`), or with a text in its message."""
    outcome, named = text_in(observation, "outcome"), text_in(expect, "type")
    if outcome not in _OUTCOMES:
        return said(observation, holds=None)
    if outcome == "exited":
        return said(observation, holds=same_type(named, "builtins.SystemExit") and "message" not in expect)
    if outcome == "returned":
        return said(observation, holds=False)
    error = map_in(observation, "exception")
    place = position(named, texts_in(error, "mro")) if named else 0
    if place is None and any(same_type(named, other) for other in texts_in(error, "also")):
        place = 0
    if place is None or (place > 0 and expect.get("exactly") is True):
        return said(observation, holds=False)
    return _message(expect, observation, exact=place == 0)


def _message(expect: Expectation, observation: Observation, *, exact: bool) -> Compared:
    wanted = " ".join(text_in(expect, "message").split())
    message = text_in(map_in(observation, "exception"), "message")
    if wanted in " ".join(message.split()):
        return said(observation, holds=True, exact=exact)
    return said(observation, holds=None if message.endswith(_CUT) else False)


def prints(expect: Expectation, observation: Observation) -> Compared:
    """What it printed equals, or contains, a text; blanks at the ends of lines and at either end do not count."""
    if text_in(observation, "outcome") not in _OUTCOMES:
        return said(observation, holds=None)
    printed, wanted = _lines(text_in(observation, "stdout")), _lines(text_in(expect, "text"))
    ended = text_in(observation, "outcome") == "returned"
    line = short(f"printed {printed!r}" if ended else f"printed {printed!r}, then {outcome_line(observation)}")
    held = wanted in printed if expect.get("how") == "contains" else wanted == printed
    # What was cut begins with what is there; it may contain anything.
    maybe = expect.get("how") == "contains" or wanted.startswith(printed.removesuffix(_CUT))
    unsure = not held and printed.endswith(_CUT) and maybe
    return Compared(None if unsure else held, line, exact=ended)


def warns(expect: Expectation, observation: Observation) -> Compared:
    """It warned: at all, in a category, or with a text."""
    kept = maps_in(observation, "warnings")
    held = any(_named(one, expect, "category") and _contains(one, expect) for one in kept)
    shown = "; ".join(f"{text_in(one, 'category')}: {text_in(one, 'message')}" for one in kept[:3])
    return Compared(held, short(f"warned {shown}" if kept else f"warned of nothing; {outcome_line(observation)}"))


def logs(expect: Expectation, observation: Observation) -> Compared:
    """It logged: at all, at a level, or with a text."""
    kept = maps_in(observation, "logs")
    level = text_in(expect, "level").upper()
    held = any((not level or text_in(one, "level") == level) and _contains(one, expect) for one in kept)
    shown = "; ".join(f"{text_in(one, 'level')}: {text_in(one, 'message')}" for one in kept[:3])
    return Compared(held, short(f"logged {shown}" if kept else f"logged nothing; {outcome_line(observation)}"))


def _contains(one: Mapping[str, object], expect: Expectation) -> bool:
    return " ".join(text_in(expect, "text").split()) in " ".join(text_in(one, "message").split())


def _named(one: Mapping[str, object], expect: Expectation, key: str) -> bool:
    wanted = text_in(expect, key)
    return not wanted or same_type(wanted.rpartition(".")[2], text_in(one, key))


def _lines(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.splitlines()).strip("\n ")
