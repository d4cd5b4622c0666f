"""Retrievers run over the judged questions before scoring."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from goldproof.corpus import Corpus, open_corpus
from goldproof.errors import InputError
from goldproof.io.datasets.questions import read_questions
from goldproof.records.entities import Question
from goldproof.records.keys import content_key
from goldproof.retrieve import Search, open_retriever, retrieve

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from goldproof.jobs.evaluate.inputs import Judgments, Run
    from goldproof.records.entities import Dataset, Document
    from goldproof.records.tables import RankingTable
    from goldproof.retrieve import Retrieved, Watcher

GivenCorpus: TypeAlias = "str | Path | Corpus | Iterable[Document]"
GivenQuestions: TypeAlias = "str | Path | Mapping[str, str]"
NO_TEXT = "the question has no text"


@dataclass(frozen=True, slots=True, eq=False)
class Retrievers:
    """What is run before it is scored.

    pipelines: name -> a spec, a pipeline or any object that searches. corpus: a spec or a corpus; None: the dataset's
    own documents. questions: a file with their texts, or {id: text}; None: the dataset's own. resume: keep answers on
    disk until the result is saved; fresh: begin by throwing those of an interrupted run away. watch: gives somebody to
    tell how far each retriever is.
    """

    pipelines: Mapping[str, object]
    corpus: GivenCorpus | None = None
    questions: GivenQuestions | None = None
    search: Search = field(default_factory=lambda: Search(k=100))
    resume: bool = False
    fresh: bool = False
    watch: Callable[[str], Watcher | None] = lambda _: None

    def opened(self) -> Retrievers:
        """Return the same with its corpus read."""
        return self if self.corpus is None else replace(self, corpus=open_corpus(self.corpus))


@dataclass(frozen=True, slots=True, eq=False)
class RetrievedRuns:
    """What came back, by name."""

    runs: Mapping[str, Retrieved]
    corpus: Corpus
    questions: Sequence[Question]

    @property
    def rankings(self) -> dict[str, RankingTable]:
        """The rankings alone."""
        return {name: one.ranking for name, one in self.runs.items()}

    @property
    def remarks(self) -> list[str]:
        """What is worth knowing, of the corpus and of each run."""
        return [
            *self.corpus.remarks,
            *(f"{name}: {remark}" for name, one in self.runs.items() for remark in one.remarks),
        ]

    def settings(self) -> dict[str, object]:
        """Return what decided the runs, for a card."""
        asked = content_key([[question.id, question.text] for question in self.questions])
        return {
            "corpus": {"name": self.corpus.name, **self.corpus.facts},
            "questions": asked,
            "retrievers": {name: dict(one.facts) for name, one in self.runs.items()},
        }

    def clock(self) -> dict[str, object]:
        """Return what a clock decided."""
        return {"latency": {name: one.latency for name, one in self.runs.items()}}

    def written(self) -> None:
        """Forget the answers that were kept for the case of an interruption."""
        for one in self.runs.values():
            one.written()


def retrieve_runs(given: Retrievers, judgments: Judgments, *, exclude: frozenset[str]) -> RetrievedRuns:
    """Ask every retriever every judged question."""
    wanted = judgments.questions - exclude
    questions = _questions(given.questions, judgments.dataset, wanted)
    corpus = _corpus(given.corpus, judgments.dataset)
    pipelines = {name: open_retriever(spec) for name, spec in given.pipelines.items()}
    silent = dict.fromkeys(sorted(wanted - {question.id for question in questions}), NO_TEXT)
    runs = {}
    for name, pipeline in pipelines.items():
        with pipeline:
            done = retrieve(
                pipeline,
                corpus,
                questions,
                search=given.search,
                name=name,
                resume=given.resume,
                fresh=given.fresh,
                watcher=given.watch(name),
            )
        runs[name] = replace(done, ranking=replace(done.ranking, failed={**done.ranking.failed, **silent}))
    return RetrievedRuns(runs, corpus, questions)


def with_retrieved(runs: Mapping[str, Run], retrieved: RetrievedRuns) -> dict[str, Run]:
    """Return runs that were given and runs that were made, by name; each name once."""
    twice = sorted(runs.keys() & retrieved.runs.keys())
    if twice:
        raise InputError(f"a run and a retriever are both called {twice[0]!r}; give one of them another name.")
    return {**runs, **retrieved.rankings}


def _questions(given: GivenQuestions | None, dataset: Dataset | None, wanted: frozenset[str]) -> Sequence[Question]:
    known: Iterable[Question]
    if isinstance(given, str | Path):
        known = read_questions(given)
    elif given is not None:
        known = [Question(str(one), str(text)) for one, text in given.items()]
    else:
        known = () if dataset is None else dataset.questions
    asked = [question for question in known if question.id in wanted and question.text.strip()]
    if not asked:
        raise InputError(
            "no judged question has a text to search for; give the questions' texts (--questions FILE), or a dataset "
            "that holds them."
        )
    return asked


def _corpus(given: GivenCorpus | None, dataset: Dataset | None) -> Corpus:
    if given is not None:
        return open_corpus(given)
    documents = () if dataset is None else dataset.documents
    return Corpus("none" if dataset is None else f"dataset:{dataset.name}", documents)
