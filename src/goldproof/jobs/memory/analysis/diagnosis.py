"""`analyse()`: why each failed query failed.

Nothing is claimed that is not known: of a system other than Goldproof's own only what it returned is seen, and the
reference rankings say how hard the wording is, not what the system did. At most MOST queries are analysed in a run, the
first ones; the others are listed as not analysed. A query on which the system failed, or of which nobody knows what
came, has its reason and nothing else.
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

    from goldproof.jobs.memory.analysis.deeper_search import DeeperSearch, StageRank
    from goldproof.jobs.memory.analysis.findings import Advice, ReturnedItem
    from goldproof.jobs.memory.analysis.reasons import Reason
    from goldproof.jobs.memory.analysis.reference_ranks import References
    from goldproof.jobs.memory.records import ScoredQuery

MOST = 200
# A floor brings nothing back: it is of no use where only these are missed.
_NEED_MORE = ("recall", "set_success")


def analyse(rows: Sequence[ScoredQuery], *, system: object) -> tuple[Diagnosis, ...]:
    """Return a diagnosis for every query that did not pass, in the order of rows.

    system: what was asked; Goldproof's own memory, known by its `pipeline`, is searched again, any other is left alone.
    """
    unmet = [row for row in rows if not row.passed]
    chosen = [row for row in unmet if row.outcome is not None][:MOST]
    keys = {row.key for row in chosen}
    references = reference_ranks([row.answered for row in chosen])
    own = open_deeper_search(system)
    study = _Study(references, own)
    with nullcontext() if own is None else closing(own):
        return tuple(study.diagnosis(row) if row.key in keys else _bare(row) for row in unmet)


def _bare(row: ScoredQuery) -> Diagnosis:
    """Return what is known without looking closer."""
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
        remarks=_not_known(row) if row.outcome is None and not row.failed else (),
    )


def _missed(row: ScoredQuery) -> tuple[MissedCriterion, ...]:
    """Return the criteria that do not hold; where none could be tried, all of them."""
    untried = all(one.holds is None for one in row.tried)
    return tuple(MissedCriterion(str(one.criterion), one.value) for one in row.tried if one.holds is False or untried)


def _not_known(row: ScoredQuery) -> tuple[str, ...]:
    """Say why nobody knows whether a query passes."""
    if row.undecided is None:
        return ()
    return (f"Whether it passes is not known: {row.undecided.reason.rstrip('.')}.",)


@dataclass(frozen=True, slots=True)
class _Case:
    """One query under study: what came, the measures that missed, where the expected are in Goldproof's own memory."""

    row: ScoredQuery
    items: tuple[ReturnedItem, ...]
    measures: frozenset[str]
    standings: Mapping[str, StageRank] | None


class _Study:
    """What all diagnoses of a run share."""

    def __init__(self, references: References, own: DeeperSearch | None) -> None:
        self._references = references
        self._own = own

    def diagnosis(self, row: ScoredQuery) -> Diagnosis:
        measures = frozenset(one.criterion.measure for one in row.tried if one.holds is False)
        standings = None if self._own is None else self._own.standings(row.answered)
        case = _Case(row, returned_items(row), measures, standings)
        findings = [self._finding(case, memory) for memory in row.answered.query.expected]
        intruders = intruders_of(row.answered, case.items, self._references.of(row.key))
        whole = self._as_a_whole(case)
        advice = [one for finding in findings for one in finding.advice]
        return replace(
            _bare(row),
            analysed=True,
            expected=tuple(finding.finding for finding in findings),
            intruders=intruders.found,
            unexpected=intruders.in_all,
            remarks=whole.remarks,
            remedies=unique_advice([*advice, *intruders.advice, *whole.advice]),
            no_dense=self._references.why_no_dense(row.key),
        )

    def _finding(self, case: _Case, memory: str) -> _Found:
        answered = case.row.answered
        item = memories_by_id(answered)[memory]
        late = not case.measures.isdisjoint(LATE_MEASURES)
        standing = None if case.standings is None else case.standings.get(memory)
        reason = reason_of(ExpectedMemory(item, answered, case.items, standing), late_counts=late)
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
        return _Found(finding, (*reason.advice, *wording.advice))

    def _wording(self, case: _Case, memory: str, reason: Reason) -> Wording:
        ranks = self._references.of(case.row.key)
        return wording_of(
            MissingMemory(
                memory,
                ranks.get(memory, Ranks()),
                k=case.row.answered.k,
                ranked=len(ranks),
                kind="unknown" if self._own is None else self._own.kind,
                own_rank=reason.own_rank,
                besides=reason.besides,
                reranked=reason.unasked,
                no_dense=self._references.why_no_dense(case.row.key),
            )
        )

    def _as_a_whole(self, case: _Case) -> _Whole:
        """Say what concerns no single memory: floors, the first place, the order of time."""
        answered, outcome = case.row.answered, case.row.outcome
        remarks: list[str] = []
        advice: list[Advice] = []
        if case.row.undecided is not None:
            remarks += _not_known(case.row)
        elif not case.row.tried or all(one.holds is None for one in case.row.tried):
            remarks.append("No criterion could be tried: every measure asked for is undefined for this query.")
        similarities = similarities_of(case.items, self._references.of(case.row.key))
        if not answered.query.expected:
            verdict = silence_verdict(case.items, similarities)
        elif case.measures.issubset(_NEED_MORE):
            verdict = Observation()
        else:
            verdict = floor_verdict(case.items, similarities)
        advice += verdict.advice
        if "Hit@1" in case.measures:
            first = not_first(answered, case.items, similarities)
            remarks.append(first.remark)
            advice += first.advice
        remarks.append(verdict.remark)
        if "ordering" in case.measures and outcome is not None:
            sequence = out_of_order(answered, case.items, order=outcome.order)
            remarks.append(sequence.remark)
            advice += sequence.advice
        return _Whole(tuple(remark for remark in remarks if remark), tuple(advice))


class _Found(NamedTuple):
    finding: ExpectedFinding
    advice: tuple[Advice, ...]


class _Whole(NamedTuple):
    remarks: tuple[str, ...]
    advice: tuple[Advice, ...]
