"""`goldproof compare`: compare score files from anywhere."""

from typing import Annotated

import typer

from goldproof.cli import options


def compare(
    files: Annotated[
        list[str],
        typer.Argument(metavar="A B [...]", help="Score files (id, metric, value, ...): FILE, FILE#RUN or NAME=FILE."),
    ],
    baseline: options.Baseline = None,
    pairs: options.Pairs = None,
    primary: options.Primary = None,
    margin: options.Margin = None,
    test: options.Test = "auto",
    lower_is_better: options.LowerIsBetter = None,
    intersect: Annotated[
        bool, typer.Option("--intersect", help="Compare the shared questions only, and say what was left out.")
    ] = False,
    seed: options.Seed = 0,
    out: options.Out = None,
    force: options.Force = False,
    json: options.AsJson = False,
    format: options.Format = "table",  # noqa: A002 - the option's name
    fail_if: options.FailIf = None,
    junit: options.Junit = None,
) -> None:
    """Compare score files from anywhere: A minus B (each with the last), with intervals and corrected paired tests."""
    from goldproof.cli.command import Delivery, check_junit, deliver
    from goldproof.report.tables import check_style
    from goldproof.study import compare as compare_scores
    from goldproof.study.score_comparison import parse_source

    check_style(format)
    check_junit(junit, [parse_source(text).path for text in files])
    result = compare_scores(
        *files,
        baseline=baseline,
        pairs=pairs,
        primary=primary,
        margin=margin,
        test=test,
        lower_is_better=lower_is_better or [],
        intersect=intersect,
        seed=seed,
    )
    deliver(
        result,
        Delivery(
            out=out, force=force, json=json, style=format, fail_if=fail_if or [], junit=junit, suite="goldproof compare"
        ),
    )
