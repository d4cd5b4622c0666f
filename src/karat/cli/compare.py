"""`karat compare`: compare score files from anywhere."""

from __future__ import annotations

from typing import Annotated

import typer

from karat.cli import options
from karat.core.errors import InputError


def compare(
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="A B [...]", help="Score files (id, metric, value, cluster?): FILE, FILE#RUN or NAME=FILE."
        ),
    ],
    baseline: options.Baseline = None,
    pairs: options.Pairs = None,
    primary: options.Primary = None,
    margin: options.Margin = None,
    test: options.Test = "auto",
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
    """Compare score files from anywhere: A minus B, with intervals and corrected paired tests."""
    from karat.cli.present import Delivery, deliver
    from karat.report.render import check_style
    from karat.study import compare_files

    check_style(format)
    if len(files) < 2:
        raise InputError(f"{len(files)} file to compare; expected two or more: karat compare A B.")
    result = compare_files(
        files,
        baseline=baseline,
        pairs=pairs,
        primary=primary,
        margin=margin,
        test=test,
        intersect=intersect,
        seed=seed,
    )
    deliver(
        result,
        Delivery(
            out=out, force=force, json=json, style=format, fail_if=fail_if or [], junit=junit, suite="karat compare"
        ),
    )
