"""Help of commands: what for, examples that run, and options under headings.

    @examples(("Score two runs against qrels.", "goldproof eval --qrels qrels.trec --run a=a.trec --run b=b.trec"))
    @command(evaluate_runs)
    def evaluate(...)

A flag means the same in every command, so one table says which heading it stands under, and in which order.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import typer
from typer.core import TyperCommand, TyperGroup

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

C = TypeVar("C", bound="Callable[..., object]")
OTHER = "Other"
WIDTH = 100
_FEW = 6
_RANGE = re.compile(r"(; |  \[)x>=\d+(\]|; )")

# Heading -> its flags, both in the order of the help. "eval:--queries" is the flag of that command alone.
HEADINGS = {
    "Input": """--dataset --qrels --spans --run --system --split --queries --questions --corpus --cases --from --source
        --case --against --human --judgments --exclude --skip-bad --kind --human-scale --judge-scale""",
    "Questions": "ask:--n --multi ask:--by",
    "Candidates": "--random --hard --dense --extend --discover mine:--depth --sheet --candidates-only",
    "Judging": "--judge --match --kernels --no-context",
    "Proofs": "--prover verify:--model --steps replay:--baseline",
    "Sampling": "--quota --unanswerable build:--seed combine:--near-duplicates",
    "Retrievers": "--retriever --k --filter --now --timeout --fresh",
    "Memory systems": """--memory memory-run:--k memory-run:--timeout memory-run:--fresh --self-check
        memory-tune:--baseline memory-tune:--k --trials --objective --space""",
    "Metrics": """--metrics --metric --threshold --dedup --rules --near-duplicates --carry --pool --up-to --criteria
        eval:--queries --no-relevant --depth --unjudged --ignore-identical-ids""",
    "Questions to show": "--query --losses explain:--baseline --top",
    "Statistics": """--baseline --pairs --primary --margin --test --by --cluster --clusters --intersect
        --lower-is-better --maximise --width --seed""",
    "What is planned": "power:--n --effect --power --alpha --alternative",
    "An interval": "--half-width --sd --confidence",
    "Metrics of 0 and 1": "--p10 --p01",
    "Clusters": "--design-effect --cluster-size --icc",
    "Gates": "--fail-if --strict --junit",
    "Sandbox": "--isolation --container --unsafe --seconds --workers",
    "Models and budget": "--model --max-cost --price --rate --concurrency --retry-failed --dry-run",
    "Output": """--out --force --name --output --manifest --beir --json --format --wide --notes --explain --all
        --check --list --yes --help""",
}


class Example(NamedTuple):
    """A command line that runs, and what it is for."""

    purpose: str
    line: str


def examples(*shown: tuple[str, str]) -> Callable[[C], C]:
    """Attach examples to a command: (what for, command line) each."""

    def decorate(function: C) -> C:
        function.examples = tuple(Example(*each) for each in shown)  # type: ignore[attr-defined]
        return function

    return decorate


class HelpCommand(TyperCommand):
    """A command whose help has examples, and options under headings."""

    @property
    def examples(self) -> tuple[Example, ...]:
        """The examples of its function."""
        shown: tuple[Example, ...] = getattr(self.callback, "examples", ())
        return shown

    def collect_usage_pieces(self, ctx: Any) -> list[str]:  # noqa: ANN401 - click is private to typer
        """Return what stands behind the command's name: FILE..., not {FILE [...]}...."""
        arguments = [param for param in self.get_params(ctx) if param.param_type_name == "argument"]
        return [self.options_metavar or "", *map(_usage, arguments)]

    def format_help_text(self, ctx: Any, formatter: Any) -> None:  # noqa: ANN401 - as above
        """Write what the command is for, and its examples."""
        super().format_help_text(ctx, formatter)
        if not self.examples:
            return
        with formatter.section("Examples"):
            for number, example in enumerate(self.examples):
                formatter.write("\n" * bool(number))
                formatter.write(f"{' ' * formatter.current_indent}# {example.purpose}\n")
                formatter.write(f"{' ' * formatter.current_indent}{_wrapped(example.line, formatter)}\n")

    def format_options(self, ctx: Any, formatter: Any) -> None:  # noqa: ANN401 - as above
        """Write arguments and options; those of a command that has many stand under headings."""
        shown = [param for param in self.get_params(ctx) if not getattr(param, "hidden", False)]
        arguments = [_record(param, ctx) for param in shown if param.param_type_name == "argument"]
        options = {param.opts[-1]: _record(param, ctx) for param in shown if param.param_type_name == "option"}
        sections: Mapping[str, Sequence[tuple[str, str]]] = {"Arguments": arguments, "Options": list(options.values())}
        if len(options) > _FEW:
            sections = {"Arguments": arguments, **_sections(options, command=ctx.command_path)}
        for heading, records in sections.items():
            if records:
                with formatter.section(heading):
                    formatter.write_dl(records)


