"""Options that several commands share: output, gates, comparison, retrieval, cost limits, sandbox."""

from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from goldproof.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from goldproof.jobs.verify.settings import Isolating
    from goldproof.llm import Access
    from goldproof.sandbox.run import Level

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
Timeout = Annotated[
    float | None,
    typer.Option(
        "--timeout",
        metavar="SECONDS",
        help="How long code of yours or a service may take for one call; the question then fails, and the run goes on.",
    ),
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


MaxCost = Annotated[
    float | None,
    typer.Option("--max-cost", metavar="DOLLARS", help="Stop before more is spent than this; answers are kept."),
]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Say what it would cost, ask nothing, write nothing.")]
Price = Annotated[
    str | None,
    typer.Option(
        "--price", metavar="IN,OUT", help="Dollars per million tokens read and written, where the price list has none."
    ),
]
Rate = Annotated[float | None, typer.Option("--rate", metavar="N", help="At most so many calls a minute.")]
Concurrency = Annotated[int, typer.Option("--concurrency", metavar="N", help="Calls at once.", min=1)]
RetryFailed = Annotated[
    bool, typer.Option("--retry-failed", help="Ask again where the kept answers of a model were of no use.")
]


def model_access(
    *,
    max_cost: float | None = None,
    price: str | None = None,
    rate: float | None = None,
    concurrency: int = 8,
    retry_failed: bool = False,
) -> "Access":
    """Return the access to models that the options describe."""
    from goldproof.llm import Access, Budget, parse_price

    if rate is not None and not 0 < rate < float("inf"):
        raise InputError(f"--rate {rate:g}: expected calls per minute, above 0.")
    return Access(
        budget=Budget(max_cost),
        concurrency=concurrency,
        rate=rate,
        price=None if price is None else parse_price(price),
        retry_failed=retry_failed,
    )


@contextmanager
def model_limits(
    *, max_cost: float | None = None, price: str | None = None, rate: float | None = None
) -> "Iterator[None]":
    """Open models within these limits in the block; without any limit nothing is loaded."""
    if max_cost is None and price is None and rate is None:
        yield
        return
    from goldproof.llm import using_access

    with using_access(model_access(max_cost=max_cost, price=price, rate=rate)):
        yield


Isolation = Annotated[
    str | None,
    typer.Option("--isolation", metavar="LEVEL", help="bubblewrap, locks or container; the best that holds."),
]
Container = Annotated[
    str | None,
    typer.Option(
        "--container", metavar="COMMAND", help="Run scripts by this command, such as 'podman run --rm -i IMAGE'."
    ),
]
Unsafe = Annotated[bool, typer.Option("--unsafe", help="Run without isolation if none holds; every result says so.")]
Seconds = Annotated[float, typer.Option("--seconds", metavar="S", help="Of one proof.")]
Workers = Annotated[int | None, typer.Option("--workers", metavar="N", help="Proofs at once (one per core).", min=1)]


def sandbox_settings(
    *, level: str | None, container: str | None, unsafe: bool, seconds: float, workers: int | None
) -> "Isolating":
    """Return the isolation of scripts that the options describe."""
    from typing import cast

    from goldproof.jobs.verify.settings import Isolating
    from goldproof.sandbox import Limits

    return Isolating(
        level=cast("Level | None", level),  # checked there
        container=container,
        unsafe=unsafe,
        workers=workers,
        limits=Limits(seconds=seconds),
    )
