"""`open_plan()`: read, open and check everything; extending a mined folder; the ways on where nothing can be judged.

Extending: judge, kernels and corpus decide every label of a mined folder. To be extended in place they must be the
same: a dataset with labels of two judges could be compared with nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, NamedTuple

from goldproof.corpus import Corpus, documents_key, open_corpus
from goldproof.errors import ConflictError, InputError, counted
from goldproof.io import read_card, read_ids, read_json, read_ranking_report, sha256_file
from goldproof.io.cases import Case, Cases, read_cases
from goldproof.io.storage.cards import CARD_NAME
from goldproof.io.text_files import file_stem
from goldproof.jobs.mine.candidate_file import read_candidates
from goldproof.jobs.mine.candidates import gather
from goldproof.jobs.mine.recipe import CandidateSettings, Recipe
from goldproof.jobs.mine.records import Candidate
from goldproof.jobs.mine.result import BEIR_FOLDER, CANDIDATES, CANDIDATES_SCHEMA, CORPUS_SPEC, RUN, SCHEMA
from goldproof.judge import AnswerJudge, HumanJudge, open_judge
from goldproof.llm import Access, current_access, using_access
from goldproof.progress import OnProgress, ignore
from goldproof.records.entities import Document
from goldproof.retrieve.run import check_questions

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from goldproof.judge import Judge
    from goldproof.llm import Model
    from goldproof.records.entities import Card, Question

_SEARCHED = frozenset({"bm25", "dense", "random"})


@dataclass(frozen=True, slots=True, eq=False)
class MiningPlan:
    """Questions, corpus, candidates and judge, opened and checked; nothing is asked yet.

    candidates: of each question, by its id. documents: of the corpus, by id. inputs: name -> sha256 of every input.
    judge_spec: the name the judge was opened by, if any. cut_off: how that of a similarity judge was chosen. problems:
    cases that cannot be read, targets that are not in the corpus. limits: what keeps the labels from comparing
    retrievers.
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
    cut_off: Mapping[str, object] | None = None
    problems: tuple[str, ...] = ()
    limits: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()

    @property
    def pairs(self) -> int:
        """How many pairs of question and candidate there are."""
        return sum(map(len, self.candidates.values()))


class _Read(NamedTuple):
    """Questions and documents. candidates: those of a candidate file, else empty. limits: on the corpus of such."""

    cases: Cases
    corpus: Corpus
    candidates: tuple[Candidate, ...] = ()
    limits: tuple[str, ...] = ()


