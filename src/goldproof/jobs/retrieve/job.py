"""Run a retriever over questions: `open_plan()` reads corpus and questions, `run_plan()` asks and returns the run."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from goldproof import __version__
from goldproof.corpus import Corpus, open_corpus
from goldproof.errors import InputError, SearchFailedError
from goldproof.io import read_questions
from goldproof.io.datasets.run_output import write_run
from goldproof.progress import OnProgress, ignore
from goldproof.records.entities import Card
from goldproof.records.keys import content_key
from goldproof.report import Heading, Table
from goldproof.retrieve import Search, retrieve

if TYPE_CHECKING:
    from collections.abc import Mapping

    from goldproof.records.entities import Question
    from goldproof.records.tables import RankingTable
    from goldproof.retrieve import Pipeline, Retrieved

SCHEMA = "goldproof.run"
SCHEMA_VERSION = 1


@dataclass(frozen=True, slots=True, eq=False)
class RetrievalFiles:
    """A retriever, and the corpus and questions to read for it.

    corpus: a spec, such as `folder:docs/`; None where the retriever has documents of its own. questions: any file or
    dataset with texts of questions. name: of the run.
    """

    pipeline: Pipeline
    questions: Path
    corpus: str | None = None
    name: str = "goldproof"
    search: Search = field(default_factory=Search)


@dataclass(frozen=True, slots=True, eq=False)
class RetrievalPlan:
    """A retriever with its corpus and questions, both read; nothing is indexed or asked yet."""

    files: RetrievalFiles
    corpus: Corpus
    questions: tuple[Question, ...]


def open_plan(files: RetrievalFiles) -> RetrievalPlan:
    """Read corpus and questions."""
    questions = read_questions(files.questions)
    if not questions:
        raise InputError(f"{files.questions}: holds no question.")
    corpus = Corpus("none", ()) if files.corpus is None else open_corpus(files.corpus)
    return RetrievalPlan(files, corpus, questions)


def run_plan(plan: RetrievalPlan, *, fresh: bool = False, on_progress: OnProgress = ignore) -> RetrievalResult:
    """Index the corpus and ask the retriever every question.

    fresh: ask again what an interrupted run has answered.
    """
    files, corpus, questions = plan.files, plan.corpus, plan.questions
    retrieved = retrieve(
        files.pipeline, corpus, questions, search=files.search, name=files.name, fresh=fresh, on_progress=on_progress
    )
    failed = retrieved.ranking.failed
    if len(failed) == len(questions):
        first, reason = next(iter(failed.items()))
        raise SearchFailedError(f"{files.name}: all {len(failed):,} questions failed; the first, {first!r}: {reason}")
    return RetrievalResult(
        files.name,
        retrieved,
        inputs=_inputs(corpus, questions, retrieved.facts),
        settings={"name": files.name, "corpus": corpus.name, **retrieved.facts},
        remarks=(*corpus.remarks, *retrieved.remarks),
        corpus={"name": corpus.name, "documents": len(corpus), **corpus.facts},
    )


def _inputs(corpus: Corpus, questions: tuple[Question, ...], facts: Mapping[str, object]) -> dict[str, str]:
    asked = content_key([[question.id, question.text] for question in questions])
    return {"queries": asked, **({"corpus": str(facts["corpus_key"])} if len(corpus) else {})}


@dataclass(frozen=True, slots=True, eq=False)
class RetrievalResult:
    """A run with its card and counts, to be written with `save`.

    inputs: name -> sha256 of corpus and questions. settings: of the retriever and the search.
    """

    name: str
    retrieved: Retrieved
    inputs: Mapping[str, str]
    settings: Mapping[str, object]
    remarks: tuple[str, ...] = ()
    corpus: Mapping[str, object] = field(default_factory=dict)

    @property
    def ranking(self) -> RankingTable:
        """The rankings, with the questions that failed."""
        return self.retrieved.ranking

    def card(self) -> Card:
        """Return the card: inputs, settings, versions and counts."""
        return Card(
            schema=SCHEMA,
            schema_version=SCHEMA_VERSION,
            inputs=self.inputs,
            settings=self.settings,
            versions={"goldproof": __version__},
            counts=self._counts(),
        )

    def save(self, path: Path | str, *, force: bool = False) -> tuple[str, ...]:
        """Write the run, its card and its `run.json` beside it; return notes on the writing.

        The format follows the name: .jsonl, which also holds failed questions, else TREC.
        """
        notes = write_run(Path(path), self.ranking, card=self.card(), clock=self.clock(), tag=self.name, force=force)
        self.retrieved.written()
        return notes

    def clock(self) -> dict[str, object]:
        """Return the latency."""
        return {"latency": self.retrieved.latency}

    def to_dict(self) -> dict[str, object]:
        """Return counts, failures and latency."""
        return {
            "retriever": self.name,
            **self._counts(),
            "failed_questions": dict(self.ranking.failed),
            "corpus": dict(self.corpus),
            "latency": self.retrieved.latency,
            "remarks": list(self.remarks),
        }

    def table(self) -> Table:
        """Return one row of counts and latency."""
        counts, latency = self._counts(), self.retrieved.latency
        times = ["-", "-"] if latency is None else [f"{latency['p50_ms']:.1f}", f"{latency['p95_ms']:.1f}"]
        names = ("questions", "answered", "empty", "failed", "results", "p50 ms", "p95 ms")
        row = [self.name, *(f"{counts[key]:,}" for key in ("questions", "answered", "empty", "failed", "results"))]
        return Table((Heading("retriever", "left"), *(Heading(name) for name in names)), ((*row, *times),))

    def _counts(self) -> dict[str, int]:
        lengths = np.diff(self.ranking.starts)
        return {
            "questions": len(lengths) + len(self.ranking.failed),
            "answered": len(lengths),
            "empty": int(np.count_nonzero(lengths == 0)),
            "failed": len(self.ranking.failed),
            "results": int(lengths.sum()),
        }
