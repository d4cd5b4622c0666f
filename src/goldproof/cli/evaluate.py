"""`goldproof eval`: score runs against judgments and compare them."""

from pathlib import Path
from shlex import quote
from typing import Annotated

import typer

from goldproof.cli.command import Call, command, refuse, resumable
from goldproof.cli.help import examples
from goldproof.cli.limits import ModelLimits
from goldproof.cli.output import StudyOutput
from goldproof.errors import InputError
from goldproof.jobs.evaluate import evaluate as evaluate_runs

Dataset = Annotated[
    Path | None,
    typer.Option(
        "--dataset",
        metavar="DIR_OR_FILE",
        help="Questions, documents and qrels together: a BEIR or Cranfield folder, or a YAML file.",
    ),
]
Qrels = Annotated[
    Path | None, typer.Option("--qrels", metavar="FILE", help="Judgments alone: TREC qrels, TSV, CSV or JSON.")
]

FOR_RETRIEVERS = {
    **{name: f"--{name}" for name in ("corpus", "questions", "k", "now", "timeout", "fresh")},
    "filters": "--filter",
}


@examples(
    (
        "Score two runs against qrels and compare them.",
        "goldproof eval --qrels qrels.trec --run bm25=bm25.trec --run dense=dense.trec --metrics nDCG@10,R@100",
    ),
    (
        "Run retrievers over a BEIR folder, then score and compare them.",
        "goldproof eval --dataset beir --retriever bm25=bm25 --retriever short='bm25 | top(3)' --out report",
    ),
)
@command(evaluate_runs)
def evaluate(
    call: Call,
    *,
    dataset: Dataset = None,
    qrels: Qrels = None,
    limits: ModelLimits,
    output: StudyOutput,
    cluster: Annotated[
        str | None,
        typer.Option("--cluster", metavar="FIELD", help="Field of the questions' metadata that names their cluster."),
    ] = None,
) -> None:
    """Score runs or retrievers against qrels, and test which is better.

    Prints the mean of each metric with its interval, and the difference to the baseline with a paired test.
    """
    values = call.values
    if (queries := values["queries"]) not in ("judged", "both") and Path(queries).is_file():
        raise InputError(f"--queries is judged or both, found the file {queries}; texts of questions are --questions.")
    given = [path for path in (dataset, qrels, values["spans"]) if path is not None]
    if not given:
        raise InputError(_without_labels(values["questions"], values["corpus"]))
    if len(given) > 1:
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
    with limits.applied(), output.claimed() as folder, resumable(asks=bool(values["retrievers"])):
        more = {"clusters": cluster} if cluster else {}
        result = call(evaluate_runs, judgments, resume=bool(values["retrievers"]), **more)
        output.deliver_study(result, folder, suite=call.command, when_told=result.forget_progress)


def _without_labels(questions: Path | None, corpus: str | None) -> str:
    """Say which options bring labels, and the command that makes them where there are none."""
    mine = f"goldproof mine --cases {quote(str(questions or 'questions.csv'))} --corpus {quote(corpus or 'docs')}"
    return (
        "no labels; give one of --dataset DIR_OR_FILE, --qrels FILE and --spans FILE.\n"
        f"  Without labels yet, make them: {mine} --judge llm:PROVIDER:MODEL --out mined\n"
        "  then score with --dataset mined/beir. People can label too: --candidates-only --sheet sheet.csv."
    )
