"""The folder of `--out DIR`: claimed before work begins, resumed with the same card, refused with another.

A claim locks the folder and tries to write there, so that a long job does not end at a folder it may not use. A card
with the same inputs, settings and seed: the job goes on there or writes the same again. Another card, or files that are
not ours: refused, naming what differs, unless forced. From `begin` to `finish` the card is marked unfinished, so that a
job that was killed does not look like one that is done. A claim that wrote nothing leaves nothing behind.

The lock is the operating system's (filelock): it ends with its process, however that ends. Where several hosts share a
network file system, whether they see each other's locks is up to that file system.
"""

from __future__ import annotations

import os
import socket
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Self

from goldproof.errors import ConflictError, InputError
from goldproof.io.atomic_files import remove_leftovers
from goldproof.io.storage.cards import CARD_NAME, card_differences, card_key, read_card, write_card

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from types import TracebackType

    from goldproof.records.entities import Card

LOCK_NAME = ".goldproof.lock"


class OutputFolder:
    """A folder that is locked on entry and unlocked on exit.

    card: of the job that writes there; where it is not known on entry, `begin` is called with it later.
    artefacts: the files the job writes there, `*` for any part of a name. Where `force` puts the job in place of
    something else, files of these names are removed first, whatever made them; all others stay. `force` does not remove
    the job's own beginnings.
    """

    def __init__(
        self, path: Path | str, *, card: Card | None = None, artefacts: Iterable[str] = (), force: bool = False
    ) -> None:
        self.path = Path(path)
        self._card = card
        self._artefacts = tuple(artefacts)
        self._force = force
        self._lock = FolderLock(self.path)
        self._made: list[Path] = []

    def __enter__(self) -> Self:
        self._make()
        try:
            self._lock.take()
            if self._card is not None:
                self.begin(self._card, self._artefacts)
            elif not self._force:
                refuse_unknown_files(self.path)
        except BaseException:
            self.__exit__(None, None, None)
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._lock.release()
        with suppress(OSError):  # what holds something stays
            for folder in self._made:
                folder.rmdir()

    def __truediv__(self, name: str) -> Path:
        return self.path / name

    def check(self, card: Card) -> None:
        """Refuse, before long work begins, what `begin` would refuse; nothing is touched."""
        conflict = self._conflict(card)
        if conflict and not self._force:
            raise ConflictError(f"{self.path}: {conflict}")

    def begin(self, card: Card, artefacts: Iterable[str] = ()) -> None:
        """Write the card, marked unfinished, once the folder holds nothing else."""
        artefacts = tuple(artefacts)
        self._refuse_links(artefacts)
        remove_leftovers(self.path)
        conflict = self._conflict(card)
        if conflict and not self._force:
            raise ConflictError(f"{self.path}: {conflict}")
        if conflict:
            self._remove(artefacts)
        write_card(self.path / CARD_NAME, card, finished=False)
        self._card = card

    def finish(self, card: Card) -> None:
        """Write the final card, with counts and no longer marked unfinished; it must be of the same job."""
        if self._card is None or card_key(card) != card_key(self._card):
            differences = _list(self._card, card) if self._card else "none was begun"
            raise ConflictError(f"{self.path}: the final card is of another job: {differences}.")
        write_card(self.path / CARD_NAME, card)

    def _make(self) -> None:
        missing = [folder for folder in (self.path, *self.path.parents) if not os.path.lexists(folder)]
        try:
            self.path.mkdir(parents=True, exist_ok=True)
        except (FileExistsError, NotADirectoryError) as error:
            raise InputError(f"{self.path}: is a file, expected a folder to write to.") from error
        except OSError as error:
            raise InputError(f"{self.path}: cannot be created: {error.strerror or error}.") from error
        self._made = missing

    def _conflict(self, card: Card) -> str | None:
        """Say what else the folder holds; None where the job may write there."""
        path = self.path / CARD_NAME
        if not path.exists():
            return _unknown_files(self.path)
        advice = "Give another folder, or replace it with --force."
        try:
            old = read_card(path)
        except InputError:
            return f"holds a card that cannot be read.\n  {advice}"
        if card_key(old) == card_key(card):
            return None
        return f"holds something else ({_list(old, card)}).\n  {advice}"

    def _refuse_links(self, artefacts: Iterable[str]) -> None:
        """Refuse a subfolder that is a link: files elsewhere would be replaced."""
        for folder in {self.path / name.partition("/")[0] for name in artefacts if "/" in name}:
            if folder.is_symlink():
                raise InputError(f"{folder}: is a link, so files elsewhere would be replaced.\n  Remove it first.")

    def _remove(self, artefacts: Iterable[str]) -> None:
        """Remove files of the names that the job writes; the card stays until its successor takes its place."""
        ours = [path for name in artefacts if name != CARD_NAME for path in self.path.glob(name)]
        for path in ours:
            try:
                path.unlink(missing_ok=True)
            except OSError as error:
                raise InputError(
                    f"{path}: cannot be replaced ({error.strerror or error}).\n  Remove it, or give another folder."
                ) from error


