"""What a memory run is to do, checked before anything is stored or asked."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from goldproof.errors import InputError, UnknownNameError
from goldproof.io.scenarios.scenario import Suite
from goldproof.io.scenarios.suites import open_suites, split_suite
from goldproof.io.storage.cards import sha256_file
from goldproof.jobs.memory.panel import METRICS, TESTED
from goldproof.jobs.memory.rules import Rules
from goldproof.jobs.memory.rules_file import default_rules, read_rules
from goldproof.metrics.memory.measures import ALIASES
from goldproof.records.keys import content_key
from goldproof.study import Design, Procedure, choose_pairs

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from goldproof.judge import Judge
    from goldproof.memory.system import MemorySystem

Chosen = Literal["development", "holdout", "all"]
SPLITS: tuple[Chosen, ...] = ("development", "holdout", "all")


@dataclass(frozen=True, slots=True, eq=False)
class MemoryPlan:
    """Scenarios, systems, rules, and how the systems are compared.

    judge: grades returned items, instead of the scenarios. match: the spec of the judge of rewritten texts. inputs:
    what the card names, with its sha256.
    """

    suite: Suite
    systems: Mapping[str, MemorySystem]
    rules: Rules
    design: Design
    judge: Judge | None = None
    match: object = None
    split: str = "all"
    self_check: bool = True
    resume: bool = False
    fresh: bool = False
    remarks: tuple[str, ...] = ()
    inputs: Mapping[str, str] = field(default_factory=dict)


def chosen_suite(scenarios: object, *, split: str | None) -> tuple[Suite, str, tuple[str, ...]]:
    """Return the scenarios to run, of which split, and what is to be said about it.

    split: None takes the development scenarios where some are held out, else all.
    """
    chosen = next((one for one in SPLITS if one == (split or "development")), None)
    if chosen is None:
        raise UnknownNameError("split", str(split), SPLITS)
    suite = scenarios if isinstance(scenarios, Suite) else open_suites(spec_list(scenarios))
    held = len(held_out(suite).scenarios)
    if split is None and not held:
        return suite, "all", ()
    if chosen == "development" and held == len(suite.scenarios):
        raise InputError(
            f"{suite.name}: every scenario is held out; say so with --split holdout, which is written down."
        )
    kept = split_suite(suite, chosen)
    if not kept.scenarios:
        raise InputError(f"{suite.name}: no scenario is in the split {chosen!r}; name another with --split.")
    if split is None:
        return kept, chosen, (f"{held} hold-out scenarios were left out; run them with --split holdout, or all.",)
    opened = "The hold-out was opened: what is chosen after this is no longer tested by it."
    return kept, chosen, (opened,) if held_out(kept).scenarios else ()


def held_out(suite: Suite) -> Suite:
    """Return the scenarios that are held out."""
    return replace(suite, scenarios=tuple(one for one in suite.scenarios if one.split == "holdout"))


def chosen_rules(criteria: object, *, k: object) -> Rules:
    """Return the rules of a file, or the bundled ones; k in place of theirs where it is given."""
    if isinstance(criteria, Rules):
        rules = criteria
    elif criteria is None:
        rules = default_rules()
    elif isinstance(criteria, str | PathLike):
        rules = read_rules(Path(criteria))
    else:
        raise InputError(f"criteria: found {type(criteria).__name__}; expected a file.")
    if k is None:
        return rules
    if isinstance(k, bool) or not isinstance(k, int) or k < 1:
        raise InputError(f"k is {k!r}, expected a whole number above 0.")
    return replace(rules, k=k)


def chosen_design(
    runs: tuple[str, ...],
    *,
    metrics: str | Iterable[str] | None,
    baseline: str | None,
    pairs: str | None,
    primary: str | None,
    margin: float | None,
    test: str,
    seed: object,
) -> Design:
    """Return how systems are compared; measures that are not tested are described."""
    if isinstance(seed, bool) or not isinstance(seed, int) or seed < 0:
        raise InputError(f"seed {seed!r} is not a whole number of 0 or more.")
    named = TESTED if metrics is None else tuple(map(metric_name, _names(metrics)))
    first = None if primary is None else metric_name(primary)
    tested = tuple(dict.fromkeys([*named, *([] if first is None else [first])]))
    return Design(
        choose_pairs(runs, baseline=baseline, pairs=pairs),
        primary=first,
        margin=margin,
        test=Procedure.named(test, seed=seed),
        described=frozenset(METRICS) - frozenset(tested),
    )


def metric_name(name: str) -> str:
    """Return the measure that a name stands for."""
    found = ALIASES.get(name.strip().casefold(), name.strip())
    found = "passed" if found == "pass_rate" else found
    if found not in METRICS:
        raise UnknownNameError("measure", name, METRICS)
    return found


def suite_content(suite: Suite) -> Mapping[str, str]:
    """Return what decides the scenarios: the sha256 of their files, or of their content where they came as objects."""
    if suite.inputs:
        return {f"scenarios {name}": sha for name, sha in suite.inputs.items()}
    return {"scenarios": content_key([repr(scenario) for scenario in suite.scenarios])}


def criteria_content(criteria: object) -> Mapping[str, str]:
    """Return the sha256 of a user's file of criteria, where there is one."""
    if isinstance(criteria, str | PathLike):
        return {f"criteria {Path(criteria).name}": sha256_file(Path(criteria))}
    return {}


def spec_list(scenarios: object) -> Sequence[str | Path]:
    """Return the files and suites that scenarios were named by."""
    if isinstance(scenarios, str | Path):
        return [scenarios]
    if isinstance(scenarios, list | tuple) and scenarios and all(isinstance(one, str | Path) for one in scenarios):
        return scenarios
    raise InputError(
        f"scenarios: found {type(scenarios).__name__}; expected a file, a bundled suite (smoke, main), or several."
    )


def _names(metrics: str | Iterable[str]) -> list[str]:
    return [name for name in (metrics.split(",") if isinstance(metrics, str) else metrics) if name.strip()]
