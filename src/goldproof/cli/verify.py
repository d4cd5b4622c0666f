"""`goldproof verify`: prove every option of every question by running code against the library."""

from pathlib import Path
from typing import Annotated

import typer

from goldproof.cli import isolating, options, spending


def verify(
    cases: Annotated[
        list[str] | None,
        typer.Argument(metavar="CASES...", help="Registries (YAML, JSON), or the bundled one: example."),
    ] = None,
    against: Annotated[
        list[str] | None,
        typer.Option(
            "--against",
            metavar="LIBRARY",
            help="NAME==VERSION, NAME (as installed), a wheel, NAME @ PATH (environment, source tree), git+URL@REF. "
            "Repeatable: each version is audited.",
        ),
    ] = None,
    prover: Annotated[
        str, typer.Option("--prover", metavar="NAME", help="rules, or agent: a model proves what rules leave open.")
    ] = "rules",
    model: Annotated[str | None, typer.Option("--model", metavar="NAME", help="The agent's model.")] = None,
    steps: Annotated[int, typer.Option("--steps", metavar="N", help="Of the agent, per case.", min=1)] = 24,
    case: Annotated[
        list[str] | None, typer.Option("--case", metavar="ID", help="Audit only this case. Repeatable.")
    ] = None,
    exclude: Annotated[Path | None, typer.Option("--exclude", metavar="FILE", help="Case ids to leave out.")] = None,
    fail_if: Annotated[
        list[str] | None,
        typer.Option("--fail-if", metavar="VERDICTS", help="Exit 1 on any of these: incorrect,ambiguous,broken."),
    ] = None,
    isolation: isolating.Isolation = None,
    container: isolating.Container = None,
    unsafe: isolating.Unsafe = False,
    seconds: isolating.Seconds = 10.0,
    workers: isolating.Workers = None,
    max_cost: spending.MaxCost = None,
    dry_run: spending.DryRun = False,
    price: spending.Price = None,
    rate: spending.Rate = None,
    retry_failed: spending.RetryFailed = False,
    out: Annotated[Path | None, typer.Option("--out", metavar="DIR", help="Write all files here.")] = None,
    force: options.Force = False,
    json: options.AsJson = False,
    format: options.Format = "table",  # noqa: A002 - the option's name
) -> None:
    """Prove or refute every option in a sandbox, compute a verdict for each question, and write the report."""
    from goldproof.cli import verifying
    from goldproof.cli.output import Output
    from goldproof.jobs.verify import parse_verdicts
    from goldproof.report.tables import check_style

    check_style(format)
    gate = parse_verdicts(fail_if or [])
    chosen = verifying.Chosen(
        cases=tuple(cases or ()), against=tuple(against or ()), only=tuple(case or ()), exclude=exclude
    )
    access = spending.access(max_cost=max_cost, price=price, rate=rate, retry_failed=retry_failed)
    how = isolating.isolating(level=isolation, container=container, unsafe=unsafe, seconds=seconds, workers=workers)
    proving = verifying.proving(prover, model=model, steps=steps, access=access)
    output = Output(out, force=force, json=json, style=format)
    if dry_run:
        verifying.estimate(chosen, proving, how, output=output)
    else:
        verifying.verify(chosen, proving, how, output=output, gate=gate)
