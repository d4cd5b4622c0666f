"""`goldproof trace --judge`: labels from a judge for what has none.

Traces are read twice: first to find what nobody labelled, then, when the judge has spoken, to be scored. A label of the
judge never replaces another one: it is looked up the way labels beside the trace are, and fills gaps. What the judge
cannot say (failed, abstained, unsupported) stays unlabelled and is counted with its reason; it is never a 0.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from goldproof.jobs.trace.grading_judge import open_grading_judge
from goldproof.jobs.trace.judged_labels import JudgedLabels
from goldproof.jobs.trace.marked_table import labelled_gains
from goldproof.jobs.trace.unlabelled import Unlabelled
from goldproof.jobs.trace.written_labels import GivenLabels
from goldproof.judge.batch import Brief, estimate_briefs, judge_briefs
from goldproof.llm.access import current_access
from goldproof.records.entities import Document, Question

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from goldproof.io.datasets.labels import Labels
    from goldproof.jobs.trace.scoring import Scoring
    from goldproof.jobs.trace.sources import TraceSource
    from goldproof.jobs.trace.unlabelled import Item
    from goldproof.judge import Judge, Ruling
    from goldproof.llm.access import Access
    from goldproof.llm.model import Estimate


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
