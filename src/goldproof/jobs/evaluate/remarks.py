"""What was passed over on the way to a score, in sentences: nothing may be left out in silence."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from goldproof.metrics import METRICS, unjudged
from goldproof.report.numbers import share

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from goldproof.jobs.evaluate.judgments import Judgments
    from goldproof.jobs.evaluate.scoring import ScoredRun
    from goldproof.metrics import Metric
    from goldproof.study import Design, Panel

_SUCCESS = re.compile(r"\bSuccess\s*(?:\([^()]*\))?\s*@\s*(\d+)")


def exclusion_remarks(judgments: Judgments, exclude: frozenset[str]) -> list[str]:
    """Say how many questions were excluded, and how many ids name none."""
    if not exclude:
        return []
    known = len(exclude & judgments.questions)
    unknown = sorted(exclude - judgments.questions)
    remarks = [f"{_questions(known)} excluded."]
    if unknown:
        remarks.append(f"{len(unknown)} of the excluded ids name no judged question (the first: {unknown[0]!r}).")
    return remarks


def success_remarks(judgments: Judgments, asked: Iterable[object]) -> list[str]:
    """Say what Success@K means here, where kernels make another meaning likely; asked: what a user typed."""
    words = [str(part) for given in asked for part in _parts(given)]
    cutoffs = dict.fromkeys(cutoff for word in words for cutoff in _SUCCESS.findall(word))
    if not cutoffs or not judgments.kernels:
        return []
    return [
        f"Success@{cutoff} is read as Hit@{cutoff}: one relevant document is enough. "
        f"{_questions(len(judgments.kernels))} {'has' if len(judgments.kernels) == 1 else 'have'} kernels; "
        f"SetSuccess@{cutoff} asks for every document of one kernel."
        for cutoff in cutoffs
    ]


def _parts(given: object) -> Iterable[object]:
    return [given] if isinstance(given, str) else given if isinstance(given, Iterable) else ()


def cluster_remarks(panel: Panel) -> list[str]:
    """Say how many questions stand alone because nobody gave them a cluster."""
    alone = 0 if panel.cluster_names is None else panel.cluster_names.null_count()
    if not alone:
        return []
    return [f"{alone} of {len(panel.ids)} questions have no cluster, so each is one of its own."]


def run_remarks(scored: Mapping[str, ScoredRun], *, foreign: Collection[str] = ()) -> list[str]:
    """Say what each run lacks, what of it is ignored, and how much of its order is by document id.

    foreign: runs of which a note says already that none of their documents is judged.
    """
    remarks = []
    for run, one in scored.items():
        missing = int(np.count_nonzero(one.matched.missing))
        if missing:
            rule = "left out (queries both)" if one.rules.queries == "both" else "counted 0"
            remarks.append(f"{run}: {_questions(missing, 'judged ')} missing from the run, {rule}.")
        if one.not_judged:
            remarks.append(f"{run}: {_questions(one.not_judged)} of the run not judged, ignored.")
        if one.identical:
            results = "1 result was" if one.identical == 1 else f"{one.identical:,} results were"
            remarks.append(
                f"{run}: {results} dropped because the document has the id of its question, as in BEIR "
                "(--no-ignore-identical-ids keeps them)."
            )
        if run not in foreign and one.matched.ranks.retrieved.any() and not one.has_judged_hit:
            remarks.append(f"{run}: none of its results is judged.")
        elif run not in foreign and (blind := one.questions_without_judged_hit):
            remarks.append(
                f"{run}: in {_questions(blind)} none of its results is judged; such a question counts 0, also on "
                "judged documents only."
            )
        if one.matched.tied_share:
            tied = share(one.matched.tied_share)
            remarks.append(f"{run}: {tied} of results share their score; ordered by document id.")
    return remarks


def left_out_remarks(left_out: Collection[str], planned: Design, *, compared: Design) -> list[str]:
    """Say that runs are not compared because the run they were to be compared with was left out."""
    alone = {pair.a for pair in planned.pairs if pair.b in left_out} - {run for pair in compared.pairs for run in pair}
    alone -= set(left_out)
    if not alone:
        return []
    names = " and ".join(sorted(alone))
    return [f"{names}: not compared, since the baseline was left out; name another with --baseline."]


def completeness_remarks(scored: Mapping[str, ScoredRun], metrics: Iterable[Metric]) -> list[str]:
    """Say that one judged document per question leaves no order to compare on the judged documents alone."""
    runs = list(scored.values())
    ranked = any("judged_only" in METRICS.get(metric.family).shape.params for metric in metrics)
    if len(runs) < 2 or not ranked or runs[0].rules.unjudged == "ignore":
        return []
    judged = np.bincount(runs[0].matched.ranks.judged_question, minlength=1)
    if judged.max() != 1 or 2 * np.count_nonzero(judged) < runs[0].matched.ranks.questions:
        return []
    if not any(unjudged(one.matched).any() for one in runs):
        return []
    remark = (
        "Each judged question has one judged document: judged documents alone show whether it was found, not how high. "
        "If nothing else is relevant, say so with --unjudged ignore."
    )
    return [remark]


def _questions(n: int, kind: str = "") -> str:
    return f"{n:,} {kind}question{'s' * (n != 1)}"
