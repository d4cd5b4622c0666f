"""Options of commands that ask models which cost money: how much, how fast, and what became of it."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from goldproof.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from goldproof.llm.access import Access
    from goldproof.llm.model import Estimate

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


def access(
    *,
    max_cost: float | None = None,
    price: str | None = None,
    rate: float | None = None,
    concurrency: int = 8,
    retry_failed: bool = False,
) -> Access:
    """Return how models are asked, from what the user said."""
    from goldproof.llm.access import Access
    from goldproof.llm.budget import Budget
    from goldproof.llm.prices import parse_price

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
def limited(*, max_cost: float | None = None, price: str | None = None, rate: float | None = None) -> Iterator[None]:
    """Have every model that is opened meanwhile keep to these limits; without any, nothing is loaded."""
    if max_cost is None and price is None and rate is None:
        yield
        return
    from goldproof.llm.access import using_access

    with using_access(access(max_cost=max_cost, price=price, rate=rate)):
        yield


def estimate_lines(estimate: Estimate) -> tuple[str, ...]:
    """Say what a command would cost."""
    calls = f"{estimate.calls:,} calls to models, {estimate.cached:,} more answers are kept already"
    tokens = f"about {estimate.tokens_in:,} tokens read and {estimate.tokens_out:,} written"
    cost = "the price is not known; give it with --price IN,OUT" if estimate.cost is None else f"${estimate.cost:.4f}"
    return (calls, tokens, f"about {cost}" if estimate.cost is not None else cost)