class HelpGroup(TyperGroup):
    """A group of commands, each with the whole first line of its help."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ANN401, ARG002 - click is private to typer
        """Write the commands."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, first_line(command.help)) for name, command in self.commands.items()])


def new_group(text: str) -> typer.Typer:
    """Return an app for commands of one subject, such as `goldproof memory`."""
    return typer.Typer(help=text, cls=HelpGroup, rich_markup_mode=None, no_args_is_help=True, add_completion=False)


def first_line(text: str | None) -> str:
    """Return the first paragraph of a help text in one line."""
    return " ".join((text or "").partition("\n\n")[0].split())


def place_of(flag: str, *, command: str) -> tuple[str, int]:
    """Return the heading of a flag in the help of a command, such as "memory run", and its place in the order."""
    entries = [(each, heading) for heading, flags in HEADINGS.items() for each in flags.split()]
    places = {each: (heading, place) for place, (each, heading) in enumerate(entries)}
    return places.get(f"{command.replace(' ', '-')}:{flag}") or places.get(flag) or (OTHER, len(entries))


def _sections(options: Mapping[str, tuple[str, str]], *, command: str) -> dict[str, list[tuple[str, str]]]:
    """Return the options by heading."""
    name = command.partition(" ")[2]
    places = {flag: place_of(flag, command=name) for flag in options}
    sections: dict[str, list[tuple[str, str]]] = {heading: [] for heading in (*HEADINGS, OTHER)}
    for flag in sorted(options, key=lambda flag: places[flag][1]):
        sections[places[flag][0]].append(options[flag])
    return sections


def _record(param: Any, ctx: Any) -> tuple[str, str]:  # noqa: ANN401 - click is private to typer
    """Return a parameter and its help, without types and bounds in the language of programmers."""
    name, text = param.get_help_record(ctx)
    if param.param_type_name == "argument":
        name = param.metavar or param.name.upper()
    text = _RANGE.sub(lambda found: found[2] if found[1] == "; " else "" if found[2] == "]" else "  [", text)
    return name, text


def _usage(param: Any) -> str:  # noqa: ANN401 - as above
    name = param.metavar or param.name.upper()
    if param.nargs != 1 and "..." not in name:
        name = f"{name}..."
    return name if param.required or name.startswith("[") else f"[{name}]"


def _wrapped(line: str, formatter: Any) -> str:  # noqa: ANN401 - as above
    """Return a command line that fits, broken before options as a shell takes it."""
    width, lines = formatter.width - formatter.current_indent - len(" \\"), [""]
    for part in re.split(r" (?=--?[a-z])", line):
        joined = f"{lines[-1]} {part}".strip()
        if len(joined) > width and lines[-1]:
            lines.append(part)
        else:
            lines[-1] = joined
    return f" \\\n{' ' * (formatter.current_indent + 2)}".join(lines)
