"""`analyse()`: why each query that did not pass failed.

Nothing is claimed that is not known: of a system other than Goldproof's own only the returned items are seen, and the
reference rankings say how hard the wording is, not what the system did. At most MOST queries of a run are analysed, the
first ones; the others are listed as not analysed. A query on which the system failed, or whose items could not be
matched, has its reason and nothing else.
"""

from __future__ import annotations

from contextlib import closing, nullcontext
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from goldproof.jobs.memory.analysis.deeper_search import open_deeper_search
from goldproof.jobs.memory.analysis.findings import (
    Diagnosis,
    ExpectedFinding,
    MissedCriterion,
    memories_by_id,
    one_line,
    place_of,
    returned_items,
    unique_advice,
)
from goldproof.jobs.memory.analysis.reasons import LATE_MEASURES, ExpectedMemory, reason_of
from goldproof.jobs.memory.analysis.reference_ranks import MissingMemory, Ranks, Wording, reference_ranks, wording_of
from goldproof.jobs.memory.analysis.returned import (
    Observation,
    floor_verdict,
    intruders_of,
    not_first,
    out_of_order,
    silence_verdict,
    similarities_of,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from goldproof.jobs.memory.analysis.deeper_search import DeeperSearch, StageRank, SystemKind
    from goldproof.jobs.memory.analysis.findings import Advice, ReturnedItem
    from goldproof.jobs.memory.analysis.reasons import Reason
    from goldproof.jobs.memory.analysis.reference_ranks import References
    from goldproof.jobs.memory.records import ScoredQuery

MOST = 200
# Where only these are missed a floor does not help: it brings no memory back.
_NEED_MORE = ("recall", "set_success")


def analyse(rows: Sequence[ScoredQuery], *, system: object) -> tuple[Diagnosis, ...]:
    """Return a diagnosis for every query that did not pass, in the order of rows.

    system: the system that was asked; Goldproof's own memory, known by its `pipeline`, is searched again, any other is
    left alone.
    """
    unpassed = [row for row in rows if not row.passed]
    chosen = [row for row in unpassed if row.outcome is not None][:MOST]
    keys = {row.key for row in chosen}
    references = reference_ranks([row.answered for row in chosen])
    deeper = open_deeper_search(system)
    analysis = _Analysis(references, deeper, takes=getattr(system, "takes", None))
    with nullcontext() if deeper is None else closing(deeper):
        return tuple(analysis.diagnosis(row) if row.key in keys else _basic_diagnosis(row) for row in unpassed)


def _basic_diagnosis(row: ScoredQuery) -> Diagnosis:
    """Return what the scores alone say: the criteria that were missed."""
    answered = row.answered
    return Diagnosis(
        key=row.key,
        scenario=answered.scenario.id,
        query=answered.query.text,
        kind=answered.query.kind,
        k=answered.k,
        pool=len(answered.pool),
        came=len(answered.hits),
        error=answered.error,
        analysed=row.outcome is None,
        missed=_missed(row),
        remarks=_undecided(row) if row.outcome is None and not row.failed else (),
    )


def _missed(row: ScoredQuery) -> tuple[MissedCriterion, ...]:
    """Return the criteria that do not hold; where none could be tried, all of them."""
    untried = all(result.holds is None for result in row.tried)
    missed = [result for result in row.tried if result.holds is False or untried]
    return tuple(MissedCriterion(str(result.criterion), result.value) for result in missed)


def _undecided(row: ScoredQuery) -> tuple[str, ...]:
    """Say why it is not known whether a query passes, where a judge left that open."""
    if row.undecided is None:
        return ()
    return (f"Undecided: {row.undecided.reason.rstrip('.')}.",)


@dataclass(frozen=True, slots=True)
class _Case:
    """One query under analysis.

    measures: those of the missed criteria. stage_ranks: where Goldproof's own memory ranks the expected memories.
    """

    row: ScoredQuery
    items: tuple[ReturnedItem, ...]
    measures: frozenset[str]
    stage_ranks: Mapping[str, StageRank] | None


class _Finding(NamedTuple):
    finding: ExpectedFinding
    advice: tuple[Advice, ...]


class _QueryRemarks(NamedTuple):
    remarks: tuple[str, ...]
    advice: tuple[Advice, ...]


class _Analysis:
    """Diagnoses the queries of one run; they share the reference ranks and the deeper search.

    takes: what the methods of a memory of the user's take; None of any other system.
    """

    def __init__(self, references: References, deeper: DeeperSearch | None, *, takes: frozenset[str] | None) -> None:
        self._references = references
        self._deeper = deeper
        self._takes = takes

    @property
    def _kind(self) -> SystemKind:
        return "unknown" if self._deeper is None else self._deeper.kind

    def diagnosis(self, row: ScoredQuery) -> Diagnosis:
        """Diagnose one query: each expected memory, unexpected items, and the answer as a whole."""
        measures = frozenset(result.criterion.measure for result in row.tried if result.holds is False)
        stage_ranks = None if self._deeper is None else self._deeper.stage_ranks(row.answered)
        case = _Case(row, returned_items(row), measures, stage_ranks)
        findings = [self._finding(case, memory) for memory in row.answered.query.expected]
        intruders = intruders_of(row.answered, case.items, self._references.of(row.key), takes=self._takes)
        overall = self._query_remarks(case)
        advice = [piece for finding in findings for piece in finding.advice]
        return replace(
            _basic_diagnosis(row),
            analysed=True,
            expected=tuple(finding.finding for finding in findings),
            intruders=intruders.first,
            unexpected=intruders.in_all,
            remarks=overall.remarks,
            remedies=unique_advice([*advice, *intruders.advice, *overall.advice]),
            no_dense=self._references.why_no_dense(row.key),
        )

    def _finding(self, case: _Case, memory: str) -> _Finding:
        answered = case.row.answered
        item = memories_by_id(answered)[memory]
        late = not case.measures.isdisjoint(LATE_MEASURES)
        stage_rank = None if case.stage_ranks is None else case.stage_ranks.get(memory)
        reason = reason_of(ExpectedMemory(item, answered, case.items, stage_rank), late_counts=late)
        ranks = self._references.of(case.row.key).get(memory, Ranks())
        place = place_of(memory, case.items)
        wording = Wording() if place is not None or reason.code == "filtered" else self._wording(case, memory, reason)
        finding = ExpectedFinding(
            memory=memory,
            grade=answered.query.expected[memory],
            role=item.role,
            content=one_line(item.content),
            place=place,
            code=reason.code,
            reason=reason.sentence,
            own_rank=reason.own_rank,
            lexical=ranks.lexical,
            dense=ranks.dense,
            similarity=ranks.similarity,
            wording=wording.sentence,
        )
        return _Finding(finding, (*reason.advice, *wording.advice))

    def _wording(self, case: _Case, memory: str, reason: Reason) -> Wording:
        ranks = self._references.of(case.row.key)
        return wording_of(
            MissingMemory(
                memory,
                ranks.get(memory, Ranks()),
                k=case.row.answered.k,
                ranked=len(ranks),
                kind=self._kind,
                own_rank=reason.own_rank,
                besides=reason.besides,
                too_few=reason.code == "not returned",
                reranked=reason.unasked,
                no_dense=self._references.why_no_dense(case.row.key),
            )
        )

    def _query_remarks(self, case: _Case) -> _QueryRemarks:
        """Say what concerns no single memory: floors, the first place, the order of time."""
        answered, outcome = case.row.answered, case.row.outcome
        remarks: list[str] = []
        advice: list[Advice] = []
        if case.row.undecided is not None:
            remarks += _undecided(case.row)
        elif not case.row.tried or all(result.holds is None for result in case.row.tried):
            remarks.append("No criterion could be checked: every measure is undefined for this query.")
        similarities = similarities_of(case.items, self._references.of(case.row.key), kind=self._kind)
        if not answered.query.expected:
            floor = silence_verdict(case.items, similarities)
        elif case.measures.issubset(_NEED_MORE):
            floor = Observation()
        else:
            floor = floor_verdict(case.items, similarities)
        advice += floor.advice
        if "Hit@1" in case.measures:
            first = not_first(answered, case.items, similarities)
            remarks.append(first.remark)
            advice += first.advice
        remarks.append(floor.remark)
        if "ordering" in case.measures and outcome is not None:
            sequence = out_of_order(answered, case.items, order=outcome.order)
            remarks.append(sequence.remark)
            advice += sequence.advice
        return _QueryRemarks(tuple(remark for remark in remarks if remark), tuple(advice))
