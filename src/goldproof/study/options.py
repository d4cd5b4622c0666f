"""Options of every job that compares runs, declared once: which runs, by which test, within which margin."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated

from goldproof.options import Option

Baseline = Annotated[str | None, Option("Compare every other run with this one.", "NAME")]
Pairs = Annotated[str | None, Option("Pairs to compare, as A minus B; all: every pair.", "all|A:B,...")]
Primary = Annotated[
    str | None, Option("The metric to test (default: the first); all: test every metric.", "METRIC|all")
]
Margin = Annotated[
    float | None, Option("Call runs tied if they differ by less than X (0.01 for metrics from 0 to 1).", "X")
]
Test = Annotated[str, Option("Paired test: auto, sign-flip, t, wilcoxon or mcnemar.", "NAME")]
Seed = Annotated[int, Option("Random seed.", "N")]
By = Annotated[
    Mapping[str, str] | str | Path | None,
    Option("Break the result down by a field of the questions, or a column of a table.", "FIELD|FILE#COLUMN", type=str),
]
FailIf = Annotated[
    str | Sequence[str],
    Option(
        "Exit with 1 if this holds: 'METRIC [RUN] worse|undecided' or 'METRIC [RUN] < N' (<=, >, >=, =). Repeatable.",
        "EXPR",
        type=list[str],
    ),
]
