"""Status of one option, from the outcomes of its proofs.

refuted   some proof that may refute did: what refutes a part of an option makes it false, whatever else confirms it
holds     none did, and some proof that may confirm did
open      neither: only supported (it exists, which alone proves nothing), no proof applies, or none had a verdict; or
          proofs disagree: one that decides confirms, and only such as look at a part of the words refute
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldproof.errors import shortened
from goldproof.jobs.verify.finding import OptionFinding

if TYPE_CHECKING:
    from collections.abc import Sequence

    from goldproof.jobs.verify.proof import Standing, Tried

NO_RULE = "no rule applies"
_LONGEST = 240


def find_option(letter: str, text: str, *, tries: Sequence[Tried]) -> OptionFinding:
    """Return the finding on an option."""
    refuted, confirmed = _with(tries, "refuted"), _with(tries, "confirmed")
    if confirmed and refuted and all(_only_words(one, confirmed[0]) for one in refuted):
        reason = f"proofs disagree: {shown_claim(confirmed[0])}; but {contradicted(refuted[0])}"
        return OptionFinding(letter, text, "open", reason, tries=tuple(tries))
    if refuted:
        but = f" Another proof confirms: {shown_claim(confirmed[0])}." if confirmed else ""
        return OptionFinding(letter, text, "refuted", f"{contradicted(refuted[0])}{but}", tries=tuple(tries))
    if confirmed:
        return OptionFinding(letter, text, "holds", f"{shown_claim(confirmed[0])}.", tries=tuple(tries))
    return OptionFinding(letter, text, "open", _why_open(tries), tries=tuple(tries))


def _only_words(refuted: Tried, confirmed: Tried) -> bool:
    """Return whether a refutation looks at some words of an option, where another rule decided what it says."""
    return refuted.proof.power == "refutes" and refuted.proof.rule != confirmed.proof.rule


def contradicted(tried: Tried) -> str:
    """Return a sentence: the claim and what was observed instead."""
    return f"{_claim(tried)}. Not so: {seen(tried)}."


def shown_claim(tried: Tried) -> str:
    """Return the claim and what was observed, without a stop."""
    return f"{_claim(tried)}: {seen(tried)}"


def seen(tried: Tried) -> str:
    """Return what was observed, in a line that is not too long."""
    return shortened(" ".join(tried.compared.seen.split()), longest=_LONGEST).rstrip(".")


def _why_open(tries: Sequence[Tried]) -> str:
    supported, lost = _with(tries, "supported"), _with(tries, "no verdict")
    if supported:
        return f"{shown_claim(supported[0])}, which alone does not show that it is the answer."
    if lost:
        return f"no verdict: {shortened(' '.join(lost[0].reason.split()), longest=_LONGEST).rstrip('.')}."
    return f"{NO_RULE}."


def _with(tries: Sequence[Tried], standing: Standing) -> list[Tried]:
    return [one for one in tries if one.standing == standing]


def _claim(tried: Tried) -> str:
    return " ".join(tried.proof.says.split()).rstrip(".:")
