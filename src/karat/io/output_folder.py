"""The folder given as `--out`: one writer at a time, and never two different things in it.

A card with the same inputs, settings and seed: the folder is resumed or overwritten. Another card, or files that are
not ours: refused, naming what differs, unless forced.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Self

from karat.core.errors import ConflictError, InputError
from karat.io.cards import CARD_NAME, card_differences, card_key, read_card, write_card
from karat.io.folder_lock import FolderLock

if TYPE_CHECKING:
    from collections.abc import Iterable
    from types import TracebackType

    from karat.core.records import Card


class OutputFolder:
    """A folder that is locked and checked on entry, and unlocked on exit.

    artefacts: the files the job writes there; with `force` those of another job's making are removed first.
    resumed: whether the folder already held the same job.
    """

    def __init__(self, path: Path | str, *, card: Card, artefacts: Iterable[str] = (), force: bool = False) -> None:
        self.path = Path(path)
        self.card = card
        self.resumed = False
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
            self._check()
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

    def finish(self, card: Card) -> None:
        """Write the final card (with counts), which must be of the same job."""
        if card_key(card) != card_key(self.card):
            raise ConflictError(f"{self.path}: the final card is of another job: {_list(self.card, card)}.")
        write_card(self.path / CARD_NAME, card)

    def _check(self) -> None:
        card_path = self.path / CARD_NAME
        if card_path.exists():
            old = self._old_card(card_path)
            if old is not None and card_key(old) == card_key(self.card):
                self.resumed = True
                return
            if not self._force:
                what = "a card that cannot be read" if old is None else f"something else ({_list(old, self.card)})"
                raise ConflictError(f"{self.path}: holds {what}.\n  Give another folder, or replace it with --force.")
            self._remove_artefacts()
        elif not self._force:
            self._refuse_strangers()
        write_card(card_path, self.card)

    def _old_card(self, path: Path) -> Card | None:
        try:
            return read_card(path)
        except InputError:
            return None

    def _refuse_strangers(self) -> None:
        names = sorted(p.name for p in self.path.iterdir() if not p.name.startswith("."))
        if names:
            shown = ", ".join(names[:5]) + (", ..." if len(names) > 5 else "")
            raise ConflictError(
                f"{self.path}: is not empty and has no {CARD_NAME} (found {shown}).\n"
                "  Give another folder, or write into this one with --force."
            )

    def _remove_artefacts(self) -> None:
        for name in self._artefacts:
            (self.path / name).unlink(missing_ok=True)


def _list(old: Card, new: Card) -> str:
    return "; ".join(card_differences(old, new))
