"""The cut-off of the similarity judge, chosen on the labels there are.

Labels are those of people (`similarity#labels=FILE`); else the gold documents of the cases are relevant, and the other
candidates of the same questions are taken not to be. Chosen is the cut-off with the highest kappa, halfway to the next
lower similarity. Precision and recall are those on questions that did not choose it: five folds of whole questions,
each judged by the cut-off of the other four. With fewer than 10 labels of either kind nothing is chosen, and the
cut-off is said to be a guess. One that is given (`#least=0.5`) is never changed.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np

from goldproof.concurrency import run_in_loop
from goldproof.io import sha256_file
from goldproof.judge import HumanJudge, SimilarityJudge
from goldproof.judge.human_judge import read_annotations
from goldproof.plugins import split_options
from goldproof.report.numbers import share
from goldproof.stats.calibration import best_cut, cross_fitted, grouped_folds

if TYPE_CHECKING:
    from collections.abc import Mapping

    from goldproof.io.datasets.pair_labels import Pair
    from goldproof.jobs.mine.plan import MiningPlan

LEAST_LABELS = 10  # of either kind
_CRITERION: Final = "kappa"
_ADVICE = (
    "Have people grade some pairs (--candidates-only --sheet FILE.csv) and give --judge similarity#labels=FILE.csv, "
    "or set it yourself with similarity#least=0.5."
)


def choose_cut_off(plan: MiningPlan) -> MiningPlan:
    """Return the plan with the cut-off that the labels choose, and a remark on how; other judges as they are."""
    judge = plan.judge
    if not isinstance(judge, SimilarityJudge):
        return plan
    if not judge.is_guess:
        return replace(plan, cut_off={"value": judge.least, "chosen": "given"})
    if judge.labels is not None:
        plan = replace(plan, inputs={**plan.inputs, "labels": sha256_file(judge.labels)})
    labels, whose = _labels(plan, judge)
    scores = run_in_loop(_scores(plan, judge, list(labels)))
    relevant = sum(labels[pair] for pair in scores)
    counts = {"relevant": relevant, "not_relevant": len(scores) - relevant}
    if min(counts.values()) < LEAST_LABELS:
        few = f"{relevant} relevant and {len(scores) - relevant} other pairs ({whose}) are too few"
        why = f"{few}, {LEAST_LABELS} of each are needed" if labels else "there is no label to choose it by"
        return _guessed(plan, judge.least, why=why, **counts)
    return _chosen(plan, judge, scores=scores, labels=labels, whose=whose)


def _labels(plan: MiningPlan, judge: SimilarityJudge) -> tuple[dict[Pair, bool], str]:
    """Return the pairs with a label, whether each is relevant, and whose labels they are."""
    questions = {case.id for case in plan.cases}
    if judge.labels is not None:
        people = HumanJudge(read_annotations(judge.labels))
        known = (pair for pair in people.pairs if pair[0] in questions and pair[1] in plan.documents)
        rulings = {pair: people.ruling(pair).sufficient for pair in known}
        return {pair: yes for pair, yes in rulings.items() if yes is not None}, "people's labels"
    labels: dict[Pair, bool] = {}
    for case in plan.cases:
        gold = {candidate.document for candidate in plan.candidates[case.id] if "target" in candidate.sources}
        for candidate in plan.candidates[case.id] if gold else ():
            labels[case.id, candidate.document] = candidate.document in gold
    return labels, "gold documents of the cases against their other candidates"


async def _scores(plan: MiningPlan, judge: SimilarityJudge, pairs: list[Pair]) -> dict[Pair, float]:
    questions = {case.id: case.question for case in plan.cases}
    scores: dict[Pair, float] = {}
    for pair in pairs:  # one after the other, as embedders are asked
        ruling = await judge.judge(questions[pair[0]], (plan.documents[pair[1]],))
        if ruling.score is not None:
            scores[pair] = ruling.score
    return scores


def _chosen(
    plan: MiningPlan, judge: SimilarityJudge, *, scores: Mapping[Pair, float], labels: Mapping[Pair, bool], whose: str
) -> MiningPlan:
    x, y = np.array(list(scores.values())), np.array([float(labels[pair]) for pair in scores])
    cut = best_cut(x, y, criterion=_CRITERION)
    if cut is None:
        return _guessed(plan, judge.least, why="all labelled pairs are equally similar")
    least = _between(float(max(x[x < cut.at], default=cut.at - 1e-4)), cut.at)
    folds = grouped_folds([pair[0] for pair in scores], seed=plan.recipe.seed)
    fitted = cross_fitted(x, y, folds=folds, criterion=_CRITERION)
    yes, truth = fitted.verdicts[fitted.decided], y[fitted.decided] == 1
    precision = float(truth[yes].mean()) if yes.any() else None
    recall = float(yes[truth].mean()) if truth.any() else None
    cut_off = {
        "value": least,
        "chosen": whose,
        "criterion": _CRITERION,
        "relevant": int(y.sum()),
        "not_relevant": int(y.size - y.sum()),
        "precision": precision,
        "recall": recall,
        "kappa": fitted.value,
    }
    remark = (
        f"similarity: the cut-off {least:g} was chosen on {y.size:,} labels, {int(y.sum()):,} of them relevant "
        f"({whose}). On questions that did not choose it: precision {share(precision)}, recall {share(recall)}."
    )
    text, _ = split_options(plan.judge_spec or "similarity")
    spec = None if plan.judge_spec is None else f"{text}#least={least!r}"
    chosen = judge.with_least(least)
    return replace(plan, judge=chosen, judge_spec=spec, cut_off=cut_off, remarks=(*plan.remarks, remark))


def _guessed(plan: MiningPlan, least: float, *, why: str, **counts: int) -> MiningPlan:
    remark = f"similarity: the cut-off {least:g} is a guess: {why}. {_ADVICE}"
    return replace(plan, cut_off={"value": least, "chosen": "guess", **counts}, remarks=(*plan.remarks, remark))


def _between(below: float, at: float) -> float:
    """Return a number from `below` on and less than `at`, short where it can be: a yes is a score above it."""
    middle = (below + at) / 2
    short = round(middle, 4)
    return short if below <= short < at else middle
