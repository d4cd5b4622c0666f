"""Stamps of dictionaries: numbers that are others after any change, read without touching what stands in them.

Up to Python 3.13, CPython gives a dictionary a new version with every change (PEP 509). Looking at values instead
writes their reference counts, and in a fork every page that is written is copied first. Whether the number is where it
is expected, and does change, is tried once; where it does not, there are no stamps and values have to be looked at.
"""

# ruff: noqa: A004, UP029 - names of this module, which `builtins` cannot change any more
from __future__ import annotations

import sys
from array import array
from builtins import map
from functools import cache
from operator import attrgetter
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from .texts import Foreign

_LAST_KNOWN = (3, 13)
_OFTEN = 200  # the interpreter treats what it does often in other ways
_value = attrgetter("value")


def reader(spaces: Sequence[object]) -> Callable[[], array[int]] | None:
    """Return a function that reads the stamps of dictionaries, in their order; None where there are none to be read.

    The dictionaries have to live as long as the function does.
    """
    if not known() or any(type(space) is not dict for space in spaces):
        return None
    cells = tuple(map(_cell, spaces))
    return lambda: array("Q", map(_value, cells))


def _cell(space: object) -> Foreign:
    from ctypes import c_uint64  # noqa: PLC0415 - not every Python has it

    return c_uint64.from_address(id(space) + object.__basicsize__ + 8)  # after the head, and how many there are


@cache
def known() -> bool:
    """Whether this interpreter has stamps."""
    if sys.implementation.name != "cpython" or sys.version_info[:2] > _LAST_KNOWN:
        return False
    if object.__basicsize__ != 16 or sys.maxsize < 1 << 62:
        return False
    try:
        return all(_tells(owner) for owner in (ModuleType("tried"), type("Tried", (), {})))
    except ImportError:
        return False


def _tells(owner: object) -> bool:
    """Whether every kind of change gives a stamp that was never there, and reading gives none."""
    space = _dictionary(owner)
    cell = _cell(space)
    seen = [cell.value]
    for number in range(_OFTEN):
        for change in (_set, _replace, _remove):
            change(owner, number)
            seen.append(cell.value)
    for direct in _DIRECT:
        direct(space)
        seen.append(cell.value)
    owner.known, space.get("known"), list(space.items())  # type: ignore[attr-defined]
    return len(set(seen)) == len(seen) and cell.value == seen[-1] and 0 < seen[0] < 1 << 60


def _dictionary(owner: object) -> dict[str, object]:
    from gc import get_referents  # noqa: PLC0415 - only before scripts run

    space: Foreign = type.__dict__["__dict__"].__get__(owner) if isinstance(owner, type) else vars(owner)
    found: dict[str, object] = space if type(space) is dict else get_referents(space)[0]
    return found


def _set(owner: Foreign, number: int) -> None:
    owner.known = number


def _replace(owner: Foreign, number: int) -> None:
    owner.known = -number - 1


def _remove(owner: Foreign, _number: int) -> None:
    del owner.known


_DIRECT: tuple[Callable[[dict[str, object]], object], ...] = (
    lambda space: space.update(known=_set),
    lambda space: space.update(known=_remove),
    lambda space: space.pop("known"),
    lambda space: space.setdefault("known", _set),
    lambda space: space.__setitem__("known", _replace),
    lambda space: space.popitem(),
    lambda space: exec("known = 1", space),  # noqa: S102 - the way of a module's own code
    lambda space: exec("global known; known = 2", space),  # noqa: S102
)
