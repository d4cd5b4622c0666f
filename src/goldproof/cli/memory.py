"""`goldproof memory`: does long-term memory bring back what matters, and nothing else?"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from goldproof.cli import options
from goldproof.cli.command import asking
from goldproof.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from goldproof.cli.command import Delivery
    from goldproof.study import Provenance

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
    from goldproof.cli.command import Delivery, check_junit
    from goldproof.report.tables import check_style

    check_style(format)
    check_junit(junit, [Path(one) for one in (*(scenarios or ()), *([criteria] if criteria else ()))])
    chosen = ChosenScenarios(
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
    with options.model_limits(max_cost=max_cost, price=price, rate=rate):
        _run(
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
    from goldproof.cli.command import Delivery, check_junit
    from goldproof.report.tables import check_style

    check_style(format)
    check_junit(junit, [Path(one) for one in (*(scenarios or ()), *([criteria] if criteria else ()))])
    chosen = ChosenScenarios(tuple(scenarios or ("main",)), (), None, k, criteria)
    search = TuneSearch(baseline=baseline, trials=trials, objective=objective, space=space, seed=seed, dry_run=dry_run)
    delivery = Delivery(out, force, json, format, tuple(fail_if or ()), junit, suite="goldproof memory tune")
    with options.model_limits(max_cost=max_cost, price=price, rate=rate):
        _tune(chosen, search, delivery)


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


SMOKE = "smoke"


@dataclass(frozen=True, slots=True)
class TuneSearch:
    """How configurations are searched."""

    baseline: str | None
    trials: int
    objective: str
    space: Path | None
    seed: int
    dry_run: bool


@dataclass(frozen=True, slots=True)
class ChosenScenarios:
    """Scenarios, systems and rules, from what the user said."""

    scenarios: tuple[str, ...]
    memories: tuple[str, ...]
    split: str | None
    k: int | None
    criteria: Path | None

    def files(self) -> list[str]:
        """Return the scenarios; the bundled smoke suite where none are named."""
        if self.scenarios:
            return list(self.scenarios)
        typer.echo(f"no scenarios given: running the bundled smoke suite (goldproof memory run {SMOKE}).", err=True)
        return [SMOKE]


def _run(
    chosen: ChosenScenarios,
    delivery: Delivery,
    *,
    judge: str | None,
    match: str | None,
    self_check: bool,
    fresh: bool,
    compared: Mapping[str, Any],
) -> None:
    """Run, write, show, and leave with the right code."""
    from goldproof.cli.command import deliver
    from goldproof.cli.progress import MemoryProgressLine
    from goldproof.io import OutputFolder
    from goldproof.jobs.memory import run_memory
    from goldproof.jobs.memory.result import METRIC_ALIASES
    from goldproof.jobs.memory.scoring import METRICS
    from goldproof.memory import open_memories
    from goldproof.study import parse_gate

    systems = open_memories(list(chosen.memories)) if chosen.memories else None

    def check(provenance: Provenance) -> None:
        """Refuse a gate that cannot be read, and a folder that holds something else, before anything is asked."""
        named = tuple(cast("Mapping[str, object]", provenance.settings["systems"]))
        for text in delivery.fail_if:
            parse_gate(text, metrics=METRICS, runs=named, aliases=METRIC_ALIASES)
        if delivery.out is not None:
            OutputFolder(delivery.out, card=provenance.card(delivery.fail_if), force=delivery.force).check()

    with asking(), MemoryProgressLine() as watcher:
        result = run_memory(
            chosen.files(),
            systems=systems,
            split=chosen.split,
            k=chosen.k,
            criteria=chosen.criteria,
            judge=judge,
            match=match,
            self_check=self_check,
            resume=True,
            fresh=fresh,
            check=check,
            watcher=watcher,
            **compared,
        )
    for name, one in result.runs.items():
        if one.resumed:
            typer.echo(
                f"{name}: taken from an interrupted run (--fresh asks anew): {one.resumed:,} of the scenarios.",
                err=True,
            )
    deliver(result, delivery, when_told=result.forget)


def _tune(chosen: ChosenScenarios, search: TuneSearch, delivery: Delivery) -> None:
    """Search, look at the hold-out, show what came out, and leave with the right code."""
    from goldproof.cli.command import present
    from goldproof.cli.progress import MemoryProgressLine
    from goldproof.jobs.memory import tune_memory
    from goldproof.jobs.memory.job import DEFAULT_MEMORY

    if search.dry_run:
        _show_space(chosen, search, delivery)
        return
    if delivery.out is None:
        raise InputError("name the folder of the search: --out DIR.")
    with asking(), MemoryProgressLine() as watcher:
        result = tune_memory(
            list(chosen.scenarios),
            out=delivery.out,
            baseline=search.baseline or DEFAULT_MEMORY,
            trials=search.trials,
            objective=search.objective,
            space=search.space,
            criteria=chosen.criteria,
            k=chosen.k,
            seed=search.seed,
            force=delivery.force,
            fail_if=delivery.fail_if,
            watcher=watcher,
        )

    def tell() -> None:
        typer.echo(f"written to {delivery.out}", err=True)
        typer.echo(result.opening.remark, err=True)

    present(result, delivery, when_told=tell)


def _show_space(chosen: ChosenScenarios, search: TuneSearch, delivery: Delivery) -> None:
    """Say what would be searched; nothing is run, and the hold-out stays closed."""
    from goldproof.cli.command import Output
    from goldproof.jobs.memory.tuning.job import search_table

    table = search_table(list(chosen.scenarios), space=search.space, criteria=chosen.criteria, k=chosen.k)
    output = Output(None, force=False, json=delivery.json, style=delivery.style)
    output.show(
        [table], {"space": {row[0]: row[1] for row in table.rows}}, remarks=("Nothing was run, nothing is written.",)
    )
