"""`goldproof memory`: benchmark memory systems (`run`), search for a better one (`tune`), print the `criteria`."""

from pathlib import Path
from typing import Annotated

import typer

from goldproof.cli.command import Call, command, resumable
from goldproof.cli.help import WIDTH, HelpCommand, examples, new_group
from goldproof.cli.limits import ModelLimits
from goldproof.cli.output import StudyOutput
from goldproof.errors import ConflictError, InputError
from goldproof.jobs.memory import run_memory, tune_memory
from goldproof.jobs.memory.tuning.job import search_table

SMOKE = "smoke"
app = new_group("Benchmark and tune conversational memory.")


@app.callback()
def root() -> None:
    """Benchmark and tune conversational memory."""


@app.command(cls=HelpCommand, context_settings={"max_content_width": WIDTH})
@examples(
    ("Run the bundled smoke suite on a memory of your own.", "goldproof memory run smoke --memory my_memory:Memory"),
    (
        "Compare a memory with one that returns the newest messages.",
        ("goldproof memory run smoke --memory bm25='bm25 | top(5)' --memory newest=newest --baseline newest"),
    ),
)
@command(run_memory)
def run(call: Call, limits: ModelLimits, output: StudyOutput) -> None:
    """Benchmark conversational memory systems on scenarios.

    Stores each scenario's messages, asks its queries, and scores what comes back: found, missed, outdated, leaked.
    """
    output.check_junit(call.paths())
    if not call.values["scenarios"]:
        typer.echo(f"no scenarios given: running the bundled smoke suite (goldproof memory run {SMOKE}).", err=True)
    with limits.applied(), output.claimed() as folder, resumable():
        result = call(run_memory, resume=True, claimed=folder)
        for name, system_run in result.runs.items():
            if system_run.resumed:
                resumed = f"{system_run.resumed:,} of the scenarios"
                typer.echo(f"{name}: taken from an interrupted run (--fresh asks anew): {resumed}.", err=True)
        output.deliver_study(result, folder, suite=call.command, when_told=result.forget)


@app.command(cls=HelpCommand, context_settings={"max_content_width": WIDTH})
@examples(
    ("See what would be searched.", "goldproof memory tune --dry-run"),
    ("Search with 20 configurations, offline.", "goldproof memory tune --trials 20 --out tuned"),
)
@command(tune_memory)
def tune(
    call: Call,
    limits: ModelLimits,
    output: StudyOutput,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show the search space; run nothing.")] = False,
) -> None:
    """Search for a better memory configuration.

    Searches on the development scenarios, then compares the winner with the baseline on the hold-out, once.
    """
    output.check_junit(call.paths())
    with limits.applied(), resumable():
        if dry_run:
            table = call(search_table)
            space: dict[str, object] = {"space": {row[0]: row[1] for row in table.rows}}
            output.show([table], space, remarks=("Nothing was run, nothing is written.",))
            return
        if output.out is None:
            raise InputError("name the folder of the search: --out DIR.")
        # The search claims its folder itself, and keeps its trials there.
        result = call(tune_memory, out=output.out, force=output.force)
        written = f"written to {output.out}\n{result.opening.remark}"
        output.deliver_study(result, None, suite=call.command, when_told=lambda: typer.echo(written, err=True))


@app.command(cls=HelpCommand, context_settings={"max_content_width": WIDTH})
@examples(
    ("Read the default criteria.", "goldproof memory criteria"),
    ("Keep them as a file to change.", "goldproof memory criteria --out criteria.yaml"),
)
def criteria(
    out: Annotated[Path | None, typer.Option("--out", metavar="FILE", help="Write to this file instead.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace an existing file.")] = False,
) -> None:
    """Print the default criteria, targets and triggers.

    Keep them as a file of your own, change them, and use them with --criteria FILE.
    """
    from goldproof.io import write_text
    from goldproof.jobs.memory.criteria import CRITERIA_FILE

    text = CRITERIA_FILE.read_text(encoding="utf-8")
    if out is None:
        typer.echo(text, nl=False)
        return
    if out.exists() and not force:
        raise ConflictError(f"{out}: is there already; name another file, or replace it with --force.")
    write_text(out, text)
    typer.echo(f"written to {out}", err=True)
