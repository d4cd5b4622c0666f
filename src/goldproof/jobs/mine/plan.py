"""What is to be asked: cases read, corpus opened, candidates gathered, judge ready; nothing is asked yet."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from goldproof.corpus import Corpus, documents_key, open_corpus
from goldproof.errors import InputError
from goldproof.io import read_ids, read_ranking_report, sha256_file
from goldproof.io.cases import Case, Cases, read_cases
from goldproof.io.text_files import file_stem
from goldproof.jobs.mine.candidates import CandidateSettings, gather, read_candidates
from goldproof.jobs.mine.extending import mined_problems
from goldproof.jobs.mine.mined import Candidate
from goldproof.jobs.mine.result import CANDIDATES
from goldproof.judge import open_judge
from goldproof.llm.access import Access, current_access, using_access
from goldproof.records.entities import Document
from goldproof.retrieve.run import check_questions

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from goldproof.jobs.mine.recipe import Recipe
    from goldproof.judge import Judge
    from goldproof.records.entities import Question


@dataclass(frozen=True, slots=True, eq=False)
class MiningPlan:
    """All that is needed to mine.

    candidates: of each question, by its id. documents: of the corpus, by id. inputs: name -> sha256 of all that was
    read. judge_spec: what the judge was called, where it was called anything. problems: cases that cannot be read,
    targets that are not in the corpus.
    """

    recipe: Recipe
    cases: tuple[Case, ...]
    corpus: Corpus
    judge: Judge
    candidates: Mapping[str, tuple[Candidate, ...]]
    documents: Mapping[str, Document]
    inputs: Mapping[str, str]
    access: Access
    judge_spec: str | None = None
    problems: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()

    @property
    def pairs(self) -> int:
        """How many (question, candidate) there are."""
        return sum(map(len, self.candidates.values()))


class _Read(NamedTuple):
    """Questions and documents. candidates: those that a file brought along, else empty."""

    cases: Cases
    corpus: Corpus
    candidates: tuple[Candidate, ...] = ()


def open_plan(
    recipe: Recipe,
    *,
    access: Access | None = None,
    questions: Sequence[Question] | None = None,
    corpus: Corpus | None = None,
    judge: object = None,
) -> MiningPlan:
    """Read everything and gather the candidates.

    access: how models are asked. questions, corpus, judge: objects in place of what the recipe names.
    """
    access = access or current_access()
    read, left_out = _without(_read(recipe, questions=questions, corpus=corpus), recipe.exclude)
    if not read.cases.cases:
        raise InputError("there is no question to mine for.")
    if not len(read.corpus):
        raise InputError(f"{read.corpus.name}: holds no document, so that nothing could be relevant.")
    with using_access(access):
        chosen = open_judge(recipe.judge if judge is None else judge)
    _check_sets(recipe, chosen, read.cases.cases)
    reading = {file_stem(path): read_ranking_report(path) for path in recipe.looking.runs}
    runs = {name: one.table for name, one in reading.items()}
    found = gather(read.cases.cases, read.corpus, settings=_settings(recipe, given=bool(read.candidates)), runs=runs)
    candidates = _grouped(read.cases.cases, (*read.candidates, *found.candidates))
    return MiningPlan(
        recipe=recipe,
        cases=read.cases.cases,
        corpus=read.corpus,
        judge=chosen,
        candidates=candidates,
        documents={document.id: document for document in read.corpus.documents},
        inputs=_inputs(read, recipe, questions),
        access=access if judge is None else _access_of(chosen, access),
        judge_spec=recipe.judge if judge is None else None,
        problems=(*read.cases.problems, *found.unresolved),
        remarks=(
            *read.corpus.remarks,
            *(f"{name}: {remark}" for name, one in reading.items() for remark in one.remarks),
            *found.remarks,
            *left_out,
        ),
    )


def _read(recipe: Recipe, *, questions: Sequence[Question] | None, corpus: Corpus | None) -> _Read:
    if recipe.candidates is not None:
        return _from_candidates(recipe.candidates, recipe.corpus)
    if questions is not None:
        check_questions(questions)
        cases = Cases(tuple(Case("question", "", question, where=question.id) for question in questions))
    else:
        cases = read_cases(recipe.cases)
    if corpus is None:
        corpus = open_corpus(recipe.corpus if recipe.corpus is not None else _own_corpus(recipe.cases))
    return _Read(cases, corpus)


def _without(read: _Read, exclude: Path | None) -> tuple[_Read, tuple[str, ...]]:
    """Return what is left when a list of ids is left out, and how many that were."""
    if exclude is None:
        return read, ()
    ids = read_ids(exclude)
    cases = tuple(case for case in read.cases.cases if case.id not in ids)
    if not cases and read.cases.cases:
        raise InputError(f"{exclude}: names all {len(read.cases.cases):,} questions, so that none is left to mine for.")
    candidates = tuple(one for one in read.candidates if one.question not in ids)
    said = (
        f"{exclude.name}: {len(read.cases.cases) - len(cases):,} of its {len(ids):,} ids are questions here: left out."
    )
    return _Read(replace(read.cases, cases=cases), read.corpus, candidates), (said,)


def _own_corpus(cases: Sequence[Path]) -> Path:
    """Return the dataset whose own documents are the corpus, where none is named."""
    if len(cases) != 1 or not cases[0].is_dir():
        raise InputError("no corpus is named; give --corpus SPEC, such as package:NAME or folder:DIR.")
    built = cases[0] / "beir"  # what `goldproof build` and `goldproof mine` write
    return built if (built / "corpus.jsonl").is_file() else cases[0]


def _from_candidates(path: Path, corpus: str | None) -> _Read:
    """Read a file of candidates, or that of a mined folder; its documents are the corpus where no other is named."""
    file = path / CANDIDATES if path.is_dir() else path
    found = read_candidates(file)
    own = Corpus(f"candidates:{file.name}", tuple(found.documents.values()))
    opened = own if corpus is None else open_corpus(corpus)
    known = {document.id for document in opened.documents}
    # What only a search for kernels brought in is found by it again; it was never meant to be judged alone.
    candidates = tuple(one for one in found.candidates if one.sources != ("expansion",))
    lost = next((one for one in candidates if one.document not in known), None)
    if lost is not None:
        raise InputError(
            f"{file}: candidate {lost.document!r} of question {lost.question!r} is not in {opened.name}; "
            "give the corpus the candidates were gathered from."
        )
    cases = Cases(found.cases, mined_problems(file.parent), {file.name: sha256_file(file)})
    return _Read(cases, opened, candidates)


def _access_of(judge: Judge, access: Access) -> Access:
    """Return how a judge that was given asks its models, so that what it spends is counted where it is spent."""
    models = getattr(judge, "models", ())
    own = getattr(models[0], "access", None) if models else None
    return own if isinstance(own, Access) else access


def _check_sets(recipe: Recipe, judge: Judge, cases: Sequence[Case]) -> None:
    """Refuse to look for kernels with a judge that can tell of no question whether several documents suffice."""
    if not recipe.kernels:
        return
    reasons = [judge.why_not_sets(case.question) for case in cases]
    if all(reasons):
        raise InputError(f"--kernels: the judge {judge.key} cannot find kernels here: {reasons[0]}")


def _settings(recipe: Recipe, *, given: bool) -> CandidateSettings:
    """Return what is gathered; nothing but runs where a file brought the candidates along."""
    looking = recipe.looking
    return CandidateSettings(
        random=0 if given else looking.random,
        hard=0 if given else looking.hard,
        dense=0 if given else looking.dense,
        embedder=looking.embedder,
        depth=looking.depth,
        seed=recipe.seed,
    )


def _grouped(cases: Sequence[Case], candidates: Sequence[Candidate]) -> dict[str, tuple[Candidate, ...]]:
    """Return the candidates of each question; a document that comes twice has the sources of both."""
    grouped: dict[str, dict[str, Candidate]] = {case.id: {} for case in cases}
    for candidate in candidates:
        known = grouped[candidate.question].get(candidate.document)
        sources = () if known is None else known.sources
        new = tuple(source for source in candidate.sources if source not in sources)
        merged = Candidate(candidate.question, candidate.document, (*sources, *new))
        grouped[candidate.question][candidate.document] = merged
    return {question: tuple(of.values()) for question, of in grouped.items()}


def _inputs(read: _Read, recipe: Recipe, questions: Sequence[Question] | None) -> dict[str, str]:
    runs = {f"run:{file_stem(path)}": sha256_file(path) for path in recipe.looking.runs}
    asked = {} if questions is None else {"questions": documents_key(map(_as_document, questions))}
    exclude = {} if recipe.exclude is None else {"exclude": sha256_file(recipe.exclude)}
    return {**read.cases.files, **asked, "corpus": read.corpus.key(), **runs, **exclude}


def _as_document(question: Question) -> Document:
    """Return all that a judge may be shown of a question in the form that has a key, whatever its metadata hold."""
    said = {"options": question.options, "cluster": question.cluster, "answerable": question.answerable}
    return Document(question.id, question.text, question.answer or "", {**said, "metadata": question.metadata})
