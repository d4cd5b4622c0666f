"""The `goldproof` command: subcommands, error messages and exit codes.

0   done
1   a gate failed
2   the input is wrong: one clear message, no traceback
3   no requested metric has a scored value
70  a mistake in Goldproof itself
130 interrupted (Ctrl-C)
"""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Annotated, Any

import typer

from goldproof import __version__
from goldproof.cli.help import WIDTH, HelpCommand, HelpGroup
from goldproof.errors import GoldproofError
from goldproof.plugins import load_object

if TYPE_CHECKING:
    from collections.abc import Sequence

INTERNAL_ERROR = 70

# Command -> where it is, and what it is for. A command's module, and with it its job, is loaded when it is named.
COMMANDS = {
    "build": ("build:build", "Build a retrieval benchmark from datasets or your own files."),
    "combine": ("build:combine", "Combine several benchmarks into one, without duplicates."),
    "ask": ("ask:ask", "Draft questions from your documents, each with its answer and a quote."),
    "mine": ("mine:mine", "Find which documents answer each question, and write the qrels."),
    "verify": ("verify:verify", "Check the answer options of benchmark questions by running code."),
    "replay": ("verify:replay", "Run the proofs of an audit again, against another library version."),
    "retrieve": ("retrieve:retrieve", "Run a retriever over questions and write the run."),
    "eval": ("evaluate:evaluate", "Score runs or retrievers against qrels, and test which is better."),
    "compare": ("compare:compare", "Test which system is better, from per-question scores of any tool."),
    "trace": ("trace:trace", "Score an agent's searches: what each iteration added or repeated."),
    "judge": ("judge:app", "Measure how far a judge can be trusted."),
    "memory": ("memory:app", "Benchmark and tune conversational memory."),
    "power": ("power:power", "Plan a study: how many questions show which difference."),
    "explain": ("explain:explain", "Show why a question scored as it did, or which ones cost most."),
    "metrics": ("explain:metrics", "List the metrics, or explain one."),
    "validate": ("validate:validate", "Check that input files are well-formed, and list what is wrong."),
    "demo": ("demo:demo", "Run the main jobs on bundled data, offline."),
    "doctor": ("doctor:doctor", "Check the installation, and say what each missing extra would add."),
    "cache": ("doctor:cache_app", "Show or clear the caches."),
}
# What one wants -> the commands for it, in the order of the help.
PURPOSES = {
    "Make ground truth": ("build", "combine", "ask", "mine", "verify", "replay", "judge"),
    "Measure": ("eval", "retrieve", "trace", "memory"),
    "Compare and plan": ("compare", "power"),
    "Inspect": ("explain", "metrics", "validate"),
    "Set up": ("demo", "doctor", "cache"),
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
            width = {"max_content_width": WIDTH}
            app.command(name, cls=HelpCommand, context_settings=width)(function)  # type: ignore[type-var]
        return typer.main.get_command(app)

    def __iter__(self) -> Iterator[str]:
        return iter(COMMANDS)

    def __len__(self) -> int:
        return len(COMMANDS)


class _Group(HelpGroup):
    """The group of all commands; its help loads none of them."""

    def __init__(self, **settings: Any) -> None:  # noqa: ANN401 - as typer makes a group
        super().__init__(**settings)
        self.commands: Any = _Commands()

    def invoke(self, ctx: Any) -> Any:  # noqa: ANN401 - as above
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:  # where the command says nothing itself, or is still being loaded
            from goldproof.cli.command import interruptible

            with interruptible():
                raise

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ANN401, ARG002 - click is private to typer
        return list(COMMANDS)

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ANN401, ARG002 - as above
        width = max(map(len, COMMANDS))
        for purpose, names in by_purpose().items():
            with formatter.section(purpose):
                formatter.write_dl([(name.ljust(width), COMMANDS[name][1]) for name in names])

    def format_epilog(self, ctx: Any, formatter: Any) -> None:  # noqa: ANN401, ARG002 - as above
        formatter.write("\n'goldproof COMMAND --help' shows examples and options. Start with: goldproof demo\n")


def by_purpose() -> dict[str, tuple[str, ...]]:
    """Return the commands by what one wants; those that no purpose names come last."""
    named = {name for names in PURPOSES.values() for name in names}
    return {
        **PURPOSES,
        **({"More": others} if (others := tuple(name for name in COMMANDS if name not in named)) else {}),
    }


app = _new_app(
    name="goldproof",
    help="Ground truth for retrieval that you can prove, and retrieval numbers that you can defend.",
    cls=_Group,
    no_args_is_help=True,
    context_settings={"max_content_width": WIDTH},
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
