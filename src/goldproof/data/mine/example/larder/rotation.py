"""Who has to go when a shelf is full. A policy is any object with a method `victim(entries)` that names one key."""

from dataclasses import dataclass


class FirstOut:
    """The entry that was added first leaves first, however often it is read. The default, and the cheapest."""


@dataclass
class LeastUsed:
    """The entry with the smallest count of uses leaves.

    Counts fade: they are halved every 6 hours, so that the favourites of last week do not block those of today.
    """

    half_life_hours: float = 6


class Costliest:
    """Leaves what was cheap to make. `price` is called with the value and returns a number; low numbers go first.

    Useful where entries are results of calls to a paid service.
    """


def pin(key: str) -> None:
    """Exempt an entry from rotation. It still spoils. A shelf on which everything is pinned refuses additions."""
