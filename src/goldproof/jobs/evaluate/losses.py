"""`explain_losses()`: the questions that cost a run most against the baseline, or on which it scores lowest."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

from goldproof.errors import InputError, UnknownNameError, counted, shortened
from goldproof.jobs.evaluate.explain import (
    WIDTH,
    ExplainedMetrics,
    QuestionFile,
    Snippets,
    Texts,
    read_with_texts,
    snippets_of,
)
from goldproof.jobs.evaluate.id_checks import resolve_identical_ids
from goldproof.jobs.evaluate.inputs import Judgments, as_judgments, as_runs, question_grades, question_rows
from goldproof.jobs.evaluate.options import Depth, IgnoreIdenticalIds, NoRelevant, Runs, SkipBad, Split
from goldproof.jobs.evaluate.scoring import Scoring, match_run
from goldproof.metrics import METRICS, Metric, parse_metrics
from goldproof.options import with_options
from goldproof.progress import OnProgress, ignore, step
from goldproof.records.tables import JudgmentTable, RankingTable
from goldproof.report import Heading, Table
from goldproof.study.options import Baseline
from goldproof.study.panel import SCORED
from goldproof.study.summary import is_tested

DEFAULT_METRIC = "nDCG@10"
_EQUAL = 1e-12  # two sums of the same terms may differ by rounding
_TEXT, _LEAST = 40, 16


class Missed(NamedTuple):
    """A relevant document that a run ranks lower or lacks; ranks are None where it is not in the run."""

    document: str
    grade: int
    rank: int | None
    baseline_rank: int | None


class Loss(NamedTuple):
    """One question. baseline: its score there; None where there is no baseline. missed: the document to look at."""

    question: str
    text: str
    score: float
    baseline: float | None
    missed: Missed | None

    @property
    def difference(self) -> float | None:
        """The score minus that of the baseline."""
        return None if self.baseline is None else self.score - self.baseline


@dataclass(frozen=True, slots=True)
class RunLosses:
    """A run against the baseline, or alone. losses: the worst questions, worst first; cost: of them, in the mean."""

    run: str
    losses: tuple[Loss, ...]
    questions: int
    lower: int
    higher: int
    not_scored: int
    cost: float


@dataclass(frozen=True, slots=True)
class Losses:
    """The questions that cost most. baseline: None where a single run is shown by its lowest scores."""

    metric: str
    baseline: str | None
    runs: tuple[RunLosses, ...]
    snippets: Snippets
    remarks: tuple[str, ...] = ()

    @property
    def conclusion(self) -> str:
        """How many questions each run loses, and what the shown ones cost."""
        return " ".join(self._sentence(run) for run in self.runs)

    def _sentence(self, run: RunLosses) -> str:
        of = f"of {counted(run.questions, 'question')}"
        if self.baseline is None:
            return f"{run.run} scores 0 on {run.lower:,} {of} by {self.metric}; these are its lowest."
        equal = run.questions - run.lower - run.higher
        counts = f"{run.lower:,} {of} (above on {run.higher:,}, equal on {equal:,})"
        shown = "this one costs" if len(run.losses) == 1 else f"these {len(run.losses):,} cost"
        cost = f"; {shown} {run.cost:.4f} of its mean" if run.losses else ""
        return f"{run.run} is below {self.baseline} on {counts} by {self.metric}{cost}."

    def to_dict(self) -> dict[str, object]:
        """Return plain data for JSON."""
        return {
            "conclusion": self.conclusion,
            "metric": self.metric,
            "baseline": self.baseline,
            "runs": {run.run: self._run_to_dict(run) for run in self.runs},
            "remarks": list(self.remarks),
        }

    def _run_to_dict(self, run: RunLosses) -> dict[str, object]:
        missed = {loss.missed.document for loss in run.losses if loss.missed}
        return {
            "questions": run.questions,
            "lower": run.lower,
            "higher": run.higher,
            "not_scored": run.not_scored,
            "cost": run.cost,
            "losses": [
                {
                    "id": loss.question,
                    "text": loss.text,
                    "score": loss.score,
                    "baseline": loss.baseline,
                    "difference": loss.difference,
                    "missed": None if loss.missed is None else loss.missed._asdict(),
                }
                for loss in run.losses
            ],
            "documents": self.snippets.to_dict(sorted(missed)),
        }

    def tables(self) -> list[Table]:
        """One table for each run."""
        return [self._table(run) for run in self.runs]

    def _table(self, run: RunLosses) -> Table:
        baseline = self.baseline
        left, right = (Heading(name, "left") for name in ("question", "text")), map(Heading, [run.run])
        headings = [*left, *right, Heading("lost", "left")]
        if baseline is not None:
            scores = map(Heading, [baseline, run.run, "difference"])
            headings = [*headings[:2], *scores, Heading("lost", "left"), Heading("rank")]
        rows = [self._row(loss) for loss in run.losses]
        notes = () if not run.not_scored else (f"{counted(run.not_scored, 'question')} without a score left out.",)
        table = Table(tuple(headings), tuple(rows), title=f"{run.run}, {self.metric}", notes=notes)
        return self._fitted(table, run.losses)

    def _row(self, loss: Loss) -> tuple[str, ...]:
        missed = loss.missed
        document = "" if missed is None else missed.document
        if loss.baseline is None or loss.difference is None:
            return (loss.question, loss.text, f"{loss.score:.4f}", document)
        ranks = "" if missed is None else f"{missed.baseline_rank} -> {missed.rank or 'not found'}"
        scores = (f"{loss.baseline:.4f}", f"{loss.score:.4f}", f"{loss.difference:+.4f}")
        return (loss.question, loss.text, *scores, document, ranks)

    def _fitted(self, table: Table, losses: Sequence[Loss]) -> Table:
        """Cut the questions to the width of a terminal, and add titles of documents where there is room for them."""
        names = [heading.name for heading in table.headings]
        taken = sum(
            max(len(name), *(len(row[place]) for row in table.rows), 0) + 2
            for place, name in enumerate(names)
            if place != 1
        )
        longest = max(_LEAST, min(_TEXT, WIDTH - taken))
        rows = [(row[0], shortened(" ".join(row[1].split()), longest=longest), *row[2:]) for row in table.rows]
        headings, room = table.headings, WIDTH - taken - longest - 2
        if self.snippets.documents and room >= _LEAST:
            titles = [
                "" if each.missed is None else self.snippets.of(each.missed.document, longest=room) for each in losses
            ]
            rows = [(*row, title) for row, title in zip(rows, titles, strict=True)]
            headings = (*headings, Heading("title and text", "left"))
        fitted = replace(table, headings=headings, rows=tuple(rows))
        return fitted.without_empty_columns() if rows else fitted


@with_options
def explain_losses(
    judgments: str | Path,
    *,
    losses: int = 10,
    runs: Runs,
    metrics: ExplainedMetrics = None,
    baseline: Baseline = None,
    corpus: Texts = None,
    questions: QuestionFile = None,
    split: Split = None,
    no_relevant: NoRelevant = "undefined",
    depth: Depth = None,
    ignore_identical_ids: IgnoreIdenticalIds = None,
    skip_bad: SkipBad = False,
    on_progress: OnProgress = ignore,
) -> Losses:
    """Find the questions on which runs lose most against the baseline (the first run, unless it is named).

    losses: how many. A single run is shown by its lowest scores. The other parameters are those of `explain_question`.
    """
    chosen = parse_metrics(DEFAULT_METRIC if metrics is None else metrics)
    if len(chosen) != 1:
        raise InputError(
            f"--losses orders questions by one metric; found {len(chosen)}: {', '.join(map(str, chosen))}."
        )
    definition = METRICS.get(chosen[0].family)
    if not definition.higher_is_better or not is_tested(str(chosen[0])):
        raise InputError(f"--losses orders questions by a metric of which more is better; {chosen[0]} is none.")
    rules = Scoring.named("judged", no_relevant, depth, ignore_identical_ids=ignore_identical_ids)
    with step("reading runs", on_progress):
        given = as_runs(None, runs, skip_bad=skip_bad)
    names = list(given.runs)
    if baseline is not None and baseline not in names:
        raise UnknownNameError("run", baseline, names)
    if baseline is not None and len(names) == 1:
        raise InputError(f"only {baseline} was given; give another run to compare with it: --run NAME=FILE.")
    with step("reading judgments", on_progress):
        dataset = read_with_texts(judgments, corpus=corpus, questions=questions, split=split)
    known = as_judgments(dataset)
    identical_ids = resolve_identical_ids(rules.ignore_identical_ids, known, given.runs)
    rules = replace(rules, ignore_identical_ids=identical_ids.ignore)
    tables = {
        name: run if isinstance(run, RankingTable) else RankingTable.from_dict(run) for name, run in given.runs.items()
    }
    compared = None if len(names) == 1 else baseline or names[0]
    texts = {question.id: question.text for question in dataset.questions}
    search = _Search(known, dataset.judgments, tables, metric=chosen[0], rules=rules, texts=texts)
    with step("scoring", on_progress):
        found = tuple(search.losses(name, compared, most=losses) for name in names if name != compared)
    missed = {loss.missed.document for run in found for loss in run.losses if loss.missed}
    remarks = (*dataset.remarks, *given.remarks, *identical_ids.remarks)
    return Losses(str(chosen[0]), compared, found, snippets_of(dataset, missed), remarks)


@dataclass(frozen=True, slots=True, eq=False)
class _Search:
    """Finds the worst questions of a run."""

    judgments: Judgments
    grades: JudgmentTable
    runs: Mapping[str, RankingTable]
    metric: Metric
    rules: Scoring
    texts: Mapping[str, str]

    def losses(self, run: str, baseline: str | None, *, most: int) -> RunLosses:
        own = match_run(self.judgments, self.runs[run], self.rules, name=run, exclude=frozenset())
        column = own.column(self.metric)
        scored, against = column.status == SCORED, np.zeros_like(column.value)
        if baseline is not None:
            other = match_run(self.judgments, self.runs[baseline], self.rules, name=baseline, exclude=frozenset())
            against_column = other.column(self.metric)
            scored, against = scored & (against_column.status == SCORED), against_column.value
        difference = column.value - against
        places = np.flatnonzero(scored)
        if baseline is None:
            lower = places[np.abs(column.value[places]) <= _EQUAL]
            candidates = places
        else:
            candidates = lower = places[difference[places] < -_EQUAL]
        worst = candidates[np.argsort(difference[candidates], kind="stable")][:most].tolist()
        found = tuple(
            Loss(
                question := own.questions[place],
                self.texts.get(question, ""),
                float(column.value[place]),
                None if baseline is None else float(against[place]),
                self._missed(question, run, baseline),
            )
            for place in worst
        )
        return RunLosses(
            run,
            found,
            questions=len(places),
            lower=len(lower),
            higher=int(np.count_nonzero(difference[places] > _EQUAL)),
            not_scored=len(own.questions) - len(places),
            cost=0.0 if baseline is None else -sum(loss.difference or 0.0 for loss in found) / max(len(places), 1),
        )

    def _missed(self, question: str, run: str, baseline: str | None) -> Missed | None:
        """Return the best relevant document that the baseline ranks higher; alone, the best that is not found."""
        grades = {d: g for d, g in (question_grades(self.grades, question) or {}).items() if g > 0}
        for document in (d for kernel in self.judgments.kernels.get(question, ()) for d in kernel):
            grades.setdefault(document, 1)
        own = self._ranks(run, question)
        other = {} if baseline is None else self._ranks(baseline, question)
        cutoff = min(self._cutoffs, default=len(own) + len(other))
        beyond = cutoff + 1  # where a metric no longer sees a document

        def seen(ranks: Mapping[str, int], document: str) -> int:
            return min(ranks.get(document, beyond), beyond)

        lost = [
            Missed(document, grade, own.get(document), other.get(document))
            for document, grade in grades.items()
            if (seen(own, document) == beyond if baseline is None else seen(other, document) < seen(own, document))
        ]
        return min(
            lost,
            key=lambda each: (seen(own, each.document) < beyond, -each.grade, each.baseline_rank or 0),
            default=None,
        )

    @property
    def _cutoffs(self) -> list[int]:
        return [cutoff for cutoff in (self.metric.cutoff, self.rules.depth) if cutoff is not None]

    def _ranks(self, run: str, question: str) -> dict[str, int]:
        """Return the ranks of a run's documents for a question."""
        table = self.runs[run]
        rows = question_rows(table, question)
        if rows is None:
            return {}
        scores = zip(table.documents[rows].to_list(), table.scores[rows].tolist(), strict=True)
        ordered = sorted(scores, key=lambda item: (item[1], item[0].encode()), reverse=True)
        kept = [document for document, _ in ordered if not (self.rules.ignore_identical_ids and document == question)]
        return {document: rank for rank, document in enumerate(kept, start=1)}
