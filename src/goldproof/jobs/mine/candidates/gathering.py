"""Candidates: the documents that are looked at for a question, each with where it came from.

    target    named by the case's own metadata, or gold of its dataset
    import    named by the imports of the fixed solution
    run:NAME  among the first documents of a given run
    bm25      a best hit of bm25 for the question that is no target
    dense     the same of an embedder
    random    drawn

Per question they stand in this order, each document once with all its sources.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from goldproof.errors import InputError
from goldproof.jobs.mine.candidates.corpus_names import CorpusNames
from goldproof.jobs.mine.candidates.drawing import drawn
from goldproof.jobs.mine.candidates.ranked import Ranked, best_hits, run_documents
from goldproof.jobs.mine.candidates.solutions import imported_documents
from goldproof.jobs.mine.mined import Candidate

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from goldproof.corpus import Corpus
    from goldproof.io.cases import Case
    from goldproof.jobs.mine.candidates.settings import CandidateSettings
    from goldproof.records.tables import RankingTable


@dataclass(frozen=True, slots=True)
class Gathered:
    """The candidates, in the order of the cases.

    unresolved: a sentence for each target or import that is not in the corpus. remarks: names that stand for a document
    of something else, retrievers that failed.
    """

    candidates: tuple[Candidate, ...]
    unresolved: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Named:
    """What the case itself names."""

    targets: tuple[str, ...]
    imports: tuple[str, ...]
    unresolved: tuple[str, ...]
    remarks: tuple[str, ...]


def gather(
    cases: Sequence[Case],
    corpus: Corpus,
    *,
    settings: CandidateSettings,
    runs: Mapping[str, RankingTable] | None = None,
    on_progress: Callable[[int, int, int], None] | None = None,
) -> Gathered:
    """Find the candidates of every case. runs: name -> ranking. on_progress: told while documents are embedded."""
    if not len(corpus):
        raise InputError(f"{corpus.name}: holds no documents, so that no question has a candidate.")
    names = CorpusNames(corpus)
    named = {case.id: _named(case, names) for case in cases}
    targets = {question: frozenset(found.targets) for question, found in named.items()}
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
        found = _by_source(named[case.id], ranked, question=case.id)
        without = frozenset((*found["target"], *found["import"]))
        found["random"] = drawn(case.id, ids, many=settings.random, without=without, seed=settings.seed)
        candidates += _merged(case.id, found)
    return Gathered(
        tuple(candidates),
        unresolved=tuple(line for found in named.values() for line in found.unresolved),
        remarks=(
            *names.remarks,
            *(line for found in named.values() for line in found.remarks),
            *(line for found in ranked.values() for line in found.remarks),
        ),
    )


def _named(case: Case, names: CorpusNames) -> _Named:
    targets: dict[str, None] = {}
    unresolved: list[str] = []
    remarks: list[str] = []
    about = f"{case.where}: case {case.id!r}"
    for name in case.targets:
        found = names.find(name)
        if found is None:
            unresolved.append(f"{about} names {name!r}, {names.unknown(name)}")
            continue
        targets[found.document] = None
        if found.how:
            remarks.append(f"{about} names {name!r}: {found.document!r} is looked at, since {found.how}.")
    imported = imported_documents(case, names)
    return _Named(tuple(targets), imported.documents, (*unresolved, *imported.unresolved), tuple(remarks))


def _by_source(named: _Named, ranked: Mapping[str, Ranked], *, question: str) -> dict[str, tuple[str, ...]]:
    found = {"target": named.targets, "import": named.imports}
    return found | {source: one.documents.get(question, ()) for source, one in ranked.items()}


def _merged(question: str, found: Mapping[str, tuple[str, ...]]) -> Iterator[Candidate]:
    sources: dict[str, list[str]] = {}
    for source, documents in found.items():
        for document in documents:
            sources.setdefault(document, []).append(source)
    for document, tags in sources.items():
        yield Candidate(question, document, tuple(tags))
