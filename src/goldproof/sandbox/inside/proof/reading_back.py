"""Whether a value that was given to a constructor can be found in what it made."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .literals import literal_of

if TYPE_CHECKING:
    from .texts import Foreign

_NOTHING = object()


def reads_back(made: Foreign, keyword: str, value: Foreign, plain: Foreign) -> bool:
    """Whether the value is kept under the name of the keyword, or elsewhere.

    plain: made without it: what it has as well is no sign of the value.
    """
    for name in (keyword, "_" + keyword, keyword.rstrip("_"), f"_{type(made).__name__}__{keyword}"):
        got = _read(made, name)
        if got is not _NOTHING and _is_it(got, value) and not _is_it(_read(plain, name), value):
            return True
    return _kept(made, value) and not _kept(plain, value)


def _read(made: Foreign, name: str) -> Foreign:
    if made is None:
        return _NOTHING
    try:
        return made[name] if type(made) is dict else getattr(made, name)
    except BaseException:  # noqa: BLE001 - foreign attributes may do anything
        return _NOTHING


def _is_it(got: Foreign, value: Foreign) -> bool:
    """Whether it is the value, or an equal plain one; by type and text, for foreign equality may say anything."""
    if got is value:
        return True
    if type(got) is not type(value):
        return False
    if type(value) in {list, tuple} and value:
        return len(got) == len(value) and all(_is_it(got[place], one) for place, one in enumerate(value))
    literal = literal_of(value)
    return literal is not None and literal_of(got) == literal


def _kept(made: Foreign, value: Foreign) -> bool:
    """Whether the value is among the attributes of an instance, or in a mapping among them."""
    if value is None or value is True or made is None:
        return False
    try:
        attributes = list(vars(made).values())
    except TypeError:
        return False
    inner = [one for kept in attributes if type(kept) is dict for one in kept.values()]
    return any(_is_it(one, value) for one in [*attributes, *inner])
