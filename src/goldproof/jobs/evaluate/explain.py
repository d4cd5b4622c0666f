"""`explain_question()`: one question in detail: judged documents, ranks in each run, and how each metric came about."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

from goldproof.errors import FileFormatError, UnknownNameError, counted, shortened
from goldproof.io import read_dataset, read_questions
from goldproof.jobs.evaluate.id_checks import questions_with_own_id, resolve_identical_ids
from goldproof.jobs.evaluate.inputs import as_judgments, as_runs, question_grades, question_rows
from goldproof.jobs.evaluate.job import default_metrics
from goldproof.jobs.evaluate.options import Depth, IgnoreIdenticalIds, NoRelevant, Runs, SkipBad, Split
from goldproof.jobs.evaluate.scoring import Scoring, success_remarks
from goldproof.metrics import Metric, explain, match, parse_metrics
from goldproof.options import Option, with_options
from goldproof.progress import OnProgress, ignore, step
from goldproof.records.entities import Dataset, Document
from goldproof.records.tables import RankingTable
from goldproof.report import Heading, Table
from goldproof.report.numbers import NOTHING

if TYPE_CHECKING:
    from goldproof.jobs.evaluate.retrieval import GivenCorpus

UNJUDGED = "unjudged"
WIDTH = 100  # of a table on a terminal
FIRST = 10  # results that the conclusion speaks of
_SNIPPET, _LEAST = 60, 20
_KEPT = 200

ExplainedMetrics = Annotated[
    str | Iterable[str] | None,
    Option("Metrics to explain; with --losses one (default: nDCG@10).", "LIST", flag="--metric --metrics", type=str),
]
Texts = Annotated[
    "GivenCorpus | None",
    Option("Documents, for titles and snippets (default: the dataset's).", "SPEC", flag="--corpus", type=str),
]
QuestionFile = Annotated[
    str | Path | None, Option("Texts of the questions (default: the dataset's).", "FILE", type=Path)
]


class Snippets(NamedTuple):
    """Titles and beginnings of documents by id; empty where no text is known."""

    documents: Mapping[str, Document]

    def of(self, document: str, *, longest: int = _SNIPPET) -> str:
        """Return the title and how the text begins, in one line."""
        known = self.documents.get(document)
        if known is None:
            return ""
        text = known.text.removeprefix(known.title) if known.title else known.text
        return shortened(" ".join(" ".join([f"{known.title}:" * bool(known.title), text]).split()), longest=longest)

    def to_dict(self, documents: Iterable[str]) -> dict[str, dict[str, str]]:
        """Return title and beginning of these documents, those without a text left out."""
        known = {name: self.documents[name] for name in documents if name in self.documents}
        return {
            name: {"title": document.title, "snippet": shortened(" ".join(document.text.split()), longest=_KEPT)}
            for name, document in known.items()
        }

    def column(self, rows: Sequence[tuple[str, ...]], headings: Sequence[Heading], documents: Sequence[str]) -> Table:
        """Return the table with a last column of snippets, as wide as the terminal has room for."""
        if not self.documents:
            return Table(tuple(headings), tuple(rows))
        cells = zip(*([heading.name for heading in headings], *rows), strict=True)
        taken = sum(max(map(len, column)) + 2 for column in cells)
        longest = max(_LEAST, min(_SNIPPET, WIDTH - taken))
        texts = [self.of(document, longest=longest) for document in documents]
        return Table(
            (*headings, Heading("title and text", "left")),
            tuple((*row, text) for row, text in zip(rows, texts, strict=True)),
        )


@dataclass(frozen=True, slots=True)
class RunOnQuestion:
    """One run on the question. results: (document, score, grade or None) in rank order; error: why it failed."""

    results: tuple[tuple[str, float, int | None], ...]
    error: str | None
    metrics: Mapping[str, str]

    def rank_of(self, document: str) -> int | None:
        """Return the rank of a document, from 1, or None where it was not returned."""
        return next((rank for rank, row in enumerate(self.results, start=1) if row[0] == document), None)


@dataclass(frozen=True, slots=True)
class Explanation:
    """One question: its judgments and kernels, and every run on it.

    snippets: of its documents, where texts are known. remarks: notes on what was skipped.
    """

    question: str
    text: str
    answerable: bool
    grades: Mapping[str, int]
    kernels: tuple[tuple[str, ...], ...]
    runs: Mapping[str, RunOnQuestion]
    remarks: tuple[str, ...] = ()
    snippets: Snippets = field(default_factory=lambda: Snippets({}))

    @property
    def relevant(self) -> frozenset[str]:
        """The documents with a grade above 0, or in a kernel."""
        graded = {document for document, grade in self.grades.items() if grade > 0}
        return frozenset(graded.union(*self.kernels))

    @property
    def conclusion(self) -> str:
        """What each run found of the relevant documents, in one sentence."""
        relevant = self.relevant
        if not self.answerable:
            said = [f"{name} {_returned(run)}" for name, run in self.runs.items()]
            return f"Nothing answers this question: {'; '.join(said)}."
        if not relevant:
            return "No document is judged relevant, so that no run can find one."
        said = []
        for name, run in self.runs.items():
            ranks = sorted(rank for document in relevant if (rank := run.rank_of(document)) is not None)
            said.append(f"{name} {_found(run, ranks, first=not said, relevant=len(relevant))}")
        return f"{'; '.join(said)}."

    def to_dict(self) -> dict[str, object]:
        """Return plain data for JSON."""
        shown = {*self.grades, *(row[0] for run in self.runs.values() for row in run.results)}
        return {
            "conclusion": self.conclusion,
            "id": self.question,
            "text": self.text,
            "answerable": self.answerable,
            "judgments": dict(self.grades),
            "kernels": [list(kernel) for kernel in self.kernels],
            "documents": self.snippets.to_dict(sorted(shown)),
            "runs": {
                name: {
                    "error": run.error,
                    "results": [
                        {"rank": rank, "document": document, "score": score, "grade": grade}
                        for rank, (document, score, grade) in enumerate(run.results, start=1)
                    ],
                    "metrics": dict(run.metrics),
                }
                for name, run in self.runs.items()
            },
            "remarks": list(self.remarks),
        }

    def judgments_table(self, *, most: int = 10) -> Table:
        """Judged documents, best first, with the rank each run gave them."""
        ordered = sorted(self.grades.items(), key=lambda item: (-item[1], item[0]))
        left = len(ordered) - most
        notes = (f"... and {left:,} more",) if left > 0 else ()
        ordered = ordered[:most]
        rows = [(d, str(grade), *(_rank(run.rank_of(d)) for run in self.runs.values())) for d, grade in ordered]
        headings = (
            Heading("judged document", "left"),
            Heading("grade"),
            *(Heading(f"rank in {name}") for name in self.runs),
        )
        return replace(self.snippets.column(rows, headings, [document for document, _ in ordered]), notes=notes)

    def kernels_table(self) -> Table:
        """Alternative kernels, with the rank at which each run completes them."""
        rows = [
            (" + ".join(kernel), *(_rank(_completed(run, kernel)) for run in self.runs.values()))
            for kernel in self.kernels
        ]
        return Table((Heading("kernel", "left"), *(Heading(f"complete in {n}") for n in self.runs)), tuple(rows))

    def results_table(self, run: str, *, most: int = 10) -> Table:
        """The results of a run, from the top."""
        rows = [
            (str(rank), document, f"{score:.6g}", UNJUDGED if grade is None else str(grade))
            for rank, (document, score, grade) in enumerate(self.runs[run].results[:most], start=1)
        ]
        left = len(self.runs[run].results) - most
        headings = (Heading("rank"), Heading("document", "left"), Heading("score"), Heading("grade"))
        table = self.snippets.column(rows, headings, [row[1] for row in rows])
        return replace(table, title=run, notes=(f"... and {left} more",) if left > 0 else ())

    def metrics_table(self) -> Table:
        """How each metric came about."""
        rows = [
            (name, metric, text.removeprefix(f"{metric} ").removeprefix("= "))
            for name, run in self.runs.items()
            for metric, text in run.metrics.items()
        ]
        return Table(
            (Heading("run", "left"), Heading("metric", "left"), Heading("how it came about", "left")), tuple(rows)
        )


@with_options
def explain_question(
    judgments: str | Path,
    question: str,
    *,
    runs: Runs,
    metrics: ExplainedMetrics = None,
    corpus: Texts = None,
    questions: QuestionFile = None,
    split: Split = None,
    no_relevant: NoRelevant = "undefined",
    depth: Depth = None,
    ignore_identical_ids: IgnoreIdenticalIds = None,
    skip_bad: SkipBad = False,
    on_progress: OnProgress = ignore,
) -> Explanation:
    """Read judgments and runs, and explain one question; parameters as in `goldproof.evaluate`.

    corpus, questions: where the texts of documents and questions are, if not in the dataset.
    """
    rules = Scoring.named("judged", no_relevant, depth, ignore_identical_ids=ignore_identical_ids)
    with step("reading judgments", on_progress):
        dataset = read_with_texts(judgments, corpus=corpus, questions=questions, split=split)
    table = dataset.judgments
    grades = question_grades(table, question)
    kernels = tuple(table.kernels.get(question, ()))
    asked = {q.id: q.text for q in dataset.questions}
    if grades is None and not kernels and question not in table.unanswerable:
        known = {*table.questions.to_list(), *table.kernels, *table.unanswerable}
        hint = "It is among the questions, but nothing is judged for it." if question in asked else ""
        raise UnknownNameError(f"judged question in {judgments}", question, known, hint=hint)
    known_judgments = as_judgments(dataset)
    asked_for = list(metrics) if isinstance(metrics, Iterable) and not isinstance(metrics, str) else metrics
    chosen = parse_metrics(default_metrics(known_judgments) if asked_for is None else asked_for)
    lacks_answer = question in table.unanswerable
    with step("reading runs", on_progress):
        given = as_runs(None, runs, skip_bad=skip_bad)
    tables = {
        name: run if isinstance(run, RankingTable) else RankingTable.from_dict(run) for name, run in given.runs.items()
    }
    identical_ids = resolve_identical_ids(rules.ignore_identical_ids, known_judgments, tables)
    explained = {
        name: _explain_run(
            question,
            table,
            grades=grades or {},
            kernels=kernels,
            unanswerable=lacks_answer,
            metrics=chosen,
            rules=replace(rules, ignore_identical_ids=identical_ids.ignore),
        )
        for name, table in tables.items()
    }
    remarks = (
        *dataset.remarks,
        *given.remarks,
        *identical_ids.remarks,
        *_dropped(question, tables if identical_ids.ignore else {}),
        *success_remarks(known_judgments, [asked_for]),
    )
    shown = {*(grades or {}), *(row[0] for run in explained.values() for row in run.results)}
    return Explanation(
        question,
        asked.get(question, ""),
        not lacks_answer,
        grades or {},
        kernels,
        explained,
        remarks,
        snippets_of(dataset, shown),
    )


def read_with_texts(
    judgments: str | Path, *, corpus: object, questions: str | Path | None, split: str | None
) -> Dataset:
    """Read judgments with the texts of their documents and questions, where these are known."""
    try:
        dataset = read_dataset(judgments, split=split, documents=corpus is None)
    except FileFormatError as error:  # of the documents perhaps, which are only shown; other errors are raised again
        dataset = read_dataset(judgments, split=split)
        dataset = replace(dataset, remarks=(*dataset.remarks, f"titles and snippets are not shown: {error}"))
    if corpus is not None:
        from goldproof.corpus import open_corpus  # noqa: PLC0415 - most datasets bring their documents

        dataset = replace(dataset, documents=tuple(open_corpus(corpus).documents))  # type: ignore[arg-type]
    return dataset if questions is None else replace(dataset, questions=read_questions(Path(questions)))


def snippets_of(dataset: Dataset, documents: Collection[str]) -> Snippets:
    """Return the snippets of these documents."""
    return Snippets({document.id: document for document in dataset.documents if document.id in documents})


def _returned(run: RunOnQuestion) -> str:
    return f"failed ({run.error})" if run.error is not None else f"returned {counted(len(run.results), 'document')}"


def _found(run: RunOnQuestion, ranks: Sequence[int], *, first: bool, relevant: int) -> str:
    """Return what a run found: "found 1 of 3 relevant documents in its first 10, at rank 4"."""
    if run.error is not None:
        return f"failed ({run.error})"
    total = f" of {counted(relevant, 'relevant document')} in its first {FIRST}" if first else f" of {relevant:,}"
    shown = [str(rank) for rank in ranks if rank <= FIRST]
    if not shown:
        return f"found none{total}" + (f" (the first stands at rank {ranks[0]:,})" if ranks else "")
    if len(shown) == 1:
        return f"found 1{total}, at rank {shown[0]}"
    return f"found {len(shown)}{total}, at ranks {', '.join(shown[:-1])} and {shown[-1]}"


def _dropped(question: str, runs: Mapping[str, RankingTable]) -> list[str]:
    return [
        f"{name}: document {question!r} was dropped because it has the id of the question, as in BEIR "
        "(--no-ignore-identical-ids keeps it)."
        for name, run in runs.items()
        if question in questions_with_own_id(run)
    ]


def _explain_run(
    question: str,
    ranking: RankingTable,
    *,
    grades: dict[str, int],
    kernels: tuple[tuple[str, ...], ...],
    unanswerable: bool,
    metrics: tuple[Metric, ...],
    rules: Scoring,
) -> RunOnQuestion:
    error = ranking.failed.get(question)
    returned = _scores_of(ranking, question)
    if rules.ignore_identical_ids and returned is not None:
        returned = {document: score for document, score in returned.items() if document != question}
    if error is not None:
        return RunOnQuestion((), error, {str(metric): f"failed: {error}" for metric in metrics})
    matched = match(
        {question: grades},
        {} if returned is None else {question: returned},
        depth=rules.depth,
        kernels={question: kernels} if kernels else {},
        unanswerable=[question] if unanswerable else [],
    )
    ordered = sorted((returned or {}).items(), key=lambda item: (item[1], item[0].encode()), reverse=True)
    results = tuple((document, float(score), grades.get(document)) for document, score in ordered[: rules.depth])
    explained = {str(metric): explain(metric, matched, index=0, no_relevant=rules.no_relevant) for metric in metrics}
    return RunOnQuestion(results, None, explained)


def _scores_of(ranking: RankingTable, question: str) -> dict[str, float] | None:
    rows = question_rows(ranking, question)
    if rows is None:
        return None
    return dict(zip(ranking.documents[rows].to_list(), ranking.scores[rows].tolist(), strict=True))


def _completed(run: RunOnQuestion, kernel: tuple[str, ...]) -> int | None:
    """Return the rank at which a run has every document of a kernel; None where it never does."""
    ranks = [rank for document in kernel if (rank := run.rank_of(document)) is not None]
    return max(ranks) if ranks and len(ranks) == len(kernel) else None


def _rank(rank: int | None) -> str:
    return NOTHING if rank is None else str(rank)
