"""Labels from a judge that grades 0 to 4; what they would cost.

A label of the judge never replaces another one: it is looked up the way labels beside the trace are, and fills gaps.

`llm:MODEL` is asked on that scale unless its spec names another. There is no rule that turns a yes, or a grade of
another scale, into a gain: such judges are refused.

Traces are read twice: first to find what nobody labelled, then, when the judge has spoken, to be scored. A label of the
judge never replaces another one: it is looked up the way labels beside the trace are, and fills gaps. What the judge
cannot say (failed, abstained, unsupported) stays unlabelled and is counted with its reason; it is never a 0.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import polars as pl

from goldproof.errors import InputError
from goldproof.io.datasets.labels import Labels, labels_from_object
from goldproof.jobs.trace.inputs import Scoring, as_sources
from goldproof.jobs.trace.system_counts import labelled_gains
from goldproof.jobs.trace.unlabelled import GivenLabels, TextColumns, Unlabelled
from goldproof.judge import GRADES_4, open_judge
from goldproof.judge.batch import Brief, estimate_briefs, judge_briefs
from goldproof.llm.access import current_access
from goldproof.plugins import split_options
from goldproof.records.entities import Document, Question
from goldproof.records.traces import UNLABELLED

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    import numpy.typing as npt

    from goldproof.jobs.trace.inputs import GivenRules, TraceSource
    from goldproof.jobs.trace.unlabelled import Item
    from goldproof.judge import Judge, Ruling
    from goldproof.llm.access import Access
    from goldproof.llm.model import Estimate
    from goldproof.records.arrays import BoolArray
    from goldproof.records.traces import TraceTable

_CLASHES = "clashes"
_LEFT = "conversations left without a label"


@dataclass(frozen=True, eq=False)
class JudgedLabels:
    """Labels of a judge.

    grades: key of a text -> gain. failures: why texts have none, with how often; examples: the first reason given for
    each. met: what was come across while filling.
    """

    judge: str
    found: Unlabelled
    grades: Mapping[str, int]
    failures: Mapping[str, int] = field(default_factory=dict)
    examples: Mapping[str, str] = field(default_factory=dict)
    met: Counter[str] = field(default_factory=Counter)

    @cached_property
    def labels(self) -> Labels:
        """The labels of results that have a name."""
        rows = [
            (question, name, self.grades[key])
            for (question, name), key in self.found.named.items()
            if key in self.grades
        ]
        schema = {"question": pl.String, "document": pl.String, "gain": pl.Int8}
        return Labels(pl.DataFrame(rows, schema=schema, orient="row"))

    def fill(self, table: TraceTable, gains: npt.NDArray[np.int8], *, judged: BoolArray) -> npt.NDArray[np.int8]:
        """Return the gains with the judge's where there was none; judged: the conversations that labels judge."""
        blank, own = gains == UNLABELLED, self.labels.gains_for(table)
        self.met[_CLASHES] += int(np.count_nonzero(~blank & (own != UNLABELLED) & (own != gains)))
        filled = np.where(blank, own, gains)
        if self.found.nameless:
            rows = TextColumns(table)
            for row in np.flatnonzero(blank & rows.nameless & rows.has_text).tolist():
                text = rows.text(row)
                filled[row] = UNLABELLED if text is None else self.grades.get(text.key, UNLABELLED)
        self.met[_LEFT] += int(np.count_nonzero(~judged & self.labels.judges(table) & _unlabelled(table, filled)))
        return filled

    def remarks(self) -> list[str]:
        """Say what the judge did, and what it left."""
        known = (
            f"{self.found.groups:,} distinct results without a label, {len(self.found.items):,} different ones judged"
        )
        return [
            f"judge {self.judge}: {known}, {len(self.grades):,} labelled.",
            *self._nameless(),
            *(f"judge: {n:,} left unlabelled: {why}{self._example(why)}." for why, n in self._left().items()),
            *self._clashes(),
            *self._left_conversations(),
        ]

    def facts(self) -> dict[str, object]:
        """Return the same for `summary.json`."""
        return {
            "key": self.judge,
            "results_without_label": self.found.groups,
            "judged": len(self.found.items),
            "labelled": len(self.grades),
            "left_unlabelled": self._left(),
        }

    def _left(self) -> dict[str, int]:
        return {why: n for why, n in {**self.found.left, **self.failures}.items() if n}

    def _example(self, why: str) -> str:
        example = self.examples.get(why, "").rstrip(".")
        return f" (the first: {example})" if example else ""

    def _nameless(self) -> list[str]:
        n = sum(key in self.grades for key in self.found.nameless)
        if not n:
            return []
        again = "to repeat them ask the same judge again, whose answers are kept"
        return [f"judge: {n:,} labels are for results without id and URL, which labels.jsonl cannot name; {again}."]

    def _clashes(self) -> list[str]:
        n = self.met[_CLASHES]
        if not n:
            return []
        clash = f"judge: {n:,} labelled results were also met without their label, and judged otherwise"
        return [f"{clash}: their own label counts; with --qrels labels.jsonl the judge's would."]

    def _left_conversations(self) -> list[str]:
        n = self.met[_LEFT]
        if not n:
            return []
        left = f"judge: {n:,} conversation{'s' * (n != 1)} without any label, though others of the question have some"
        return [f"{left}: gains undefined; with --qrels labels.jsonl, which judges the question, they are 0."]


