"""`goldproof memory`: benchmark memory systems (`run`), search for a better one (`tune`), print the `criteria`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from goldproof.cli import options
from goldproof.cli.command import Delivery, Output, asking, check_junit, deliver, present
from goldproof.errors import ConflictError, InputError

if TYPE_CHECKING:
    from goldproof.jobs.memory import MemoryPlan

SMOKE = "smoke"
MAIN = "main"
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
    timeout: options.Timeout = None,
    fresh: options.Fresh = False,
    max_cost: options.MaxCost = None,
    price: options.Price = None,
    rate: options.Rate = None,
    seed: options.Seed = 0,
    out: options.Out = None,
    force: options.Force = False,
    json: options.AsJson = False,
    format: options.Format = "table",  # noqa: A002 - the option's name
    fail_if: options.FailIf = None,
    junit: options.Junit = None,
) -> None:
    """Run memory systems through scenarios: store, ask, and score what comes back."""
    from goldproof.cli.progress import MemoryProgressLine
    from goldproof.jobs.memory import open_plan, run_plan
    from goldproof.memory import open_memories
    from goldproof.report.tables import check_style

    check_style(format)
    check_junit(junit, _input_files(scenarios, criteria))
    delivery = Delivery(out, force, json, format, tuple(fail_if or ()), junit, suite="goldproof memory run")
    with options.model_limits(max_cost=max_cost, price=price, rate=rate):
        systems = open_memories(memory) if memory else None
        with (
            asking(),
            MemoryProgressLine() as watcher,
            open_plan(
                scenarios or _smoke_suite(),
                systems=systems,
                split=split,
                k=k,
                criteria=criteria,
                judge=judge,
                match=match,
                metrics=metrics,
                baseline=baseline,
                pairs=pairs,
                primary=primary,
                margin=margin,
                test=test,
                self_check=self_check,
                resume=True,
                fresh=fresh,
                seed=seed,
                timeout=timeout,
            ) as plan,
        ):
            _check_delivery(plan, delivery)
            result = run_plan(plan, watcher=watcher)
        for name, system_run in result.runs.items():
            if system_run.resumed:
                resumed = f"{system_run.resumed:,} of the scenarios"
                typer.echo(f"{name}: taken from an interrupted run (--fresh asks anew): {resumed}.", err=True)
        deliver(result, delivery, when_told=result.forget)


def _input_files(scenarios: list[str] | None, criteria: Path | None) -> list[Path]:
    return [Path(path) for path in (*(scenarios or ()), *([criteria] if criteria else ()))]


def _smoke_suite() -> list[str]:
    """Name the bundled suite that is run where no scenarios are given, and say so."""
    typer.echo(f"no scenarios given: running the bundled smoke suite (goldproof memory run {SMOKE}).", err=True)
    return [SMOKE]


def _check_delivery(plan: "MemoryPlan", delivery: Delivery) -> None:
    """Refuse a gate that cannot be read and a folder that holds something else, before anything is asked."""
    from goldproof.io import OutputFolder
    from goldproof.jobs.memory.result import METRIC_ALIASES
    from goldproof.jobs.memory.scoring import METRICS
    from goldproof.study import parse_gate

    for text in delivery.fail_if:
        parse_gate(text, metrics=METRICS, runs=tuple(plan.systems), aliases=METRIC_ALIASES)
    if delivery.out is not None:
        card = plan.provenance.card(delivery.fail_if)
        OutputFolder(delivery.out, card=card, force=delivery.force).check()


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
    max_cost: options.MaxCost = None,
    price: options.Price = None,
    rate: options.Rate = None,
    seed: options.Seed = 0,
    force: options.Force = False,
    json: options.AsJson = False,
    format: options.Format = "table",  # noqa: A002 - the option's name
    fail_if: options.FailIf = None,
    junit: options.Junit = None,
) -> None:
    """Search for a better memory on the development scenarios; compare it once with the baseline on the hold-out."""
    from goldproof.cli.progress import MemoryProgressLine
    from goldproof.jobs.memory import tune_memory
    from goldproof.jobs.memory.job import DEFAULT_MEMORY
    from goldproof.report.tables import check_style

    check_style(format)
    check_junit(junit, _input_files(scenarios, criteria))
    delivery = Delivery(out, force, json, format, tuple(fail_if or ()), junit, suite="goldproof memory tune")
    with options.model_limits(max_cost=max_cost, price=price, rate=rate):
        if dry_run:
            _show_space(scenarios or [MAIN], delivery, space=space, criteria=criteria, k=k)
            return
        if out is None:
            raise InputError("name the folder of the search: --out DIR.")
        with asking(), MemoryProgressLine() as watcher:
            result = tune_memory(
                scenarios or [MAIN],
                out=out,
                baseline=baseline or DEFAULT_MEMORY,
                trials=trials,
                objective=objective,
                space=space,
                criteria=criteria,
                k=k,
                seed=seed,
                force=force,
                fail_if=delivery.fail_if,
                watcher=watcher,
            )
        present(result, delivery, when_told=lambda: typer.echo(f"written to {out}\n{result.opening.remark}", err=True))


def _show_space(
    scenarios: list[str], delivery: Delivery, *, space: Path | None, criteria: Path | None, k: int | None
) -> None:
    """Print the search space; nothing is run, and the hold-out stays closed."""
    from goldproof.jobs.memory.tuning.job import search_table

    table = search_table(scenarios, space=space, criteria=criteria, k=k)
    output = Output(None, force=False, json=delivery.json, style=delivery.style)
    output.show(
        [table], {"space": {row[0]: row[1] for row in table.rows}}, remarks=("Nothing was run, nothing is written.",)
    )


@app.command()
def criteria(
    out: Annotated[Path | None, typer.Option("--out", metavar="FILE", help="Write them to this file.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace a file that is there.")] = False,
) -> None:
    """Print the default criteria, targets and triggers, to keep as a file of your own (--criteria FILE)."""
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
