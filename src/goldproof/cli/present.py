"""Delivering a result: on stdout for people or machines, in a folder, as JUnit, and as an exit code."""

from __future__ import annotations

import shutil
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

import typer

from goldproof.errors import IdMismatchError, InputError, NothingScoredError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path

    from goldproof.study import Result


@dataclass(frozen=True, slots=True)
class Delivery:
    """Where a result goes, and which gates it must pass."""

    out: Path | None
    force: bool
    json: bool
    style: str
    fail_if: Sequence[str]
    junit: Path | None
    suite: str


def deliver(result: Result, delivery: Delivery, *, when_told: Callable[[], None] | None = None) -> None:
    """Check the gates, write the files, print the result, and leave with the right exit code.

    when_told: called when all is written and printed.
    """
    result = result.gated(delivery.fail_if)
    if delivery.out is not None:
        result.save(delivery.out, force=delivery.force)
        typer.echo(f"written to {delivery.out}", err=True)
    present(result, delivery, when_told=when_told)


def present(result: Result, delivery: Delivery, *, when_told: Callable[[], None] | None = None) -> None:
    """Print a result whose gates are checked and whose files are written, and leave with the right exit code."""
    if delivery.junit is not None:
        _write_junit(delivery.junit, result, suite=delivery.suite)
    if result.headline and not delivery.json and delivery.style != "csv":
        typer.echo(f"{result.headline}\n")
    for remark in result.remarks:
        typer.echo(remark, err=True)
    if delivery.json:
        print_json(result.to_dict())
    else:
        _print_result(result, style=delivery.style)
    if when_told is not None:
        when_told()
    _finish(result)


def _print_result(result: Result, *, style: str) -> None:
    from goldproof.report import render
    from goldproof.study import flat_table

    if style == "csv":
        typer.echo(render(flat_table(result.study), style), nl=False)
        return
    tables = [render(table, style) for table in result.tables()]
    if style == "table" and any(map(too_wide, tables)):
        tables = [render(table, style) for table in result.tables(narrow=True)]
    typer.echo("\n".join(tables), nl=False)


def too_wide(text: str) -> bool:
    """Whether the table's lines would wrap on this terminal; a file or a pipe takes any width."""
    first_line = text.partition("\n")[0]
    return sys.stdout.isatty() and len(first_line) > shutil.get_terminal_size().columns


def print_json(document: dict[str, object]) -> None:
    """Print one JSON document, numbers as in the files."""
    from goldproof.io import json_text

    typer.echo(json_text(document), nl=False)


def check_junit(path: Path | None, inputs: Iterable[Path]) -> None:
    """Refuse, before any work, a JUnit file that cannot be written or would replace an input."""
    if path is None:
        return
    if not path.parent.is_dir():
        raise InputError(f"--junit {path}: there is no folder {path.parent}; make it first.")
    if path.exists() and (not path.is_file() or any(path.samefile(one) for one in inputs if one.exists())):
        raise InputError(f"--junit {path}: is an input, a folder or a device; name a file of its own.")


def _write_junit(path: Path, result: Result, *, suite: str) -> None:
    from goldproof.io import write_text
    from goldproof.study import junit_xml

    write_text(path, junit_xml(result.study, result.gates, suite=suite))


def _finish(result: Result) -> None:
    for checked in result.gates:
        for failure in checked.failures:
            typer.echo(f"gate '{checked.gate.text}': {failure}", err=True)
    if result.left_out:
        raise IdMismatchError("left out, the other runs are scored: " + "\n".join(result.left_out.values()))
    if not result.study.has_scores:
        raise NothingScoredError("no requested metric has a scored value; the notes below the table say why.")
    if any(not checked.passed for checked in result.gates):
        raise typer.Exit(1)
