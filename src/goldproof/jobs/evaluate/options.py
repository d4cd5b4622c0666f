"""Options that `goldproof eval` and `goldproof explain` share: runs, metrics and scoring rules."""

from collections.abc import Iterable, Mapping
from typing import Annotated

from goldproof.options import Option
from goldproof.study.score_comparison import named_files

Metrics = Annotated[str | Iterable[str] | None, Option("Comma-separated; see 'goldproof metrics'.", "LIST", type=str)]
Runs = Annotated[
    Mapping[str, object] | None,
    Option("A run to score. Repeatable.", "NAME=FILE", flag="--run", type=list[str], parse=named_files),
]
Split = Annotated[str | None, Option("Which qrels of a BEIR folder.")]
NoRelevant = Annotated[
    str, Option("Score of questions without a relevant document (zero: trec_eval).", "undefined|zero")
]
Depth = Annotated[int | None, Option("See only the first N results (trec_eval -M).", "N")]
IgnoreIdenticalIds = Annotated[
    bool | None,
    Option(
        "Drop results that have the id of their question, as BEIR does. "
        "Default: only where questions of a BEIR folder are documents.",
        flag="--ignore-identical-ids/--no-ignore-identical-ids",
    ),
]
SkipBad = Annotated[bool, Option("Leave out and count bad lines of runs.")]
