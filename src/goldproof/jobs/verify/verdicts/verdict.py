"""Verdict on a case, computed from its tried proofs alone.

Precedence (DESIGN 8.6): broken (a premise is refuted, or a remark says so), incorrect, ambiguous, unproven, valid. Each
kind of case has its own table: `choices`, `names_and_answers`, `fixes`.

Tries are told apart by `proof.option`: `premise` and `snippet` are what the question takes for granted; `same` tells
which options are one object; all others belong to the option, or the part of the case, of that name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldproof.jobs.verify.finding import CaseFinding, Remark
from goldproof.jobs.verify.verdicts.choices import Judged, judge_choices
from goldproof.jobs.verify.verdicts.distractors import SAME, distractor_remarks
from goldproof.jobs.verify.verdicts.fixes import judge_fix
from goldproof.jobs.verify.verdicts.names_and_answers import judge_names_and_answers
from goldproof.jobs.verify.verdicts.options import contradicted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from goldproof.corpus.libraries import NameIndex
    from goldproof.io.cases import Case
    from goldproof.jobs.verify.finding import Notes
    from goldproof.jobs.verify.proof import Tried

PREMISES = frozenset({"premise", "snippet"})


def judge_case(
    case: Case,
    *,
    library: str,
    tries: Sequence[Tried],
    remarks: Sequence[Remark] = (),
    notes: Notes | None = None,
    names: NameIndex | None = None,
) -> CaseFinding:
    """Return the verdict. library: its label. names: of the library, for near names and weak distractors."""
    judged = _judged(case, tries, names)
    premises = [one for one in tries if one.proof.option in PREMISES]
    same = [one for one in tries if one.proof.option == SAME]
    said = (*remarks, *judged.remarks, *distractor_remarks(case, judged.options, same=same, names=names))
    broken = _broken(premises, said) or judged
    return CaseFinding(
        case=case,
        library=library,
        verdict=broken.verdict,
        reason=broken.reason,
        options=judged.options,
        premises=(*premises, *(one for one in same if one.standing == "confirmed")),
        remarks=tuple(dict.fromkeys((*_premise_remarks(premises), *said))),
        fix=broken.fix,
        notes=notes,
    )


def _judged(case: Case, tries: Sequence[Tried], names: NameIndex | None) -> Judged:
    if case.kind == "multiple_choice":
        return judge_choices(case, tries)
    if case.kind == "api_understanding":
        return judge_names_and_answers(case, tries, names=names)
    if case.kind == "fix_error":
        return judge_fix(case, tries)
    return Judged("unproven", "a question without options, names or code claims nothing that could be proven.")


def _broken(premises: Sequence[Tried], remarks: Sequence[Remark]) -> Judged | None:
    refuted = next((one for one in premises if one.standing == "refuted"), None)
    if refuted is not None:
        reason = f"the question takes for granted what is not so. {contradicted(refuted)}"
        return Judged("broken", reason, "reword the question, or mend its code.")
    broken = next((one for one in remarks if one.broken), None)
    return (
        None
        if broken is None
        else Judged("broken", broken.text, "reword the question, or mend its code, so that they agree.")
    )


def _premise_remarks(premises: Sequence[Tried]) -> tuple[Remark, ...]:
    return tuple(Remark("premise", contradicted(one), broken=True) for one in premises if one.standing == "refuted")
