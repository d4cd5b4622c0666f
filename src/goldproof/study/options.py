"""Options of every job that compares runs, declared once: which runs, by which test, within which margin."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated

from goldproof.options import Option

Baseline = Annotated[str | None, Option("Compare each run with this one.", "NAME")]
Pairs = Annotated[str | None, Option("Compare these runs: A minus B.", "all|A:B,...")]
Primary = Annotated[
    str | None, Option("The metric that is tested (default: the first); all: test every metric.", "METRIC|all")
]
Margin = Annotated[float | None, Option("Tied within +-X (0.01 for metrics bounded by 1).", "X")]
Test = Annotated[str, Option("auto, sign-flip, t, wilcoxon or mcnemar.", "NAME")]
Seed = Annotated[int, Option("Seed of everything random.")]
By = Annotated[
    Mapping[str, str] | str | Path | None,
    Option("Break the result down by a field of the questions, or a column of a table.", "FIELD|FILE#COLUMN", type=str),
]
FailIf = Annotated[
    str | Sequence[str],
    Option(
        "Gate: 'METRIC [RUN] worse|undecided' or 'METRIC [RUN] < N' (<=, >, >=, =). Exit 1 if it holds. Repeatable.",
        "EXPR",
        type=list[str],
    ),
]
