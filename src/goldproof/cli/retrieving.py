"""What `goldproof retrieve` and `goldproof eval --retriever` share: reading their options, and asking under watch."""

from __future__ import annotations

import sys
from contextlib import contextmanager, redirect_stdout
from typing import TYPE_CHECKING

import typer

from goldproof.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from goldproof.jobs.evaluate.retrieval import Retrievers

INTERRUPTED = 130


@contextmanager
def asking() -> Iterator[None]:
    """While retrievers are asked: what their code prints goes to stderr, and an interruption says what is kept."""
    try:
        with redirect_stdout(sys.stderr):
            yield
    except KeyboardInterrupt:
        typer.echo("interrupted; the answers so far are kept, and the same command goes on from there.", err=True)
        raise typer.Exit(INTERRUPTED) from None


def read_retrievers(
    retriever: list[str] | None,
    *,
    corpus: str | None,
    questions: Path | None,
    k: int,
    filters: list[str] | None,
    now: str | None,
    fresh: bool,
) -> Retrievers | None:
    """Return the retrievers that are to be run before they are scored; None where there are none."""
    if not retriever:
        if corpus or questions or filters or now:
            raise InputError(
                "--corpus, --questions, --filter and --now are for retrievers; give --retriever NAME=SPEC."
            )
        return None
    from goldproof.cli.progress import RetrievalProgress
    from goldproof.jobs.evaluate.retrieval import Retrievers
    from goldproof.retrieve import Search, open_retrievers, parse_filters

    return Retrievers(
        open_retrievers(retriever),
        corpus=corpus,
        questions=questions,
        search=Search(k=k, filters=parse_filters(filters or []), now=now),
        resume=True,
        fresh=fresh,
        watch=RetrievalProgress,
    )