def open_plan(
    recipe: Recipe,
    *,
    access: Access | None = None,
    questions: Sequence[Question] | None = None,
    corpus: Corpus | None = None,
    judge: object = None,
    on_progress: OnProgress = ignore,
) -> MiningPlan:
    """Read the inputs, open the judge and gather the candidates.

    access: to models. questions, corpus, judge: objects in place of those that the recipe names. on_progress: called
    while documents are embedded.
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
    reports = {file_stem(path): read_ranking_report(path) for path in recipe.candidate_settings.runs}
    runs = {name: report.table for name, report in reports.items()}
    settings = recipe.candidate_settings
    if read.candidates:  # a file brought the candidates along: only runs add to them
        settings = replace(settings, random=0, hard=0, dense=0)
    gathered = gather(
        read.cases.cases, read.corpus, settings=settings, seed=recipe.seed, runs=runs, on_progress=on_progress
    )
    documents = {document.id: document for document in read.corpus.documents}
    graded, notes = _graded(chosen, read.cases.cases, documents)
    found, ungraded = _gradable(gathered.candidates, chosen)
    others = (*read.candidates, *found)
    pairs = {(candidate.question, candidate.document) for candidate in others}
    missing = (candidate for candidate in graded if (candidate.question, candidate.document) not in pairs)
    candidates = _grouped(read.cases.cases, (*others, *missing))
    return MiningPlan(
        recipe=recipe,
        cases=read.cases.cases,
        corpus=read.corpus,
        judge=chosen,
        candidates=candidates,
        documents=documents,
        inputs=_inputs(read, recipe, questions),
        access=access if judge is None else _access_of(chosen, access),
        judge_spec=recipe.judge if judge is None else None,
        problems=(*read.cases.problems, *gathered.unresolved),
        limits=read.limits,
        remarks=(
            *read.cases.remarks,
            *read.corpus.remarks,
            *_pool_remarks(candidates, corpus=len(read.corpus), agent=settings.discover is not None),
            *(f"{name}: {remark}" for name, report in reports.items() for remark in report.remarks),
            *gathered.remarks,
            *left_out,
            *notes,
            *ungraded,
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


def _own_corpus(cases: Sequence[Path]) -> Path:
    """Return the dataset whose own documents are the corpus, where none is named."""
    if len(cases) != 1 or not cases[0].is_dir():
        raise InputError("no corpus is named; give --corpus SPEC, such as package:NAME or folder:DIR.")
    built = cases[0] / "beir"  # what `goldproof build` and `goldproof mine` write
    return built if (built / "corpus.jsonl").is_file() else cases[0]


def _from_candidates(path: Path, corpus: str | None) -> _Read:
    """Read a candidate file, or that of a mined folder, and open the corpus that was named or that was searched."""
    file = path / CANDIDATES if path.is_dir() else path
    content = read_candidates(file)
    own = Corpus(f"candidates:{file.name}", tuple(content.documents.values()))
    opened, limits = _searched_corpus(file.parent, own) if corpus is None else (open_corpus(corpus), ())
    known = {document.id for document in opened.documents}
    # Documents that only a kernel search brought in will be found by it again; they are not judged alone.
    candidates = tuple(candidate for candidate in content.candidates if candidate.sources != ("expansion",))
    lost = next((candidate for candidate in candidates if candidate.document not in known), None)
    if lost is not None:
        raise InputError(
            f"{file}: candidate {lost.document!r} of question {lost.question!r} is not in {opened.name}; "
            "give the corpus the candidates were gathered from."
        )
    cases = Cases(content.cases, mined_problems(file.parent), {file.name: sha256_file(file)})
    return _Read(cases, opened, candidates, limits)


def _searched_corpus(folder: Path, candidates: Corpus) -> tuple[Corpus, tuple[str, ...]]:
    """Open the corpus that the candidates of a folder were searched in; else take the candidates, and say so."""
    card = _card(folder, SCHEMA, CANDIDATES_SCHEMA)
    if card is not None and card.schema == SCHEMA:
        return open_corpus(f"beir:{folder / BEIR_FOLDER}"), ()
    spec = _run_facts(folder).get(CORPUS_SPEC)
    why = "which corpus was searched is not recorded"
    if card is not None and isinstance(spec, str):
        try:
            opened = open_corpus(spec)
        except InputError:
            why = f"{Path(spec).name} cannot be opened"
        else:
            if opened.key() == card.inputs.get("corpus"):
                return opened, ()
            why = f"{Path(spec).name} has changed since"
    many = card.counts.get("documents") if card is not None else None
    if many == len(candidates):
        return candidates, ()
    searched = "the documents that were searched" if many is None else f"the {many:,} documents that were searched"
    limit = (
        f"corpus.jsonl holds the {len(candidates):,} candidates, not {searched}, so retrieval is easier than it was: "
        f"{why}. Give --corpus SPEC."
    )
    return candidates, (limit,)


def _without(read: _Read, exclude: Path | None) -> tuple[_Read, tuple[str, ...]]:
    """Leave out the questions of an exclude file; return the rest, and a remark on how many."""
    if exclude is None:
        return read, ()
    ids = read_ids(exclude)
    cases = tuple(case for case in read.cases.cases if case.id not in ids)
    if not cases and read.cases.cases:
        raise InputError(f"{exclude}: names all {len(read.cases.cases):,} questions, so that none is left to mine for.")
    candidates = tuple(candidate for candidate in read.candidates if candidate.question not in ids)
    remark = (
        f"{exclude.name}: {len(read.cases.cases) - len(cases):,} of its {len(ids):,} ids are questions here: left out."
    )
    return read._replace(cases=replace(read.cases, cases=cases), candidates=candidates), (remark,)


def _check_sets(recipe: Recipe, judge: Judge, cases: Sequence[Case]) -> None:
    """Refuse kernels with a judge that cannot rule on sets for any question."""
    if not recipe.kernels:
        return
    reasons = [judge.why_not_sets(case.question) for case in cases]
    if all(reasons):
        raise InputError(f"--kernels: the judge {judge.key} cannot find kernels here: {reasons[0]}")


def _graded(
    judge: Judge, cases: Sequence[Case], documents: Mapping[str, Document]
) -> tuple[list[Candidate], tuple[str, ...]]:
    """Return the pairs that people graded as candidates, however the others were gathered, and notes on the rest."""
    if not isinstance(judge, HumanJudge):
        return [], ()
    questions = {case.id for case in cases}
    known = [pair for pair in judge.pairs if pair[0] in questions and pair[1] in documents]
    if not known:
        first = judge.pairs[0]
        raise InputError(
            f"{judge.key}: none of its {len(judge.pairs):,} graded pairs is of these questions and documents; the "
            f"first is question {first[0]!r}, document {first[1]!r}. Give the --cases and --corpus of the sheet."
        )
    return [Candidate(*pair, ("human",)) for pair in known], judge.notes(questions, documents)


def _gradable(candidates: Sequence[Candidate], judge: Judge) -> tuple[list[Candidate], tuple[str, ...]]:
    """Leave out hits and random documents that people did not grade: a file of grades says nothing of them."""
    graded = set(judge.pairs) if isinstance(judge, HumanJudge) else None
    kept = [
        candidate
        for candidate in candidates
        if graded is None
        or (candidate.question, candidate.document) in graded
        or not _SEARCHED.issuperset(candidate.sources)
    ]
    left_out = counted(len(candidates) - len(kept), "hit or random document", "hits and random documents")
    return kept, (f"{left_out} that people have not graded: left out.",) if len(kept) < len(candidates) else ()


_BY_WORDS = {"target": "the cases", "import": "imports", "bm25": "bm25", "random": "chance", "human": "people"}


def _pool_remarks(candidates: Mapping[str, Sequence[Candidate]], *, corpus: int, agent: bool) -> Iterator[str]:
    """Note that nothing but bm25 searched for candidates, since a dense retriever is then judged on fewer hits."""
    pooled = [candidate for listed in candidates.values() for candidate in listed]
    sources = {source for candidate in pooled for source in candidate.sources}
    by_people = any(candidate.sources == ("human",) for candidate in pooled)  # who says how they found it?
    if agent or by_people or "bm25" not in sources or not sources <= _BY_WORDS.keys():
        return
    if any(len(listed) < corpus for listed in candidates.values()):
        *names, last = [name for source, name in _BY_WORDS.items() if source in sources - {"human"}]
        found = f"{', '.join(names)} and {last}" if names else last
        yield (
            f"Candidates come from {found} alone: documents that only a dense retriever finds are unjudged; "
            "add --dense 10."
        )


def _access_of(judge: Judge, access: Access) -> Access:
    """Return the access of an opened judge's own models, so that what they cost is counted."""
    models = getattr(judge, "models", ())
    own = getattr(models[0], "access", None) if models else None
    return own if isinstance(own, Access) else access


