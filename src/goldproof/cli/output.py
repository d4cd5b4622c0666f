"""Results on the command line: `--out`, `--json`, `--format`, gates, estimates, exit codes."""

import shutil
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, ClassVar

import typer

from goldproof.cli.command import interruptible
from goldproof.cli.progress import ProgressLine
from goldproof.errors import IdMismatchError, InputError, NothingScoredError

if TYPE_CHECKING:
    from collections.abc import Callable

    from goldproof.io import OutputFolder
    from goldproof.llm import Estimate
    from goldproof.report import JobResult, Table
    from goldproof.study import Result


AsJson = Annotated[bool, typer.Option("--json", help="Print the result as one JSON document.")]
Format = Annotated[
    str, typer.Option("--format", metavar="FORMAT", help="How tables are printed: table, markdown, latex, csv or html.")
]
Wide = Annotated[bool, typer.Option("--wide", help="Print every table with every column; by default 100 columns.")]
AllNotes = Annotated[bool, typer.Option("--notes", help="Print every note; by default the first five.")]
Force = Annotated[bool, typer.Option("--force", help="Replace the result of other inputs in --out.")]

PAPER_FORMATS = ("paper-markdown", "paper-csv")


@dataclass(frozen=True, slots=True)
class Printing:
    """How a result is printed."""

    json: AsJson = False
    format: Format = "table"
    wide: Wide = False
    notes: AllNotes = False

    more_formats: ClassVar[tuple[str, ...]] = ()

    def __post_init__(self) -> None:
        """Refuse an unknown format before any work is done for it."""
        from goldproof.report.tables import check_style

        check_style(self.format, also=self.more_formats)

    def show(self, tables: "Iterable[Table]", content: dict[str, object], *, remarks: Iterable[str] = ()) -> None:
        """Print tables for people, or content for machines; remarks go to stderr."""
        self._show_remarks(remarks)
        if self.json:
            print_json(content)
        else:
            self._print(tables)

    def show_result(self, result: "JobResult") -> None:
        """Print a result: conclusion, tables, notes. As JSON or CSV it is data alone, and the notes go to stderr."""
        if self.json or self.format.endswith("csv"):
            self._show_remarks(result.remarks)
            flat = result.flat_table()
            if self.json:
                print_json(result.to_dict())
            elif self.format in PAPER_FORMATS:
                typer.echo(result.document(self.format), nl=False)
            else:
                self._print([flat] if flat is not None else result.tables(wide=True))
        elif self.format == "table":
            typer.echo(result.text(wide=self.wide, notes=self.notes, width=terminal_width()))
        else:
            typer.echo(result.document(self.format, wide=self.wide), nl=False)

    def _print(self, tables: "Iterable[Table]") -> None:
        from goldproof.report import render

        width = None if self.wide else terminal_width()
        typer.echo("\n".join(render(table, self.format, width=width) for table in tables), nl=False)

    def _show_remarks(self, remarks: Iterable[str]) -> None:
        for remark in remarks:
            typer.echo(remark, err=True)

    def show_estimate(self, estimate: "Estimate", *, facts: dict[str, object], lines: list[str]) -> None:
        """Print what a command would cost."""
        from dataclasses import asdict

        if self.json:
            print_json({"dry_run": True, **facts, "estimate": asdict(estimate)})
        else:
            typer.echo("\n".join([*lines, *_estimate_lines(estimate)]))


@dataclass(frozen=True, slots=True)
class Output(Printing):
    """Where a result is written, and how it is printed."""

    out: Annotated[
        Path | None, typer.Option("--out", metavar="DIR", help="Write the report and all files to this folder.")
    ] = None
    force: Force = False

    @contextmanager
    def claimed(self, folder: Path | None = None, *, force: bool = False) -> "Iterator[OutputFolder | None]":
        """Lock the folder and try to write there before work begins; None without --out."""
        from goldproof.io import OutputFolder

        if (path := folder or self.out) is None:
            yield None
            return
        with OutputFolder(path, force=self.force or force) as claimed:
            yield claimed

    def save(self, result: "JobResult", folder: "OutputFolder | None") -> None:
        """Write a result where a folder is claimed for it."""
        if folder is not None:
            unfinished = f"{folder.path} is not complete; the same command writes it again."
            with interruptible(unfinished), ProgressLine(f"writing {folder.path}"):
                result.save(folder)
            typer.echo(f"written to {folder.path}", err=True)

    def deliver(self, result: "JobResult", folder: "OutputFolder | None") -> None:
        """Write and print a result."""
        self.save(result, folder)
        self.show_result(result)


