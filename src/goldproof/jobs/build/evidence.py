"""Evidence spans in the kept version of each document, and the check that gold documents hold the answer.

A document may have come in several versions (`goldproof.jobs.build.pool`). Evidence marked in another version is looked
for in the one that is kept; spans that do not occur there exactly once are left out and counted. Where a dataset marks
no evidence, the first occurrence of the answer in a gold document is taken, unless the answer is computed;
`metadata.evidence_basis` says which it is. `metadata.answer_in_gold` is the result of the answer check on the gold
documents: present, absent, or abstained (a yes or no, a single digit, prose).
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from goldproof.jobs.build.records import Evidence
from goldproof.judge import find_answer
from goldproof.text.spans import find_words

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from goldproof.jobs.build.records import Sample
    from goldproof.records.entities import Document


class RelocatedSample(NamedTuple):
    """A sample with evidence in the kept documents, and how many of its spans were lost."""

    sample: Sample
    lost: int


def relocate_evidence(
    sample: Sample, *, came_with: Sequence[Document], kept: Mapping[str, Document]
) -> RelocatedSample:
    """Return the sample with evidence in the kept versions of its documents."""
    own = {document.id: document.text for document in came_with}
    moved = [_in_kept_text(span, own[span.document], kept[span.document].text) for span in sample.evidence]
    evidence = tuple(span for span in moved if span is not None)
    answer = _find_answer(sample, kept)
    verdict = answer if isinstance(answer, str) else "present"
    basis = {"evidence_basis": "dataset"} if evidence else {}
    if not sample.evidence and isinstance(answer, Evidence) and not sample.metadata.get("has_computation"):
        evidence, basis = (answer,), {"evidence_basis": "answer found"}
    metadata = {**sample.metadata, "answer_in_gold": verdict, **basis}
    return RelocatedSample(replace(sample, evidence=evidence, metadata=metadata), lost=moved.count(None))


def _in_kept_text(span: Evidence, own: str, kept: str) -> Evidence | None:
    """Return the span of the same words in the kept text; None where they do not occur there exactly once."""
    if own == kept:
        return span
    words = own[span.start : span.end]
    match = find_words(words, kept)
    if match is None or find_words(words, kept[match.end :]) is not None:
        return None
    return Evidence(span.document, match.start, match.end)


def _find_answer(sample: Sample, kept: Mapping[str, Document]) -> Evidence | str:
    """Return the span of the answer in a gold document, else "absent" or "abstained"."""
    verdicts = []
    aliases = sample.metadata.get("answer_aliases", ())
    for identifier in sample.gold_documents:
        text = kept[identifier].text
        if not text:
            continue
        check = find_answer(sample.ground_truth, text, aliases=list(aliases) if isinstance(aliases, list) else [])
        if check.span is not None:
            return Evidence(identifier, check.span.start, check.span.end)
        verdicts.append(check.verdict)
    return "absent" if "absent" in verdicts else "abstained"
