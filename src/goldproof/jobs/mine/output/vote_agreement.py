"""How far the votes of the judge agree: each model with itself, the models with each other, all together.

`goldproof.judge.consistency` defines the measures. Where no ruling has two votes there is nothing to measure: None.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldproof.jobs.mine.output.tally import rulings
from goldproof.judge.consistency import self_consistency
from goldproof.report import Heading, Table
from goldproof.report.numbers import bracket, count, number, share

if TYPE_CHECKING:
    from goldproof.jobs.mine.mined import Mined
    from goldproof.judge.consistency import Agreement, Consistency


def vote_agreement(mined: Mined) -> Consistency | None:
    """Measure it over all rulings; None where none has two votes."""
    voted = [one for one in rulings(mined) if len(one.votes) > 1]
    return self_consistency(voted) if voted else None


def agreement_table(found: Consistency) -> Table:
    """Return a row for each model, one for the models with each other, and one for all votes."""
    own = [(f"{name} with itself", one) for name, one in found.models.items() if one.n]
    across = [("models with each other", found.across)] if found.across.n else []
    names = ("rulings", "pairwise agreement", "unanimous", "alpha", "95% interval")
    failed = (f"{count(found.failed)} of {count(found.votes)} votes failed and are left out.",) if found.failed else ()
    return Table(
        (Heading("votes", "left"), *(Heading(name) for name in names)),
        tuple(_row(name, one) for name, one in (*own, *across, ("all votes", found.overall))),
        title="Agreement of the votes",
        notes=("Rulings with two votes or more. alpha is Krippendorff's; undefined where nothing varies.", *failed),
    )


def _row(name: str, one: Agreement) -> tuple[str, ...]:
    alpha = one.alpha
    shown = (number(one.pairwise), share(one.unanimous), number(alpha.value), bracket(alpha.low, alpha.high))
    return name, count(one.n), *shown


def agreement_dict(found: Consistency | None) -> dict[str, object] | None:
    """Return the measures as JSON."""
    if found is None:
        return None
    return {
        "models": {name: _plain(one) for name, one in found.models.items()},
        "across": _plain(found.across),
        "overall": _plain(found.overall),
        "votes": found.votes,
        "failed": found.failed,
    }


def _plain(one: Agreement) -> dict[str, object]:
    alpha = {"value": one.alpha.value, "low": one.alpha.low, "high": one.alpha.high, "note": one.alpha.note}
    return {"rulings": one.n, "pairwise": one.pairwise, "unanimous": one.unanimous, "alpha": alpha}
