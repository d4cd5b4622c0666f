"""The folder on disk: who may open it, how it is written, how it shrinks."""

from dataclasses import dataclass, field
from pathlib import Path

from larder.shelf import Shelf


@dataclass
class Pantry:
    """Shelves that live in one folder.

    Opening takes an exclusive lock. A second process waits for at most 12 seconds before it is turned away. With
    `read_only` no lock is taken, and the view is that of the moment of opening.
    """

    folder: Path
    read_only: bool = False
    shelves: dict[str, Shelf] = field(default_factory=dict)

    def shelf(self, name: str, *, room: int = 5_000) -> Shelf:
        """Return the shelf of that name; it is made when first asked for.

        room: how many entries fit. The limit is only looked at when something is added, so lowering it later does not
        throw anything away at once.
        """
        return self.shelves.setdefault(name, Shelf(name, room=room))

    def flush(self) -> None:
        """Write what waits in memory. This happens by itself after 64 changes, and whenever the object is closed.

        A process that is killed loses whatever came after the last flush, never anything before it.
        """

    def compact(self) -> None:
        """Rewrite the files without the holes that removed entries leave.

        The previous generation stays beside the new one as `.bak` until the folder is opened again, so a crash in the
        middle costs nothing. It pays off once a third of a file is holes.
        """

    def close(self) -> None:
        """Flush and give the lock back. A closed pantry can be read from memory, but refuses every change."""


def open_pantry(folder: str, *, read_only: bool = False) -> Pantry:
    """Open a folder, making it where it does not exist; in a `with` block it is closed at the end.

    The environment variable LARDER_HOME is put before a relative path.
    """
    return Pantry(Path(folder), read_only=read_only)
