"""The folder given as `--out`: one writer at a time, and never two different things in it.

A card with the same inputs, settings and seed: the job goes on there or writes the same again. Another card, or files
that are not ours: refused, naming what differs, unless forced. From entry to `finish` the card is marked unfinished, so
that a job that was killed does not look like one that is done.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Self

from goldproof.core.errors import ConflictError, InputError
from goldproof.io.cards import CARD_NAME, card_differences, card_key, read_card, write_card
from goldproof.io.folder_lock import FolderLock
from goldproof.io.replacing import remove_leftovers

if TYPE_CHECKING:
    from collections.abc import Iterable
    from types import TracebackType

    from goldproof.core.records import Card


class OutputFolder:
    """A folder that is locked and checked on entry, and unlocked on exit.

    artefacts: the files the job writes there, `*` for any part of a name. Where `force` puts the job in place of
    something else, files of these names are removed first, whoever made them; all others stay. `force` does not remove
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
        """Refuse what entering would refuse for what stands there, before long work begins; nothing is touched."""
        card_path = self.path / CARD_NAME
        if self.path.exists() and not self.path.is_dir():
            raise InputError(f"{self.path}: is a file, expected a folder to write to.")
        if self._force or not self.path.exists():
            return
        conflict = self._card_conflict(card_path) if card_path.exists() else _strangers(self.path)
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
        conflict = self._card_conflict(card_path) if card_path.exists() else _strangers(self.path)
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


def refuse_strangers(path: Path) -> None:
    """Refuse a folder that holds files of others, before long work begins whose result could not be written there."""
    if path.is_dir() and not (path / CARD_NAME).exists() and (found := _strangers(path)):
        raise ConflictError(f"{path}: {found}")


def _strangers(path: Path) -> str | None:
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
