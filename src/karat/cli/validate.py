"""`karat validate`: is this file well-formed?"""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from karat.cli import options

if TYPE_CHECKING:
    from karat.io import Validation


def validate(
    files: Annotated[list[Path], typer.Argument(metavar="FILE [...]", help="Runs, judgments, datasets, score files.")],
    kind: Annotated[
        str | None, typer.Option("--kind", help="What it should be: judgments, ranking, scores or dataset.")
    ] = None,
    json: options.AsJson = False,
) -> None:
    """Check that files are well-formed, and list all that is wrong with them. Exit code 2 if anything is."""
    from karat.cli.present import print_json
    from karat.io import validate_file

    validations = [validate_file(path, kind=kind) for path in files]
    if json:
        print_json({"files": [{**asdict(found), "path": str(found.path), "ok": found.ok} for found in validations]})
    else:
        for found in validations:
            typer.echo(_described(found))
    if not all(found.ok for found in validations):
        raise typer.Exit(2)


def _described(found: Validation) -> str:
    counts = ", ".join(f"{n:,} {name.replace('_', ' ')}" for name, n in found.counts.items())
    state = "well-formed" if found.ok else f"{found.n_findings:,} problem{'s' * (found.n_findings != 1)}"
    lines = [f"{found.path}: {found.kind}" + (f" ({counts})" if counts else "") + f": {state}"]
    for finding in found.findings:
        where = "" if finding.line is None else f"line {finding.line}: "
        lines.append(f"  {where}{finding.problem}")
    if found.n_findings > len(found.findings):
        lines.append(f"  ... and {found.n_findings - len(found.findings):,} more")
    if found.unused:
        lines.append(f"  not used: {', '.join(found.unused)}")
    hints = dict.fromkeys(finding.hint for finding in found.findings if finding.hint)
    return "\n".join([*lines, *(f"  {hint}" for hint in hints)])
