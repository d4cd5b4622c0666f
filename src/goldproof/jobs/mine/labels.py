"""From rulings to labels: the standing of every document, and the status of the question.

Documents:

    positive   ruled sufficient alone
    partial    in a kernel of several documents, and not ruled sufficient alone; or, by a judge that grades, ruled a no
               with a grade that says it bears on the question (`Scale.partial_from`)
    negative   ruled not sufficient alone, and neither in a set that suffices nor graded so
    unjudged   no ruling on it alone has an outcome; or it was ruled a no, but is in a set that suffices and is not
               proven to be minimal: it may be needed there (no negative), and it may be spare (not partial)

A document stays negative also where the search ended early: it may be part of a kernel that was not found.

Questions:

    answerable          some document, or some set of documents, is ruled sufficient
    unanswerable here   kernels were looked for, none was found, every ruling was a no, no document bears on the
                        question by its grade, and
                        - the search was exhausted, or
                        - its steps ran out, but every document of the corpus was looked at, or
                        - its steps ran out, and it was informed: after every no the judge named what is missing, and
                          that was searched for
                        or its own dataset calls it unanswerable, and nothing that was found says otherwise
    undecided           anything else

A search whose steps ran out while the judge said nothing has looked only at documents like the question: that the
answer was not among them says little. Nor does a search that another bound ended, or in which a query failed.

`unanswerable here` is a claim about the documents that were looked at: its reason says how many of how many.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from goldproof.errors import counted
from goldproof.jobs.mine.kernels import KernelOutcome
from goldproof.jobs.mine.records import Candidate, MinedDocument, MinedQuestion

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from goldproof.jobs.mine.records import Standing, Status
    from goldproof.judge import Ruling, Scale
    from goldproof.records.entities import Question


@dataclass(frozen=True, slots=True)
class QuestionEvidence:
    """The rulings on a question and its documents.

    alone: rulings on single documents. outcome: of the kernel search; None where there was none. scale: the judge's.
    """

    alone: Mapping[str, Ruling]
    outcome: KernelOutcome | None
    scale: Scale | None = None

    @property
    def searched(self) -> KernelOutcome:
        """The outcome of the kernel search; an empty one where there was none."""
        return self.outcome or KernelOutcome()

    def bears_on_question(self, document: str) -> bool:
        """Return whether a document was ruled a no with a grade that says it is not irrelevant."""
        ruling, least = self.alone.get(document), None if self.scale is None else self.scale.partial_from
        if ruling is None or least is None or ruling.grade is None or ruling.sufficient is not False:
            return False
        return ruling.grade >= least

    def bearing(self) -> int:
        """Return how many documents were ruled a no, and bear on the question by their grade."""
        return sum(self.bears_on_question(document) for document in self.alone)

    def positives(self) -> int:
        """Return how many documents are ruled sufficient alone."""
        return sum(ruling.sufficient is True for ruling in self.alone.values())

    def looked_at(self) -> int:
        """Return how many documents the judge saw, alone or with others."""
        return len({*self.alone, *(document for asked in self.searched.rulings for document in asked.documents)})

    def unruled(self) -> int:
        """Return how many rulings have no outcome, each counted once."""
        sets = sum(len(asked.documents) > 1 and asked.ruling.sufficient is None for asked in self.searched.rulings)
        return sets + sum(ruling.sufficient is None for ruling in self.alone.values())


def label_question(
    question: Question,
    *,
    candidates: Sequence[Candidate],
    alone: Mapping[str, Ruling],
    outcome: KernelOutcome | None = None,
    scale: Scale | None = None,
    corpus: int | None = None,
) -> MinedQuestion:
    """Return the question with the standing of its documents, its kernels and its status.

    alone: rulings on single candidates, by document. outcome: of the kernel search; None where there was none.
    scale: the judge's; without it grades count for nothing. corpus: how many documents there are, where that is known.
    Documents that only the kernel search looked at follow the candidates.
    """
    searched = outcome or KernelOutcome()
    singles = {asked.documents[0]: asked.ruling for asked in searched.rulings if len(asked.documents) == 1}
    evidence = QuestionEvidence({**singles, **alone}, outcome, scale)
    sources = {candidate.document: candidate.sources for candidate in candidates}
    for document, source in searched.added:
        sources.setdefault(document, (source,))
    status, reason = _status(evidence, corpus=corpus, unanswerable=not question.answerable)
    return MinedQuestion(
        question=question,
        documents=tuple(
            MinedDocument(document, _standing(document, evidence), tags, evidence.alone.get(document))
            for document, tags in sources.items()
        ),
        kernels=searched.kernels,
        set_rulings=searched.rulings,
        status=status,
        reason=reason,
    )


def _standing(document: str, evidence: QuestionEvidence) -> Standing:
    ruling = evidence.alone.get(document)
    sufficient = None if ruling is None else ruling.sufficient
    if sufficient:
        return "positive"
    if any(document in kernel for kernel in evidence.searched.kernels) or evidence.bears_on_question(document):
        return "partial"
    unverified = any(document in ids for ids in evidence.searched.unverified)
    return "negative" if sufficient is False and not unverified else "unjudged"


def _status(evidence: QuestionEvidence, *, corpus: int | None = None, unanswerable: bool = False) -> tuple[Status, str]:
    """Return the status, and the reason for it.

    corpus: how many documents there are, where that is known. unanswerable: its own dataset says that nothing answers
    the question.
    """
    if evidence.positives() or evidence.searched.kernels or evidence.searched.unverified:
        return "answerable", _why_answerable(evidence.searched, evidence.positives())
    nothing = f"nothing sufficient among {_among(evidence.looked_at(), corpus)}"
    if unanswerable and not evidence.bearing():
        return "unanswerable here", f"{nothing}; its own dataset says that nothing answers it"
    if why := _why_undecided(evidence):
        return "undecided", f"{nothing}; {why}"
    if how := _why_unanswerable(evidence, corpus=corpus):
        return "unanswerable here", f"{nothing}, alone or together; every ruling was a no, and {how}"
    return "undecided", f"{nothing}; the steps of the search ran out, and the judge did not always say what is missing"


def _among(looked_at: int, corpus: int | None) -> str:
    many = looked_at if corpus is None else corpus
    of = "" if corpus is None else f"{looked_at:,} of "
    return f"{of}{counted(many, 'document')}"


def _why_answerable(outcome: KernelOutcome, positives: int) -> str:
    several = sum(len(kernel) > 1 for kernel in outcome.kernels)
    parts = {
        "sufficient alone": positives,
        "kernels of several documents": several,
        "sufficient sets not proven to be minimal": len(outcome.unverified),
    }
    return ", ".join(f"{name}: {count}" for name, count in parts.items() if count)


def _why_undecided(evidence: QuestionEvidence) -> str:
    """Return why the question stays undecided; empty where nothing forbids a claim."""
    if not evidence.looked_at():
        return "no document was found to judge"
    if unruled := evidence.unruled():
        return f"{unruled} ruling{'s' if unruled != 1 else ''} without an outcome"
    if evidence.outcome is None:
        return "kernels were not looked for"
    if bearing := evidence.bearing():
        return f"{bearing} document{'s bear' if bearing != 1 else ' bears'} on it by the judge's grade"
    bounds = set(evidence.searched.bounded.split(", ")) - {"", "steps"}
    return f"the search was cut short ({evidence.searched.bounded})" if bounds else ""


def _why_unanswerable(evidence: QuestionEvidence, *, corpus: int | None) -> str:
    """Return what the claim rests on; empty where there is nothing."""
    if evidence.searched.exhausted:
        return "the search was exhausted"
    if corpus is not None and evidence.looked_at() >= corpus:
        return "every document was looked at, though not all of them together"
    return "the steps of the search ran out on what the judge named as missing" if evidence.searched.informed else ""
