"""Labels from a judge that grades 0 to 4, and an estimate of their cost.

Traces are read twice: first for results without a label (`unlabelled`), then, when the judge has labelled them, to be
scored. A label of the judge never replaces another one: it is looked up the way labels beside the trace are, and fills
gaps. What the judge cannot grade (failed, abstained, unsupported) stays unlabelled and is counted with its reason; it
is never a 0.

`llm:MODEL` is asked on the scale 0 to 4 unless its spec names another. No rule turns a yes, or a grade of another
scale, into a gain: such judges are refused.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import polars as pl

from goldproof.errors import InputError
from goldproof.io import Labels, labels_from_object
from goldproof.jobs.trace.inputs import Scoring, as_sources
from goldproof.jobs.trace.unlabelled import TextColumns, find_unlabelled
from goldproof.judge import GRADES_4, open_judge
from goldproof.judge.batch import Brief, estimate_briefs, judge_briefs
from goldproof.llm import current_access
from goldproof.plugins import split_options
from goldproof.progress import OnProgress, ignore
from goldproof.records.entities import Document, Question
from goldproof.records.traces import UNLABELLED

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy.typing as npt

    from goldproof.jobs.trace.inputs import GivenRules
    from goldproof.jobs.trace.unlabelled import Unlabelled
    from goldproof.judge import Judge
    from goldproof.llm import Access, Estimate
    from goldproof.records.arrays import BoolArray
    from goldproof.records.traces import TraceTable


@dataclass(frozen=True, eq=False)
class JudgedLabels:
    """Labels of a judge for unlabelled results.

    judge: its key. grades: key of a text -> gain. failures: why texts have no grade -> how many; examples: the first
    reason of each.
    """

    judge: str
    unlabelled: Unlabelled
    grades: Mapping[str, int]
    failures: Mapping[str, int] = field(default_factory=dict)
    examples: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def labels(self) -> Labels:
        """The labels of results that have a name."""
        rows = [
            (question, name, self.grades[key])
            for (question, name), key in self.unlabelled.named.items()
            if key in self.grades
        ]
        schema = {"question": pl.String, "document": pl.String, "gain": pl.Int8}
        return Labels(pl.DataFrame(rows, schema=schema, orient="row"))

    def fill(self, table: TraceTable, gains: npt.NDArray[np.int8], *, judged: BoolArray) -> FilledGains:
        """Return the gains with the judge's where there was none; judged: the conversations that labels judge."""
        blank, own = gains == UNLABELLED, self.labels.gains_for(table)
        clashes = int(np.count_nonzero(~blank & (own != UNLABELLED) & (own != gains)))
        filled = np.where(blank, own, gains)
        if self.unlabelled.nameless:
            rows = TextColumns(table)
            for row in np.flatnonzero(blank & rows.nameless & rows.has_text).tolist():
                text = rows.text(row)
                filled[row] = UNLABELLED if text is None else self.grades.get(text.key, UNLABELLED)
        unanswered = int(np.count_nonzero(~judged & self.labels.judges(table) & _unlabelled(table, filled)))
        return FilledGains(filled, clashes, unanswered)


class FilledGains(NamedTuple):
    """Gains with those of a judge where there was none.

    clashes: labelled results that the judge graded otherwise. unanswered: conversations still without a label although
    the judge labelled results of their question.
    """

    gains: npt.NDArray[np.int8]
    clashes: int
    unanswered: int


def _unlabelled(table: TraceTable, gains: npt.NDArray[np.int8]) -> BoolArray:
    """Return the conversations that have results, but none with a label."""
    starts = table.results_by_conversation
    labelled = np.concatenate([[0], np.cumsum(gains != UNLABELLED)])
    blank: BoolArray = (np.diff(starts) > 0) & (np.diff(labelled[starts]) == 0)
    return blank


def open_grading_judge(spec: object, *, access: Access | None = None) -> Judge:
    """Open a judge that grades from 0 to 4."""
    judge = open_judge(_graded(spec) if isinstance(spec, str) else spec, access=access)
    if judge.scale.name != GRADES_4.name:
        raise InputError(
            f"--judge {judge.key} judges on the scale {judge.scale.name}, but gains need grades from 0 to 4. "
            "Use llm:MODEL, or a judge of your own with scale 0-4."
        )
    return judge


def _graded(spec: str) -> str:
    """Return the spec with the scale 0 to 4, where it is of a model and names no scale."""
    spec = spec.strip()
    if not spec.startswith("llm:"):
        return spec
    options = split_options(spec).options
    if "scale" in options:
        return spec
    return f"{spec}{',' if options else '#'}scale={GRADES_4.name}"


def label_results(judge: Judge, unlabelled: Unlabelled, *, on_progress: OnProgress = ignore) -> JudgedLabels:
    """Have the judge grade every text once."""
    rulings = judge_briefs(judge, _briefs(unlabelled), on_progress=on_progress)
    grades: dict[str, int] = {}
    failures: Counter[str] = Counter()
    examples: dict[str, str] = {}
    for key, ruling in zip(unlabelled.items, rulings, strict=True):
        if ruling.sufficient is not None and ruling.grade is not None:
            grades[key] = ruling.grade
            continue
        why = f"{ruling.label} ruling" if ruling.sufficient is None else "ruling without a grade"
        failures[why] += 1
        if ruling.reason:
            examples.setdefault(why, ruling.reason)
    return JudgedLabels(judge.key, unlabelled, grades, failures, examples)


def _briefs(unlabelled: Unlabelled) -> list[Brief]:
    return [
        Brief(Question(item.question, item.text.question), (Document(item.name, item.text.snippet, item.text.title),))
        for item in unlabelled.items.values()
    ]


class LabellingPlan(NamedTuple):
    """What a judge would be asked, and its cost.

    unlabelled: distinct results without a label; judged: distinct texts among them; left: those that cannot be judged,
    by reason.
    """

    judge: str
    unlabelled: int
    judged: int
    left: Mapping[str, int]
    estimate: Estimate


def plan_labels(
    judge: object,
    *,
    systems: Mapping[str, object],
    labels: object = None,
    dedup: str = "full",
    rules: GivenRules = None,
    near_duplicates: float | None = None,
    skip_bad: bool = False,
) -> LabellingPlan:
    """Read the traces for results without a label and estimate the judge's cost; parameters as in `score_traces`."""
    scoring = Scoring.named(threshold=1, dedup=dedup, rules=rules, near_duplicates=near_duplicates)
    beside = None if labels is None else labels_from_object(labels)
    sources = as_sources(None, systems, skip_bad=skip_bad)
    grader = open_grading_judge(judge, access=current_access())
    unlabelled = find_unlabelled(sources.values(), labels=beside, scoring=scoring)
    left = {why: n for why, n in unlabelled.left.items() if n}
    estimate = estimate_briefs(grader, _briefs(unlabelled))
    return LabellingPlan(grader.key, unlabelled.groups, len(unlabelled.items), left, estimate)
