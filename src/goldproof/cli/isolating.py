"""Options of commands that run code nobody trusts."""

from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from goldproof.jobs.verify.settings import Isolating
    from goldproof.sandbox.run import Level

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


def isolating(
    *, level: str | None, container: str | None, unsafe: bool, seconds: float, workers: int | None
) -> "Isolating":
    """Return how scripts are isolated, from what the user said."""
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