def _grouped(cases: Sequence[Case], candidates: Sequence[Candidate]) -> dict[str, tuple[Candidate, ...]]:
    """Return the candidates of each question; a document that occurs twice gets the sources of both."""
    grouped: dict[str, dict[str, Candidate]] = {case.id: {} for case in cases}
    for candidate in candidates:
        known = grouped[candidate.question].get(candidate.document)
        sources = () if known is None else known.sources
        new = tuple(source for source in candidate.sources if source not in sources)
        merged = Candidate(candidate.question, candidate.document, (*sources, *new))
        grouped[candidate.question][candidate.document] = merged
    return {question: tuple(by_document.values()) for question, by_document in grouped.items()}


def _inputs(read: _Read, recipe: Recipe, questions: Sequence[Question] | None) -> dict[str, str]:
    runs = {f"run:{file_stem(path)}": sha256_file(path) for path in recipe.candidate_settings.runs}
    asked = {} if questions is None else {"questions": documents_key(map(_as_document, questions))}
    exclude = {} if recipe.exclude is None else {"exclude": sha256_file(recipe.exclude)}
    return {**read.cases.files, **asked, "corpus": read.corpus.key(), **runs, **exclude}


def _as_document(question: Question) -> Document:
    """Return a question as a document with all that a judge may see of it, so that `documents_key` takes it."""
    fields = {"options": question.options, "cluster": question.cluster, "answerable": question.answerable}
    return Document(question.id, question.text, question.answer or "", {**fields, "metadata": question.metadata})


def why_no_answers(plan: MiningPlan) -> str:
    """Return that the answer judge has nothing to look for, and the ways on; empty where it has."""
    judge = plan.judge
    if not isinstance(judge, AnswerJudge) or any(judge.can_judge(case.question) for case in plan.cases):
        return ""
    without = "the question has no" if len(plan.cases) == 1 else f"none of the {len(plan.cases):,} questions has an"
    return f"{without} answer for the judge `answer` to look for. {ways_on(plan)}"


