"""The folder of `--out DIR`: locked while a job writes, resumed with the same card, refused with another.

A card with the same inputs, settings and seed: the job goes on there or writes the same again. Another card, or files
that are not ours: refused, naming what differs, unless forced. From entry to `finish` the card is marked unfinished, so
that a job that was killed does not look like one that is done.

The lock is written under a temporary name and then linked to its own, which fails where there is one already: a lock is
there whole or not at all, wherever its writer is killed. One whose process is gone (on the same host) is taken over,
and so is one that is empty or garbled, which no live process has written. One of another host, or that may not be read,
is believed.
"""

from __future__ import annotations

import os
import re
import socket
import stat
from pathlib import Path
from typing import TYPE_CHECKING, Self

from goldproof.errors import ConflictError, InputError
from goldproof.io.atomic_files import is_alive, remove_leftovers, start_time, temporary_name
from goldproof.io.storage.cards import CARD_NAME, card_differences, card_key, read_card, write_card

if TYPE_CHECKING:
    from collections.abc import Iterable
    from types import TracebackType

    from goldproof.records.entities import Card


class OutputFolder:
    """A folder that is locked and checked on entry, and unlocked on exit.

    artefacts: the files the job writes there, `*` for any part of a name. Where `force` puts the job in place of
    something else, files of these names are removed first, whatever made them; all others stay. `force` does not remove
    the job's own beginnings.
    """

    def __init__(self, path: Path | str, *, card: Card, artefacts: Iterable[str] = (), force: bool = False) -> None:
        self.path = Path(path)
        self.card = card
        self._artefacts = tuple(artefacts)
        self._force = force
        self._lock = FolderLock(self.path)

    def __enter__(self) -> Self:
        try:
            self.path.mkdir(parents=True, exist_ok=True)
        except (FileExistsError, NotADirectoryError) as error:
            raise InputError(f"{self.path}: is a file, expected a folder to write to.") from error
        except OSError as error:
            raise InputError(f"{self.path}: cannot be made: {error.strerror or error}.") from error
        self._lock.take()
        try:
            self._begin()
        except BaseException:
            self._lock.release()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._lock.release()

    def __truediv__(self, name: str) -> Path:
        return self.path / name

    def check(self) -> None:
        """Refuse, before long work begins, what entering would refuse; nothing is touched."""
        card_path = self.path / CARD_NAME
        if self.path.exists() and not self.path.is_dir():
            raise InputError(f"{self.path}: is a file, expected a folder to write to.")
        if self._force or not self.path.exists():
            return
        conflict = self._card_conflict(card_path) if card_path.exists() else _unknown_files(self.path)
        if conflict:
            raise ConflictError(f"{self.path}: {conflict}")

    def finish(self, card: Card) -> None:
        """Write the final card, with counts and no longer marked unfinished; it must be of the same job."""
        if card_key(card) != card_key(self.card):
            raise ConflictError(f"{self.path}: the final card is of another job: {_list(self.card, card)}.")
        write_card(self.path / CARD_NAME, card)

    def _begin(self) -> None:
        remove_leftovers(self.path)
        card_path = self.path / CARD_NAME
        conflict = self._card_conflict(card_path) if card_path.exists() else _unknown_files(self.path)
        if conflict and not self._force:
            raise ConflictError(f"{self.path}: {conflict}")
        if conflict:
            self._remove_artefacts()
        write_card(card_path, self.card, finished=False)

    def _card_conflict(self, path: Path) -> str | None:
        advice = "Give another folder, or replace it with --force."
        try:
            old = read_card(path)
        except InputError:
            return f"holds a card that cannot be read.\n  {advice}"
        if card_key(old) == card_key(self.card):
            return None
        return f"holds something else ({_list(old, self.card)}).\n  {advice}"

    def _remove_artefacts(self) -> None:
        """Remove files of the names that the job writes; the card stays until its successor takes its place."""
        ours = [path for name in self._artefacts if name != CARD_NAME for path in self.path.glob(name)]
        for path in ours:
            try:
                path.unlink(missing_ok=True)
            except OSError as error:
                raise InputError(
                    f"{path}: cannot be replaced ({error.strerror or error}).\n  Remove it, or give another folder."
                ) from error


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


LOCK_NAME = ".goldproof.lock"

_OWNER = re.compile(r"([0-9]{1,10}) (\S+)(?: ([0-9]{1,20}))?\n", re.ASCII)


class FolderLock:
    """The lock of one folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._path = folder / LOCK_NAME

    def take(self) -> None:
        """Take the lock; raise with its owner where another process has it."""
        # A second attempt follows the removal of a dead lock; the process that loses that race is refused.
        try:
            taken = self._try() or (_remove_dead(self._path) and self._try())
        except OSError as error:
            raise InputError(f"{self._folder}: cannot be written: {error.strerror or error}.") from error
        if taken:
            return
        owner = _OWNER.fullmatch(_read_lock(self._path) or "")
        who = f"process {owner[1]} {owner[2]}" if owner else "process unknown"
        raise ConflictError(
            f"{self._folder}: another process is writing there ({who}).\n"
            f"  Wait for it; if there is none, delete {self._path}."
        )

    def release(self) -> None:
        """Give the lock back."""
        self._path.unlink(missing_ok=True)

    def _try(self) -> bool:
        pid = os.getpid()
        text = f"{pid} {socket.gethostname()} {start_time(pid)}".rstrip() + "\n"
        temporary = temporary_name(self._path)
        try:
            temporary.write_text(text, "utf-8")
            return _link(temporary, self._path, text)
        finally:
            temporary.unlink(missing_ok=True)


def _link(temporary: Path, lock: Path, text: str) -> bool:
    """Make the lock; return whether it is ours."""
    try:
        os.link(temporary, lock)
    except FileExistsError:
        return False
    except OSError:
        return _create(lock, text)
    return True


def _create(lock: Path, text: str) -> bool:
    """Make the lock where the file system has no links (FAT, some network folders)."""
    try:
        with lock.open("x", encoding="utf-8") as stream:
            stream.write(text)
    except FileExistsError:
        return False
    # Another process may have seen it empty and removed it as dead.
    return _read_lock(lock) == text


def _read_lock(lock: Path) -> str | None:
    """Return the content of the lock, or None where it may not be read or is no file."""
    try:
        if not stat.S_ISREG(lock.lstat().st_mode):
            return None
        return lock.read_bytes()[:1000].decode("utf-8", "replace")
    except OSError:
        return None


def _is_dead(text: str) -> bool:
    owner = _OWNER.fullmatch(text)
    if owner is None:
        return True
    return owner[2] == socket.gethostname() and not is_alive(int(owner[1]), started=owner[3] or "")


def _remove_dead(lock: Path) -> bool:
    """Remove the lock of a process that is gone; return whether the lock may be free."""
    text = _read_lock(lock)
    if text is None or not _is_dead(text):
        return not os.path.lexists(lock)
    # Moved away first: two processes that both see the dead lock must not both remove one, the second a live one.
    grave = temporary_name(lock)
    try:
        lock.rename(grave)
    except FileNotFoundError:
        return True
    if _read_lock(grave) != text:
        grave.rename(lock)
        return False
    grave.unlink(missing_ok=True)
    return True
