"""`goldproof memory`: benchmark memory systems (`run`), search for a better one (`tune`), print the `criteria`."""

from pathlib import Path
from typing import Annotated

import typer

from goldproof.cli.command import Call, command, resumable
from goldproof.cli.limits import ModelLimits
from goldproof.cli.output import StudyOutput
from goldproof.errors import ConflictError, InputError
from goldproof.jobs.memory import run_memory, tune_memory
from goldproof.jobs.memory.tuning.job import search_table

SMOKE = "smoke"
app = typer.Typer(
    help="Benchmark and tune conversational memory.", rich_markup_mode=None, no_args_is_help=True, add_completion=False
)


@app.callback()
def root() -> None:
    """Benchmark and tune conversational memory."""


@app.command()
@command(run_memory)
def run(call: Call, limits: ModelLimits, output: StudyOutput) -> None:
    """Run memory systems through scenarios: store, ask, and score what comes back."""
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


@app.command()
@command(tune_memory)
def tune(
    call: Call,
    limits: ModelLimits,
    output: StudyOutput,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show what would be searched, and run nothing.")] = False,
) -> None:
    """Search for a better memory on the development scenarios; compare it once with the baseline on the hold-out."""
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


@app.command()
def criteria(
    out: Annotated[Path | None, typer.Option("--out", metavar="FILE", help="Write them to this file.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace a file that is there.")] = False,
) -> None:
    """Print the default criteria, targets and triggers, to keep as a file of your own (--criteria FILE)."""
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
