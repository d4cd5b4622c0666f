"""The memories of a scenario file: a mapping each, or the short form [role, content, metadata].

A memory without an id goes by its place in the list, from 0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldproof.io.scenarios.scenario import MemoryItem
from goldproof.io.yaml_text import LINE, LinedList

if TYPE_CHECKING:
    from goldproof.io.scenarios.part import Part

_SHORT = ("role", "content", "metadata")
_SHORTEST = 2
_FORMS = "a mapping with role and content, or [role, content, {turn: 1}]"


def read_memory(found: object, *, above: Part, place: int) -> MemoryItem:
    """Read one memory. above: its scenario. place: in the list, from 0."""
    part = above.below(_as_mapping(found), f"memory {place}", expected=_FORMS)
    name = part.identify(default=str(place))
    values = part.read(id=part.name, role=part.text, content=part.text, metadata=part.fields)
    for key in _SHORT[:_SHORTEST]:
        if key not in values:
            raise part.wrong(f"no {key}, expected {_FORMS}.")
    return MemoryItem(name, values["role"], values["content"], values.get("metadata", {}))


def _as_mapping(found: object) -> object:
    """Return the short form as a mapping, anything else as it is."""
    if isinstance(found, LinedList) and _SHORTEST <= len(found) <= len(_SHORT):
        return {LINE: found.line, **dict(zip(_SHORT, found, strict=False))}
    return found
