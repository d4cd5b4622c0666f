"""`explain_question()`: one question in detail: judged documents, ranks in each run, and how each metric came about."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from goldproof.errors import UnknownNameError
from goldproof.io import read_dataset
from goldproof.jobs.evaluate.id_checks import questions_with_own_id, resolve_identical_ids
from goldproof.jobs.evaluate.inputs import as_judgments, as_runs, question_grades, question_rows
from goldproof.jobs.evaluate.job import default_metrics
from goldproof.jobs.evaluate.options import Depth, IgnoreIdenticalIds, Metrics, NoRelevant, Runs, SkipBad, Split
from goldproof.jobs.evaluate.scoring import Scoring, success_remarks
from goldproof.metrics import Metric, explain, match, parse_metrics
from goldproof.options import with_options
from goldproof.records.tables import RankingTable
from goldproof.report import Heading, Table
from goldproof.report.numbers import NOTHING

UNJUDGED = "unjudged"


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
    """One question: its judgments and kernels, and every run on it; remarks: notes on what was skipped."""

    question: str
    text: str
    answerable: bool
    grades: Mapping[str, int]
    kernels: tuple[tuple[str, ...], ...]
    runs: Mapping[str, RunOnQuestion]
    remarks: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, object]:
        """Return plain data for JSON."""
        return {
            "id": self.question,
            "text": self.text,
            "answerable": self.answerable,
            "judgments": dict(self.grades),
            "kernels": [list(kernel) for kernel in self.kernels],
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
        return Table(headings, tuple(rows), notes=notes)

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
        return Table(headings, tuple(rows), title=run, notes=(f"... and {left} more",) if left > 0 else ())

    def metrics_table(self) -> Table:
        """How each metric came about."""
        rows = [(name, metric, text) for name, run in self.runs.items() for metric, text in run.metrics.items()]
        return Table(
            (Heading("run", "left"), Heading("metric", "left"), Heading("how it came about", "left")), tuple(rows)
        )


@with_options
def explain_question(
    judgments: str | Path,
    question: str,
    *,
    runs: Runs,
    metrics: Metrics = None,
    split: Split = None,
    no_relevant: NoRelevant = "undefined",
    depth: Depth = None,
    ignore_identical_ids: IgnoreIdenticalIds = None,
    skip_bad: SkipBad = False,
) -> Explanation:
    """Read judgments and runs, and explain one question; parameters as in `goldproof.evaluate`."""
    rules = Scoring.named("judged", no_relevant, depth, ignore_identical_ids=ignore_identical_ids)
    dataset = read_dataset(judgments, split=split)
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
    return Explanation(question, asked.get(question, ""), not lacks_answer, grades or {}, kernels, explained, remarks)


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
