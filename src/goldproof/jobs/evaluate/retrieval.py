"""Run retrievers over the judged questions before scoring."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from goldproof.corpus import Corpus, open_corpus
from goldproof.errors import InputError
from goldproof.io import read_questions
from goldproof.progress import OnProgress, ignore
from goldproof.records.entities import Question
from goldproof.records.keys import content_key
from goldproof.retrieve import Pipeline, Search, open_retriever, retrieve

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from goldproof.jobs.evaluate.inputs import Judgments, Run
    from goldproof.records.entities import Dataset, Document
    from goldproof.records.tables import RankingTable
    from goldproof.retrieve import Retrieved

GivenCorpus: TypeAlias = "str | Path | Corpus | Iterable[Document]"
GivenQuestions: TypeAlias = "str | Path | Mapping[str, str]"
NO_TEXT = "the question has no text"


@dataclass(frozen=True, slots=True, eq=False)
class Retrievers:
    """Retrievers to run, and the corpus and questions to run them on.

    pipelines: name -> a spec, a pipeline or any object that searches. corpus: a spec or a corpus; None: the dataset's
    own documents. questions: a file with their texts, or {id: text}; None: the dataset's own. resume: keep answers on
    disk until the result is saved; fresh: first delete those of an interrupted run.
    """

    pipelines: Mapping[str, object]
    corpus: GivenCorpus | None = None
    questions: GivenQuestions | None = None
    search: Search = field(default_factory=lambda: Search(k=100))
    resume: bool = False
    fresh: bool = False

    def opened(self) -> Retrievers:
        """Return the same retrievers with the corpus read."""
        return self if self.corpus is None else replace(self, corpus=open_corpus(self.corpus))


@dataclass(frozen=True, slots=True, eq=False)
class RetrievedRuns:
    """The runs of the retrievers, by name, with the corpus and questions they were made from.

    objects: names of the retrievers that were given as objects, not as a spec.
    """

    runs: Mapping[str, Retrieved]
    corpus: Corpus
    questions: Sequence[Question]
    objects: frozenset[str] = frozenset()

    @property
    def rankings(self) -> dict[str, RankingTable]:
        """The rankings alone."""
        return {name: run.ranking for name, run in self.runs.items()}

    @property
    def remarks(self) -> list[str]:
        """Notes on the corpus and on each run."""
        return [
            *self.corpus.remarks,
            *(f"{name}: {remark}" for name, run in self.runs.items() for remark in run.remarks),
        ]

    def settings(self) -> dict[str, object]:
        """Return corpus, questions and retrievers for the card."""
        asked = content_key([[question.id, question.text] for question in self.questions])
        return {
            "corpus": {"name": self.corpus.name, **self.corpus.facts},
            "questions": asked,
            "retrievers": {name: dict(run.facts) for name, run in self.runs.items()},
        }

    def clock(self) -> dict[str, object]:
        """Return the latency of each retriever."""
        return {"latency": {name: run.latency for name, run in self.runs.items()}}

    def written(self) -> None:
        """Delete the answers that were kept to resume an interrupted run."""
        for run in self.runs.values():
            run.written()

    def joined_with(self, runs: Mapping[str, Run]) -> dict[str, Run]:
        """Return given and retrieved runs by name; a name used twice is refused."""
        twice = sorted(runs.keys() & self.runs.keys())
        if twice:
            raise InputError(f"a run and a retriever are both called {twice[0]!r}; give one of them another name.")
        return {**runs, **self.rankings}


def retrieve_runs(
    retrievers: Retrievers, judgments: Judgments, *, exclude: frozenset[str], on_progress: OnProgress = ignore
) -> RetrievedRuns:
    """Ask every retriever every judged question."""
    wanted = judgments.questions - exclude
    pipelines = {name: open_retriever(spec) for name, spec in retrievers.pipelines.items()}
    if retrievers.questions is None and not any(pipeline.reads_queries for pipeline in pipelines.values()):
        questions: Sequence[Question] = [Question(name, name) for name in sorted(wanted)]  # run files: by id alone
    else:
        questions = _questions(retrievers.questions, judgments.dataset, wanted)
    corpus = _corpus(retrievers.corpus, judgments.dataset)
    without_text = dict.fromkeys(sorted(wanted - {question.id for question in questions}), NO_TEXT)
    runs = {}
    for name, pipeline in pipelines.items():
        with pipeline:
            run = retrieve(
                pipeline,
                corpus,
                questions,
                search=retrievers.search,
                name=name,
                resume=retrievers.resume,
                fresh=retrievers.fresh,
                on_progress=on_progress,
            )
        runs[name] = replace(run, ranking=replace(run.ranking, failed={**run.ranking.failed, **without_text}))
    objects = [name for name, spec in retrievers.pipelines.items() if not isinstance(spec, str | Pipeline)]
    return RetrievedRuns(runs, corpus, questions, frozenset(objects))


def _questions(questions: GivenQuestions | None, dataset: Dataset | None, wanted: frozenset[str]) -> Sequence[Question]:
    known: Iterable[Question]
    if isinstance(questions, str | Path):
        known = read_questions(questions)
    elif questions is not None:
        known = [Question(str(name), str(text)) for name, text in questions.items()]
    else:
        known = () if dataset is None else dataset.questions
    asked = [question for question in known if question.id in wanted and question.text.strip()]
    if not asked:
        raise InputError(
            "no judged question has a text to search for; give the questions' texts (--questions FILE), or a dataset "
            "that holds them."
        )
    return asked


def _corpus(corpus: GivenCorpus | None, dataset: Dataset | None) -> Corpus:
    if corpus is not None:
        return open_corpus(corpus)
    documents = () if dataset is None else dataset.documents
    return Corpus("none" if dataset is None else f"dataset:{dataset.name}", documents)
