"""`goldproof eval`: score runs against judgments and compare them."""

from pathlib import Path
from typing import Annotated

import typer

from goldproof.cli.command import Call, command, refuse, resumable
from goldproof.cli.limits import ModelLimits
from goldproof.cli.output import StudyOutput
from goldproof.errors import InputError
from goldproof.jobs.evaluate import evaluate as evaluate_runs

Dataset = Annotated[
    Path | None,
    typer.Option("--dataset", metavar="DIR_OR_FILE", help="BEIR folder, Cranfield folder, retrieval_dataset.yaml."),
]
Qrels = Annotated[Path | None, typer.Option("--qrels", metavar="FILE", help="Judgments alone.")]

FOR_RETRIEVERS = {
    **{name: f"--{name}" for name in ("corpus", "questions", "k", "now", "timeout", "fresh")},
    "filters": "--filter",
}


@command(evaluate_runs)
def evaluate(
    call: Call,
    *,
    dataset: Dataset = None,
    qrels: Qrels = None,
    limits: ModelLimits,
    output: StudyOutput,
    cluster: Annotated[
        str | None, typer.Option("--cluster", metavar="FIELD", help="Question metadata that names the cluster.")
    ] = None,
) -> None:
    """Score runs against judgments, with intervals, and compare them with corrected paired tests."""
    values = call.values
    if sum(path is not None for path in (dataset, qrels, values["spans"])) != 1:
        raise InputError("give one of --dataset DIR_OR_FILE, --qrels FILE and --spans FILE.")
    if not values["runs"] and not values["retrievers"]:
        raise InputError("nothing to score; give --run NAME=FILE, or --retriever NAME=SPEC to run one.")
    if not values["retrievers"]:
        refuse(
            "without --retriever NAME=SPEC; leave it out",
            *(flag for name, flag in FOR_RETRIEVERS.items() if call.is_changed(name)),
            *limits.changed(),
        )
    if cluster and values["clusters"]:
        raise InputError("give either --cluster FIELD or --clusters FILE.")
    judgments = dataset or qrels
    output.check_junit([*call.paths(), *filter(None, [judgments])])
    with limits.applied(), output.claimed() as folder, resumable():
        more = {"clusters": cluster} if cluster else {}
        result = call(evaluate_runs, judgments, resume=bool(values["retrievers"]), **more)
        output.deliver_study(result, folder, suite=call.command, when_told=result.forget_progress)
