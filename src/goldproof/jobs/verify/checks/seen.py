"""Summarise an observation in one short line for reports."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from goldproof.jobs.verify.checks.observation import map_in, text_in, texts_in

if TYPE_CHECKING:
    from goldproof.jobs.verify.checks.observation import Observation

_LONGEST = 160


def seen_line(observation: Observation) -> str:
    """Return an observation in one line."""
    kind = text_in(observation, "kind")
    said = _LINES[kind](observation) if kind in _LINES else f"an observation of unknown kind {kind[:40]!r}"
    return short(said)


def short(text: str, longest: int = _LONGEST) -> str:
    """Return the text on one line, cut."""
    line = " ".join(text.split())
    return line if len(line) <= longest else line[: longest - 3] + "..."


def outcome_line(observation: Observation) -> str:
    """Return the outcome of a call, a program, an import or a command, in one line."""
    outcome = text_in(observation, "outcome")
    if outcome == "raised":
        error = map_in(observation, "exception")
        return f"raised {text_in(error, 'type') or '?'}: {text_in(error, 'message')}".rstrip(": ")
    if outcome == "exited":
        return f"exited with {observation.get('code')!r}"
    if outcome != "returned":
        return "has no outcome"
    return _returned(observation)


def _returned(observation: Observation) -> str:
    value, printed = map_in(observation, "value"), text_in(observation, "stdout").strip()
    if text_in(observation, "kind") == "import":
        return "imported"
    if printed and text_in(value, "type") in {"", "NoneType"}:
        return f"printed {printed!r}"
    shown = text_in(value, "literal") or text_in(value, "repr")
    return f"returned {shown}" if shown else "ended without an error"


def _name(observation: Observation) -> str:
    path = text_in(observation, "path")
    if observation.get("found") is not True:
        return f"{path} was not found: {text_in(observation, 'why') or 'no reason given'}"
    what, qualified = text_in(observation, "what"), text_in(observation, "qualified")
    shown = f"{path} is a {what}" if what[:1] not in "aeiou" else f"{path} is an {what}"
    if qualified and qualified != path:
        shown += f" ({qualified})"
    signature = text_in(observation, "signature")
    return f"{shown} {signature}" if signature else shown


def _keyword(observation: Observation) -> str:
    path, keyword = text_in(observation, "path"), text_in(observation, "keyword")
    error = map_in(observation, "exception")
    said = f"{path}({keyword}=...) was {text_in(observation, 'outcome') or 'not tried'}"
    return f"{said}: {text_in(error, 'type')}: {text_in(error, 'message')}" if error else said


def _same(observation: Observation) -> str:
    groups = map_in(observation, "groups")
    paths = map_in(observation, "paths")
    shown = ", ".join(f"{paths.get(name, name)}: {'not found' if one is None else one}" for name, one in groups.items())
    return f"which object each is: {shown}"


def _anywhere(observation: Observation) -> str:
    found = texts_in(observation, "found")
    name, searched = text_in(observation, "name"), observation.get("searched")
    return f"{name} is at {', '.join(found[:3])}" if found else f"no {name} in {searched} modules"


def _command(observation: Observation) -> str:
    said = " ".join(texts_in(observation, "argv"))
    options = texts_in(observation, "options")
    return f"{said} {outcome_line(observation)}" + (f"; options: {' '.join(options[:12])}" if options else "")


_LINES = {
    "call": outcome_line,
    "code": outcome_line,
    "import": outcome_line,
    "name": _name,
    "keyword": _keyword,
    "same": _same,
    "anywhere": _anywhere,
    "command": _command,
}


def is_observation(found: object) -> bool:
    """Return whether it is an observation at all."""
    return isinstance(found, Mapping)
