"""`karat eval`: score runs against judgments and compare them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from karat.cli import options
from karat.core.errors import InputError


def evaluate(
    run: Annotated[list[str], typer.Option("--run", metavar="NAME=FILE", help="A run to score. Repeatable.")],
    dataset: Annotated[
        Path | None, typer.Option("--dataset", metavar="DIR_OR_FILE", help="BEIR folder or retrieval_dataset.yaml.")
    ] = None,
    qrels: Annotated[Path | None, typer.Option("--qrels", metavar="FILE", help="Judgments alone.")] = None,
    metrics: Annotated[
        str | None, typer.Option("--metrics", metavar="LIST", help="Comma-separated; see 'karat metrics'.")
    ] = None,
    baseline: options.Baseline = None,
    pairs: options.Pairs = None,
    primary: options.Primary = None,
    margin: options.Margin = None,
    test: options.Test = "auto",
    cluster: Annotated[
        str | None, typer.Option("--cluster", metavar="FIELD", help="Question metadata that names the cluster.")
    ] = None,
    clusters: Annotated[Path | None, typer.Option("--clusters", metavar="FILE", help="Columns id, cluster.")] = None,
    split: Annotated[str | None, typer.Option("--split", help="Which qrels of a BEIR folder.")] = None,
    exclude: Annotated[
        Path | None, typer.Option("--exclude", metavar="FILE", help="Question ids to leave out.")
    ] = None,
    queries: Annotated[
        str,
        typer.Option("--queries", metavar="judged|both", help="Count every judged question, or those also in the run."),
    ] = "judged",
    no_relevant: Annotated[
        str,
        typer.Option(
            "--no-relevant", metavar="undefined|zero", help="A question without a relevant document (zero: trec_eval)."
        ),
    ] = "undefined",
    depth: Annotated[
        int | None, typer.Option("--depth", metavar="N", help="See only the first N results (trec_eval -M).")
    ] = None,
    skip_bad: Annotated[bool, typer.Option("--skip-bad", help="Leave out and count bad lines of runs.")] = False,
    seed: options.Seed = 0,
    out: options.Out = None,
    force: options.Force = False,
    json: options.AsJson = False,
    format: options.Format = "table",  # noqa: A002 - the option's name
    fail_if: options.FailIf = None,
    junit: options.Junit = None,
) -> None:
    """Score runs against judgments, with intervals, and compare them with corrected paired tests."""
    judgments = dataset or qrels
    if judgments is None or (dataset and qrels):
        raise InputError("give either --dataset DIR_OR_FILE or --qrels FILE.")
    from karat.cli.present import Delivery, check_junit, deliver
    from karat.jobs.evaluate import EvaluationFiles, evaluate_files
    from karat.report.render import check_style
    from karat.study.sources import named_files

    check_style(format)
    files = EvaluationFiles(
        judgments=judgments,
        runs=named_files(run),
        split=split,
        cluster_field=cluster,
        clusters=clusters,
        exclude=exclude,
        skip_bad=skip_bad,
    )
    check_junit(junit, files.paths())
    result = evaluate_files(
        files,
        metrics=metrics,
        baseline=baseline,
        pairs=pairs,
        primary=primary,
        margin=margin,
        test=test,
        queries=queries,
        no_relevant=no_relevant,
        depth=depth,
        seed=seed,
    )
    deliver(
        result,
        Delivery(out=out, force=force, json=json, style=format, fail_if=fail_if or [], junit=junit, suite="karat eval"),
    )
