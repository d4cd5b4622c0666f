"""Documents from rankings: the best hits of a retriever that are no targets, and the first documents of given runs.

The query is the text of the question: neither options nor answer nor explanation, of which the wrong ones would find
documents for what is wrong, and the right ones would find what nobody who only asks could.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING

from goldproof.errors import IdMismatchError
from goldproof.retrieve import open_retriever

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from goldproof.corpus import Corpus
    from goldproof.records.entities import Question
    from goldproof.records.tables import RankingTable


@dataclass(frozen=True, slots=True)
class Ranked:
    """Question -> documents, best first; and what is to be said."""

    documents: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()


def best_hits(
    spec: str,
    corpus: Corpus,
    questions: Sequence[Question],
    *,
    many: int,
    without: Mapping[str, frozenset[str]],
    on_progress: Callable[[int, int, int], None] | None = None,
) -> Ranked:
    """Return the first `many` hits of each question, less those in `without`."""
    if not many or not questions:
        return Ranked()
    most = max((len(known) for known in without.values()), default=0)
    with open_retriever(spec) as pipeline:
        pipeline.index(corpus, on_progress=on_progress)
        table = pipeline.search_many(questions, many + most)
    kept = {
        question: tuple(one for one in found if one not in without.get(question, frozenset()))[:many]
        for question, found in _in_order(table).items()
    }
    return Ranked(kept, _failures(spec, table))


def run_documents(
    name: str, table: RankingTable, *, corpus: frozenset[str], questions: Sequence[Question], depth: int
) -> Ranked:
    """Return the first documents of a run; refuse one that adds nothing. corpus: the ids that there are."""
    asked = {question.id for question in questions}
    first = {q: found[:depth] for q, found in _in_order(table).items() if q in asked}
    kept = {question: tuple(one for one in found if one in corpus) for question, found in first.items()}
    strange = dict.fromkeys(one for found in first.values() for one in found if one not in corpus)
    remarks = list(_failures(f"run {name}", table))
    if not first and len(table.documents):
        raise IdMismatchError(
            f"run {name}: has none of the questions: it has {table.questions[0]!r}, the cases have "
            f"{questions[0].id if questions else None!r}; give the cases it was made for."
        )
    if strange and not any(kept.values()):
        raise IdMismatchError(
            f"run {name}: none of the {len(strange):,} documents in its first {depth} is in the corpus. "
            f"Run: {_some(strange)}. Corpus: {_some(sorted(corpus))}.\n"
            "  Give the corpus that the run searched (--corpus), or let the retriever return its ids (id_field)."
        )
    if strange:
        remarks.append(
            f"run {name}: {len(strange):,} documents of its first {depth} are not in the corpus, such as "
            f"{next(iter(strange))!r}; they are left out."
        )
    return Ranked(kept, tuple(remarks))


def _some(ids: Iterable[str]) -> str:
    return ", ".join(map(repr, islice(ids, 3)))


def _in_order(table: RankingTable) -> dict[str, list[str]]:
    """Return question -> documents by score, ties by id from the last to the first, as everywhere."""
    return {
        question: [document for document, _ in sorted(sorted(scores.items(), reverse=True), key=lambda item: -item[1])]
        for question, scores in table.to_dict().items()
    }


def _failures(name: str, table: RankingTable) -> tuple[str, ...]:
    if not table.failed:
        return ()
    question, reason = next(iter(table.failed.items()))
    count = f"{len(table.failed):,} question{'s' * (len(table.failed) != 1)}"
    return (f"{name}: finds no documents for {count}, such as {question!r}: {reason}",)
