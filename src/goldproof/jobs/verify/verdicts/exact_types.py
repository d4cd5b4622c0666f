"""Prefer options that name the exact type over those that hold only by subclassing.

`ValidationError` of pydantic is a `ValueError`: a snippet that raises the first also raises the second. Where several
options hold, some exactly and some only loosely, only the exact ones hold, and a remark says so. Where all hold
loosely, or all exactly, nothing is decided here.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from goldproof.jobs.verify.finding import OptionFinding, Remark

if TYPE_CHECKING:
    from collections.abc import Sequence


def prefer_exact(options: Sequence[OptionFinding]) -> tuple[tuple[OptionFinding, ...], tuple[Remark, ...]]:
    """Return the options, those refuted that hold only loosely beside an exact one, and the remark about it."""
    holding = [one for one in options if one.status == "holds" and not one.derived]
    exact = [one.letter for one in holding if _is_exact(one)]
    loose = [one.letter for one in holding if not _is_exact(one)]
    if not exact or not loose:
        return tuple(options), ()
    named = " and ".join(exact)
    text = f"{', '.join(loose)} would hold only by subclassing or loosely; {named} holds exactly and goes before."
    return (
        tuple(_superseded(one, by=named) if one.letter in loose else one for one in options),
        (Remark("exact type", text, options=(*exact, *loose)),),
    )


def _is_exact(option: OptionFinding) -> bool:
    return all(one.compared.exact for one in option.tries if one.standing == "confirmed")


def _superseded(option: OptionFinding, *, by: str) -> OptionFinding:
    reason = f"{option.reason.rstrip('.')}, but only by subclassing or loosely: {by} holds exactly."
    return replace(option, status="refuted", reason=reason)
