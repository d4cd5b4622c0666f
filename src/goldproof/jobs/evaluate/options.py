"""Options that `goldproof eval` and `goldproof explain` share: runs, metrics and scoring rules."""

from collections.abc import Iterable, Mapping
from typing import Annotated

from goldproof.options import Option
from goldproof.study.score_comparison import named_files

Metrics = Annotated[
    str | Iterable[str] | None,
    Option("Metrics, such as nDCG@10,R@100 ('goldproof metrics' lists them).", "LIST", type=str),
]
Runs = Annotated[
    Mapping[str, object] | None,
    Option(
        "A run to score: TREC, JSONL, CSV or Parquet. Repeatable.",
        "NAME=FILE",
        flag="--run",
        type=list[str],
        parse=named_files,
    ),
]
Split = Annotated[str | None, Option("Which qrels of a BEIR folder: test, dev, train.", "NAME")]
NoRelevant = Annotated[
    str, Option("Score of a question without relevant documents (zero: as trec_eval).", "undefined|zero")
]
Depth = Annotated[int | None, Option("Score only the first N results of each question (trec_eval -M).", "N")]
IgnoreIdenticalIds = Annotated[
    bool | None,
    Option(
        "Drop results whose id is that of the question, as BEIR does "
        "(default: only in BEIR folders whose questions are documents).",
        flag="--ignore-identical-ids/--no-ignore-identical-ids",
    ),
]
SkipBad = Annotated[bool, Option("Skip and count malformed lines of runs.")]
