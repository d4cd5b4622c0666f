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
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from goldproof import __version__
from goldproof.errors import GoldproofError
from goldproof.plugins import load_object

if TYPE_CHECKING:
    from collections.abc import Sequence

INTERNAL_ERROR = 70

# Command -> where it is, and what it is for. A command's module, and with it its job, is loaded when it is named.
COMMANDS = {
    "build": ("build:build", "Build a benchmark from public datasets or your own."),
    "combine": ("build:combine", "Put several benchmarks together."),
    "ask": ("ask:ask", "Draft questions from your own documents with a model."),
    "mine": ("mine:mine", "Find which documents really answer a question, and which suffice."),
    "verify": ("verify:verify", "Prove benchmark questions right or wrong by running code."),
    "replay": ("verify:replay", "Run kept proofs again, against another version."),
    "retrieve": ("retrieve:retrieve", "Run a retriever over questions and write the run."),
    "eval": ("evaluate:evaluate", "Score runs against judgments and compare them."),
    "compare": ("compare:compare", "Compare score files from anywhere."),
    "trace": ("trace:trace", "Score an agent's searches, iteration by iteration."),
    "judge": ("judge:app", "Compare a judge with human labels."),
    "memory": ("memory:app", "Benchmark and tune conversational memory."),
    "power": ("power:power", "Plan a study before it is run."),
    "explain": ("explain:explain", "Show one question in detail."),
    "metrics": ("explain:metrics", "List the metrics, or explain one."),
    "validate": ("validate:validate", "Check that files are well-formed."),
    "demo": ("demo:demo", "Run the main job on the bundled example, offline."),
    "doctor": ("doctor:doctor", "Say what works on this machine."),
    "cache": ("doctor:cache_app", "Show or clear the caches."),
}


def _new_app(**settings: Any) -> typer.Typer:  # noqa: ANN401 - as typer.Typer takes them
    return typer.Typer(
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        add_completion=False,
        **settings,
    )


class _Commands(Mapping[str, Any]):
    """The commands by name, each made when it is asked for."""

    def __getitem__(self, name: str) -> Any:  # noqa: ANN401 - click is private to typer
        if name not in COMMANDS:
            raise KeyError(name)
        app = load_object(f"goldproof.cli.{COMMANDS[name][0]}")
        if not isinstance(app, typer.Typer):
            function, app = app, _new_app()
            app.command(name)(function)  # type: ignore[type-var]
        return typer.main.get_command(app)

    def __iter__(self) -> Iterator[str]:
        return iter(COMMANDS)

    def __len__(self) -> int:
        return len(COMMANDS)


class _Group(TyperGroup):
    """The group of all commands; its help loads none of them."""

    def __init__(self, **settings: Any) -> None:  # noqa: ANN401 - as typer makes a group
        super().__init__(**settings)
        self.commands: Any = _Commands()

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ANN401, ARG002 - click is private to typer
        return list(COMMANDS)

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ANN401, ARG002 - as above
        with formatter.section("Commands"):
            formatter.write_dl([(name, short_help) for name, (_, short_help) in COMMANDS.items()])


app = _new_app(
    name="goldproof",
    help="Ground truth for retrieval that you can prove, and retrieval numbers that you can defend.",
    cls=_Group,
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
