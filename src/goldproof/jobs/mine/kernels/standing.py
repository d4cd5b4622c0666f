"""From rulings and kernels to where each document stands, and what the question is called (`status`).

    positive   ruled sufficient alone
    partial    in a kernel of several documents, and not ruled sufficient alone; or, by a judge that grades, ruled a no
               with a grade that says it bears on the question (`Scale.partial_from`)
    negative   ruled not sufficient alone, and neither in a set that suffices nor graded so
    unjudged   no ruling on it alone has an outcome; or it was ruled a no, but is in a set that suffices and is not
               proven to be minimal: it may be needed there (no negative), and it may be spare (not partial)

A negative is what was ruled so, also where the search ended early: it may be part of a kernel that nobody found.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldproof.jobs.mine.kernels.known import Known
from goldproof.jobs.mine.kernels.outcome import KernelOutcome
from goldproof.jobs.mine.kernels.status import status_of
from goldproof.jobs.mine.mined import Candidate, MinedDocument, MinedQuestion

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from goldproof.jobs.mine.mined import Standing
    from goldproof.judge.judge import Ruling, Scale
    from goldproof.records.entities import Question


def settle(
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
    known = Known({**singles, **alone}, outcome, scale)
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


def _standing(document: str, known: Known) -> Standing:
    ruling = known.alone.get(document)
    sufficient = None if ruling is None else ruling.sufficient
    if sufficient:
        return "positive"
    if any(document in kernel for kernel in known.found.kernels) or known.bears_on_it(document):
        return "partial"
    unsettled = any(document in ids for ids in known.found.unverified)
    return "negative" if sufficient is False and not unsettled else "unjudged"
