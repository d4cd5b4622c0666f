"""Where the result of a job goes, and how it is shown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import typer

from goldproof.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from goldproof.report import Table


@dataclass(frozen=True, slots=True)
class Output:
    """Where the result goes, and how it is shown."""

    folder: Path | None
    force: bool
    json: bool
    style: str

    def place(self) -> Path:
        """Return the folder to write to."""
        if self.folder is None:
            raise InputError("name a folder to write to: --out DIR.")
        return self.folder

    def show(self, tables: Iterable[Table], content: dict[str, object], *, remarks: Iterable[str]) -> None:
        """Print a result for people or for machines."""
        from goldproof.cli.present import print_json
        from goldproof.report import render

        for remark in remarks:
            typer.echo(remark, err=True)
        if self.json:
            print_json(content)
        else:
            typer.echo("\n".join(render(table, self.style) for table in tables), nl=False)
