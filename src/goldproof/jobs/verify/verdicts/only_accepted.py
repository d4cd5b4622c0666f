"""Accept the only option that the library takes, where a question asks which parameter or flag serves a purpose.

That a keyword is accepted, a flag listed by its command, or an import works does not show what it is for. But where
every other option was refuted, the question has one answer, and one is accepted, that is the answer. Mere existence is
never enough for this, and neither is it where `none of the above` is on offer: then the question may have no answer
among the others.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from goldproof.jobs.verify.verdicts.options import shown_claim

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from goldproof.jobs.verify.finding import OptionFinding
    from goldproof.jobs.verify.proof import Tried

# Named by the rules about keywords, about flags of commands, and about imports of one name from several places.
MEANINGS = ("keyword (meaning)", "flag (meaning)", "import (meaning)")


def lift_only_accepted(
    options: Sequence[OptionFinding], *, derived: Collection[str], none_offered: bool
) -> tuple[OptionFinding, ...]:
    """Return the options, the only accepted one held. derived: letters of those that say nothing of their own."""
    own = [one for one in options if one.letter not in derived]
    left = [one for one in own if one.status != "refuted"]
    if none_offered or len(left) != 1 or len(own) < 2 or left[0].status != "open":
        return tuple(options)
    accepted = _accepted(left[0])
    if accepted is None:
        return tuple(options)
    reason = f"{shown_claim(accepted)}; it is the only one that is accepted."
    return tuple(replace(one, status="holds", reason=reason) if one is left[0] else one for one in options)


def _accepted(option: OptionFinding) -> Tried | None:
    tries = (one for one in option.tries if one.standing == "supported" and one.proof.rule in MEANINGS)
    return next(tries, None)