@dataclass(frozen=True, slots=True)
class StudyOutput(Output):
    """Where the result of a study and its gates are written, and how it is printed."""

    format: Annotated[
        str,
        typer.Option(
            "--format",
            metavar="FORMAT",
            help="table, markdown, html or csv; for a paper, systems x metrics: latex, paper-markdown or paper-csv.",
        ),
    ] = "table"
    more_formats: ClassVar[tuple[str, ...]] = PAPER_FORMATS

    junit: Annotated[
        Path | None, typer.Option("--junit", metavar="FILE", help="Write the outcome of --fail-if as JUnit XML.")
    ] = None

    def changed(self) -> list[str]:
        """Return the flags of what would be written."""
        flags = {"--out": self.out is not None, "--force": self.force, "--junit": self.junit is not None}
        return [flag for flag, given in flags.items() if given]

    def check_junit(self, inputs: Iterable[Path]) -> None:
        """Refuse, before any work, a JUnit file that cannot be written or would replace an input."""
        path = self.junit
        if path is None:
            return
        if not path.parent.is_dir():
            raise InputError(f"--junit {path}: there is no folder {path.parent}; make it first.")
        if path.exists() and (not path.is_file() or any(_holds(file, path) for file in inputs if file.exists())):
            raise InputError(f"--junit {path}: is an input, a folder or a device; name a file of its own.")

    def deliver_study(
        self,
        result: "Result",
        folder: "OutputFolder | None",
        *,
        suite: str,
        when_told: "Callable[[], None] | None" = None,
    ) -> None:
        """Write and print a result whose gates are checked, and exit with the code of the gates.

        suite: of the JUnit file. when_told: called when everything is written and printed.
        """
        with ProgressLine("intervals and tests"):
            result.tables()  # which computes them; they are kept
        self.save(result, folder)
        if self.junit is not None:
            from goldproof.io import write_text
            from goldproof.study import junit_xml

            write_text(self.junit, junit_xml(result.study, result.gates, suite=suite))
        self.show_result(result)
        if when_told is not None:
            when_told()
        _exit_by_gates(result)


def _holds(given: Path, path: Path) -> bool:
    """Return whether a path is a file that was given, or lies in a folder that was."""
    return path.samefile(given) or (given.is_dir() and path.resolve().is_relative_to(given.resolve()))


def _exit_by_gates(result: "Result") -> None:
    for checked in result.gates:
        for failure in checked.failures:
            typer.echo(f"gate '{checked.gate.text}': {failure}", err=True)
    if result.left_out:
        raise IdMismatchError("left out, the other runs are scored: " + "\n".join(result.left_out.values()))
    if not result.has_answers:
        raise NothingScoredError("no requested metric has a scored value; the notes below the table say why.")
    if any(not checked.passed for checked in result.gates):
        raise typer.Exit(1)


def _estimate_lines(estimate: "Estimate") -> tuple[str, ...]:
    """Return what a command would cost, in words."""
    calls = f"{estimate.calls:,} calls to models, {estimate.cached:,} more answers are kept already"
    tokens = f"about {estimate.tokens_in:,} tokens read and {estimate.tokens_out:,} written"
    cost = "the price is not known; give it with --price IN,OUT" if estimate.cost is None else f"${estimate.cost:.4f}"
    return (calls, tokens, f"about {cost}" if estimate.cost is not None else cost)


def terminal_width() -> int:
    """Return how many columns a table may take: 100, or what a smaller terminal has."""
    from goldproof.report.result import WIDTH

    return min(WIDTH, shutil.get_terminal_size().columns) if sys.stdout.isatty() else WIDTH


def print_json(document: dict[str, object]) -> None:
    """Print one JSON document, numbers as in the files."""
    from goldproof.io import json_text

    typer.echo(json_text(document), nl=False)
