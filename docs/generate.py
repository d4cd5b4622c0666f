"""Writes the generated pages of the documentation: `python -m docs.generate`, or `make docs`.

A test runs `generated()` and compares, so the pages cannot fall behind.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import typer

from docs.metrics_page import metrics_page
from docs.python_page import python_page
from docs.stages_page import with_stage_table
from goldproof.cli.help import WIDTH
from goldproof.cli.main import app, by_purpose

DOCS = Path(__file__).resolve().parent


def generated() -> dict[Path, str]:
    """Return every generated page with its text."""
    pipelines = DOCS / "reference" / "pipelines.md"
    return {
        DOCS / "reference" / "cli.md": cli_page(),
        DOCS / "reference" / "metrics.md": metrics_page(),
        DOCS / "reference" / "python.md": python_page(),
        pipelines: with_stage_table(pipelines.read_text(encoding="utf-8")),
    }


def cli_page() -> str:
    """Return the reference of all commands, as `--help` prints them, in the order of `goldproof --help`."""
    root: Any = typer.main.get_command(app)
    parts = ["# Commands\n\nEvery command and option, as `--help` prints them. This page is generated: `make docs`.\n"]
    parts.append(_section("goldproof --help", _help(root, "goldproof"), level=2))
    for purpose, names in by_purpose().items():
        parts.append(f"## {purpose}\n")
        for name in names:
            parts += [_section(path, text, level=3) for path, text in _helps(root.commands[name], f"goldproof {name}")]
    return "\n".join(parts)


def _section(title: str, text: str, *, level: int) -> str:
    return f"{'#' * level} {title}\n\n```text\n{text}\n```\n"


def _helps(command: Any, path: str) -> list[tuple[str, str]]:  # noqa: ANN401 - click is private to typer
    """Return the help of a command and of those below it."""
    children = getattr(command, "commands", {})
    below = [page for name, child in children.items() for page in _helps(child, f"{path} {name}")]
    return [(path, _help(command, path)), *below]


def _help(command: Any, path: str) -> str:  # noqa: ANN401 - as above
    context = command.make_context(path, [], resilient_parsing=True, terminal_width=WIDTH, max_content_width=WIDTH)
    return str(command.get_help(context)).rstrip()


if __name__ == "__main__":
    for page, text in generated().items():
        page.write_text(text, encoding="utf-8")
