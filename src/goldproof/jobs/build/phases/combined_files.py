"""Where a combined benchmark goes, and whether it may go there.

No input is overwritten, and no two outputs are one file. What is there already is replaced only where its card is of
the same job, or by force.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from goldproof.errors import ConflictError, InputError
from goldproof.io.datasets.beir import BEIR_FILES
from goldproof.io.storage.cards import card_differences, card_key, read_card
from goldproof.io.text_files import file_stem
from goldproof.jobs.build.phases.provenance import card_path

if TYPE_CHECKING:
    from collections.abc import Iterable

    from goldproof.records.entities import Card


@dataclass(frozen=True, slots=True)
class CombinedFiles:
    """The files of a combined benchmark; beir: None where no folder is wanted."""

    output: Path
    manifest: Path
    card: Path
    beir: Path | None = None

    @classmethod
    def named(cls, output: Path | str, *, manifest: Path | str | None, beir: Path | str | None) -> CombinedFiles:
        """Return the files; the manifest is called after the benchmark unless it has a name, the card always."""
        output = Path(output)
        return cls(
            output=output,
            manifest=output.with_name(f"{file_stem(output)}_manifest.csv") if manifest is None else Path(manifest),
            card=card_path(output),
            beir=None if beir is None else Path(beir),
        )

    def check(self, inputs: Iterable[Path]) -> None:
        """Refuse names that would overwrite an input or each other."""
        own = [path for path in (self.output, self.manifest, self.card, self.beir) if path is not None]
        for path in own[:3]:
            if path.suffix == ".gz":
                raise InputError(f"{path}: is written as plain text; leave .gz out.")
            if path.is_dir():
                raise InputError(f"{path}: is a folder, expected the name of a file to write.")
        if self.beir is not None and self.beir.exists() and not self.beir.is_dir():
            raise InputError(f"--beir {self.beir}: is a file, expected a folder to write to.")
        taken = {path.resolve(): path for path in inputs}
        parts = [] if self.beir is None else [self.beir / name for name in BEIR_FILES]
        for path in (*own, *parts):
            if path.resolve() in taken:
                raise InputError(f"{path}: is an input or named twice; give each output a name of its own.")
            taken[path.resolve()] = path

    def check_free(self, card: Card, *, force: bool) -> None:
        """Refuse to replace something else unless forced."""
        there = [path for path in (self.output, self.manifest, self.card) if path.exists()]
        if self.beir is not None and self.beir.is_dir() and any(self.beir.iterdir()):
            there.append(self.beir)
        if not there or force:
            return
        advice = "Give other names, or replace it with --force."
        try:
            differences = card_differences(read_card(self.card), card)
            same = card_key(read_card(self.card)) == card_key(card)
        except InputError:
            raise ConflictError(f"{there[0]}: is there already, without a card of this job.\n  {advice}") from None
        if not same:
            raise ConflictError(f"{there[0]}: holds something else ({'; '.join(differences)}).\n  {advice}")
