"""From rulings to labels (positive, partial, negative, unjudged) and the status of the question.

answerable          some document, or some set of documents, is ruled sufficient
    unanswerable here   kernels were looked for, none was found, every ruling was a no, no document bears on the
                        question by its grade, and
                        - the search was exhausted, or
                        - its steps ran out, but every document of the corpus was looked at, or
                        - its steps ran out, and it was informed: after every no the judge named what is missing, and
                          that was searched for
                        or its own dataset calls it unanswerable, and nothing that was found says otherwise
    undecided           anything else

A search whose steps ran out while the judge said nothing has looked at what is like the question, and no more: that
the answer was not among it says little. Nor does one that another bound ended, or of which a query failed.

`unanswerable here` is a claim about the documents that were looked at: its reason says how many of how many.

positive   ruled sufficient alone
    partial    in a kernel of several documents, and not ruled sufficient alone; or, by a judge that grades, ruled a no
               with a grade that says it bears on the question (`Scale.partial_from`)
    negative   ruled not sufficient alone, and neither in a set that suffices nor graded so
    unjudged   no ruling on it alone has an outcome; or it was ruled a no, but is in a set that suffices and is not
               proven to be minimal: it may be needed there (no negative), and it may be spare (not partial)

A negative is what was ruled so, also where the search ended early: it may be part of a kernel that nobody found.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from goldproof.jobs.mine.kernels import KernelOutcome
from goldproof.jobs.mine.records import Candidate, MinedDocument, MinedQuestion

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from goldproof.jobs.mine.records import Standing, Status
    from goldproof.judge.judge import Ruling, Scale
    from goldproof.records.entities import Question


@dataclass(frozen=True, slots=True)
class QuestionEvidence:
    """alone: rulings on single documents. outcome: None where kernels were not looked for. scale: the judge's."""

    alone: Mapping[str, Ruling]
    outcome: KernelOutcome | None
    scale: Scale | None = None

    @property
    def found(self) -> KernelOutcome:
        """What the search for kernels found; nothing where there was none."""
        return self.outcome or KernelOutcome()

    def bears_on_it(self, document: str) -> bool:
        """Return whether a document was ruled a no with a grade that says it is not irrelevant."""
        ruling, least = self.alone.get(document), None if self.scale is None else self.scale.partial_from
        if ruling is None or least is None or ruling.grade is None or ruling.sufficient is not False:
            return False
        return ruling.grade >= least

    def bearing(self) -> int:
        """Return how many such documents there are."""
        return sum(self.bears_on_it(document) for document in self.alone)

    def positives(self) -> int:
        """Return how many documents are ruled sufficient alone."""
        return sum(ruling.sufficient is True for ruling in self.alone.values())

    def looked_at(self) -> int:
        """Return how many documents some judge saw, alone or with others."""
        return len({*self.alone, *(one for asked in self.found.rulings for one in asked.documents)})

    def unruled(self) -> int:
        """Return how many rulings came without an outcome, each counted once."""
        sets = sum(len(one.documents) > 1 and one.ruling.sufficient is None for one in self.found.rulings)
        return sets + sum(ruling.sufficient is None for ruling in self.alone.values())


def status_of(known: QuestionEvidence, *, corpus: int | None = None, unanswerable: bool = False) -> tuple[Status, str]:
    """Return the status, and the reason for it.

    corpus: how many documents there are, where that is known. unanswerable: its own dataset says that nothing answers
    the question.
    """
    if known.positives() or known.found.kernels or known.found.unverified:
        return "answerable", _why_answerable(known.found, known.positives())
    nothing = f"nothing sufficient among {_among(known.looked_at(), corpus)}"
    if unanswerable and not known.bearing():
        return "unanswerable here", f"{nothing}; its own dataset says that nothing answers it"
    if why := _why_not_to_be_told(known):
        return "undecided", f"{nothing}; {why}"
    if how := _why_unanswerable(known, corpus=corpus):
        return "unanswerable here", f"{nothing}, alone or together; every ruling was a no, and {how}"
    return "undecided", f"{nothing}; the steps of the search ran out, and the judge did not always say what is missing"


def _among(looked_at: int, corpus: int | None) -> str:
    many = looked_at if corpus is None else corpus
    of = "" if corpus is None else f"{looked_at:,} of "
    return f"{of}{many:,} document{'s' if many != 1 else ''}"


def _why_answerable(found: KernelOutcome, positives: int) -> str:
    several = sum(len(kernel) > 1 for kernel in found.kernels)
    parts = {
        "sufficient alone": positives,
        "kernels of several documents": several,
        "sufficient sets not proven to be minimal": len(found.unverified),
    }
    return ", ".join(f"{what}: {many}" for what, many in parts.items() if many)


def _why_not_to_be_told(known: QuestionEvidence) -> str:
    """Return what forbids any claim; empty where nothing does."""
    if not known.looked_at():
        return "no document was found to judge"
    if unruled := known.unruled():
        return f"{unruled} ruling{'s' if unruled != 1 else ''} without an outcome"
    if known.outcome is None:
        return "kernels were not looked for"
    if bearing := known.bearing():
        return f"{bearing} document{'s bear' if bearing != 1 else ' bears'} on it by the judge's grade"
    bounds = set(known.found.bounded.split(", ")) - {"", "steps"}
    return f"the search was cut short ({known.found.bounded})" if bounds else ""


def _why_unanswerable(known: QuestionEvidence, *, corpus: int | None) -> str:
    """Return what the claim rests on; empty where it rests on nothing."""
    if known.found.exhausted:
        return "the search was exhausted"
    if corpus is not None and known.looked_at() >= corpus:
        return "every document was looked at, though not all of them together"
    return "the steps of the search ran out on what the judge named as missing" if known.found.informed else ""


def label_question(
    question: Question,
    *,
    candidates: Sequence[Candidate],
    alone: Mapping[str, Ruling],
    outcome: KernelOutcome | None = None,
    scale: Scale | None = None,
    corpus: int | None = None,
) -> MinedQuestion:
    """Return the question with its documents, kernels and status.

    alone: rulings on single candidates, by document. outcome: of the search for kernels; None where there was none.
    scale: the judge's; without it grades count for nothing. corpus: how many documents there are, where that is known.
    Documents that only the search for kernels looked at follow the candidates.
    """
    found = outcome or KernelOutcome()
    singles = {one.documents[0]: one.ruling for one in found.rulings if len(one.documents) == 1}
    known = QuestionEvidence({**singles, **alone}, outcome, scale)
    sources = {candidate.document: candidate.sources for candidate in candidates}
    for document, source in found.added:
        sources.setdefault(document, (source,))
    status, reason = status_of(known, corpus=corpus, unanswerable=not question.answerable)
    return MinedQuestion(
        question=question,
        documents=tuple(
            MinedDocument(one, _standing(one, known), where, known.alone.get(one)) for one, where in sources.items()
        ),
        kernels=found.kernels,
        set_rulings=found.rulings,
        status=status,
        reason=reason,
    )


def _standing(document: str, known: QuestionEvidence) -> Standing:
    ruling = known.alone.get(document)
    sufficient = None if ruling is None else ruling.sufficient
    if sufficient:
        return "positive"
    if any(document in kernel for kernel in known.found.kernels) or known.bears_on_it(document):
        return "partial"
    unsettled = any(document in ids for ids in known.found.unverified)
    return "negative" if sufficient is False and not unsettled else "unjudged"
