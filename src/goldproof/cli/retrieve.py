"""`goldproof retrieve`: run a retriever over questions and write the run."""

from pathlib import Path
from typing import Annotated

import typer

from goldproof.cli.command import Call, command, resumable
from goldproof.cli.limits import ModelLimits
from goldproof.cli.output import Printing
from goldproof.io.datasets.run_output import check_run_target
from goldproof.jobs.retrieve import retrieve_questions


@command(retrieve_questions)
def retrieve(
    call: Call,
    limits: ModelLimits,
    output: Printing,
    out: Annotated[
        Path, typer.Option("--out", metavar="FILE", help="The run: .trec, or .jsonl, which keeps failures.")
    ],
    force: Annotated[bool, typer.Option("--force", help="Replace a run that was made from something else.")] = False,
) -> None:
    """Run a retriever over questions and write what it returned as a run, with its card; interrupted, it goes on."""
    check_run_target(out, force=force)
    with limits.applied(), resumable():
        result = call(retrieve_questions, out=out, force=force)
    notes = result.save(out, force=force)
    typer.echo(f"written to {out}", err=True)
    output.show([result.table()], result.to_dict(), remarks=(*result.remarks, *notes))
