"""`goldproof retrieve`: run a retriever over questions and write the run."""

from pathlib import Path
from typing import Annotated

import typer

from goldproof.cli.command import Call, command, resumable
from goldproof.cli.help import examples
from goldproof.cli.limits import ModelLimits
from goldproof.cli.output import Printing
from goldproof.io.datasets.run_output import check_run_target
from goldproof.jobs.retrieve import retrieve_questions


@examples(
    (
        "Run BM25 over a folder of documents.",
        "goldproof retrieve --queries queries.jsonl --corpus folder:docs --retriever bm25 --out run.trec",
    ),
    (
        "Run a retriever of your own; failures are kept in the run.",
        "goldproof retrieve --queries queries.jsonl --retriever my_search:search -k 20 --out mine.jsonl",
    ),
)
@command(retrieve_questions)
def retrieve(
    call: Call,
    limits: ModelLimits,
    output: Printing,
    out: Annotated[
        Path,
        typer.Option("--out", metavar="FILE", help="The run: .trec, or .jsonl, which also keeps failed questions."),
    ],
    force: Annotated[bool, typer.Option("--force", help="Replace a run made from other inputs.")] = False,
) -> None:
    """Run a retriever over questions and write the run.

    A card beside the run says how it was made. After an interruption the same command goes on.
    """
    check_run_target(out, force=force)
    with limits.applied(), resumable():
        result = call(retrieve_questions, out=out, force=force)
        notes = result.save(out, force=force)  # which forgets the kept answers last
    typer.echo(f"written to {out}", err=True)
    if not output.json and output.format != "csv":
        typer.echo(f"{result.conclusion}\n")
    output.show([result.table()], result.to_dict(), remarks=(*result.remarks, *notes))
