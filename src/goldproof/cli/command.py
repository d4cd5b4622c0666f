"""Steps that commands share: check outputs, ask within limits, save and print a result, check gates, exit."""

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

    from goldproof.llm import Estimate
    from goldproof.report import Table
    from goldproof.study import Result

INTERRUPTED = 130


class Limits(NamedTuple):
    """The options that limit how models are asked."""

    max_cost: float | None
    price: str | None
    rate: float | None
    concurrency: int
    retry_failed: bool


@dataclass(frozen=True, slots=True)
class Output:
    """Where a result is written, and how it is printed."""

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
    """Where the result of a study is written, how it is printed, and which gates it must pass."""

    out: Path | None
    force: bool
    json: bool
    style: str
    fail_if: Sequence[str]
    junit: Path | None
    suite: str


def check_junit(path: Path | None, inputs: Iterable[Path]) -> None:
    """Refuse, before any work, a JUnit file that cannot be written or would replace an input."""
    if path is None:
        return
    if not path.parent.is_dir():
        raise InputError(f"--junit {path}: there is no folder {path.parent}; make it first.")
    if path.exists() and (not path.is_file() or any(path.samefile(file) for file in inputs if file.exists())):
        raise InputError(f"--junit {path}: is an input, a folder or a device; name a file of its own.")


@contextmanager
def asking() -> Iterator[None]:
    """While retrievers and models are asked: send prints of user code to stderr, and report an interruption."""
    try:
        with redirect_stdout(sys.stderr):
            yield
    except KeyboardInterrupt:
        typer.echo("interrupted; the answers so far are kept, and the same command goes on from there.", err=True)
        raise typer.Exit(INTERRUPTED) from None


@contextmanager
def judging(judge: str | None, limits: Limits) -> Iterator[None]:
    """Ask the judge's models within the limits; without a judge nothing is loaded."""
    if judge is None:
        yield
        return
    from goldproof.llm import using_access

    with using_access(options.model_access(**limits._asdict())), asking():
        yield


def refuse_without_judge(**judge_options: object) -> None:
    """Refuse options that have no effect unless a judge is asked."""
    for name, value in judge_options.items():
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
    """Return what a command would cost, in words."""
    calls = f"{estimate.calls:,} calls to models, {estimate.cached:,} more answers are kept already"
    tokens = f"about {estimate.tokens_in:,} tokens read and {estimate.tokens_out:,} written"
    cost = "the price is not known; give it with --price IN,OUT" if estimate.cost is None else f"${estimate.cost:.4f}"
    return (calls, tokens, f"about {cost}" if estimate.cost is not None else cost)


def deliver(result: Result, delivery: Delivery, *, when_told: Callable[[], None] | None = None) -> None:
    """Check the gates, write the files, print the result, and exit with the code of the gates.

    when_told: called when everything is written and printed.
    """
    result = result.gated(delivery.fail_if)
    if delivery.out is not None:
        result.save(delivery.out, force=delivery.force)
        typer.echo(f"written to {delivery.out}", err=True)
    present(result, delivery, when_told=when_told)


def present(result: Result, delivery: Delivery, *, when_told: Callable[[], None] | None = None) -> None:
    """Print a result whose gates are checked and whose files are written, and exit with the code of the gates."""
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


def too_wide(text: str) -> bool:
    """Whether the table's lines would wrap on this terminal; a file or a pipe takes any width."""
    first_line = text.partition("\n")[0]
    return sys.stdout.isatty() and len(first_line) > shutil.get_terminal_size().columns


def print_json(document: dict[str, object]) -> None:
    """Print one JSON document, numbers as in the files."""
    from goldproof.io import json_text

    typer.echo(json_text(document), nl=False)
