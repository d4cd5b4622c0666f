"""Candidate documents of a question: named, ranked, random; where each came from.

    target    named by the case's own metadata, or gold of its dataset
    import    named by the imports of the fixed solution
    run:NAME  among the first documents of a given run
    bm25      a best hit of bm25 for the question that is no target
    dense     the same of an embedder
    random    drawn

They stand in this order, each document once with all its sources.

The query is the text of the question alone: wrong options or answers would find documents about what is wrong, and the
right ones would find what a person who only asks could not.

Each question has its own draw, from the seed and its id: adding or removing another question does not change it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import islice
from random import Random
from typing import TYPE_CHECKING

from goldproof.errors import IdMismatchError, InputError
from goldproof.jobs.mine.corpus_names import CorpusNames, imported_documents
from goldproof.jobs.mine.records import Candidate
from goldproof.progress import OnProgress, ignore
from goldproof.retrieve import open_retriever

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence, Set

    from goldproof.corpus import Corpus
    from goldproof.io.cases import Case
    from goldproof.jobs.mine.recipe import CandidateSettings
    from goldproof.records.entities import Question
    from goldproof.records.tables import RankingTable


@dataclass(frozen=True, slots=True)
class Gathered:
    """The candidates, in the order of the cases.

    unresolved: a sentence for each target or import that is not in the corpus. remarks: names that were resolved to
    another document, retrievers that failed.
    """

    candidates: tuple[Candidate, ...]
    unresolved: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Named:
    """The documents that a case names itself."""

    targets: tuple[str, ...]
    imports: tuple[str, ...]
    unresolved: tuple[str, ...]
    remarks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Ranked:
    """Documents of each question, best first, and remarks."""

    documents: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()


def gather(
    cases: Sequence[Case],
    corpus: Corpus,
    *,
    settings: CandidateSettings,
    seed: int = 0,
    runs: Mapping[str, RankingTable] | None = None,
    on_progress: OnProgress = ignore,
) -> Gathered:
    """Find the candidates of every case. runs: name -> ranking. on_progress: called while documents are embedded."""
    if not len(corpus):
        raise InputError(f"{corpus.name}: holds no documents, so that no question has a candidate.")
    names = CorpusNames(corpus)
    named = {case.id: _named(case, names) for case in cases}
    targets = {question: frozenset(documents.targets) for question, documents in named.items()}
    questions = [case.question for case in cases]
    ids = [document.id for document in corpus.documents]
    known = frozenset(ids) if runs else frozenset()
    ranked = {
        f"run:{name}": run_documents(name, table, corpus=known, questions=questions, depth=settings.depth)
        for name, table in (runs or {}).items()
    }
    ranked["bm25"] = best_hits("bm25", corpus, questions, many=settings.hard, without=targets)
    dense = f"dense({settings.embedder})"
    ranked["dense"] = best_hits(dense, corpus, questions, many=settings.dense, without=targets, on_progress=on_progress)
    candidates: list[Candidate] = []
    for case in cases:
        by_source = _by_source(named[case.id], ranked, question=case.id)
        without = frozenset((*by_source["target"], *by_source["import"]))
        by_source["random"] = draw_documents(case.id, ids, many=settings.random, without=without, seed=seed)
        candidates += _merged(case.id, by_source)
    return Gathered(
        tuple(candidates),
        unresolved=tuple(line for documents in named.values() for line in documents.unresolved),
        remarks=(
            *names.remarks,
            *(line for documents in named.values() for line in documents.remarks),
            *(line for ranking in ranked.values() for line in ranking.remarks),
        ),
    )


def _named(case: Case, names: CorpusNames) -> _Named:
    targets: dict[str, None] = {}
    unresolved: list[str] = []
    remarks: list[str] = []
    about = f"{case.where}: case {case.id!r}"
    for name in case.targets:
        resolved = names.find(name)
        if resolved is None:
            unresolved.append(f"{about} names {name!r}, {names.unknown(name)}")
            continue
        targets[resolved.document] = None
        if resolved.how:
            remarks.append(f"{about} names {name!r}: {resolved.document!r} is looked at, since {resolved.how}.")
    imported = imported_documents(case, names)
    return _Named(tuple(targets), imported.documents, (*unresolved, *imported.unresolved), tuple(remarks))


def _by_source(named: _Named, ranked: Mapping[str, Ranked], *, question: str) -> dict[str, tuple[str, ...]]:
    own = {"target": named.targets, "import": named.imports}
    return own | {source: ranking.documents.get(question, ()) for source, ranking in ranked.items()}


def _merged(question: str, by_source: Mapping[str, tuple[str, ...]]) -> Iterator[Candidate]:
    sources: dict[str, list[str]] = {}
    for source, documents in by_source.items():
        for document in documents:
            sources.setdefault(document, []).append(source)
    for document, tags in sources.items():
        yield Candidate(question, document, tuple(tags))


def best_hits(
    spec: str,
    corpus: Corpus,
    questions: Sequence[Question],
    *,
    many: int,
    without: Mapping[str, frozenset[str]],
    on_progress: OnProgress = ignore,
) -> Ranked:
    """Return the first `many` hits of each question, less those in `without`."""
    if not many or not questions:
        return Ranked()
    most = max((len(known) for known in without.values()), default=0)
    with open_retriever(spec) as pipeline:
        pipeline.index(corpus, on_progress=on_progress)
        table = pipeline.search_many(questions, many + most)
    kept = {
        question: tuple(hit for hit in hits if hit not in without.get(question, frozenset()))[:many]
        for question, hits in _in_order(table).items()
    }
    return Ranked(kept, _failures(spec, table))


def run_documents(
    name: str, table: RankingTable, *, corpus: frozenset[str], questions: Sequence[Question], depth: int
) -> Ranked:
    """Return the first documents of a run; refuse a run that adds nothing. corpus: the ids of all documents."""
    asked = {question.id for question in questions}
    first = {question: hits[:depth] for question, hits in _in_order(table).items() if question in asked}
    kept = {question: tuple(hit for hit in hits if hit in corpus) for question, hits in first.items()}
    unknown = dict.fromkeys(hit for hits in first.values() for hit in hits if hit not in corpus)
    remarks = list(_failures(f"run {name}", table))
    if not first and len(table.documents):
        raise IdMismatchError(
            f"run {name}: has none of the questions: it has {table.questions[0]!r}, the cases have "
            f"{questions[0].id if questions else None!r}; give the cases it was made for."
        )
    if unknown and not any(kept.values()):
        raise IdMismatchError(
            f"run {name}: none of the {len(unknown):,} documents in its first {depth} is in the corpus. "
            f"Run: {_some(unknown)}. Corpus: {_some(sorted(corpus))}.\n"
            "  Give the corpus that the run searched (--corpus), or let the retriever return its ids (id_field)."
        )
    if unknown:
        remarks.append(
            f"run {name}: {len(unknown):,} documents of its first {depth} are not in the corpus, such as "
            f"{next(iter(unknown))!r}; they are left out."
        )
    return Ranked(kept, tuple(remarks))


def _some(ids: Iterable[str]) -> str:
    return ", ".join(map(repr, islice(ids, 3)))


def _in_order(table: RankingTable) -> dict[str, list[str]]:
    """Return the documents of each question by score, ties by id in descending order, as everywhere."""
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


def draw_documents(
    question: str, documents: Sequence[str], *, many: int, without: Set[str], seed: int
) -> tuple[str, ...]:
    """Draw `many` documents, or as many as there are. without: candidates already, so never drawn."""
    if not many:
        return ()
    random = Random(f"{seed}\n{question}")  # noqa: S311 - nothing to be kept secret
    # As many more are drawn as may have to be left out, so that those left over are a fair draw of the others.
    places = random.sample(range(len(documents)), min(len(documents), many + len(without)))
    return tuple(documents[place] for place in places if documents[place] not in without)[:many]
