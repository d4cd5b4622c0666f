"""`retrieve_questions()`: a corpus, questions and a retriever in, a run with its card out."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

import numpy as np

from goldproof import __version__
from goldproof.corpus import Corpus, open_corpus
from goldproof.errors import InputError, SearchFailedError, counted
from goldproof.io import read_questions
from goldproof.io.datasets.run_output import check_run_target, write_run
from goldproof.io.diagnostics import Diagnostics
from goldproof.options import Option, with_options
from goldproof.progress import OnProgress, ignore, step
from goldproof.records.entities import Card, Question
from goldproof.records.keys import content_key
from goldproof.records.tables import RankingTable
from goldproof.report import Heading, Table
from goldproof.retrieve import Pipeline, Retrieved, Search, open_named, open_retriever, retrieve
from goldproof.retrieve.options import Filter, Fresh, K, Now, Timeout

SCHEMA = "goldproof.run"
SCHEMA_VERSION = 1


@with_options
def retrieve_questions(
    queries: Annotated[
        str | Path | None,
        Option(
            "Questions: BEIR, JSONL, TSV, CSV, YAML, or a dataset. Not needed to fuse run files.",
            "FILE",
            flag="--queries",
            type=Path,
        ),
    ] = None,
    *,
    retriever: Annotated[
        object,
        Option(
            "What to run: 'bm25', 'hybrid(bm25, dense(minilm)) | top(10)', FILE.yaml#NAME, module:object or a URL.",
            "[NAME=]SPEC",
            type=str,
        ),
    ],
    corpus: Annotated[
        str | Path | Corpus | None,
        Option(
            "Documents to search: folder:DIR, package:NAME, beir:DIR, jsonl:FILE, cranfield:DIR or a path. "
            "Not needed if the retriever brings its own.",
            "SPEC",
            type=str,
        ),
    ] = None,
    k: K = 100,
    filters: Filter = None,
    now: Now = None,
    timeout: Timeout = None,
    fresh: Fresh = False,
    out: Path | None = None,
    force: bool = False,
    on_progress: OnProgress = ignore,
) -> "RetrievalResult":
    """Index a corpus and ask a retriever every question; the same call resumes an interrupted run.

    queries: None where the retriever only replays run files, which have questions of their own. retriever: a text,
    [NAME=]SPEC, or a pipeline. corpus: None where the retriever has documents of its own. filters, now: which documents
    are searched, and what ages are counted from. timeout: seconds that a question may take, which else fails. fresh:
    ask again what an interrupted run has answered. out, force: the file that the run will be saved to; refused before
    anything is asked where it cannot be.
    """
    name, pipeline = open_named(retriever) if isinstance(retriever, str) else ("goldproof", open_retriever(retriever))
    with step("reading questions", on_progress):
        diagnostics = None if queries is None or Path(queries).is_dir() else Diagnostics(Path(queries))
        questions = _recorded(pipeline) if queries is None else read_questions(Path(queries), diagnostics)
    if not questions:
        raise InputError(f"{pipeline if queries is None else queries}: holds no question.")
    with step("reading documents", on_progress):
        documents = Corpus("none", ()) if corpus is None else open_corpus(corpus)
    if out is not None:
        ids = [document.id for document in documents.documents]
        check_run_target(out, documents=ids, questions=[question.id for question in questions], force=force)
    search = Search(k=k, filters=filters, now=now, timeout=timeout)
    retrieved = retrieve(pipeline, documents, questions, search=search, name=name, fresh=fresh, on_progress=on_progress)
    failed = retrieved.ranking.failed
    if len(failed) == len(questions):
        first, reason = next(iter(failed.items()))
        raise SearchFailedError(f"{name}: all {len(failed):,} questions failed; the first, {first!r}: {reason}")
    return RetrievalResult(
        name,
        retrieved,
        inputs=_inputs(documents, questions, retrieved.facts),
        settings={"name": name, "corpus": documents.name, **retrieved.facts},
        remarks=(*(() if diagnostics is None else diagnostics.remarks), *documents.remarks, *retrieved.remarks),
        corpus={"name": documents.name, "documents": len(documents), **documents.facts},
    )


def _recorded(pipeline: Pipeline) -> tuple[Question, ...]:
    """Return the questions of run files that are replayed; their ids stand for the texts, which nothing reads."""
    if pipeline.reads_queries:
        raise InputError(f"{pipeline} searches for the texts of questions; give them: --queries FILE.")
    return tuple(Question(name, name) for name in pipeline.recorded_questions())


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

    @property
    def conclusion(self) -> str:
        """How many questions were answered, and how many failed or got no result."""
        counts = self._counts()
        gone = [
            f"{counts[key]:,} {words}"
            for key, words in (("failed", "failed"), ("empty", "got no result"))
            if counts[key]
        ]
        answered = f"{self.name} answered {counts['answered']:,} of {counted(counts['questions'], 'question')}"
        return f"{answered} with {counted(counts['results'], 'result')}{''.join(f'; {part}' for part in gone)}."

    def to_dict(self) -> dict[str, object]:
        """Return conclusion, counts, failures and latency."""
        return {
            "conclusion": self.conclusion,
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