def ways_on(plan: MiningPlan) -> str:
    """Return the commands that judge these questions otherwise than by an answer that stands in the text."""
    recipe = plan.recipe
    given = [f"--from {quote(str(recipe.candidates))}"] if recipe.candidates else []
    given += [f"--cases {quote(str(path))}" for path in recipe.cases if not recipe.candidates]
    given += [f"--corpus {quote(recipe.corpus)}"] if recipe.corpus else []
    chosen, defaults = recipe.candidate_settings, CandidateSettings()
    counts = ("random", "hard", "dense")
    given += [
        f"--{name} {getattr(chosen, name)}" for name in counts if getattr(chosen, name) != getattr(defaults, name)
    ]
    mine = f"goldproof mine {' '.join(given)}"
    return (
        "Three ways on:\n"
        "  answers  put a short answer to each question into a column `answer`, and run the same command\n"
        f"  a model  {mine} --judge llm:PROVIDER:MODEL\n"
        f"  people   {mine} --candidates-only --sheet sheet.csv\n"
        "           fill in its column `grade` (2 answers the question, 1 bears on it, 0 neither), then\n"
        f"           {mine} --judge human:sheet.csv"
    )


def what_is_kept(plan: MiningPlan | None) -> str:
    """Say what an interruption leaves, and what the same command does then."""
    if plan is None:
        return "nothing was judged yet, and the same command starts again."
    if getattr(plan.judge, "models", ()) or plan.recipe.candidate_settings.discover is not None:
        return "the answers so far are kept, and the same command goes on from there."
    keeps = getattr(plan.judge, "keeps_rulings", None)  # of the user's code
    if keeps:
        return f"the rulings of {plan.judge.key} so far are kept, and the same command goes on from there."
    if keeps is None and type(plan.judge).__module__.startswith("goldproof.judge."):
        return "nothing was paid for, and the same command starts again."
    return f"rulings of {plan.judge.key} are not kept, and the same command asks for all of them again."


def blind_model(plan: MiningPlan) -> Model | None:
    """Return the model that answers without any context: the judge's first, if it has one."""
    models: tuple[Model, ...] = getattr(plan.judge, "models", ())
    return models[0] if plan.recipe.no_context and models else None


def search_pipeline(plan: MiningPlan) -> str:
    """Return the retriever that finds missing parts of a kernel: the one that finds hard negatives."""
    settings = plan.recipe.candidate_settings
    return f"hybrid(bm25, dense({settings.embedder}))" if settings.dense else "bm25"


def mined_recipe(folder: Path) -> Recipe | None:
    """Return the recipe a folder was mined with; None where it is no mined folder."""
    card = _card(folder)
    if card is None:
        return None
    settings = card.settings
    return Recipe(
        candidates=folder,
        corpus=f"beir:{folder / BEIR_FOLDER}",
        judge=str(_run_facts(folder).get("judge_spec") or ""),  # a judge without a name must be given again
        kernels=bool(settings.get("kernels")),
        no_context=bool(settings.get("no_context")),
        seed=card.seed or 0,
    )


def refuse_other(folder: Path, plan: MiningPlan) -> None:
    """Refuse to extend a mined folder with another judge, another choice of kernels, or another corpus."""
    card = _card(folder)
    if card is None:
        return
    differing = []
    if card.settings.get("judge") != plan.judge.key:
        differing.append(f"judge {card.settings.get('judge')}, now {plan.judge.key}")
    if bool(card.settings.get("kernels")) != plan.recipe.kernels:
        differing.append("kernels were looked for" if not plan.recipe.kernels else "kernels were not looked for")
    if _texts(open_corpus(f"beir:{folder / BEIR_FOLDER}")) != _texts(plan.corpus):
        differing.append("another corpus")
    if differing:
        raise ConflictError(
            f"{folder}: was mined otherwise ({'; '.join(differing)}).\n"
            "  Say the same to extend it in place, give another --out, or replace it with --force."
        )


def mined_problems(folder: Path) -> tuple[str, ...]:
    """Return the problems from when a folder was mined: what could not be read then is still missing."""
    problems = _run_facts(folder).get("problems")
    return tuple(map(str, problems)) if isinstance(problems, list) else ()


def _run_facts(folder: Path) -> dict[str, object]:
    facts = read_json(folder / RUN) if (folder / RUN).is_file() else {}
    return facts if isinstance(facts, dict) else {}


def _card(folder: Path, *schemas: str) -> Card | None:
    """Return the card of a mined folder, or of one of these schemas; None where there is none."""
    if not (folder / CARD_NAME).is_file():
        return None
    card = read_card(folder / CARD_NAME)
    return card if card.schema in (schemas or (SCHEMA,)) else None


def _texts(corpus: Corpus) -> dict[str, tuple[str, str]]:
    return {document.id: (document.title, document.text) for document in corpus.documents}