@contextmanager
def writing_to(
    target: OutputFolder | Path | str, *, card: Card, artefacts: Iterable[str] = (), force: bool = False
) -> Iterator[OutputFolder]:
    """Begin a job in a folder that is claimed already, or claim one for the block."""
    if isinstance(target, OutputFolder):
        target.begin(card, artefacts)
        yield target
        return
    with OutputFolder(target, card=card, artefacts=artefacts, force=force) as folder:
        yield folder


def refuse_unknown_files(path: Path) -> None:
    """Refuse a folder with files that are not Goldproof's, before long work begins that could not be written there."""
    if path.is_dir() and not (path / CARD_NAME).exists() and (conflict := _unknown_files(path)):
        raise ConflictError(f"{path}: {conflict}")


def _unknown_files(path: Path) -> str | None:
    names = sorted(p.name for p in path.iterdir() if not p.name.startswith("."))
    if not names:
        return None
    shown = ", ".join(names[:5]) + (", ..." if len(names) > 5 else "")
    return (
        f"is not empty and has no {CARD_NAME} (found {shown}).\n"
        "  Give another folder, or write into this one with --force."
    )


def _list(old: Card, new: Card) -> str:
    return "; ".join(card_differences(old, new))


class FolderLock:
    """The lock of one folder; its file says who holds it and goes when it is released."""

    def __init__(self, folder: Path) -> None:
        from filelock import FileLock  # noqa: PLC0415 - only who writes needs it

        self._folder = folder
        self._path = folder / LOCK_NAME
        self._lock = FileLock(self._path, thread_local=False)

    def take(self) -> None:
        """Take the lock; raise with its owner where another process has it."""
        from filelock import SoftFileLock, Timeout  # noqa: PLC0415 - as above

        try:
            self._lock.acquire(blocking=False)
        except Timeout:
            raise ConflictError(
                f"{self._folder}: another process is writing there ({self._owner()}).\n  Wait for it to end."
            ) from None
        except OSError as error:
            raise InputError(f"{self._folder}: cannot be written: {error.strerror or error}.") from error
        if issubclass(type(self._lock), SoftFileLock):
            return  # a file system without locks: the file itself is the lock, and filelock writes it
        with suppress(OSError):  # Windows lets nobody write to a locked file
            self._write_owner()

    def _write_owner(self) -> None:
        """Say in the lock file who holds it, unless the file has another name too: it may be a user's file."""
        descriptor = os.open(self._path, os.O_WRONLY | getattr(os, "O_NOFOLLOW", 0))
        try:
            if os.fstat(descriptor).st_nlink == 1:
                os.ftruncate(descriptor, 0)
                os.write(descriptor, f"process {os.getpid()} on {socket.gethostname()}\n".encode())
        finally:
            os.close(descriptor)

    def release(self) -> None:
        """Give the lock back. Its file goes first: who waits for the old file finds it gone, and makes another."""
        if self._lock.is_locked:
            with suppress(OSError):
                self._path.unlink(missing_ok=True)
            self._lock.release()  # filelock 4 gives up a lock whose file was removed while it waited for it

    def _owner(self) -> str:
        try:
            return self._path.read_bytes()[:200].decode("utf-8", "replace").strip() or "process unknown"
        except OSError:
            return "process unknown"
