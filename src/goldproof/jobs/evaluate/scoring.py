"""Score one run against the judgments as study columns; notes on skipped or defaulted questions."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, cast, get_args

import numpy as np

from goldproof.errors import IdMismatchError, InputError, UnknownNameError, counted
from goldproof.jobs.evaluate.id_checks import questions_with_own_id, without_identical_ids
from goldproof.jobs.evaluate.inputs import run_questions
from goldproof.metrics import METRICS, bounds, match, score, unjudged
from goldproof.metrics.names import LARGEST
from goldproof.metrics.ranks import relevant_total
from goldproof.metrics.scoring import NoRelevant
from goldproof.records.tables import JudgmentTable, RankingTable
from goldproof.report.numbers import share
from goldproof.study import Column
from goldproof.study.panel import ABSENT, FAILED, MISSING, SCORED, UNDEFINED
from goldproof.study.summary import metric_facts

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from goldproof.jobs.evaluate.inputs import Judgments, Run
    from goldproof.metrics import Matched, Metric
    from goldproof.records.arrays import BoolArray
    from goldproof.study import Design, Panel

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
    default); None: only where the questions of a BEIR folder are documents (`goldproof.jobs.evaluate.id_checks`).
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
        """Return the rules by the names a user gave; refuse unknown ones."""
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
        """The questions, in the order of the columns."""
        return self.matched.questions

    def column(self, metric: Metric) -> Column:
        """Score one metric on every question."""
        matched = self.matched
        scores = score(metric, matched, no_relevant=self.rules.no_relevant)
        undefined = scores.code > 0
        status = np.where(undefined, UNDEFINED, SCORED).astype(np.int8)
        reason = scores.code.astype(np.int32)
        reasons: list[str | None] = [None, *scores.reasons]
        missing = matched.missing & ~undefined & (METRICS.get(metric.family).kind != "judgments")
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
        """Number of questions with a relevant document whose results are all unjudged."""
        ranks = self.matched.ranks
        hit = np.bincount(ranks.question, minlength=ranks.questions) > 0
        return int(np.count_nonzero((relevant_total(ranks, rel=1) > 0) & (ranks.retrieved > 0) & ~hit))

    @property
    def has_judged_hit(self) -> bool:
        """Whether any result is judged for its question."""
        return bool(len(self.matched.ranks.rank))

    def _failed(self, metric: Metric, undefined: BoolArray) -> BoolArray:
        """Where a crash cost a value: not where the metric is undefined for the question anyway."""
        kind = METRICS.get(metric.family).kind
        if kind == "coverage":
            return self.matched.failed  # undefined there means no results, and the crash is why
        if kind == "judgments":
            return np.zeros_like(undefined)
        return self.matched.failed & ~undefined

    def extras(self, metric: Metric) -> dict[str, object]:
        """Return the share of unjudged results, and the bounds of the mean if none or all of them were relevant.

        Of a count, the total over questions, which trec_eval prints.
        """
        column = self.column(metric)
        kind = METRICS.get(metric.family).kind
        if kind in {"results", "judgments"}:
            return {"total": int(column.value[column.scored].sum())}
        facts: dict[str, object] = {}
        if kind != "unanswerable" and not metric.judged_only:
            facts["unjudged_share"] = self._unjudged_share(metric, column.scored)
        both = bounds(metric, self.matched, no_relevant=self.rules.no_relevant)
        if both is not None and column.scored.any():
            average = metric_facts(str(metric), column.value[column.scored]).average
            ends = (average(end.value[column.scored]) for end in both)
            facts["bounds"] = dict(zip(("none_relevant", "all_relevant"), ends, strict=True))
        return facts

    def _unjudged_share(self, metric: Metric, scored: BoolArray) -> float | None:
        """Return the unjudged share of the results of scored questions within the cutoff; None where there are none."""
        retrieved = self.matched.ranks.retrieved
        seen = retrieved if metric.cutoff is None else np.minimum(retrieved, metric.cutoff)
        total = int(seen[scored].sum())
        return int(unjudged(self.matched, k=metric.cutoff)[scored].sum()) / total if total else None


def match_run(judgments: Judgments, ranking: Run, rules: Scoring, *, name: str, exclude: frozenset[str]) -> ScoredRun:
    """Match one run with the judgments, less the excluded questions."""
    asked = judgments.without(exclude)
    identical = 0
    if rules.ignore_identical_ids:
        identical = len(asked.questions.intersection(questions_with_own_id(ranking)))
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


_SUCCESS = re.compile(r"\bSuccess\s*(?:\([^()]*\))?\s*@\s*(\d+)")


def exclusion_remarks(judgments: Judgments, exclude: frozenset[str]) -> list[str]:
    """Note how many questions were excluded, and how many ids name none."""
    if not exclude:
        return []
    known = len(exclude & judgments.questions)
    unknown = sorted(exclude - judgments.questions)
    remarks = [f"{counted(known, 'question')} excluded."]
    if unknown:
        ids = counted(len(unknown), "excluded id matches", "excluded ids match")
        remarks.append(f"{ids} no judged question (the first: {unknown[0]!r}).")
    return remarks


def success_remarks(judgments: Judgments, asked: Iterable[object]) -> list[str]:
    """Note what Success@K means where kernels suggest another meaning; asked: names as the user typed them."""
    words = [str(part) for names in asked for part in _parts(names)]
    cutoffs = dict.fromkeys(cutoff for word in words for cutoff in _SUCCESS.findall(word))
    if not cutoffs or not judgments.kernels:
        return []
    return [
        f"Success@{cutoff} is read as Hit@{cutoff}: one relevant document is enough. "
        f"{counted(len(judgments.kernels), 'question has', 'questions have')} kernels; "
        f"SetSuccess@{cutoff} asks for every document of one kernel."
        for cutoff in cutoffs
    ]


def _parts(names: object) -> Iterable[object]:
    return [names] if isinstance(names, str) else names if isinstance(names, Iterable) else ()


def cluster_remarks(panel: Panel) -> list[str]:
    """Note how many questions have no cluster, so that each is a cluster of its own."""
    alone = 0 if panel.cluster_names is None else panel.cluster_names.null_count()
    if not alone:
        return []
    return [f"{alone:,} of {len(panel.ids):,} questions have no cluster; each counts as a cluster of its own."]


def run_remarks(scored: Mapping[str, ScoredRun], *, foreign: Collection[str] = ()) -> list[str]:
    """Note what each run lacks, which of its questions are ignored, and how much of its order is by document id.

    foreign: runs with a note already that none of their documents is judged.
    """
    remarks = []
    for name, run in scored.items():
        missing = int(np.count_nonzero(run.matched.missing))
        if missing:
            rule = "left out (queries both)" if run.rules.queries == "both" else "counted 0"
            remarks.append(f"{name}: {counted(missing, 'judged question')} missing from the run, {rule}.")
        if run.not_judged:
            remarks.append(f"{name}: {counted(run.not_judged, 'question')} of the run not judged, ignored.")
        if run.identical:
            results = counted(run.identical, "result was", "results were")
            remarks.append(
                f"{name}: {results} dropped because the document has the id of its question, as in BEIR "
                "(--no-ignore-identical-ids keeps them)."
            )
        if name not in foreign and run.matched.ranks.retrieved.any() and not run.has_judged_hit:
            remarks.append(f"{name}: none of its results is judged, so it scores 0; the judgments may not cover it.")
        elif name not in foreign and (blind := run.questions_without_judged_hit):
            scored_0 = counted(blind, "question scores 0", "questions score 0")
            remarks.append(
                f"{name}: {scored_0} because no result is judged, also on judged documents only; "
                "goldproof mine --extend judges more."
            )
        if run.matched.tied_share:
            tied = share(run.matched.tied_share)
            remarks.append(
                f"{name}: {tied} of results tie on score and are ranked by document id; distinct scores would keep the "
                "run's own order."
            )
    return remarks


def left_out_remarks(left_out: Collection[str], planned: Design, *, compared: Design) -> list[str]:
    """Note runs that are not compared because their baseline was left out."""
    alone = {pair.a for pair in planned.pairs if pair.b in left_out} - {run for pair in compared.pairs for run in pair}
    alone -= set(left_out)
    if not alone:
        return []
    names = " and ".join(sorted(alone))
    return [f"{names}: not compared, since the baseline was left out; name another with --baseline."]


def completeness_remarks(scored: Mapping[str, ScoredRun], metrics: Iterable[Metric]) -> list[str]:
    """Note that the check on judged documents cannot compare ranks where each question has only one."""
    runs = list(scored.values())
    ranked = any("judged_only" in METRICS.get(metric.family).shape.params for metric in metrics)
    if len(runs) < 2 or not ranked or runs[0].rules.unjudged == "ignore":
        return []
    judged = np.bincount(runs[0].matched.ranks.judged_question, minlength=1)
    if judged.max() != 1 or 2 * np.count_nonzero(judged) < runs[0].matched.ranks.questions:
        return []
    if not any(unjudged(run.matched).any() for run in runs):
        return []
    remark = (
        "Each judged question has only one judged document: the check on judged documents sees whether it was found, "
        "not how high. If no other document is relevant, turn the check off with --unjudged ignore."
    )
    return [remark]
