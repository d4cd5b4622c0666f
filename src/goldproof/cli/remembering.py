"""What `goldproof memory run` and `goldproof memory tune` do with their options."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

import typer

from goldproof.cli.retrieving import asking
from goldproof.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from goldproof.cli.present import Delivery
    from goldproof.study import Provenance

SMOKE = "smoke"


@dataclass(frozen=True, slots=True)
class Search:
    """How configurations are searched."""

    baseline: str | None
    trials: int
    objective: str
    space: Path | None
    seed: int
    dry_run: bool


@dataclass(frozen=True, slots=True)
class Chosen:
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


def run(
    chosen: Chosen,
    delivery: Delivery,
    *,
    judge: str | None,
    match: str | None,
    self_check: bool,
    fresh: bool,
    compared: Mapping[str, Any],
) -> None:
    """Run, write, show, and leave with the right code."""
    from goldproof.cli.present import deliver
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


def tune(chosen: Chosen, search: Search, delivery: Delivery) -> None:
    """Search, look at the hold-out, show what came out, and leave with the right code."""
    from goldproof.cli.present import present
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


def _show_space(chosen: Chosen, search: Search, delivery: Delivery) -> None:
    """Say what would be searched; nothing is run, and the hold-out stays closed."""
    from goldproof.cli.output import Output
    from goldproof.jobs.memory.tuning.job import search_table

    table = search_table(list(chosen.scenarios), space=search.space, criteria=chosen.criteria, k=chosen.k)
    output = Output(None, force=False, json=delivery.json, style=delivery.style)
    output.show(
        [table], {"space": {row[0]: row[1] for row in table.rows}}, remarks=("Nothing was run, nothing is written.",)
    )
