"""What mining found, counted: standings by source, rulings that do not count, kernels, questions by status.

A document with several sources counts once for each of them, and once in `all`.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from goldproof.jobs.mine.output.dataset_yaml import NEVER, NEVER_REASON

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from goldproof.jobs.mine.mined import Mined, MinedDocument, MinedQuestion
    from goldproof.judge.judge import Ruling

STANDINGS = ("positive", "partial", "negative", "unjudged")
STATUSES = ("answerable", "unanswerable here", "undecided")
ALL = "all"
_ORDER = ("target", "import", "bm25", "dense", "random", "expansion", "agent")


@dataclass(frozen=True, slots=True)
class Tally:
    """The counts. unjudged: (label, reason) -> documents; kernels: size -> kernels; labels: of all rulings."""

    by_source: Mapping[str, Mapping[str, int]]
    unjudged: Mapping[tuple[str, str], int]
    kernels: Mapping[int, int]
    with_kernels: int
    with_alternatives: int
    statuses: Mapping[str, int]
    without_context: tuple[str, ...]
    asked_without_context: int
    nothing_judged: tuple[str, ...]
    labels: Mapping[str, int]

    @property
    def standings(self) -> Mapping[str, int]:
        """Documents by standing, each once."""
        return self.by_source[ALL]


def tally(mined: Mined) -> Tally:
    """Count."""
    questions = mined.questions
    documents = [one for question in questions for one in question.documents]
    return Tally(
        by_source=_by_source(documents),
        unjudged=_unjudged(documents),
        kernels=dict(sorted(Counter(len(kernel) for one in questions for kernel in one.kernels).items())),
        with_kernels=sum(bool(one.kernels) for one in questions),
        with_alternatives=sum(len(one.kernels) > 1 for one in questions),
        statuses={status: sum(one.status == status for one in questions) for status in STATUSES},
        without_context=tuple(one.question.id for one in questions if one.without_context),
        asked_without_context=sum(one.without_context is not None for one in questions),
        nothing_judged=tuple(one.question.id for one in questions if _is_unknown(one)),
        labels=dict(sorted(Counter(ruling.label for ruling in rulings(mined)).items())),
    )


def rulings(mined: Mined) -> Iterator[Ruling]:
    """Go through all rulings, on single documents and on sets."""
    for question in mined.questions:
        yield from (one.ruling for one in question.documents if one.ruling is not None)
        yield from (one.ruling for one in question.set_rulings)


def _by_source(documents: Iterable[MinedDocument]) -> dict[str, dict[str, int]]:
    counts: dict[str, Counter[str]] = {ALL: Counter()}
    for one in documents:
        for source in dict.fromkeys((*one.sources, ALL)):
            counts.setdefault(source, Counter())[one.standing] += 1
    return {source: {s: counts[source][s] for s in STANDINGS} for source in sorted(counts, key=_place)}


def _place(source: str) -> tuple[int, str]:
    """Order sources: those of the candidates first, then any others by name, and at last all of them."""
    if source == ALL:
        return len(_ORDER) + 1, ""
    return (_ORDER.index(source) if source in _ORDER else len(_ORDER)), source


def _unjudged(documents: Iterable[MinedDocument]) -> dict[tuple[str, str], int]:
    found = Counter(
        (NEVER, NEVER_REASON) if one.ruling is None else (one.ruling.label, one.ruling.reason)
        for one in documents
        if one.standing == "unjudged"
    )
    return dict(sorted(found.items(), key=lambda item: (item[0][0], -item[1], item[0][1])))


def _is_unknown(question: MinedQuestion) -> bool:
    """Say whether nothing is known of a question: no document has a grade, and it is not unanswerable either."""
    judged = any(one.standing != "unjudged" for one in question.documents)
    return not judged and not question.kernels and question.status != "unanswerable here"
