"""`goldproof mine`: which documents really answer a question, and which of them suffice together."""

from pathlib import Path
from typing import Annotated

import typer

from goldproof.cli import options, spending


def mine(
    recipe: Annotated[
        str | None,
        typer.Argument(metavar="RECIPE", help="A YAML file with the options' names, or a bundled recipe: example."),
    ] = None,
    cases: Annotated[
        list[Path] | None,
        typer.Option("--cases", metavar="FILE", help="Questions: a registry (YAML, JSON), JSONL or a dataset."),
    ] = None,
    corpus: Annotated[
        str | None, typer.Option("--corpus", metavar="SPEC", help="Documents: package:NAME, folder:DIR, a path, ...")
    ] = None,
    judge: Annotated[
        str | None,
        typer.Option(
            "--judge",
            metavar="SPEC",
            help="llm:MODEL[+MODEL][#votes=N], answer (offline, the default), gold, similarity, keyword, human:FILE "
            "or module:object.",
        ),
    ] = None,
    random: Annotated[int | None, typer.Option("--random", metavar="N", help="Random documents per question.")] = None,
    hard: Annotated[int | None, typer.Option("--hard", metavar="M", help="Best hits of bm25 per question.")] = None,
    dense: Annotated[int | None, typer.Option("--dense", metavar="M", help="Best hits of MiniLM per question.")] = None,
    discover: Annotated[
        str | None, typer.Option("--discover", metavar="MODEL", help="An agent searches and reads to answer the case.")
    ] = None,
    extend: Annotated[
        list[Path] | None,
        typer.Option("--extend", metavar="RUN", help="Judge what this run returned in its first --depth. Repeatable."),
    ] = None,
    depth: Annotated[int | None, typer.Option("--depth", metavar="N", help="Of each --extend run (10).")] = None,
    kernels: Annotated[
        bool | None, typer.Option("--kernels/--no-kernels", help="Look for the minimal sets that suffice.")
    ] = None,
    no_context: Annotated[
        bool | None,
        typer.Option("--no-context/--skip-no-context", help="Also ask each question with no context at all (models)."),
    ] = None,
    candidates_only: Annotated[
        bool, typer.Option("--candidates-only", help="Write candidates.jsonl, unlabelled, and stop.")
    ] = False,
    candidates: Annotated[
        Path | None, typer.Option("--from", metavar="FILE", help="Judge the candidates of this file (or mined folder).")
    ] = None,
    exclude: Annotated[
        Path | None,
        typer.Option(
            "--exclude", metavar="FILE", help="Question ids to leave out, such as goldproof verify's exclude.txt."
        ),
    ] = None,
    seed: Annotated[int | None, typer.Option("--seed", help="Seed of everything random (0).")] = None,
    max_cost: spending.MaxCost = None,
    dry_run: spending.DryRun = False,
    price: spending.Price = None,
    rate: spending.Rate = None,
    concurrency: spending.Concurrency = 8,
    retry_failed: spending.RetryFailed = False,
    out: Annotated[Path | None, typer.Option("--out", metavar="DIR", help="Write all files here.")] = None,
    force: options.Force = False,
    json: options.AsJson = False,
    format: options.Format = "table",  # noqa: A002 - the option's name
) -> None:
    """Find candidates for every question, have them judged, find the minimal sets that suffice, and write a dataset."""
    from goldproof.cli import mining
    from goldproof.cli.output import Output
    from goldproof.report.tables import check_style

    check_style(format)
    chosen = mining.chosen_recipe(
        recipe,
        cases=tuple(cases) if cases else None,
        corpus=corpus,
        judge=judge,
        random=random,
        hard=hard,
        dense=dense,
        discover=discover,
        runs=tuple(extend) if extend else None,
        depth=depth,
        kernels=kernels,
        no_context=no_context,
        candidates=candidates,
        exclude=exclude,
        seed=seed,
    )
    access = spending.access(
        max_cost=max_cost, price=price, rate=rate, concurrency=concurrency, retry_failed=retry_failed
    )
    do = mining.estimate if dry_run else mining.gather if candidates_only else mining.mine
    do(chosen, access, output=Output(out, force=force, json=json, style=format))
