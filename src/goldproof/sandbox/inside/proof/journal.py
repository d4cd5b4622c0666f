"""The public functions, bound to one list of observations that scripts cannot get at.

Each is a callable written in C around the Python function, which it does not give away: no `__globals__`, no
`__closure__`. The list lives in a closure only.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .texts import Foreign

Make = Callable[..., "dict[str, object]"]


class Journal:
    """Observations, in order."""

    __slots__ = ("add", "observations")

    def __init__(self) -> None:
        kept: list[dict[str, object]] = []
        self.add: Callable[[dict[str, object]], None] = kept.append
        self.observations: Callable[[], list[dict[str, object]]] = kept.copy


def observer(make: Make, add: Callable[[dict[str, object]], None], check: Callable[[], None]) -> Callable[..., None]:
    """Return a function that observes and adds to a journal. check: called before and after."""

    def observe(*given: Foreign, **named: Foreign) -> None:
        check()
        seen = make(*given, **named)
        check()
        add(seen)

    return opaque(observe, make)


def opaque(function: Callable[..., None], make: Make) -> Callable[..., None]:
    """Return a callable that does the same and has no attribute that leads to the function."""
    shown = lru_cache(maxsize=0)(function)
    for name in ("__wrapped__", "cache_parameters"):
        delattr(shown, name)
    shown.__name__ = shown.__qualname__ = make.__name__
    shown.__doc__ = make.__doc__
    return shown
