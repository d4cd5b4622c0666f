"""The `goldproof` command: subcommands, error messages and exit codes.

0   done
1   a gate failed
2   the input is wrong: one clear message, no traceback
3   no requested metric has a scored value
70  a mistake in Goldproof itself
130 interrupted while retrievers or models were asked
"""

from __future__ import annotations

import os
import sys
import traceback
from typing import TYPE_CHECKING, Annotated

import typer

from goldproof import __version__
from goldproof.cli import (
    build,
    compare,
    demo,
    doctor,
    evaluate,
    explain,
    judge,
    memory,
    mine,
    power,
    retrieve,
    trace,
    validate,
    verify,
)
from goldproof.errors import GoldproofError

if TYPE_CHECKING:
    from collections.abc import Sequence

INTERNAL_ERROR = 70

app = typer.Typer(
    name="goldproof",
    help="Ground truth for retrieval that you can prove, and retrieval numbers that you can defend.",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    add_completion=False,
    no_args_is_help=True,
)


def _print_version(*, wanted: bool) -> None:
    if wanted:
        typer.echo(f"goldproof {__version__}")
        raise typer.Exit


@app.callback()
def root(
    *,
    version: Annotated[
        bool,
        typer.Option("--version", callback=lambda v: _print_version(wanted=v), is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    """Ground truth for retrieval that you can prove, and retrieval numbers that you can defend."""


app.command("build", short_help="Build a benchmark from public datasets or your own.")(build.build)
app.command("combine", short_help="Put several benchmarks together.")(build.combine)
app.command("mine", short_help="Find which documents really answer a question, and which suffice.")(mine.mine)
app.command("verify", short_help="Prove benchmark questions right or wrong by running code.")(verify.verify)
app.command("replay", short_help="Run kept proofs again, against another version.")(verify.replay)
app.command("retrieve", short_help="Run a retriever over questions and write the run.")(retrieve.retrieve)
app.command("eval", short_help="Score runs against judgments and compare them.")(evaluate.evaluate)
app.command("compare", short_help="Compare score files from anywhere.")(compare.compare)
app.command("trace", short_help="Score an agent's searches, iteration by iteration.")(trace.trace)
app.add_typer(judge.app, name="judge", short_help="Compare a judge with human labels.")
app.add_typer(memory.app, name="memory", short_help="Benchmark and tune conversational memory.")
app.command("power", short_help="Plan a study before it is run.")(power.power)
app.command("explain", short_help="Show one question in detail.")(explain.explain)
app.command("metrics", short_help="List the metrics, or explain one.")(explain.metrics)
app.command("validate", short_help="Check that files are well-formed.")(validate.validate)
app.command("demo", short_help="Run the main job on the bundled example, offline.")(demo.demo)
app.command("doctor", short_help="Say what works on this machine.")(doctor.doctor)
app.add_typer(doctor.cache_app, name="cache", short_help="Show or clear the caches.")


def main(argv: Sequence[str] | None = None) -> None:
    """Run the command line; an error in the input ends in one message and its exit code."""
    try:
        app(args=None if argv is None else list(argv), prog_name="goldproof")
    except GoldproofError as error:
        _complain(str(error))
        sys.exit(error.exit_code)
    except BrokenPipeError:
        # The reader of our output went away (`goldproof ... | head`): no error, but stdout must not be flushed again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        _complain(f"{where}{error.strerror or error}")
        sys.exit(GoldproofError.exit_code)
    except Exception:  # noqa: BLE001 - a mistake of ours: shown whole, and never with the exit code of a failed gate
        traceback.print_exc()
        _complain("this is a mistake in Goldproof, not in your input; please report it with the lines above.")
        sys.exit(INTERNAL_ERROR)


def _complain(message: str) -> None:
    typer.echo(f"goldproof: {message}", err=True)
