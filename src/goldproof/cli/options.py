"""Options that several commands share, so that they read the same everywhere."""

from pathlib import Path
from typing import Annotated

import typer

Out = Annotated[Path | None, typer.Option("--out", metavar="DIR", help="Write summary, scores, report and card here.")]
Force = Annotated[bool, typer.Option("--force", help="Replace what another input left in --out.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document on stdout, and nothing else there.")]
Format = Annotated[str, typer.Option("--format", metavar="FORMAT", help="table, markdown, latex, csv or html.")]
FailIf = Annotated[
    list[str] | None,
    typer.Option(
        "--fail-if",
        metavar="EXPR",
        help="Gate: 'METRIC [RUN] worse|undecided' or 'METRIC [RUN] < N' (<=, >, >=). Exit 1 if it holds. Repeatable.",
    ),
]
LowerIsBetter = Annotated[
    list[str] | None,
    typer.Option("--lower-is-better", metavar="METRIC", help="A metric of your own where less is better."),
]
Junit = Annotated[Path | None, typer.Option("--junit", metavar="FILE", help="Write the gates as JUnit XML.")]
Seed = Annotated[int, typer.Option("--seed", help="Seed of everything random.")]
Baseline = Annotated[str | None, typer.Option("--baseline", metavar="NAME", help="Compare each run with this one.")]
Pairs = Annotated[str | None, typer.Option("--pairs", metavar="all|A:B,...", help="Compare these runs: A minus B.")]
Primary = Annotated[
    str | None,
    typer.Option("--primary", metavar="METRIC", help="The metric that decides: a family of tests of its own."),
]
Margin = Annotated[
    float | None, typer.Option("--margin", metavar="X", help="Tied within +-X (0.01 for metrics bounded by 1).")
]
Test = Annotated[str, typer.Option("--test", metavar="NAME", help="auto, sign-flip, t, wilcoxon or mcnemar.")]
K = Annotated[int, typer.Option("-k", "--k", metavar="N", help="How many documents a retriever is asked for.", min=1)]
Filter = Annotated[
    list[str] | None,
    typer.Option(
        "--filter",
        metavar="FIELD=VALUE",
        help="Search only documents whose metadata match: FIELD=A, FIELD=A,B (any of them) or FIELD=2019..2021. "
        "Repeatable; all must hold.",
    ),
]
Now = Annotated[
    str | None,
    typer.Option("--now", metavar="TURN|DATE", help="What ages are counted from (default: the newest document)."),
]
Fresh = Annotated[bool, typer.Option("--fresh", help="Ask again what an interrupted run has answered already.")]
IgnoreIdenticalIds = Annotated[
    bool | None,
    typer.Option(
        "--ignore-identical-ids/--no-ignore-identical-ids",
        help="Drop results that have the id of their question, as BEIR does. "
        "Default: only where questions of a BEIR folder are documents.",
    ),
]
