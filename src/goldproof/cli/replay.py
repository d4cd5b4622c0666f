"""`goldproof replay`: run kept proofs again, against another version, and say what changed."""

from pathlib import Path
from typing import Annotated

import typer

from goldproof.cli import isolating, options


def replay(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A folder that goldproof verify --out wrote.")],
    against: Annotated[
        list[str] | None,
        typer.Option(
            "--against", metavar="LIBRARY", help="As for goldproof verify, such as google-adk==2.13.0. Repeatable."
        ),
    ] = None,
    baseline: Annotated[
        str | None, typer.Option("--baseline", metavar="LABEL", help="Which library of the audit to compare with.")
    ] = None,
    isolation: isolating.Isolation = None,
    container: isolating.Container = None,
    unsafe: isolating.Unsafe = False,
    seconds: isolating.Seconds = 10.0,
    workers: isolating.Workers = None,
    out: Annotated[Path | None, typer.Option("--out", metavar="DIR", help="Write the audit as it is now.")] = None,
    force: options.Force = False,
    json: options.AsJson = False,
    format: options.Format = "table",  # noqa: A002 - the option's name
) -> None:
    """Run the proofs of an audit again; no model, no cost. Exit code 1 if a verdict, or which options hold, changed."""
    from goldproof.cli import verifying
    from goldproof.cli.output import Output
    from goldproof.report.tables import check_style

    check_style(format)
    how = isolating.isolating(level=isolation, container=container, unsafe=unsafe, seconds=seconds, workers=workers)
    output = Output(out, force=force, json=json, style=format)
    verifying.replay(folder, tuple(against or ()), how, baseline=baseline, output=output)
