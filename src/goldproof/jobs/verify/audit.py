"""Audit one case against one library: rules first, the agent for open options, then the verdict."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from goldproof.concurrency import run_in_loop
from goldproof.jobs.verify.agent import AgentLimits, prove
from goldproof.jobs.verify.api_understanding import api_proofs
from goldproof.jobs.verify.finding import Remark
from goldproof.jobs.verify.fix_error import fix_error_proofs
from goldproof.jobs.verify.fix_leaks import leaks
from goldproof.jobs.verify.output.plain import slimmed
from goldproof.jobs.verify.rules import RULES
from goldproof.jobs.verify.rules.against_snippet import text_against_code
from goldproof.jobs.verify.rules.reading import read_question
from goldproof.jobs.verify.rules.rule import Reading
from goldproof.jobs.verify.trying import try_proof
from goldproof.jobs.verify.verdicts import judge_case, same_object_proofs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from goldproof.corpus.libraries import NameIndex
    from goldproof.io.cases import Case
    from goldproof.jobs.verify.bench import Bench
    from goldproof.jobs.verify.finding import CaseFinding, Notes
    from goldproof.jobs.verify.proof import Proof, Tried
    from goldproof.jobs.verify.settings import Proving


# What such a question asks for is whether something is there; unless it also says what for.
_EXISTENCE = ("exists", "import", "keyword", "flag")


@dataclass(frozen=True, slots=True)
class ReadCase:
    """A case with what rules made of it.

    remarks: what its text alone gives away. asks_existence: it asks for nothing but what exists.
    """

    case: Case
    proofs: tuple[Proof, ...]
    remarks: tuple[Remark, ...] = ()
    asks_existence: bool = False


def read_case(case: Case, names: NameIndex) -> ReadCase:
    """Return the proofs that rules propose for a case, none of them run."""
    if case.kind == "api_understanding":
        return ReadCase(case, tuple(api_proofs(case, names)))
    if case.kind == "fix_error":
        return ReadCase(case, tuple(fix_error_proofs(case)), tuple(leaks(case)))
    if case.kind != "multiple_choice":
        return ReadCase(case, ())
    reading = Reading(case, read_question(case, names), names)
    proposed = [proof for rule in RULES for proof in rule.propose(reading)]
    return ReadCase(
        case,
        (*proposed, *same_object_proofs(case, names)),
        tuple(text_against_code(reading.asked)),
        asks_existence=reading.asked.kind in _EXISTENCE and not reading.asked.meaning,
    )


def audit_case(read: ReadCase, bench: Bench, proving: Proving) -> CaseFinding:
    """Run the proofs, have the agent prove what is left open, and compute the verdict."""
    tries = [slimmed(try_proof(proof, bench.run)) for proof in read.proofs]
    finding = _judged(read, bench, tries)
    if proving.model is None or read.case.kind != "multiple_choice" or finding.verdict != "unproven":
        return finding
    refuted = {one.letter: one.reason for one in finding.options if one.status == "refuted"}
    delivered = run_in_loop(
        prove(
            read.case,
            open_letters=finding.open,
            refuted=refuted,
            library=bench.library,
            run=bench.run,
            model=proving.model,
            limits=AgentLimits(steps=proving.steps),
            existence_decides=read.asks_existence,
        )
    )
    said = tuple(Remark("agent", text) for text in (*delivered.remarks, delivered.reason) if text)
    return _judged(
        replace(read, remarks=(*read.remarks, *said)),
        bench,
        [*tries, *map(slimmed, delivered.tries)],
        notes=delivered.notes,
    )


def _judged(read: ReadCase, bench: Bench, tries: Sequence[Tried], *, notes: Notes | None = None) -> CaseFinding:
    return judge_case(
        read.case, library=bench.library.label, tries=tries, remarks=read.remarks, notes=notes, names=bench.names
    )
