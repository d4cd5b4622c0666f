"""Levels of a conversation that are misspelt or stand where nobody would look for them.

A conversation has `turns`, a turn `iterations`, an iteration `searches`, a search `results`. A list of one level is
never read from the level above, so it is refused there. Where a level is missing or empty, so is a list of objects
under nearly its name, under the name of another level, or, in an iteration or search, under a name of results: without
a word it would look like an agent that did not search. Every other key is nobody's business: logs hold messages,
thoughts, calls of tools, and documents that the user sent.

A near name begins with the same letter: `citations` and `observations` are no `iterations`. Where the level itself is
there and empty, only a very near one counts: `search` for `searches`, but not `raw_results` for `results`.
"""

from __future__ import annotations

from difflib import SequenceMatcher
from typing import TYPE_CHECKING

from goldproof.io.columns import ALIASES, normal_name
from goldproof.io.jsonl import BadRecordError

if TYPE_CHECKING:
    from goldproof.io.jsonl import JsonObject

_BELOW = {"turns": "iterations", "iterations": "searches", "searches": "results"}
_LEVELS = frozenset(_BELOW.values())
_NEAR = 0.7
_VERY_NEAR = 0.85


def refuse_misplaced(record: JsonObject, level: str) -> None:
    """Refuse what belongs within the lists of a level, but stands beside them."""
    below = _BELOW[level]
    found = record.get(below)
    if found and isinstance(found, list | dict):
        raise BadRecordError(f"has {below!r} of its own, expected them within {level!r}.")


def refuse_unread(record: JsonObject, level: str, *, used: str | None = None) -> None:
    """Refuse a list that a level without anything in it seems to mean. used: the key that is read, if not the level."""
    for key, value in record.items():
        if key in (level, used) or not isinstance(value, list) or not value:
            continue
        name = normal_name(key)
        if level == "results" and name in ALIASES["results"]:
            raise BadRecordError(f"key {used or level!r} is empty, but {key!r} is not: which are the results?")
        if not all(isinstance(each, dict) for each in value):
            continue
        if name != level and (name in _LEVELS or (level == "searches" and name in ALIASES["results"])):
            raise BadRecordError(f"has {key!r}, but no {level!r}: expected the levels {_path(level)}.")
        if _is_near(name, level, cutoff=_VERY_NEAR if level in record else _NEAR):
            raise BadRecordError(f"has {key!r}, but no {level!r}; did you mean {level!r}?")


def _is_near(name: str, level: str, *, cutoff: float) -> bool:
    return name[:1] == level[:1] and SequenceMatcher(None, name, level).ratio() >= cutoff


def _path(level: str) -> str:
    """Return the levels from one down."""
    levels = ["turns", *_BELOW.values()]
    return " > ".join(levels[levels.index(level) :])
