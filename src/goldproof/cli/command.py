"""What every command does: ask under watch and limits, show, save, check gates, set the exit code."""

from __future__ import annotations

import shutil
import sys
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import typer

from goldproof.cli import options
from goldproof.errors import IdMismatchError, InputError, NothingScoredError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path

    from goldproof.llm.model import Estimate
    from goldproof.report import Table
    from goldproof.study import Result


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
        from goldproof.report import render

        for remark in remarks:
            typer.echo(remark, err=True)
        if self.json:
            print_json(content)
        else:
            typer.echo("\n".join(render(table, self.style) for table in tables), nl=False)


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


INTERRUPTED = 130


@contextmanager
def asking() -> Iterator[None]:
    """While retrievers are asked: what their code prints goes to stderr, and an interruption says what is kept."""
    try:
        with redirect_stdout(sys.stderr):
            yield
    except KeyboardInterrupt:
        typer.echo("interrupted; the answers so far are kept, and the same command goes on from there.", err=True)
        raise typer.Exit(INTERRUPTED) from None


class Limits(NamedTuple):
    """How models are asked, as the user said it."""

    max_cost: float | None
    price: str | None
    rate: float | None
    concurrency: int
    retry_failed: bool


@contextmanager
def judging(judge: str | None, limits: Limits) -> Iterator[None]:
    """Have the judge's models keep to the limits; without a judge nothing is loaded."""
    if judge is None:
        yield
        return
    from goldproof.llm.access import using_access

    with using_access(options.model_access(**limits._asdict())), asking():
        yield


def refuse_without_judge(**given: object) -> None:
    """Refuse options that have no effect without a judge that is asked now."""
    for name, value in given.items():
        if value not in (None, False):
            raise InputError(f"--{name.replace('_', '-')} has no effect without --judge SPEC; leave it out.")


def show_estimate(estimate: Estimate, *, facts: dict[str, object], lines: list[str], as_json: bool) -> None:
    """Print an estimate, for people or machines."""
    from dataclasses import asdict

    if as_json:
        print_json({"dry_run": True, **facts, "estimate": asdict(estimate)})
    else:
        typer.echo("\n".join([*lines, *_estimate_lines(estimate)]))


def _estimate_lines(estimate: Estimate) -> tuple[str, ...]:
    """Say what a command would cost."""
    calls = f"{estimate.calls:,} calls to models, {estimate.cached:,} more answers are kept already"
    tokens = f"about {estimate.tokens_in:,} tokens read and {estimate.tokens_out:,} written"
    cost = "the price is not known; give it with --price IN,OUT" if estimate.cost is None else f"${estimate.cost:.4f}"
    return (calls, tokens, f"about {cost}" if estimate.cost is not None else cost)
