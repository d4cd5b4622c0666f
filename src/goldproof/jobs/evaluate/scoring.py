"""One run against the judgments, as columns of a study: every question scored, undefined or failed, with its reason."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, cast, get_args

import numpy as np

from goldproof.errors import IdMismatchError, InputError, UnknownNameError
from goldproof.jobs.evaluate.identical_ids import questions_in_own_results, without_identical_ids
from goldproof.jobs.evaluate.runs import run_questions
from goldproof.metrics import METRICS, bounds, match, score, unjudged
from goldproof.metrics.names import LARGEST
from goldproof.metrics.ranks import relevant_total
from goldproof.metrics.scoring import NoRelevant
from goldproof.records.tables import JudgmentTable, RankingTable
from goldproof.study.panel import ABSENT, FAILED, MISSING, SCORED, UNDEFINED, Column

if TYPE_CHECKING:
    from collections.abc import Mapping

    from goldproof.jobs.evaluate.judgments import Judgments
    from goldproof.jobs.evaluate.runs import Run
    from goldproof.metrics import Matched, Metric
    from goldproof.records.arrays import BoolArray

Queries = Literal["judged", "both"]
Unjudged = Literal["check", "ignore"]


@dataclass(frozen=True, slots=True)
class Scoring:
    """The rules by which a run is scored.

    queries: `judged` counts every judged question, and one missing from the run scores 0; `both` only those in the run.
    no_relevant: a question without a relevant document is `undefined`, or `zero` as in trec_eval.
    depth: only the first results of each question are seen (trec_eval's -M).
    unjudged: `check` gives a verdict of better or worse only where it holds on the judged documents alone too; `ignore`
    takes unjudged documents as not relevant, in verdicts as in scores.
    ignore_identical_ids: leave out results whose document has the id of their question, before any cutoff (BEIR's
    default); None: only where the questions of a BEIR folder are documents (`goldproof.jobs.evaluate.identical_ids`).
    """

    queries: Queries = "judged"
    no_relevant: NoRelevant = "undefined"
    depth: int | None = None
    unjudged: Unjudged = "check"
    ignore_identical_ids: bool | None = None

    @classmethod
    def named(
        cls,
        queries: str,
        no_relevant: str,
        depth: object,
        *,
        unjudged: str = "check",
        ignore_identical_ids: bool | None = None,
    ) -> Scoring:
        """Check names that a user gave."""
        if queries not in get_args(Queries):
            raise UnknownNameError("value of --queries", queries, get_args(Queries))
        if no_relevant not in get_args(NoRelevant):
            raise UnknownNameError("value of --no-relevant", no_relevant, get_args(NoRelevant))
        if unjudged not in get_args(Unjudged):
            raise UnknownNameError("value of --unjudged", unjudged, get_args(Unjudged))
        if depth is not None and not (isinstance(depth, int) and 1 <= depth <= LARGEST):
            raise InputError(f"--depth {depth} is not a whole number from 1 to {LARGEST:,}.")
        return cls(
            cast("Queries", queries),
            cast("NoRelevant", no_relevant),
            depth,
            cast("Unjudged", unjudged),
            ignore_identical_ids,
        )


@dataclass(frozen=True, slots=True, eq=False)
class ScoredRun:
    """A run matched with the judgments, ready to be scored by any metric.

    failures: question -> why the system crashed on it. not_judged: questions of the run that are ignored. identical:
    judged questions from whose results the document of the same id was dropped.
    """

    matched: Matched
    rules: Scoring
    failures: Mapping[str, str]
    not_judged: int
    identical: int = 0

    @property
    def questions(self) -> list[str]:
        """The questions, in the order of every column."""
        return self.matched.questions

    def column(self, metric: Metric) -> Column:
        """Score one metric on every question."""
        matched = self.matched
        scores = score(metric, matched, no_relevant=self.rules.no_relevant)
        undefined = scores.code > 0
        status = np.where(undefined, UNDEFINED, SCORED).astype(np.int8)
        reason = scores.code.astype(np.int32)
        reasons: list[str | None] = [None, *scores.reasons]
        missing = matched.missing & ~undefined
        if self.rules.queries == "both":
            status[matched.missing] = ABSENT
        elif missing.any():
            reason[missing] = len(reasons)
            reasons.append(MISSING)
        known = {text: code for code, text in enumerate(reasons)}
        for question in np.flatnonzero(self._failed(metric, undefined)).tolist():
            status[question] = FAILED
            reason[question] = known.setdefault(self.failures[matched.questions[question]], len(known))
        value = np.where(status == SCORED, scores.value, 0.0)
        return Column(value, status, reason, tuple(known), missing)

    def judged_only_column(self, metric: Metric) -> Column | None:
        """Score one metric on rankings without their unjudged documents; None where that changes nothing."""
        if "judged_only" not in METRICS.get(metric.family).shape.params or metric.judged_only:
            return None
        if not unjudged(self.matched, k=metric.cutoff).any():
            return None
        return self.column(replace(metric, judged_only=True))

    @property
    def questions_without_judged_hit(self) -> int:
        """How many questions with a relevant document were answered by unjudged documents only."""
        ranks = self.matched.ranks
        hit = np.bincount(ranks.question, minlength=ranks.questions) > 0
        return int(np.count_nonzero((relevant_total(ranks, rel=1) > 0) & (ranks.retrieved > 0) & ~hit))

    @property
    def has_judged_hit(self) -> bool:
        """Whether any result is judged for its question."""
        return bool(len(self.matched.ranks.rank))

    def _failed(self, metric: Metric, undefined: BoolArray) -> BoolArray:
        """Where a crash cost a value: not where the metric has no meaning for the question, crash or no crash."""
        if METRICS.get(metric.family).kind == "coverage":
            return self.matched.failed  # undefined there means that nothing came, and a crash is why
        return self.matched.failed & ~undefined

    def extras(self, metric: Metric) -> dict[str, object]:
        """What judgments alone cannot tell: the share of unjudged results, and what the mean could be."""
        column = self.column(metric)
        facts: dict[str, object] = {}
        if METRICS.get(metric.family).kind != "unanswerable" and not metric.judged_only:
            facts["unjudged_share"] = self._unjudged_share(metric, column.scored)
        both = bounds(metric, self.matched, no_relevant=self.rules.no_relevant)
        if both is not None and column.scored.any():
            ends = (float(end.value[column.scored].mean()) for end in both)
            facts["bounds"] = dict(zip(("none_relevant", "all_relevant"), ends, strict=True))
        return facts

    def _unjudged_share(self, metric: Metric, scored: BoolArray) -> float | None:
        """Return the unjudged part of what scored questions retrieved within the cutoff; None where nothing was."""
        retrieved = self.matched.ranks.retrieved
        seen = retrieved if metric.cutoff is None else np.minimum(retrieved, metric.cutoff)
        total = int(seen[scored].sum())
        return int(unjudged(self.matched, k=metric.cutoff)[scored].sum()) / total if total else None


def match_run(judgments: Judgments, ranking: Run, rules: Scoring, *, name: str, exclude: frozenset[str]) -> ScoredRun:
    """Match one run with the judgments, less the excluded questions."""
    asked = judgments.without(exclude)
    identical = 0
    if rules.ignore_identical_ids:
        identical = len(asked.questions.intersection(questions_in_own_results(ranking)))
        ranking = without_identical_ids(ranking)
    if isinstance(asked.grades, JudgmentTable):
        matched = match(asked.grades, ranking, depth=rules.depth)
    else:
        matched = match(
            asked.grades, ranking, depth=rules.depth, kernels=asked.kernels, unanswerable=asked.unanswerable
        )
    returned = run_questions(ranking) - exclude
    not_judged = matched.extra - len(run_questions(ranking) & exclude)
    if not run_questions(ranking) and matched.questions:
        raise IdMismatchError(f"run {name!r} is empty: it has no question, not even one without results.")
    if returned and matched.questions and not_judged == len(returned):
        raise IdMismatchError(
            f"run {name!r} has none of the judged questions: it has {min(returned)!r}, the judgments have "
            f"{matched.questions[0]!r}; are the ids the same?"
            + ("" if isinstance(ranking, RankingTable) else " Several runs go in as runs={name: run}.")
        )
    failures = ranking.failed if isinstance(ranking, RankingTable) else {}
    return ScoredRun(matched, rules, failures=failures, not_judged=not_judged, identical=identical)