def _unlabelled(table: TraceTable, gains: npt.NDArray[np.int8]) -> BoolArray:
    """Return which conversations have results, but none with a label."""
    starts = table.results_by_conversation
    labelled = np.concatenate([[0], np.cumsum(gains != UNLABELLED)])
    blank: BoolArray = (np.diff(starts) > 0) & (np.diff(labelled[starts]) == 0)
    return blank


def open_grading_judge(spec: object, *, access: Access | None = None) -> Judge:
    """Open a judge that grades from 0 to 4."""
    judge = open_judge(_graded(spec) if isinstance(spec, str) else spec, access=access)
    if judge.scale.name != GRADES_4.name:
        raise InputError(
            f"--judge {judge.key}: judges on the scale {judge.scale.name}, and no rule makes gains of 0 to 4 of that. "
            "Take llm:MODEL, or a judge of your own with scale 0-4."
        )
    return judge


def _graded(spec: str) -> str:
    """Ask models on the scale of gains, where the spec does not say which."""
    written = spec.strip()
    if not written.startswith("llm:"):
        return written
    options = split_options(written).options
    if "scale" in options:
        return written
    return f"{written}{',' if options else '#'}scale={GRADES_4.name}"


@dataclass(frozen=True, slots=True, eq=False)
class Judging:
    """A judge, and what it is to label. given: the labels beside the traces that match."""

    judge: Judge
    access: Access
    found: Unlabelled = field(default_factory=Unlabelled)
    given: GivenLabels = field(default_factory=GivenLabels)

    def estimate(self) -> Estimate:
        """Return what the labels would cost."""
        return estimate_briefs(self.judge, _briefs(self.found.items.values()))

    def hold(self, *, watch: Callable[[int, int], None] | None = None) -> JudgedLabels:
        """Have the judge label every text once. watch: called with how many are done, and how many there are."""
        rulings = judge_briefs(self.judge, _briefs(self.found.items.values()), watch=watch)
        return _judged(self.judge.key, self.found, dict(zip(self.found.items, rulings, strict=True)))


def open_judging(
    spec: object, sources: Mapping[str, TraceSource], *, labels: Labels | None, scoring: Scoring
) -> Judging:
    """Open the judge, and read all traces for what has no label; labels: beside the traces."""
    access = current_access()
    judging = Judging(open_grading_judge(spec, access=access), access)
    for source in sources.values():
        for table in source.tables():
            judging.found.add(table, labelled_gains(table, labels).gains, scoring=scoring)
            judging.given.add(table, labels)
    return judging


def _judged(judge: str, found: Unlabelled, rulings: Mapping[str, Ruling]) -> JudgedLabels:
    grades: dict[str, int] = {}
    failures: Counter[str] = Counter()
    examples: dict[str, str] = {}
    for key, ruling in rulings.items():
        if ruling.sufficient is not None and ruling.grade is not None:
            grades[key] = ruling.grade
            continue
        why = f"{ruling.label} ruling" if ruling.sufficient is None else "ruling without a grade"
        failures[why] += 1
        if ruling.reason:
            examples.setdefault(why, ruling.reason)
    return JudgedLabels(judge, found, grades, failures, examples)


def _briefs(items: Iterable[Item]) -> list[Brief]:
    return [
        Brief(Question(item.question, item.text.question), (Document(item.name, item.text.snippet, item.text.title),))
        for item in items
    ]


class LabellingPlan(NamedTuple):
    """What a judge would be asked. unlabelled: distinct results without a label; judged: those that differ."""

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
    """Read the traces for what has no label; parameters as in `score_traces`."""
    scoring = Scoring.named(threshold=1, dedup=dedup, rules=rules, near_duplicates=near_duplicates)
    beside = None if labels is None else labels_from_object(labels)
    judging = open_judging(judge, as_sources(None, systems, skip_bad=skip_bad), labels=beside, scoring=scoring)
    found = judging.found
    left = {why: n for why, n in found.left.items() if n}
    return LabellingPlan(judging.judge.key, found.groups, len(found.items), left, judging.estimate())
