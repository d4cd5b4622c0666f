"""Groups of options that are the command line's alone: limits of models, isolation of scripts."""

from contextlib import contextmanager
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Annotated, cast

import typer

from goldproof.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from goldproof.jobs.verify.settings import Isolating
    from goldproof.llm import Access
    from goldproof.sandbox.run import Level

DryRun = Annotated[bool, typer.Option("--dry-run", help="Estimate calls, tokens and cost; ask nothing, write nothing.")]


def keeps_answers(judge: str | None) -> bool:
    """Return whether the rulings of a judge are kept for later commands: those of models are, by their prompts."""
    return judge is not None and judge.startswith("llm:")


@dataclass(frozen=True, slots=True)
class ModelLimits:
    """How models are asked: what may be spent, how fast, how many at once."""

    max_cost: Annotated[
        float | None,
        typer.Option(
            "--max-cost", metavar="DOLLARS", help="Budget: stop before more is spent; answers so far are kept."
        ),
    ] = None
    price: Annotated[
        str | None,
        typer.Option(
            "--price",
            metavar="IN,OUT",
            help="Price per million input and output tokens, for models without a known price.",
        ),
    ] = None
    rate: Annotated[float | None, typer.Option("--rate", metavar="N", help="Calls per minute, at most.")] = None
    concurrency: Annotated[int, typer.Option("--concurrency", metavar="N", help="Parallel calls.", min=1)] = 8
    retry_failed: Annotated[
        bool, typer.Option("--retry-failed", help="Ask again where the kept answer of a model could not be used.")
    ] = False

    def changed(self) -> list[str]:
        """Return the flags of those that are not as they are by default."""
        given = (field.name for field in fields(self) if getattr(self, field.name) != field.default)
        return [f"--{name.replace('_', '-')}" for name in given]

    def access(self) -> "Access":
        """Return the access to models that these limits describe."""
        from goldproof.llm import Access, Budget, parse_price

        if self.rate is not None and not 0 < self.rate < float("inf"):
            raise InputError(f"--rate {self.rate:g}: expected calls per minute, above 0.")
        return Access(
            budget=Budget(self.max_cost),
            concurrency=self.concurrency,
            rate=self.rate,
            price=None if self.price is None else parse_price(self.price),
            retry_failed=self.retry_failed,
        )

    @contextmanager
    def applied(self) -> "Iterator[None]":
        """Open models within these limits in the block; without any limit nothing is loaded."""
        if not self.changed():
            yield
            return
        from goldproof.llm import using_access

        with using_access(self.access()):
            yield


@dataclass(frozen=True, slots=True)
class Isolation:
    """How scripts are isolated."""

    isolation: Annotated[
        str | None,
        typer.Option(
            "--isolation",
            metavar="LEVEL",
            help="bubblewrap, locks or container (default: the strictest that works here).",
        ),
    ] = None
    container: Annotated[
        str | None,
        typer.Option(
            "--container", metavar="COMMAND", help="Run scripts with this command, such as 'podman run --rm -i IMAGE'."
        ),
    ] = None
    unsafe: Annotated[
        bool, typer.Option("--unsafe", help="Run without isolation if none works; every result says so.")
    ] = False
    seconds: Annotated[float, typer.Option("--seconds", metavar="S", help="Time limit per proof, in seconds.")] = 10.0
    workers: Annotated[
        int | None, typer.Option("--workers", metavar="N", help="Parallel proofs (default: one per core).", min=1)
    ] = None

    def isolating(self) -> "Isolating":
        """Return the settings of the sandbox."""
        from goldproof.jobs.verify.settings import Isolating
        from goldproof.sandbox import Limits

        return Isolating(
            level=cast("Level | None", self.isolation),  # checked there
            container=self.container,
            unsafe=self.unsafe,
            workers=self.workers,
            limits=Limits(seconds=self.seconds),
        )
