"""Looking at a pantry as a whole: counts, sizes, warnings."""

from collections.abc import Callable

from larder.pantry import Pantry


def take_stock(pantry: Pantry) -> dict[str, int]:
    """Count entries, stale ones apart, and bytes on disk, for every shelf.

    Nothing is locked meanwhile, so the figures are close, not exact.
    """
    return {}


def watch(pantry: Pantry, *, alarm: Callable[[str], None], above: float = 0.85) -> None:
    """Call `alarm` with the name of a shelf once 85% of its room is taken, and not again until it fell below half."""


def export_csv(pantry: Pantry, path: str) -> None:
    """Write a line for each entry: shelf, key, labels, age in seconds, size. Values are left out on purpose."""
