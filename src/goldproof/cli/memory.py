"""`goldproof memory`: does long-term memory bring back what matters, and nothing else?"""

from pathlib import Path
from typing import Annotated

import typer

from goldproof.cli import options, spending

app = typer.Typer(help="Benchmark and tune conversational memory.", rich_markup_mode=None, no_args_is_help=True)
Scenarios = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="SCENARIOS...",
        help="Scenario files (YAML), LoCoMo or LongMemEval files, or bundled suites: smoke (default), main.",
    ),
]
Criteria = Annotated[
    Path | None,
    typer.Option(
        "--criteria", metavar="FILE", help="Your criteria and targets ('goldproof memory criteria' writes one)."
    ),
]
HowMany = Annotated[
    int | None, typer.Option("-k", "--k", metavar="N", help="How many memories are asked for (default: 5).", min=1)
]


@app.callback()
def root() -> None:
    """Benchmark and tune conversational memory."""


@app.command()
def run(
    scenarios: Scenarios = None,
    memory: Annotated[
        list[str] | None,
        typer.Option(
            "--memory",
            metavar="[NAME=]SPEC",
            help="The system: a pipeline such as 'hybrid(bm25, dense(minilm)) | floor(0.3) | top(5)', a YAML file of "
            "one, module:object, or a URL. Repeatable: systems are compared.",
        ),
    ] = None,
    split: Annotated[
        str | None,
        typer.Option(
            "--split", metavar="NAME", help="development (default where there is a hold-out), holdout or all."
        ),
    ] = None,
    k: HowMany = None,
    criteria: Criteria = None,
    judge: Annotated[
        str | None,
        typer.Option("--judge", metavar="SPEC", help="Grades what came, instead of the scenarios (llm:NAME, ...)."),
    ] = None,
    match: Annotated[
        str | None, typer.Option("--match", metavar="SPEC", help="The judge that matches what a system rewrote.")
    ] = None,
    metrics: Annotated[
        str | None,
        typer.Option(
            "--metrics", metavar="LIST", help="Measures that are tested between systems; others are described."
        ),
    ] = None,
    baseline: options.Baseline = None,
    pairs: options.Pairs = None,
    primary: options.Primary = None,
    margin: options.Margin = None,
    test: options.Test = "auto",
    self_check: Annotated[
        bool, typer.Option("--self-check/--no-self-check", help="Try trivial systems on the same scenarios.")
    ] = True,
    fresh: options.Fresh = False,
    max_cost: spending.MaxCost = None,
    price: spending.Price = None,
    rate: spending.Rate = None,
    seed: options.Seed = 0,
    out: options.Out = None,
    force: options.Force = False,
    json: options.AsJson = False,
    format: options.Format = "table",  # noqa: A002 - the option's name
    fail_if: options.FailIf = None,
    junit: options.Junit = None,
) -> None:
    """Run memory systems through scenarios: store, ask, and score what comes back."""
    from goldproof.cli import remembering
    from goldproof.cli.present import Delivery, check_junit
    from goldproof.report.tables import check_style

    check_style(format)
    check_junit(junit, [Path(one) for one in (*(scenarios or ()), *([criteria] if criteria else ()))])
    chosen = remembering.Chosen(
        scenarios=tuple(scenarios or ()), memories=tuple(memory or ()), split=split, k=k, criteria=criteria
    )
    delivery = Delivery(
        out=out,
        force=force,
        json=json,
        style=format,
        fail_if=tuple(fail_if or ()),
        junit=junit,
        suite="goldproof memory run",
    )
    with spending.limited(max_cost=max_cost, price=price, rate=rate):
        remembering.run(
            chosen,
            delivery,
            judge=judge,
            match=match,
            self_check=self_check,
            fresh=fresh,
            compared={
                "metrics": metrics,
                "baseline": baseline,
                "pairs": pairs,
                "primary": primary,
                "margin": margin,
                "test": test,
                "seed": seed,
            },
        )


@app.command()
def tune(
    scenarios: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="SCENARIOS...", help="Scenario files with both splits, or a bundled suite: main (default)."
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="DIR", help="The folder of the search; an interrupted one goes on there."),
    ] = None,
    baseline: Annotated[
        str | None,
        typer.Option(
            "--baseline",
            metavar="SPEC",
            help="The memory to beat, as for 'goldproof memory run --memory' (default: dense(minilm) | top(5)).",
        ),
    ] = None,
    trials: Annotated[int, typer.Option("--trials", metavar="N", help="Configurations to try.", min=1)] = 60,
    objective: Annotated[
        str, typer.Option("--objective", metavar="MEASURE", help="What is maximised on the development scenarios.")
    ] = "f1_or_silence",
    space: Annotated[
        Path | None, typer.Option("--space", metavar="FILE", help="What may be chosen (YAML; default: everything).")
    ] = None,
    k: HowMany = None,
    criteria: Criteria = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show what would be searched, and run nothing.")] = False,
    max_cost: spending.MaxCost = None,
    price: spending.Price = None,
    rate: spending.Rate = None,
    seed: options.Seed = 0,
    force: options.Force = False,
    json: options.AsJson = False,
    format: options.Format = "table",  # noqa: A002 - the option's name
    fail_if: options.FailIf = None,
    junit: options.Junit = None,
) -> None:
    """Search for a better memory on the development scenarios; compare it once with the baseline on the hold-out."""
    from goldproof.cli import remembering
    from goldproof.cli.present import Delivery, check_junit
    from goldproof.report.tables import check_style

    check_style(format)
    check_junit(junit, [Path(one) for one in (*(scenarios or ()), *([criteria] if criteria else ()))])
    chosen = remembering.Chosen(tuple(scenarios or ("main",)), (), None, k, criteria)
    search = remembering.Search(
        baseline=baseline, trials=trials, objective=objective, space=space, seed=seed, dry_run=dry_run
    )
    delivery = Delivery(out, force, json, format, tuple(fail_if or ()), junit, suite="goldproof memory tune")
    with spending.limited(max_cost=max_cost, price=price, rate=rate):
        remembering.tune(chosen, search, delivery)


@app.command()
def criteria(
    out: Annotated[Path | None, typer.Option("--out", metavar="FILE", help="Write them to this file.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace a file that is there.")] = False,
) -> None:
    """Print the default criteria, targets and triggers, to keep as a file of your own (--criteria FILE)."""
    from goldproof.errors import ConflictError
    from goldproof.io import write_text
    from goldproof.jobs.memory.criteria import CRITERIA_FILE

    text = CRITERIA_FILE.read_text(encoding="utf-8")
    if out is None:
        typer.echo(text, nl=False)
        return
    if out.exists() and not force:
        raise ConflictError(f"{out}: is there already; name another file, or replace it with --force.")
    write_text(out, text)
    typer.echo(f"written to {out}", err=True)
