"""Things that start anew in a forked child: connections, threads and locks of the parent are of no use there.

A lock that another thread held at the fork stays locked in the child for ever, and that thread is not there to let go
of it. So the child makes its own before anything else runs in it. Where there is no fork, nothing is to be done.
"""

from __future__ import annotations

import os
from typing import Protocol
from weakref import WeakSet


class StartsAnew(Protocol):
    """Something that knows what to do in a child."""

    def start_anew(self) -> None:
        """Forget all that belongs to the parent; called in the child, before anything else runs."""


_KNOWN: WeakSet[StartsAnew] = WeakSet()


def start_anew_in_child(thing: StartsAnew) -> None:
    """Have a thing told in every child that is forked while it lives."""
    _KNOWN.add(thing)


def _tell_all() -> None:
    for thing in list(_KNOWN):
        thing.start_anew()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_tell_all)
