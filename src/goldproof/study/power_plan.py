"""Plan a study before it is run: how many questions, or how small an effect."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from goldproof.errors import InputError
from goldproof.report import Heading, Table
from goldproof.stats import (
    mcnemar_power,
    mcnemar_sample_size,
    minimum_detectable_effect,
    power,
    sample_size,
    sample_size_for_half_width,
)

if TYPE_CHECKING:
    from goldproof.stats import Alternative

EFFECTS = (0.2, 0.3, 0.5)
POWERS = (0.8, 0.9)


@dataclass(frozen=True, slots=True)
class Conditions:
    """What every plan assumes."""

    alpha: float = 0.05
    power: float = 0.8
    alternative: Alternative = "two-sided"
    design_effect: float = 1.0


@dataclass(frozen=True, slots=True)
class PlanAnswer:
    """One planned quantity: its name in JSON, its value, and the sentence for people."""

    name: str
    value: float | None
    sentence: str


def plan_means(*, n: int | None, effect: float | None, conditions: Conditions) -> PlanAnswer:
    """Plan paired means: n and effect give the power; effect gives n; n gives the smallest effect found."""
    alpha, alternative, deff = conditions.alpha, conditions.alternative, conditions.design_effect
    if n is not None and effect is not None:
        value = power(n, effect=effect, alpha=alpha, alternative=alternative, design_effect=deff)
        return PlanAnswer("power", value, f"{n} questions find d = {effect:g} with power {value:.3f}.")
    if effect is not None:
        size = sample_size(effect, power=conditions.power, alpha=alpha, alternative=alternative, design_effect=deff)
        return PlanAnswer("n", size, f"d = {effect:g} is found with power {conditions.power:g} by {size:,} questions.")
    if n is not None:
        smallest = minimum_detectable_effect(
            n, power=conditions.power, alpha=alpha, alternative=alternative, design_effect=deff
        )
        if smallest is None:
            return PlanAnswer("mde", None, f"{n} questions with design effect {deff:g} can show nothing.")
        return PlanAnswer(
            "mde", smallest, f"{n} questions find d = {smallest:.4f} or more with power {conditions.power:g}."
        )
    raise InputError("nothing to plan from: give --n, --effect, or both.")


def plan_half_width(half_width: float, *, sd: float | None, confidence: float, conditions: Conditions) -> PlanAnswer:
    """Return how many questions make an interval this narrow; 0.5 is the largest sd a metric in 0..1 can have."""
    assumed = 0.5 if sd is None else sd
    n = sample_size_for_half_width(
        half_width, sd=assumed, confidence=confidence, design_effect=conditions.design_effect
    )
    origin = " (the largest that a metric in 0..1 can have)" if sd is None else ""
    sentence = (
        f"{n:,} questions give a {confidence:.0%} interval of ±{half_width:g} at a standard deviation of {assumed:g}"
    )
    return PlanAnswer("n", n, f"{sentence}{origin}.")


def plan_mcnemar(*, p10: float, p01: float, n: int | None, conditions: Conditions) -> PlanAnswer:
    """Plan for 0/1 metrics: p10 of the questions are won and p01 lost."""
    alpha, alternative = conditions.alpha, conditions.alternative
    if conditions.design_effect != 1:
        raise InputError(
            "McNemar's test is for independent questions; leave out --design-effect, or plan with --effect."
        )
    if n is None:
        size = mcnemar_sample_size(p10=p10, p01=p01, power=conditions.power, alpha=alpha, alternative=alternative)
        return PlanAnswer(
            "n", size, f"{p10:g} won and {p01:g} lost is found with power {conditions.power:g} by {size:,} questions."
        )
    value = mcnemar_power(n, p10=p10, p01=p01, alpha=alpha, alternative=alternative)
    return PlanAnswer("power", value, f"{n} questions find {p10:g} won and {p01:g} lost with power {value:.3f}.")


def overview(conditions: Conditions) -> dict[float, dict[float, int]]:
    """Return the usual plan: effect -> power -> questions needed. A power that was asked for replaces the usual two."""
    powers = POWERS if conditions.power in POWERS else (conditions.power,)
    return {
        effect: {
            target: sample_size(
                effect,
                power=target,
                alpha=conditions.alpha,
                alternative=conditions.alternative,
                design_effect=conditions.design_effect,
            )
            for target in powers
        }
        for effect in (-d if conditions.alternative == "less" else d for d in EFFECTS)
    }


def overview_table(conditions: Conditions) -> Table:
    """Return the overview as a table."""
    plan = overview(conditions)
    powers = next(iter(plan.values()))
    rows = tuple((f"{effect:g}", *(f"{n:,}" for n in needed.values())) for effect, needed in plan.items())
    headings = (Heading("effect d_z"), *(Heading(f"n for power {p:g}") for p in powers))
    return Table(headings, rows, title="Questions needed for a paired comparison")
