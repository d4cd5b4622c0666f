"""One thing that was said, checked: text, and metadata that JSON can hold.

Dates and times in metadata become ISO text, so that what comes back from disk is what went in. The fields of an entry,
for filters and ages, are its metadata with `role`, and with `turn`: its number, from 1, where the metadata has none.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date

from goldproof.errors import InputError, kind_of, shown
from goldproof.retrieve.document_index import can_be_written

# Made once: json.dumps would make one for every call.
_JSON = json.JSONEncoder(ensure_ascii=False, allow_nan=False)


@dataclass(frozen=True, slots=True)
class Entry:
    """A memory as it was given; number: its place since the last `clear`, from 1."""

    number: int
    role: str
    content: str
    metadata: Mapping[str, object] = field(default_factory=dict)

    @property
    def id(self) -> str:
        """Its id."""
        return memory_id(self.number)

    @property
    def fields(self) -> dict[str, object]:
        """What filters and ages are read from."""
        turn = self.metadata.get("turn")
        return {**self.metadata, "role": self.role, "turn": self.number if turn is None else turn}


def memory_id(number: int) -> str:
    """Return the number as text, in an order of letters that is the order of time."""
    return f"m{number:06d}"


def checked_entry(number: int, role: object, *, content: object, metadata: object) -> Entry:
    """Return the memory; InputError of one sentence where something cannot be stored."""
    said = {"role": role, "content": content}
    for name, value in said.items():
        if not isinstance(value, str):
            raise InputError(f"the memory's {name} is {kind_of(value)} ({shown(value)}), expected text.")
        if not can_be_written(value):
            raise InputError(
                f"the memory's {name} ({shown(value)}) has half a surrogate pair, which UTF-8 cannot hold."
            )
    if metadata is not None and not isinstance(metadata, Mapping):
        raise InputError(f"the memory's metadata is {kind_of(metadata)} ({shown(metadata)}), expected a mapping.")
    return Entry(number, str(role), str(content), _plain(metadata or {}, "metadata"))


def metadata_text(metadata: Mapping[str, object]) -> str:
    """Return metadata as JSON."""
    return _JSON.encode(metadata)


def _plain(given: Mapping[object, object], where: str) -> dict[str, object]:
    """Return a mapping of values that JSON has."""
    for key in given:
        if not isinstance(key, str) or not can_be_written(key):
            raise InputError(f"the memory's {where} has the key {shown(key)}, expected text.")
    return {str(key): _plain_value(value, f"{where}.{key}") for key, value in given.items()}


def _plain_value(value: object, where: str) -> object:
    if isinstance(value, Mapping):
        return _plain(value, where)
    if isinstance(value, list | tuple):
        return [_plain_value(one, where) for one in value]
    if isinstance(value, date):
        return value.isoformat()
    if value is None or isinstance(value, bool | int | float | str):
        return _writable(value, where)
    raise InputError(
        f"the memory's {where} is {kind_of(value)} ({shown(value)}), which JSON does not have; expected text, numbers, "
        "true or false, lists and mappings."
    )


def _writable(value: float | str | None, where: str) -> object:
    is_odd = isinstance(value, float) and not math.isfinite(value)
    if is_odd or (isinstance(value, str) and not can_be_written(value)):
        raise InputError(f"the memory's {where} is {shown(value)}, which JSON does not have.")
    return value
