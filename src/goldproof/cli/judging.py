"""What commands that ask a judge share: asking under limits and under watch, and saying what it would cost."""

from __future__ import annotations

import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

import typer

from goldproof.cli import spending
from goldproof.cli.progress import ProgressLine
from goldproof.cli.retrieving import asking
from goldproof.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from goldproof.jobs.trace import LabellingPlan
    from goldproof.llm.model import Estimate


class JudgingProgress(ProgressLine):
    """Shows how far a judge is; the last ruling clears the line."""

    _PAUSE = 0.1

    def __init__(self) -> None:
        super().__init__()
        self._last = 0.0

    def __call__(self, done: int, total: int) -> None:
        """Rewrite the line."""
        if done == total:
            self._write("")
        elif time.monotonic() - self._last >= self._PAUSE:
            self._last = time.monotonic()
            self._write(f"judge: {done:,} of {total:,} judged")


class Limits(NamedTuple):
    """How models are asked, as the user said it."""

    max_cost: float | None
    price: str | None
    rate: float | None
    concurrency: int
    retry_failed: bool


@contextmanager
def judging(judge: str | None, limits: Limits) -> Iterator[None]:
    """Have the judge's models keep to the limits; without a judge nothing is loaded."""
    if judge is None:
        yield
        return
    from goldproof.llm.access import using_access

    with using_access(spending.access(**limits._asdict())), asking():
        yield


def refuse_without_judge(**given: object) -> None:
    """Refuse options that have no effect without a judge that is asked now."""
    for name, value in given.items():
        if value not in (None, False):
            raise InputError(f"--{name.replace('_', '-')} has no effect without --judge SPEC; leave it out.")


def show_plan(plan: LabellingPlan, *, as_json: bool) -> None:
    """Say what labels of results would cost."""
    said = f"{plan.judge}: {plan.unlabelled:,} distinct results have no label, {plan.judged:,} would be judged."
    left = [f"{n:,} left unlabelled: {why}." for why, n in plan.left.items()]
    facts = {"judge": plan.judge, "unlabelled": plan.unlabelled, "judged": plan.judged, "left": dict(plan.left)}
    show_estimate(plan.estimate, facts=facts, lines=[said, *left], as_json=as_json)


def show_estimate(estimate: Estimate, *, facts: dict[str, object], lines: list[str], as_json: bool) -> None:
    """Print an estimate, for people or machines."""
    from dataclasses import asdict

    from goldproof.cli.present import print_json

    if as_json:
        print_json({"dry_run": True, **facts, "estimate": asdict(estimate)})
    else:
        typer.echo("\n".join([*lines, *spending.estimate_lines(estimate)]))
