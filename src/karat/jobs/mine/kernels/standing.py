"""From rulings and kernels to where each document stands, and whether the question can be answered here.

A document:

    positive   ruled sufficient alone
    partial    in a kernel of several documents, and not ruled sufficient alone
    negative   ruled not sufficient alone, and in no set that suffices
    unjudged   no ruling on it alone has an outcome; or it was ruled a no, but is in a set that suffices and is not
               proven to be minimal: it may be needed there (no negative), and it may be spare (not partial)

A question:

    answerable          some document, or some set of documents, is ruled sufficient
    unanswerable here   kernels were looked for and none was found, every ruling was a no, and nothing ended the search
                        but its own exhaustion or the steps allowed to it
    undecided           anything else

`unanswerable here` is a claim about the documents that were looked at: its reason says how many those are.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from karat.jobs.mine.kernels.outcome import KernelOutcome
from karat.jobs.mine.mined import Candidate, MinedDocument, MinedQuestion

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from karat.core.records import Question
    from karat.jobs.mine.mined import Standing, Status
    from karat.judge.ruling import Ruling


@dataclass(frozen=True, slots=True)
class _Known:
    """All that is known of a question. outcome: None where kernels were not looked for."""

    alone: Mapping[str, Ruling]
    outcome: KernelOutcome | None

    @property
    def found(self) -> KernelOutcome:
        return self.outcome or KernelOutcome()

    def standing(self, document: str) -> Standing:
        """Return where a document stands."""
        ruling = self.alone.get(document)
        sufficient = None if ruling is None else ruling.sufficient
        if sufficient:
            return "positive"
        if any(document in kernel for kernel in self.found.kernels):
            return "partial"
        unsettled = any(document in ids for ids in self.found.unverified)
        return "negative" if sufficient is False and not unsettled else "unjudged"

    def unruled(self) -> int:
        """Return how many rulings came without an outcome, each counted once."""
        sets = sum(len(one.documents) > 1 and one.ruling.sufficient is None for one in self.found.rulings)
        return sets + sum(ruling.sufficient is None for ruling in self.alone.values())


def settle(
    question: Question,
    *,
    candidates: Sequence[Candidate],
    alone: Mapping[str, Ruling],
    outcome: KernelOutcome | None = None,
) -> MinedQuestion:
    """Return the question with its documents, kernels and status.

    alone: rulings on single candidates, by document. outcome: of the search for kernels; None where there was none.
    Documents that only the search for kernels looked at follow the candidates.
    """
    found = outcome or KernelOutcome()
    singles = {one.documents[0]: one.ruling for one in found.rulings if len(one.documents) == 1}
    known = _Known({**singles, **alone}, outcome)
    sources = {candidate.document: candidate.sources for candidate in candidates}
    for document, source in found.added:
        sources.setdefault(document, (source,))
    status, reason = _status(known, looked_at=_looked_at(known))
    return MinedQuestion(
        question=question,
        documents=tuple(
            MinedDocument(one, known.standing(one), where, known.alone.get(one)) for one, where in sources.items()
        ),
        kernels=found.kernels,
        set_rulings=found.rulings,
        status=status,
        reason=reason,
    )


def _looked_at(known: _Known) -> int:
    """Return how many documents some judge saw, alone or with others."""
    return len({*known.alone, *(one for asked in known.found.rulings for one in asked.documents)})


def _status(known: _Known, *, looked_at: int) -> tuple[Status, str]:
    positives = sum(ruling.sufficient is True for ruling in known.alone.values())
    if positives or known.found.kernels or known.found.unverified:
        return "answerable", _why_answerable(known.found, positives)
    nothing = f"nothing sufficient among {looked_at} document{'s' if looked_at != 1 else ''}"
    if known.outcome is None:
        return "undecided", f"{nothing}; kernels were not looked for"
    if why := _why_undecided(known, looked_at=looked_at):
        return "undecided", f"{nothing}; {why}"
    how = "the search was exhausted" if known.found.exhausted else "the steps of the search ran out"
    return "unanswerable here", f"{nothing}, alone or together; every ruling was a no, and {how}"


def _why_answerable(found: KernelOutcome, positives: int) -> str:
    several = sum(len(kernel) > 1 for kernel in found.kernels)
    parts = {
        "sufficient alone": positives,
        "kernels of several documents": several,
        "sufficient sets not proven to be minimal": len(found.unverified),
    }
    return ", ".join(f"{what}: {many}" for what, many in parts.items() if many)


def _why_undecided(known: _Known, *, looked_at: int) -> str:
    if not looked_at:
        return "no document was found to judge"
    if unruled := known.unruled():
        return f"{unruled} ruling{'s' if unruled != 1 else ''} without an outcome"
    bounds = set(known.found.bounded.split(", ")) - {"", "steps"}
    return f"the search was cut short ({known.found.bounded})" if bounds else ""
